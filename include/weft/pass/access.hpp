// SPDX-License-Identifier: BSL-1.0
// How a value is read: root node, offset and one stride per axis, in elements. Views are composed
// away here, for every backend: a consumer of transpose(slice(x)) reads x.
// Needs: a bound graph (bind.hpp). Leaves: for each node its access; a reshape that strides cannot
// express is its own root and must be copied (`copied`).
#pragma once

#include <weft/graph/window_list.hpp>
#include <weft/op/table.hpp>

namespace weft::inline v0 {

struct access {
  int root = -1;
  extent offset = 0;
  extent stride[max_rank]{};
};

constexpr void set_row_major(access& a, extents const& s) {
  extents const steps = row_major_strides(s);
  for (int i = 0; i < s.rank; ++i) a.stride[i] = steps[i];
}
// Do both read the same element at each place of an array of these extents?
constexpr bool same_elements(access const& a, access const& b, extents const& s) {
  if (a.root != b.root || a.offset != b.offset) return false;
  for (int i = 0; i < s.rank; ++i)
    if (s[i] != 1 && a.stride[i] != b.stride[i]) return false;
  return true;
}
// Behind the first axes, whatever their strides.
constexpr bool is_row_major(access const& a, extents const& s, int first = 0) {
  extent step = 1;
  for (int i = s.rank - 1; i >= first; --i) {
    if (s[i] != 1 && a.stride[i] != step) return false;
    step *= s[i];
  }
  return true;
}

namespace detail {
// Strides for `to` over the elements that `from` reads with a's strides; false if there are none.
constexpr bool reshape_access(access& a, extents const& from, extents const& to) {
  if (count_of(from) == 0) return set_row_major(a, to), true;
  access r = a;
  for (extent& s : r.stride) s = 0;
  int i = 0, j = 0;
  while (i < from.rank || j < to.rank) {
    if (i < from.rank && from[i] == 1) {
      ++i;
      continue;
    }
    if (j < to.rank && to[j] == 1) {
      ++j;
      continue;
    }
    if (i == from.rank || j == to.rank) return false;
    int first_i = i, first_j = j;
    extent old_count = from[i++], new_count = to[j++];
    while (old_count != new_count) {
      if (old_count < new_count ? i == from.rank : j == to.rank) return false; // of placeholders
      if (old_count < new_count) old_count *= from[i++];
      else new_count *= to[j++];
    }
    for (int k = first_i; k + 1 < i; ++k) {
      int next = k + 1;
      while (next < i && from[next] == 1) ++next;
      if (from[k] != 1 && next < i && a.stride[k] != a.stride[next] * from[next]) return false;
    }
    int last = i - 1;
    while (from[last] == 1) --last;
    extent step = a.stride[last];
    for (int k = j - 1; k >= first_j; --k) {
      r.stride[k] = step;
      step *= to[k];
    }
  }
  a = r;
  return true;
}
} // namespace detail

// The access of view node `id`, given its operand's; false: the view needs a copy.
constexpr bool compose_view(graph_view g, int id, access const& operand, access& a) {
  int source = g.operand(id, 0);
  extents const& from = g.shape(source);
  extents const& to = g.shape(id);
  view<extent> at = g.attributes_of(id);
  a = operand;
  switch (g[id].code) {
    case op::broadcast:
      for (extent& s : a.stride) s = 0;
      for (int i = 0; i < from.rank; ++i)
        a.stride[at[i]] = from[i] == 1 && to[static_cast<int>(at[i])] != 1 ? 0 : operand.stride[i];
      return true;
    case op::transpose:
      for (int i = 0; i < to.rank; ++i) a.stride[i] = operand.stride[at[i]];
      return true;
    case op::slice:
      for (int i = 0; i < to.rank; ++i) {
        a.offset += at[i] * operand.stride[i];
        a.stride[i] *= at[2 * to.rank + i];
      }
      return true;
    case op::reverse:
      for (int i = 0; i < to.rank; ++i)
        if (has_axis(at[0], i)) {
          a.offset += (to[i] == 0 ? 0 : to[i] - 1) * operand.stride[i];
          a.stride[i] = -operand.stride[i];
        }
      return true;
    case op::shard: return true;
    case op::window: {
      window_list const windows(at);
      for (int w = 0; w < windows.count(); ++w) {
        extent const step = operand.stride[windows.axis(w)];
        a.stride[windows.axis(w)] = step * windows.stride(w);
        a.stride[from.rank + w] = step * windows.dilation(w);
      }
      return true;
    }
    case op::reshape: return detail::reshape_access(a, from, to);
    default: return false;
  }
}

struct accesses {
  growing<access> of;
  growing<bool> copied; // a reshape that must be materialised
};
constexpr extents strides_at(graph_view g, accesses const& reads, int id) {
  extents s;
  for (int i = 0; i < g.shape(id).rank; ++i) s.push(reads.of[id].stride[i]);
  return s;
}
// Does node id read the stored value, argument or constant `root`, itself or through views?
constexpr bool reads_root(graph_view g, accesses const& reads, int id, int root) {
  for (int operand : g.operands_of(id))
    if (reads.of[operand].root == root) return true;
  return false;
}
// Does the graph, or a body in it, give it as a result?
constexpr bool is_output_root(graph_view g, accesses const& reads, int root) {
  for (int r = 0; r < g.regions.size(); ++r)
    for (int id : g.outputs_of(r))
      if (reads.of[id].root == root) return true;
  return false;
}
// `step_of`, if any: what a schedule of the same graph, with other numbers for its names, made
// steps of. A reshape among them is copied, even if these numbers could do without.
constexpr accesses accesses_of(graph_view g, view<int> step_of = {}) {
  accesses r;
  r.of.resize(g.size());
  r.copied.resize(g.size());
  for (int id = 0; id < g.size(); ++id) {
    access& a = r.of[id];
    node const& n = g[id];
    bool const is_step = !step_of.empty() && step_of[id] >= 0;
    if (is_view(n.code) && !is_step && compose_view(g, id, r.of[g.operand(id, 0)], a)) continue;
    r.copied[id] = is_view(n.code);
    a = {};
    a.root = id;
    if (n.code == op::iota) a.stride[g.attribute(id, 0)] = 1; // the value is the offset itself
    else if (n.code == op::constant && n.attribute_count == 1) continue; // one number everywhere
    else set_row_major(a, g.shape(id));
  }
  return r;
}

} // namespace weft::inline v0
