// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/elementwise.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/transforms.hpp>

using weft::traced;

constexpr auto loss = [](auto counts, auto w) { return sum(w * weft::convert<float>(counts)); };

auto slopes(traced<int, 3> counts, traced<float, 3> w, traced<float> ct) {
  return weft::vjp<1>(loss)(counts, w, ct);
}
