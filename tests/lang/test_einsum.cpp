// SPDX-License-Identifier: BSL-1.0
// einsum: the notation, its errors by position, the lowering, values.
#include "recorded.hpp"

#include <weft/lang/einsum.hpp>

namespace {

using recorded::list, recorded::values;
using weft::bf16, weft::contract_order, weft::sym, weft::tensor, weft::traced;
using weft::detail::einsum_error, weft::detail::einsum_of;

constexpr sym batch{"batch"};
template <class X> X any() { return X{}; }

// the notation
static_assert(einsum_of<"ij, jk -> ik">.error == einsum_error::sound);
static_assert(einsum_of<"ij,jk-ik">.at(einsum_error::character) == 5);
static_assert(einsum_of<"ij->->i">.at(einsum_error::character) == 4);
static_assert(einsum_of<"i%->i">.at(einsum_error::character) == 1);
static_assert(einsum_of<"ij,jk">.at(einsum_error::no_output) == 5);
static_assert(einsum_of<"...ij->...i">.at(einsum_error::ellipsis) == 0);
static_assert(einsum_of<"i,j,k->ijk">.at(einsum_error::operand_count) == 3);
static_assert(einsum_of<"ii->i">.at(einsum_error::repeated_in_operand) == 1);
static_assert(einsum_of<"ij->jij">.at(einsum_error::repeated_in_output) == 6);
static_assert(einsum_of<"ij,jk->il">.at(einsum_error::unknown_in_output) == 8);

// the shapes
using a23 = traced<float, 2, 3>;
using a34 = traced<float, 3, 4>;
static_assert(std::is_same_v<decltype(weft::einsum<"ij,jk->ki">(any<a23>(), any<a34>())),
                             traced<float, 4, 2>>);
static_assert(
    std::is_same_v<decltype(weft::einsum<"bij,bjk->bik">(any<traced<float, batch, 2, 3>>(),
                                                         any<traced<float, batch, 3, 4>>())),
                   traced<float, batch, 2, 4>>);
static_assert(
    std::is_same_v<decltype(weft::einsum<"i,j->ij">(any<traced<int, 2>>(), any<traced<int, 3>>())),
                   traced<int, 2, 3>>);
static_assert(std::is_same_v<decltype(weft::linear(any<traced<float, 5, 2, 3>>(), any<a34>(),
                                                   any<traced<float, 4>>())),
                             traced<float, 5, 2, 4>>);

// the order is fixed when recorded: lanes iff one free side has no extent other than 1
constexpr contract_order order_in(weft::graph_view g) {
  for (int id = 0; id < g.size(); ++id)
    if (g[id].code == weft::op::contract) return weft::contraction_of(g, id).order;
  return contract_order::chain;
}
template <weft::fixed_string Spec, class... X> constexpr contract_order order_of() {
  return order_in(weft::record<X...>([](auto... x) { return weft::einsum<Spec>(x...); }));
}
static_assert(order_of<"ij,jk->ik", tensor<float, 2, 3>, tensor<float, 3, 4>>() ==
              contract_order::chain);
static_assert(order_of<"ij,j->i", tensor<float, 2, 3>, tensor<float, 3>>() ==
              contract_order::lanes);
static_assert(order_of<"ij,jk->ik", tensor<float, 1, 3>, tensor<float, 3, 4>>() ==
              contract_order::lanes);
static_assert(order_of<"ij,jk->ik", tensor<float, batch, 3>, tensor<float, 3, 4>>() ==
              contract_order::chain);

tensor<float, 2, 3> const a = {{1, 2, 3}, {4, 5, 6}};
tensor<float, 3, 2> const b = {{1, 0}, {-1, 2}, {3, 1}};

TEST(einsum, products) {
  EXPECT_EQ(values<float>([](auto x, auto y) { return weft::einsum<"ij,jk->ik">(x, y); }, a, b),
            (list<float>{8, 7, 17, 16}));
  EXPECT_EQ(values<float>([](auto x, auto y) { return weft::einsum<"ij,jk->ki">(x, y); }, a, b),
            (list<float>{8, 17, 7, 16}));
  EXPECT_EQ(values<float>([](auto x, auto y) { return weft::einsum<"ij,ji->">(x, y); }, a, b),
            (list<float>{24}));
  EXPECT_EQ(values<float>([](auto x) { return weft::einsum<"ij,ij->ij">(x, x); }, a),
            (list<float>{1, 4, 9, 16, 25, 36}));
}
TEST(einsum, one_operand) {
  EXPECT_EQ(values<float>([](auto x) { return weft::einsum<"ij->ji">(x); }, a),
            (list<float>{1, 4, 2, 5, 3, 6}));
  EXPECT_EQ(values<float>([](auto x) { return weft::einsum<"ij->i">(x); }, a),
            (list<float>{6, 15}));
  EXPECT_EQ(values<float>([](auto x) { return weft::einsum<"ij->">(x); }, a), (list<float>{21}));
}
TEST(einsum, lonely_labels_are_summed_first) {
  EXPECT_EQ(values<float>([](auto x, auto y) { return weft::einsum<"ij,k->ik">(x, y); }, a,
                          tensor<float, 2>{1, 10}),
            (list<float>{6, 60, 15, 150}));
  EXPECT_EQ(values<float>([](auto x, auto y) { return weft::einsum<"ij,jk->i">(x, y); }, a, b),
            (list<float>{15, 33}));
}
TEST(einsum, numbers_and_makers_are_operands) {
  EXPECT_EQ(
      values<float>([](auto x) { return weft::einsum<"ij,j->i">(x, weft::ones<float, 3>()); }, a),
      (list<float>{6, 15}));
  EXPECT_EQ(values<float>([](auto x) { return weft::einsum<"ij,->ij">(x, 2); }, a),
            (list<float>{2, 4, 6, 8, 10, 12}));
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
