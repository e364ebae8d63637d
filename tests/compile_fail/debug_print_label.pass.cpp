// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/observe.hpp>

using weft::traced;

auto example(traced<float, 4> a) {
  return weft::debug_print<"the hidden state of layer 2 behind the normalisation">(a);
}
