// SPDX-License-Identifier: BSL-1.0
// build: alone long
// Compiled programs whose values have several widths: conversions in the middle of a kernel, 64-bit
// index arithmetic, 8-bit and 16-bit values; reductions, products, views and loops of them.
#include "run/compiled.hpp"

#include <weft/lang/at.hpp>
#include <weft/lang/makers.hpp>
#include <weft/lang/nn.hpp>

namespace {

using namespace weft;
using test::check, test::filled;

constexpr sym n{"n"}, m{"m"};

constexpr auto mixed_floats = [](auto x, auto d, auto h) {
  auto wide = convert<double>(x) * d + convert<double>(h);
  auto half = h * h + convert<f16>(x);
  return std::tuple(wide, half, convert<float>(wide), convert<f16>(d), convert<bf16>(d),
                    select(d < wide, wide, -d), x < convert<float>(h), sqrt(abs(d)));
};
constexpr auto mixed_integers = [](auto l, auto b, auto w, auto i) {
  auto index = l * 3 + convert<std::int64_t>(b) - arange<std::int64_t, n>();
  return std::tuple(index, convert<std::int8_t>(index), b * b + 7, w >> 3,
                    w + convert<std::uint16_t>(b), convert<double>(l), l < convert<std::int64_t>(i),
                    convert<float>(index & 255), l << 40, l / 1000, maximum(b, -b), ~w,
                    convert<int>(w) * i);
};
constexpr auto saturating = [](auto x, auto d) {
  return std::tuple(convert<std::int8_t>(x), convert<std::uint8_t>(d), convert<std::int16_t>(d),
                    convert<std::int64_t>(d), convert<std::uint64_t>(x), convert<bool>(d));
};
constexpr auto same_size = [](auto d, auto h, auto b) {
  return std::tuple(bitcast<std::uint64_t>(d), bitcast<double>(bitcast<std::int64_t>(d)),
                    bitcast<std::uint16_t>(h), bitcast<bf16>(bitcast<std::int16_t>(h)),
                    bitcast<std::uint8_t>(b));
};
constexpr auto reduced = [](auto x) {
  return std::tuple(sum<1>(x), sum<0>(x), max<1>(x), max<0>(x), sum(x * x), max(x));
};
constexpr auto across = [](auto x, auto b) { // one kernel that reduces values of two widths
  auto wide = convert<double>(x);
  return std::tuple(sum<1>(wide * wide), sum<1>(x), max<1>(b), sum<1>(convert<std::int64_t>(b)));
};
constexpr auto products = [](auto x, auto y, auto v) {
  return std::tuple(einsum<"ij,jk->ik">(x, y), einsum<"ij,j->i">(x, v),
                    einsum<"ji,j->i">(y, v) + 1);
};
constexpr auto moved = [](auto x) {
  return std::tuple(concat<0>(x, flip<0>(x)), transpose(x) + 1, at<"::-2, 1:">(x), x);
};
constexpr auto made = [](auto x) {
  return std::tuple(x + arange<double, 12>(), zeros_like(x) + linspace<double, 12>(-1.0, 2.5),
                    arange<std::int8_t, 12>(), full<f16, 3>(0.3f), full<std::uint64_t, 2>(7u));
};

TEST(compiled_types, several_widths_in_one_kernel) {
  for (int e : {0, 1, 7, 16, 33, 130}) {
    check<mixed_floats>(filled<float, n>(1, e), filled<double, n>(2, e), filled<f16, n>(4, e));
    check<mixed_integers>(filled<std::int64_t, n>(5, e), filled<std::int8_t, n>(7, e),
                          filled<std::uint16_t, n>(9, e), filled<int, n>(11, e));
    check<saturating>(filled<float, n>(2, e), filled<double, n>(4, e));
    check<same_size>(filled<double, n>(6, e), filled<f16, n>(8, e), filled<std::int8_t, n>(3, e));
  }
}
TEST(compiled_types, reductions) {
  for (int e : {0, 1, 9, 64, 131}) {
    check<reduced>(filled<double, m, n>(1, 5, e));
    check<reduced>(filled<double, m, n>(2, e, 19));
    check<reduced>(filled<std::int8_t, m, n>(3, 5, e));
    check<across>(filled<float, m, n>(1, 5, e), filled<std::int16_t, m, n>(5, 5, e));
  }
  check<reduced>(filled<double, m, n>(1, 3, 16500));
}
TEST(compiled_types, products) {
  check<products>(filled<double, 7, 65>(1), filled<double, 65, 19>(3), filled<double, 65>(5));
  check<products>(filled<std::int8_t, 7, 65>(1), filled<std::int8_t, 65, 19>(3),
                  filled<std::int8_t, 65>(5));
  check<products>(filled<f16, 7, 65>(1), filled<f16, 65, 19>(3), filled<f16, 65>(5));
}
TEST(compiled_types, movement_and_makers) {
  check<moved>(filled<double, 5, 9>(1));
  check<moved>(filled<std::int8_t, 5, 9>(2));
  check<made>(filled<double, 12>(1));
}

} // namespace
