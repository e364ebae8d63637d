// SPDX-License-Identifier: BSL-1.0
// expect: weft: hessian: the argument is no array of floats; use jvp of grad for a structure
#include <weft/lang/jacobian.hpp>
#include <weft/lang/reductions.hpp>

using weft::traced;

inline constexpr auto loss = [](auto p) { return sum(p.first * p.second); };
auto example(traced<float, 3> a, traced<float, 3> b) {
  return weft::hessian(loss)(std::pair(a, b));
}
