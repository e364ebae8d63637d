// SPDX-License-Identifier: BSL-1.0
// Expressions as types and values: what a call returns, what an expression owns, how many operands
// it takes, and that constants can be computed with it. Values at run time: tests/run/test_evaluate.
#include "support/meaning.hpp"
#include "support/text_of.hpp"

#include <weft/run/evaluate.hpp>

#include <gtest/gtest.h>

#include <optional>

namespace {

using weft::at, weft::bf16, weft::expr, weft::shape, weft::sym, weft::tensor, weft::traced;

constexpr sym rows{"rows"};

template <class X> X any() { return X{}; }
template <class X> using elements = typename X::element_type;
template <class X, auto... E>
constexpr bool has_shape = std::is_same_v<typename X::shape_type, shape<E...>>;

using matrix = tensor<float, 2, 3>;
using vector = tensor<float, 3>;
using named = tensor<float, rows, 3>;

// The result's type is what the traced door says.
using sum_type = decltype(any<matrix>() + any<vector>());
static_assert(weft::expression<sum_type> && weft::array_value<sum_type&>);
static_assert(has_shape<sum_type, 2, 3> && std::is_same_v<elements<sum_type>, float>);
static_assert(has_shape<decltype(any<named>() * any<tensor<float, rows, 1>>()), rows, 3>);
static_assert(std::is_same_v<elements<decltype(any<matrix>() < 0)>, bool>);
static_assert(std::is_same_v<elements<decltype(convert<int>(any<matrix>() * 2))>, int>);
static_assert(
    std::is_same_v<elements<decltype(where(any<matrix>() > 0, 1, any<vector>()))>, float>);
static_assert(has_shape<decltype(at<"1, ::-1, new">(any<matrix>())), 3, 1>);
static_assert(has_shape<decltype(weft::transpose<1, 0>(any<named>())), 3, rows>);
static_assert(std::is_same_v<decltype(eval(any<named>() + 1)), named>);
static_assert(std::is_same_v<decltype(eval(any<matrix>())), matrix>);
// A number is an operand in the array's dtype.
static_assert(
    std::is_same_v<decltype(any<tensor<bf16, 4>>() * 0.5),
                   expr<traced<bf16, 4>,
                        weft::detail::applied<weft::detail::elementwise_call<weft::op::mul>,
                                              weft::detail::leaf_slot, weft::detail::leaf_slot>,
                        tensor<bf16, 4>, weft::made<bf16>>>);
// What is not elementwise is computed at once.
static_assert(std::is_same_v<decltype(sum<1>(any<matrix>() * 2)), tensor<float, 2>>);
static_assert(std::is_same_v<decltype(weft::einsum<"ij,kj->ik">(any<matrix>(), any<named>())),
                             tensor<float, 2, rows>>);
static_assert(
    std::is_same_v<decltype(weft::concat<0>(any<vector>(), any<vector>() + 1)), tensor<float, 6>>);
static_assert(std::is_same_v<decltype(softmax(any<named>())), named>);
// Two tensors of one type compare as values; anything else by elements.
static_assert(std::is_same_v<decltype(any<matrix>() == any<matrix>()), bool>);
static_assert(std::is_same_v<decltype(any<matrix>() != any<matrix>()), bool>);
static_assert(has_shape<decltype(any<matrix>() == any<vector>()), 2, 3>);
static_assert(has_shape<decltype(equal(any<matrix>(), any<matrix>())), 2, 3>);
static_assert(has_shape<decltype(not_equal(any<matrix>(), any<matrix>())), 2, 3>);

// Nothing that is no array is taken.
template <class A, class B> concept addable = requires(A a, B b) { a + b; };
static_assert(addable<matrix, int> && addable<double, vector>);
static_assert(!addable<matrix, char const*> && !addable<matrix, std::optional<float>>);

// Constants, on the interpreter.
constexpr matrix a = {{1, 2, 3}, {4, 5, 6}};
constexpr vector b = {10, 20, 30};
static_assert(eval(a + b) == matrix{{11, 22, 33}, {14, 25, 36}});
static_assert(eval(2 * a - 1) == matrix{{1, 3, 5}, {7, 9, 11}});
static_assert(eval(where(a > 2, a, -b)) == matrix{{-10, -20, 3}, {4, 5, 6}});
static_assert(eval(at<"$, 1:">(a, -1)) == tensor<float, 2>{5, 6});
static_assert(eval(weft::reshape<3, 2>(a)) == tensor<float, 3, 2>{{1, 2}, {3, 4}, {5, 6}});
static_assert(eval(convert<int>(a / 2)) == tensor<int, 2, 3>{{0, 1, 1}, {2, 2, 3}});
static_assert(sum(a * a) == tensor<float>(91.0f));
static_assert(weft::einsum<"ij,j->i">(a, b) == tensor<float, 2>{140, 320});
static_assert(weft::set<"1, $">(a, 0, 9) == matrix{{1, 2, 3}, {9, 5, 6}});
static_assert(weft::pad<0, weft::padding{.low = 1}>(b, 0.5f) == tensor<float, 4>{0.5f, 10, 20, 30});
static_assert(eval(a == b / 10) == tensor<bool, 2, 3>{{true, true, true}, {false, false, false}});
constexpr float rank_0 = sum(b) / 2; // reads as its element
static_assert(rank_0 == 30);
static_assert(eval(weft::arange<float, 3>() * b) == vector{0, 20, 60});

// Makers alone: an expression at either door. Names get their numbers from the other operands.
static_assert(weft::maker_expression<decltype(weft::arange<int, 6>() * 2 + 1)>);
static_assert(weft::maker_expression<decltype(weft::sum(weft::ones<float, rows>() + 1))>);
static_assert(!weft::maker_expression<decltype(weft::arange<float, 3>() * b)>);
static_assert(eval(weft::reshape<2, 3>(weft::arange<int, 6>()) + 1) ==
              tensor<int, 2, 3>{{1, 2, 3}, {4, 5, 6}});
static_assert(eval(weft::sum(weft::ones<float, 3>() * 2) + b) == vector{16, 26, 36});
template <class X, class Y>
concept meet_in_a_trace = requires(X x, Y y) {
  { x + y } -> weft::traced_array;
  { weft::concat<0>(x, y) } -> weft::traced_array;
  { weft::where(y < 1, x, y) } -> weft::traced_array;
};
static_assert(meet_in_a_trace<traced<float, 3>, decltype(weft::arange<float, 3>() * 2 + 1)>);
constexpr auto traced_with_makers = [](auto x) {
  return x * (weft::arange<float, 3>() * 2 + 1) + weft::sum(weft::eye<float, 3>());
};
TEST(expression, of_makers_in_a_trace) {
  weft::growing<weft::dense> in(1, weft::detail::dense_of(b));
  auto const out = test::meaning_of(weft::record<vector>(traced_with_makers), in);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(out[0][i])),
              b(i) * static_cast<float>(2 * i + 1) + 3);
}
// Functions of one array take a maker as it is.
constexpr auto functions_of_makers = [](auto x) {
  auto const falling = weft::sort<weft::descending>(weft::arange<float, 3>());
  auto const rising = weft::cumsum(weft::ones<float, 3>());
  auto const ones = weft::sum<0>(weft::one_hot<3>(weft::arange<int, 3>()));
  auto const last = weft::convert<float>(weft::arg_max(weft::arange<float, 3>()));
  return falling + rising + ones + last + weft::top_k<3>(weft::ones<float, 3>()).first + x;
};
TEST(expression, makers_are_sorted_and_summed) {
  weft::growing<weft::dense> in(1, weft::detail::dense_of(b));
  auto const out = test::meaning_of(weft::record<vector>(functions_of_makers), in);
  for (int i = 0; i < 3; ++i)
    EXPECT_EQ(std::bit_cast<float>(static_cast<std::uint32_t>(out[0][i])), b(i) + 7);
  tensor<float, 3, 2> const hot = weft::one_hot<2>(weft::arange<int, 3>());
  EXPECT_EQ(hot, (tensor<float, 3, 2>{{1, 0}, {0, 1}, {0, 0}}));
}
TEST(expression, names_of_makers_are_bound_by_others) {
  named x(2);
  named const y = x + weft::ones<float, rows, 1>() * weft::full<float, rows, 3>(2);
  EXPECT_EQ(y(1, 2), 2);
  EXPECT_EQ(test::text_of([] { return eval(weft::ones<float, rows>() + 1); }),
            "weft: no argument has a name of (rows); give one of them the name");
}

// Views of everything it needs: the sources may go.
TEST(expression, owns_its_operands) {
  using large = tensor<float, 64>;
  using stored = decltype(any<large>() * any<vector>()(0) + any<large>());
  std::optional<stored> kept;
  {
    large x = weft::full<float, 64>(2), y = weft::full<float, 64>(1);
    float factor = 3;
    kept = x * factor + y;
    factor = 0;
    x = weft::zeros<float, 64>();
  }
  EXPECT_EQ(large(*kept), large(weft::full<float, 64>(7)));
  EXPECT_EQ(large(*kept), large(weft::full<float, 64>(7))); // twice: it is a value
}

TEST(expression, operands_share_their_buffers) {
  tensor<float, 64> x = weft::full<float, 64>(2);
  auto before = weft::detail::allocation_count();
  auto e = x * x + x;
  EXPECT_EQ(weft::detail::allocation_count(), before);
  EXPECT_EQ(weft::detail::item<0>(e.leaves).data(), x.data());
  EXPECT_EQ(weft::detail::item<2>(e.leaves).data(), x.data());
}

// Borrowed memory is copied: an expression cannot dangle.
TEST(expression, copies_borrowed_memory) {
  float memory[] = {1, 2, 3};
  auto e = weft::borrow<3>(memory) + 1;
  memory[1] = 50;
  EXPECT_EQ(vector(e), (vector{2, 3, 4}));
}

// tests/compile_fail/too_many_leaves has the 33rd.
TEST(expression, takes_32_operands) {
  tensor<int, 2> x = {1, -2};
  auto x4 = x + x + x + x;
  auto x16 = x4 + x4 + (x4 + x4);
  auto x32 = x16 + x16;
  static_assert(weft::detail::operand_count<decltype(x32)> == 32);
  EXPECT_EQ((tensor<int, 2>(x32)), (tensor<int, 2>{32, -64}));
  // eval makes one operand of many.
  auto x64 = eval(x32) + eval(x32);
  static_assert(weft::detail::operand_count<decltype(x64)> == 2);
  EXPECT_EQ((tensor<int, 2>(x64)), (tensor<int, 2>{64, -128}));
}

// A program sees one type per structure, whatever the operands are called.
TEST(expression, equal_structures_are_one_type) {
  vector x, y, z;
  static_assert(std::is_same_v<decltype(x * y + z), decltype(z * z + z)>);
  static_assert(!std::is_same_v<decltype(x * y + z), decltype(z + x * y)>);
}

} // namespace
