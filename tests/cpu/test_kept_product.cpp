// SPDX-License-Identifier: BSL-1.0
// build: alone
// kept_product.hpp against the definition, bit for bit: numbers of elements around those of packs and
// lanes, matrices that lie in any way, either operand, every type, sums that are zeros of either sign.
#include "contract_cases.hpp"
#include "support/targets.hpp"

#include <weft/cpu/kept_product.hpp>

namespace contract_test {
namespace {

struct kept_case {
  char const *a, *b, *out;
  extent m;
  variant how;
};

template <class T> void make_tiny(array<T>& x, float to) {
  for (T& e : x.memory) e = static_cast<T>(to);
}

// What `use` says of a case, after comparing all of out's memory where there is a kernel.
template <class Target, class A, class Out, class Bias, int K>
cpu::kept_use check_kept(kept_case const& s, bool tiny = false) {
  contraction const c = labels(s.a, s.b, s.out, contract_order::lanes);
  extent size[128]{};
  size[int{'i'}] = s.m;
  size[int{'k'}] = K;
  array<A> a(shape_of_labels(c.a, c.rank_a, size), s.how.a, A{});
  array<A> b(shape_of_labels(c.b, c.rank_b, size), s.how.b, A{});
  extents const out_shape = shape_of_labels(c.out, c.rank_out, size);
  array<Out> out(out_shape, s.how.out, static_cast<Out>(77)), expected = out;
  array<Bias> bias(out_shape, s.how.bias, Bias{});
  randomise(a);
  randomise(b);
  randomise(bias);
  if (tiny) make_tiny(a, 0x1p-20f), make_tiny(b, -0x1p-140f);
  array<Bias>* const added = s.how.has_bias ? &bias : nullptr;
  define(c, size, a, b, expected, static_cast<array<cpu::start_type<Out>>*>(nullptr), added);

  product_form const p = make_product(c, a.shape, b.shape, out.shape,
                                      added ? bias.shape.strides : extents{});
  cpu::kept_code const& code =
      *detail::kept_code_for<Target, dtype_of<A>, dtype_of<A>, dtype_of<Out>, dtype_of<Bias>, K>();
  cpu::kept_use const use = code.use(p);
  if (use == cpu::kept_use::none) return use;
  cpu::scratch_buffer memory;
  array<A>& matrix = p.swapped ? b : a;
  void const* from = matrix.data();
  if (use == cpu::kept_use::kept) {
    std::byte* const to = memory.get(code.bytes(p)).memory;
    code.keep(p, from, to);
    make_tiny(matrix, 3); // it is not looked at any more
    from = to;
  }
  code.run(p, from, (p.swapped ? a : b).data(), out.data(), added ? bias.data() : nullptr);
  EXPECT_TRUE(same_bits(out.memory, expected.memory))
      << s.a << "," << s.b << " m " << s.m << " k " << K;
  return use;
}

template <class Target, class A, class Out, class Bias, int K> void check_sizes() {
  variant const ways[] = {
      {},
      {.a = {.transposed = true}, .has_bias = true},
      {.a = {.reversed = 1}, .b = {.spread = 3}, .bias = {.broadcast = 1}, .has_bias = true},
      {.a = {.reversed = 2}, .b = {.reversed = 1}, .out = {.spread = 2}, .has_bias = true},
      {.out = {.reversed = 1}, .bias = {.reversed = 1}, .has_bias = true}};
  for (extent m : {1, 2, 3, 7, 8, 15, 16, 17, 24, 33, 48, 50, 96, 130})
    for (variant const& v : ways) {
      bool const columns = m >= Target::lanes;
      cpu::kept_use const use = check_kept<Target, A, Out, Bias, K>({"ik", "k", "i", m, v});
      EXPECT_EQ(columns, use == cpu::kept_use::kept);
      variant swapped = v;
      std::swap(swapped.a, swapped.b);
      check_kept<Target, A, Out, Bias, K>({"k", "ik", "i", m, swapped});
      check_kept<Target, A, Out, Bias, K>({"k", "ki", "i", m, swapped});
    }
  if constexpr (std::is_same_v<A, float>) {
    cpu::kept_use const use = check_kept<Target, A, Out, Bias, K>({"ik", "k", "i", 3, {}});
    EXPECT_EQ(use, cpu::kept_use::as_it_lies);
  }
}

template <class Target> class kept_product : public testing::Test {};
using targets = testing::Types<test::narrow_target, cpu::native_target>;
TYPED_TEST_SUITE(kept_product, targets);

TYPED_TEST(kept_product, has_the_bits_of_lanes) {
  [&]<int... K>(std::integer_sequence<int, K...>) {
    (check_sizes<TypeParam, float, float, float, K>(), ...);
  }(std::integer_sequence<int, 1, 2, 3, 4, 7, 8, 9, 15, 16, 17, 24, 31, 32, 33, 47, 48, 63, 64>{});
}
TYPED_TEST(kept_product, of_every_type) {
  check_sizes<TypeParam, double, double, double, 5>();
  check_sizes<TypeParam, double, double, double, 64>();
  check_sizes<TypeParam, bf16, bf16, float, 20>();
  check_sizes<TypeParam, bf16, float, float, 33>();
  check_sizes<TypeParam, f16, f16, f16, 40>();
  check_sizes<TypeParam, std::int32_t, std::int32_t, std::int32_t, 24>();
  check_sizes<TypeParam, std::int64_t, std::int64_t, std::int64_t, 9>();
  check_sizes<TypeParam, std::int8_t, std::int8_t, std::int8_t, 50>();
}
// Products that round to -0: of all 64 lanes the sum is -0, of fewer it is +0.
TYPED_TEST(kept_product, keeps_the_sign_of_zero) {
  for (extent m : {2, 40}) {
    check_kept<TypeParam, float, float, float, 1>({"ik", "k", "i", m, {}}, true);
    check_kept<TypeParam, float, float, float, 16>({"ik", "k", "i", m, {}}, true);
    check_kept<TypeParam, float, float, float, 63>({"ik", "k", "i", m, {}}, true);
    check_kept<TypeParam, float, float, float, 64>({"ik", "k", "i", m, {}}, true);
  }
}
TYPED_TEST(kept_product, leaves_other_products_alone) {
  using detail::kept_code_for;
  constexpr dtype f32 = dtype::f32;
  EXPECT_EQ((kept_code_for<TypeParam, f32, f32, f32, f32, 65>()), nullptr);
  EXPECT_EQ((kept_code_for<TypeParam, f32, dtype::bf16, f32, f32, 8>()), nullptr);
  auto const& code = *kept_code_for<TypeParam, f32, f32, f32, f32, 8>();
  auto const use = [&](char const* a, char const* b, char const* out, contract_order order,
                       extents const& sa, extents const& sb, extents const& so) {
    auto const strided = [](extents const& s) { return strided_shape{s, row_major_strides(s)}; };
    return code.use(make_product(labels(a, b, out, order), strided(sa), strided(sb), strided(so)));
  };
  using enum contract_order;
  EXPECT_EQ(use("ik", "k", "i", lanes, {2, {32, 8}}, {1, {8}}, {1, {32}}), cpu::kept_use::kept);
  EXPECT_EQ(use("ik", "k", "i", chain, {2, {32, 8}}, {1, {8}}, {1, {32}}), cpu::kept_use::none);
  EXPECT_EQ(use("ik", "k", "i", lanes, {2, {32, 7}}, {1, {7}}, {1, {32}}), cpu::kept_use::none);
  EXPECT_EQ(use("bik", "bk", "bi", lanes, {3, {2, 32, 8}}, {2, {2, 8}}, {2, {2, 32}}),
            cpu::kept_use::none);
  EXPECT_EQ(use("ki", "k", "i", lanes, {2, {8, 3}}, {1, {8}}, {1, {3}}), cpu::kept_use::none);
}

} // namespace
} // namespace contract_test
