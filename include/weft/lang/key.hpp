// SPDX-License-Identifier: BSL-1.0
// key: a random key, two words of threefry2x32, as JAX's. key(seed) = (seed >> 32, low 32 bits).
// Needs: traced.hpp, array/rebind.hpp. Leaves: key is a leaf; inside a trace it is a traced_key.
#pragma once

#include <weft/array/members.hpp>
#include <weft/lang/traced.hpp>

namespace weft::inline v0 {

struct key {
  std::uint32_t high = 0, low = 0;

  constexpr key() = default;
  constexpr explicit key(std::uint64_t seed)
      : high(static_cast<std::uint32_t>(seed >> 32)), low(static_cast<std::uint32_t>(seed)) {}
  static constexpr key of_words(std::uint32_t high, std::uint32_t low) {
    return key((std::uint64_t{high} << 32) | low);
  }
  friend constexpr bool operator==(key, key) = default;
};

template <> inline constexpr bool is_leaf<key> = true;
template <class T, auto... E> inline constexpr bool is_leaf<traced<T, E...>> = true;
template <auto... E> inline constexpr bool is_leaf<traced_key<E...>> = true;

namespace detail {
template <> struct rebound<key, traced> {
  using type = traced_key<>;
};
template <auto... E> struct rebound<traced_key<E...>, traced> {
  using type = traced_key<E...>;
};
template <auto... E> struct rebound<traced_key<E...>, tensor> {
  using type = tensor<std::uint32_t, E..., 2>;
};
template <> struct rebound<traced_key<>, tensor> {
  using type = key;
};
template <auto First, auto... E> struct sliced<traced_key<First, E...>> {
  using type = traced_key<E...>;
};
} // namespace detail

} // namespace weft::inline v0
