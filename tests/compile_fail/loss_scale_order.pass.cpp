// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/loss_scale.hpp>

using weft::traced;

auto example(weft::loss_scale<traced> s, traced<bool> finite) {
  return weft::next_loss_scale<weft::loss_scale_options{.smallest = 2}>(s, finite);
}
