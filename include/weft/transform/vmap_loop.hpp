// SPDX-License-Identifier: BSL-1.0
// Batching rule of loops. Carries, xs, constants and ys that do not differ from example to example
// stay one value (vmap_marks.hpp finds which); the others get the examples' axis, behind that of the
// steps where they are stacked.
// while_loop and cond whose condition differs: done while it holds for any example. Two carries say
// so: `any` of the examples, and each example's own; what the body gives is selected where the own
// one holds, so who is done keeps every carry bit for bit, and ys that are not taken stay zeros.
// Inside, conditions hold for live examples only: no inner loop waits for the values of others.
// Needs: vmap_windows.hpp. Leaves: one loop per loop; `copy`, which makes batch_sweep complete.
#pragma once

#include <weft/transform/vmap_windows.hpp>

namespace weft::inline v0 {
namespace detail {

class batched_loop {
public:
  constexpr batched_loop(batch_sweep& s, int id)
      : s_(s), g_(s.g), r_(s.r), id_(id), body_(s.g[id].body), l_(loop_of(s.g, id)),
        splits_(s.marks.splits(id)) {}

  constexpr handle record() {
    growing<handle> operands = starts();
    for (handle& h : operands) h = r_.localised(h); // before the body
    handle const live_outside = s_.live;
    int const body = r_.begin_body();
    open_parameters();
    s_.copy_region(body_);
    growing<handle> const outputs = ends();
    operands.append(r_.end_body(body, outputs));
    s_.live = live_outside;
    loop l = l_;
    l.carries += splits_ ? 1 : 0;
    node const& n = g_[id_];
    r_.mark_as(n);
    handle const h = r_.emit(n.code, n.type, g_.shape(id_), operands, encode(l), body);
    r_.set_owner(body, h.id);
    return h;
  }

private:
  constexpr int parameter(int k) const { return g_.parameters_of(body_)[k]; }
  constexpr bool differs(int id) const { return s_.marks.batched[id]; }
  constexpr bool is_x(int k) const { return k >= l_.carries && k < l_.carries + l_.xs; }
  constexpr handle any_of(handle each) const { return reduce(op::reduce_max, each, 1); }

  constexpr growing<handle> starts() {
    growing<handle> operands;
    if (splits_) {
      handle own = s_.spread(g_.operand(id_, 0));
      if (s_.live.valid()) own = binary(op::bit_and, dtype::boolean, own, s_.live);
      operands.push(any_of(own));
      operands.push(own);
    }
    for (int k = operands.size() / 2; k < g_[id_].operand_count; ++k) {
      int const x = g_.operand(id_, k);
      if (!differs(parameter(k))) operands.push(s_.value[x]);
      else if (is_x(k)) operands.push(with_axes_swapped(s_.value[x], 0, 1));
      else operands.push(s_.spread(x));
    }
    return operands;
  }
  constexpr void open_parameters() {
    if (splits_) r_.parameter(dtype::boolean, {});
    for (int p : g_.parameters_of(body_)) {
      extents const shape = differs(p) ? s_.all_of(g_.shape(p)) : g_.shape(p);
      s_.value[p] = r_.parameter(g_[p].type, shape);
    }
    if (splits_) s_.live = s_.value[parameter(0)];
  }
  // `next` for live examples, else `otherwise`.
  constexpr handle where_live(handle next, handle otherwise, extents const& one) const {
    return select(s_.along(s_.live, one), next, otherwise);
  }
  constexpr growing<handle> ends() const {
    growing<handle> outputs;
    for (int k = 0; k < l_.carries + l_.ys; ++k) {
      int const y = g_.outputs_of(body_)[k];
      bool const all = k < l_.carries ? differs(parameter(k)) : s_.marks.result(id_, k);
      handle h = all ? s_.spread(y) : s_.value[y];
      if (splits_) {
        extents const one = g_.shape(y);
        h = where_live(h,
                       k < l_.carries ? s_.value[parameter(k)]
                                      : constant_bits(r_, 0, g_[y].type, s_.all_of(one)),
                       one);
        if (k == 0) outputs.push(any_of(h));
      }
      outputs.push(h);
    }
    return outputs;
  }

  batch_sweep& s_;
  graph_view const g_;
  recorder& r_;
  int const id_, body_;
  loop const l_;
  bool const splits_;
};
constexpr void batched_node::loop() { give(batched_loop(s_, id_).record()); }

// A node that no example changes is copied as it stands.
constexpr void batch_sweep::copy(int id) {
  node const& n = g[id];
  batched_node b(*this, id);
  r.mark_as(n);
  if (marks.batched[id] || is_loop(n.code) || n.code == op::get) return rules.apply(n.code, b);
  growing<handle> operands;
  for (int x : g.operands_of(id)) operands.push(value[x]);
  value[id] = r.emit(n.code, n.type, g.shape(id), operands, g.attributes_of(id));
}
constexpr void batch_sweep::copy_region(int region) {
  for (int id : order_[region])
    if (g[id].code != op::parameter) copy(id);
}

} // namespace detail
} // namespace weft::inline v0
