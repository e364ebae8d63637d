// SPDX-License-Identifier: BSL-1.0
// op_writer: every op of the table as a node, at run time or in constant evaluation, for tests that
// are generated from the table.
//   reading(o, x, turn)          the results of op o with x among its operands; the others are new
//                                inputs. `turn` varies x's place among them, axes and attributes.
//                                None: the op cannot read x there.
//   made_by(o, d, shape, turn)   the results of op o over new inputs of type d.
// Needs: shapes of rank 1 to 3 whose first extent alone may be a name. Leaves: sound graphs, for
// all numbers of the names, 0 too. Joined arrays get names of their own, which their concat binds.
#pragma once

#include <weft/graph/custom_call.hpp>
#include <weft/graph/handle_collective.hpp>
#include <weft/graph/handle_convolve.hpp>
#include <weft/graph/handle_gather.hpp>
#include <weft/graph/observe.hpp>
#include <weft/graph/results.hpp>
#include <weft/graph/sharding.hpp>

#include <cstring>

namespace test {

using weft::dtype;
using weft::extent;
using weft::extents;
using weft::growing;
using weft::handle;
using weft::op;

// Prints are made, and not shown.
inline bool const prints_are_silent = (
    weft::on_print = [](char const*) {}, true);

// What convert or bitcast may give for type `from`: turn by turn, another type.
constexpr dtype changed_type(op o, dtype from, int turn) {
  growing<dtype> all;
  for (int d = 0; d < weft::dtype_count; ++d)
    if (dtype const to = static_cast<dtype>(d); weft::is_typed(o, from, to)) all.push(to);
  return all.empty() ? from : all[turn % all.size()];
}

// A function of the host's that gives what it is given.
inline void copy_bytes(weft::host_call const& at) {
  weft::host_operand const& x = at.operands[0];
  weft::host_result const& y = at.results[0];
  extent const given = weft::count_of(x.shape) * weft::size_of(x.type),
               wanted = weft::count_of(y.shape) * weft::size_of(y.type);
  extent const bytes = given < wanted ? given : wanted;
  if (bytes > 0) std::memcpy(y.data, x.data, static_cast<std::size_t>(bytes));
}
inline constexpr weft::host_function copying{"copying", copy_bytes};

class op_writer {
public:
  weft::recorder r;

  constexpr handle input(dtype d, extents const& s) { return r.input(d, s, {inputs_++, 0, false}); }

  constexpr growing<handle> reading(op o, handle x, int turn) {
    using weft::op_kind;
    op_kind const kind = weft::info_of(o).kind;
    if (kind == op_kind::elementwise) return elementwise(o, x, turn);
    if (o == op::gather || o == op::scatter) return one(windows(o, x, turn));
    if (kind == op_kind::source || o == op::rank || x.shape().rank == 0) return {};
    if (!weft::accepts(weft::info_of(o).accepts, x.type())) return {};
    switch (kind) {
      case op_kind::view: return one(seen(o, x, turn));
      case op_kind::move: return one(moved(o, x, turn));
      case op_kind::reduction: return one(weft::reduce(o, x, axes(x.shape(), turn)));
      case op_kind::contraction:
        return one(o == op::convolve ? convolved(x, turn) : product(x, turn));
      default: return loop(o, x, turn);
    }
  }

  constexpr growing<handle> made_by(op o, dtype d, extents const& shape, int turn) {
    weft::op_kind const kind = weft::info_of(o).kind;
    if (kind == weft::op_kind::source) return one(source(o, d, shape, turn));
    if (o == op::rank && d != dtype::u32) return {}; // g++ 12 destroys what `?:` gives here twice
    if (o == op::rank) return one(rank(shape));
    if (kind != weft::op_kind::reduction && o != op::arg_reduce)
      return reading(o, input(d, shape), turn);
    if (!weft::accepts(weft::info_of(o).accepts, d)) return {};
    bool const columns = turn % 2 != 0;
    extents longer = shape;
    if (columns) longer = weft::with_leading(3, shape);
    else longer.push(3);
    handle const x = input(d, longer);
    extent const set = extent{1} << (columns ? 0 : shape.rank);
    return one(o == op::arg_reduce ? weft::arg_reduce(x, set, turn % 3 == 0)
                                   : weft::reduce(o, x, set));
  }

  // A table of numbers, or one number where extents have names.
  constexpr handle table(dtype d, extents const& shape, int turn) {
    int const least = weft::is_unsigned(d) ? 0 : -8; // others hold no number below 0
    if (!weft::is_static(shape)) return weft::constant(r, least + turn % 12, d, shape);
    extent const where[] = {r.result.constants.size(), 0};
    for (extent i = 0; i < weft::count_of(shape); ++i)
      r.result.constants.push(static_cast<weft::word>(
          weft::bits_of(static_cast<double>((i * 7 + turn) % 23 + least), d)));
    return r.emit(op::constant, d, shape, {}, {where, 2});
  }

private:
  static constexpr growing<handle> one(handle h) {
    growing<handle> list;
    if (h.valid()) list.push(h);
    return list;
  }
  constexpr handle made(op o, dtype d, extents const& s, growing<handle> const& operands,
                        growing<extent> const& attributes = {}) {
    return r.emit(o, d, s, operands, attributes);
  }

  // ---- elementwise
  constexpr growing<handle> elementwise(op o, handle x, int turn) {
    weft::op_info const& info = weft::info_of(o);
    extents const s = x.shape();
    bool const chooses = info.result == weft::type_rule::choose;
    bool const condition = chooses && x.type() == dtype::boolean && turn % 2 == 0;
    dtype const d = condition ? dtype::f32 : x.type();
    dtype to = d;
    if (info.result == weft::type_rule::compare) to = dtype::boolean;
    if (info.result == weft::type_rule::chosen) to = changed_type(o, d, turn);
    if (!weft::is_typed(o, d, to)) return {};
    int const place = condition ? 0 : chooses ? 1 + turn % 2 : turn % info.arity;
    growing<handle> operands;
    for (int k = 0; k < info.arity; ++k)
      operands.push(k == place ? x : input(chooses && k == 0 ? dtype::boolean : d, s));
    handle const h = made(o, to, s, operands);
    if (info.result != weft::type_rule::words) return one(h);
    growing<handle> both;
    for (int k = 0; k < 2; ++k) both.push(weft::get(h, k, to, s));
    return both;
  }

  // ---- sources
  constexpr handle source(op o, dtype d, extents const& shape, int turn) {
    if (!weft::accepts(weft::info_of(o).accepts, d)) return {};
    switch (o) {
      case op::constant:
        return turn % 2 == 0 ? table(d, shape, turn) : weft::constant(r, turn % 3, d, shape);
      case op::parameter: return input(d, shape);
      case op::iota: return weft::iota(r, d, shape, turn % shape.rank);
      default: { // get: of a loop's stacked results
        growing<handle> const results = loop(op::scan, input(d, shape), turn);
        return results[1];
      }
    }
  }

  // ---- movement
  constexpr handle seen(op o, handle x, int turn) {
    extents const s = x.shape();
    int const last = s.rank - 1;
    switch (o) {
      case op::broadcast: return broadcast(x, turn);
      case op::reshape: return reshape(x, turn);
      case op::transpose: {
        growing<extent> p;
        for (int i = last; i >= 0; --i) p.push(i);
        extents to;
        for (int i = last; i >= 0; --i) to.push(s[i]);
        return made(o, x.type(), to, one(x), p);
      }
      case op::slice: return slice(x, turn);
      case op::window: return walked(x, turn);
      case op::shard: return annotated(x, turn);
      default: {
        growing<extent> set;
        set.push(turn % 3 == 0 ? (extent{1} << s.rank) - 1 : extent{1} << (turn % s.rank));
        return made(o, x.type(), s, one(x), set);
      }
    }
  }
  // Two names on one axis, or none anywhere.
  constexpr handle annotated(handle x, int turn) {
    growing<extent> lists;
    for (int i = 0; i < x.shape().rank; ++i) {
      bool const splits = i == turn % 4;
      lists.push(splits ? 2 : 0);
      if (!splits) continue;
      weft::detail::push_axis_name(lists, {"data", 4});
      weft::detail::push_axis_name(lists, {"model_of_15_chr", 15});
    }
    return weft::shard(x, lists);
  }
  constexpr handle broadcast(handle x, int turn) {
    extents const s = x.shape();
    extents to = turn % 2 == 0 ? weft::with_leading(2, s) : s;
    if (turn % 2 != 0) to.push(3);
    growing<extent> map;
    for (int i = 0; i < s.rank; ++i) map.push(i + (turn % 2 == 0));
    return made(op::broadcast, x.type(), to, one(x), map);
  }
  constexpr handle reshape(handle x, int turn) {
    extents const s = x.shape();
    extents to;
    if (weft::is_static(s) && turn % 3 == 0) to.push(weft::count_of(s));
    else if (turn % 3 == 1)
      for (int i = s.rank - 1; i >= 0; --i) to.push(s[i]); // the other way round, copied in order
    else to = s, to.push(1);
    return made(op::reshape, x.type(), to, one(x));
  }
  // A named axis is taken whole; of others, a part, or every second element.
  constexpr handle slice(handle x, int turn) {
    extents const s = x.shape();
    growing<extent> a(3 * s.rank, 0);
    extents to;
    for (int i = 0; i < s.rank; ++i) {
      extent const start = weft::is_named(s[i]) || s[i] < 2 ? 0 : 1;
      extent const stride = start == 0 || (turn + i) % 2 != 0 ? 1 : 2;
      a[i] = start;
      a[s.rank + i] = s[i];
      a[2 * s.rank + i] = stride;
      to.push(weft::is_named(s[i]) ? s[i] : (s[i] - start + stride - 1) / stride);
    }
    return made(op::slice, x.type(), to, one(x), a);
  }
  constexpr handle moved(op o, handle x, int turn) {
    switch (o) {
      case op::overlap_add: return overlap(x, turn);
      case op::pad: return pad(x, turn);
      case op::concat: return concat(x, turn);
      case op::arg_sort: return sorted(x, turn);
      case op::observe: return weft::emit(o, x.type(), extents(x.shape()), one(x), printed_as("x"));
      case op::collective: return exchanged(x, turn);
      case op::custom_call: {
        weft::result_info const same{x.type(), x.shape()};
        return weft::call_host(copying, one(x), {&same, 1})[0];
      }
      case op::arg_reduce: // over an axis that has elements to choose from
        for (int axis = x.shape().rank - 1; axis >= 0; --axis)
          if (x.shape()[axis] > 0) return weft::arg_reduce(x, extent{1} << axis, turn % 2 == 0);
        return {};
      default: return window(o, x, turn);
    }
  }
  // Of the one rank that there is.
  constexpr handle rank(extents const& shape) {
    return weft::broadcast(weft::rank_of_mesh(r, 1, 1, 1), shape, {});
  }
  static constexpr handle exchanged(handle x, int turn) {
    growing<extent> const self(turn % 2 == 0 ? 2 : 1, 0);
    weft::collective c{.ranks = self};
    if (turn % 2 == 0) c.kind = weft::collective_kind::permute, c.group = 2;
    else c.combine = weft::collective_combine::max;
    return weft::exchange(x, c);
  }
  // Windows along the last axis, or the last two, of numbers; a named axis has none.
  static constexpr handle walked(handle x, int turn) {
    extents s = x.shape();
    if (s.rank == 1 && weft::is_named(s[0])) s.push(1), x = weft::reshape(x, s);
    growing<extent> all;
    for (int i = s.rank - 1; i >= 0 && all.size() < 1 + turn % 2; --i)
      if (!weft::is_named(s[i])) all.push(i);
    int const count = all.size();
    for (int w = 0; w < count; ++w) all.push(2 + w); // sizes, strides, dilations
    for (int i = 0; i < 2 * count; ++i) all.push(1 + (turn / 2 + i) % 2);
    return weft::window(x, all);
  }
  // The last axis of x is the window; where the one before has a name, there is one place.
  static constexpr handle overlap(handle x, int turn) {
    extents s = x.shape();
    if (weft::is_named(s[s.rank - 1]) || s[s.rank - 1] == 0) s.push(1), s.push(1);
    else if (s.rank == 1 || weft::is_named(s[s.rank - 2])) s.push(s[s.rank - 1]), s[s.rank - 2] = 1;
    x = weft::reshape(x, s);
    int const axis = s.rank - 2;
    extent const stride = 1 + turn % 3, dilation = 1 + turn % 2, size = s[axis + 1];
    extent const reach = (size - 1) * dilation + 1;
    extents whole = weft::without_axes(s, extent{2} << axis);
    whole[axis] = s[axis] == 0 ? reach - 1 : (s[axis] - 1) * stride + reach + turn % stride;
    growing<extent> all;
    for (extent n : {extent{axis}, size, stride, dilation}) all.push(n);
    return weft::overlap_add(x, whole, all);
  }
  static constexpr growing<extent> printed_as(char const* label) {
    return weft::detail::encode(weft::observation::print, label);
  }
  constexpr handle pad(handle x, int turn) {
    extents const s = x.shape();
    growing<extent> a(3 * s.rank, 0);
    for (int i = 0; i < s.rank; ++i) {
      if (weft::is_named(s[i])) continue;
      a[i] = turn % 3 == 2 ? -1 : 1;
      a[s.rank + i] = 2;
      a[2 * s.rank + i] = turn % 2;
    }
    extents to;
    for (int i = 0; i < s.rank; ++i)
      to.push(weft::padded(s[i], a[i], a[s.rank + i], a[2 * s.rank + i]));
    growing<handle> operands = one(x);
    operands.push(input(x.type(), {}));
    return made(op::pad, x.type(), to, operands, a);
  }
  constexpr handle concat(handle x, int turn) {
    extents const s = x.shape();
    int const axis = turn % s.rank;
    extents other = s;
    if (!weft::is_named(s[axis])) other[axis] = 4;
    growing<handle> parts;
    if (turn % 3 != 0) parts.push(input(x.type(), other));
    parts.push(x);
    if (turn % 3 != 1) parts.push(turn % 2 == 0 ? x : input(x.type(), other));
    return weft::concat(parts, axis, weft::is_named(s[axis]) ? new_name() : 0);
  }
  // j0, j1, ...: extents of joined arrays.
  constexpr extent new_name() {
    char const text[] = {'j', static_cast<char>('a' + joins_ % 26),
                         static_cast<char>('a' + joins_ / 26), '\0'};
    ++joins_;
    return weft::pack_name(text);
  }
  constexpr handle sorted(handle x, int turn) {
    growing<handle> keys;
    if (turn % 3 == 2) keys.push(input(dtype::boolean, x.shape()));
    keys.push(x);
    if (turn % 3 == 1) keys.push(input(dtype::f32, x.shape()));
    return weft::arg_sort(keys, turn % x.shape().rank, turn % 2);
  }
  // Windows of a named axis take it whole.
  constexpr handle window(op o, handle x, int turn) {
    extents window = x.shape();
    for (int i = 0; i < window.rank; ++i)
      if (!weft::is_named(window[i]) && window[i] > 0) window[i] -= (turn + i) % 2;
    bool const updates = o == op::dynamic_update_slice && turn % 2 != 0;
    extents const whole = updates ? larger(x.shape()) : x.shape();
    handle const target = updates ? input(x.type(), whole) : x;
    handle const update = updates ? x : o == op::dynamic_slice ? handle{} : input(x.type(), window);
    growing<handle> starts;
    for (int i = 0; i < window.rank; ++i) starts.push(input(dtype::i32, {}));
    return o == op::dynamic_slice ? weft::dynamic_slice(x, window, starts)
                                  : weft::dynamic_update_slice(target, update, starts);
  }
  static constexpr extents larger(extents s) {
    for (int i = 0; i < s.rank; ++i)
      if (!weft::is_named(s[i])) s[i] += 2;
    return s;
  }

  // Rows of x by a list of indices; or x is the indices, or the updates.
  constexpr handle windows(op o, handle x, int turn) {
    bool const indexes = x.type() == dtype::i32 && turn % 3 == 2;
    bool const updates = o == op::scatter && !indexes && turn % 3 == 1;
    if (x.shape().rank == 0 || x.shape().rank > 3) return {};
    extents table = x.shape(), rows;
    if (indexes) {
      table = {2, {5, 3}};
      rows = x.shape();
    } else rows.push(updates ? table[0] : 4);
    if (updates) table[0] = 6;
    weft::gather_dims d;
    d.rank = table.rank;
    d.drop = true;
    d.map[d.mapped++] = 0;
    d.collapsed = 1;
    d.index_axis = rows.rank;
    for (int i = 0; i < d.rank; ++i) d.window[i] = i == 0 ? 1 : table[i];
    for (int i = 1; i < d.rank; ++i) d.window_axes |= extent{1} << (rows.rank + i - 1);
    bool const clamps = !weft::is_named(table[0]) && table[0] > 0 && turn % 2 == 0;
    d.drop = !clamps;
    dtype const type = indexes ? dtype::f32 : x.type();
    handle const from = indexes || updates ? input(type, table) : x;
    handle const at = indexes ? x : input(dtype::i32, rows);
    if (o == op::gather) return weft::gather(from, at, d);
    d.combine = static_cast<weft::scatter_combine>(turn % weft::scatter_combine_count);
    bool const sums = d.combine == weft::scatter_combine::add ||
                      d.combine == weft::scatter_combine::mul;
    if (sums && type == dtype::boolean) d.combine = weft::scatter_combine::max;
    return weft::scatter(from, updates ? x : input(type, weft::gather_shape(d, rows)), at, d);
  }

  // ---- reductions, products, loops
  static constexpr extent axes(extents const& s, int turn) {
    extent const last = extent{1} << (s.rank - 1);
    return turn % 3 == 0 ? last : turn % 3 == 1 ? 1 : 2 * last - 1;
  }
  // x times a matrix or a vector over x's last axis, or over its first; with start and bias.
  constexpr handle product(handle x, int turn) {
    if (x.type() == dtype::boolean) return {};
    extents const s = x.shape();
    int const over = turn % 2 == 0 ? s.rank - 1 : 0;
    bool const vector = turn % 3 == 1;
    weft::contraction c;
    for (int i = 0; i < s.rank; ++i) c.a[c.rank_a++] = i;
    c.b[c.rank_b++] = over;
    extents other = {1, {s[over]}};
    if (!vector) c.b[c.rank_b++] = s.rank, other.push(3);
    for (int i = 0; i < s.rank; ++i)
      if (i != over) c.out[c.rank_out++] = i;
    if (!vector) c.out[c.rank_out++] = s.rank;
    c.order = weft::order_for(c, s, other);
    dtype const d = x.type(), sum = weft::accumulator_of(d), out = turn % 4 < 2 ? d : sum;
    c.has_start = c.order == weft::contract_order::chain && turn % 5 == 3;
    c.has_bias = turn % 5 > 2;
    handle const b = input(d, other);
    extents const shape = weft::shape_of(c, s, other);
    handle const start = c.has_start ? input(sum, shape) : handle{};
    handle const bias = c.has_bias ? input(turn % 2 == 0 ? d : sum, shape) : handle{};
    return weft::contract(x, b, c, out, start, bias);
  }

  // Windows over x's last axis; its first is summed, or free; with bias.
  constexpr handle convolved(handle x, int turn) {
    if (x.type() == dtype::boolean) return {};
    extents const s = x.shape();
    int const last = s.rank - 1;
    bool const summed = turn % 2 == 0 && s.rank > 1, gaps = turn % 5 == 4;
    weft::convolution c;
    extents filter, to;
    for (int i = 0; i < s.rank; ++i) c.x[c.rank_x++] = i;
    c.w[c.rank_w++] = 20, filter.push(3);
    c.w[c.rank_w++] = 21, filter.push(turn % 3 == 0 ? 1 : 4);
    if (summed) c.w[c.rank_w++] = 0, filter.push(s[0]);
    for (int i = summed ? 1 : 0; i < last; ++i) c.out[c.rank_out++] = i, to.push(s[i]);
    c.out[c.rank_out++] = 22, to.push(s[last]);
    c.out[c.rank_out++] = 21, to.push(filter[1]);
    c.window[c.windows++] = {last,         20, 22, turn % 7 < 5 ? 1 : 2, turn % 4 == 3 ? -1 : 1,
                             gaps ? 2 : 1, 1};
    dtype const d = x.type(), sum = weft::accumulator_of(d), out = turn % 4 < 2 ? d : sum;
    c.has_bias = turn % 5 > 2;
    handle const w = input(d, filter);
    handle const bias = c.has_bias ? input(turn % 2 == 0 ? d : sum, to) : handle{};
    return weft::convolve(x, w, c, to, out, bias);
  }

  constexpr handle joined(handle a, handle b) {
    return a.type() == dtype::boolean ? weft::binary(op::bit_xor, a.type(), a, b) : a + b;
  }
  // scan: x is what is scanned, the carry, or a constant of the body. while_loop: two steps, or
  // none. Results: carries, then ys.
  constexpr growing<handle> loop(op o, handle x, int turn) {
    weft::loop l;
    growing<handle> operands;
    if (o == op::while_loop) {
      operands.push(weft::constant(r, turn % 4 != 3, dtype::boolean, {}));
      operands.push(weft::constant(r, 0, dtype::i32, {}));
    }
    if (o == op::cond) operands.push(input(dtype::boolean, {}));
    bool const scans = o == op::scan, scanned = scans && turn % 3 == 0;
    extents const state = scanned ? weft::without_leading(x.shape()) : x.shape();
    operands.push(turn % 3 == 1 ? x : input(x.type(), state));
    l.carries = operands.size();
    l.xs = scans ? 1 : 0;
    l.ys = o == op::while_loop ? 0 : 1;
    l.length = scanned ? x.shape()[0] : scans ? 3 : o == op::cond ? 1 : 0;
    l.reverse = scans && turn % 2 == 1;
    handle const kept = turn % 3 == 1 ? handle{} : x; // a constant of the body, or scanned
    if (scans) operands.push(scanned ? x : input(x.type(), weft::with_leading(l.length, state)));
    return finish_loop(o, l, operands, scanned ? handle{} : kept);
  }
  constexpr growing<handle> finish_loop(op o, weft::loop const& l, growing<handle> operands,
                                        handle kept) {
    int const body = r.begin_body();
    growing<handle> p, outputs;
    for (int k = 0; k < operands.size(); ++k)
      p.push(r.parameter(operands[k].type(), k < l.carries
                                                 ? operands[k].shape()
                                                 : weft::without_leading(operands[k].shape())));
    if (o == op::while_loop) {
      handle const count = p[1] + weft::constant(r, 1, dtype::i32, {});
      outputs.push(weft::less(count, weft::constant(r, 2, dtype::i32, {})));
      outputs.push(count);
    }
    if (o == op::cond) outputs.push(p[0]);
    handle const state = p[l.carries - 1];
    handle next = joined(state, l.xs > 0 ? p.back() : state);
    if (kept.valid()) next = joined(next, r.localised(kept));
    outputs.push(next);
    if (l.ys > 0) outputs.push(joined(next, state));
    growing<extents> shapes;
    growing<dtype> types;
    for (int k = 0; k < outputs.size(); ++k) {
      shapes.push(k < l.carries ? outputs[k].shape()
                                : weft::with_leading(l.length, outputs[k].shape()));
      types.push(outputs[k].type());
    }
    operands.append(r.end_body(body, outputs));
    handle const s = r.emit(o, dtype::f32, {}, operands, weft::encode(l), body);
    r.set_owner(body, s.id);
    growing<handle> results;
    for (int k = l.carries - 1; k < shapes.size(); ++k)
      results.push(weft::get(s, k, types[k], shapes[k]));
    return results;
  }

  int inputs_ = 0, joins_ = 0;
};

} // namespace test
