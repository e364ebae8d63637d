// SPDX-License-Identifier: BSL-1.0
// expect: weft: while_loop: no reverse derivative; use while_options{.most = n}, scan or a constant fori_loop
// expect: while_reversed
#include <weft/weft.hpp>

inline constexpr auto doubled = [](auto x) {
  return weft::while_loop([](auto s) { return s < 100; }, [](auto s) { return s * 2; }, x);
};
auto slope() { return weft::jit<weft::value_and_grad(doubled)>(1.0f); }
