// SPDX-License-Identifier: BSL-1.0
// Elements at run-time places: gather, dynamic_slice, dynamic_update_slice, torch_index_select.
// Needs: graph/handle_gather.hpp, import_attributes.hpp. Leaves: the nodes of the doors; indices of
// other types become int32, and what int32 does not hold becomes the nearest number it does.
#pragma once

#include <weft/graph/handle_gather.hpp>
#include <weft/graph/verify_gather.hpp>
#include <weft/stablehlo/gather_names.hpp>
#include <weft/stablehlo/import_attributes.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

// What the lists say of an operand and indices of these ranks; the windows' extents are left to the
// caller. Lists longer than the ranks are failures here, all else is a rule of gather nodes.
constexpr gather_dims dims_of(importing& c, operation const& o, attribute const& record,
                              gather_names const& names, int rank, int index_rank) {
  gather_dims d;
  growing<extent> const windows = numbers_in_record(c, o, record, names.windows),
                        collapsed = numbers_in_record(c, o, record, names.collapsed),
                        batch = numbers_in_record(c, o, record, names.batch),
                        index_batch = numbers_in_record(c, o, record, names.index_batch),
                        map = numbers_in_record(c, o, record, names.map);
  extent const index_axis = integer_in(c, o, c.m.find(record, "index_vector_dim"),
                                       "index_vector_dim", 0);
  check_axes(c, o, names.windows, windows, max_rank);
  check_axes(c, o, names.collapsed, collapsed, rank);
  check_axes(c, o, names.batch, batch, rank);
  check_axes(c, o, names.index_batch, index_batch, index_rank);
  check_axes(c, o, names.map, map, rank);
  if (c.ok() && !is_ascending(windows)) c.fail(o, message(names.windows).add(" do not ascend"));
  if (c.ok() && batch.size() != index_batch.size()) c.fail(o, "batching dims are not pairs");
  if (c.ok() && (index_axis < 0 || index_axis > index_rank))
    c.fail(o, "index_vector_dim is no axis of the indices");
  if (!c.ok()) return d;
  d.rank = rank;
  d.index_axis = static_cast<int>(index_axis);
  d.window_axes = set_of(windows);
  d.collapsed = set_of(collapsed);
  for (extent axis : map) d.map[d.mapped++] = axis;
  for (int i = 0; i < batch.size(); ++i) {
    d.operand_batch[d.batches] = batch[i];
    d.index_batch[d.batches++] = index_batch[i];
  }
  return d;
}
constexpr bool has_room(importing& c, operation const& o, gather_dims const& d,
                        extents const& indices) {
  if (c.ok() && window_shape(d).rank + window_counts(d, indices).rank > max_rank)
    c.fail(o, "the windows have more than 8 axes");
  return c.ok() && is_buildable(c, o, gather_shape(d, indices));
}
constexpr bool keeps(importing& c, operation const& o, rule broken) {
  if (c.ok() && broken != rule::unbroken) c.fail(o, text_of(broken));
  return c.ok();
}
// Axes that operand and indices walk in step, if they are not equal yet.
constexpr void note_batches(importing& c, gather_dims const& d, extents const& s,
                            extents const& indices) {
  for (int k = 0; k < d.batches; ++k)
    c.could_be_equal(s[static_cast<int>(d.operand_batch[k])],
                     indices[static_cast<int>(d.index_batch[k])]);
}
constexpr handle gathered(importing& c, operation const& o, handle x, handle indices,
                          gather_dims const& d) {
  if (!has_room(c, o, d, indices.shape())) return {};
  handle const h = gather(x, indices, d);
  rule const broken = weft::detail::gather_rules(c.r.result, h.id).gather();
  if (broken != rule::unbroken) note_batches(c, d, x.shape(), indices.shape());
  keeps(c, o, broken);
  return h;
}
constexpr void record_gather(importing& c, operation const& o, handle x, view<extent> window) {
  attribute const* const n = record_of(c, o, "dimension_numbers");
  if (!c.ok() || !check_index(c, o, c.in(o, 1))) return;
  handle const indices = as_index(c.in(o, 1));
  int const rank = x.shape().rank;
  gather_dims d = dims_of(c, o, *n, names_of_gather, rank, indices.shape().rank);
  if (c.ok() && window.size() != rank) c.fail(o, "slice_sizes has not every axis");
  for (int i = 0; i < rank && c.ok(); ++i) {
    d.window[i] = window[i];
    if (window[i] < 0 && !is_named(x.shape()[i])) c.fail(o, "slice_sizes has a number below 0");
  }
  if (c.ok()) c.give(o, gathered(c, o, x, indices, d));
}
constexpr void import_gather(importing& c, operation const& o) {
  if (!c.takes(o, 2, 1)) return;
  growing<extent> const window = numbers_of(c, o, "slice_sizes");
  if (c.ok()) record_gather(c, o, c.in(o, 0), window);
}

// ---- slices that start at run-time places
// One rank-0 start per axis, from operand `first` on.
constexpr growing<handle> starts_of(importing& c, operation const& o, int first, int rank) {
  growing<handle> starts;
  if (c.ok() && o.operand_count != first + rank)
    c.fail(o, message("takes one start for each of ").add(rank).add(" axes"));
  for (int k = 0; k < rank && c.ok(); ++k) {
    handle const start = c.in(o, first + k);
    if (start.shape().rank != 0) c.fail(o, "a start is no scalar");
    if (check_index(c, o, start)) starts.push(as_index(start));
  }
  return starts;
}
// What is longer than a named axis, the run finds.
constexpr bool fits_inside(importing& c, operation const& o, extents const& window,
                           extents const& whole) {
  bool fits = window.rank == whole.rank;
  for (int i = 0; i < whole.rank && fits; ++i)
    fits = is_named(whole[i]) || (window[i] >= 0 && window[i] <= whole[i]);
  if (c.ok() && !fits) {
    message words("a window of ");
    c.fail(o, words.add(window).add(" does not fit into ").add(whole));
  }
  return c.ok();
}
constexpr void import_dynamic_slice(importing& c, operation const& o) {
  if (!c.takes(o, o.operand_count, 1)) return;
  if (o.operand_count == 0) return c.fail(o, "there is no operand");
  handle const x = c.in(o, 0);
  growing<extent> const sizes = numbers_of(c, o, "slice_sizes");
  growing<handle> const starts = starts_of(c, o, 1, x.shape().rank);
  if (c.ok() && sizes.size() != x.shape().rank) c.fail(o, "slice_sizes has not every axis");
  if (!c.ok()) return;
  extents window;
  for (extent e : sizes) window.push(e);
  if (fits_inside(c, o, window, x.shape())) c.give(o, dynamic_slice(x, window, starts));
}
constexpr void import_dynamic_update_slice(importing& c, operation const& o) {
  if (!c.takes(o, o.operand_count, 1)) return;
  if (o.operand_count < 2) return c.fail(o, "takes an operand and an update");
  handle const x = c.in(o, 0), update = c.in(o, 1);
  growing<handle> const starts = starts_of(c, o, 2, x.shape().rank);
  if (c.ok() && update.type() != x.type()) c.fail(o, "operand and update differ in element type");
  if (c.ok() && fits_inside(c, o, update.shape(), x.shape()))
    c.give(o, dynamic_update_slice(x, update, starts));
}

// Rows of x along `dim` by an index array whose first `batch_dims` axes walk in step with x's.
constexpr void import_torch_index_select(importing& c, operation const& o) {
  if (!c.takes(o, 2, 1)) return;
  handle const x = c.in(o, 0);
  if (!check_index(c, o, c.in(o, 1))) return;
  handle const index = as_index(c.in(o, 1));
  extents const s = x.shape();
  int const axis = axis_of(c, o, "dim", s.rank);
  extent const batches = integer_or(c, o, "batch_dims", 0);
  if (c.ok() && (batches < 0 || batches > axis || batches > index.shape().rank))
    c.fail(o, "batch_dims is not 0 to dim");
  if (!c.ok()) return;
  gather_dims d = weft::detail::picking(s, {1, {axis}}, index.shape().rank);
  for (int i = 0; i < batches; ++i) {
    d.operand_batch[d.batches] = d.index_batch[d.batches] = i;
    ++d.batches;
    d.window[i] = 1;
  }
  int const added = index.shape().rank - 1;
  for (int i = static_cast<int>(batches); i < s.rank; ++i)
    if (i != axis) d.window_axes |= extent{1} << (i < axis ? i : i + added);
  c.give(o, gathered(c, o, x, index, d));
}

} // namespace detail
} // namespace weft::inline v0::stablehlo
