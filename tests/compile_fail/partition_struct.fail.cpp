// SPDX-License-Identifier: BSL-1.0
// expect: weft: partition: a struct has the extents of its arrays in its type; write replicated, or pass arrays
#include <weft/lang/partition.hpp>

using weft::in_parts, weft::out_parts, weft::replicated, weft::split_over, weft::traced;

constexpr auto m = weft::mesh<weft::axis<"data", 4>>;
inline constexpr auto same = [](auto x) { return x; };
template <template <class, auto...> class array> struct params {
  array<float, 4> w;
};
inline constexpr auto part =
    weft::partition<m, in_parts<split_over<"data">>, out_parts<replicated>>(same);
auto example(params<traced> p) { return part(p); }
