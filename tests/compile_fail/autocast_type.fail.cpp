// SPDX-License-Identifier: BSL-1.0
// expect: weft: autocast: not bf16, f16 or float; write autocast<bf16>(f)
#include <weft/lang/elementwise.hpp>
#include <weft/lang/transforms.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return weft::autocast<double>([](auto x) { return x * x; })(a);
}
