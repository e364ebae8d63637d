// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/vmap.hpp>

using weft::traced;

template <template <class, auto...> class array> struct point {
  array<float, 2> x;
};
inline constexpr auto f = [](auto x) { return point<traced>{x}; };
auto run(traced<float, 4, 2> const& x) { return weft::vmap<weft::vmap_options{.out = 0}>(f)(x); }
