// SPDX-License-Identifier: BSL-1.0
#include <weft/array/members.hpp>
#include <weft/array/tensor.hpp>

template <template <class, auto...> class A> struct layer {
  A<float, 3> w;
};
weft::slice_of<weft::stacked<layer, 2, weft::tensor>> one;
