// SPDX-License-Identifier: BSL-1.0
// Weights before the first step: He's normal rule in front of a relu, LeCun's for the logits.
#include "model.hpp"

namespace digits {

parameters starting_point(weft::key key) {
  constexpr weft::fan_axes to_rows{.in = weft::axis_list(1, 2, 3), .out = weft::axis_list(0)};
  auto keys = weft::split<4>(key);
  parameters p;
  p.first = weft::he_normal<3, 3, 1, narrow>(keys[0]);
  p.second = weft::he_normal<3, 3, narrow, narrow>(keys[1]);
  p.third = weft::he_normal<3, 3, narrow, wide>(keys[2]);
  p.output = weft::lecun_normal<to_rows, classes, side / 2, side / 2, wide>(keys[3]);
  return p;
}

} // namespace digits
