// SPDX-License-Identifier: BSL-1.0
// expect: weft: custom_call: the function has no result(operands...) for these arrays; declare the type that it gives, static tensor<...> result(tensor<...>...)
#include <weft/lang/custom_call.hpp>
#include <weft/lang/elementwise.hpp>

using weft::tensor;
struct same {
  static constexpr auto name = "same";
  template <class T, auto N, auto M> static tensor<T, N> result(tensor<T, N, M>);
  static void run(auto x, auto y) { y(0) = x(0); }
};
auto example(weft::traced<float, 3> a) { return weft::custom_call<same>(a); }
