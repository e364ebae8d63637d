// SPDX-License-Identifier: BSL-1.0
// expect: weft: while_loop: no bound is given; write while_options{.most = n}
#include <weft/lang/while.hpp>

auto example(weft::traced<float> a) {
  return weft::while_loop<weft::while_options{}>([](auto s) { return s < 100; },
                                                 [](auto s) { return s * 2; }, a);
}
