// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

inline constexpr auto last_square = [](auto xs) {
  auto body = [](auto carry, auto x) {
    return std::pair(std::pair(carry.first + x, x * x), weft::none);
  };
  auto [carry, ys] = scan(body, std::pair(0.0f, 0.0f), xs);
  return carry.first + carry.second;
};
auto run(weft::tensor<float, 5> const& xs) { return weft::jit<last_square>(xs); }
