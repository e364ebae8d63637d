// SPDX-License-Identifier: BSL-1.0
// expect: weft: vjp: an argument has integers, bools or keys alone, which have no derivative; pick others: vjp<1>(f), or convert<float>(x)
#include <weft/lang/elementwise.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/transforms.hpp>

using weft::traced;

constexpr auto loss = [](auto counts, auto w) { return sum(w * weft::convert<float>(counts)); };

auto slopes(traced<int, 3> counts, traced<float, 3> w, traced<float> ct) {
  return weft::vjp(loss)(counts, w, ct);
}
