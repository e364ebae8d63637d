// SPDX-License-Identifier: BSL-1.0
// Twelve classes of producers, by how a consumer comes to read them: from an argument, a table or a
// splat, a register of its own loop, a stride of 0, other strides, memory that a move, a gather, a
// reduction, a product, a loop or a sort left, or a draw made where it is used.
//   made_for(w, p, d, shape, turn)   a value of type d and this shape, of class p
//   after_producers<First, Last, Turn, P...>   a program: ops First to Last of the table, each
//       behind a producer of its own of every class P. Kernels that read memory are shared by the
//       classes that leave it.
// Needs: matrices of extents 4 and more. Leaves: not valid where the class has no values of type d.
#pragma once

#include "conformance/kernel_cases.hpp"

namespace test {

enum class producer {
  parameter,
  constant,
  elementwise,
  broadcast,
  view,
  joined,
  gathered,
  reduced,
  product,
  loop,
  sorted,
  random
};
inline constexpr int producer_count = 12;
constexpr char const* name_of(producer p) {
  constexpr char const* names[] = {"parameter", "constant", "elementwise", "broadcast",
                                   "view",      "joined",   "gathered",    "reduced",
                                   "product",   "loop",     "sorted",      "random"};
  return names[static_cast<int>(p)];
}

namespace detail {

constexpr handle viewed(op_writer& w, dtype d, extents const& s, int turn) {
  extents turned{2, {s[1], s[0]}}, wider = s;
  wider[1] = 2 * s[1] + 1;
  extent const swap[] = {1, 0}, part[] = {0, 1, s[0], 2 * s[1], 1, 2};
  extents longer = s;
  longer[1] += 4;
  extent const walks[] = {1, 5, 1, 1};
  if (turn % 4 == 3) { // of the last window's places, the first
    handle const w5 = weft::window(w.input(d, longer), {walks, 4});
    return weft::reshape(weft::slice_axis(w5, 2, 1, 1), s);
  }
  switch (turn % 3) {
    case 0: return weft::transpose(w.input(d, turned), {swap, 2});
    case 1: return weft::slice(w.input(d, wider), {part, 6});
    default: return weft::reverse(w.input(d, s), 1 + turn % 2);
  }
}
constexpr handle joined(op_writer& w, dtype d, extents s, int turn) {
  extent const width = s[1], pads[] = {0, 1, 0, 2, 0, 0};
  s[1] = width - 3;
  handle const x = w.input(d, s);
  if (turn % 2 == 0) return weft::pad(x, w.input(d, {}), {pads, 6});
  s[1] = 3;
  handle const both[] = {x, w.input(d, s)};
  return weft::concat({both, 2}, 1);
}
constexpr handle gathered(op_writer& w, dtype d, extents const& s, int turn) {
  weft::gather_dims g;
  g.rank = 2;
  g.drop = turn % 2 == 0;
  g.map[g.mapped++] = 0;
  g.collapsed = 1;
  g.index_axis = 1;
  g.window[0] = 1;
  g.window[1] = s[1];
  g.window_axes = 2;
  handle const table = w.input(d, {2, {7, s[1]}});
  return weft::gather(table, w.input(dtype::i32, {1, {s[0]}}), g);
}
// Over the inner axis, or over the outer one.
constexpr handle reduced(op_writer& w, dtype d, extents const& s, int turn) {
  op const ops[] = {op::reduce_sum, op::reduce_max, op::reduce_min, op::reduce_prod};
  bool const numbers = d != dtype::boolean, inner = turn % 2 == 0;
  extents const from = inner ? extents{3, {s[0], s[1], 5}} : extents{3, {5, s[0], s[1]}};
  return weft::reduce(ops[numbers ? turn / 2 % 4 : 1 + turn / 2 % 2], w.input(d, from),
                      inner ? 4 : 1);
}
constexpr handle multiplied(op_writer& w, dtype d, extents const& s) {
  if (d == dtype::boolean) return {};
  weft::contraction c;
  c.rank_a = c.rank_b = c.rank_out = 2;
  c.a[0] = c.out[0] = 0;
  c.a[1] = c.b[0] = 1;
  c.b[1] = c.out[1] = 2;
  extents const a{2, {s[0], 6}}, b{2, {6, s[1]}};
  c.order = weft::order_for(c, a, b);
  handle const left = w.input(d, a), right = w.input(d, b);
  return weft::contract(left, right, c, d);
}
constexpr handle ordered(op_writer& w, dtype d, extents const& s, int turn) {
  handle const x = w.input(d == dtype::i32 ? dtype::f32 : d, s);
  handle const order = weft::arg_sort({&x, 1}, 1, turn % 2);
  if (d == dtype::i32) return order;
  weft::gather_dims g; // x[i, order[i, j]]
  g.rank = 2;
  g.operand_batch[0] = g.index_batch[0] = 0;
  g.batches = 1;
  g.map[g.mapped++] = 1;
  g.collapsed = 2;
  g.index_axis = 2;
  g.window[0] = g.window[1] = 1;
  return weft::gather(x, order, g);
}
constexpr handle drawn(op_writer& w, dtype d, extents const& s) {
  handle words[4];
  for (int k = 0; k < 2; ++k) words[k] = weft::broadcast(w.input(dtype::u32, {}), s, {});
  words[2] = weft::iota(w.r, dtype::u32, s, 0);
  words[3] = weft::iota(w.r, dtype::u32, s, 1);
  handle const both = w.r.emit(op::threefry2x32, dtype::u32, s, {words, 4});
  handle const bits = weft::get(both, 0, dtype::u32, s);
  if (d != dtype::f32) return weft::convert(bits, d);
  handle const mantissa[] = {bits, weft::constant(w.r, 9, dtype::u32, s)};
  handle const ones[] = {w.r.emit(op::shift_right_logical, dtype::u32, s, {mantissa, 2}),
                         weft::constant(w.r, 0x3f800000, dtype::u32, s)};
  handle const number = w.r.emit(op::bit_or, dtype::u32, s, {ones, 2});
  return weft::bitcast(number, d) - weft::constant(w.r, 1, d, s);
}

} // namespace detail

constexpr handle made_for(op_writer& w, producer p, dtype d, extents const& s, int turn) {
  switch (p) {
    case producer::parameter: return w.input(d, s);
    case producer::constant:
      return turn % 2 == 0 ? w.table(d, s, turn) : weft::constant(w.r, turn % 3, d, s);
    case producer::elementwise: {
      handle const a = w.input(d, s), b = w.input(d, s);
      return d == dtype::boolean ? weft::binary(op::bit_xor, d, a, b) : a * b;
    }
    case producer::broadcast: {
      extent const row[] = {1}, column[] = {0, 1};
      return turn % 2 == 0 ? weft::broadcast(w.input(d, {1, {s[1]}}), s, {row, 1})
                           : weft::broadcast(w.input(d, {2, {s[0], 1}}), s, {column, 2});
    }
    case producer::view: return detail::viewed(w, d, s, turn);
    case producer::joined: return detail::joined(w, d, s, turn);
    case producer::gathered: return detail::gathered(w, d, s, turn);
    case producer::reduced: return detail::reduced(w, d, s, turn);
    case producer::product: return detail::multiplied(w, d, s);
    case producer::loop: return w.made_by(op::get, d, s, 3 + 3 * (turn % 2))[0];
    case producer::sorted: return detail::ordered(w, d, s, turn);
    case producer::random: return detail::drawn(w, d, s);
  }
  return {};
}

// The type in which op o stands behind producer p: float32 where both have it, or another in turn.
constexpr dtype type_for(op o, int turn) {
  constexpr dtype common[] = {dtype::f32, dtype::i32, dtype::u32, dtype::bf16, dtype::boolean,
                              dtype::f64, dtype::i8,  dtype::u64, dtype::f16,  dtype::i64,
                              dtype::u16, dtype::i16, dtype::u8};
  if (weft::info_of(o).result == weft::type_rule::words) return dtype::u32;
  for (int k = 0; k < weft::dtype_count; ++k)
    if (dtype const d = common[(turn + k) % weft::dtype_count];
        weft::accepts(weft::info_of(o).accepts, d))
      return d;
  return dtype::f32;
}

template <int First, int Last, int Turn, producer... P> struct after_producers {
  static constexpr written_cases write() {
    op_writer w;
    written_cases all;
    growing<handle> outputs;
    // Few kernels are large ones, and none is of two classes.
    (write(w, P, sizeof...(P) > 1 ? 2 * static_cast<int>(P) : 0, all, outputs), ...);
    w.r.finish(outputs);
    all.result = std::move(w.r.result);
    return all;
  }
  static constexpr weft::graph make() { return write().result; }

private:
  static constexpr void write(op_writer& w, producer p, int rows, written_cases& all,
                              growing<handle>& outputs) {
    for (int o = First; o < Last && o < weft::op_count; ++o) {
      op const code = static_cast<op>(o);
      if (weft::info_of(code).kind == weft::op_kind::source) continue;
      dtype const d = type_for(code, Turn);
      extents const shape{2, {4 + o % 2 + rows, 9 + o % 3}};
      handle const x = made_for(w, p, d, shape, o + Turn);
      if (!x.valid()) continue;
      for (handle h : w.reading(code, x, o + Turn)) {
        outputs.push(h);
        all.of_output.push({code, d, o + Turn, name_of(p)});
      }
    }
  }
};
template <producer P, int First, int Last, int Turn>
using after_producer = after_producers<First, Last, Turn, P>;

} // namespace test
