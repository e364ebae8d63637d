// SPDX-License-Identifier: BSL-1.0
// expect: weft: autocast: not a low-precision type; write autocast<bf16>(f)
#include <weft/lang/elementwise.hpp>
#include <weft/lang/transforms.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return weft::autocast<float>([](auto x) { return x * x; })(a);
}
