// SPDX-License-Identifier: BSL-1.0
// The door for expressions: what a tensor asks of them, when it reuses its buffer, aliasing.
#include <weft/array/access.hpp>

#include <gtest/gtest.h>

namespace {

using weft::sym, weft::tensor;

constexpr sym rows{"rows"};
constexpr sym cols{"cols"};

// x + reversed x along all elements: reads an element after another one was written, so a buffer
// that is read and written at once would show.
template <class T, auto... E> struct plus_reversed : weft::expression_base {
  using element_type = T;
  using shape_type = weft::shape<E...>;
  tensor<T, E...> x;

  constexpr explicit plus_reversed(tensor<T, E...> const& operand) : x(operand) {}
  constexpr weft::extents shape() const { return x.shape(); }
  template <class Out> constexpr void evaluate_into(Out& out) const {
    T* to = weft::detail::writable(out);
    weft::extent n = x.size();
    for (weft::extent i = 0; i < n; ++i) to[i] = x.data()[i] + x.data()[n - 1 - i];
  }
};

consteval bool evaluates() {
  tensor<int, 3> a = {1, 2, 4};
  tensor<int, 3> b = plus_reversed(a);
  a = plus_reversed(a);
  return a == tensor<int, 3>{5, 4, 5} && a == b;
}
static_assert(evaluates());

using expr = plus_reversed<float, rows, 3>;
static_assert(weft::expression<expr> && !weft::expression<tensor<float>>);
static_assert(std::is_convertible_v<expr, tensor<float, rows, 3>>);
static_assert(std::is_constructible_v<tensor<float, 5, 3>, expr>);
static_assert(std::is_constructible_v<tensor<float, cols, 3>, expr>);

TEST(expression, names_take_their_numbers) {
  tensor<float, rows, 3> x = {{1, 2, 3}, {4, 5, 6}};
  tensor<float, rows, 3> y;
  y = plus_reversed(x);
  EXPECT_EQ(y, (tensor<float, rows, 3>{{7, 7, 7}, {7, 7, 7}}));
  tensor<float, 2, cols> z(plus_reversed{x});
  EXPECT_EQ(z.extent(1), 3);
  EXPECT_THROW((tensor<float, 5, 3>(plus_reversed{x})), weft::shape_error);
}

TEST(expression, assignment_reuses_a_unique_buffer_and_no_other) {
  tensor<float, rows> a(64), b(64);
  { a.mutate()(0) = 1; }
  auto before = weft::detail::allocation_count();
  b = plus_reversed(a);
  EXPECT_EQ(weft::detail::allocation_count() - before, 0);
  EXPECT_EQ(b(63), 1);

  a = plus_reversed(a); // the expression shares a's buffer
  EXPECT_EQ(weft::detail::allocation_count() - before, 1);
  EXPECT_EQ(a(0), 1);
  EXPECT_EQ(a(63), 1);

  auto kept = b;
  b = plus_reversed(a);
  EXPECT_EQ(kept(0), 1);
  EXPECT_EQ(b(0), 2);
}

TEST(expression, evaluation_through_a_view_is_in_place) {
  tensor<float, 32> a;
  auto m = a.mutate();
  m(0) = 1;
  m = plus_reversed(a);
  EXPECT_EQ(a(0), 1);
  EXPECT_EQ(a(31), 1);
  EXPECT_EQ(m.data(), a.data());
}

// A live view keeps the old buffer: it is not evaluated over.
TEST(expression, assignment_under_a_view_takes_a_new_buffer) {
  tensor<float, 32> a;
  auto m = a.mutate();
  m(0) = 1;
  a = plus_reversed(a);
  EXPECT_NE(m.data(), a.data());
  m(1) = 9;
  EXPECT_EQ(a(1), 0);
}

} // namespace
