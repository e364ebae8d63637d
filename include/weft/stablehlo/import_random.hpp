// SPDX-License-Identifier: BSL-1.0
// rng_bit_generator, THREE_FRY and PHILOX, with XLA's layouts (DEFAULT is PHILOX, as on its CPU), and
// batch norms, which are their formulas.
//   THREE_FRY  ui64[2] = (key, counter): block i of counter + i. 64-bit elements are a block each; of
//              others two elements side by side along the first even axis, else the longest, are one.
//   PHILOX     ui64[2] = (key, counter), whose high half is the key; ui64[3] = (key, low, high). The
//              four words of block i follow each other. Elements below 32 bits are a word's low bits.
// Needs: graph/philox.hpp, import_shapes.hpp. Leaves: integer nodes.
// Source: xla/hlo/builder/lib/prng.cc.
#pragma once

#include <weft/graph/philox.hpp>
#include <weft/stablehlo/import_shapes.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

using weft::detail::two_words;

constexpr handle wide_number(recorder& r, extent n, extents const& s) {
  return constant_bits(r, n, dtype::u64, s);
}
// The words of 64 bits, the low one first.
constexpr two_words low_and_high(recorder& r, handle x) {
  two_words const h = weft::detail::halves(r, x);
  return {h.second, h.first};
}
constexpr handle joined(handle low, handle high) {
  handle const up = convert(high, dtype::u64);
  handle const shift = wide_number(*up.where, 32, up.shape());
  return binary(op::bit_or, dtype::u64, convert(low, dtype::u64),
                binary(op::shift_left, dtype::u64, up, shift));
}
constexpr handle state_word(handle state, int i) { return reshape(slice_axis(state, 0, i, 1), {}); }
constexpr handle state_of(view<handle> words) {
  growing<handle> parts;
  for (handle w : words) parts.push(reshape(w, {1, {1}}));
  return concat(parts, 0);
}
// Words or pairs of words as elements of `type`.
constexpr handle elements_of_words(handle bits, dtype type) {
  return is_signed(type) ? bitcast(convert(bits, integer_like(type, false)), type)
                         : convert(bits, type);
}

struct random_bits {
  handle state, bits; // ui32, or ui64 for elements of 64 bits
};

// ---- THREE_FRY
constexpr two_words threefry_blocks(recorder& r, handle state, extents const& s) {
  handle const index = weft::detail::element_index(r, s, dtype::u64);
  two_words const key = low_and_high(r, state_word(state, 0));
  two_words const at = low_and_high(r, broadcast_to(state_word(state, 1), s) + index);
  return weft::detail::threefry(r, key, at.first, at.second);
}
constexpr int split_axis(extents const& s) {
  int longest = 0;
  for (int i = 0; i < s.rank; ++i)
    if (s[i] % 2 == 0) return i;
  for (int i = 0; i < s.rank; ++i)
    if (s[i] > s[longest]) longest = i;
  return longest;
}
constexpr random_bits threefry_bits(recorder& r, handle state, extents const& s, bool wide) {
  extents half = s;
  if (s.rank == 0) half.push(1);
  int const axis = split_axis(half);
  extent const whole = half[axis];
  if (!wide) half[axis] = (whole + 1) / 2;
  two_words const b = threefry_blocks(r, state, wide ? s : half);
  handle const words[] = {state_word(state, 0),
                          state_word(state, 1) + wide_number(r, count_of(wide ? s : half), {})};
  random_bits result{state_of({words, 2}), {}};
  if (wide) result.bits = joined(b.first, b.second);
  else {
    extents one, both = half;
    for (int i = 0; i < half.rank; ++i) {
      one.push(half[i]);
      if (i == axis) one.push(1);
    }
    both[axis] = 2 * half[axis];
    handle const parts[] = {reshape(b.first, one), reshape(b.second, one)};
    handle const all = reshape(concat({parts, 2}, axis + 1), both);
    result.bits = reshape(slice_axis(all, axis, 0, whole), s);
  }
  return result;
}

// ---- PHILOX
constexpr random_bits philox_bits(recorder& r, handle state, extents const& s, bool wide) {
  extent const words = count_of(s) * (wide ? 2 : 1);
  extents const blocks{1, {(words + 3) / 4}}, all{1, {4 * blocks[0]}};
  bool const three = state.shape()[0] == 3;
  handle const key = state_word(state, 0), low = state_word(state, 1),
               high = state_word(state, three ? 2 : 0);
  auto const advanced = [](handle lo, handle hi, handle by) {
    handle const next = lo + by;
    return two_words{next, hi + convert(less(next, lo), dtype::u64)};
  };
  two_words const at = advanced(broadcast_to(low, blocks), broadcast_to(high, blocks),
                                iota(r, dtype::u64, blocks, 0));
  two_words const lows = low_and_high(r, at.first), highs = low_and_high(r, at.second),
                  k = low_and_high(r, key);
  handle c[] = {lows.first, lows.second, highs.first, highs.second};
  weft::detail::philox(r, {broadcast_to(k.first, blocks), broadcast_to(k.second, blocks)}, c,
                       blocks);
  handle const line = slice_axis(reshape(weft::detail::side_by_side({c, 4}), all), 0, 0, words);
  two_words const after = advanced(low, high, wide_number(r, blocks[0], {}));
  handle const next[] = {key, after.first, after.second};
  random_bits result{state_of({next, three ? 3 : 2}), {}};
  if (!wide) result.bits = reshape(line, s);
  else {
    handle const pairs = reshape(line, {2, {count_of(s), 2}});
    extents const one{1, {count_of(s)}};
    result.bits = reshape(
        joined(reshape(slice_axis(pairs, 1, 0, 1), one), reshape(slice_axis(pairs, 1, 1, 1), one)),
        s);
  }
  return result;
}
constexpr void import_rng_bit_generator(importing& c, operation const& o) {
  if (!c.takes(o, 1, 2)) return;
  handle const state = c.in(o, 0);
  text_span const algorithm = text_in(c.m.find(o, "rng_algorithm"));
  bool const three_fry = c.m.is(algorithm, "THREE_FRY");
  if (!three_fry && !c.m.is(algorithm, "PHILOX") && !c.m.is(algorithm, "DEFAULT"))
    return c.fail(o, "rng_algorithm is none of THREE_FRY PHILOX DEFAULT");
  extents const s = written_shape(c, o, 1), given = state.shape();
  dtype const type = c.ok() ? c.result_type(o, 1).element : dtype::u32;
  bool const sized = given.rank == 1 && (given[0] == 2 || (given[0] == 3 && !three_fry));
  if (c.ok() && (state.type() != dtype::u64 || !sized))
    c.fail(o, "the state is ui64 of 2 words, or of 3 for PHILOX");
  if (c.ok() && !is_integer(type)) c.fail(o, "elements are integers; convert them to floats");
  if (c.ok() && count_of(s) > weft::detail::most_extent / 4)
    c.fail(o, "more than 2^29 elements are drawn");
  if (three_fry && c.ok() && s.rank == max_rank) c.fail(o, "an array of 8 axes has no room");
  if (!c.ok()) return;
  bool const wide = size_of(type) == 8;
  random_bits const b = three_fry ? threefry_bits(c.r, state, s, wide)
                                  : philox_bits(c.r, state, s, wide);
  c.give(o, 0, b.state);
  c.give(o, 1, elements_of_words(b.bits, type));
}

// ---- batch norms, along all axes but one
struct norm {
  handle x; // as its sums are computed
  extents whole;
  extent others = 0, along = 0, count = 1;

  constexpr handle over(handle h) const { return reduce(op::reduce_sum, h, others); }
  constexpr handle mean(handle h) const {
    handle const sum = over(h);
    return sum / constant(*h.where, static_cast<double>(count), h.type(), sum.shape());
  }
  constexpr handle spread(handle h) const { return broadcast(h, whole, {&along, 1}); }
};
constexpr norm norm_of(importing& c, operation const& o, int parameters) {
  norm n;
  n.x = c.in(o, 0);
  n.whole = n.x.shape();
  int const axis = axis_of(c, o, "feature_index", n.whole.rank);
  if (c.ok() && (!is_float(n.x.type()) || !is_static(n.whole)))
    c.fail(o, "the operand is floats, of known extents");
  for (int k = 1; k <= parameters && c.ok(); ++k) {
    handle const p = c.in(o, k);
    if (p.type() != n.x.type() || !(p.shape() == extents{1, {n.whole[axis]}}))
      c.fail(o, "a number per feature, of the operand's type");
  }
  if (!c.ok()) return n;
  n.along = axis;
  for (int i = 0; i < n.whole.rank; ++i)
    if (i != axis) {
      n.others |= extent{1} << i;
      n.count *= n.whole[i];
    }
  return n;
}
constexpr handle epsilon_of(importing& c, operation const& o, handle like) {
  attribute const* const a = c.m.find(o, "epsilon");
  if (a == nullptr || a->kind != attribute_kind::real) c.fail(o, "epsilon is missing");
  double const e = c.ok() ? std::bit_cast<double>(a->integer) : 0;
  return number_like(like, e);
}
constexpr handle normalised(importing& c, operation const& o, norm const& n, handle scale,
                            handle offset, handle mean, handle variance) {
  handle const deviation = unary(op::sqrt, variance + epsilon_of(c, o, variance));
  return n.spread(scale) * ((n.x - n.spread(mean)) / n.spread(deviation)) + n.spread(offset);
}
constexpr void import_batch_norm_inference(importing& c, operation const& o) {
  if (!c.takes(o, 5, 1)) return;
  norm const n = norm_of(c, o, 4);
  if (!c.ok()) return;
  handle const h = normalised(c, o, n, c.in(o, 1), c.in(o, 2), c.in(o, 3), c.in(o, 4));
  c.give(o, h);
}
constexpr handle variance_of(norm const& n, handle mean) {
  handle const centered = n.x - n.spread(mean);
  return n.mean(centered * centered);
}
constexpr void import_batch_norm_training(importing& c, operation const& o) {
  if (!c.takes(o, 3, 3)) return;
  norm const n = norm_of(c, o, 2);
  if (!c.ok()) return;
  handle const mean = n.mean(n.x), variance = variance_of(n, mean);
  handle const h = normalised(c, o, n, c.in(o, 1), c.in(o, 2), mean, variance);
  c.give(o, 0, h);
  c.give(o, 1, mean);
  c.give(o, 2, variance);
}
// operand, scale, mean, variance, the result's gradient: those of operand, scale and offset.
constexpr void import_batch_norm_grad(importing& c, operation const& o) {
  if (!c.takes(o, 5, 3)) return;
  norm const n = norm_of(c, o, 3);
  handle const g = c.in(o, 4);
  if (c.ok() && (g.type() != n.x.type() || !(g.shape() == n.whole)))
    c.fail(o, "the gradient has the operand's type");
  if (!c.ok()) return;
  handle const scale = c.in(o, 1), variance = c.in(o, 3);
  handle const centered = n.x - n.spread(c.in(o, 2));
  handle const shifted = variance + epsilon_of(c, o, variance);
  handle const deviation = unary(op::sqrt, shifted);
  handle const all = number_like(g, static_cast<double>(n.count));
  handle const products = n.over(g * centered), sums = n.over(g);
  handle const i1 = g * all, i2 = n.spread(sums), i3 = n.spread(products);
  handle const i4 = i3 * centered, i5 = i4 / n.spread(shifted), i6 = i1 - i2 - i5;
  handle const each = n.spread(scale / deviation /
                               number_like(deviation, static_cast<double>(n.count)));
  c.give(o, 0, each * i6);
  c.give(o, 1, products / deviation);
  c.give(o, 2, sums);
}

} // namespace detail
} // namespace weft::inline v0::stablehlo
