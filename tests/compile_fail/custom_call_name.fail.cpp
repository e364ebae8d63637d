// SPDX-License-Identifier: BSL-1.0
// expect: weft: custom_call: the function has no name; write static constexpr auto name = "my_function"
#include <weft/lang/custom_call.hpp>
#include <weft/lang/elementwise.hpp>

using weft::tensor;
struct same {
  template <class T, auto N> static tensor<T, N> result(tensor<T, N>);
  static void run(auto x, auto y) { y(0) = x(0); }
};
auto example(weft::traced<float, 3> a) { return weft::custom_call<same>(a); }
