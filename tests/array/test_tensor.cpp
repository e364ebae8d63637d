// SPDX-License-Identifier: BSL-1.0
// tensor as a value: making, reading, comparing, converting; all of it in constant evaluation too.
#include <weft/array/access.hpp>

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <utility>

using weft::bf16, weft::sym, weft::tensor;

namespace {

constexpr sym rows{"rows"};
constexpr sym cols{"cols"};
using matrix = tensor<float, 2, 3>;

// Constant evaluation: nested braces, reading, comparing, writing, iteration.
constexpr matrix a = {{1, 2, 3}, {4, 5, 6}};
static_assert(a(0, 0) == 1 && a(1, 2) == 6 && a.unchecked(1, 0) == 4);
static_assert(a.size() == 6 && matrix::rank == 2 && a.extent(0) == 2 && a.extent(-1) == 3);
static_assert(a.shape() == weft::shape<2, 3>::value);
static_assert(a == matrix{{1, 2, 3}, {4, 5, 6}} && a != matrix{});
static_assert(matrix{}(1, 1) == 0);

consteval float edited() {
  matrix b = a;
  {
    auto m = b.mutate();
    m(0, 1) = 20;
    m.unchecked(1, 2) = 60;
  }
  matrix c = std::move(b);
  float total = 0;
  for (float x : c) total += x;
  return total + a(0, 1);
}
static_assert(edited() == 1 + 20 + 3 + 4 + 5 + 60 + 2);

// Above 64 bytes and with names: memory of the evaluation itself.
consteval float edited_large() {
  tensor<float, 5, 8> big;
  tensor<float, 5, 8> copy = big;
  {
    auto m = big.mutate();
    m(4, 7) = 3;
    m(0, 0) = 4;
  }
  tensor<int, rows, 2> named = {{1, 2}, {3, 4}, {5, 6}};
  tensor<int, rows, 2> moved = std::move(named);
  return big(4, 7) + big(0, 0) + copy(4, 7) + static_cast<float>(moved(2, 1) + moved.extent(0));
}
static_assert(edited_large() == 3 + 4 + 0 + 6 + 3);

// Storage: up to 64 bytes inline and trivially copyable, names never inline.
static_assert(tensor<float, 16>::is_inline && !tensor<float, 17>::is_inline);
static_assert(tensor<bf16, 32>::is_inline && !tensor<float, rows>::is_inline);
static_assert(std::is_trivially_copyable_v<tensor<float, 4, 4>>);
static_assert(sizeof(tensor<float, 16>) == 64 && sizeof(tensor<float, 17>) == 2 * sizeof(void*));
static_assert(sizeof(tensor<float>) == 4 && sizeof(tensor<float, 3>) == 16 &&
              sizeof(tensor<double, 3>) == 32 && sizeof(tensor<float, 3, 3>) == 64);
static_assert(alignof(tensor<float, 3>) == 16 && alignof(tensor<bool, 3>) == 4);
static_assert(std::is_nothrow_move_constructible_v<tensor<float, rows, 100>>);
static_assert(std::is_nothrow_move_assignable_v<tensor<float, rows, 100>>);

// Rank 0 converts to and from its element; other ranks do neither.
constexpr tensor<float> scalar = 2.5f;
static_assert(scalar == scalar && scalar == 2.5f && 2.5f == scalar && scalar != 1);
static_assert(scalar() == 2.5f && scalar + 1 == 3.5f && scalar.size() == 1);
static_assert(!std::is_convertible_v<float, tensor<float, 1>>);
static_assert(!std::is_convertible_v<tensor<float, 1>, float>);

// Element types.
static_assert(tensor<int, 2>{-1, 2}(0) == -1 && tensor<unsigned, 2>{1u, 2u}(1) == 2u);
static_assert(tensor<bool, 2>{true, false}(0) && !tensor<bool, 3>{}(2));
static_assert(tensor<bf16, 3>{1, 0.5, bf16(2.0f)}(1) == bf16(0.5f));

// A name against a number: explicit (compile_fail/tensor_named_implicitly). The same type: nothing to
// convert.
using five = tensor<float, 5, 3>;
using named = tensor<float, rows, 3>;
static_assert(std::is_constructible_v<five, named>);
static_assert(std::is_constructible_v<tensor<float, cols, 3>, named>);

// One argument per distinct name.
static_assert(std::is_constructible_v<tensor<float, rows, rows>, int>);
static_assert(!std::is_constructible_v<tensor<float, rows, rows>, int, int>);
static_assert(std::is_constructible_v<tensor<float, rows, cols, rows>, int, long>);
static_assert(!std::is_convertible_v<int, tensor<float, rows>>);

bool aligned(void const* p, int bytes = 64) {
  return reinterpret_cast<std::uintptr_t>(p) % static_cast<unsigned>(bytes) == 0;
}

TEST(tensor, is_aligned_wherever_it_lives) {
  tensor<float, 3> s[3];
  for (auto const& x : s) EXPECT_TRUE(aligned(x.data(), 16));
  EXPECT_TRUE(aligned((tensor<float, 3, 3>{}.data())));
  tensor<float, 1000> zeros;
  EXPECT_TRUE(aligned(zeros.data()));
  { auto m = zeros.mutate(); }
  EXPECT_TRUE(aligned(zeros.data()));
  EXPECT_TRUE(aligned(tensor<bf16, rows>(7).data()));
}

TEST(tensor, default_made_static_is_zeros_and_named_is_empty) {
  tensor<float, 10, 10> z;
  EXPECT_EQ(z(9, 9), 0);
  EXPECT_EQ(z.size(), 100);
  tensor<float, rows, 3> e;
  EXPECT_EQ(e.size(), 0);
  EXPECT_EQ(e.extent(0), 0);
  EXPECT_EQ(e.begin(), e.end());
  EXPECT_EQ(e, (tensor<float, rows, 3>(0)));
}

TEST(tensor, names_take_numbers_in_order_of_first_appearance) {
  tensor<float, rows, 3, cols, rows> t(2, 5);
  EXPECT_EQ(t.shape(), (weft::extents{4, {2, 3, 5, 2}}));
  EXPECT_EQ(t(1, 2, 4, 1), 0);
  EXPECT_THROW((tensor<float, rows>(-1)), weft::shape_error);
  EXPECT_THROW((tensor<float, rows, cols>(1L << 40, 1L << 40)), weft::shape_error);
}

TEST(tensor, lists_give_names_their_extents_and_are_checked) {
  tensor<float, rows, cols> t = {{1, 2}, {3, 4}, {5, 6}};
  EXPECT_EQ(t.shape(), (weft::extents{2, {3, 2}}));
  EXPECT_EQ(t(2, 1), 6);
  EXPECT_EQ((tensor<float, 0, 3>{}.size()), 0);
  tensor<float, 2, rows> none = {{}, {}};
  EXPECT_EQ(none.extent(1), 0);
  EXPECT_THROW((matrix{{1, 2, 3}, {4, 5}}), weft::shape_error);
  EXPECT_THROW((matrix{{1, 2, 3}}), weft::shape_error);
  EXPECT_THROW((tensor<float, rows, cols>{{1, 2}, {3}}), weft::shape_error);
  EXPECT_THROW((tensor<float, rows, rows>{{1, 2}}), weft::shape_error);
  EXPECT_EQ((tensor<float, rows, rows>{{1, 2}, {3, 4}}(1, 0)), 3);
}

TEST(tensor, reading_and_writing_outside_is_an_error) {
  EXPECT_THROW((void)a(1, 3), weft::index_error);
  EXPECT_THROW((void)a(-1, 0), weft::index_error);
  EXPECT_THROW((void)(tensor<float, rows>{}(0)), weft::index_error);
  tensor<float, rows> t(3);
  EXPECT_THROW(t.mutate()(3) = 1, weft::index_error);
}

template <class F> std::string text_of(F f) {
  try {
    f();
  } catch (weft::error const& e) {
    return e.what();
  }
  return "no error";
}

TEST(tensor, errors_show_both_shapes) {
  EXPECT_EQ(text_of([] { tensor<float, rows, 3> t(-1); }),
            "weft: array: shape (-1, 3) does not fit (rows, 3); equal names need equal extents, at "
            "least 0");
  EXPECT_EQ(
      text_of([] {
        matrix t{{1, 2, 3}, {4, 5}};
      }),
      "weft: array: a list of 2 along axis 1 of shape (2, 3); every list has the length of its "
      "axis");
  EXPECT_EQ(text_of([] { (void)a(-1, 0); }),
            "weft: array: index (-1, 0) is outside shape (2, 3); indices start at 0");
}

TEST(tensor, name_and_number_convert_where_the_run_agrees) {
  named b(5);
  { b.mutate()(4, 2) = 7; }
  five c(b);
  EXPECT_EQ(c(4, 2), 7);
  tensor<float, cols, 3> d(c);
  EXPECT_EQ(d.extent(0), 5);
  EXPECT_THROW((tensor<float, 4, 3>(b)), weft::shape_error);
  EXPECT_THROW((tensor<float, rows, rows>(c)), weft::shape_error);
}

TEST(tensor, unequal_when_shape_or_an_element_differs) {
  tensor<float, rows> x(3), y(4);
  EXPECT_NE(x, y);
  y = tensor<float, rows>(3);
  EXPECT_EQ(x, y);
  { y.mutate()(2) = std::nanf(""); }
  EXPECT_FALSE(y == x);
  EXPECT_FALSE(y == y);
}

} // namespace
