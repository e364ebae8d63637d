// SPDX-License-Identifier: BSL-1.0
// xtensor over memory of the caller's, for peers.
#pragma once

#ifdef WEFT_HAS_XTENSOR
#include <xtensor/xadapt.hpp>
#include <xtensor/xmath.hpp>
#include <xtensor/xnoalias.hpp>

#include <array>
#include <cstddef>

namespace bench {

template <class T, class... N> auto xtensor_at(T* memory, N... extents) {
  std::array<std::size_t, sizeof...(N)> const shape{static_cast<std::size_t>(extents)...};
  return xt::adapt(memory, (static_cast<std::size_t>(extents) * ...), xt::no_ownership(), shape);
}

} // namespace bench
#endif
