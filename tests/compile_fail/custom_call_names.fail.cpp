// SPDX-License-Identifier: BSL-1.0
// expect: weft: custom_call: a result has a name that no operand has; give an operand an axis of that name, or the result a number
#include <weft/lang/custom_call.hpp>
#include <weft/lang/elementwise.hpp>

using weft::tensor;
inline constexpr weft::sym rows{"rows"};
struct same {
  static constexpr auto name = "same";
  template <class T, auto N> static tensor<T, rows> result(tensor<T, N>);
  static void run(auto x, auto y) { y(0) = x(0); }
};
auto example(weft::traced<float, 3> a) { return weft::custom_call<same>(a); }
