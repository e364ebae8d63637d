// SPDX-License-Identifier: BSL-1.0
// philox4x32, 10 rounds, of untyped words: a key of two, counters of four, all of one shape.
// Needs: counters.hpp. Leaves: elementwise nodes; the last word of a product is taken of 64 bits.
// Source: Salmon, Moraes, Dror, Shaw 2011 (Random123).
#pragma once

#include <weft/graph/counters.hpp>

namespace weft::inline v0 {
namespace detail {

constexpr handle side_by_side(view<handle> words) {
  extents s = words[0].shape();
  s.push(1);
  growing<handle> parts;
  for (handle w : words) parts.push(reshape(w, s));
  return concat(parts, s.rank - 1);
}
struct philox_round {
  recorder& r;
  extents const& s;

  constexpr handle wide(word x) const {
    return constant_bits(r, static_cast<extent>(x), dtype::u64, s);
  }
  constexpr two_words product(handle a, std::uint32_t b) const {
    handle const p = convert(a, dtype::u64) * wide(b);
    return {convert(binary(op::shift_right_logical, dtype::u64, p, wide(32)), dtype::u32),
            convert(p, dtype::u32)};
  }
  constexpr handle mixed(handle a, handle b, handle c) const {
    handle const ab = binary(op::bit_xor, dtype::u32, a, b);
    return binary(op::bit_xor, dtype::u32, ab, c);
  }
  constexpr void operator()(handle (&c)[4], two_words k) const {
    two_words const p0 = product(c[0], 0xd2511f53), p1 = product(c[2], 0xcd9e8d57);
    handle const first = mixed(p1.first, c[1], k.first), third = mixed(p0.first, c[3], k.second);
    c[0] = first, c[1] = p1.second, c[2] = third, c[3] = p0.second;
  }
};
// The counters enciphered in place.
constexpr void philox(recorder& r, two_words k, handle (&c)[4], extents const& s) {
  handle const step0 = constant(r, 0x9e3779b9, dtype::u32, s);
  handle const step1 = constant(r, 0xbb67ae85, dtype::u32, s);
  for (int round = 0; round < 10; ++round) {
    if (round > 0) k = {k.first + step0, k.second + step1};
    philox_round{r, s}(c, k);
  }
}

} // namespace detail
} // namespace weft::inline v0
