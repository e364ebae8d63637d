// SPDX-License-Identifier: BSL-1.0
// What elements of a dtype are computed as in a world: compute_type<F, dtype::i8> for the float32
// F of the world. The interpreter, the packs and the text all choose their types here.
// Leaves: bf16 and f16 are F, rounded after every node (elementary::round_to); booleans the mask;
// integers of 8 and 16 bits narrow_int; everything else the world's own type.
#pragma once

#include <weft/core/dtype.hpp>
#include <weft/op/narrow_int.hpp>
#include <weft/op/numeric_wide.hpp>

namespace weft::inline v0 {
namespace detail {

template <world_float F, dtype D> constexpr auto compute_tag() {
  constexpr int bits = 8 * size_of(D);
  if constexpr (D == dtype::boolean) return std::type_identity<typename F::m>{};
  else if constexpr (is_float(D)) {
    if constexpr (bits == 64) return std::type_identity<typename F::wide>{};
    else return std::type_identity<F>{};
  } else if constexpr (bits == 64) {
    if constexpr (is_signed(D)) return std::type_identity<typename F::wide::i>{};
    else return std::type_identity<typename F::wide::u>{};
  } else {
    using I = std::conditional_t<is_signed(D), typename F::i, typename F::u>;
    if constexpr (bits == 32) return std::type_identity<I>{};
    else return std::type_identity<narrow_int<I, bits>>{};
  }
}

template <world_value T> constexpr auto base_tag() {
  if constexpr (world_wide<typename T::f>) return std::type_identity<typename T::f::narrow>{};
  else return std::type_identity<typename T::f>{};
}

} // namespace detail

template <world_float F, dtype D>
using compute_type = typename decltype(detail::compute_tag<F, D>())::type;

// The float32 of a value's world.
template <world_value T> using world_of = typename decltype(detail::base_tag<T>())::type;

} // namespace weft::inline v0
