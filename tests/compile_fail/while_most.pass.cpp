// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/while.hpp>

auto example(weft::traced<float> a) {
  return weft::while_loop<weft::while_options{.most = 9}>([](auto s) { return s < 100; },
                                                          [](auto s) { return s * 2; }, a);
}
