// SPDX-License-Identifier: BSL-1.0
// Numbers kept in bounds, and compared within them: clip, nan_to_num, isclose, allclose.
//   clip(x, -1, 1)   nan_to_num(x)   isclose(a, b, 1e-3)   allclose(a, b)
// Needs: elementwise.hpp, reductions.hpp. Leaves: clip, nan_to_num and isclose are elementwise.
#pragma once

#include <weft/core/number_limits.hpp>
#include <weft/lang/elementwise.hpp>
#include <weft/lang/reductions.hpp>

namespace weft::inline v0 {

// min(max(x, low), high), as in NumPy: where low > high it is high; NaN stays.
template <class A, class L, class H>
  requires traced_call<A, L, H>
constexpr auto clip(A const& a, L const& low, H const& high) {
  return weft::minimum(weft::maximum(a, low), high);
}

namespace detail {

// The largest finite number of a float type, exactly.
template <class T> constexpr double largest_finite() {
  if constexpr (std::is_floating_point_v<T>) return sizeof(T) == 4 ? largest_f32 : largest_f64;
  else {
    bool const wide = static_cast<float>(T(0x1.fep127f)) < infinity_f32;
    return wide ? 0x1.fep127 : 65504;
  }
}
template <class T> consteval bool check_float() {
  static_assert(floating<T>, "weft: not a float; write convert<float>(x)");
  return floating<T>;
}
} // namespace detail

// `nan` for NaN, `above` for +inf, `below` for -inf; x where it is finite.
template <class X, class N, class P, class M>
  requires traced_call<X, N, P, M>
constexpr auto nan_to_num(X const& x, N const& nan, P const& above, M const& below) {
  using T = detail::common_element<X, N, P, M>;
  if constexpr (!detail::check_float<T>()) return detail::as_traced(detail::recorder_of(x), x);
  else {
    constexpr float infinity = detail::infinity_f32;
    auto numbers = where(x == infinity, above, where(x == -infinity, below, x));
    return where(x != x, nan, numbers);
  }
}
// The largest and the lowest finite number for the infinities, 0 or `nan` for NaN.
template <traced_array X, class N = float>
constexpr auto nan_to_num(X const& x, N const& nan = {}) {
  using T = typename X::element_type;
  if constexpr (!detail::check_float<T>()) return x;
  else {
    constexpr double largest = detail::largest_finite<T>();
    return weft::nan_to_num(x, nan, largest, -largest);
  }
}

// |a - b| <= atol + rtol |b|, elementwise, or a == b; NaN is close to nothing (but to NaN in
// isclose<true>).
template <bool EqualNan = false, class A, class B, class R = double, class L = double>
  requires traced_call<A, B, R, L>
constexpr auto isclose(A const& a, B const& b, R const& rtol = 1e-5, L const& atol = 1e-8) {
  using T = detail::common_element<A, B, R, L>;
  if constexpr (!detail::check_float<T>()) return a == b;
  else {
    constexpr float infinity = detail::infinity_f32;
    auto size = abs(detail::traced_as<T>(detail::recorder_of(a, b, rtol, atol), b));
    auto near = (abs(a - b) <= atol + rtol * size) & (size < infinity);
    if constexpr (EqualNan) return (a == b) | near | ((a != a) & (b != b));
    else return (a == b) | near;
  }
}
// Whether all are close: a rank-0 bool.
template <bool EqualNan = false, class A, class B, class R = double, class L = double>
  requires traced_call<A, B, R, L>
constexpr auto allclose(A const& a, B const& b, R const& rtol = 1e-5, L const& atol = 1e-8) {
  auto apart = convert<int>(!weft::isclose<EqualNan>(a, b, rtol, atol));
  return weft::sum(apart) == 0;
}

} // namespace weft::inline v0
