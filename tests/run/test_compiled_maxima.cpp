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
constexpr auto largest_of_rounded = [](auto x) { return max<0>(convert<float>(x)); };
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

constexpr float inf = std::numeric_limits<float>::infinity();
constexpr float nan = std::numeric_limits<float>::quiet_NaN();

// Rows of zeros of both signs, of zeros and infinities, and of one number each, NaN and inf among them,
// with a NaN of either sign in some places; and the same without the rows of NaN and inf.
TEST(compiled_maxima, of_what_is_hardest) {
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
    to(5, turn) = -nan;
    check<beside_others>(x);
    check_all(x);
    for (int j = 0; j < 128; ++j) to(2, j) = -1.0f, to(8, j) = -2.0f;
    to(2, turn * 6) = nan;
    check<beside_others>(x);
    check_all(x);
  }
}
// One number of one kind among all of another, so that an attempt is sure, or not, by one element: in
// the first, a middle and the last row; at the ends of rounds, strips and blocks, and beyond whole ones.
template <class T> void check_one_among_others(int rows, int columns) {
  for (int const row : {0, rows / 2, rows - 1})
    for (int const column : {0, 63, 64, 127, 16383, 16384, 16400, columns - 1}) {
      if (column >= columns) continue;
      for (float const others : {0.0f, -0.0f, 2.0f, -2.0f})
        for (float const one : {0.0f, -0.0f, nan, -nan, 3.0f}) {
          tensor<T, m, n> x(rows, columns);
          auto to = x.mutate();
          for (int i = 0; i < rows; ++i)
            for (int j = 0; j < columns; ++j) to(i, j) = T(others);
          to(row, column) = T(one);
          check_all(x);
        }
    }
}
TEST(compiled_maxima, of_one_among_others) {
  check_one_among_others<float>(1, 64);
  check_one_among_others<float>(5, 130);
  check_one_among_others<float>(300, 64);
}
TEST(compiled_maxima, of_one_among_others_in_blocks) { check_one_among_others<float>(1, 16450); }
TEST(compiled_maxima, of_one_among_others_of_16_bits) {
  check_one_among_others<bf16>(3, 130);
  check_one_among_others<f16>(3, 130);
}
TEST(compiled_maxima, of_other_types) {
  for (std::uint64_t const seed : {1u, 2u})
    for (int columns : {64, 100, 192}) {
      check_all(filled<bf16, m, n>(seed, 70, columns));
      check_all(filled<f16, m, n>(seed, 5, columns));
    }
  check<largest_of_rows>(filled<double, m, n>(1, 5, 128));
  check<largest_of_columns>(filled<double, m, n>(1, 300, 64));
  check<largest_of_columns>(filled<std::int8_t, m, n>(1, 70, 130));
  check<largest_of_rounded>(filled<double, m, n>(2, 70, 130));
}
TEST(compiled_maxima, of_nothing) {
  for (auto [rows, columns] : {std::pair{0, 64}, {3, 0}, {0, 0}})
    check_all(tensor<float, m, n>(rows, columns));
}
// Numbers of rows and columns beside arrays, rows that are not neighbours in memory, several axes, and
// extents that the compiler knows.
TEST(compiled_maxima, of_other_places) {
  for (std::uint64_t const seed : {1u, 2u}) {
    check<largest_of_triangle>(filled<float, m, n>(seed, 70, 192));
    check<largest_of_triangle>(filled<float, m, n>(seed, 300, 130));
    constexpr auto of_view = [](auto x) {
      return std::tuple(max<1>(transpose<0, 2, 1>(x)), max<0>(at<"::2, :, :64">(x)),
                        max<0>(at<"0, :, ::2">(x)));
    };
    check<of_view>(filled<float, 5, 130, 260>(seed));
    constexpr auto of_axes_apart = [](auto x) { return max<0, 2>(x); };
    check<of_axes_apart>(filled<float, 3, 5, 70, 128>(seed));
    check<largest_of_rows>(filled<float, 5, 64>(seed));
    check<largest_of_columns>(filled<float, 5, 128>(seed));
  }
}
// A group that stores a value, too, goes by the op: what is stored belongs to the columns of the strip.
TEST(compiled_maxima, beside_what_is_stored) {
  for (std::uint64_t const seed : {1u, 2u})
    check<of_what_is_stored>(filled<float, m, n>(seed, 300, 130));
}

} // namespace
