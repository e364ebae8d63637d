// SPDX-License-Identifier: BSL-1.0
// scatter and select_and_scatter. Bodies that scatter nodes have (add, multiply, minimum, maximum, the
// update itself) are such nodes, one per operand; with any other the updates are taken one window
// after the other, in order. What lies outside the operand is dropped, element by element.
// Needs: import_bodies.hpp, import_index.hpp, import_windows.hpp. Leaves: scatter, or a scan.
#pragma once

#include <weft/graph/counters.hpp>
#include <weft/graph/handle_loop.hpp>
#include <weft/stablehlo/import_bodies.hpp>
#include <weft/stablehlo/import_index.hpp>
#include <weft/stablehlo/import_windows.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

struct scatter_way {
  bool known = false;
  scatter_combine how = scatter_combine::set;
};
constexpr scatter_way way_of(code what, dtype type) {
  bool const logic = type == dtype::boolean;
  switch (what) {
    case code::stablehlo_return: return {true, scatter_combine::set};
    case code::add: return {true, logic ? scatter_combine::max : scatter_combine::add};
    case code::multiply: return {true, logic ? scatter_combine::min : scatter_combine::mul};
    case code::maximum: return {true, scatter_combine::max};
    case code::minimum: return {true, scatter_combine::min};
    case code::or_: return {logic, scatter_combine::max};
    case code::and_: return {logic, scatter_combine::min};
    default: return {};
  }
}

// ---- any body: windows in order
// Of indices and updates the axes that count windows as one, in front.
struct window_rows {
  handle indices;          // (windows, numbers of an index)
  growing<handle> updates; // (windows, window…)
  gather_dims row;         // how one row is read
};
constexpr extent numbers_of_index(gather_dims const& d) { return d.mapped + d.batches; }
// Index numbers last, one for each batching axis behind them.
constexpr handle index_rows(handle indices, gather_dims const& d) {
  extents const s = indices.shape(), counts = window_counts(d, s);
  handle x = indices;
  extents with_numbers = counts;
  with_numbers.push(d.mapped);
  if (d.index_axis < s.rank) {
    growing<extent> order;
    for (int i = 0; i < s.rank; ++i)
      if (i != d.index_axis) order.push(i);
    order.push(d.index_axis);
    x = transpose(x, order);
  }
  growing<handle> parts(1, reshape(x, with_numbers));
  with_numbers[counts.rank] = 1;
  for (int k = 0; k < d.batches; ++k) {
    int const axis = static_cast<int>(d.index_batch[k]);
    parts.push(iota(*x.where, dtype::i32, with_numbers, axis > d.index_axis ? axis - 1 : axis));
  }
  handle const all = parts.size() == 1 ? parts[0] : concat(parts, counts.rank);
  return reshape(all, {2, {count_of(counts), numbers_of_index(d)}});
}
constexpr handle update_rows(handle update, gather_dims const& d) {
  extents const s = update.shape();
  growing<extent> order;
  extents to;
  extent n = 1;
  for (int i = 0; i < s.rank; ++i)
    if (!has_axis(d.window_axes, i)) {
      order.push(i);
      n *= s[i];
    }
  to.push(n);
  for (int i = 0; i < s.rank; ++i)
    if (has_axis(d.window_axes, i)) {
      order.push(i);
      to.push(s[i]);
    }
  return reshape(transpose(update, order), to);
}
constexpr window_rows rows_of(view<handle> updates, handle indices, gather_dims const& d) {
  window_rows rows;
  rows.indices = index_rows(indices, d);
  for (handle u : updates) rows.updates.push(update_rows(u, d));
  rows.row = d;
  rows.row.drop = true;
  rows.row.index_axis = 0;
  rows.row.batches = 0;
  for (int k = 0; k < d.batches; ++k) {
    rows.row.map[rows.row.mapped++] = d.operand_batch[k];
    rows.row.collapsed |= extent{1} << d.operand_batch[k];
  }
  rows.row.window_axes = (extent{1} << window_shape(rows.row).rank) - 1;
  rows.row.combine = scatter_combine::set;
  return rows;
}
constexpr growing<handle> scatter_in_order(importing& c, operation const& o, view<handle> x,
                                           handle indices, view<handle> updates,
                                           gather_dims const& d) {
  if (!is_static(indices.shape()) || !is_static(updates[0].shape()))
    c.fail(o, "this body is not read over extents that only the run knows");
  if (window_shape(d).rank == max_rank || window_counts(d, indices.shape()).rank == max_rank)
    c.fail(o, "this body is not read over windows of 8 axes");
  if (!c.ok()) return {};
  window_rows const rows = rows_of(updates, indices, d);
  growing<handle> operands(x);
  operands.push(rows.indices);
  operands.append(rows.updates);
  for (handle& h : operands) h = c.r.localised(h);
  int const n = x.size(), body = c.r.begin_body();
  growing<handle> inner, current, outputs;
  for (int k = 0; k < operands.size(); ++k) {
    extents const s = operands[k].shape();
    inner.push(c.r.parameter(operands[k].type(), k < n ? s : without_leading(s)));
  }
  for (int k = 0; k < n; ++k) current.push(gather(inner[k], inner[n], rows.row));
  for (int k = 0; k < n; ++k) current.push(inner[n + 1 + k]);
  growing<handle> const next = combined(c, o, current.part(0, n), current.part(n, n));
  if (!c.ok()) return {};
  for (int k = 0; k < n; ++k) outputs.push(scatter(inner[k], next[k], inner[n], rows.row));
  loop const l{.carries = n, .xs = 1 + n, .length = rows.indices.shape()[0]};
  operands.append(c.r.end_body(body, outputs));
  return weft::detail::record_loop(c.r, body, l, operands);
}

// The last region of o combines what is there with what comes.
constexpr growing<handle> scattered(importing& c, operation const& o, view<handle> x,
                                    handle indices, view<handle> updates, gather_dims d) {
  growing<handle> results;
  int const n = x.size(), body = o.region_count - 1;
  bool plain = true;
  d.drop = true;
  for (int k = 0; k < n; ++k) plain = plain && way_of(body_of(c, o, body, k, n), x[k].type()).known;
  for (int k = 0; k < n && c.ok(); ++k) {
    d.combine = plain ? way_of(body_of(c, o, body, k, n), x[k].type()).how : scatter_combine::set;
    if (!has_room(c, o, d, indices.shape())) break;
    results.push(scatter(x[k], updates[k], indices, d));
    rule const broken = weft::detail::gather_rules(c.r.result, results[k].id).scatter();
    if (broken != rule::unbroken) {
      note_equal(c, gather_shape(d, indices.shape()), updates[k].shape());
      note_batches(c, d, x[k].shape(), indices.shape());
    }
    keeps(c, o, broken);
  }
  if (plain || !c.ok()) return results;
  return scatter_in_order(c, o, x, indices, updates, d);
}

constexpr bool check_updates(importing& c, operation const& o, view<handle> x,
                             view<handle> updates) {
  module_region const& body = c.m.region_of(o, o.region_count - 1);
  int const n = x.size();
  if (c.ok() && body.argument_count != 2 * n) c.fail(o, "the body takes another number of values");
  for (int k = 0; k < n && c.ok(); ++k) {
    bool const one = same_shapes(c, x[k].shape(), x[0].shape()) &&
                     same_shapes(c, updates[k].shape(), updates[0].shape());
    if (!one) c.fail(o, "operands, or updates, differ in shape");
    else if (x[k].type() != updates[k].type())
      c.fail(o, "an operand and its updates differ in element type");
    else if (c.m.type_of(body.first_argument + k).element != x[k].type())
      c.fail(o, "the body computes in another element type");
  }
  return c.ok();
}
constexpr void import_scatter(importing& c, operation const& o) {
  int const n = (o.operand_count - 1) / 2;
  if (o.operand_count < 3) return c.fail(o, "takes operands, indices and updates");
  if (!c.takes(o, 2 * n + 1, n, 1) || !check_index(c, o, c.in(o, n))) return;
  growing<handle> const x = c.ins(o, 0, n), updates = c.ins(o, n + 1, n);
  handle const indices = as_index(c.in(o, n));
  attribute const* const numbers = record_of(c, o, "scatter_dimension_numbers");
  if (!c.ok() || !check_updates(c, o, x, updates)) return;
  extents const s = x[0].shape(), u = updates[0].shape();
  gather_dims d = dims_of(c, o, *numbers, names_of_scatter, s.rank, indices.shape().rank);
  if (!c.ok()) return;
  int at = 0;
  for (int i = 0; i < s.rank; ++i) {
    d.window[i] = 1;
    if (!d.in_window(i)) continue;
    while (at < u.rank && !has_axis(d.window_axes, at)) ++at;
    if (at == u.rank) return c.fail(o, "the updates have fewer axes than the windows");
    d.window[i] = u[at++];
  }
  growing<handle> const results = scattered(c, o, x, indices, updates, d);
  c.give_all(o, results);
}

// ---- select_and_scatter: of each window the element that the first body picks gets the source
// (value, index): `a` unless only b is inside, or the body does not pick it.
constexpr growing<handle> picked(importing& c, operation const& o, view<handle> a, view<handle> b) {
  handle const both[] = {a[0], b[0]};
  growing<handle> const by = c.run_lifted(o, 0, {both, 2});
  if (c.ok() && (by.size() != 1 || by[0].type() != dtype::boolean))
    c.fail(o, "the selecting body does not give one i1");
  if (!c.ok()) return growing<handle>(a);
  auto const both_of = [](op how, handle x, handle y) { return binary(how, dtype::boolean, x, y); };
  handle const outside = number_like(a[1], -1);
  handle const a_inside = greater(a[1], outside), b_outside = equal(b[1], outside);
  handle const first = both_of(op::bit_and, a_inside, both_of(op::bit_or, by[0], b_outside));
  growing<handle> r(1, select(first, a[0], b[0]));
  r.push(select(first, a[1], b[1]));
  return r;
}
// Of each window the row-major index of its pick in x; -1: the window is padding alone.
constexpr handle picks_of(importing& c, operation const& o, handle x, handle filler,
                          window_walks const& w) {
  handle const index = weft::detail::element_index(c.r, x.shape(), dtype::i32);
  handle const none = constant(c.r, -1, dtype::i32, {});
  growing<handle> both(1, padded_with(c, o, x, filler, w.pads));
  both.push(padded_with(c, o, index, none, w.pads));
  pool_plan const p = plan_of(w, both[0].shape());
  if (!fit_windows(c, o, p)) return {};
  for (int i = 0; i < p.count; ++i)
    if (p.at[i].places == 0) return constant(c.r, -1, dtype::i32, p.result);
  auto const combine = [&](view<handle> a, view<handle> b) { return picked(c, o, a, b); };
  both = reduce_each_window(c, both, p, combine);
  return c.ok() ? both[1] : handle{};
}
constexpr void import_select_and_scatter(importing& c, operation const& o) {
  if (!c.takes(o, 3, 1, 2)) return;
  handle const x = c.in(o, 0), source = c.in(o, 1), init = c.in(o, 2);
  extents const s = x.shape();
  if (x.type() != source.type() || init.type() != x.type() || init.shape().rank != 0)
    return c.fail(o, "operand, source and initial scalar have one element type");
  if (!is_static(s) || count_of(s) > weft::detail::most_extent)
    return c.fail(o, "the operand has a known number of elements, at most 2^31 - 1");
  window_walks const w = windows_of(c, o, s);
  if (!c.ok() || !check_updates(c, o, {&x, 1}, {&source, 1})) return;
  handle const index = picks_of(c, o, x, init, w);
  if (c.ok() && !same_shapes(c, index.shape(), source.shape())) {
    message words("the windows make ");
    c.fail(o, words.add(index.shape()).add(", the source is ").add(source.shape()));
  }
  if (!c.ok()) return;
  extents const flat{1, {count_of(s)}};
  handle const start = broadcast_to(init, flat);
  growing<handle> const all = scattered(c, o, {&start, 1}, index, {&source, 1},
                                        weft::detail::taking(flat, 0, index.shape().rank));
  if (c.ok()) c.give(o, reshape(all[0], s));
}

} // namespace detail
} // namespace weft::inline v0::stablehlo
