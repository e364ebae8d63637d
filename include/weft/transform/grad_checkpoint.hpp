// SPDX-License-Identifier: BSL-1.0
// The gradient of a region of checkpoint: a region of the way back, which gets the forward region's
// operands, what it kept, and the cotangents of its results; computes the rest of it again; and
// gives what its operands' cotangents have become.
// It takes over the totals of the operands' cotangents and hands them back (grad_contract.hpp), so
// every contribution arrives in the order in which it would without the region, whatever is kept.
// Exception, equal but for rounding: a result that is read inside, too, by whoever multiplies it
// outside.
// Needs: grad_sweep.hpp. Leaves: one more loop of one step; passes take nothing out of it.
#pragma once

#include <weft/transform/grad_sweep.hpp>

namespace weft::inline v0 {
namespace detail {

// With room for an axis in front: of 8 axes, the first two are one.
constexpr handle with_room(handle x) {
  extents const s = x.shape();
  if (s.rank < max_rank) return x;
  extents merged{1, {product_extent({2, {s[0], s[1]}})}};
  for (int i = 2; i < s.rank; ++i) merged.push(s[i]);
  return reshape(x, merged);
}
// Result k of a region, of this shape.
constexpr handle region_result(handle region, int k, extents const& shape) {
  result_info const info = result_of(region.where->result, region.id, k);
  return reshape(get(region, k, info.type, info.shape), shape);
}
// Closes a body that was open with its outputs: the region's node.
constexpr handle close_region(recorder& r, int body, view<handle> results, residuals save,
                              region_role role) {
  growing<handle> outputs;
  for (handle h : results) outputs.push(with_room(r.localised(h)));
  growing<handle> const operands = r.end_body(body, outputs);
  loop const l{.ys = outputs.size(), .length = 1, .save = save, .role = role};
  handle const node = r.emit(op::scan, dtype::f32, {}, operands, encode(l), body);
  r.set_owner(body, node.id);
  return node;
}

class region_reversal {
public:
  constexpr region_reversal(reverse_sweep& sweep, int id)
      : s_(sweep), g_(sweep.g), r_(sweep.r), id_(id), body_(sweep.g[id].body),
        l_(loop_of(sweep.g, id)), items_(sweep.kept.items_of(id)) {}

  constexpr void run() {
    if (!take_cotangents()) return;
    for (saving::item const& v : items_) {
      handle const all = s_.loop_result(id_, v.result);
      kept_.push(reshape(all, without_leading(extents(all.shape()))));
    }
    for (int x : g_.operands_of(id_)) s_.in_scope(x); // before the body, like every operand
    int const body = r_.begin_body();
    enter();
    s_.copy_region(body_, true);
    for (int y = 0; y < l_.ys; ++y)
      if (int const out = output(y); given_[y].valid() && s_.marks.active[out])
        s_.ct[out].add(r_.localised(given_[y]));
    s_.reverse_region(body_);
    collect();
    hand_back(close_region(r_, body, inside_, l_.save, region_role::backward));
  }

private:
  // A total of an operand's cotangent that the region has changed.
  struct total {
    int operand;
    bool chain, first;
    extents shape;
  };

  constexpr int parameter(int i) const { return g_.parameters_of(body_)[i]; }
  constexpr int output(int y) const { return g_.outputs_of(body_)[y]; }

  constexpr bool take_cotangents() {
    bool any = false;
    for (int y = 0; y < l_.ys; ++y) {
      cotangent& c = s_.results[s_.marks.first_result[id_] + y];
      given_.push({});
      if (!c.any()) continue;
      any = true;
      given_[y] = reshape(c.total(g_[output(y)].type), extents(g_.shape(output(y))));
    }
    return any;
  }
  // The same value may come in twice: the first takes over its totals.
  constexpr bool is_first(int i) const {
    for (int j = 0; j < i; ++j)
      if (g_.operand(id_, j) == g_.operand(id_, i)) return false;
    return true;
  }
  constexpr handle localised(handle h) { return h.valid() ? r_.localised(h) : h; }
  constexpr void enter() {
    for (int i = 0; i < g_[id_].operand_count; ++i) {
      int const p = parameter(i), x = g_.operand(id_, i);
      s_.value[p] = s_.value[x];
      taken_.push({});
      if (s_.marks.active[p] && is_first(i))
        taken_[i] = {localised(s_.ct[x].sum), localised(s_.ct[x].chain)};
      s_.ct[p] = taken_[i];
    }
    for (int k = 0; k < items_.size(); ++k) s_.set_known(items_[k], kept_[k]);
  }
  constexpr void collect() {
    for (int i = 0; i < g_[id_].operand_count; ++i) {
      cotangent const c = s_.ct[parameter(i)];
      note(i, false, c.sum, taken_[i].sum);
      note(i, true, c.chain, taken_[i].chain);
    }
  }
  constexpr void note(int i, bool chain, handle now, handle before) {
    if (!now.valid() || now.id == before.id) return;
    totals_.push({i, chain, is_first(i), extents(now.shape())});
    inside_.push(now);
  }
  constexpr void hand_back(handle region) {
    for (int k = 0; k < totals_.size(); ++k) {
      total const& t = totals_[k];
      int const x = g_.operand(id_, t.operand);
      handle const h = region_result(region, k, t.shape);
      if (t.first) (t.chain ? s_.ct[x].chain : s_.ct[x].sum) = h;
      else s_.ct[x].absorb(t.chain ? cotangent{{}, h} : cotangent{h, {}}, g_[x].type);
    }
  }

  reverse_sweep& s_;
  graph_view const g_;
  recorder& r_;
  int const id_, body_;
  loop const l_;
  growing<saving::item> const items_;
  growing<handle> given_;    // cotangents of the results
  growing<handle> kept_;     // by item
  growing<cotangent> taken_; // by operand: its totals when the region begins
  growing<total> totals_;    // and what has become of them
  growing<handle> inside_;
};

} // namespace detail
} // namespace weft::inline v0
