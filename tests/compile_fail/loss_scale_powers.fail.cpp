// SPDX-License-Identifier: BSL-1.0
// expect: weft: loss_scale: a scale or a factor is not a power of two, so that scaling would round; write 2, 0.5, 65536
#include <weft/lang/loss_scale.hpp>

auto example() {
  return weft::initial_loss_scale<weft::loss_scale_options{.initial = 1000,
                                                           .backoff_factor = 0.3}>();
}
