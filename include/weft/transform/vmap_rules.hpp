// SPDX-License-Identifier: BSL-1.0
// batch_sweep: copies the regions of a graph into a recorder, once for all examples; batched_node
// is the `n` of the op table's batching rules. A value that differs from example to example has the
// examples' axis first; a rule spreads operands that do not differ, where the op wants them alike.
// Bits: an example's element is computed from the same numbers in the same order as alone. Orders of
// products stay as recorded, whatever extents the examples add; reduced axes keep their sequence.
// Needs: vmap_marks.hpp, a verified graph. Leaves: nodes in the recorder; windows in
// vmap_windows.hpp, loops in vmap_loop.hpp.
#pragma once

#include <weft/graph/convolution.hpp>
#include <weft/graph/handle_gather.hpp>
#include <weft/graph/observe.hpp>
#include <weft/graph/results.hpp>
#include <weft/pass/leading_axis.hpp>
#include <weft/transform/vmap_marks.hpp>

namespace weft::inline v0 {
namespace detail {

class batched_node;

class batch_sweep {
public:
  graph_view const g;
  recorder& r;
  extent const batch; // how many examples
  batch_marks const marks;
  growing<handle> value; // by old id
  handle live;           // inside loops that examples leave at different steps: who is still there

  batching_table<batched_node> const& rules;

  constexpr batch_sweep(graph_view from, recorder& to, extent examples, view<bool> mapped,
                        batching_table<batched_node> const& all_rules)
      : g(from), r(to), batch(examples), marks(from, mapped), value(from.size()), rules(all_rules),
        order_(nodes_by_region(from)) {
    r.result.copy_tables(g);
  }

  // Of one example, and of all.
  constexpr extents all_of(extents const& one) const { return with_leading(batch, one); }
  // x, the same for every example.
  constexpr handle repeated(handle x) const {
    extents const to = all_of(x.shape());
    extent map[max_rank]{};
    for (int i = 0; i < x.shape().rank; ++i) map[i] = i + 1;
    return broadcast(x, to, {map, x.shape().rank});
  }
  // x of rank 1, one element per example, over arrays of `one` each.
  constexpr handle along(handle x, extents const& one) const {
    extent const map[] = {0};
    return broadcast(x, all_of(one), {map, 1});
  }
  constexpr handle spread(int id) const {
    return marks.batched[id] ? value[id] : repeated(value[id]);
  }
  constexpr void copy_region(int region); // vmap_loop.hpp

private:
  constexpr void copy(int id);

  growing<growing<int>> order_; // nodes by region
};

constexpr handle with_axes_swapped(handle x, int a, int b) {
  extent permutation[max_rank]{};
  for (int i = 0; i < x.shape().rank; ++i) permutation[i] = i == a ? b : i == b ? a : i;
  return transpose(x, {permutation, x.shape().rank});
}

// What a batching rule sees of its node.
class batched_node {
public:
  constexpr batched_node(batch_sweep& s, int id) : s_(s), id_(id) {}

  constexpr extent extent_of_batch() const { return s_.batch; }

  // The op as it stands, over one more axis.
  constexpr void uniform() { emit(attributes()); }
  // attributes: a list of axes, one per operand axis.
  constexpr void with_axes() { emit(axes_led(attributes())); }
  // attributes: three lists of numbers, one per axis; the new axis has these.
  constexpr void with_lists(extent first, extent second, extent third) {
    emit(lists_led(attributes(), first, second, third));
  }
  // attribute 0: a set of axes; a single axis.
  constexpr void with_axis_set() { emit(axis_set_led(attributes())); }
  constexpr void with_axis() { emit(axis_led(attributes())); }
  // attributes: four lists of a number per window, the first of axes.
  constexpr void with_windows() { emit(windows_led(attributes())); }
  // attributes: a list of names per axis.
  constexpr void with_shard_list() { emit(shard_list_led(attributes())); }
  // attributes 0 and 1: axes of some kinds.
  constexpr void with_two_axes() { emit(two_axes_led(attributes())); }
  // Fillers that differ are chosen where a padded mask says so.
  constexpr void pad() {
    if (!is_batched(1)) {
      handle const both[] = {spread(0), in(1)};
      return give(made({both, 2}, all(), lists_led(attributes(), 0, 0, 0)));
    }
    dtype const type = s_.g[id_].type;
    extents const inner = s_.g.shape(operand(0));
    handle const none = constant(s_.r, 0, type, {});
    handle const both[] = {in(0), none};
    handle const x = is_batched(0) ? made({both, 2}, all(), lists_led(attributes(), 0, 0, 0))
                                   : s_.repeated(made({both, 2}, one(), attributes()));
    handle const mask[] = {constant(s_.r, 1, dtype::boolean, inner),
                           constant(s_.r, 0, dtype::boolean, {})};
    handle const own = s_.r.emit(op::pad, dtype::boolean, one(), {mask, 2}, attributes());
    give(select(s_.repeated(own), x, s_.along(in(1), one())));
  }
  // Checks pass who is done: what is computed for it is no example's.
  constexpr void observe() {
    bool const prints = attributes()[0] == static_cast<extent>(observation::print);
    if (!s_.live.valid() || prints) return uniform();
    handle const x = spread(0), live = s_.along(s_.live, one());
    handle const zeros = constant_bits(s_.r, 0, x.type(), all());
    handle const seen = select(live, x, zeros);
    give(select(live, made({&seen, 1}, all(), attributes()), x));
  }
  // The function is called for each of the examples' items.
  constexpr void custom_call() {
    give(made(all_spread(), {}, custom_call_led(attributes(), s_.batch)));
  }
  // Result number i of a node with several.
  constexpr void get() {
    int const from = operand(0), i = static_cast<int>(attributes()[0]);
    dtype const type = s_.g[id_].type;
    handle const node = in(0);
    if (!is_loop(s_.g[from].code)) return give(weft::get(node, i, type, own_shape()));
    int const at = i + (s_.marks.splits(from) ? 1 : 0);
    weft::loop const l = loop_of(s_.g, from);
    if (i < l.carries || !result_is_batched()) return give(weft::get(node, at, type, own_shape()));
    // Ys are stacked step by step: the steps' axis is first.
    extents const stacked = with_leading(l.length, s_.all_of(without_leading(one())));
    give(with_axes_swapped(weft::get(node, at, type, stacked), 0, 1));
  }

  constexpr void dynamic_slice();        // vmap_windows.hpp
  constexpr void dynamic_update_slice(); //
  constexpr void gather();               //
  constexpr void scatter();              //
  constexpr void contract();             //
  constexpr void convolve();             //
  constexpr void loop();                 // vmap_loop.hpp

private:
  constexpr int operand(int i) const { return s_.g.operand(id_, i); }
  constexpr int operand_count() const { return s_.g[id_].operand_count; }
  constexpr handle in(int i) const { return s_.value[operand(i)]; }
  constexpr handle spread(int i) const { return s_.spread(operand(i)); }
  constexpr bool is_batched(int i) const { return s_.marks.batched[operand(i)]; }
  constexpr bool result_is_batched() const { return s_.marks.batched[id_]; }
  constexpr extents one() const { return s_.g.shape(id_); }
  constexpr extents all() const { return s_.all_of(one()); }
  constexpr extents own_shape() const { return result_is_batched() ? all() : one(); }
  constexpr view<extent> attributes() const { return s_.g.attributes_of(id_); }
  constexpr void give(handle h) { s_.value[id_] = h; }

  constexpr handle made(view<handle> operands, extents const& shape, view<extent> attributes) {
    return s_.r.emit(s_.g[id_].code, s_.g[id_].type, shape, operands, attributes);
  }
  constexpr growing<handle> all_spread() const {
    growing<handle> operands;
    for (int i = 0; i < operand_count(); ++i) operands.push(spread(i));
    return operands;
  }
  constexpr void emit(view<extent> attributes) { give(made(all_spread(), all(), attributes)); }
  constexpr void one_by_one();
  constexpr handle start_vectors(int first, int rank) const;
  constexpr growing<handle> starts_behind_zero(int first) const;
  constexpr bool starts_differ(int first) const;

  batch_sweep& s_;
  int id_;
};

} // namespace detail
} // namespace weft::inline v0
