// SPDX-License-Identifier: BSL-1.0
// expect: weft: a loop of unknown length has no reverse derivative; use scan, or while_options{.most = n}
// expect: while_reversed
#include <weft/weft.hpp>

inline constexpr auto doubled = [](auto x) {
  return weft::while_loop([](auto s) { return s < 100; }, [](auto s) { return s * 2; }, x);
};
auto slope() { return weft::jit<weft::value_and_grad(doubled)>(1.0f); }
