// SPDX-License-Identifier: BSL-1.0
// The generators themselves, for streams of one's own: blocks of counters under keys, words along
// the last axis of uint32 arrays; the other axes broadcast.
//   threefry2x32(keys, counters)   (..., 2), (..., 2) -> (..., 2), 20 rounds
//   philox4x32(keys, counters)     (..., 2), (..., 4) -> (..., 4), 10 rounds
// Needs: elementwise.hpp, counters.hpp. Leaves: elementwise nodes, and a concat.
// Source: Salmon, Moraes, Dror, Shaw 2011 (Random123), whose known answers the tests have.
#pragma once

#include <weft/lang/counters.hpp>
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
constexpr handle side_by_side(view<handle> words) {
  extents s = words[0].shape();
  s.push(1);
  growing<handle> parts;
  for (handle w : words) parts.push(reshape(w, s));
  return concat(parts, s.rank - 1);
}
template <class K, class C>
using cipher_shape = joined_shape<shape_of_value<without_last(shape_of_operand<K>::value)>,
                                  shape_of_value<without_last(shape_of_operand<C>::value)>>;

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
constexpr handle philox(recorder& r, handle keys, handle counters, extents const& s) {
  handle c[4];
  for (int i = 0; i < 4; ++i) c[i] = word_along(counters, i, s);
  two_words k{word_along(keys, 0, s), word_along(keys, 1, s)};
  handle const step0 = constant(r, 0x9e3779b9, dtype::u32, s);
  handle const step1 = constant(r, 0xbb67ae85, dtype::u32, s);
  for (int round = 0; round < 10; ++round) {
    if (round > 0) k = {k.first + step0, k.second + step1};
    philox_round{r, s}(c, k);
  }
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
