// SPDX-License-Identifier: BSL-1.0
// expect: weft: only stacked structs have slices; see stacked
#include <weft/array/members.hpp>
#include <weft/array/tensor.hpp>

template <template <class, auto...> class A> struct layer {
  A<float, 3> w;
};
weft::slice_of<layer<weft::tensor>> one;
