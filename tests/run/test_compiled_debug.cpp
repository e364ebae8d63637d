// SPDX-License-Identifier: BSL-1.0
// build: -O0
// Debug builds: kernels are optimised with g++ all the same (WEFT_FAST), user code is not; the bits
// are the interpreter's.
#undef WEFT_PLAIN_KERNELS
#include "run/compiled.hpp"

#include <weft/lang/nn.hpp>
#include <weft/lang/scan.hpp>

namespace {

using namespace weft;
using test::check, test::filled;

#if defined(__OPTIMIZE__)
#error "this test is of builds without optimisation"
#endif

constexpr auto chain = [](auto a, auto b) { return (a * 2.0f + b) * (a - b) + tanh(exp(a) / b); };
TEST(compiled_debug, elementwise) { check<chain>(filled<float, 517>(1), filled<float, 517>(2)); }

constexpr auto rows = [](auto x) { return softmax(x); };
TEST(compiled_debug, rows) { check<rows>(filled<float, 37, 70>(3)); }

constexpr auto columns = [](auto x) { return std::pair(sum<0>(x), max<0>(x)); };
TEST(compiled_debug, columns) { check<columns>(filled<float, 37, 70>(4)); }

constexpr auto layer = [](auto x, auto w, auto b) { return relu(linear<"bi,oi->bo">(x, w, b)); };
TEST(compiled_debug, products) {
  check<layer>(filled<float, 45, 50>(5), filled<float, 70, 50>(7), filled<float, 70>(9));
}
constexpr auto small_product = [](auto a, auto b) { return einsum<"ik,kj->ij">(a, b); };
TEST(compiled_debug, small_products) {
  check<small_product>(filled<float, 4, 4>(11), filled<float, 4, 4>(13));
}

constexpr auto states = [](auto p, auto h, auto xs) {
  auto cell = [&](auto s, auto x) {
    auto next = gru(p, s, x);
    return std::pair(next, next);
  };
  return scan(cell, h, xs).second;
};
TEST(compiled_debug, loops) {
  gru_weights<tensor, 5, 33> const p{filled<float, 99, 5>(15), filled<float, 99, 33>(17),
                                     filled<float, 99>(19), filled<float, 99>(21)};
  check<states>(p, filled<float, 6, 33>(23), filled<float, 4, 6, 5>(25));
}

} // namespace
