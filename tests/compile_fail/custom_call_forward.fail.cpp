// SPDX-License-Identifier: BSL-1.0
// expect: weft: custom_call: the function has no jvp(operands..., result, tangents...), and a forward derivative goes through it; give it one, or use vjp or grad
#include <weft/lang/custom_call.hpp>
#include <weft/lang/elementwise.hpp>
#include <weft/lang/gradients.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/run/jit.hpp>

using weft::tensor;
struct same {
  static constexpr auto name = "same";
  template <class T, auto N> static tensor<T, N> result(tensor<T, N>);
  static void run(auto x, auto y) { y(0) = x(0); }
};
inline constexpr auto loss = [](auto x) { return weft::sum(weft::custom_call<same>(x)); };
auto example(tensor<float, 3> const& x) { return weft::jit<weft::jvp(loss)>(x, x); }
