// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

inline constexpr auto doubled = [](auto x) {
  return weft::while_loop<weft::while_options{.most = 7}>([](auto s) { return s < 100; },
                                                          [](auto s) { return s * 2; }, x);
};
auto slope() { return weft::jit<weft::value_and_grad(doubled)>(1.0f); }
