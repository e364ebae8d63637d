// SPDX-License-Identifier: BSL-1.0
// The limits of element types, as std::numeric_limits has them. Why not <limits>: it is 1 % of what
// g++ 12 does for weft/weft.hpp.
#pragma once

#include <weft/core/config.hpp>

#include <cstdint>
#include <type_traits>

namespace weft::inline v0 {
namespace detail {

inline constexpr float infinity_f32 = __builtin_inff();
inline constexpr double infinity_f64 = __builtin_inf();
inline constexpr double nan_f64 = __builtin_nan("");
inline constexpr float largest_f32 = __FLT_MAX__;
inline constexpr double largest_f64 = __DBL_MAX__;

// Bits of an integer's value, of a float's significand.
template <class T>
inline constexpr int value_digits = static_cast<int>(8 * sizeof(T)) - (static_cast<T>(-1) < T{});
template <> inline constexpr int value_digits<bool> = 1;
template <> inline constexpr int value_digits<float> = 24;
template <> inline constexpr int value_digits<double> = 53;

// The range of an integer type.
template <class T>
  requires std::is_integral_v<T>
inline constexpr T highest_number = static_cast<T>(~std::uint64_t{0} >> (64 - value_digits<T>));
template <class T>
  requires std::is_integral_v<T>
inline constexpr T lowest_number = static_cast<T>(~highest_number<T>);
template <> inline constexpr bool lowest_number<bool> = false;

} // namespace detail
} // namespace weft::inline v0
