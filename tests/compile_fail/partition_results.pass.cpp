// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/partition.hpp>

using weft::in_parts, weft::out_parts, weft::replicated, weft::split_over, weft::traced;

constexpr auto m = weft::mesh<weft::axis<"data", 4>>;
inline constexpr auto same = [](auto x) { return x; };
inline constexpr auto part =
    weft::partition<m, in_parts<split_over<"data">>, out_parts<split_over<"data">>>(same);
auto example(traced<float, 3> x) { return part(x); }
