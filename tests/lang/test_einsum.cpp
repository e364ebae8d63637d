// SPDX-License-Identifier: BSL-1.0
// einsum at its typed door: the notation, faults, types, orders, the nodes that are recorded,
// values. (Meaning: test_einsum_table.cpp.)
#include "recorded.hpp"

#include <weft/lang/einsum.hpp>

#include <algorithm>
#include <limits>

namespace {

using recorded::list, recorded::values;
using weft::bf16, weft::contract_order, weft::op, weft::shape, weft::sym, weft::tensor,
    weft::traced;
using enum weft::einsum_error;

constexpr sym batch{"batch"};
constexpr sym rows{"rows"};
template <class X> X any() { return X{}; }

// the notation: which fault, and where
template <weft::fixed_string Spec, class... S>
inline constexpr weft::einsum_fault fault_of = weft::detail::einsum_plan_of<Spec, S...>.fault;
using s3 = shape<3>;
using s23 = shape<2, 3>;
using s34 = shape<3, 4>;
static_assert(weft::einsum_check<" i j , j k -> i k ", s23, s34>() == sound);
static_assert(weft::einsum_check<"", shape<>>() == sound);
static_assert(weft::einsum_check<"...", s23>() == sound);
static_assert(weft::einsum_check<"i->...i", s3>() == sound);
static_assert(fault_of<"ij,jk=ik", s23, s34>.code == bad_character);
static_assert(fault_of<"ij,jk=ik", s23, s34>.position == 5);
static_assert(fault_of<"ij-i", s23>.code == malformed_arrow);
static_assert(fault_of<"ij->j->i", s23>.position == 5);
static_assert(fault_of<"ij,jk->il", s23, s34>.code == output_label_unknown);
static_assert(fault_of<"ij,jk->il", s23, s34>.label == 'l');
static_assert(fault_of<"ij,jk", s23>.code == operand_count);
static_assert(fault_of<"ij,j", s23, s34>.operand == 1);
static_assert(fault_of<"ij,jk", s23, shape<4, 5>>.first == 3);
static_assert(fault_of<"ij,jk", s23, shape<4, 5>>.second == 4);
static_assert(weft::einsum_check<"ij,ij", s23, shape<2, 1>>() == label_size1_broadcast);
static_assert(weft::einsum_check<"...,...", s23, shape<2, 1>>() == sound);
static_assert(weft::einsum_check<"ij,ij", s23, shape<rows, 3>>() == extent_mismatch);

// the types
template <weft::fixed_string Spec, class Out, class... X>
using result = decltype(weft::einsum<Spec, Out>(any<X>()...));
using a23 = traced<float, 2, 3>;
using a34 = traced<float, 3, 4>;
static_assert(std::is_same_v<result<"ij,jk->ki", void, a23, a34>, traced<float, 4, 2>>);
static_assert(std::is_same_v<result<"ij,jk", void, a23, a34>, traced<float, 2, 4>>);
static_assert(std::is_same_v<result<"ba", void, a23>, traced<float, 3, 2>>);
static_assert(std::is_same_v<result<"...j,jk", void, traced<float, batch, rows, 3>, a34>,
                             traced<float, batch, rows, 4>>);
static_assert(std::is_same_v<result<"...j,...j", void, traced<float, batch, 1, 3>, a23>,
                             traced<float, batch, 2>>);
static_assert(std::is_same_v<result<"ii->i", void, traced<bool, rows, rows>>, traced<bool, rows>>);
static_assert(
    std::is_same_v<result<"i,i", float, traced<bf16, 2>, traced<bf16, 2>>, traced<float>>);
static_assert(std::is_same_v<result<"i,i", int, traced<bool, 2>, traced<bool, 2>>, traced<int>>);
static_assert(std::is_same_v<decltype(weft::linear(any<traced<float, 5, 2, 3>>(), any<a34>(),
                                                   any<traced<float, 4>>())),
                             traced<float, 5, 2, 4>>);
using weft::dtype, weft::detail::einsum_may_give;
static_assert(einsum_may_give(dtype::bf16, dtype::f32) &&
              einsum_may_give(dtype::boolean, dtype::i32));
static_assert(!einsum_may_give(dtype::f32, dtype::bf16) &&
              !einsum_may_give(dtype::i32, dtype::u32));
static_assert(!einsum_may_give(dtype::i32, dtype::f32) && !einsum_may_give(dtype::f32, dtype::i32));

// the order is fixed when recorded: lanes iff one free side has no extent other than 1
constexpr contract_order order_in(weft::graph_view g) {
  for (int id = 0; id < g.size(); ++id)
    if (g[id].code == op::contract) return weft::contraction_of(g, id).order;
  return contract_order::chain;
}
template <weft::fixed_string Spec, class... X> constexpr auto recording() {
  return weft::record<X...>([](auto... x) { return weft::einsum<Spec>(x...); });
}
template <weft::fixed_string Spec, class... X> constexpr contract_order order_of() {
  return order_in(recording<Spec, X...>());
}
using t23 = tensor<float, 2, 3>;
using t34 = tensor<float, 3, 4>;
static_assert(order_of<"ij,jk->ik", t23, t34>() == contract_order::chain);
static_assert(order_of<"ij,j->i", t23, tensor<float, 3>>() == contract_order::lanes);
static_assert(order_of<"ij,jk->ik", tensor<float, 1, 3>, t34>() == contract_order::lanes);
static_assert(order_of<"ij,jk->ik", tensor<float, batch, 3>, t34>() == contract_order::chain);

// the nodes: as few as the meaning needs
template <weft::fixed_string Spec, class... X> constexpr int count_of(op wanted) {
  weft::graph const g = recording<Spec, X...>();
  int n = 0;
  for (int id = 0; id < g.size(); ++id) n += g[id].code == wanted;
  return n;
}
template <weft::fixed_string Spec, class... X> constexpr int work_of() {
  weft::graph const g = recording<Spec, X...>();
  int n = 0;
  for (int id = 0; id < g.size(); ++id)
    n += !weft::is_view(g[id].code) && g[id].code != op::parameter;
  return n;
}
using t333 = tensor<float, 3, 3, 3>;
static_assert(work_of<"ijk->kji", t333>() == 0); // transposes
static_assert(work_of<"iii->i", t333>() == 0);   // a strided view
static_assert(work_of<"...ii->...i", t333>() == 0);
static_assert(count_of<"...ii->...i", t333>(op::transpose) == 0);
static_assert(work_of<"iij->j", t333>() == 1); // one sum
static_assert(count_of<"ijk,kl->ijl", t333, t34>(op::transpose) == 0);
static_assert(work_of<"ijk,kl->ijl", t333, t34>() == 1); // one product
static_assert(work_of<"ij,jk,kl->il", t34, tensor<float, 4, 5>, tensor<float, 5, 6>>() == 2);
static_assert(work_of<"ij,kl->ik", t23, t34>() == 3);                       // sums first
static_assert(work_of<"...ij,...jk", t333, tensor<float, 1, 3, 4>>() == 1); // 1: no broadcast

// 32 operands are planned within the compilers' default limits
template <int... I> constexpr bool plans_many(std::integer_sequence<int, I...>) {
  constexpr auto spec = [] {
    char s[3 * sizeof...(I)]{};
    for (int k = 0; k < static_cast<int>(sizeof...(I)); ++k) {
      auto letter = [](int i) { return static_cast<char>(i < 26 ? 'a' + i : 'A' + (i - 26)); };
      s[3 * k] = letter(k);
      s[3 * k + 1] = letter(k + 1);
      s[3 * k + 2] = k + 1 < static_cast<int>(sizeof...(I)) ? ',' : '\0';
    }
    return weft::fixed_string(s);
  }();
  return weft::detail::einsum_plan_of<spec, shape<2 + 0 * I, 2>...>.path.cost ==
         8.0 * (sizeof...(I) - 1);
}
static_assert(plans_many(std::make_integer_sequence<int, 3>{}));
static_assert(plans_many(std::make_integer_sequence<int, 8>{}));
static_assert(plans_many(std::make_integer_sequence<int, 32>{}));

tensor<float, 2, 3> const a = {{1, 2, 3}, {4, 5, 6}};
tensor<float, 3, 2> const b = {{1, 0}, {-1, 2}, {3, 1}};

TEST(einsum, products) {
  EXPECT_EQ(values<float>([](auto x, auto y) { return weft::einsum<"ij,jk">(x, y); }, a, b),
            (list<float>{8, 7, 17, 16}));
  EXPECT_EQ(values<float>([](auto x, auto y) { return weft::einsum<"ij,jk->ki">(x, y); }, a, b),
            (list<float>{8, 17, 7, 16}));
  EXPECT_EQ(values<float>([](auto x) { return weft::einsum<"ij,ij,ij->ij">(x, x, x); }, a),
            (list<float>{1, 8, 27, 64, 125, 216}));
}
// What is off the diagonal does not matter, and a zero keeps its sign.
TEST(einsum, diagonals_touch_nothing_else) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  tensor<float, 2, 2> const x = {{-0.0f, inf}, {std::numeric_limits<float>::quiet_NaN(), 5}};
  auto const f = [](auto y) { return weft::einsum<"ii->i">(y); };
  list<float> const fixed = values<float>(f, x);
  tensor<float, rows, rows> named(2);
  std::copy(x.begin(), x.end(), named.mutate().begin());
  for (list<float> const& got : {fixed, values<float>(f, named)}) {
    EXPECT_EQ(std::bit_cast<unsigned>(got[0]), 0x80000000u);
    EXPECT_EQ(got[1], 5);
  }
  tensor<float, 1, 2, 2> const y = {{{inf, inf}, {1, 1}}};
  EXPECT_EQ(values<float>([](auto z) { return weft::einsum<"baa->ba">(z); }, y),
            (list<float>{inf, 1}));
}
TEST(einsum, lonely_labels_are_summed_first) {
  EXPECT_EQ(values<float>([](auto x, auto y) { return weft::einsum<"ij,k->ik">(x, y); }, a,
                          tensor<float, 2>{1, 10}),
            (list<float>{6, 60, 15, 150}));
}
TEST(einsum, numbers_and_makers_are_operands) {
  EXPECT_EQ(
      values<float>([](auto x) { return weft::einsum<"ij,j->i">(x, weft::ones<float, 3>()); }, a),
      (list<float>{6, 15}));
  EXPECT_EQ(values<float>([](auto x) { return weft::einsum<"ij,">(x, 2); }, a),
            (list<float>{2, 4, 6, 8, 10, 12}));
}
// 257 is no bf16: rounded between the steps, or before the second sum, it would be 256.
TEST(einsum, bf16_rounds_once) {
  tensor<bf16, 2> const p = {256.0f, 1.0f}, q = {1.0f, 1.0f};
  auto const f = [](auto x, auto y) { return weft::einsum<"i,i,j,j->">(x, y, y, x); };
  EXPECT_EQ(values<bf16>(f, p, q), (list<bf16>{bf16(66049.0f)}));
  auto const g = [](auto x, auto y) { return weft::einsum<"i,j->", float>(x, y); };
  EXPECT_EQ(values<float>(g, p, q), (list<float>{514}));
}
TEST(linear, bias_is_added_inside) {
  auto const f = [](auto x, auto w, auto c) { return weft::linear(x, w, c); };
  EXPECT_EQ(values<float>(f, a, b, tensor<float, 2>{100, 200}), (list<float>{108, 207, 117, 216}));
  auto const g = [](auto x, auto w, auto c) { return weft::linear<"bi,hi->bh">(x, w, c); };
  EXPECT_EQ(values<float>(g, a, a, tensor<float>(1)), (list<float>{15, 33, 33, 78}));
}
// 257 needs nine bits: rounded alone it is 256 in bf16, and adding 1 would leave it there.
TEST(linear, bf16_rounds_once) {
  auto const f = [](auto p, auto q, auto c) { return weft::linear(p, q, c); };
  tensor<bf16, 1, 2> const p = {{1.0f, 1.0f}};
  tensor<bf16, 2, 1> const q = {{256.0f}, {1.0f}};
  EXPECT_EQ(values<bf16>(f, p, q, tensor<bf16, 1>{1.0f}), (list<bf16>{bf16(258.0f)}));
}

} // namespace
