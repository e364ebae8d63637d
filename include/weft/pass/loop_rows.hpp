// SPDX-License-Identifier: BSL-1.0
// Loops whose rows never meet: row i of every value that changes from turn to turn, along its outermost
// axis, is computed of row i of the others; what does not change (constants of the loop, what a turn
// brings, numbers) may be read anyhow. A network over a batch of sequences is one. Rows may go through
// all turns on their own, in any order. Of steps, groups, contractions, pad and concat go by rows.
// Others, and those in which rows meet, may follow when all rows have been through all turns, turn by
// turn: sums of gradients over the batch. They read of the rows only what is still there then, ys that
// lie in the memory of a result that somebody gets; no loop is among them, no convolution, and nothing
// that others see happen (observe, custom_call, collective).
//   loop_rows_finder finder(g, reads, plan, code, products);
//   loop_rows r = finder.of(loop_step, 32);   // r.steps, r.rest; r.rows == 0: it is no such loop
//   row_axis_of(product, count, n)            // the axis of a product's form that walks n rows
// Needs: a bound graph, its accesses, schedule and lowered code, the products' forms per step.
// Leaves: nothing changed.
#pragma once

#include <weft/graph/results.hpp>
#include <weft/pass/loop_nest.hpp>
#include <weft/pass/lower.hpp>
#include <weft/pass/memory_plan.hpp>
#include <weft/pass/product.hpp>

namespace weft::inline v0 {

// The axis that walks the rows of a dense result: so many of its indices each.
struct row_axis {
  product_axes product_form::*axes = nullptr; // null: there is none
  int axis = 0;
  extent each = 0;

  constexpr product_axis const& in(product_form const& p) const { return (p.*axes).d[axis]; }
};
// `count`: of the result's elements. Not among columns, which may be packed for all of them.
constexpr row_axis row_axis_of(product_form const& p, extent count, extent rows) {
  for (auto const axes : {&product_form::batch, &product_form::m})
    for (int i = 0; i < (p.*axes).rank; ++i) {
      product_axis const& d = (p.*axes).d[i];
      if (d.stride.out * d.size == count && d.size % rows == 0) return {axes, i, d.size / rows};
    }
  return {};
}

struct loop_rows {
  extent rows = 0;
  growing<int> steps, rest;     // of the body: by rows; behind them, turn by turn
  growing<bool> output_in_rest; // per output of the body

  bool any_rest() const {
    for (bool is : output_in_rest)
      if (is) return true;
    return !rest.empty();
  }
};

class loop_rows_finder {
public:
  loop_rows_finder(graph_view g, accesses const& reads, schedule_view plan, lowered_view code,
                   growing<product_form> const& products)
      : g_(g), reads_(reads), plan_(plan), code_(code), products_(products) {}

  // As a loop of so many rows.
  WEFT_COLD loop_rows of(int loop_step, extent rows) {
    id_ = plan_.steps[loop_step].node;
    body_ = g_[id_].body;
    loop_ = loop_of(g_, id_);
    rows_ = rows;
    if (g_[id_].code != op::scan || loop_.is_region() || loop_.length < 2 || rows < 2) return {};
    root_in_rest_.assign(g_.size(), false);
    while (more_in_rest()) {
    }
    return found_.steps.empty() || !rest_is_behind() ? loop_rows() : found_;
  }
  // The first axis that is more than 1; the rank if there is none.
  static int outermost(extents const& shape) {
    int axis = 0;
    while (axis < shape.rank && shape[axis] == 1) ++axis;
    return axis;
  }
  static extent rows_in(extents const& shape) {
    int const axis = outermost(shape);
    return axis < shape.rank ? shape[axis] : 0;
  }

private:
  // Sorts the body's steps and outputs by what is known to be in the rest. Has that become more?
  WEFT_COLD bool more_in_rest() {
    bool more = false;
    found_ = {.rows = rows_, .steps = {}, .rest = {}, .output_in_rest = {}};
    for (int s = plan_.first_step[body_]; s < plan_.first_step[body_ + 1]; ++s) {
      bool const by_rows = goes_by_rows(s);
      (by_rows ? found_.steps : found_.rest).push(s);
      for (int member : plan_.members_of(plan_.steps[s]))
        if (!by_rows) more = put_in_rest(member) || more;
    }
    view<int> const outputs = g_.outputs_of(body_);
    for (int k = 0; k < outputs.size(); ++k) {
      int const id = outputs[k], carry = k < loop_.carries ? g_.parameters_of(body_)[k] : -1;
      bool const is_rest = !keeps_rows(reads_.of[id], g_.shape(id)) ||
                           (carry >= 0 && root_in_rest_[carry]);
      found_.output_in_rest.push(is_rest);
      if (is_rest && carry >= 0) more = put_in_rest(carry) || more;
    }
    return more;
  }
  bool put_in_rest(int root) {
    bool const is_new = !root_in_rest_[root];
    root_in_rest_[root] = true;
    return is_new;
  }
  WEFT_COLD bool goes_by_rows(int s) const {
    switch (plan_.steps[s].kind) {
      case step_kind::group: return walks_rows(s);
      case step_kind::contraction: return multiplies_rows(s);
      case step_kind::move: return moves_rows(plan_.steps[s].node);
      default: return false;
    }
  }
  // Does the rest read nothing of the rows but ys, and tell nobody of them?
  WEFT_COLD bool rest_is_behind() const {
    for (int s : found_.rest) {
      step_kind const kind = plan_.steps[s].kind;
      if (kind == step_kind::loop || kind == step_kind::convolution) return false;
      for (int member : plan_.members_of(plan_.steps[s])) {
        op const code = g_[member].code;
        if (code == op::observe || code == op::custom_call || code == op::collective) return false;
        for (int operand : g_.operands_of(member))
          if (!outlasts_turn(reads_.of[operand].root)) return false;
      }
    }
    view<int> const outputs = g_.outputs_of(body_);
    for (int k = 0; k < outputs.size(); ++k)
      if (found_.output_in_rest[k] && !outlasts_turn(reads_.of[outputs[k]].root)) return false;
    return true;
  }
  // Is it still there, turn by turn, when all rows have been through all turns? (Of a carry's own
  // value a y is a copy.)
  WEFT_COLD bool outlasts_turn(int root) const {
    if (!varies(root) || root_in_rest_[root]) return true;
    int const k = output_holding(g_, reads_, plan_, body_, root);
    return k >= loop_.carries && get_of(g_, id_, k) >= 0;
  }

  // Does it change from turn to turn, by what the loop does? If not, all of it may be read.
  bool varies(int root) const {
    if (g_[root].region != body_ || g_[root].code == op::constant || g_[root].code == op::iota)
      return false;
    return g_[root].code != op::parameter || g_.attribute(root, 0) < loop_.carries;
  }

  // What one row reads of an array: elements `first` … `last`, `step` further at the next row.
  struct reach {
    extent step = 0, first = 0, last = 0;

    void also(extent count, extent stride) { (stride < 0 ? first : last) += (count - 1) * stride; }
  };
  WEFT_COLD bool in_own_row(int root, reach const& r) const {
    if (!varies(root)) return true;
    extents const& shape = g_.shape(root);
    if (root_in_rest_[root] || rows_in(shape) != rows_) return false;
    extent const length = count_of(shape) / rows_;
    return r.step == length && r.first >= 0 && r.last < length;
  }
  WEFT_COLD bool keeps_rows(access const& a, extents const& shape) const {
    int const axis = outermost(shape);
    if (rows_in(shape) != rows_) return false;
    reach r{a.stride[axis], a.offset, a.offset};
    for (int i = axis + 1; i < shape.rank; ++i) r.also(shape[i], a.stride[i]);
    return in_own_row(a.root, r);
  }

  WEFT_COLD bool walks_rows(int s) const {
    schedule_step const& st = plan_.steps[s];
    extents const& shape = g_.shapes[st.shape];
    kernel const& k = code_.kernels[code_.kernel_of_step[s]];
    int axis = 0;
    while (axis < shape.rank && (shape[axis] == 1 || has_axis(st.reduced, axis))) ++axis;
    if (k.inner_axis < 0 || axis == shape.rank || shape[axis] != rows_) return false;
    for (int p = 0; p < k.place_count; ++p)
      if (!in_own_row(code_.places_of(k)[p], st, shape, axis, detail::is_reduced(code_, k, p)))
        return false;
    return true;
  }
  WEFT_COLD bool in_own_row(place const& p, schedule_step const& st, extents const& shape, int axis,
                            bool is_reduced) const {
    access const& a = reads_.of[p.node];
    extent strides[max_rank];
    detail::iteration_strides(g_, reads_, st, p, is_reduced, strides);
    reach r{strides[axis], a.offset, a.offset};
    for (int i = 0; i < shape.rank; ++i)
      if (i != axis) r.also(shape[i], strides[i]);
    return in_own_row(a.root, r);
  }

  // What lies beside rows, or is put there.
  WEFT_COLD bool moves_rows(int id) const {
    op const code = g_[id].code;
    if (code != op::pad && code != op::concat) return false;
    int const axis = outermost(g_.shape(id)), rank = g_.shape(id).rank;
    if (rows_in(g_.shape(id)) != rows_) return false;
    for (int i = 0; code == op::pad && i < 3; ++i)
      if (g_.attribute(id, i * rank + axis) != 0) return false;
    for (int k = 0; k < g_[id].operand_count; ++k)
      if (int const x = g_.operand(id, k); code == op::pad && k == 1) {
        int const root = reads_.of[x].root; // who moves the array to its rows would move this, too
        if (varies(root) || root == reads_.of[g_.operand(id, 0)].root) return false;
      } else if (outermost(g_.shape(x)) != axis || !keeps_rows(reads_.of[x], g_.shape(x)))
        return false;
    return has_one_step_per_root(id, axis);
  }
  // Its operands that share a root are as far from one row to the next.
  WEFT_COLD bool has_one_step_per_root(int id, int axis) const {
    int const count = g_[id].code == op::pad ? 1 : g_[id].operand_count;
    for (int k = 1; k < count; ++k)
      for (int j = 0; j < k; ++j) {
        access const &a = reads_.of[g_.operand(id, j)], &b = reads_.of[g_.operand(id, k)];
        if (a.root == b.root && a.stride[axis] != b.stride[axis]) return false;
      }
    return true;
  }

  WEFT_COLD bool multiplies_rows(int s) const {
    int const id = plan_.steps[s].node;
    product_form const& p = products_[s];
    extent const count = count_of(g_.shape(id));
    if (rows_in(g_.shape(id)) != rows_ || count == 0) return false;
    row_axis const rows = row_axis_of(p, count, rows_);
    if (rows.axes == nullptr) return false;
    contraction const c = contraction_of(g_, id);
    int const bias = c.has_start ? 3 : 2, start = c.has_start ? g_.operand(id, 2) : -1;
    return in_own_row(g_.operand(id, p.swapped), p, rows, &places::a) &&
           in_own_row(g_.operand(id, !p.swapped), p, rows, &places::b) &&
           (!c.has_bias || in_own_row(g_.operand(id, bias), p, rows, &places::bias)) &&
           (start < 0 ||
            (is_whole(g_, reads_, start) && keeps_rows(reads_.of[start], g_.shape(start))));
  }
  WEFT_COLD bool in_own_row(int operand, product_form const& p, row_axis const& rows,
                            extent places::*side) const {
    access const& a = reads_.of[operand];
    extent const own = rows.in(p).stride.*side;
    reach r{rows.each * own, a.offset, a.offset};
    r.also(rows.each, own);
    for (auto const axes :
         {&product_form::batch, &product_form::m, &product_form::n, &product_form::k})
      for (int i = 0; i < (p.*axes).rank; ++i)
        if (axes != rows.axes || i != rows.axis)
          r.also((p.*axes).d[i].size, (p.*axes).d[i].stride.*side);
    return in_own_row(a.root, r);
  }

  graph_view g_;
  accesses const& reads_;
  schedule_view plan_;
  lowered_view code_;
  growing<product_form> const& products_;
  int id_ = 0, body_ = 0;
  loop loop_;
  extent rows_ = 0;
  loop_rows found_;
  growing<bool> root_in_rest_; // per root
};

} // namespace weft::inline v0
