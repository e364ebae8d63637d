// SPDX-License-Identifier: BSL-1.0
// build: alone long -O2
// Elementwise ops of float and bf16, compiled, on extents around pack widths; many threads' worth.
#include "run/compiled.hpp"

#include <weft/lang/elementwise.hpp>

namespace {

using namespace weft;
using test::check, test::filled, test::tails;

constexpr sym n{"n"};

constexpr auto arithmetic = [](auto x, auto y, auto z) {
  return std::tuple(x + y, x - y, x * y, x / y, -x, abs(y), fma(x, y, z), sqrt(x), maximum(x, y),
                    minimum(x, y));
};
constexpr auto functions = [](auto x) {
  return std::tuple(exp(x), log(x), tanh(x), sigmoid(x), exp(log(abs(x) + 1)));
};
constexpr auto comparisons = [](auto x, auto y) {
  return std::tuple(x == y, x != y, x<y, x <= y, x> y, x >= y, select(x < y, x, y));
};
// More values than registers, and several constants.
constexpr auto long_chain = [](auto x, auto i) {
  auto y = x;
  for (int k = 0; k < 12; ++k) y = tanh(y * 0.75f + static_cast<float>(k)) - y;
  return std::tuple(y, convert<float>(i) * y, 1 - y, i * i + 7);
};

TEST(compiled_elementwise, float_ops) {
  for (int e : tails) {
    check<arithmetic>(filled<float, n>(1, e), filled<float, n>(3, e), filled<float, n>(5, e));
    check<functions>(filled<float, n>(7, e));
    check<comparisons>(filled<float, n>(9, e), filled<float, n>(11, e));
  }
}
TEST(compiled_elementwise, bf16_ops) {
  for (int e : tails) {
    check<arithmetic>(filled<bf16, n>(1, e), filled<bf16, n>(3, e), filled<bf16, n>(5, e));
    check<functions>(filled<bf16, n>(7, e));
    check<comparisons>(filled<bf16, n>(9, e), filled<bf16, n>(11, e));
  }
}
TEST(compiled_elementwise, long_chains) {
  for (int e : tails) check<long_chain>(filled<float, n>(2, e), filled<int, n>(4, e));
}
// Enough elements for several threads, rank 0, and extents that are known.
TEST(compiled_elementwise, large_and_small) {
  check<long_chain>(filled<float, n>(2, 70001), filled<int, n>(4, 70001));
  check<comparisons>(tensor<float>(2.0f), tensor<float>(3.0f));
  check<comparisons>(1.5f, 2.5f);
  check<comparisons>(filled<float, 3, 5>(1), filled<float, 3, 5>(3));
}

} // namespace
