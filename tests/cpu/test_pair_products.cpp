// SPDX-License-Identifier: BSL-1.0
// build: -march=native
// Products of bf16 by pairs (cpu/pair_kernel.hpp), also where subnormal sums or operands arise, which
// the instruction takes for zero: there the kernels of floats go on.
#include "contract_cases.hpp"

namespace contract_test {
namespace {
using detail::pair_range, detail::smallest_bf16, detail::is_coarse;

// What may be added by pairs.
constexpr smallest_bf16 smallest_of(std::initializer_list<float> values) {
  smallest_bf16 s;
  for (float x : values) s.note(bf16(x));
  return s;
}
constexpr bool exact(float a, float b) {
  return pair_range{smallest_of({1.0f, a}), smallest_of({b, 3.0f})}.is_exact();
}
static_assert(exact(0.0f, -0.0f) && exact(1.0f, 0x1p-112f) && exact(0x1p-60f, -0x1p-52f));
static_assert(!exact(1.0f, 0x1p-113f) && !exact(0x1p-60f, 0x1p-53f) && !exact(1.0f, 0x1p-127f));
static_assert(!exact(0x1p100f, 0x1p-127f), "subnormal operands count as zero there");
static_assert(is_coarse(0.0f) && is_coarse(-0x1p-103f) && !is_coarse(0x1p-104f) &&
              !is_coarse(0x1p-149f));

#if defined(__AVX512BF16__)
template <class Out, class Bias = Out> void check_pairs(variant const& v) {
  struct spec {
    char const *a, *b, *out;
    extent i, j, k, l;
  };
  for (spec const& s : {spec{"ik", "kj", "ij", 1, 1, 1, 1},
                        {"ik", "kj", "ij", 14, 32, 2, 1},
                        {"ik", "kj", "ij", 15, 33, 65, 1},
                        {"ki", "jk", "ji", 31, 70, 64, 1},
                        {"ki", "kj", "ij", 29, 65, 33, 1},
                        {"ik", "jk", "ij", 17, 34, 800, 1},
                        {"xik", "kj", "xij", 5, 20, 7, 1},
                        {"ik", "kj", "ij", 29, 35, 385, 1},
                        {"ik", "kj", "ij", 5, 4, 0, 1},
                        {"kil", "lkj", "ij", 25, 33, 3, 5}}) {
    extent size[128]{};
    extent const of[] = {s.i, s.j, s.k, s.l, 2};
    for (int n = 0; n < 5; ++n) size[static_cast<int>("ijklx"[n])] = of[n];
    SCOPED_TRACE(testing::Message() << s.a << "," << s.b << "->" << s.out << " i " << s.i << " j "
                                    << s.j << " k " << s.k << " of " << name_of(dtype_of<Out>));
    check<cpu::avx512_bf16, bf16, bf16, Out, Bias>(labels(s.a, s.b, s.out, contract_order::chain),
                                                   size, v);
  }
}
variant const variants[] = {
    {},
    {.b = {.transposed = true}, .out = {.transposed = true}, .has_start = true},
    {.a = {.reversed = 1}, .b = {.reversed = 2}, .out = {.reversed = 3}, .has_bias = true},
    {.a = {.reversed = 2}, .b = {.reversed = 1}, .has_start = true, .has_bias = true},
    {.a = {.broadcast = 1}, .b = {.spread = 2}},
    // Subnormal sums, operands and starts: everywhere, and first in a late block of k.
    {.tiny_a = 1, .tiny_b = 1, .tiny = 0x1p-65f},
    {.tiny_a = 1, .tiny = 0x1p-130f},
    {.tiny_b = 1, .tiny = 0x1p-126f},
    {.has_start = true, .tiny_a = 1, .tiny_b = 1, .tiny_start = 1, .tiny = 0x1p-70f},
    {.has_start = true, .tiny_start = 7, .tiny = 0x1p-120f},
    {.tiny_a = 100000, .tiny = 0x1p-127f},
    {.b = {.transposed = true}, .tiny_b = 50000, .tiny = 0x1p-127f},
    {.tiny_a = 5, .tiny_b = 3, .tiny = 0x1p-50f}, // small, yet exact
};

TEST(pair_products, have_the_bits_of_the_chain) {
  if (!__builtin_cpu_supports("avx512bf16")) GTEST_SKIP() << "the processor has no avx512_bf16";
  int number = 0;
  for (variant const& v : variants) {
    SCOPED_TRACE(testing::Message() << "variant " << number++);
    check_pairs<bf16>(v);
    check_pairs<float, bf16>(v);
    check_pairs<bf16, float>(v);
  }
}
#else
TEST(pair_products, have_the_bits_of_the_chain) {
  GTEST_SKIP() << "the compiler's processor has no avx512_bf16";
}
#endif

} // namespace
} // namespace contract_test
