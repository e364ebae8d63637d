// SPDX-License-Identifier: BSL-1.0
// expect: weft: a value made in the body of a loop or branch is used outside; return it
// expect: escaping_value
#include <weft/weft.hpp>

inline constexpr auto last_square = [](auto xs) {
  weft::traced<float> kept;
  auto body = [&kept](auto sum, auto x) {
    kept = x * x;
    return std::pair(sum + x, weft::none);
  };
  auto [sum, ys] = scan(body, 0.0f, xs);
  return sum + kept;
};
auto run(weft::tensor<float, 5> const& xs) { return weft::jit<last_square>(xs); }
