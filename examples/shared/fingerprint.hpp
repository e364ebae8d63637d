// SPDX-License-Identifier: BSL-1.0
// fingerprint(x): a hash (FNV-1a over words) of the bits of all arrays in a struct of float tensors.
#pragma once

#include <weft/weft.hpp>

#include <bit>
#include <cstdint>

namespace examples {

template <class X> std::uint32_t fingerprint(X const& x) {
  std::uint32_t hash = 2166136261u;
  weft::for_each_leaf(x, [&hash](auto const& leaf) {
    for (float element : leaf) hash = (hash ^ std::bit_cast<std::uint32_t>(element)) * 16777619u;
  });
  return hash;
}

} // namespace examples
