// SPDX-License-Identifier: BSL-1.0
// Random words from a key and a counter, as nodes: blocks of threefry2x32, the two layouts of
// counters, and draws of 8, 16, 32 and 64 bits. H(k, a, b) is threefry2x32 of key k, counter (a, b).
//   partitionable   element i (row-major) is a function of H(k, i >> 32, i) alone: JAX's default
//   not             JAX's layout before 0.5: n words are n counters, the first half of which are
//                   the first words of blocks and the rest the second words; so every number
//                   depends on n, and each costs a block
// Needs: graph. Leaves: elementwise nodes of an iota and a key, so that a draw fuses and costs no
// memory. Source: Salmon et al. 2011 (Random123); jax/_src/prng.py.
#pragma once

#include <weft/graph/run_extent.hpp>

namespace weft::inline v0 {

// How a draw counts: uniform<random_options{.partitionable = false}, 3>(key).
struct random_options {
  bool partitionable = true;
};

namespace detail {

struct two_words {
  handle first, second;
};
constexpr handle filled(recorder& r, double value, handle like) {
  return constant(r, value, like.type(), like.shape());
}
// The words of one key, rank 0.
constexpr two_words words_of_key(handle k) {
  return {reshape(slice_axis(k, 0, 0, 1), {}), reshape(slice_axis(k, 0, 1, 1), {})};
}
// H of one key at counters (high, low): two arrays of their shape.
constexpr two_words threefry(recorder& r, two_words k, handle high, handle low) {
  extents const s = low.shape();
  handle operands[] = {broadcast_to(k.first, s), broadcast_to(k.second, s), high, low};
  handle h = r.emit(op::threefry2x32, dtype::u32, s, {operands, 4});
  return {get(h, 0, dtype::u32, s), get(h, 1, dtype::u32, s)};
}
constexpr two_words threefry(recorder& r, two_words k, handle low) {
  return threefry(r, k, filled(r, 0, low), low);
}

// Arrays of words as keys: the two words beside each other, the last axis.
constexpr handle keys_of(two_words w) {
  extents s = w.first.shape();
  s.push(1);
  handle words[] = {reshape(w.first, s), reshape(w.second, s)};
  return concat({words, 2}, s.rank - 1);
}

// At most 2^32 elements by their static extents. Names are counted as 1: where they make more,
// binding the graph is an error (graph/bind_inputs.hpp).
constexpr bool countable_by_word(extents const& s) {
  extent n = 1;
  for (int i = 0; i < s.rank; ++i) {
    if (s[i] == 0) return true;
    if (!is_named(s[i]) && (n *= s[i]) > 0x100000000) return false;
  }
  return true;
}
// The row-major index of every element: ((i0 * e1 + i1) * e2 + i2) ...
constexpr handle element_index(recorder& r, extents const& s, dtype type) {
  handle index;
  for (int axis = 0; axis < s.rank; ++axis) {
    if (s[axis] == 1) continue;
    handle along = iota(r, type, s, axis);
    if (!index.valid()) index = along;
    else index = index * broadcast_to(count_node(r, {1, {s[axis]}}, type), s) + along;
  }
  return index.valid() ? index : constant(r, 0, type, s);
}
constexpr handle shifted_right(recorder& r, handle x, int count) {
  return binary(op::shift_right_logical, x.type(), x, filled(r, count, x));
}
constexpr two_words halves(recorder& r, handle x) { // of 64 bits
  return {convert(shifted_right(r, x, 32), dtype::u32), convert(x, dtype::u32)};
}
// H at the index of every element, 64 bits of it.
constexpr two_words blocks_by_index(recorder& r, two_words k, extents const& s) {
  if (countable_by_word(s)) return threefry(r, k, element_index(r, s, dtype::u32));
  two_words const counter = halves(r, element_index(r, s, dtype::u64));
  return threefry(r, k, counter.first, counter.second);
}

// Of the other layout: word number `index` of `count`, both u32, `count` of rank 0.
constexpr handle word_of_halves(recorder& r, two_words k, handle index, handle count) {
  extents const s = index.shape();
  handle one = constant(r, 1, dtype::u32, {});
  handle half = broadcast_to(shifted_right(r, count + one, 1), s);
  handle behind = compare(op::greater_equal, index, half);
  handle low = select(behind, index - half, index), high = low + half;
  handle none = filled(r, 0, index); // an odd count is made even by a 0
  two_words w = threefry(r, k, low, select(less(high, broadcast_to(count, s)), high, none));
  return select(behind, w.second, w.first);
}
// Word `index / parts` of that layout, `part` of it: little-endian.
constexpr handle part_of_halves(recorder& r, two_words k, extents const& s, int width) {
  handle index = element_index(r, s, dtype::u32), n = count_node(r, s, dtype::u32);
  int const parts = 32 / width, log2 = parts == 4 ? 2 : 1;
  handle words = shifted_right(r, n + constant(r, parts - 1, dtype::u32, {}), log2);
  handle word = word_of_halves(r, k, shifted_right(r, index, log2), words);
  handle part = binary(op::bit_and, dtype::u32, index, filled(r, parts - 1, index));
  return binary(op::shift_right_logical, dtype::u32, word, part * filled(r, width, part));
}

constexpr handle joined_words(recorder& r, two_words w) { // one of 64 bits
  handle high = convert(w.first, dtype::u64), low = convert(w.second, dtype::u64);
  handle up = binary(op::shift_left, dtype::u64, high, filled(r, 32, high));
  return binary(op::bit_or, dtype::u64, up, low);
}
constexpr handle low_bits(recorder& r, handle x, int width) {
  if (width >= 32) return x;
  return binary(op::bit_and, x.type(), x, filled(r, (1 << width) - 1, x));
}
constexpr handle drawn_by_halves(recorder& r, two_words k, extents const& s, int width) {
  if (width < 32) return low_bits(r, part_of_halves(r, k, s, width), width);
  handle index = element_index(r, s, dtype::u32), n = count_node(r, s, dtype::u32);
  if (width == 32) return word_of_halves(r, k, index, n);
  return joined_words(r, threefry(r, k, index, index + broadcast_to(n, s)));
}
// `width` random bits for each element of s, in a u64 if they are 64, else in a u32.
constexpr handle drawn(recorder& r, two_words k, extents const& s, int width, random_options o) {
  if (!o.partitionable) return drawn_by_halves(r, k, s, width);
  two_words w = blocks_by_index(r, k, s);
  if (width == 64) return joined_words(r, w);
  return low_bits(r, binary(op::bit_xor, dtype::u32, w.first, w.second), width);
}

// As many keys as s has elements: (s..., 2).
constexpr handle split_of(recorder& r, two_words k, extents const& s, random_options o) {
  if (o.partitionable) return keys_of(blocks_by_index(r, k, s));
  extents words = s;
  words.push(2);
  handle index = element_index(r, words, dtype::u32), n = count_node(r, words, dtype::u32);
  return word_of_halves(r, k, index, n);
}
// Key number i of a split into n.
constexpr two_words subkey(recorder& r, two_words k, int i, int n, random_options o) {
  auto number = [&r](int x) { return constant(r, x, dtype::u32, {}); };
  if (o.partitionable) return threefry(r, k, number(i));
  handle const count = number(2 * n);
  return {word_of_halves(r, k, number(2 * i), count),
          word_of_halves(r, k, number(2 * i + 1), count)};
}

} // namespace detail
} // namespace weft::inline v0
