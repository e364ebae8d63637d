// SPDX-License-Identifier: BSL-1.0
// matmul, dot, inner, outer, vdot, tensordot, diagonal, trace: shapes as NumPy has them, and values.
#include "recorded.hpp"

#include <weft/lang/diagonal.hpp>
#include <weft/lang/products.hpp>

namespace {

using recorded::list, recorded::values;
using weft::axis_list, weft::bf16, weft::sym, weft::tensor, weft::traced;

constexpr sym rows{"rows"};
constexpr sym batch{"batch"};
template <auto... E> using f = traced<float, E...>;
template <class X> X any() { return X{}; }

// shapes
template <class R, class A, class B>
inline constexpr bool multiplies = std::is_same_v<decltype(weft::matmul(any<A>(), any<B>())), R>;
static_assert(multiplies<f<>, f<3>, f<3>>);
static_assert(multiplies<f<4>, f<3>, f<3, 4>>);
static_assert(multiplies<f<5, 4>, f<3>, f<5, 3, 4>>);
static_assert(multiplies<f<2>, f<2, 3>, f<3>>);
static_assert(multiplies<f<5, 2>, f<5, 2, 3>, f<3>>);
static_assert(multiplies<f<2, 4>, f<2, 3>, f<3, 4>>);
static_assert(multiplies<f<6, 5, 2, 4>, f<5, 2, 3>, f<6, 1, 3, 4>>);
static_assert(multiplies<f<batch, rows, 4>, f<batch, rows, 3>, f<3, 4>>);
static_assert(multiplies<f<0, 4>, f<0, 3>, f<3, 4>>);

template <class R, class A, class B>
inline constexpr bool dots = std::is_same_v<decltype(weft::dot(any<A>(), any<B>())), R>;
static_assert(dots<f<>, f<3>, f<3>> && dots<f<2, 4>, f<2, 3>, f<3, 4>>);
static_assert(dots<f<2, 5, 4>, f<2, 3>, f<5, 3, 4>> && dots<f<2, 3>, f<2, 3>, f<>>);

template <class R, class A, class B>
inline constexpr bool has_inner = std::is_same_v<decltype(weft::inner(any<A>(), any<B>())), R>;
static_assert(has_inner<f<2, 4>, f<2, 3>, f<4, 3>> && has_inner<f<2, 3>, f<2, 3>, f<>>);
static_assert(std::is_same_v<decltype(weft::outer(any<f<2, 3>>(), any<f<4>>())), f<6, 4>>);
static_assert(std::is_same_v<decltype(weft::outer(any<f<rows>>(), any<f<>>())), f<rows, 1>>);
static_assert(std::is_same_v<decltype(weft::vdot(any<f<2, 3>>(), any<f<6>>())), f<>>);
static_assert(
    std::is_same_v<decltype(weft::tensordot(any<f<5, 2, 3>>(), any<f<2, 3, 4>>())), f<5, 4>>);
static_assert(std::is_same_v<decltype(weft::tensordot<0>(any<f<2>>(), any<f<3>>())), f<2, 3>>);
static_assert(std::is_same_v<decltype(weft::tensordot<axis_list(-1, 0), axis_list(1, 2)>(
                                 any<f<3, 5, 4>>(), any<f<2, 4, 3>>())),
                             f<5, 2>>);
static_assert(
    std::is_same_v<decltype(weft::matmul<float>(any<traced<bf16, 2, 3>>(), any<traced<bf16, 3>>())),
                   f<2>>);

template <class R, class A, int... P>
inline constexpr bool has_diagonal = std::is_same_v<decltype(weft::diagonal<P...>(any<A>())), R>;
static_assert(has_diagonal<f<3>, f<3, 3>> && has_diagonal<f<2>, f<3, 4>, 2>);
static_assert(has_diagonal<f<2>, f<3, 4>, -1> && has_diagonal<f<0>, f<3, 4>, 4>);
static_assert(has_diagonal<f<4, 2>, f<2, 4, 3>, 0, 0, 2> &&
              has_diagonal<f<4, rows>, f<rows, 4, rows>, 0, 2, 0>);

tensor<float, 2, 3> const a = {{1, 2, 3}, {4, 5, 6}};
tensor<float, 3, 2> const b = {{1, 0}, {-1, 2}, {3, 1}};
tensor<float, 2, 2, 2> const cube = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};

TEST(products, values) {
  EXPECT_EQ(values<float>([](auto x, auto y) { return weft::matmul(x, y); }, a, b),
            (list<float>{8, 7, 17, 16}));
  EXPECT_EQ(values<float>([](auto x, auto y) { return weft::dot(x, y); }, a, cube(0, 0, 0)),
            (list<float>{1, 2, 3, 4, 5, 6}));
  EXPECT_EQ(values<float>([](auto x) { return weft::inner(x, x); }, a),
            (list<float>{14, 32, 32, 77}));
  EXPECT_EQ(values<float>([](auto x) { return weft::outer(x, 10); }, a),
            (list<float>{10, 20, 30, 40, 50, 60}));
  EXPECT_EQ(values<float>([](auto x, auto y) { return weft::vdot(x, y); }, a, b),
            (list<float>{1 - 3 + 8 + 15 + 6}));
  EXPECT_EQ(values<float>([](auto x) { return weft::tensordot(x, x); }, a), (list<float>{91}));
  EXPECT_EQ(
      values<float>(
          [](auto x, auto y) { return weft::tensordot<axis_list(1, 0), axis_list(0, 1)>(x, y); }, a,
          b),
      (list<float>{24}));
}
// (2, 2, 2) with its batch axis against (1, 2, 2) and a matrix
TEST(products, batches_broadcast) {
  tensor<float, 2, 2> const swap = {{0, 1}, {1, 0}};
  auto const expected = list<float>{2, 1, 4, 3, 6, 5, 8, 7};
  EXPECT_EQ(values<float>([](auto x, auto y) { return weft::matmul(x, y); }, cube, swap), expected);
  tensor<float, 1, 2, 2> const one = {{{0, 1}, {1, 0}}};
  EXPECT_EQ(values<float>([](auto x, auto y) { return weft::matmul(x, y); }, cube, one), expected);
}
TEST(products, diagonals) {
  EXPECT_EQ(values<float>([](auto x) { return weft::diagonal(x); }, a), (list<float>{1, 5}));
  EXPECT_EQ(values<float>([](auto x) { return weft::diagonal<1>(x); }, a), (list<float>{2, 6}));
  EXPECT_EQ(values<float>([](auto x) { return weft::diagonal<-1>(x); }, b), (list<float>{-1, 1}));
  EXPECT_EQ(values<float>([](auto x) { return weft::diagonal<2>(x); }, a), (list<float>{3}));
  EXPECT_EQ(values<float>([](auto x) { return weft::diagonal<0, 0, 2>(x); }, cube),
            (list<float>{1, 6, 3, 8}));
  EXPECT_EQ(values<float>([](auto x) { return weft::diagonal<1, -1, 0>(x); }, cube),
            (list<float>{5, 7}));
  EXPECT_EQ(values<float>([](auto x) { return weft::trace(x); }, a), (list<float>{6}));
  EXPECT_EQ(values<float>([](auto x) { return weft::trace<0, 1, 2>(x); }, cube),
            (list<float>{5, 13}));
}
TEST(products, named_square) {
  tensor<float, rows, rows> x(2);
  auto m = x.mutate();
  for (int i = 0; i < 4; ++i) m.data()[i] = static_cast<float>(i + 1);
  EXPECT_EQ(values<float>([](auto y) { return weft::trace(weft::matmul(y, y)); }, x),
            (list<float>{1 + 6 + 6 + 16}));
}

} // namespace
