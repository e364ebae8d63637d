// SPDX-License-Identifier: BSL-1.0
// expect: weft: key: a loop's steps share one key; give each fold_in(key, step)
#include <weft/weft.hpp>

inline constexpr auto walk = [](auto key, auto xs) {
  auto body = [&key](auto sum, auto x) {
    return std::pair(sum + x * weft::uniform<>(key), weft::none);
  };
  return scan(body, 0.0f, xs).first;
};
auto run(weft::tensor<float, 5> const& xs) { return weft::jit<walk>(weft::key(1), xs); }
