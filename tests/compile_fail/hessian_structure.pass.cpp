// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/jacobian.hpp>
#include <weft/lang/reductions.hpp>

using weft::traced;

inline constexpr auto loss = [](auto p) { return sum(p.first * p.second); };
auto example(traced<float, 3> a, traced<float, 3> b) {
  return weft::hessian([b](auto x) { return loss(std::pair(x, b)); })(a);
}
