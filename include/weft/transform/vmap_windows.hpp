// SPDX-License-Identifier: BSL-1.0
// Batching rules of windows and products.
//   gather, scatter   x differs alone: its new axis is one more window axis, taken whole. The
//                     indices differ: one more axis that counts windows, paired with x's if it has
//                     one. Windows are visited in the same sequence for each example.
//   dynamic_slice     starts that differ: a gather of one window per example, with the same clamping
//                     (dynamic_update_slice: a scatter)
//   contract          one more label, outermost, where an operand has it; the order stays. A bias
//                     that differs is added to the one product in the accumulation type, as the node
//                     would; a start that differs makes one product per example.
// What no node says (a window with another name than its axis, operands without room for an axis):
// a scan over the examples.
// Needs: vmap_rules.hpp.
#pragma once

#include <weft/graph/handle_convolve.hpp>
#include <weft/transform/vmap_rules.hpp>

namespace weft::inline v0 {
namespace detail {

// The node itself, example after example.
constexpr void batched_node::one_by_one() {
  growing<handle> operands;
  growing<int> place(operand_count(), 0); // by operand: which parameter of the body
  int xs = 0;
  for (bool stacked : {true, false}) {
    for (int i = 0; i < operand_count(); ++i) {
      if (is_batched(i) != stacked) continue;
      place[i] = operands.size();
      operands.push(s_.r.localised(in(i)));
      xs += stacked ? 1 : 0;
    }
  }
  int const body = s_.r.begin_body();
  growing<handle> parameters, own;
  for (int k = 0; k < operands.size(); ++k) {
    extents const shape = operands[k].shape();
    parameters.push(s_.r.parameter(operands[k].type(), k < xs ? without_leading(shape) : shape));
  }
  for (int at : place) own.push(parameters[at]);
  handle const y = made(own, one(), attributes());
  s_.r.end_body(body, {&y, 1});
  weft::loop const l{.xs = xs, .ys = 1, .length = s_.batch};
  handle const node = s_.r.emit(op::scan, dtype::f32, {}, operands, encode(l), body);
  s_.r.set_owner(body, node.id);
  give(weft::get(node, 0, s_.g[id_].type, all()));
}

constexpr gather_dims with_window_axis(gather_dims d, extent whole) {
  for (int i = d.rank++; i > 0; --i) d.window[i] = d.window[i - 1];
  d.window[0] = whole;
  d.collapsed <<= 1;
  for (int i = 0; i < d.batches; ++i) ++d.operand_batch[i];
  for (int i = 0; i < d.mapped; ++i) ++d.map[i];
  return d;
}
// x has a new axis 0, the indices have none.
constexpr gather_dims with_batched_x(gather_dims d, extent batch) {
  d = with_window_axis(d, batch);
  d.window_axes = (d.window_axes << 1) | 1;
  return d;
}
// The indices have a new axis 0, and so has x, or not.
constexpr gather_dims with_batched_indices(gather_dims d, bool x_too) {
  if (x_too) d = with_window_axis(d, 1);
  d.window_axes <<= 1;
  ++d.index_axis;
  for (int i = 0; i < d.batches; ++i) ++d.index_batch[i];
  if (!x_too) return d;
  d.operand_batch[d.batches] = d.index_batch[d.batches] = 0;
  ++d.batches;
  return d;
}

constexpr void batched_node::gather() {
  gather_dims const d = gather_of(attributes());
  bool const x = is_batched(0), indices = is_batched(1);
  give(weft::gather(in(0), in(1),
                    indices ? with_batched_indices(d, x) : with_batched_x(d, s_.batch)));
}
constexpr void batched_node::scatter() {
  gather_dims const d = gather_of(attributes());
  if (!is_batched(1) && s_.g.shape(operand(1)).rank == max_rank) return one_by_one();
  give(weft::scatter(spread(0), spread(1), in(2),
                     is_batched(2) ? with_batched_indices(d, true) : with_batched_x(d, s_.batch)));
}

constexpr bool batched_node::starts_differ(int first) const {
  for (int i = first; i < operand_count(); ++i)
    if (is_batched(i)) return true;
  return false;
}
// The starts of every example as a vector.
constexpr handle batched_node::start_vectors(int first, int rank) const {
  growing<handle> columns;
  extents const column{2, {s_.batch, 1}};
  for (int i = 0; i < rank; ++i) columns.push(reshape(spread(first + i), column));
  return concat(columns, 1);
}
constexpr growing<handle> batched_node::starts_behind_zero(int first) const {
  growing<handle> starts(1, constant(s_.r, 0, dtype::i32, {}));
  for (int i = first; i < operand_count(); ++i) starts.push(in(i));
  return starts;
}
// One window per example, along all axes.
constexpr gather_dims window_per_example(extents const& window) {
  gather_dims d;
  d.rank = d.mapped = window.rank;
  d.window_axes = (extent{1} << window.rank) - 1;
  d.index_axis = 0;
  for (int i = 0; i < window.rank; ++i) {
    d.window[i] = window[i];
    d.map[i] = i;
  }
  return d;
}
// Would gather take these windows? One that has a name must be its axis.
constexpr bool has_windows(extents const& x, extents const& window) {
  for (int i = 0; i < x.rank; ++i)
    if (is_named(window[i]) && window[i] != x[i]) return false;
  return true;
}
constexpr void batched_node::dynamic_slice() {
  extents const x = s_.g.shape(operand(0)), window = one();
  if (!starts_differ(1)) return give(weft::dynamic_slice(spread(0), all(), starts_behind_zero(1)));
  if (!has_windows(x, window)) return one_by_one();
  give(weft::gather(in(0), start_vectors(1, x.rank),
                    with_batched_indices(window_per_example(window), is_batched(0))));
}
constexpr void batched_node::dynamic_update_slice() {
  extents const x = s_.g.shape(operand(0)), window = s_.g.shape(operand(1));
  if (!starts_differ(2))
    return give(weft::dynamic_update_slice(spread(0), spread(1), starts_behind_zero(2)));
  if (!has_windows(x, window)) return one_by_one();
  give(weft::scatter(spread(0), spread(1), start_vectors(2, x.rank),
                     with_batched_indices(window_per_example(window), true)));
}

constexpr void batched_node::contract() {
  contraction c = contraction_of(attributes());
  dtype const type = s_.g[id_].type, wide = accumulator_of(in(0).type());
  int const last = operand_count() - 1;
  bool a = is_batched(0), b = is_batched(1);
  if (!a && !b && !(c.has_start && is_batched(2))) { // the bias differs
    c.has_bias = false;
    handle const product = weft::contract(in(0), in(1), c, wide, c.has_start ? in(2) : handle{});
    return give(convert(s_.repeated(product) + convert(in(last), wide), type));
  }
  handle x = in(0), y = in(1);
  if (!a && !b) {
    if (c.rank_a == max_rank && c.rank_b == max_rank) return one_by_one();
    (c.rank_a < max_rank ? a : b) = true;
    (a ? x : y) = s_.repeated(a ? x : y);
  }
  handle const start = c.has_start ? spread(2) : handle{};
  give(weft::contract(x, y, with_outer_label(c, a, b), type, start,
                      c.has_bias ? spread(last) : handle{}));
}

constexpr void batched_node::convolve() {
  convolution c = convolution_of(attributes());
  dtype const type = s_.g[id_].type, wide = accumulator_of(in(0).type());
  bool const x = is_batched(0), w = is_batched(1);
  if (x || w)
    return give(weft::convolve(in(0), in(1), with_outer_label(c, x, w), all(), type,
                               c.has_bias ? spread(2) : handle{}));
  c.has_bias = false; // it alone differs
  handle const same = weft::convolve(in(0), in(1), c, one(), wide);
  give(convert(s_.repeated(same) + convert(in(2), wide), type));
}

} // namespace detail
} // namespace weft::inline v0
