// SPDX-License-Identifier: BSL-1.0
// build: alone long
// Reductions in compiled kernels: rows, columns, axes apart from each other, all; behind and before
// elementwise work; more than one block of 16384; rows that do not start on a pack; nothing to sum.
#include "run/compiled.hpp"

#include <weft/lang/at.hpp>
#include <weft/lang/movement.hpp>
#include <weft/lang/reductions.hpp>

namespace {

using namespace weft;
using test::check, test::filled, test::tails;

constexpr sym n{"n"}, m{"m"}, k{"k"};

constexpr auto of_matrix = [](auto x) {
  return std::tuple(sum<1>(x), sum<0>(x), sum(x), max<1>(x), max<0>(x), max(x));
};
constexpr auto one_group = [](auto x, auto y) {
  auto z = x * y + 1;
  return std::tuple(sum<1>(z), sum<1>(x), max<1>(z - y), z, exp(sum<1>(z * z)) - 1);
};
constexpr auto of_columns = [](auto x, auto y) {
  auto z = x - y;
  return std::tuple(sum<0>(z), max<0>(x), z, mean<0>(z * z), sum<0>(x) * sum<0>(y));
};
constexpr auto axes_apart = [](auto x) {
  return std::tuple(sum<0, 2>(x), sum<1, 2>(x), sum<0, 1>(x), sum<1>(x), max<0, 2>(x), min<1>(x),
                    sum(x + 1), sum<0>(sum<2>(x)));
};
constexpr auto of_views = [](auto x) {
  return std::tuple(sum<0>(transpose<2, 0, 1>(x)), sum<1>(at<":, ::-1, 1">(x)),
                    sum<0, 1>(at<"::2, 1:">(x)), max(flip<0>(x)),
                    sum<2>(broadcast_to<2, 3, 4, 5>(at<"0, 0:4">(x))), sum<0>(reshape<15, 8>(x)));
};
constexpr auto products = [](auto x) {
  return std::tuple(prod<1>(x), prod<0>(x), min<0>(x), min(x + 1), all<1>(x), weft::any<0>(x));
};
constexpr auto row_and_column = [](auto x) { return std::pair(sum<1>(x * x), sum<0>(x + 1)); };
constexpr auto normalised = [](auto x, auto scale, auto shift) {
  auto centred = x - mean<-1, keep>(x);
  auto variance = mean<-1, keep>(centred * centred);
  return centred / sqrt(variance + 1e-5f) * scale + shift;
};

constexpr auto of_powers = [](auto x) {
  auto e = exp(x * 0.01f);
  return std::tuple(sum<1>(e), e, max<1>(e - 2), prod<1>(e));
};
constexpr auto of_powers_apart = [](auto x) {
  return std::tuple(sum<0, 2>(exp(x)), exp(x), max<1, 2>(tanh(x)));
};

TEST(compiled_reduce, matrices) {
  for (int e : tails) {
    check<of_matrix>(filled<float, m, n>(1, 5, e));
    check<of_matrix>(filled<float, m, n>(2, e, 5));
    check<one_group>(filled<float, m, n>(2, 3, e), filled<float, m, n>(4, 3, e));
    check<of_columns>(filled<float, m, n>(2, e, 19), filled<float, m, n>(4, e, 19));
    check<of_columns>(filled<float, m, n>(2, 70, e), filled<float, m, n>(4, 70, e));
  }
}
TEST(compiled_reduce, products) {
  for (int e : tails) check<products>(filled<float, m, n>(2, 3, e));
}
// Inner extents that are no multiple of a pack: later rows of one sum start between lanes.
TEST(compiled_reduce, axes) {
  check<axes_apart>(filled<float, 5, 7, 9>(2));
  check<axes_apart>(filled<float, 3, 130, 5>(4));
  check<axes_apart>(filled<float, 6, 1, 67>(6));
  check<axes_apart>(filled<float, 4, 0, 3>(6));
  check<axes_apart>(filled<float, 5, 64, 6>(2)); // all lanes have one element of axis 1
  check<axes_apart>(filled<float, 5, 65, 6>(4));
  check<of_views>(filled<float, 4, 6, 5>(2));
}
TEST(compiled_reduce, blocks) {
  for (int e : {16383, 16384, 16385, 40000, 49152}) {
    check<row_and_column>(filled<float, m, n>(2, 2, e));
    check<row_and_column>(filled<float, m, n>(4, e, 3));
  }
  check<axes_apart>(filled<float, 150, 3, 151>(2));
}
// Rows end four abreast; what is left of them, and of a row's rounds of 64 elements, alone.
TEST(compiled_reduce, rows_abreast) {
  for (int rows : {1, 3, 4, 5, 8, 11})
    for (int e : {64, 100, 128, 192}) {
      check<of_matrix>(filled<float, m, n>(2, rows, e));
      check<one_group>(filled<float, m, n>(2, rows, e), filled<float, m, n>(4, rows, e));
      check<products>(filled<float, m, n>(6, rows, e));
    }
  check<row_and_column>(filled<float, m, n>(2, 5, 16320)); // the last below a block
  check<axes_apart>(filled<float, 5, 3, 64>(2));
}
// Long instructions: values come first, up to four rows of them, 1,024 at a time.
TEST(compiled_reduce, values_first) {
  for (int e : tails) check<of_powers>(filled<float, m, n>(2, 5, e));
  for (int rows : {1, 4, 9})
    for (int e : {64, 100, 256, 257, 320, 512, 513, 1000, 1024, 1025, 2049})
      check<of_powers>(filled<float, m, n>(2, rows, e));
  for (int e : {16320, 16383, 16384, 16385, 33000}) check<of_powers>(filled<float, m, n>(2, 2, e));
  check<of_powers_apart>(filled<float, m, k, n>(2, 5, 7, 9));
  check<of_powers_apart>(filled<float, m, k, n>(4, 40, 3, 1030));
  check<of_powers_apart>(filled<float, m, k, n>(2, 150, 3, 151));
  check<of_powers_apart>(filled<float, m, k, n>(6, 4, 0, 3));
}
// Whole strips of 64 columns, with less beside them; arrays that the second cache does not hold.
TEST(compiled_reduce, strips) {
  for (int rows : {1, 2, 5, 70})
    for (int e : {64, 100, 128}) {
      check<of_matrix>(filled<float, m, n>(2, rows, e));
      check<of_columns>(filled<float, m, n>(2, rows, e), filled<float, m, n>(4, rows, e));
      check<products>(filled<float, m, n>(6, rows, e));
    }
  check<axes_apart>(filled<float, 3, 5, 128>(2));
  check<of_matrix>(filled<float, m, n>(2, 700, 770));
  check<of_columns>(filled<float, m, n>(2, 1100, 512), filled<float, m, n>(4, 1100, 512));
}
// Fewer than 256 rows, by the tree of their lanes: every shape that it has.
TEST(compiled_reduce, trees_of_few_rows) {
  for (int rows : {3, 4, 7, 8, 9, 31, 32, 33, 48, 63, 64, 65, 127, 128, 130, 200, 255})
    for (int e : {32, 100}) {
      check<of_matrix>(filled<float, m, n>(1, rows, e));
      check<of_columns>(filled<float, m, n>(2, rows, e), filled<float, m, n>(4, rows, e));
    }
  for (int rows : {5, 100}) check<products>(filled<float, m, n>(6, rows, 70));
}
// Sums of 256 and more rows go four of a lane at a time; what is left, and the last block, one by one.
TEST(compiled_reduce, four_rows_of_a_lane) {
  for (int rows : {255, 256, 257, 320, 511, 512, 1000})
    for (int e : {64, 130}) {
      check<of_matrix>(filled<float, m, n>(2, rows, e));
      check<of_columns>(filled<float, m, n>(2, rows, e), filled<float, m, n>(4, rows, e));
      check<products>(filled<float, m, n>(6, rows, e));
    }
  check<row_and_column>(filled<float, m, n>(4, 16384, 64));
  check<row_and_column>(filled<float, m, n>(2, 33100, 65));
  check<axes_apart>(filled<float, 3, 300, 70>(2));
}
// From 64 rows and 256 columns on up to 1,024 columns go abreast; the last two packs of them begin
// among those before, unless something is stored on the way. Beyond a block of rows by strips.
TEST(compiled_reduce, many_columns) {
  for (int rows : {63, 64, 65, 127, 255, 256, 300, 1000})
    for (int e : {255, 256, 257, 301}) {
      check<of_matrix>(filled<float, m, n>(2, rows, e));
      check<of_columns>(filled<float, m, n>(2, rows, e), filled<float, m, n>(4, rows, e));
    }
  for (int e : {1000, 1023, 1024, 1025, 1055, 1056, 2049, 2100}) {
    check<row_and_column>(filled<float, m, n>(2, 70, e));
    check<of_columns>(filled<float, m, n>(2, 70, e), filled<float, m, n>(4, 70, e));
  }
  check<products>(filled<float, m, n>(6, 330, 300));
  check<row_and_column>(filled<float, m, n>(4, 16384, 256));
  check<row_and_column>(filled<float, m, n>(2, 16385, 257));
  check<axes_apart>(filled<float, 3, 70, 300>(2));
}
TEST(compiled_reduce, normalisation) {
  for (int e : {1, 8, 13, 64, 300})
    check<normalised>(filled<float, n, 48>(2, e), filled<float, 48>(4), filled<float, 48>(6));
}
// Enough work for several threads, cut by rows and by columns.
TEST(compiled_reduce, threads) {
  check<row_and_column>(filled<float, m, n>(2, 300, 301));
  check<row_and_column>(filled<float, m, n>(2, 7, 9001));
  check<normalised>(filled<float, n, 48>(2, 2000), filled<float, 48>(4), filled<float, 48>(6));
}

} // namespace
