// SPDX-License-Identifier: BSL-1.0
// key: a random key, two words of threefry2x32, as JAX's. A seed of 64 bits gives both words, high
// one first, as JAX with x64 on; of a narrower one the high word is 0, as with x64 off: key(-1) is
// (0, 0xffffffff), key(-1ll) is (0xffffffff, 0xffffffff).
// Needs: traced.hpp, array/rebind.hpp. Leaves: key is a leaf; inside a trace it is a traced_key.
#pragma once

#include <weft/array/members.hpp>
#include <weft/lang/traced.hpp>

#include <concepts>

namespace weft::inline v0 {

struct key {
  std::uint32_t high = 0, low = 0;

  constexpr key() = default;
  template <std::integral Seed>
    requires(!std::same_as<Seed, bool>)
  constexpr explicit key(Seed seed)
      : high(sizeof(Seed) < 8 ? 0 : static_cast<std::uint32_t>(std::uint64_t(seed) >> 32)),
        low(static_cast<std::uint32_t>(seed)) {}
  static constexpr key of_words(std::uint32_t high, std::uint32_t low) {
    key k;
    k.high = high;
    k.low = low;
    return k;
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
