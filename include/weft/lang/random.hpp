// SPDX-License-Identifier: BSL-1.0
// Random numbers in a trace: functions of a key, as JAX's with threefry2x32 and the partitionable
// layout, bit for bit. Element i (row-major) of a draw is a function of the key and i alone, so a
// draw is elementwise, fuses, and costs no memory.
//   split(key)  split<4>(key)  split_keys<4>(key)  fold_in(key, i)  bits<8>(key)
//   uniform<2, 3>(key)  uniform<3>(key, a, b)  bernoulli<3>(key, p)  dropout(key, rate, x)
// A key is for one split or one draw: a second one is the graph's error key_used_twice. fold_in
// gives a new key and never uses its own up.
// Needs: structure.hpp, elementwise.hpp. H(k, a, b) below is threefry2x32 of key k, counter (a, b).
// Source: Salmon et al. 2011 (Random123); jax/_src/prng.py, jax_threefry_partitionable.
#pragma once

#include <weft/lang/elementwise.hpp>
#include <weft/lang/run_extent.hpp>
#include <weft/lang/structure.hpp>

namespace weft::inline v0 {
namespace detail {

struct two_words {
  handle first, second;
};
// H of one key at counters (0, low): two arrays of low's shape.
constexpr two_words threefry(recorder& r, handle k, handle low) {
  extents const s = low.shape();
  auto word = [&](int i) { return broadcast_to(reshape(slice_axis(k, 0, i, 1), {}), s); };
  handle operands[] = {word(0), word(1), constant(r, 0, dtype::u32, s), low};
  handle h = r.emit(op::threefry2x32, dtype::u32, s, {operands, 4});
  return {get(h, 0, dtype::u32, s), get(h, 1, dtype::u32, s)};
}
constexpr handle key_of(two_words w) {
  handle words[] = {reshape(w.first, {1, {1}}), reshape(w.second, {1, {1}})};
  return concat({words, 2}, 0);
}
// The row-major index of every element: ((i0 * e1 + i1) * e2 + i2) ...
constexpr handle element_index(recorder& r, extents const& s) {
  handle index;
  for (int axis = 0; axis < s.rank; ++axis) {
    if (s[axis] == 1) continue;
    handle along = iota(r, dtype::u32, s, axis);
    if (!index.valid()) index = along;
    else index = index * broadcast_to(count_node(r, {1, {s[axis]}}, dtype::u32), s) + along;
  }
  return index.valid() ? index : constant(r, 0, dtype::u32, s);
}

constexpr bool countable_by_word(extents const& s) {
  extent n = 1;
  for (int i = 0; i < s.rank; ++i)
    if (!is_named(s[i]) && (n *= s[i]) > 0xffffffff) return false;
  return true;
}
template <class S> concept fewer_than_2_to_32_elements = countable_by_word(S::value);
template <class K> concept single_key = K::rank == 0;

template <class K> constexpr recorder& use_up(K const& k) {
  recorder& r = k.value.where->innermost();
  r.consume_key(k.value);
  return r;
}
template <class K, class S> consteval bool check_draw() {
  static_assert(single_key<K>, "weft: an array of keys; take one of them, or scan over them");
  static_assert(fewer_than_2_to_32_elements<S>, "weft: a draw has fewer than 2^32 elements");
  return single_key<K> && fewer_than_2_to_32_elements<S>;
}
// 32 random bits an element: the two words of H, xored.
template <class S, class K> constexpr traced_of<std::uint32_t, S::value> draw_bits(K const& k) {
  if constexpr (!check_draw<K, S>()) return {};
  else {
    recorder& r = use_up(k);
    two_words w = threefry(r, k.value, element_index(r, S::value));
    return {binary(op::bit_xor, dtype::u32, w.first, w.second)};
  }
}
// In [0, 1): 23 bits below the exponent of 1, minus 1.
template <class S, class K> constexpr traced_of<float, S::value> draw_uniform(K const& k) {
  return bitcast<float>((draw_bits<S>(k) >> 9) | 0x3f800000u) - 1.0f;
}

} // namespace detail

// N keys, keys[i] = H(key, 0, i): auto keys = split(key); then keys[0], keys[1].
template <int N = 2, traced_random_key K> constexpr std::array<traced_key<>, N> split(K const& k) {
  if constexpr (!detail::check_draw<K, shape<N>>()) return {};
  else {
    recorder& r = detail::use_up(k);
    auto words = detail::threefry(r, k.value, iota(r, dtype::u32, {1, {N}}, 0));
    std::array<traced_key<>, N> keys;
    for (int i = 0; i < N; ++i)
      keys[static_cast<unsigned>(i)].value = detail::key_of(
          {slice_axis(words.first, 0, i, 1), slice_axis(words.second, 0, i, 1)});
    return keys;
  }
}
// The same keys as one array, for a scan over them.
template <auto N, traced_random_key K> constexpr traced_key<N> split_keys(K const& k) {
  if constexpr (!detail::check_draw<K, shape<N>>()) return {};
  else {
    recorder& r = detail::use_up(k);
    constexpr extent n = extent_value<N>();
    auto words = detail::threefry(r, k.value, iota(r, dtype::u32, {1, {n}}, 0));
    handle columns[] = {reshape(words.first, {2, {n, 1}}), reshape(words.second, {2, {n, 1}})};
    return {concat({columns, 2}, 1)};
  }
}
// H(key, 0, i): i is an int, known now or by the run.
template <traced_random_key K, class I> constexpr traced_key<> fold_in(K const& k, I const& i) {
  using T = detail::element_of<I>;
  static_assert(detail::single_key<K>,
                "weft: an array of keys; take one of them, or scan over them");
  static_assert(std::is_integral_v<T> && !std::is_same_v<T, bool> &&
                    detail::shape_of_operand<I>::rank == 0,
                "weft: fold_in: the number is one int");
  recorder& r = detail::recorder_of(k, i);
  handle low = convert(detail::node_of<T>(r, i, {}), dtype::u32);
  return {detail::key_of(detail::threefry(r, k.value, low))};
}

// Shape (E...) of uint32, every bit random: bits<8>(key).
template <auto... E, traced_random_key K> constexpr auto bits(K const& k) {
  return detail::draw_bits<shape<E...>>(k);
}
// Shape (E...) of float, uniform in [0, 1), multiples of 2^-23.
template <auto... E, traced_random_key K> constexpr auto uniform(K const& k) {
  return detail::draw_uniform<shape<E...>>(k);
}
// Uniform in [a, b): max(a, fma(u, b - a, a)).
template <auto... E, traced_random_key K, class A, class B>
constexpr auto uniform(K const& k, A const& a, B const& b) {
  auto u = detail::draw_uniform<shape<E...>>(k);
  if constexpr (number_literal<A> && number_literal<B>) {
    float low = static_cast<float>(a), high = static_cast<float>(b);
    return maximum(low, fma(u, high - low, low));
  } else return maximum(a, fma(u, b - a, a));
}
// Shape (E...) of bool, true with probability p.
template <auto... E, traced_random_key K, class P>
constexpr auto bernoulli(K const& k, P const& p) {
  return detail::draw_uniform<shape<E...>>(k) < p;
}

// where(bernoulli(key, keep), x / keep, 0), keep = 1 - rate; rate is the probability of dropping.
// A number: keep is rounded from double, 0 gives x and 1 gives zeros. Else one float, below 1.
template <traced_random_key K, class Rate, traced_array A>
constexpr A dropout(K const& k, Rate const& rate, A const& x) {
  using S = typename A::shape_type;
  static_assert(is_float(dtype_of<typename A::element_type>),
                "weft: dropout: not a float; write convert<float>(x)");
  auto u = detail::draw_uniform<S>(k);
  if constexpr (number_literal<Rate>) {
    double kept = 1 - static_cast<double>(rate);
    if (kept == 1) return x;
    if (kept == 0) return zeros_like(x);
    return select(u < kept, x / kept, 0);
  } else {
    auto kept = 1 - rate;
    return select(u < kept, x / convert<typename A::element_type>(kept), 0);
  }
}

} // namespace weft::inline v0
