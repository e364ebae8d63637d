// SPDX-License-Identifier: BSL-1.0
// expect: weft: value_and_grad: an argument has integers, bools or keys alone, which have no derivative; pick others: grad<1>(f), or convert<float>(x)
#include <weft/lang/distributions.hpp>
#include <weft/lang/elementwise.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/transforms.hpp>

using weft::traced;

constexpr auto loss = [](auto w, auto k) { return sum(w * weft::normal<float, 3>(k)); };

auto slopes(traced<float, 3> w, weft::traced_key<> k) {
  return weft::value_and_grad<0, 1>(loss)(w, k);
}
