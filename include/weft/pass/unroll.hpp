// SPDX-License-Identifier: BSL-1.0
// unroll: scans that ask for N steps per turn get them. The body stands N times in a new one, whose
// xs are (turns, N, ...) instead of (length, ...); steps left over follow behind the loop; with
// N >= length there is no loop. Every step computes what it did, in the same order, so no bit
// changes.
// Stands last in a recording: gradients are taken of the rolled loop, whose backward loop asks for
// the same N, so they too keep their bits. Hoist before it: what leaves the rolled loop is one node.
// Needs: a verified graph in canonical order; lengths that are numbers. Leaves: a verified graph
// with the same inputs and outputs in which no scan asks. A scan over arrays of 8 axes has no room
// for the new one and stays rolled.
#pragma once

#include <weft/pass/scan_rewriter.hpp>

namespace weft::inline v0 {
namespace detail {

class unroller final : public scan_rewriter {
public:
  constexpr explicit unroller(graph_view g) : scan_rewriter(g) {}

private:
  constexpr bool rewrite(int i, growing<handle>& results) override {
    if (!wants(i)) return false;
    results = unrolled(i);
    return true;
  }
  // A scan that stays asks no more.
  constexpr growing<extent> attributes_of_copy(int i) const override {
    if (g_[i].code != op::scan) return g_.attributes_of(i);
    loop l = loop_of(g_, i);
    l.unroll = 1;
    l.custom = 0;
    return encode(l);
  }
  constexpr bool wants(int i) const {
    loop const l = loop_of(g_, i);
    if (l.unroll <= 1 || l.length <= 0) return false;
    if (l.unroll >= l.length) return true;
    for (int k = l.carries; k < l.carries + l.xs; ++k)
      if (g_.shape(g_.operand(i, k)).rank == max_rank) return false;
    for (int k = l.carries; k < l.carries + l.ys; ++k)
      if (g_.shape(g_.outputs_of(g_[i].body)[k]).rank + 1 == max_rank) return false;
    return true;
  }

  // The results of scan i: the last carries and the ys.
  constexpr growing<handle> unrolled(int i) {
    loop const l = loop_of(g_, i);
    growing<handle> operands = mapped(g_.operands_of(i));
    extent const turns = l.length / l.unroll, rest = l.length % l.unroll, done = turns * l.unroll;
    if (turns == 0) return steps(i, operands, 0, l.length);
    growing<handle> first = turned(i, operands, turns, l.reverse ? rest : 0);
    if (rest == 0) return first;
    for (int k = 0; k < l.carries; ++k) operands[k] = first[k];
    growing<handle> last = steps(i, operands, l.reverse ? 0 : done, rest);
    for (int k = l.carries; k < l.carries + l.ys; ++k) {
      handle const both[] = {l.reverse ? last[k] : first[k], l.reverse ? first[k] : last[k]};
      last[k] = concat({both, 2}, 0);
    }
    return last;
  }
  // `count` steps over the elements of the xs from `from` on, one after the other, without a loop.
  constexpr growing<handle> steps(int i, view<handle> operands, extent from, extent count) {
    loop const l = loop_of(g_, i);
    growing<handle> arguments(operands);
    growing<growing<handle>> ys(l.ys, growing<handle>(static_cast<int>(count)));
    for (extent n = 0; n < count; ++n) {
      extent const t = l.reverse ? count - 1 - n : n;
      for (int k = l.carries; k < l.carries + l.xs; ++k)
        arguments[k] = element(operands[k], from + t);
      growing<handle> const out = region(g_[i].body, arguments);
      for (int k = 0; k < l.carries; ++k) arguments[k] = out[k];
      for (int k = 0; k < l.ys; ++k) ys[k][static_cast<int>(t)] = as_row(out[l.carries + k]);
    }
    arguments.resize(l.carries);
    for (growing<handle> const& y : ys) arguments.push(count == 1 ? y[0] : concat(y, 0));
    return arguments;
  }
  // The loop of `turns` turns, over the elements of the xs from `from` on; of one, no loop.
  constexpr growing<handle> turned(int i, view<handle> operands, extent turns, extent from) {
    loop l = loop_of(g_, i);
    extent const each = l.unroll;
    if (turns == 1) return steps(i, operands, from, each);
    growing<handle> outside(operands), inside;
    for (int k = l.carries; k < l.carries + l.xs; ++k)
      outside[k] = in_turns(operands[k], from, turns, each);
    for (handle& h : outside) h = r_.localised(h);
    int const body = r_.begin_body();
    for (int k = 0; k < outside.size(); ++k) {
      extents const s = outside[k].shape();
      bool const is_x = k >= l.carries && k < l.carries + l.xs;
      inside.push(r_.parameter(outside[k].type(), is_x ? without_leading(s) : s));
    }
    growing<handle> const out = steps(i, inside, 0, each);
    growing<extents> shapes;
    for (handle h : out) shapes.push(h.shape());
    r_.end_body(body, out);
    l.length = turns;
    l.unroll = 1;
    handle const node = r_.emit(op::scan, g_[i].type, g_.shape(i), outside, encode(l), body);
    r_.set_owner(body, node.id);
    growing<handle> results;
    for (int k = 0; k < out.size(); ++k) {
      dtype const type = out[k].type();
      if (k < l.carries) results.push(get(node, k, type, shapes[k]));
      else results.push(rows(get(node, k, type, with_leading(turns, shapes[k]))));
    }
    return results;
  }

  static constexpr handle element(handle x, extent t) {
    extents const one = without_leading(x.shape());
    return reshape(slice_axis(x, 0, t, 1), one);
  }
  static constexpr handle as_row(handle y) {
    extents const s = with_leading(1, y.shape());
    return reshape(y, s);
  }
  // (length, ...) as (turns, each, ...).
  static constexpr handle in_turns(handle x, extent from, extent turns, extent each) {
    extents const s = with_leading(turns, with_leading(each, without_leading(x.shape())));
    bool const whole = x.shape()[0] == turns * each;
    return reshape(whole ? x : slice_axis(x, 0, from, turns * each), s);
  }
  // And back.
  static constexpr handle rows(handle y) {
    extents const s = y.shape();
    return reshape(y, with_leading(s[0] * s[1], without_leading(without_leading(s))));
  }
};

} // namespace detail

constexpr bool asks_to_unroll(graph_view g) {
  for (region const& r : g.regions)
    if (r.owner >= 0 && g[r.owner].code == op::scan && loop_of(g, r.owner).unroll > 1) return true;
  return false;
}
constexpr graph unroll(graph_view g) { return detail::unroller(g).take(); }

} // namespace weft::inline v0
