// SPDX-License-Identifier: BSL-1.0
// build: alone long -O2
// Largest and smallest numbers in compiled kernels, where NaN wins and -0 is below +0: alone in their
// group, where cpu/quick_maxima.hpp tries one instruction an element first, and beside others.
#include "run/compiled.hpp"

#include <weft/lang/at.hpp>
#include <weft/lang/expression_movement.hpp>
#include <weft/lang/movement.hpp>
#include <weft/lang/reductions.hpp>

#include <limits>

namespace {

using namespace weft;
using test::check, test::filled;

constexpr sym n{"n"}, m{"m"};

constexpr auto beside_others = [](auto x) {
  return std::tuple(max<1>(x), min<1>(x), max<0>(x), min<0>(x));
};
constexpr auto largest_of_rows = [](auto x) { return max<1>(x); };
constexpr auto smallest_of_rows = [](auto x) { return min<1>(x); };
constexpr auto largest_of_columns = [](auto x) { return max<0>(x); };
constexpr auto smallest_of_columns = [](auto x) { return min<0>(x); };
constexpr auto largest_of_triangle = [](auto x) { return max<0>(tril(x)); };
constexpr auto of_what_is_stored = [](auto x) {
  auto y = x * 2;
  return std::tuple(max<0>(y), y);
};

template <class T> void check_all(tensor<T, m, n> const& x) {
  check<largest_of_rows>(x);
  check<smallest_of_rows>(x);
  check<largest_of_columns>(x);
  check<smallest_of_columns>(x);
}

// NaN of either sign, zeros and infinities everywhere in rows, also in what is left of their trees.
TEST(compiled_maxima, of_what_is_hardest) {
  constexpr float inf = std::numeric_limits<float>::infinity();
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  constexpr float kinds[] = {0.0f, -0.0f, inf, -inf, nan, -nan, 1.0f, -0x1p-149f};
  test::random_source rng(7);
  for (int turn = 0; turn < 20; ++turn) {
    tensor<float, m, n> x(9, 128);
    auto to = x.mutate();
    for (int i = 0; i < 9; ++i)
      for (int j = 0; j < 128; ++j) {
        auto const one = static_cast<std::size_t>(rng.next() >> 40);
        to(i, j) = i % 3 == 0 ? kinds[one % 2] : i % 3 == 1 ? kinds[one % 4] : kinds[(i + 2) % 8];
      }
    to(2, turn * 6) = nan;
    to(5, turn) = -nan;
    check<beside_others>(x);
    check_all(x);
  }
}
// One number of one kind among all of another: an attempt that is sure, or not, by one element; in
// the first and last row and column, and beyond whole rounds, strips and blocks.
TEST(compiled_maxima, of_one_among_others) {
  constexpr float nan = std::numeric_limits<float>::quiet_NaN();
  for (auto [rows, columns] : {std::pair{1, 64}, {5, 130}, {300, 64}, {3, 16450}})
    for (float const others : {0.0f, -0.0f, 2.0f, -2.0f})
      for (float const one : {0.0f, -0.0f, nan, -nan, 3.0f})
        for (int const where : {0, 1, 2}) {
          tensor<float, m, n> x(rows, columns);
          auto to = x.mutate();
          for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j) to(i, j) = others;
          to(where == 0 ? 0 : rows - 1, where == 2 ? 63 : where == 1 ? columns - 1 : 0) = one;
          check_all(x);
        }
}
TEST(compiled_maxima, of_other_types) {
  for (int columns : {64, 100, 192}) {
    check_all(filled<bf16, m, n>(2, 70, columns));
    check_all(filled<f16, m, n>(2, 5, columns));
  }
  check<largest_of_rows>(filled<double, m, n>(2, 5, 128));
  check<largest_of_columns>(filled<double, m, n>(2, 300, 64));
}
// Numbers of rows and columns beside arrays, and rows that are not neighbours in memory.
TEST(compiled_maxima, of_other_places) {
  check<largest_of_triangle>(filled<float, m, n>(1, 70, 192));
  check<largest_of_triangle>(filled<float, m, n>(2, 300, 130));
  constexpr auto of_view = [](auto x) {
    return std::pair(max<1>(transpose<0, 2, 1>(x)), max<0>(at<"::2, :, :64">(x)));
  };
  check<of_view>(filled<float, 5, 64, 70>(2));
}
// A value of the group that is stored may take the place of an argument: nothing begins again there.
TEST(compiled_maxima, beside_what_is_stored) {
  auto x = filled<float, m, n>(2, 300, 64);
  x.mutate()(299, 63) = std::numeric_limits<float>::quiet_NaN();
  check<of_what_is_stored>(x);
}

} // namespace
