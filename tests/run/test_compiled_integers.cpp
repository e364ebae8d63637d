// SPDX-License-Identifier: BSL-1.0
// build: alone long
// Elementwise ops of integers and bool, conversions and bitcasts, compiled, on extents around pack
// widths.
#include "run/compiled.hpp"

#include <weft/lang/elementwise.hpp>

namespace {

using namespace weft;
using test::check, test::filled, test::tails;

constexpr sym n{"n"};

constexpr auto comparisons = [](auto x, auto y) {
  return std::tuple(x == y, x != y, x<y, x <= y, x> y, x >= y, select(x < y, x, y));
};
constexpr auto of_integers = [](auto x, auto y) {
  return std::tuple(x + y, x - y, x * y, x / y, -x, abs(x), maximum(x, y), minimum(x, y), x & y,
                    x | y, x ^ y, ~x, x << y, x >> y, x << 3, x >> 1);
};
constexpr auto of_masks = [](auto p, auto q, auto x) {
  return std::tuple(p & q, p | q, p ^ q, !p, p == q, p != q, maximum(p, q), minimum(p, q),
                    select(p, x, -x), select(p & !q, q, p), select(x < 0, p, q));
};
constexpr auto conversions = [](auto x, auto i, auto u, auto p, auto b) {
  return std::tuple(convert<int>(x), convert<unsigned>(x), convert<bool>(x), convert<bf16>(x),
                    convert<float>(i), convert<unsigned>(i), convert<bool>(i), convert<bf16>(i),
                    convert<float>(u), convert<int>(u), convert<bool>(u), convert<bf16>(u),
                    convert<float>(p), convert<int>(p), convert<unsigned>(p), convert<bf16>(p),
                    convert<float>(b), convert<int>(b), convert<unsigned>(b), convert<bool>(b));
};
constexpr auto same_width = [](auto x, auto i, auto u) {
  return std::tuple(bitcast<int>(x), bitcast<unsigned>(x), bitcast<float>(i), bitcast<unsigned>(i),
                    bitcast<float>(u), bitcast<int>(u));
};

TEST(compiled_integers, integer_ops) {
  for (int e : tails) {
    check<of_integers>(filled<int, n>(1, e), filled<int, n>(3, e));
    check<of_integers>(filled<unsigned, n>(5, e), filled<unsigned, n>(7, e));
    check<comparisons>(filled<int, n>(9, e), filled<int, n>(11, e));
    check<comparisons>(filled<unsigned, n>(13, e), filled<unsigned, n>(15, e));
  }
}
TEST(compiled_integers, bool_ops) {
  for (int e : tails)
    check<of_masks>(filled<bool, n>(1, e), filled<bool, n>(2, e), filled<float, n>(3, e));
}
TEST(compiled_integers, conversions) {
  for (int e : tails) {
    check<conversions>(filled<float, n>(1, e), filled<int, n>(3, e), filled<unsigned, n>(5, e),
                       filled<bool, n>(7, e), filled<bf16, n>(9, e));
    check<same_width>(filled<float, n>(11, e), filled<int, n>(13, e), filled<unsigned, n>(15, e));
  }
}

} // namespace
