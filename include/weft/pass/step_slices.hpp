// SPDX-License-Identifier: BSL-1.0
// step_slices: loops that index by their step are scans over slices. In a scan
// of which an x is the number of its step, as a while that counts is recorded
// (stablehlo/import_counted.hpp),
//   slice i of a constant of the loop, taken in step i, is one of its xs;
//   a carry of which step i replaces slice i, and which nothing else reads, is
//   one of its ys.
// So hoist sees x_t W, and no step copies what the others have written. Where
// the slices are length - 1 - i, the scan is a reversed one, and what it took
// and gave in order before is reversed outside of it. Needs: a verified graph
// in canonical order. Leaves: a verified graph with the same inputs and
// outputs, bit for bit; slices and carries of other shapes or places as they
// are.
#pragma once

#include <weft/graph/handle_loop.hpp>
#include <weft/pass/scan_rewriter.hpp>

namespace weft::inline v0 {
namespace detail {

// What becomes of one scan.
class step_survey {
public:
  growing<int> slices;  // dynamic_slice nodes of its body that are xs
  growing<int> updates; // by carry: the dynamic_update_slice that makes it ys, or -1
  bool reverse = false, any = false;

  // uses: of every node, how many nodes and outputs read it; order: nodes by region.
  constexpr step_survey(graph_view g, view<int> uses, growing<growing<int>> const& order, int id)
      : g_(g), uses_(uses), l_(loop_of(g, id)), id_(id), body_(g[id].body), nodes_(order[body_]) {
    updates = growing<int>(l_.carries, -1);
    if (g[id].code != op::scan || l_.is_region() || l_.reverse || l_.length <= 0) return;
    for (bool const down : {false, true}) {
      if (down && l_.xs != 1) return; // the others would change their places
      reverse = down;
      look();
      if (any) return;
    }
  }

private:
  constexpr void look() {
    for (int i : nodes_)
      if (g_[i].code == op::dynamic_slice && is_x(i)) slices.push(i);
    for (int k = 0; k < l_.carries; ++k) updates[k] = update_of(k);
    any = !slices.empty();
    for (int u : updates) any = any || u >= 0;
  }
  constexpr int parameter_of_body(int i) const {
    return g_[i].code == op::parameter ? static_cast<int>(g_.attribute(i, 0)) : -1;
  }
  constexpr bool is_x(int i) const {
    int const p = parameter_of_body(g_.operand(i, 0));
    return p >= l_.carries + l_.xs && is_slice(g_.shape(g_.operand(i, 0)), g_.shape(i)) &&
           is_place(g_.operand(i, 1));
  }
  constexpr int update_of(int k) const {
    int const p = g_.parameters_of(body_)[k], u = g_.outputs_of(body_)[k];
    bool const alone = g_[u].code == op::dynamic_update_slice && g_[u].region == body_ &&
                       g_.operand(u, 0) == p && uses_[p] == 1 && uses_[u] == 1;
    return alone && is_slice(g_.shape(p), g_.shape(g_.operand(u, 1))) && is_place(g_.operand(u, 2))
               ? u
               : -1;
  }
  // One of as many slices as there are steps. Along the other axes it is whole:
  // whatever is said there, it starts at 0.
  constexpr bool is_slice(extents const& whole, extents const& part) const {
    return whole.rank > 0 && whole[0] == l_.length && part[0] == 1 &&
           without_leading(whole) == without_leading(part);
  }
  // Slice i in step i, or the last one first.
  constexpr bool is_place(int i) const {
    place const at = place_of(i, 4);
    return reverse ? at.sign == -1 && at.first == l_.length - 1 : at.sign == 1 && at.first == 0;
  }
  struct place {
    extent sign = 0, first = 0; // sign * step + first; 0: none, 1, -1
  };
  // Integers along a step's x, and what numbers are added to or taken from
  // them.
  constexpr place place_of(int i, int depth) const {
    node const& n = g_[i];
    if (depth == 0 || n.region != body_ || is_float(n.type)) return {};
    if (n.code == op::parameter) return place_of_x(parameter_of_body(i));
    if (n.code != op::add && n.code != op::sub) return {};
    extent const sign = n.code == op::sub ? -1 : 1;
    int const a = g_.operand(i, 0), b = g_.operand(i, 1);
    if (number const c = number_of(b); c.known) {
      place const at = place_of(a, depth - 1);
      return {at.sign, at.first + sign * c.is};
    }
    number const c = number_of(a);
    place const at = c.known ? place_of(b, depth - 1) : place{};
    return {sign * at.sign, c.is + sign * at.first};
  }
  // The x that counts: an iota, or one to which a number is added.
  constexpr place place_of_x(int p) const {
    if (p < l_.carries || p >= l_.carries + l_.xs) return {};
    int x = g_.operand(id_, p);
    number first{true, 0};
    if (g_[x].code == op::add) first = number_of(g_.operand(x, 1)), x = g_.operand(x, 0);
    bool const counts = first.known && g_[x].code == op::iota && g_.shape(x).rank == 1;
    return counts ? place{1, first.is} : place{};
  }
  struct number {
    bool known = false;
    extent is = 0;
  };
  // Signed integers that are all the same, here or as a constant of the loop.
  constexpr number number_of(int i) const {
    int const p = g_[i].region == body_ ? parameter_of_body(i) : -1;
    if (p >= l_.carries + l_.xs) i = g_.operand(id_, p);
    node const& n = g_[i];
    if (n.code != op::constant || n.attribute_count != 1 || !is_signed(n.type)) return {};
    int const unused = 64 - 8 * size_of(n.type);
    extent const is = static_cast<extent>(static_cast<std::uint64_t>(g_.attribute(i, 0)) << unused);
    return {true, is >> unused};
  }

  graph_view g_;
  view<int> uses_;
  loop l_;
  int id_, body_;
  view<int> nodes_; // of the body
};

// Of every node, how many nodes and outputs read it.
constexpr growing<int> uses_of(graph_view g) {
  growing<int> uses(g.size(), 0);
  for (int i = 0; i < g.size(); ++i)
    for (int id : g.operands_of(i)) ++uses[id];
  for (int r = 0; r < g.regions.size(); ++r)
    for (int id : g.outputs_of(r)) ++uses[id];
  return uses;
}

class step_slicer final : public scan_rewriter {
public:
  constexpr explicit step_slicer(graph_view g)
      : scan_rewriter(g), uses_(uses_of(g)), replaces_(g.size(), false) {}

private:
  constexpr bool rewrite(int i, growing<handle>& results) override {
    step_survey const s(g_, uses_, order_, i);
    if (s.any) results = sliced(i, s);
    return s.any;
  }

  // The results of scan i: the last carries, those that are ys now, the ys.
  constexpr growing<handle> sliced(int i, step_survey const& s) {
    loop l = loop_of(g_, i);
    int const carries = l.carries, before = l.xs, ys = l.ys;
    view<int> const old = g_.operands_of(i), parameters = g_.parameters_of(g_[i].body);
    growing<handle> operands, inside(old.size());
    for (int k = 0; k < carries; ++k)
      if (s.updates[k] < 0) operands.push(map_[old[k]]);
    l.carries = operands.size();
    for (int k = carries; k < carries + before; ++k)
      operands.push(s.reverse ? reverse(map_[old[k]], 1) : map_[old[k]]);
    for (int id : s.slices)
      operands.push(map_[old[static_cast<int>(g_.attribute(g_.operand(id, 0), 0))]]);
    for (int k = carries + before; k < old.size(); ++k) operands.push(map_[old[k]]);
    l.xs += s.slices.size();
    l.ys += carries - l.carries;
    l.reverse = s.reverse;
    for (handle& h : operands) h = r_.localised(h);

    int const body = r_.begin_body();
    int next = 0;
    auto const parameter = [&](extents const& shape) {
      return r_.parameter(operands[next++].type(), shape);
    };
    for (int k = 0; k < carries; ++k)
      if (s.updates[k] < 0) inside[k] = parameter(g_.shape(parameters[k]));
    for (int k = carries; k < carries + before; ++k) inside[k] = parameter(g_.shape(parameters[k]));
    for (int id : s.slices) {
      extents const slice = g_.shape(id);
      map_[id] = reshape(parameter(without_leading(slice)), slice);
    }
    for (int k = carries + before; k < old.size(); ++k)
      inside[k] = parameter(g_.shape(parameters[k]));
    r_.end_body(body, outputs(i, s, carries, inside));
    r_.mark_as(g_[i]);
    growing<handle> const found = record_loop(r_, body, l, operands);
    growing<handle> results;
    int kept = 0, made = l.carries;
    for (int k = 0; k < carries; ++k) results.push(found[s.updates[k] < 0 ? kept++ : made++]);
    for (int k = 0; k < ys; ++k, ++made)
      results.push(s.reverse ? reverse(found[made], 1) : found[made]);
    return results;
  }
  // Of the body: carries, slices that replaced something, ys. What is known already, the slices that
  // are xs, is not recorded.
  constexpr growing<handle> outputs(int i, step_survey const& s, int carries, view<handle> inside) {
    int const b = g_[i].body;
    for (int k = 0; k < inside.size(); ++k) map_[g_.parameters_of(b)[k]] = inside[k];
    for (int u : s.updates)
      if (u >= 0) replaces_[u] = true;
    for (int n : order_[b])
      if (g_[n].code != op::parameter && !map_[n].valid() && !replaces_[n]) put(n);
    growing<handle> all;
    for (int k = 0; k < carries; ++k)
      if (s.updates[k] < 0) all.push(map_[g_.outputs_of(b)[k]]);
    for (int u : s.updates)
      if (u >= 0) {
        handle const slice = map_[g_.operand(u, 1)];
        all.push(reshape(slice, without_leading(slice.shape())));
      }
    for (int k = carries; k < g_.outputs_of(b).size(); ++k) all.push(map_[g_.outputs_of(b)[k]]);
    return all;
  }

  growing<int> uses_;
  growing<bool> replaces_; // updates of carries that are ys now
};

} // namespace detail

constexpr bool has_step_slices(graph_view g) {
  growing<int> const uses = detail::uses_of(g);
  growing<growing<int>> const order = nodes_by_region(g);
  for (region const& r : g.regions)
    if (r.owner >= 0 && detail::step_survey(g, uses, order, r.owner).any) return true;
  return false;
}
constexpr graph step_slices(graph_view g) {
  if (g.regions.size() == 1) return thaw(g);
  return detail::step_slicer(g).take();
}

} // namespace weft::inline v0
