// SPDX-License-Identifier: BSL-1.0
// expect: weft: io: not made of arrays; write eval(x) of an expression
#include <weft/io/npy.hpp>

struct sum {};
template <> inline constexpr bool weft::is_leaf<sum> = true;

void example(sum x) { weft::save_npy("x.npy", x); }
