// SPDX-License-Identifier: BSL-1.0
// The gradient of scan: a backward loop over the same steps in the opposite order.
//   its carries    per float carry of the forward loop: the cotangent's sum, and its chain where
//                  products contribute; per loop constant: the totals that cannot leave the loop
//   its xs         the forward xs, the saved values, the cotangents of ys
//   its body       the forward body again (but for what is kept, grad_saving.hpp; random draws are
//                  functions of keys, so they come out the same), then its reverse
//   its ys         the cotangents of xs, and factors of products that leave the loop
// Constants of the loop are captured, never stacked. Their cotangents:
//   one product of two varying values per step: it leaves the loop as ONE contraction of the
//     stacked factors over a new outermost label, the step, read from the last step to the first;
//   several products per step, or one with an invariant factor: a chain carried through the loop
//     in the accumulation type, from the constant's chain so far, or +0; so does every product of
//     a loop that keeps nothing;
//   everything else (a bias's sums over the batch): a sum carried through, from the constant's sum
//     so far, or -0, to which the first step's contribution adds exactly.
// So every value receives what it would receive in the unrolled loop, in the same order, and both
// agree bit for bit. Where a y is the very value of a carry, the unrolled loop adds the y's
// cotangent before the next step's contributions; if those are several, the carry's cotangent is
// seeded with it one step early (a shifted copy of the y's cotangent). Exceptions, equal but for
// rounding: a start value whose chain also has links after the loop, one value returned as two
// carries or in several ys, a seed in a loop whose length has a name, and a value that an inner
// loop and its surroundings both use. A loop of zero steps leaves the totals as they are.
// Needs: grad_sweep.hpp. Leaves: one more loop per active loop, and contractions behind it.
#pragma once

#include <weft/transform/grad_checkpoint.hpp>
#include <weft/transform/grad_custom.hpp>

namespace weft::inline v0 {
namespace detail {

class loop_reversal {
public:
  constexpr loop_reversal(reverse_sweep& sweep, int loop_id)
      : s_(sweep), g_(sweep.g), r_(sweep.r), id_(loop_id), body_(sweep.g[loop_id].body),
        l_(loop_of(sweep.g, loop_id)), seeds_(l_.carries, -1) {}

  constexpr void run() {
    if (!any_cotangent()) return;
    if (l_.length == 0) return pass_through();
    choose_seeds();
    for (int k = 0; k < l_.carries; ++k) open_carry(k);
    for (int i = l_.carries + l_.xs; i < g_[id_].operand_count; ++i) open_constant(i);
    open_inputs();
    record_loop();
    close_constants();
    close_products();
    close_carries();
    close_xs();
  }

private:
  // A carry of the backward loop: one total of one parameter of the forward body.
  struct slot {
    int operand = 0;
    bool chain = false;
    double none = 0; // stands for a total that nothing has contributed to
    bool continues = false;
    handle start, inside, end;
  };
  struct input {
    handle outside, inside;
    int product = -1; // stands for a product of the step: of its element and a constant
    int by_step = 0;  // which factor is the element
    handle constant{};
  };
  struct x_cotangent {
    int operand, y;
  };
  struct stacked_product {
    product_term p;
    int a, b; // numbers of backward xs, or -1 - number of a backward y
  };

  // cond: the backward loop is taken when the forward one is; carry 0 says so in both.
  constexpr bool is_branch() const { return g_[id_].code == op::cond; }
  constexpr int parameter(int i) const { return g_.parameters_of(body_)[i]; }
  constexpr int output(int i) const { return g_.outputs_of(body_)[i]; }
  constexpr bool active(int id) const { return s_.marks.active[id]; }
  constexpr dtype type(int id) const { return g_[id].type; }
  constexpr cotangent& result(int i) { return s_.results[s_.marks.first_result[id_] + i]; }
  constexpr handle y_cotangent(int y) { return result(y).total(type(output(y))); }
  constexpr handle fill(double x, bool chain, int like) {
    return constant(r_, x, chain ? accumulator_of(type(like)) : type(like), g_.shape(like));
  }

  constexpr bool any_cotangent() {
    for (int i = 0; i < l_.carries + l_.ys; ++i)
      if (result(i).any()) return true;
    return false;
  }
  constexpr void pass_through() {
    for (int k = 0; k < l_.carries; ++k)
      if (int const x = g_.operand(id_, k); active(x)) s_.ct[x].absorb(result(k), type(x));
  }

  // Carries that are also a y, and that get several sums per step; a y is the seed of one.
  constexpr void choose_seeds() {
    for (int k = 0; k < l_.carries && l_.length > 0; ++k) {
      if (!active(parameter(k)) || s_.marks.sums[parameter(k)] < 2) continue;
      for (int y = l_.carries; y < l_.carries + l_.ys && seeds_[k] < 0; ++y)
        if (output(y) == output(k) && result(y).any() && !is_seed(y)) seeds_[k] = y;
    }
  }
  constexpr bool is_seed(int y) const {
    for (int seed : seeds_)
      if (seed == y) return true;
    return false;
  }
  // The y's cotangent at the forward loop's last step, which no later step can be seeded with.
  constexpr handle last_of(handle stack) {
    handle const one = slice_axis(stack, 0, l_.reverse ? 0 : l_.length - 1, 1);
    return reshape(one, without_leading(stack.shape()));
  }
  // Element t is the cotangent of the y of the step before t; the first step has none: -0.
  constexpr handle one_step_early(handle stack) {
    extent pads[3 * max_rank]{};
    int const rank = stack.shape().rank;
    pads[0] = l_.reverse ? -1 : 1;
    pads[rank] = -pads[0];
    return pad(stack, constant(r_, -0.0, stack.type(), {}), {pads, 3 * rank});
  }

  constexpr void open_carry(int k) {
    int const inside = parameter(k), back = output(k);
    if (!active(inside)) return;
    cotangent& c = result(k);
    if (seeds_[k] >= 0) {
      handle const later = c.sum;
      c.sum = last_of(y_cotangent(seeds_[k]));
      if (later.valid()) c.add(later);
    }
    bool const linked_again = active(back) && s_.marks.chains[back] > 0;
    bool const chain = s_.marks.chains[inside] > 0 || (c.chain.valid() && linked_again);
    if (!chain) c.total(type(inside));
    open(k, false, -0.0, c.sum, false);
    // A chain that starts here starts from +0; one that is only handed on must not change a -0.
    if (chain) open(k, true, linked_again ? 0.0 : -0.0, c.chain, false);
  }
  constexpr void open_constant(int i) {
    int const inside = parameter(i);
    if (!active(inside)) return;
    cotangent& c = s_.ct[g_.operand(id_, i)];
    bool first = true; // the same value may come in twice: only one of them continues its totals
    for (int j = l_.carries + l_.xs; j < i; ++j) first &= g_.operand(id_, j) != g_.operand(id_, i);
    if (s_.marks.sums[inside] > 0) open(i, false, -0.0, first ? c.sum : handle{}, first);
    if (s_.marks.chains[inside] > 0 && !s_.marks.stacked[inside])
      open(i, true, 0.0, first ? c.chain : handle{}, first);
  }
  constexpr void open(int i, bool chain, double none, handle start, bool continues) {
    handle const from = start.valid() ? start : fill(none, chain, parameter(i));
    slots_.push({i, chain, none, continues, from, {}, {}});
  }
  // An x. Where nothing is kept, a product of all steps (pass/hoist.hpp) is computed again, step by
  // step; with a bias, for all steps.
  constexpr input x_input(int x) {
    if (l_.save != residuals::nothing || g_[x].code != op::contract) return {s_.in_scope(x), {}};
    contraction const c = contraction_of(g_, x);
    int const by_step = c.rank_a > 0 && c.a[0] == c.out[0] ? 0 : 1;
    bool const in_front = by_step == 0 || (c.rank_b > 0 && c.b[0] == c.out[0]);
    bool const alone = g_[x].operand_count == 2 && in_front &&
                       by_step == (c.in_a(c.out[0]) ? 0 : 1) &&
                       c.in_a(c.out[0]) != c.in_b(c.out[0]);
    if (!alone) return {product_again(x), {}};
    handle const stack = s_.in_scope(g_.operand(x, by_step));
    return {stack, {}, x, by_step, s_.in_scope(g_.operand(x, 1 - by_step))};
  }
  constexpr handle product_again(int x) {
    growing<handle> operands;
    for (int each : g_.operands_of(x)) operands.push(s_.in_scope(each));
    int const body = r_.begin_body();
    handle const h = r_.emit(op::contract, type(x), g_.shape(x), operands, g_.attributes_of(x));
    handle const region = close_region(r_, body, {&h, 1}, l_.save, region_role::backward);
    return region_result(region, 0, g_.shape(x));
  }
  // What the forward body gets for this x.
  constexpr handle x_inside(input const& x) {
    if (x.product < 0) return x.inside;
    contraction c = contraction_of(g_, x.product);
    drop_first(c.out, c.rank_out);
    if (x.by_step == 0) drop_first(c.a, c.rank_a);
    else drop_first(c.b, c.rank_b);
    handle const factors[] = {x.by_step == 0 ? x.inside : x.constant,
                              x.by_step == 0 ? x.constant : x.inside};
    return r_.emit(op::contract, type(x.product), without_leading(g_.shape(x.product)),
                   {factors, 2}, encode(c));
  }
  static constexpr void drop_first(extent (&labels)[max_rank], int& rank) {
    for (int i = 1; i < rank; ++i) labels[i - 1] = labels[i];
    --rank;
  }
  constexpr void open_inputs() {
    for (int i = 0; i < l_.xs; ++i) inputs_.push(x_input(g_.operand(id_, l_.carries + i)));
    for (saving::item const& v : s_.kept.items_of(id_))
      inputs_.push({s_.loop_result(id_, v.result), {}});
    for (int y = l_.carries; y < l_.carries + l_.ys; ++y)
      if (result(y).any() && !is_seed(y)) inputs_.push({y_cotangent(y), {}});
    for (int seed : seeds_)
      if (seed >= 0) inputs_.push({one_step_early(y_cotangent(seed)), {}});
  }

  constexpr void record_loop() {
    for (int x : g_.operands_of(id_)) s_.in_scope(x); // before the body, like every operand
    if (is_branch()) taken_ = s_.in_scope(g_.operand(id_, 0));
    int const body = r_.begin_body();
    int const first_pending = s_.pending.size();
    enter();
    s_.copy_region(body_, true);
    seed_outputs();
    s_.reverse_region(body_);
    for (slot const& c : slots_) outputs_.push(end_of(c));
    collect_ys(first_pending);
    close_body(body);
  }
  constexpr void close_body(int body) {
    growing<handle> operands, outputs;
    if (is_branch()) {
      operands.push(taken_);
      outputs.push(constant(r_, 0, dtype::boolean, {}));
    }
    outputs.append(outputs_);
    for (slot const& c : slots_) operands.push(c.start);
    for (input const& x : inputs_) operands.push(x.outside);
    operands.append(r_.end_body(body, outputs));
    int const ys = outputs_.size() - slots_.size(), first = is_branch() ? 1 : 0;
    loop const backward{slots_.size() + first,       inputs_.size(), ys, l_.length,
                        !l_.reverse && !is_branch(), l_.unroll,      0,  l_.save};
    handle const done = r_.emit(g_[id_].code, dtype::f32, {}, operands, encode(backward), body);
    r_.set_owner(body, done.id);
    for (int i = 0; i < outputs_.size(); ++i) {
      extents const each = outputs_[i].shape(); // a copy: `get` may move the shapes
      bool const is_carry = i < slots_.size();
      ends_.push(get(done, first + i, outputs_[i].type(),
                     is_carry ? each : with_leading(l_.length, each)));
    }
  }
  // Parameters of the backward body, and what the forward body's values are in it.
  constexpr void enter() {
    if (is_branch()) r_.parameter(dtype::boolean, {});
    for (slot& c : slots_) c.inside = r_.parameter(c.start.type(), c.start.shape());
    for (input& x : inputs_)
      x.inside = r_.parameter(x.outside.type(), without_leading(x.outside.shape()));
    for (int i = l_.carries + l_.xs; i < g_[id_].operand_count; ++i)
      s_.value[parameter(i)] = s_.value[g_.operand(id_, i)];
    for (int i = 0; i < l_.xs; ++i) s_.value[parameter(l_.carries + i)] = x_inside(inputs_[i]).id;
    int at = l_.xs;
    for (saving::item const& v : s_.kept.items_of(id_)) s_.set_known(v, inputs_[at++].inside);
    first_y_ = at;
  }
  constexpr void seed_outputs() {
    int at = first_y_;
    for (int y = l_.carries; y < l_.carries + l_.ys; ++y) {
      if (!result(y).any() || is_seed(y)) continue;
      if (active(output(y))) s_.ct[output(y)].add(inputs_[at].inside);
      ++at;
    }
    for (int k = 0; k < l_.carries; ++k)
      if (seeds_[k] >= 0) s_.ct[parameter(k)].add(inputs_[at++].inside);
    for (slot const& c : slots_) {
      int const to = c.operand < l_.carries ? output(c.operand) : parameter(c.operand);
      if (!active(to)) continue;
      if (c.chain) s_.ct[to].absorb({{}, c.inside}, type(to));
      else s_.ct[to].add(c.inside);
    }
  }
  constexpr handle end_of(slot const& c) {
    int const inside = parameter(c.operand);
    cotangent& totals = s_.ct[inside];
    bool const has_chain = s_.marks.chains[inside] > 0 && !s_.marks.stacked[inside];
    if (!c.chain && !has_chain) totals.total(type(inside));
    handle const end = c.chain ? totals.chain : totals.sum;
    return end.valid() ? end : fill(c.none, c.chain, inside);
  }
  constexpr void collect_ys(int first_pending) {
    for (int i = 0; i < l_.xs; ++i) {
      int const inside = parameter(l_.carries + i);
      if (!active(inside) || !s_.ct[inside].any()) continue;
      x_cotangents_.push({l_.carries + i, outputs_.size()});
      outputs_.push(s_.ct[inside].total(type(inside)));
    }
    for (int i = first_pending; i < s_.pending.size(); ++i) {
      product_term const p = s_.pending[i];
      products_.push({p, stack_of(p.a), stack_of(p.b)});
    }
    s_.pending.resize(first_pending);
  }
  constexpr int stack_of(handle factor) {
    for (int i = 0; i < inputs_.size(); ++i)
      if (inputs_[i].inside.id == factor.id) return i;
    for (int i = slots_.size(); i < outputs_.size(); ++i)
      if (outputs_[i].id == factor.id) return -1 - i;
    outputs_.push(factor);
    return -outputs_.size();
  }

  constexpr void close_constants() {
    for (int i = 0; i < slots_.size(); ++i) {
      slot const& c = slots_[i];
      if (c.operand < l_.carries) continue;
      int const x = g_.operand(id_, c.operand);
      if (c.continues) (c.chain ? s_.ct[x].chain : s_.ct[x].sum) = ends_[i];
      else close(c, x, ends_[i]);
    }
  }
  constexpr void close(slot const& c, int x, handle end) {
    if (c.chain) s_.ct[x].absorb({{}, end}, type(x));
    else s_.ct[x].add(end);
  }
  constexpr void close_products() {
    for (stacked_product const& each : products_) {
      int const x = g_.operand(id_, operand_of(each.p.target));
      contribute(s_.ct[x],
                 summed_over_steps(each.p, last_step_first(each.a), last_step_first(each.b)),
                 type(x));
    }
  }
  constexpr int operand_of(int inside) const { return static_cast<int>(g_.attribute(inside, 0)); }
  constexpr handle last_step_first(int stack) {
    handle const h = stack >= 0 ? inputs_[stack].outside : ends_[-1 - stack];
    return l_.reverse ? h : reverse(h, 1);
  }
  constexpr void close_carries() {
    for (int i = 0; i < slots_.size(); ++i) {
      slot const& c = slots_[i];
      if (c.operand >= l_.carries) continue;
      if (int const x = g_.operand(id_, c.operand); active(x)) close(c, x, ends_[i]);
    }
  }
  constexpr void close_xs() {
    for (x_cotangent const& c : x_cotangents_)
      if (int const x = g_.operand(id_, c.operand); active(x)) s_.ct[x].add(ends_[c.y]);
  }

  reverse_sweep& s_;
  graph_view const g_;
  recorder& r_;
  int const id_, body_;
  loop const l_;
  growing<int> seeds_; // by carry: the y it is seeded with, or -1
  growing<slot> slots_;
  growing<input> inputs_; // xs, saved values, cotangents of ys, seeds
  int first_y_ = 0;
  handle taken_;                   // cond: its condition
  growing<handle> outputs_, ends_; // of the backward loop: inside, and as results
  growing<x_cotangent> x_cotangents_;
  growing<stacked_product> products_;
};

constexpr void reverse_loop(reverse_sweep& s, int id) {
  loop const l = loop_of(s.g, id);
  if (l.custom > 0) reverse_custom(s, id);
  else if (l.is_region()) region_reversal(s, id).run();
  else loop_reversal(s, id).run();
}

} // namespace detail
} // namespace weft::inline v0
