// SPDX-License-Identifier: BSL-1.0
// build: alone
// fixed_product.hpp against the definition, bit for bit: products of 1 to 17 rows, columns and steps,
// picked at random while this is compiled, with operands, results and biases that lie in any way.
#include "contract_cases.hpp"

#include <weft/cpu/fixed_product.hpp>

namespace contract_test {
namespace {

struct spec {
  char a[4], b[4], out[4];
  contract_order order = contract_order::chain;
};
constexpr spec specs[] = {{"ik", "kj", "ij"},
                          {"ik", "jk", "ij"},
                          {"ki", "kj", "ij"},
                          {"ik", "kj", "ji"},
                          {"hik", "hkj", "hij"},
                          {"ikl", "lkj", "ij"},
                          {"ik", "kjh", "ijh"},
                          {"hik", "kj", "hji"},
                          {"ik", "k", "i", contract_order::lanes},
                          {"ki", "k", "i", contract_order::lanes},
                          {"k", "kj", "j", contract_order::lanes},
                          {"hik", "hk", "hi", contract_order::lanes},
                          {"kl", "kl", "", contract_order::lanes}};

struct fixed_case {
  int form = 0;
  extent i = 1, j = 1, k = 1;
  int how = 0; // of `layouts`
};
constexpr variant layouts[] = {
    {},
    {},
    {.has_bias = true},
    {.bias = {.broadcast = 1}, .has_bias = true},
    {.a = {.transposed = true}, .b = {.reversed = 1}},
    {.a = {.reversed = 3}, .b = {.spread = 2}, .bias = {.broadcast = 2}, .has_bias = true},
    {.b = {.transposed = true}, .out = {.transposed = true}},
    {.a = {.broadcast = 1}, .b = {.broadcast = 2}, .out = {.spread = 3}, .has_bias = true}};

constexpr fixed_case pick(unsigned number) {
  std::uint64_t state = number * 0x9e3779b97f4a7c15u + 12345;
  auto const below = [&state](auto n) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    return static_cast<int>((state >> 33) % static_cast<std::uint64_t>(n));
  };
  int const most = below(2) == 0 ? 4 : 17;
  return {static_cast<int>(number % std::size(specs)), 1 + below(most), 1 + below(most),
          1 + below(most), below(std::size(layouts))};
}

// One case as the compiler knows it.
template <unsigned Number, class A, class B, class Out, class Bias> struct form {
  static constexpr fixed_case c = pick(Number);
  static constexpr variant how = layouts[c.how];
  static constexpr bool has_bias = how.has_bias;
  static constexpr contraction sum = labels(specs[c.form].a, specs[c.form].b, specs[c.form].out,
                                            specs[c.form].order);
  struct sizes {
    extent of[128]{};
  };
  static constexpr sizes find_sizes() {
    sizes s;
    s.of[int{'i'}] = c.i, s.of[int{'j'}] = c.j, s.of[int{'k'}] = c.k;
    s.of[int{'h'}] = 3, s.of[int{'l'}] = 2;
    return s;
  }
  static constexpr sizes size = find_sizes();
  static constexpr extents shape_a = shape_of_labels(sum.a, sum.rank_a, size.of);
  static constexpr extents shape_b = shape_of_labels(sum.b, sum.rank_b, size.of);
  static constexpr extents shape_out = shape_of_labels(sum.out, sum.rank_out, size.of);
  static constexpr product_form value = make_product(
      sum, placing(shape_a, how.a).shape, placing(shape_b, how.b).shape,
      placing(shape_out, how.out).shape,
      how.has_bias ? placing(shape_out, how.bias).shape.strides : extents{});
  using a = A;
  using b = B;
  using out = Out;
  using bias = Bias;
};

template <class Target, unsigned Number, class A, class B, class Out, class Bias> void check_one() {
  using f = form<Number, A, B, Out, Bias>;
  array<A> a(f::shape_a, f::how.a, A{});
  array<B> b(f::shape_b, f::how.b, B{});
  array<Out> out(f::shape_out, f::how.out, static_cast<Out>(77)), expected = out;
  array<Bias> bias(f::shape_out, f::how.bias, Bias{});
  randomise(a);
  randomise(b);
  randomise(bias);
  array<Bias>* const added = f::has_bias ? &bias : nullptr;
  define(f::sum, f::size.of, a, b, expected, static_cast<array<cpu::start_type<Out>>*>(nullptr),
         added);
  detail::fixed_product<f, Target>::run(a.data(), b.data(), out.data(),
                                        added ? bias.data() : nullptr);
  EXPECT_TRUE(same_bits(out.memory, expected.memory))
      << specs[f::c.form].a << "," << specs[f::c.form].b << "->" << specs[f::c.form].out << " "
      << f::c.i << " " << f::c.j << " " << f::c.k << " laid out as " << f::c.how;
}
template <class Target, unsigned First, class A, class B, class Out, class Bias, unsigned... I>
void check_all(std::integer_sequence<unsigned, I...>) {
  (check_one<Target, First + I, A, B, Out, Bias>(), ...);
}
template <class Target, unsigned First, unsigned Count, class A, class B = A, class Out = A,
          class Bias = Out>
void check_some() {
  check_all<Target, First, A, B, Out, Bias>(std::make_integer_sequence<unsigned, Count>{});
}

TEST(fixed_product, floats) {
  check_some<cpu::native_target, 0, 32, float>();
  check_some<cpu::generic, 40, 8, float>();
}
TEST(fixed_product, doubles) {
  check_some<cpu::native_target, 100, 9, double>();
  check_some<cpu::generic, 120, 3, double>();
}
TEST(fixed_product, narrow_floats) {
  check_some<cpu::native_target, 200, 6, bf16>();
  check_some<cpu::native_target, 210, 3, bf16, bf16, float>();
  check_some<cpu::native_target, 220, 3, f16, f16, f16, float>();
  check_some<cpu::generic, 230, 2, bf16, bf16, bf16, float>();
}
TEST(fixed_product, integers) {
  check_some<cpu::native_target, 300, 5, std::int32_t>();
  check_some<cpu::native_target, 310, 3, std::uint64_t>();
  check_some<cpu::native_target, 320, 3, std::int8_t>();
  check_some<cpu::generic, 330, 2, std::int16_t>();
}

// One that is wrong would be seen: every kind of product and layout is among the picks.
TEST(fixed_product, picks_are_of_every_kind) {
  bool form_seen[std::size(specs)]{}, layout_seen[std::size(layouts)]{};
  for (unsigned n = 0; n < 32; ++n) {
    form_seen[pick(n).form] = true;
    layout_seen[pick(n).how] = true;
  }
  for (bool seen : form_seen) EXPECT_TRUE(seen);
  for (bool seen : layout_seen) EXPECT_TRUE(seen);
}

} // namespace
} // namespace contract_test
