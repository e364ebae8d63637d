// SPDX-License-Identifier: BSL-1.0
// expect: weft: a struct of arrays holds a number or a key
#include <weft/array/tensor.hpp>
#include <weft/lang/record.hpp>

template <template <class, auto...> class A> struct model {
  A<float, 3> w;
  int count;
};
inline constexpr auto f = [](auto m) { return m.w; };
auto example() { return weft::record<model<weft::tensor>>(f).nodes.size(); }
