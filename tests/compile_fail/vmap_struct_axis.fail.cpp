// SPDX-License-Identifier: BSL-1.0
// expect: weft: vmap: a struct of arrays is mapped along axis 0 only; write 0, and stack it
#include <weft/lang/reductions.hpp>
#include <weft/lang/vmap.hpp>

using weft::traced;

template <template <class, auto...> class array> struct point {
  array<float, 2, 3> x;
};
inline constexpr auto f = [](auto p) { return sum(p.x); };
auto run(weft::traced_type<weft::stacked<point, 4>> const& p) { return weft::vmap<1>(f)(p); }
