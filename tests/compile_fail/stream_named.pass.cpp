// SPDX-License-Identifier: BSL-1.0
#include <weft/run/stream.hpp>
#include <weft/weft.hpp>
using weft::tensor;

inline constexpr auto level = [](auto, auto s, auto x) {
  auto next = s * 0.5f + x;
  return std::pair(next, next);
};

int main() {
  weft::stream<level, weft::none_t, tensor<float, 4>, tensor<float, 4>> s(weft::none);
  return s(tensor<float, 4>{}).size() == 0;
}
