// SPDX-License-Identifier: BSL-1.0
// What a loop or a region of checkpoint keeps of every step for the way back: its carries as the
// step received them, and by loop::save
//   products   the results of its contractions and host functions
//   everything every value but views, which cost nothing, and what inner loops give and keep
//   nothing    nothing else
// Unless it keeps nothing, also what the regions in its body keep by their own choice. The rest is
// computed again; of what is kept, dce leaves what the way back reads.
// Needs: grad_marks.hpp. Leaves: the graph alone. Values of 8 axes have no room for the steps and
// are computed again.
#pragma once

#include <weft/graph/results.hpp>
#include <weft/transform/grad_marks.hpp>

namespace weft::inline v0 {
namespace detail {

class saving {
public:
  // A value of the body, or a result of a loop there, and which result of the outer one holds it.
  struct item {
    int id, part; // part: of a loop, which result; -1 for a value
    int result;
    int rank; // of the value
  };

  constexpr saving(graph_view g, gradient_marks const& marks)
      : g_(g), marks_(&marks), save_(g.regions.size(), residuals::nothing),
        is_region_(g.regions.size(), false) {
    for (int r = 1; r < g.regions.size(); ++r) {
      loop const l = loop_of(g, g.regions[r].owner);
      save_[r] = l.save;
      is_region_[r] = l.is_region();
    }
  }

  constexpr bool is_saved(int id) const {
    node const& n = g_[id];
    if (save_[n.region] == residuals::nothing || !belongs(id)) return false;
    if (g_.shape(id).rank == max_rank) return false;
    return info_of(n.code).kind == op_kind::contraction || is_called(id) ||
           (save_[n.region] == residuals::everything && is_value(id));
  }
  // Does the way back have all results of this loop?
  constexpr bool whole(int id) const {
    if (!gives_all(id)) return false;
    growing<item> const parts = parts_of(id);
    return !parts.empty();
  }
  constexpr growing<item> items_of(int loop_id) const {
    loop const l = loop_of(g_, loop_id);
    int const body = g_[loop_id].body;
    growing<item> kept;
    int next = l.carries + l.ys;
    for (int k = 0; k < l.carries; ++k) {
      int const p = g_.parameters_of(body)[k];
      kept.push({p, -1, next++, g_.shape(p).rank});
    }
    for (int id : marks_->order[body]) {
      if (is_loop(g_[id].code)) {
        for (item const& part : parts_of(id)) kept.push({id, part.part, next++, part.rank});
      } else if (is_saved(id)) {
        int const y = find_y(body, l, id);
        kept.push({id, -1, y >= 0 ? y : next++, g_.shape(id).rank});
      }
    }
    return kept;
  }

private:
  // What a host function gave: nobody knows how dear it was.
  constexpr bool is_called(int id) const {
    return g_[id].code == op::get && g_[g_.operand(id, 0)].code == op::custom_call;
  }
  // Of its step; in a region everything is.
  constexpr bool belongs(int id) const { return is_region_[g_[id].region] || marks_->varying[id]; }
  constexpr bool is_value(int id) const {
    node const& n = g_[id];
    if (n.code == op::get) return g_[g_.operand(id, 0)].body < 0;
    op_kind const kind = info_of(n.code).kind;
    return kind != op_kind::view && kind != op_kind::source && !has_several_results(n.code);
  }
  constexpr bool gives_all(int id) const {
    return g_[id].region != 0 && save_[g_[id].region] == residuals::everything && belongs(id) &&
           loop_of(g_, id).custom == 0;
  }
  // Results of a loop in a body that the outer loop keeps; none where one has no room.
  constexpr growing<item> parts_of(int id) const {
    growing<item> parts;
    loop const l = loop_of(g_, id);
    bool const all = gives_all(id);
    if (g_[id].region == 0 || save_[g_[id].region] == residuals::nothing || l.custom > 0)
      return parts;
    if (!all && !l.is_region()) return parts;
    int const own = l.carries + l.ys;
    for (int k = 0; all && k < own; ++k) {
      int const y = g_.outputs_of(g_[id].body)[k];
      parts.push({id, k, 0, g_.shape(y).rank + (k < l.carries ? 0 : 1)});
    }
    if (marks_->active[id] && g_[id].code != op::while_loop)
      for (item const& inner : items_of(id))
        if (inner.result >= own) parts.push({id, inner.result, 0, inner.rank + 1});
    for (item const& part : parts)
      if (part.rank >= max_rank) return {};
    return parts;
  }
  constexpr int find_y(int body, loop const& l, int id) const {
    for (int i = l.carries; i < l.carries + l.ys; ++i)
      if (g_.outputs_of(body)[i] == id) return i;
    return -1;
  }

  graph_view g_;
  gradient_marks const* marks_;
  growing<residuals> save_; // by region
  growing<bool> is_region_;
};

} // namespace detail
} // namespace weft::inline v0
