// SPDX-License-Identifier: BSL-1.0
// expect: weft: more than 32 operands in one expression; write eval(...) around a part of it
// expect: 64 <= 32
#include <weft/run/evaluate.hpp>

weft::tensor<float, 8> power(weft::tensor<float, 8> const& x) {
  auto x2 = x * x;
  auto x4 = x2 * x2;
  auto x8 = x4 * x4;
  auto x16 = x8 * x8;
  auto x32 = x16 * x16;
  return x32 * x32;
}
