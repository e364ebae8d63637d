// SPDX-License-Identifier: BSL-1.0
// expect: weft: jvp: an argument has integers, bools or keys alone, which have no derivative; pick others: jvp<1>(f), or convert<float>(x)
#include <weft/lang/elementwise.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/transforms.hpp>

using weft::traced;

constexpr auto loss = [](auto counts, auto w) { return sum(w * weft::convert<float>(counts)); };

auto moved(traced<int, 3> counts, traced<float, 3> w, traced<int, 3> by) {
  return weft::jvp(loss)(counts, w, by);
}
