// SPDX-License-Identifier: BSL-1.0
// random_graph(seed, options): a sound graph over the allowed ops, the same for the same seed.
// Leaves: every op and dtype of the table sooner or later; extents 0, 1, small, above 64 and above
// 130, now and then a reduction over more than 16384 elements; loops in loops with captures; dead
// nodes, equal nodes, x * 1 and --x for the passes to find. With `named`, some extents are names
// (n, m), and the graph is sound for all their numbers.
#pragma once

#include "random_source.hpp"

#include <weft/graph/custom_call.hpp>
#include <weft/graph/handle_collective.hpp>
#include <weft/graph/handle_convolve.hpp>
#include <weft/graph/handle_gather.hpp>
#include <weft/graph/observe.hpp>
#include <weft/graph/results.hpp>
#include <weft/graph/sharding.hpp>

#include <bitset>
#include <cstring>
#include <initializer_list>
#include <vector>

namespace test {

using weft::handle;
using weft::op;

// Prints are made, and not shown.
inline bool const prints_are_silent = (
    weft::on_print = [](char const*) {}, true);

// The first operand with its halves swapped, and a sum of the bytes of all that have no NaN.
inline void swap_halves(weft::host_call const& at) {
  unsigned sum = 0;
  for (weft::host_operand const& x : at.operands) {
    std::size_t const bytes = static_cast<std::size_t>(weft::count_of(x.shape) * size_of(x.type));
    for (std::size_t i = 0; i < bytes && !weft::is_float(x.type); ++i)
      sum = 31 * sum + static_cast<unsigned>(x.data[i]);
  }
  weft::host_operand const& x = at.operands[0];
  std::size_t const size = static_cast<std::size_t>(size_of(x.type)),
                    count = static_cast<std::size_t>(weft::count_of(x.shape));
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(at.results[0].data + i * size, x.data + (i + count / 2) % count * size, size);
  at.results[1].data[0] = std::byte{static_cast<unsigned char>(sum)};
}
inline constexpr weft::host_function halves_swapped{"halves_swapped", swap_halves};

struct graph_options {
  std::bitset<static_cast<std::size_t>(weft::op_count)> ops = ~decltype(ops){}; // bit i: op i
  unsigned dtypes = ~0u;                                                        // bit i: dtype i
  int nodes = 30;
  int outputs = 4; // at most
  bool named = false;
  bool large = true;       // now and then one reduction over more than 16384 elements
  bool calls_host = false; // custom_calls, which no device runs
  bool even = false;       // most extents are multiples of 4
  bool wide = false;       // extents around 256 and 512, arrays of up to 60000 elements

  static graph_options only(std::initializer_list<op> list) {
    graph_options o;
    o.ops.reset();
    for (op x : list) o.ops.set(static_cast<std::size_t>(x));
    return o;
  }
  graph_options without(op x) const {
    graph_options o = *this;
    o.ops.reset(static_cast<std::size_t>(x));
    return o;
  }
  bool allows(op x) const { return ops[static_cast<std::size_t>(x)]; }
  bool allows(dtype d) const { return ((dtypes >> static_cast<int>(d)) & 1) != 0; }
};

class graph_writer {
public:
  graph_writer(std::uint64_t seed, graph_options const& options) : rng_(seed), options_(options) {
    for (int i = 0; i < weft::op_count; ++i) {
      op const o = static_cast<op>(i);
      bool const common = i > static_cast<int>(op::count_leading_zeros); // what is not elementwise
      if (!options.allows(o) || o == op::parameter || o == op::get) continue;
      if (o == op::custom_call && !options.calls_host) continue;
      for (int times = common ? 2 : 1; times > 0; --times) ops_.push_back(o);
    }
    for (int i = 0; i < weft::dtype_count; ++i)
      if (options.allows(static_cast<dtype>(i))) dtypes_.push_back(static_cast<dtype>(i));
  }

  weft::graph write() {
    int const inputs = rng_.between(1, 4);
    if (options_.named)
      for (char const* name : {"n", "m"})
        pool_.push_back(input(any_dtype(), {1, {weft::pack_name(name)}}));
    for (int i = 0; i < inputs; ++i) pool_.push_back(new_input());
    if (options_.large && !options_.named && rng_.chance(2)) add_large();
    grow(options_.nodes);
    growing<handle> outputs;
    for (int i = rng_.between(1, options_.outputs); i > 0; --i) outputs.push(recent());
    recorder_.finish(outputs);
    return recorder_.result;
  }

private:
  // Adds nodes to the open region.
  void grow(int nodes) {
    int const until = recorder_.result.size() + nodes;
    for (int tries = 0; recorder_.result.size() < until && tries < 20 * nodes; ++tries) {
      if (rng_.chance(8)) repeat_node();
      else if (rng_.chance(5)) add_pattern();
      else add(ops_[static_cast<unsigned>(rng_.below(static_cast<int>(ops_.size())))]);
    }
  }
  void add(op o) {
    switch (weft::info_of(o).kind) {
      case weft::op_kind::elementwise: return add_elementwise(o);
      case weft::op_kind::source: return add_source();
      case weft::op_kind::view:
      case weft::op_kind::move: return add_movement(o);
      case weft::op_kind::reduction: return add_reduction(o);
      case weft::op_kind::contraction:
        return o == op::convolve ? add_convolution() : add_contraction();
      case weft::op_kind::loop: return add_loop(o);
    }
  }

  // ---- choosing
  void keep(handle h) { pool_.push_back(h); }
  handle any() { return pool_[static_cast<unsigned>(rng_.below(static_cast<int>(pool_.size())))]; }
  handle recent() {
    int const size = static_cast<int>(pool_.size()), back = rng_.below(size < 8 ? size : 8);
    return rng_.chance(60) ? pool_[static_cast<unsigned>(size - 1 - back)] : any();
  }
  dtype any_dtype() {
    return dtypes_[static_cast<unsigned>(rng_.below(static_cast<int>(dtypes_.size())))];
  }
  // Of a type that the op accepts, or nothing.
  handle any_of(weft::types accepted) {
    for (int tries = 0; tries < 12; ++tries)
      if (handle const h = recent(); weft::accepts(accepted, h.type())) return h;
    for (int tries = 0; tries < 12; ++tries)
      if (dtype const d = any_dtype(); weft::accepts(accepted, d)) return value(d, any_shape());
    return {};
  }
  // Elements, a name counting as 6.
  static extent size_of_shape(extents const& s) {
    extent n = 1;
    for (int i = 0; i < s.rank; ++i) n *= weft::is_named(s[i]) ? 6 : s[i];
    return n;
  }
  extent limit() const { return (depth_ > 0 ? 300 : 2500) * (options_.wide ? 24 : 1); }
  extent any_extent() {
    if (options_.wide && rng_.chance(30)) {
      int const rows = rng_.between(1, 2);
      return rows * 256 + rng_.between(-9, 9);
    }
    if (options_.named && rng_.chance(25)) return weft::pack_name(rng_.chance(60) ? "n" : "m");
    if (options_.even && rng_.chance(70)) return rng_.chance(60) ? 4 : rng_.chance(50) ? 8 : 12;
    int const kind = rng_.below(100);
    if (kind < 3) return 0;
    if (kind < 20) return 1;
    if (kind < 26) return rng_.between(63, 70);
    if (kind < 29) return rng_.between(129, 140);
    return rng_.between(2, 9);
  }
  extents any_shape() {
    extents s;
    for (int rank = rng_.below(5); rank > 0; --rank) {
      extent const e = any_extent();
      if (size_of_shape(s) * (weft::is_named(e) ? 6 : e) <= limit()) s.push(e);
    }
    return s;
  }
  extent any_axes(int rank) { return 1 + rng_.below((1 << rank) - 1); } // at least one

  // ---- sources
  handle input(dtype d, extents shape) { return recorder_.input(d, shape, {inputs_++, 0, false}); }
  handle made(op o, dtype d, extents shape, growing<handle> const& operands,
              growing<extent> const& attributes = {}) {
    return recorder_.emit(o, d, shape, operands, attributes);
  }
  // A value of this type and shape: one that is there, or a new one.
  handle value(dtype d, extents shape) {
    if (rng_.chance(60))
      for (int tries = 0; tries < 16; ++tries)
        if (handle const h = any(); h.type() == d && h.shape() == shape) return h;
    for (int tries = 0; tries < 4; ++tries)
      if (handle const h = new_value(d, shape, rng_.below(4)); h.valid()) return h;
    return input(d, shape);
  }
  handle new_value(dtype d, extents shape, int kind) {
    if (kind == 0 && options_.allows(op::constant))
      return constant_bits(recorder_, static_cast<extent>(random_word(rng_, d, rng_.chance(60))), d,
                           shape);
    if (kind == 1 && options_.allows(op::constant) && weft::is_static(shape))
      return table(d, shape);
    if (kind == 2 && options_.allows(op::iota) && shape.rank > 0 && d != dtype::boolean)
      return iota(recorder_, d, shape, rng_.below(shape.rank));
    if (kind == 3 && options_.allows(op::broadcast)) return expanded(d, shape);
    return {};
  }
  handle table(dtype d, extents shape) {
    int const first = recorder_.result.constants.size();
    for (extent i = 0; i < weft::count_of(shape); ++i)
      recorder_.result.constants.push(random_word(rng_, d, true));
    growing<extent> where;
    where.push(first);
    where.push(0);
    return made(op::constant, d, shape, {}, where);
  }
  // A broadcast of something with fewer axes, or with ones.
  handle expanded(dtype d, extents shape) {
    extents from;
    growing<extent> map;
    for (int i = 0; i < shape.rank; ++i)
      if (rng_.chance(50)) {
        from.push(rng_.chance(30) ? 1 : shape[i]);
        map.push(i);
      }
    if (from == shape) return {};
    handle x;
    for (int tries = 0; tries < 8 && !x.valid(); ++tries)
      if (handle const h = any(); h.type() == d && h.shape() == from) x = h;
    if (!x.valid()) x = input(d, from);
    return broadcast(x, shape, map);
  }

  // The type is drawn first on every compiler: arguments of one call have no order.
  handle new_input() {
    dtype const d = any_dtype();
    return input(d, any_shape());
  }
  void add_source() {
    dtype const d = any_dtype();
    keep(value(d, any_shape()));
  }

  // ---- elementwise
  void add_elementwise(op o) {
    weft::op_info const& info = weft::info_of(o);
    if (o == op::threefry2x32) return add_threefry();
    handle const x = any_of(info.accepts);
    if (!x.valid()) return;
    growing<handle> operands;
    if (info.result == weft::type_rule::choose) {
      if (!options_.allows(dtype::boolean)) return;
      operands.push(value(dtype::boolean, x.shape()));
    }
    operands.push(x);
    while (operands.size() < info.arity)
      operands.push(rng_.chance(10) ? x : value(x.type(), x.shape()));
    dtype out = info.result == weft::type_rule::compare ? dtype::boolean : x.type();
    if (info.result == weft::type_rule::chosen) out = any_dtype();
    if (!options_.allows(out) || !weft::is_typed(o, x.type(), out)) return;
    keep(made(o, out, x.shape(), operands));
  }
  void add_threefry() {
    if (!options_.allows(dtype::u32)) return;
    extents const shape = any_shape();
    growing<handle> words;
    while (words.size() < 4) words.push(value(dtype::u32, shape));
    handle const both = made(op::threefry2x32, dtype::u32, shape, words);
    for (int i = 0; i < 2; ++i)
      if (rng_.chance(80)) keep(get(both, i, dtype::u32, shape));
  }
  // x * 1, x - 0, x / 1, --x: what simplification may remove.
  void add_pattern() {
    handle const x = any_of(weft::types::numbers);
    if (!x.valid()) return;
    if (rng_.chance(40) && options_.allows(op::neg)) return keep(-(-x));
    if (!options_.allows(op::constant)) return;
    op const list[] = {op::mul, op::sub, op::div};
    op const o = list[rng_.below(3)];
    handle const neutral = constant(recorder_, o == op::sub ? 0 : 1, x.type(), x.shape());
    if (options_.allows(o)) keep(binary(o, x.type(), x, neutral));
  }
  // A second node equal to one that is there.
  void repeat_node() {
    handle const h = recent();
    weft::node const n = recorder_.result[h.id];
    if (n.code == op::parameter || n.code == op::get || n.body >= 0) return;
    weft::graph_view const g = recorder_.result;
    growing<handle> operands;
    for (int id : g.operands_of(h.id)) operands.push({&recorder_, id});
    growing<extent> const attributes(g.attributes_of(h.id));
    extents const shape = h.shape();
    keep(made(n.code, n.type, shape, operands, attributes));
  }

  // ---- movement
  void add_movement(op o) {
    handle const x = recent();
    int const rank = x.shape().rank;
    if (o == op::reshape) return add_reshape(x);
    if (o == op::broadcast) return add_broadcast(x);
    if (o == op::observe) return keep(printed(x));
    if (o == op::shard) return keep(annotated(x));
    if (o == op::collective) return keep(exchanged(x));
    if (o == op::custom_call) return add_call(x);
    if (o == op::rank)
      return options_.allows(dtype::u32) ? keep(weft::rank_of_mesh(recorder_, 1, 1, 1)) : void();
    if (rank == 0) return;
    switch (o) {
      case op::transpose: return keep(transpose(x, permutation(rank)));
      case op::slice: return add_slice(x);
      case op::reverse: return keep(reverse(x, any_axes(rank)));
      case op::pad: return add_pad(x);
      case op::window: return add_windows(x);
      case op::overlap_add: return add_overlap(x);
      case op::concat: return add_concat(x);
      case op::gather:
      case op::scatter: return add_gather(o, x);
      case op::arg_sort: return add_sort(x);
      case op::arg_reduce: return add_arg_reduce(x);
      default: return add_window(o, x);
    }
  }
  // Of one or two arrays, the results read or not.
  void add_call(handle x) {
    handle const operands[] = {x, any_of(weft::types::any)};
    weft::result_info const results[] = {{x.type(), x.shape()}, {dtype::u8, {}}};
    growing<handle> const y = weft::call_host(halves_swapped, {operands, rng_.between(1, 2)},
                                              {results, 2});
    if (rng_.chance(80)) keep(y[0]);
    if (options_.allows(dtype::u8) && rng_.chance(50)) keep(y[1]);
  }
  // For axes "data" and "model" of meshes whose sizes divide 4.
  handle annotated(handle x) {
    constexpr weft::text data{"data", 4}, model{"model", 5};
    growing<extent> lists;
    int left = 2;
    for (int i = 0; i < x.shape().rank; ++i) {
      extent const e = x.shape()[i];
      bool const both = left == 2 && e > 0 && e % 16 == 0 && rng_.chance(40);
      bool const splits = left > 0 && e > 0 && e % 4 == 0 && rng_.chance(50);
      lists.push(both ? 2 : splits ? 1 : 0);
      for (extent n = lists.back(); n > 0; --n)
        weft::detail::push_axis_name(lists, left-- == 2 ? data : model);
    }
    return weft::shard(x, lists);
  }
  static handle printed(handle x) {
    auto const label = weft::detail::encode(weft::observation::print, "seen");
    return weft::emit(op::observe, x.type(), extents(x.shape()), {&x, 1}, label);
  }
  // Among others that there are not; now and then nobody sends.
  handle exchanged(handle x) {
    growing<extent> const self(rng_.chance(90) ? 2 : 0, 0);
    return weft::exchange(x, {.kind = weft::collective_kind::permute, .group = 2, .ranks = self});
  }
  // Now and then of what is not contiguous: that is copied.
  void add_reshape(handle x) {
    int const rank = x.shape().rank;
    if (rank > 1 && options_.allows(op::transpose) && rng_.chance(40))
      x = transpose(x, permutation(rank));
    keep(reshape(x, reshaped(x.shape())));
  }
  growing<extent> permutation(int n) {
    growing<extent> p;
    for (int i = 0; i < n; ++i) p.push(i);
    for (int i = n - 1; i > 0; --i) std::swap(p[i], p[rng_.below(i + 1)]);
    return p;
  }
  void add_broadcast(handle x) {
    extents to;
    growing<extent> map;
    for (int i = 0; i <= x.shape().rank; ++i) {
      bool const room = to.rank + x.shape().rank - i < weft::max_rank;
      if (to.rank < 5 && rng_.chance(30) && room) to.push(any_extent());
      if (i == x.shape().rank) break;
      map.push(to.rank);
      to.push(x.shape()[i] == 1 && rng_.chance(60) ? any_extent() : x.shape()[i]);
    }
    if (to.rank <= weft::max_rank && size_of_shape(to) <= limit()) keep(broadcast(x, to, map));
  }
  // Axes of 1 come and go, neighbours merge, swap or split.
  extents reshaped(extents s) {
    for (int edits = rng_.between(1, 3); edits > 0; --edits) {
      int const at = rng_.below(s.rank + 1);
      bool const pair = at + 1 < s.rank && !weft::is_named(s[at]) && !weft::is_named(s[at + 1]);
      int const kind = rng_.below(4);
      extents r;
      for (int i = 0; i <= s.rank; ++i) {
        if (kind == 0 && i == at && s.rank < 6) r.push(1);
        if (i == s.rank) break;
        if (i == at && kind == 1 && pair) r.push(s[i] * s[i + 1]), ++i;
        else if (i == at && kind == 1 && s[i] == 1) continue;
        else if (i == at && kind == 2 && pair) r.push(s[i + 1]), r.push(s[i]), ++i;
        else if (i == at && kind == 3 && s.rank < 6 && !weft::is_named(s[i])) split(r, s[i]);
        else r.push(s[i]);
      }
      s = r;
    }
    return s;
  }
  void split(extents& into, extent e) {
    extent part = rng_.between(2, 5);
    if (e % part != 0) part = 1;
    into.push(e / part);
    into.push(part);
  }
  void add_slice(handle x) {
    extents const s = x.shape();
    growing<extent> a(3 * s.rank, 0);
    for (int i = 0; i < s.rank; ++i) {
      bool const whole = weft::is_named(s[i]) || rng_.chance(40);
      int const size = whole ? 0 : static_cast<int>(s[i]),
                start = whole ? 0 : rng_.between(0, size);
      a[i] = start;
      a[s.rank + i] = whole ? s[i] : rng_.between(start, size);
      a[2 * s.rank + i] = whole || rng_.chance(60) ? 1 : rng_.between(2, 4);
    }
    keep(slice(x, a));
  }
  void add_pad(handle x) {
    extents const s = x.shape();
    growing<extent> a(3 * s.rank, 0);
    extents to;
    for (int i = 0; i < s.rank; ++i) {
      if (!weft::is_named(s[i]) && rng_.chance(70)) {
        a[i] = rng_.between(-2, 3);
        a[s.rank + i] = rng_.between(-2, 3);
        a[2 * s.rank + i] = rng_.chance(70) ? 0 : rng_.between(1, 2);
      }
      to.push(weft::padded(s[i], a[i], a[s.rank + i], a[2 * s.rank + i]));
    }
    if (size_of_shape(to) <= limit()) keep(pad(x, value(x.type(), {}), a));
  }
  void add_windows(handle x) {
    extents const s = x.shape();
    growing<extent> axes, all;
    growing<extent> const order = permutation(s.rank);
    for (extent axis : order)
      if (!weft::is_named(s[static_cast<int>(axis)]) && s.rank + axes.size() < 6 &&
          (axes.empty() || rng_.chance(40)))
        axes.push(axis);
    if (axes.empty()) return;
    all.append(axes);
    for (int n = axes.size(); n > 0; --n) all.push(rng_.between(1, 4));
    for (int n = 2 * axes.size(); n > 0; --n) all.push(rng_.chance(50) ? 1 : rng_.between(1, 3));
    if (size_of_shape(windowed(s, weft::window_list(all))) <= limit()) keep(window(x, all));
  }
  // The last axes are the windows: of an array that may have more elements than they reach.
  void add_overlap(handle x) {
    if (!weft::accepts(weft::types::numbers, x.type())) return;
    extents const s = x.shape();
    int count = 1 + rng_.below(2);
    if (2 * count > s.rank) count = 1;
    if (2 * count > s.rank) return;
    extents whole;
    for (int i = 0; i < s.rank - count; ++i) whole.push(s[i]);
    growing<extent> const order = permutation(whole.rank);
    growing<extent> all(4 * count, 0);
    for (int w = 0; w < count; ++w) {
      int const axis = static_cast<int>(order[w]);
      extent const size = s[whole.rank + w], places = s[axis];
      if (weft::is_named(size) || size == 0 || weft::is_named(places)) return;
      extent const stride = rng_.between(1, 3), dilation = rng_.between(1, 3),
                   reach = (size - 1) * dilation + 1;
      extent const least = places == 0 ? 0 : (places - 1) * stride + reach;
      whole[axis] = least + (places == 0 ? rng_.below(static_cast<int>(reach))
                                         : rng_.below(static_cast<int>(stride)));
      extent const numbers[] = {axis, size, stride, dilation};
      for (int k = 0; k < 4; ++k) all[k * count + w] = numbers[k];
    }
    if (size_of_shape(whole) <= limit()) keep(overlap_add(x, whole, all));
  }
  void add_concat(handle x) {
    int const axis = rng_.below(x.shape().rank);
    if (weft::is_named(x.shape()[axis])) return;
    growing<handle> parts;
    for (int n = rng_.between(1, 3); n > 0; --n) {
      extents part = x.shape();
      part[axis] = rng_.between(0, 4);
      parts.push(rng_.chance(40) ? x : value(x.type(), part));
    }
    keep(concat(parts, axis));
  }
  // Windows of a named axis take it whole: its number may be 0.
  void add_window(op o, handle x) {
    if (!options_.allows(dtype::i32)) return;
    extents window = x.shape();
    growing<handle> starts;
    for (int i = 0; i < window.rank; ++i) {
      if (!weft::is_named(window[i])) window[i] = rng_.between(0, static_cast<int>(window[i]));
      starts.push(value(dtype::i32, {}));
    }
    if (o == op::dynamic_slice) return keep(dynamic_slice(x, window, starts));
    keep(dynamic_update_slice(x, value(x.type(), window), starts));
  }

  // Any windows at any places. A part of a named axis may not fit: it is dropped then.
  void add_gather(op o, handle x) {
    if (!options_.allows(dtype::i32)) return;
    weft::gather_dims d;
    extents counts, s = x.shape();
    d.rank = s.rank;
    d.drop = rng_.chance(40);
    for (int i = 0; i < s.rank; ++i) add_gather_axis(d, s, i, counts);
    for (int n = rng_.below(3); n > 0 && counts.rank + s.rank < 6; --n)
      counts.push(rng_.between(0, 4));
    bool const apart = d.mapped != 1 || rng_.chance(60);
    d.index_axis = apart ? rng_.below(counts.rank + 1) : counts.rank;
    extents indices;
    for (int i = 0; i <= counts.rank; ++i) {
      if (apart && i == d.index_axis) indices.push(d.mapped);
      if (i < counts.rank) indices.push(counts[i]);
    }
    for (int i = 0; i < d.batches; ++i)
      d.index_batch[i] += apart && d.index_batch[i] >= d.index_axis;
    int const windows = weft::window_shape(d).rank;
    growing<extent> const places = permutation(windows + counts.rank);
    for (int i = 0; i < windows; ++i) d.window_axes |= extent{1} << places[i];
    if (size_of_shape(gather_shape(d, indices)) <= limit()) emit_gather(o, x, indices, d);
  }
  void add_gather_axis(weft::gather_dims& d, extents const& s, int i, extents& counts) {
    int const kind = rng_.below(6);
    bool const named = weft::is_named(s[i]), fits_one = d.drop || (!named && s[i] > 0);
    d.window[i] = s[i];
    if (kind == 0) {
      d.operand_batch[d.batches] = i;
      d.index_batch[d.batches++] = counts.rank;
      counts.push(s[i]);
      d.window[i] = 1;
    } else if (kind < 4 && fits_one) {
      d.map[d.mapped++] = i;
      if (kind == 1) d.collapsed |= extent{1} << i;
      d.window[i] = kind == 1 ? 1 : named ? s[i] : rng_.between(0, static_cast<int>(s[i]));
    } else if (kind == 4 && fits_one && !d.drop) {
      d.collapsed |= extent{1} << i;
      d.window[i] = 1;
    }
  }
  void emit_gather(op o, handle x, extents indices, weft::gather_dims d) {
    handle const at = value(dtype::i32, indices);
    if (o == op::gather) return keep(gather(x, at, d));
    bool const sums = x.type() != dtype::boolean;
    d.combine = static_cast<weft::scatter_combine>(rng_.below(5));
    if (!sums &&
        (d.combine == weft::scatter_combine::add || d.combine == weft::scatter_combine::mul))
      d.combine = weft::scatter_combine::max;
    handle const updates = value(x.type(), gather_shape(d, indices));
    keep(scatter(x, updates, at, d));
  }
  void add_sort(handle x) {
    if (!options_.allows(dtype::i32)) return;
    growing<handle> keys;
    keys.push(x);
    extents const shape = x.shape();
    while (keys.size() < 3 && rng_.chance(30)) keys.push(value(any_dtype(), shape));
    int const axis = rng_.below(shape.rank);
    keep(arg_sort(keys, axis, rng_.below(1 << keys.size())));
  }
  void add_arg_reduce(handle x) {
    if (!options_.allows(dtype::i32)) return;
    extent const axes = any_axes(x.shape().rank);
    for (int i = 0; i < x.shape().rank; ++i)
      if (weft::has_axis(axes, i) && (x.shape()[i] == 0 || weft::is_named(x.shape()[i]))) return;
    keep(arg_reduce(x, axes, rng_.chance(50)));
  }

  // ---- reductions and products
  void add_reduction(op o) {
    handle const x = any_of(weft::info_of(o).accepts);
    if (x.valid() && x.shape().rank > 0) keep(reduce(o, x, any_axes(x.shape().rank)));
  }
  void add_large() {
    extents const shapes[] = {
        {1, {16384}}, {1, {16385}}, {2, {130, 131}}, {2, {2, 16500}}, {3, {3, 64, 129}}};
    extents const shape = shapes[rng_.below(5)];
    handle const x = input(any_dtype(), shape);
    keep(x);
    for (op o : {op::reduce_sum, op::reduce_max, op::reduce_min, op::reduce_prod})
      if (options_.allows(o) && weft::accepts(weft::info_of(o).accepts, x.type()))
        keep(reduce(o, x, any_axes(x.shape().rank)));
  }
  // Labels: those of a are contracted, shared or free; b has the first two and some of its own.
  void add_contraction() {
    handle const a = any_of(weft::types::numbers);
    if (!a.valid() || a.shape().rank > 4) return;
    growing<extent> label_b, extent_b, label_out;
    extent inner = 1;
    for (int i = 0; i < a.shape().rank; ++i) {
      int const kind = rng_.below(5); // 0, 1: contracted; 2: shared; else free
      if (kind < 3) label_b.push(i), extent_b.push(a.shape()[i]);
      if (kind >= 2) label_out.push(i);
      else inner *= weft::is_named(a.shape()[i]) ? 6 : a.shape()[i];
    }
    for (int n = rng_.below(3); n > 0; --n) {
      extent const label = 10 + label_b.size();
      label_out.push(label);
      label_b.push(label);
      extent_b.push(any_extent());
    }
    weft::contraction c;
    extents shape_b;
    for (int i = 0; i < a.shape().rank; ++i) c.a[c.rank_a++] = i;
    for (extent k : permutation(label_b.size())) {
      c.b[c.rank_b++] = label_b[static_cast<int>(k)];
      shape_b.push(extent_b[static_cast<int>(k)]);
    }
    for (extent k : permutation(label_out.size()))
      c.out[c.rank_out++] = label_out[static_cast<int>(k)];
    extents const out = shape_of(c, a.shape(), shape_b);
    if (size_of_shape(shape_b) > limit() || size_of_shape(out) * inner > 10 * limit() ||
        size_of_shape(out) > limit())
      return;
    emit_contraction(c, a, value(a.type(), shape_b), out);
  }
  // Axes of x are windows, summed, shared or free; a named window keeps its extent.
  void add_convolution() {
    handle const x = any_of(weft::types::numbers);
    if (!x.valid() || x.shape().rank > 4) return;
    weft::convolution c;
    extents const& s = x.shape();
    extents w, out;
    extent inner = 1, next = 10;
    for (int i = 0; i < s.rank; ++i) {
      c.x[c.rank_x++] = i;
      int const kind = rng_.below(6); // 0, 1: a window; 2, 3: summed; 4: shared; 5: free
      bool const named = weft::is_named(s[i]);
      if (kind < 2) {
        extent const taps = 1 + rng_.below(3);
        inner *= taps;
        c.w[c.rank_w++] = next, w.push(taps);
        c.out[c.rank_out++] = next + 1, out.push(named ? s[i] : extent{rng_.below(9)});
        c.window[c.windows++] = {i,
                                 next,
                                 next + 1,
                                 1 + rng_.below(2),
                                 (1 + rng_.below(2)) * (rng_.chance(30) ? -1 : 1),
                                 1 + rng_.below(2),
                                 rng_.below(5) - 2};
        next += 2;
        continue;
      }
      if (kind < 4) inner *= named ? 6 : s[i];
      if (kind < 5) c.w[c.rank_w++] = i, w.push(s[i]);
      if (kind > 3) c.out[c.rank_out++] = i, out.push(s[i]);
    }
    if (rng_.chance(70)) {
      extent const features = any_extent();
      c.w[c.rank_w++] = next, w.push(features);
      c.out[c.rank_out++] = next, out.push(features);
    }
    if (size_of_shape(w) > limit() || size_of_shape(out) > limit() ||
        size_of_shape(out) * inner > 10 * limit())
      return;
    emit_convolution(c, x, w, out);
  }
  void emit_convolution(weft::convolution c, handle x, extents const& w, extents const& out) {
    dtype const accumulator = weft::accumulator_of(x.type());
    if (!options_.allows(accumulator)) return;
    c.has_bias = rng_.chance(30);
    handle const filter = value(x.type(), w);
    handle bias;
    if (c.has_bias) bias = value(rng_.chance(50) ? accumulator : x.type(), out);
    keep(convolve(x, filter, c, out, rng_.chance(50) ? accumulator : x.type(), bias));
  }
  void emit_contraction(weft::contraction c, handle a, handle b, extents out) {
    using enum weft::contract_order;
    dtype const accumulator = weft::accumulator_of(a.type());
    c.order = order_for(c, a.shape(), b.shape());
    if (rng_.chance(15)) c.order = c.order == chain ? lanes : chain; // as a transform may leave it
    if (!options_.allows(accumulator)) return;
    c.has_start = c.order == chain && rng_.chance(30);
    c.has_bias = rng_.chance(30);
    handle start, bias;
    if (c.has_start) start = value(accumulator, out);
    if (c.has_bias) bias = value(rng_.chance(50) ? accumulator : a.type(), out);
    keep(contract(a, b, c, rng_.chance(50) ? accumulator : a.type(), start, bias));
  }

  // ---- loops
  // A while_loop counts in its second carry; a cond has one step, if any.
  void add_loop(op o) {
    if (depth_ >= 2) return;
    if (o != op::scan && !(options_.allows(dtype::boolean) && options_.allows(dtype::i32))) return;
    weft::loop l;
    l.reverse = o == op::scan && rng_.chance(40);
    l.length = o == op::while_loop ? 0
               : o == op::cond     ? 1
               : rng_.chance(10)   ? 0
                                   : rng_.between(1, 5);
    growing<handle> operands, xs;
    if (o != op::while_loop) choose_xs(o, l, xs);
    if (o == op::while_loop) {
      operands.push(
          recorder_.localised(constant(recorder_, rng_.below(4) > 0, dtype::boolean, {})));
      operands.push(recorder_.localised(constant(recorder_, rng_.below(3), dtype::i32, {})));
    } else if (o == op::cond) operands.push(recorder_.localised(value(dtype::boolean, {})));
    l.carries = operands.size();
    l.xs = xs.size();
    for (int n = rng_.below(4); n > 0; --n)
      if (handle const h = recent(); size_of_shape(h.shape()) <= 300)
        operands.push(recorder_.localised(h)), ++l.carries;
    operands.append(xs);

    std::size_t const outside = pool_.size();
    int const body = recorder_.begin_body();
    ++depth_;
    for (int k = 0; k < operands.size(); ++k) {
      dtype const d = operands[k].type();
      extents const shape = k < l.carries ? operands[k].shape()
                                          : without_leading(operands[k].shape());
      keep(recorder_.parameter(d, shape));
    }
    grow(rng_.between(2, 8));
    growing<handle> const outputs = body_outputs(o, l, operands, outside);
    growing<handle> const captured = recorder_.end_body(body, outputs);
    --depth_;
    pool_.resize(outside);
    operands.append(captured);
    finish_loop(o, l, operands, outputs, body);
  }
  // Arrays with one leading extent become xs; it is the length then.
  void choose_xs(op o, weft::loop& l, growing<handle>& xs) {
    for (int tries = rng_.below(6); tries > 0; --tries) {
      handle const h = recent();
      if (h.shape().rank == 0 || size_of_shape(h.shape()) > 1000) continue;
      extent const leading = h.shape()[0];
      if (xs.empty() && o == op::scan ? leading <= 12 : leading == l.length) {
        l.length = leading;
        xs.push(recorder_.localised(h)); // before the body: graph_9
      }
    }
  }
  growing<handle> body_outputs(op o, weft::loop& l, growing<handle> const& operands,
                               std::size_t first) {
    growing<handle> outputs;
    if (o == op::while_loop) {
      handle const count = pool_[first + 1] + constant(recorder_, 1, dtype::i32, {});
      outputs.push(less(count, constant(recorder_, 4, dtype::i32, {})));
      outputs.push(count);
    }
    for (int k = outputs.size(); k < l.carries; ++k)
      outputs.push(value(operands[k].type(), operands[k].shape()));
    if (o == op::while_loop) return outputs;
    extent const length = weft::is_named(l.length) ? 6 : l.length;
    for (int n = rng_.below(3); n > 0; --n)
      if (handle const h = recent();
          size_of_shape(h.shape()) * length <= limit() && h.shape().rank < 6)
        outputs.push(h), ++l.ys;
    return outputs;
  }
  void finish_loop(op o, weft::loop const& l, growing<handle> const& operands,
                   growing<handle> const& outputs, int body) {
    handle const s = recorder_.emit(o, dtype::f32, {}, operands, encode(l), body);
    recorder_.set_owner(body, s.id);
    for (int i = 0; i < outputs.size(); ++i) {
      extents const shape = i < l.carries ? outputs[i].shape()
                                          : with_leading(l.length, outputs[i].shape());
      dtype const d = outputs[i].type();
      if (rng_.chance(85)) keep(get(s, i, d, shape));
    }
  }

  random_source rng_;
  graph_options options_;
  weft::recorder recorder_;
  std::vector<op> ops_;
  std::vector<dtype> dtypes_;
  std::vector<handle> pool_; // what a new node may read: this region's values and the outer ones'
  int inputs_ = 0;
  int depth_ = 0;
};

inline weft::graph random_graph(std::uint64_t seed, graph_options const& options = {}) {
  return graph_writer(seed, options).write();
}

} // namespace test
