// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/loss_scale.hpp>

auto example() {
  return weft::initial_loss_scale<weft::loss_scale_options{.initial = 1024,
                                                           .backoff_factor = 0.25}>();
}
