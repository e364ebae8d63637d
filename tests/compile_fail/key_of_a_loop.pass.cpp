// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

inline constexpr auto walk = [](auto key, auto xs) {
  auto body = [](auto sum, auto step) {
    return std::pair(sum + step.second * weft::uniform<>(step.first), weft::none);
  };
  return scan(body, 0.0f, std::pair(weft::split_keys<5>(key), xs)).first;
};
auto run(weft::tensor<float, 5> const& xs) { return weft::jit<walk>(weft::key(1), xs); }
