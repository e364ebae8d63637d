// SPDX-License-Identifier: BSL-1.0
#include <weft/weft.hpp>

inline constexpr auto f = [](auto x) { return sum(exp(reshape<1, 1, 1, 1, 1, 1, 3>(x))); };
auto run(weft::tensor<float, 4, 3> const& x) { return weft::jit<weft::vmap(f)>(x); }
