// SPDX-License-Identifier: BSL-1.0
// expect: weft: map: the function is not elementwise; write it over one element, or map(f, xs)
#include <weft/weft.hpp>

constexpr auto rank_by_sum = [](auto a) {
  return weft::map<[](auto x) { return sum(weft::broadcast_to<4>(x)); }>(a);
};

auto example(weft::tensor<float, 3> const& a) { return weft::jit<rank_by_sum>(a); }
