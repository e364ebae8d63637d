// SPDX-License-Identifier: BSL-1.0
// expect: stream: the step returns no pair; write std::pair(next state, output)
#include <weft/run/stream.hpp>
#include <weft/weft.hpp>
using weft::tensor;

inline constexpr auto level = [](auto, auto s, auto x) { return s * 0.5f + x; };

int main() {
  weft::stream<level, weft::none_t, tensor<float, 4>, tensor<float, 4>> s(weft::none);
  return s(tensor<float, 4>{}).size() == 0;
}
