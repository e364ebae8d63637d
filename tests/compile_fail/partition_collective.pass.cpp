// SPDX-License-Identifier: BSL-1.0
#include <weft/partition.hpp>

using weft::in_parts, weft::out_parts, weft::replicated, weft::split_over, weft::tensor;

constexpr auto m = weft::mesh<weft::axis<"data", 4>>;
inline constexpr auto f = [](auto x) { return x + x; };
inline constexpr auto part =
    weft::partition<m, in_parts<split_over<"data">>, out_parts<split_over<"data">>>(f);
auto example(tensor<float, 2, 6> const& x) { return weft::jit<part>(x); }
