// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

inline constexpr auto doubled = [](auto x) {
  return weft::fori_loop(
      0, 7, [](auto, auto s) { return s * 2; }, x);
};
auto slope() { return weft::jit<weft::value_and_grad(doubled)>(1.0f); }
