// SPDX-License-Identifier: BSL-1.0
// fingerprint(x): a hash (FNV-1a over words) of the bits of all arrays in a struct of float or
// double tensors.
#pragma once

#include <weft/weft.hpp>

#include <array>
#include <bit>
#include <cstdint>

namespace examples {

template <class X> std::uint32_t fingerprint(X const& x) {
  std::uint32_t hash = 2166136261u;
  weft::for_each_leaf(x, [&hash](auto const& leaf) {
    for (auto element : leaf)
      for (std::uint32_t word :
           std::bit_cast<std::array<std::uint32_t, sizeof element / 4>>(element))
        hash = (hash ^ word) * 16777619u;
  });
  return hash;
}

} // namespace examples
