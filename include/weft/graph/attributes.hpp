// SPDX-License-Identifier: BSL-1.0
// Attribute lists of the larger ops, as structs: contraction (labels and order) and loop (scan);
// and the small rules on extents and axis sets that doors, passes and backends share.
// Leaves: one encoding, written by `encode`, read by `contraction_of` and `loop_of`.
#pragma once

#include <weft/graph/graph.hpp>

#include <initializer_list>

namespace weft::inline v0 {

// sum over the labels of a and b that are absent from the result. Contracted labels are ordered by
// first appearance (a's, which are b's too), the first outermost.
//   chain: acc = start or +0; for each contracted index: acc = fma(a, b, acc)
//   lanes: 64 such accumulators, index i goes to i mod 64, combined by a halving tree
// then the bias is added in the accumulation type, then one rounding to the node's type.
struct contraction {
  contract_order order = contract_order::chain;
  bool has_start = false;
  bool has_bias = false;
  int rank_a = 0, rank_b = 0, rank_out = 0;
  extent a[max_rank]{}, b[max_rank]{}, out[max_rank]{}; // labels

  constexpr bool in_a(extent label) const { return find(a, rank_a, label) >= 0; }
  constexpr bool in_b(extent label) const { return find(b, rank_b, label) >= 0; }
  constexpr bool in_out(extent label) const { return find(out, rank_out, label) >= 0; }
  constexpr bool contracted(extent label) const { return in_a(label) && !in_out(label); }
  static constexpr int find(extent const (&labels)[max_rank], int rank, extent label) {
    for (int i = 0; i < rank; ++i)
      if (labels[i] == label) return i;
    return -1;
  }
};

constexpr growing<extent> encode(contraction const& c) {
  growing<extent> r;
  r.reserve(4 + c.rank_a + c.rank_b + c.rank_out);
  r.push(static_cast<extent>(c.order));
  r.push((c.has_start ? 1 : 0) + (c.has_bias ? 2 : 0));
  r.push(c.rank_a);
  r.push(c.rank_b);
  for (int i = 0; i < c.rank_a; ++i) r.push(c.a[i]);
  for (int i = 0; i < c.rank_b; ++i) r.push(c.b[i]);
  for (int i = 0; i < c.rank_out; ++i) r.push(c.out[i]);
  return r;
}
constexpr contraction contraction_of(view<extent> attributes) {
  contraction c;
  c.order = static_cast<contract_order>(attributes[0]);
  c.has_start = (attributes[1] & 1) != 0;
  c.has_bias = (attributes[1] & 2) != 0;
  c.rank_a = static_cast<int>(attributes[2]);
  c.rank_b = static_cast<int>(attributes[3]);
  c.rank_out = attributes.size() - 4 - c.rank_a - c.rank_b;
  int at = 4;
  for (int i = 0; i < c.rank_a; ++i) c.a[i] = attributes[at++];
  for (int i = 0; i < c.rank_b; ++i) c.b[i] = attributes[at++];
  for (int i = 0; i < c.rank_out; ++i) c.out[i] = attributes[at++];
  return c;
}
constexpr contraction contraction_of(graph_view g, int id) {
  return contraction_of(g.attributes_of(id));
}

// The order is fixed when a contraction is recorded and never changed by a pass: lanes iff one
// free side has no label of extent other than a static 1 (a name counts as not 1).
constexpr contract_order order_for(contraction const& c, extents const& a, extents const& b) {
  bool free_a = false, free_b = false;
  for (int i = 0; i < c.rank_a; ++i) free_a |= !c.in_b(c.a[i]) && a[i] != 1;
  for (int i = 0; i < c.rank_b; ++i) free_b |= !c.in_a(c.b[i]) && b[i] != 1;
  return free_a && free_b ? contract_order::chain : contract_order::lanes;
}
namespace detail {
constexpr void copy_labels(extent const* from, int count, extent* to, int& rank) {
  for (rank = 0; rank < count; ++rank) to[rank] = from[rank];
}
// A label beyond all of these.
constexpr extent label_beyond(std::initializer_list<view<extent>> lists) {
  extent fresh = 0;
  for (view<extent> const& labels : lists)
    for (extent label : labels) fresh = label >= fresh ? label + 1 : fresh;
  return fresh;
}
} // namespace detail
constexpr void put_first(extent (&labels)[max_rank], int& rank, extent label) {
  for (int i = rank++; i > 0; --i) labels[i] = labels[i - 1];
  labels[0] = label;
}
// A label that neither operand has; it as the outermost of the result and of those that `a` and `b`
// name.
constexpr extent fresh_label(contraction const& c) {
  return detail::label_beyond({{c.a, c.rank_a}, {c.b, c.rank_b}});
}
constexpr contraction with_outer_label(contraction c, bool a, bool b) {
  extent const fresh = fresh_label(c);
  if (a) put_first(c.a, c.rank_a, fresh);
  if (b) put_first(c.b, c.rank_b, fresh);
  put_first(c.out, c.rank_out, fresh);
  return c;
}
constexpr extents shape_of(contraction const& c, extents const& a, extents const& b) {
  extents s;
  for (int i = 0; i < c.rank_out; ++i) {
    int at = contraction::find(c.a, c.rank_a, c.out[i]);
    s.push(at >= 0 ? a[at] : b[contraction::find(c.b, c.rank_b, c.out[i])]);
  }
  return s;
}

// scan: operands carry…, xs…, constants…; the body's parameters are the same list with xs sliced;
// its outputs are carry…, y…; results carry…, ys (y with `length` in front). while_loop and cond are
// encoded so too: no xs, no ys and length 0; length 1. `unroll` is a wish for pass/unroll.hpp that
// does not change what a scan means; it is written where it is not 1. `custom`: a scan of no step
// that carries a derivative of the user's (lang/custom_vjp.hpp says how), with so many results; with
// `reverse`, one that carried it before the function was partitioned: a gradient through it is an error.
// `save`: what a reverse derivative keeps of every step, besides carries and xs; the rest is computed
// again on the way back. `role`: a scan of one step without carries and xs whose body is a region of
// checkpoint: `forward` as it was recorded; `backward` what a derivative made of it, which no pass
// takes anything out of, so that what is computed again stays computed again.
enum class residuals : std::uint8_t { products, everything, nothing };
enum class region_role : std::uint8_t { plain, forward, backward };
struct loop {
  int carries = 0, xs = 0, ys = 0;
  extent length = 0;
  bool reverse = false;
  extent unroll = 1;
  int custom = 0;
  residuals save = residuals::products;
  region_role role = region_role::plain;

  constexpr bool is_region() const { return role != region_role::plain; }
  constexpr bool lost_its_rule() const { return custom > 0 && reverse; }
};
constexpr extent keeping_of(loop const& l) {
  return static_cast<extent>(l.save) + 4 * static_cast<extent>(l.role);
}
constexpr growing<extent> encode(loop const& l) {
  growing<extent> r;
  r.reserve(8);
  extent const keeping = keeping_of(l);
  for (int n : {l.carries, l.xs, l.ys}) r.push(n);
  r.push(l.length);
  r.push(l.reverse ? 1 : 0);
  if (l.unroll != 1 || l.custom != 0 || keeping != 0) r.push(l.unroll);
  if (l.custom != 0 || keeping != 0) r.push(l.custom);
  if (keeping != 0) r.push(keeping);
  return r;
}
constexpr loop loop_of(graph_view g, int id) {
  view<extent> a = g.attributes_of(id);
  extent const keeping = a.size() > 7 ? a[7] : 0;
  return {static_cast<int>(a[0]),
          static_cast<int>(a[1]),
          static_cast<int>(a[2]),
          a[3],
          a[4] != 0,
          a.size() > 5 ? a[5] : 1,
          a.size() > 6 ? static_cast<int>(a[6]) : 0,
          static_cast<residuals>(keeping % 4),
          static_cast<region_role>(keeping / 4)};
}

constexpr extents with_leading(extent length, extents const& s) {
  extents r;
  r.push(length);
  for (int i = 0; i < s.rank; ++i) r.push(s[i]);
  return r;
}
constexpr extents without_leading(extents const& s, int axes = 1) {
  extents r;
  for (int i = axes; i < s.rank; ++i) r.push(s[i]);
  return r;
}

namespace detail {
constexpr int times(extents const& s, extent e) {
  int count = 0;
  for (int i = 0; i < s.rank; ++i) count += s[i] == e;
  return count;
}
constexpr extent product_of_numbers(extents const& s) {
  extent product = 1;
  for (int i = 0; i < s.rank; ++i)
    if (!is_named(s[i])) product *= s[i];
  return product;
}
} // namespace detail

// As many elements, whatever the names are bound to: equal names, equal products of numbers.
constexpr bool same_count(extents const& a, extents const& b) {
  for (extents const* s : {&a, &b})
    for (int i = 0; i < s->rank; ++i)
      if (is_named((*s)[i]) && detail::times(a, (*s)[i]) != detail::times(b, (*s)[i])) return false;
  return detail::product_of_numbers(a) == detail::product_of_numbers(b);
}
// The same, unless only the run knows: a name of one is none of the other's.
constexpr bool may_have_same_count(extents const& a, extents const& b) {
  for (extents const* s : {&a, &b})
    for (int i = 0; i < s->rank; ++i)
      if (is_named((*s)[i]) && detail::times(a, (*s)[i]) != detail::times(b, (*s)[i])) return true;
  return detail::product_of_numbers(a) == detail::product_of_numbers(b);
}

// The product of several extents: a number, their only name, or a name of its own, which equal
// extents in any order share. (Of 60 bits: the run, which binds it, would see a collision.)
constexpr extent product_extent(extents const& over) {
  auto mixed = [](std::uint64_t h) {
    h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9u;
    h = (h ^ (h >> 27)) * 0x94d049bb133111ebu;
    return h ^ (h >> 31);
  };
  extent const number = detail::product_of_numbers(over);
  std::uint64_t h = mixed(static_cast<std::uint64_t>(number));
  int names = 0;
  extent name = number;
  for (int i = 0; i < over.rank; ++i)
    if (is_named(over[i])) {
      ++names;
      name = over[i];
      h += mixed(static_cast<std::uint64_t>(over[i]));
    }
  if (names == 0 || (names == 1 && number == 1)) return name;
  return first_product - static_cast<extent>(h >> 5 & 0x7ffffffffffffffu);
}

// Does a slice of an axis take all of it?
constexpr bool takes_whole(extent length, extent start, extent limit, extent stride) {
  return start == 0 && limit == length && stride == 1;
}
// The same of axis i, and of all axes, by the attributes of a slice.
constexpr bool takes_whole(extents const& s, view<extent> slice, int i) {
  return takes_whole(s[i], slice[i], slice[s.rank + i], slice[2 * s.rank + i]);
}
constexpr bool takes_all(extents const& s, view<extent> slice) {
  for (int i = 0; i < s.rank; ++i)
    if (!takes_whole(s, slice, i)) return false;
  return true;
}
// Of a named axis' n elements, those from start on, below limit: the name, or before_end(k).
constexpr extent limit_of(extent limit, extent n) {
  if (is_before_end(limit)) return n > distance_to_end(limit) ? n - distance_to_end(limit) : 0;
  return is_named(limit) ? n : limit;
}
constexpr extent elements_between(extent start, extent limit, extent stride) {
  return limit <= start ? 0 : (limit - start + stride - 1) / stride;
}

// The extent that pad makes of an axis: a name that gets nothing keeps it.
constexpr extent padded(extent length, extent low, extent high, extent interior) {
  if (is_named(length) && low == 0 && high == 0 && interior == 0) return length;
  extent inside = length == 0 ? 0 : length + (length - 1) * interior;
  return inside + low + high < 0 ? 0 : inside + low + high;
}
// What pad node `id` keeps of its operand, whose strides are `from`: so many elements, from which
// on, and where they go in the row-major result.
struct kept_by_pad {
  extents shape, to;                   // and the steps there
  extents first;                       // the index there of the first that is kept, if any is
  bool is_box = true;                  // they are neighbours there, too
  extent first_from = 0, first_to = 0; // elements before the first that is kept
};
constexpr kept_by_pad elements_kept_by_pad(graph_view g, int id, extents const& from) {
  extents const& result = g.shape(id);
  kept_by_pad kept;
  kept.shape = g.shape(g.operand(id, 0));
  kept.to = row_major_strides(result);
  for (int i = 0; i < result.rank; ++i) {
    extent const low = g.attribute(id, i), step = g.attribute(id, 2 * result.rank + i) + 1;
    extent const first = low < 0 ? detail::share_count(-low, step) : 0;
    extent const space = result[i] - low; // places from element 0 to the end
    extent const fitting = space <= 0 ? 0 : detail::share_count(space, step);
    extent const end = fitting < kept.shape[i] ? fitting : kept.shape[i];
    kept.shape[i] = end > first ? end - first : 0;
    kept.first_from += first * from[i];
    kept.first.push(low + first * step);
    kept.first_to += kept.first[i] * kept.to[i];
    kept.to[i] *= step;
    kept.is_box = kept.is_box && step == 1;
  }
  return kept;
}

// Axis sets: bit i is axis i.
constexpr bool has_axis(extent set, int axis) { return ((set >> axis) & 1) != 0; }
constexpr extents without_axes(extents const& s, extent set) {
  extents r;
  for (int i = 0; i < s.rank; ++i)
    if (!has_axis(set, i)) r.push(s[i]);
  return r;
}

} // namespace weft::inline v0
