// SPDX-License-Identifier: BSL-1.0
// What a collective sends: bytes that a rank gives to others, by the exchange that ranks do
// (cpu/rank_member.hpp), for an operand of B bytes in a group of n:
//   all_reduce       (n - 1) B in one round, where that is little or n is 2; else 2 (n - 1) shares
//   all_gather       (n - 1) B
//   reduce_scatter, all_to_all   (n - 1) B / n
//   broadcast        of the root, which sends most: (n - 1) B in one round, else 2 (n - 1) shares
//   permute          B, at most
// A share is an n-th, rounded up to whole elements: at most, where n does not divide the count. Payload
// alone, without what a transport adds. Needs: static extents.
#pragma once

#include <weft/graph/collective.hpp>

namespace weft::inline v0 {
namespace detail {

// Two rounds of shares move 2 bytes where one round of whole arrays moves n - 1: but twice as long
// a wait, which small arrays feel.
inline constexpr extent whole_arrays_bytes = 1 << 16;
constexpr bool in_one_round(extent group, extent bytes) {
  return group <= 2 || bytes * (group - 1) <= whole_arrays_bytes;
}
constexpr bool in_one_round(collective const& c, extent bytes) {
  return in_one_round(c.group, bytes);
}

} // namespace detail

// Of `count` elements of `size` bytes each.
constexpr extent bytes_sent(collective_kind kind, extent n, extent count, extent size) {
  extent const bytes = count * size, share = (count + n - 1) / n * size;
  if (n <= 1) return 0;
  switch (kind) {
    case collective_kind::all_reduce:
      return detail::in_one_round(n, bytes) ? (n - 1) * bytes : 2 * (n - 1) * share;
    case collective_kind::all_gather: return (n - 1) * bytes;
    case collective_kind::reduce_scatter:
    case collective_kind::all_to_all: return (n - 1) * (bytes / n);
    case collective_kind::broadcast:
      return detail::in_one_round(n, bytes) ? (n - 1) * bytes : 2 * (n - 1) * share;
    default: return bytes;
  }
}

} // namespace weft::inline v0
