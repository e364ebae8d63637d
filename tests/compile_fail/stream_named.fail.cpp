// SPDX-License-Identifier: BSL-1.0
// expect: stream: an extent has a name, which a call would have to bind; write numbers
#include <weft/run/stream.hpp>
#include <weft/weft.hpp>
using weft::tensor;

inline constexpr weft::sym n{"n"};
inline constexpr auto level = [](auto, auto s, auto x) {
  auto next = s * 0.5f + x;
  return std::pair(next, next);
};

int main() {
  weft::stream<level, weft::none_t, tensor<float, n>, tensor<float, n>> s(weft::none,
                                                                          tensor<float, n>(4));
  return s(tensor<float, n>(4)).size() == 0;
}
