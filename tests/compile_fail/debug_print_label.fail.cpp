// SPDX-License-Identifier: BSL-1.0
// expect: weft: debug_print: a label has at most 60 characters; shorten it
#include <weft/lang/observe.hpp>

using weft::traced;

auto example(traced<float, 4> a) {
  return weft::debug_print<"the hidden state of the second layer behind the normalisation">(a);
}
