// SPDX-License-Identifier: BSL-1.0
// The generators themselves, for streams of one's own: blocks of counters under keys, words along
// the last axis of uint32 arrays; the other axes broadcast.
//   threefry2x32(keys, counters)   (..., 2), (..., 2) -> (..., 2), 20 rounds
//   philox4x32(keys, counters)     (..., 2), (..., 4) -> (..., 4), 10 rounds
// Needs: elementwise.hpp, counters.hpp. Leaves: elementwise nodes, and a concat.
// Source: Salmon, Moraes, Dror, Shaw 2011 (Random123), whose known answers the tests have.
#pragma once

#include <weft/graph/philox.hpp>
#include <weft/lang/elementwise.hpp>

namespace weft::inline v0 {
namespace detail {

template <class X, int N>
concept words_in_last_axis =
    std::is_same_v<element_of<X>, std::uint32_t> && shape_of_operand<X>::rank > 0 &&
    shape_of_operand<X>::value[shape_of_operand<X>::rank > 0 ? shape_of_operand<X>::rank - 1 : 0] ==
        N;
constexpr extents without_last(extents s) {
  --s.rank;
  return s;
}
constexpr extents with_last(extents s, int n) {
  s.push(n);
  return s;
}
// Word i along the last axis, for every element of s.
constexpr handle word_along(handle x, int i, extents const& s) {
  int const last = x.shape().rank - 1;
  return broadcast_to(reshape(slice_axis(x, last, i, 1), without_last(x.shape())), s);
}
template <class K, class C>
using cipher_shape = joined_shape<shape_of_value<without_last(shape_of_operand<K>::value)>,
                                  shape_of_value<without_last(shape_of_operand<C>::value)>>;

constexpr handle philox(recorder& r, handle keys, handle counters, extents const& s) {
  handle c[4];
  for (int i = 0; i < 4; ++i) c[i] = word_along(counters, i, s);
  philox(r, {word_along(keys, 0, s), word_along(keys, 1, s)}, c, s);
  return side_by_side({c, 4});
}

template <class K, class C, int N> consteval bool check_blocks() {
  static_assert(words_in_last_axis<K, 2>, "weft: the last axis of keys is two words of uint32");
  static_assert(words_in_last_axis<C, N>,
                "weft: the last axis of counters is the generator's words of uint32");
  if constexpr (words_in_last_axis<K, 2> && words_in_last_axis<C, N>)
    return check_shapes<shape_of_value<without_last(shape_of_operand<K>::value)>,
                        shape_of_value<without_last(shape_of_operand<C>::value)>>();
  else return false;
}
template <class S, int N> using cipher_words = traced_of<std::uint32_t, with_last(S::value, N)>;

} // namespace detail

// Each counter enciphered by its key: what fold_in, split and every draw are made of.
template <class K, class C>
  requires traced_call<K, C>
constexpr auto threefry2x32(K const& keys, C const& counters) {
  recorder& r = detail::recorder_of(keys, counters);
  if constexpr (!detail::check_blocks<K, C, 2>()) return traced<std::uint32_t, 2>{};
  else {
    using S = detail::cipher_shape<K, C>;
    handle const k = detail::as_traced(r, keys).value, c = detail::as_traced(r, counters).value;
    extents const& s = S::value;
    handle const words[] = {detail::word_along(k, 0, s), detail::word_along(k, 1, s),
                            detail::word_along(c, 0, s), detail::word_along(c, 1, s)};
    handle const h = r.emit(op::threefry2x32, dtype::u32, s, {words, 4});
    handle const both[] = {get(h, 0, dtype::u32, s), get(h, 1, dtype::u32, s)};
    return detail::cipher_words<S, 2>{detail::side_by_side({both, 2})};
  }
}
// The bijection alone, words in Random123's order; no stream of any library is meant.
template <class K, class C>
  requires traced_call<K, C>
constexpr auto philox4x32(K const& keys, C const& counters) {
  recorder& r = detail::recorder_of(keys, counters);
  if constexpr (!detail::check_blocks<K, C, 4>()) return traced<std::uint32_t, 4>{};
  else {
    using S = detail::cipher_shape<K, C>;
    handle const k = detail::as_traced(r, keys).value, c = detail::as_traced(r, counters).value;
    return detail::cipher_words<S, 4>{detail::philox(r, k, c, S::value)};
  }
}

} // namespace weft::inline v0
