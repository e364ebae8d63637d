// SPDX-License-Identifier: BSL-1.0
// Names that the run binds by what a node makes of its operands: the sum of a concat's parts, the
// elements of a range or of a padded axis, the product of a reshape's other extents. Where the name
// is an input's too, or two nodes give it, the numbers must agree.
// Needs: bindings of the names of inputs. Leaves: more bindings, or shape_error; what cannot be
// known yet stays so.
#pragma once

#include <weft/graph/bind.hpp>
#include <weft/graph/collective.hpp>
#include <weft/graph/limits.hpp>

namespace weft::inline v0 {

// Does node `id` give a name that none of its operands has?
constexpr bool gives_name(graph_view g, int id) {
  op const code = g[id].code;
  if (code != op::concat && code != op::slice && code != op::pad && code != op::reshape)
    return false;
  extents const& s = g.shape(id);
  for (int i = 0; i < s.rank; ++i) {
    bool known = !is_named(s[i]);
    for (int x : g.operands_of(id)) known |= detail::times(g.shape(x), s[i]) > 0;
    if (!known) return true;
  }
  return false;
}

namespace detail {

[[noreturn]] WEFT_NOINLINE inline void raise_derived(char const* what, extent name, extent is,
                                                     extent expected) {
  char text[max_name + 1]{};
  unpack_name(name, text);
  raise<shape_error>(message(what).add(expected).add(", but ").add(text).add(" is ").add(is));
}
[[noreturn]] WEFT_NOINLINE inline void raise_range(extent is, extent limit) {
  raise<shape_error>(
      message("weft: slice: the extent is ").add(is).add(", expected at least ").add(limit));
}
[[noreturn]] WEFT_NOINLINE inline void raise_count(extents const& from, extents const& to) {
  raise<shape_error>(
      message("weft: reshape: the elements of ").add(from).add(" do not make ").add(to));
}
// Of reshape `id`. One before a collective makes an axis of the parts that are shared out.
[[noreturn]] WEFT_NOINLINE inline void raise_reshape(graph_view g, int id, extents const& from,
                                                     extents const& to) {
  for (int k = id + 1; k < g.size(); ++k)
    if (g[k].code == op::collective && g.operand(k, 0) == id && collective_of(g, k).has_axis())
      raise_share(from, collective_of(g, k).group);
  raise_count(from, to);
}
constexpr extents bound(extents s, view<binding> names) {
  for (int i = 0; i < s.rank; ++i) s[i] = weft::bound(s[i], names);
  return s;
}
constexpr void bind_name(extent name, extent number, char const* what, growing<binding>& names) {
  extent const is = weft::bound(name, names);
  if (is_named(is)) names.push({name, number});
  else if (is != number) raise_derived(what, name, is, number);
}

constexpr void bind_sum(graph_view g, int id, growing<binding>& names) {
  int const axis = static_cast<int>(g.attribute(id, 0));
  extent const declared = g.shape(id)[axis];
  if (!is_named(declared)) return;
  extent sum = 0;
  for (int part : g.operands_of(id)) {
    extent const e = weft::bound(g.shape(part)[axis], names);
    if (is_named(e)) return;
    sum += e;
    if (sum > most_elements) raise_elements({1, {sum}});
  }
  bind_name(declared, sum, "weft: concat: the joined extents add up to ", names);
}
constexpr void bind_ranges(graph_view g, int id, growing<binding>& names) {
  extents const &from = g.shape(g.operand(id, 0)), &to = g.shape(id);
  for (int i = 0, rank = from.rank; i < rank; ++i) {
    extent const start = g.attribute(id, i), limit = g.attribute(id, rank + i),
                 stride = g.attribute(id, 2 * rank + i), n = weft::bound(from[i], names);
    if (!is_named(from[i]) || is_named(n) || takes_whole(from[i], start, limit, stride)) continue;
    if (!is_named(limit) && limit > n) raise_range(n, limit);
    if (is_named(to[i]))
      bind_name(to[i], elements_between(start, limit_of(limit, n), stride),
                "weft: slice: the number of elements is ", names);
  }
}
constexpr void bind_padded(graph_view g, int id, growing<binding>& names) {
  extents const &from = g.shape(g.operand(id, 0)), &to = g.shape(id);
  for (int i = 0, rank = from.rank; i < rank; ++i) {
    extent const low = g.attribute(id, i), high = g.attribute(id, rank + i),
                 interior = g.attribute(id, 2 * rank + i), n = weft::bound(from[i], names);
    if (is_named(n)) continue;
    if (n > 0 && interior > (most_elements - n) / n) raise_padding(n, interior);
    if (!is_named(to[i]) || is_before_end(high)) continue;
    bind_name(to[i], padded(n, low, high, interior), "weft: pad: the number of elements is ",
              names);
  }
}
// Equal extents of both sides say nothing about the others: also where they are 0.
constexpr void cancel(extents& a, extents& b) {
  for (int i = 0; i < a.rank; ++i)
    for (int j = 0; j < b.rank; ++j)
      if (a[i] == b[j]) {
        a[i] = b[j] = 1;
        break;
      }
}
// One extent that is not known yet is what is left of the elements.
constexpr void bind_count(graph_view g, int id, growing<binding>& names) {
  extents const &declared = g.shape(id), &before = g.shape(g.operand(id, 0));
  if (same_count(before, declared)) return;
  extents from = bound(before, names), to = bound(declared, names);
  if (!is_static(from)) return;
  if (elements_of(from) < 0) raise_elements(from);
  if (elements_of(to) < 0) raise_elements(to);
  if (is_static(to)) {
    if (count_of(from) != count_of(to)) raise_reshape(g, id, from, to);
    return;
  }
  extents const whole = from, result = to;
  cancel(from, to);
  int unknown = 0;
  extent name = 0;
  for (int i = 0; i < to.rank; ++i)
    if (is_named(to[i])) ++unknown, name = to[i];
  if (unknown > 1) return;
  extent const all = count_of(from), others = product_of_numbers(to);
  if (others == 0 ? all != 0 : all % others != 0) raise_reshape(g, id, whole, result);
  if (others != 0) names.push({name, all / others});
}
// Where nothing else gives the name: of no elements, 0. True if there was one.
constexpr bool bind_empty(graph_view g, growing<binding>& names) {
  for (int id = 0; id < g.size(); ++id) {
    if (g[id].code != op::reshape) continue;
    extents const from = bound(g.shape(g.operand(id, 0)), names), to = bound(g.shape(id), names);
    if (!is_static(from) || count_of(from) != 0) continue;
    for (int i = 0; i < to.rank; ++i)
      if (is_named(to[i])) return names.push({to[i], 0}), true;
  }
  return false;
}

} // namespace detail

// What node `id` gives.
constexpr void bind_derived(graph_view g, int id, growing<binding>& names) {
  switch (g[id].code) {
    case op::concat: return detail::bind_sum(g, id, names);
    case op::slice: return detail::bind_ranges(g, id, names);
    case op::pad: return detail::bind_padded(g, id, names);
    case op::reshape: return detail::bind_count(g, id, names);
    default: return;
  }
}

} // namespace weft::inline v0
