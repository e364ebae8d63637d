// SPDX-License-Identifier: BSL-1.0
// node_choice: how one node is computed by all ranks together: which labels of the op are split over
// which axes of the mesh. From that follow the shardings that its operands must have and the one of
// its result, and whether ranks have partial results. Chosen is what sends the fewest bytes: operands
// to where they must be, the result to where it is wanted; among equals what is split most as it stands.
// Needs: pass/partition_labels.hpp. Leaves: nothing in any graph.
#pragma once

#include <weft/pass/partition_labels.hpp>
#include <weft/pass/partition_moves.hpp>

namespace weft::inline v0 {
namespace detail {

// a, and what b splits besides, where both agree: lists of a that are beginnings of b's get b's rest.
constexpr sharding merged(sharding a, sharding b) {
  if (a.whole() || a == b) return b;
  if (b.whole()) return a;
  unsigned stopped = 0; // places
  for (int order = 0; order < max_mesh_axes; ++order) {
    bool deeper = false;
    for (int m = 0; m < max_mesh_axes; ++m) {
      if (!b.uses(m)) continue;
      deeper |= b.order(m) > order;
      if (b.order(m) != order) continue;
      int const at = b.place(m);
      bool const same = a.place(m) == at && a.order(m) == order;
      if (same || ((stopped >> at) & 1) != 0) continue;
      if (a.uses(m) || a.depth(at) != order) stopped |= 1u << at;
      else a = a.with(m, at);
    }
    if (!deeper) break;
  }
  return a;
}

struct node_choice {
  bool identity = false; // labels are axes, of all operands
  op_labels labels{};
  sharding split{}; // by label

  constexpr sharding needed(int operand) const {
    if (identity) return split;
    sharding s;
    for (int m = 0; m < max_mesh_axes; ++m)
      if (split.uses(m)) put(s, m, labels.axis_of(operand, split.place(m)));
    return s;
  }
  constexpr sharding result() const {
    if (identity) return split;
    sharding s;
    for (int m = 0; m < max_mesh_axes; ++m)
      if (stays(split.place(m))) put(s, m, split.place(m));
    return s;
  }
  // Mesh axes along which ranks have partial results.
  constexpr unsigned partial() const {
    unsigned bits = 0;
    for (int m = 0; !identity && m < max_mesh_axes; ++m)
      if (split.uses(m) && !stays(split.place(m))) bits |= 1u << m;
    return bits;
  }
  constexpr standing stands() const { return {result(), partial(), labels.how}; }

  // What an operand's, and a result's sharding say of labels.
  constexpr sharding of_operand(int operand, sharding s) const {
    if (identity) return s;
    sharding r;
    for (int m = 0; m < max_mesh_axes; ++m) {
      if (!s.uses(m)) continue;
      int const label = labels.of(operand, s.place(m));
      if (stays(label) || labels.combines) put(r, m, label, s.order(m));
    }
    return r;
  }
  constexpr sharding of_result(sharding s) const {
    if (identity) return s;
    sharding r;
    for (int m = 0; m < max_mesh_axes; ++m)
      if (s.uses(m) && labels.splits(s.place(m))) put(r, m, s.place(m), s.order(m));
    return r;
  }

private:
  constexpr void put(sharding& s, int m, int at) const {
    if (at >= 0) put(s, m, at, split.order(m));
  }
  static constexpr void put(sharding& s, int m, int at, int order) {
    if (at >= 0) s.word |= static_cast<std::uint64_t>((at + 1) | order << 5) << (8 * m);
  }
};

// What choosing asks of its surroundings.
struct choice_question {
  graph_view g;
  int id;
  view<standing> at; // by node
  mesh_axes const& mesh;
  bool wanted = false; // `want` is where the result should be
  sharding want{};

  constexpr standing const& operand(int k) const { return at[g.operand(id, k)]; }
};

constexpr bool is_one_number(graph_view g, int id) {
  return g[id].code == op::constant && g[id].attribute_count == 1;
}
// What of its operand a broadcast needs, to stand so.
constexpr sharding needed_to_spread(graph_view g, int id, sharding s) {
  return node_choice{.labels = labels_of(g, id), .split = s}.needed(0);
}
// How often a loop uses what is brought to it once: the steps, of a constant.
constexpr extent steps_that_share(graph_view g, int x) {
  if (g[x].code != op::parameter || g[x].region == 0) return 1;
  loop const l = loop_of(g, g.regions[g[x].region].owner);
  return g.attribute(x, 0) < l.carries + l.xs || l.length < 2 ? 1 : l.length;
}
// What it costs to have value x so: what is spread is made again from what it is spread of, and
// numbers and iotas cost nothing.
constexpr extent bytes_to(choice_question const& q, int x, sharding s) {
  op const code = q.g[x].code;
  standing const from = q.at[x];
  if ((from.partial == 0 && from.split == s) || has_result_list(code) || code == op::iota ||
      is_one_number(q.g, x))
    return 0;
  extent const bytes = bytes_between(from, s, q.g.shape(x), q.g[x].type, q.mesh) /
                       steps_that_share(q.g, x);
  if (code != op::broadcast || bytes == 0) return bytes;
  extent const again = bytes_to(q, q.g.operand(x, 0), needed_to_spread(q.g, x, s));
  return again < bytes ? again : bytes;
}

class chooser {
public:
  constexpr explicit chooser(choice_question const& q) : q_(q), n_(q.g[q.id].operand_count) {
    c_.identity = is_elementwise(q.g[q.id].code);
    if (!c_.identity) c_.labels = labels_of(q.g, q.id);
  }
  constexpr node_choice choose() {
    c_.split = in_order(false, false);
    if (n_ == 0 || c_.split.whole() || stays_as_it_is()) return c_;
    sharding best = c_.split;
    extent least = cost();
    for (int turn = 1; turn < 4 && least > 0; ++turn) {
      c_.split = in_order((turn & 1) != 0, (turn & 2) != 0);
      if (extent const bytes = cost(); bytes < least) {
        least = bytes;
        best = c_.split;
      }
    }
    c_.split = best;
    return c_;
  }

private:
  constexpr sharding in_order(bool backwards, bool result_first) const {
    sharding s;
    if (result_first) s = c_.of_result(q_.want);
    for (int i = 0; i < n_; ++i) {
      int const k = backwards ? n_ - 1 - i : i;
      sharding const split = q_.operand(k).split;
      if (!split.whole()) s = merged(s, c_.of_operand(k, split));
    }
    return q_.wanted ? merged(s, c_.of_result(q_.want)) : s;
  }
  constexpr bool stays_as_it_is() const {
    for (int k = 0; k < n_; ++k)
      if (q_.operand(k).partial != 0 || !(c_.needed(k) == q_.operand(k).split)) return false;
    return c_.partial() == 0 && (!q_.wanted || c_.result() == q_.want);
  }
  constexpr extent cost() const {
    extent bytes = 0;
    for (int k = 0; k < n_; ++k) bytes += bytes_to(q_, q_.g.operand(q_.id, k), c_.needed(k));
    standing const r = c_.stands();
    dtype const type = r.partial != 0 ? accumulator_of(q_.g[q_.id].type) : q_.g[q_.id].type;
    return bytes +
           bytes_between(r, q_.wanted ? q_.want : r.split, q_.g.shape(q_.id), type, q_.mesh);
  }

  choice_question const& q_;
  int n_;
  node_choice c_;
};
constexpr node_choice choose_labels(choice_question const& q) { return chooser(q).choose(); }

// ---- reshape, whose axes have no labels: parts of neighbouring axes that make neighbouring axes.
// What sharding the result has if the operand has s: mesh axes that split the leading axes of a group
// split the leading axes of the other side, in their order, as far as extents divide; `kept` is what
// of s that is.
struct reshaped_sharding {
  sharding result{}, kept{};
};
class reshape_walk {
public:
  reshaped_sharding r;
  constexpr reshape_walk(extents const& from, extents const& to, sharding s, mesh_axes const& mesh)
      : s_(s), mesh_(mesh) {
    if (s.whole()) return;
    for (int i = 0, j = 0; i < from.rank || j < to.rank;) {
      int const first_i = i, first_j = j;
      if (!group(from, to, i, j)) return; // names that no group tells apart
      lead(from, to, first_i, i, first_j, j);
    }
  }

private:
  // The next axes [.., i) and [.., j) of equal products.
  static constexpr bool group(extents const& a, extents const& b, int& i, int& j) {
    extent x = 1, y = 1;
    if (i < a.rank) x = a[i++];
    if (j < b.rank) y = b[j++];
    while (x != y) {
      if (is_named(x) || is_named(y)) return false;
      if (x < y && i < a.rank) x *= is_named(a[i]) ? 0 : a[i++];
      else if (y < x && j < b.rank) y *= is_named(b[j]) ? 0 : b[j++];
      else return false;
      if (x == 0 || y == 0) return false;
    }
    return x != 0;
  }
  constexpr void lead(extents const& a, extents const& b, int i, int end_i, int j, int end_j) {
    extent left = j < end_j ? b[j] : 1;
    for (; i < end_i; ++i) {
      extent own = a[i];
      for (int k = 0, m = 0; (m = s_.split_by(i, k)) >= 0; ++k) {
        extent const n = mesh_.d[m].size;
        while (left == 1 && j + 1 < end_j) left = b[++j];
        if (is_named(left) || left % n != 0) return;
        r.result = r.result.with(m, j);
        r.kept = r.kept.with(m, i);
        left /= n;
        own /= n;
      }
      if (own != 1) return; // what is behind is no leading part
    }
  }

  sharding s_;
  mesh_axes const& mesh_;
};
constexpr reshaped_sharding reshaped(extents const& from, extents const& to, sharding s,
                                     mesh_axes const& mesh) {
  return reshape_walk(from, to, s, mesh).r;
}

} // namespace detail
} // namespace weft::inline v0
