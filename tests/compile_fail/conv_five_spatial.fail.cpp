// SPDX-License-Identifier: BSL-1.0
// expect: weft: conv: more than 4 spatial axes
// expect: NABDEHC,ABDEHIO->NABDEHC
// expect: 5
#include <weft/lang/conv.hpp>

using weft::traced;

auto example(traced<float, 2, 5, 5, 4> x, traced<float, 3, 3, 4, 8> w) {
  return weft::conv<"NABDEHC,ABDEHIO->NABDEHC">(x, w);
}
