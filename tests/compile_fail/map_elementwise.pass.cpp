// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

constexpr auto rank_by_sum = [](auto a) { return weft::map<[](auto x) { return x + x; }>(a); };

auto example(weft::tensor<float, 3> const& a) { return weft::jit<rank_by_sum>(a); }
