// SPDX-License-Identifier: BSL-1.0
// Tensors and traced functions of every element type: literals, makers, conversions, reductions.
#include "recorded.hpp"

#include <weft/lang/elementwise.hpp>
#include <weft/lang/reductions.hpp>

namespace {

using recorded::list, recorded::values;
using weft::bf16, weft::convert, weft::f16, weft::tensor, weft::traced;
using i8 = std::int8_t;
using u64 = std::uint64_t;

// tensors
constexpr tensor<f16, 2> halves = {1.5, f16(2.0f)};
static_assert(halves(0) == f16(1.5f) && halves.size() == 2);
constexpr tensor<double, 2, 2> wide = {{1, 0.1}, {2, 3}};
static_assert(wide(0, 1) == 0.1 && wide == tensor<double, 2, 2>{{1, 0.1}, {2, 3}});
constexpr tensor<i8, 3> bytes = {-128, 0, 127};
static_assert(bytes(0) == -128 && tensor<u64, 1>{~u64{0}}(0) == ~u64{0});

// numbers take the array's type
template <class A, class B> using sum_of = decltype(A{} + B{});
static_assert(std::is_same_v<sum_of<traced<double, 2>, float>, traced<double, 2>>);
static_assert(std::is_same_v<sum_of<traced<i8, 2>, int>, traced<i8, 2>>);
static_assert(std::is_same_v<sum_of<traced<f16, 2>, double>, traced<f16, 2>>);
static_assert(!weft::detail::literal_fits<double, u64> && weft::detail::literal_fits<long, u64>);
static_assert(weft::detail::literal_fits<u64, f16> && !weft::detail::literal_fits<f16, i8>);

TEST(element_types, literals_keep_their_precision) {
  tensor<double, 2> x = {1, 2};
  EXPECT_EQ(values<double>([](auto a) { return a * 0.1 + 1e300; }, x),
            (list<double>{0.1 + 1e300, 0.2 + 1e300}));
  tensor<u64, 2> n = {1, 2};
  EXPECT_EQ(values<u64>([](auto a) { return a + 0xffffffffffffffffu; }, n), (list<u64>{0, 1}));
  EXPECT_EQ(values<std::int64_t>([](auto a) { return a * 5000000000; }, tensor<std::int64_t, 1>{3}),
            (list<std::int64_t>{15000000000}));
  EXPECT_EQ(values<f16>([](auto a) { return a + (1 + 0x1p-11 + 0x1p-40); }, tensor<f16, 1>{0}),
            (list<f16>{f16(0x1.004p0f)})); // rounded once from double
}
// What an integer type cannot hold is the trace's error (at once a value_error: test_evaluate.cpp).
constexpr bool is_refused(auto f) {
  weft::trace_error const e = weft::record<tensor<std::uint8_t, 2>>(f).error;
  return e == weft::trace_error::number_beyond_type;
}
static_assert(!is_refused([](auto a) { return a + 255; }));
static_assert(!is_refused([](auto a) { return a + 'a'; }));
static_assert(!is_refused([](auto a) { return a + static_cast<std::uint8_t>(256); }));
static_assert(is_refused([](auto a) { return a + 256; }));
static_assert(is_refused([](auto a) { return select(a < 1, a, -1); }));
static_assert(is_refused([](auto a) { return a < 300u; }));
static_assert(is_refused([](auto a) { return a + weft::full<std::uint8_t, 2>(1 << 20); }));
static_assert(is_refused([](auto a) { return full_like(a, 256l); }));
TEST(element_types, arithmetic) {
  EXPECT_EQ(values<i8>([](auto a) { return (a + 1) / 2 - (a >> 1); }, bytes),
            (list<i8>{1, 0, -127}));
  EXPECT_EQ(values<f16>([](auto a) { return a * a; }, tensor<f16, 2>{300, 3}),
            (list<f16>{f16::from_bits(0x7c00), f16(9.0f)}));
  EXPECT_EQ(values<bool>([](auto a) { return a < 0; }, bytes), (list<bool>{true, false, false}));
}
TEST(element_types, conversions) {
  EXPECT_EQ(values<i8>([](auto a) { return convert<i8>(a); }, tensor<double, 3>{-1e9, 3.9, 200}),
            (list<i8>{-128, 3, 127}));
  EXPECT_EQ(values<u64>([](auto a) { return convert<u64>(a); }, bytes),
            (list<u64>{~u64{0} - 127, 0, 127}));
  EXPECT_EQ(values<std::uint16_t>([](auto a) { return weft::bitcast<std::uint16_t>(a); }, halves),
            (list<std::uint16_t>{0x3e00, 0x4000}));
}
TEST(element_types, reductions) {
  EXPECT_EQ(values<double>([](auto a) { return mean(a); }, wide),
            (list<double>{(1 + 2 + 0.1 + 3) / 4}));
  EXPECT_EQ(values<f16>([](auto a) { return mean(a); }, tensor<f16, 2>{60000, 60000}),
            (list<f16>{f16(60000.0f)})); // summed and divided in float
  EXPECT_EQ(values<i8>([](auto a) { return min(a); }, bytes), (list<i8>{-128}));
  EXPECT_EQ(values<double>([](auto a) { return min(a); }, wide), (list<double>{0.1}));
  EXPECT_EQ(values<u64>([](auto a) { return sum(a); }, tensor<u64, 2>{~u64{0}, 2}), (list<u64>{1}));
}
TEST(element_types, makers) {
  EXPECT_EQ(values<i8>([](auto a) { return a + weft::arange<i8, 3>(); }, bytes),
            (list<i8>{-128, 1, -127}));
  EXPECT_EQ(values<double>([](auto a) { return a + weft::linspace<double, 3>(0.0, 1.0); },
                           tensor<double, 3>{}),
            (list<double>{0, 0.5, 1}));
  EXPECT_EQ(values<f16>([](auto a) { return a + weft::full<f16>(0.1); }, tensor<f16, 1>{}),
            (list<f16>{f16(0.1)}));
  EXPECT_EQ(values<u64>([](auto a) { return ones_like(a); }, tensor<u64, 1>{}), (list<u64>{1}));
}

} // namespace
