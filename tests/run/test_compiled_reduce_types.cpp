// SPDX-License-Identifier: BSL-1.0
// build: alone long
// Reductions in compiled kernels (test_compiled_reduce.cpp) of every other type of element: wide ones,
// those that are widened, whole numbers, bool.
#include "run/compiled.hpp"

#include <weft/lang/reductions.hpp>

namespace {

using namespace weft;
using test::check, test::filled, test::tails;

constexpr sym n{"n"}, m{"m"};

constexpr auto of_matrix = [](auto x) {
  return std::tuple(sum<1>(x), sum<0>(x), sum(x), max<1>(x), max<0>(x), max(x));
};
constexpr auto of_any = [](auto p) {
  return std::tuple(max<1>(p), max<0>(p), max(p), min<1>(p), all<0>(p), weft::any(p));
};
constexpr auto products = [](auto x) {
  return std::tuple(prod<1>(x), prod<0>(x), min<0>(x), min(x + 1), all<1>(x), weft::any<0>(x));
};
constexpr auto axes_apart = [](auto x) {
  return std::tuple(sum<0, 2>(x), sum<1, 2>(x), sum<0, 1>(x), sum<1>(x), max<0, 2>(x), min<1>(x),
                    sum(x + 1), sum<0>(sum<2>(x)));
};
constexpr auto of_powers = [](auto x) {
  auto e = exp(x * 0.01f);
  return std::tuple(sum<1>(e), e, max<1>(e - 2), prod<1>(e));
};

// No rows, few, whole strips, more than 256 of them, more than a block; columns likewise.
template <class T> void check_shapes(std::uint64_t seed) {
  for (int e : tails) {
    check<of_matrix>(filled<T, m, n>(seed, 3, e));
    check<of_matrix>(filled<T, m, n>(seed, e, 7));
    check<of_matrix>(filled<T, m, n>(seed, 70, e));
  }
  for (int rows : {5, 6, 70, 100, 300})
    for (int e : {64, 70, 128}) check<of_matrix>(filled<T, m, n>(seed, rows, e));
  check<of_matrix>(filled<T, m, n>(seed, 1, 33000));
  check<of_matrix>(filled<T, m, n>(seed, 33000, 3));
  check<of_matrix>(filled<T, m, n>(seed, 130, 300));
}

TEST(compiled_reduce_types, bf16) {
  check_shapes<bf16>(2);
  check<axes_apart>(filled<bf16, 9, 8, 31>(2));
  check<of_powers>(filled<bf16, m, n>(2, 6, 1030));
}
TEST(compiled_reduce_types, doubles) {
  check_shapes<double>(2);
  check<of_matrix>(filled<double, m, n>(2, 400, 771));
  check<of_powers>(filled<double, m, n>(2, 6, 1030));
}
TEST(compiled_reduce_types, integers) {
  check_shapes<int>(1);
  check_shapes<unsigned>(1);
  check_shapes<std::int8_t>(1);
  for (int e : tails) check<products>(filled<int, m, n>(1, e, 70));
}
TEST(compiled_reduce_types, bools) {
  for (int e : tails) check<of_any>(filled<bool, m, n>(1, 3, e));
  for (int rows : {1, 5, 6, 70, 100, 300})
    for (int e : {0, 1, 7, 64, 70, 128}) check<of_any>(filled<bool, m, n>(1, rows, e));
}

} // namespace
