// SPDX-License-Identifier: BSL-1.0
// expect: weft: loss_scale: the options are out of order; write 1 <= smallest <= initial <= largest <= 0x1p126, growth_factor >= 1 >= backoff_factor, growth_interval >= 1
#include <weft/lang/loss_scale.hpp>

using weft::traced;

auto example(weft::loss_scale<traced> s, traced<bool> finite) {
  return weft::next_loss_scale<weft::loss_scale_options{.smallest = 0.5}>(s, finite);
}
