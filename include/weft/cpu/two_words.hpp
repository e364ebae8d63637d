// SPDX-License-Identifier: BSL-1.0
// two_words: two packs of 32-bit words that take every operation one beside the other. A chain of
// operations that wait for each other leaves a processor idle; it looks a hundred and some
// instructions ahead, and the twenty rounds of threefry2x32 are more.
// Needs: packs of a target, any. Leaves: the bits of either pack alone.
#pragma once

#include <weft/core/config.hpp>

#include <cstdint>

namespace weft::inline v0 {
namespace cpu {

template <class Pack> struct two_words {
  Pack first, second;

  WEFT_INLINE explicit two_words(std::uint32_t x) : first(x), second(x) {}
  WEFT_INLINE two_words(Pack const& x, Pack const& y) : first(x), second(y) {}

  WEFT_INLINE friend two_words operator+(two_words const& x, two_words const& y) {
    return {x.first + y.first, x.second + y.second};
  }
  WEFT_INLINE friend two_words operator^(two_words const& x, two_words const& y) {
    return {x.first ^ y.first, x.second ^ y.second};
  }
  WEFT_INLINE friend two_words rotl(two_words const& x, int n) {
    return {rotl(x.first, n), rotl(x.second, n)};
  }
};

} // namespace cpu
} // namespace weft::inline v0
