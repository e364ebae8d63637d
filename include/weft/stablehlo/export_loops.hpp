// SPDX-License-Identifier: BSL-1.0
// Loops, each in one fixed form, by which import.hpp knows them again.
//   scan         r:1+c+y = while(i = 0 : i32, carries, ys = splats of zero)
//                  cond: return compare LT, i, constant length, SIGNED
//                  do:   t = i, or subtract (constant length - 1), i of a reverse scan
//                        x[k] = reshape (dynamic_slice xs[k], t, 0 ..., sizes 1, ...); xs and constants
//                        are the enclosing region's values
//                        the body
//                        ys[k] = dynamic_update_slice ys[k], (reshape y, 1, ...), t, 0 ...
//                        return add i, 1; carries; ys
//                The constants 0 of starts, the length and 1 are recorded where they are used.
//                A scan of no step is not written: its carries, and empty arrays.
//   while_loop   r:c = while(carries) cond: return carry 0; do: the body
//   cond         r:c+y = if carry 0: the body, xs reshaped to their element, ys to one in front
//                        else: the carries, and zeros
// What a derivative would keep, the wish to unroll and the region of a checkpoint are discardable
// attributes of the while: weft.role, weft.save, weft.unroll, where they are not the
// usual ones.
// Needs: a graph that verify accepts. Leaves: the results of the node.
#pragma once

#include <weft/stablehlo/export_scope.hpp>

namespace weft::inline v0::stablehlo::detail {

class loop_export {
public:
  constexpr loop_export(export_scope& s, int id)
      : s_(s), w_(s.w), id_(id), loop_(loop_of(s.g, id)), body_(s.g[id].body) {}

  constexpr growing<int> scan() {
    growing<int> start = carries();
    start.append(buffers());
    growing<int> all;
    all.push(scalar_i32(w_, 0));
    all.append(start);
    int const regions[] = {counted_condition(all), counted_body(all)};
    return results(w_.emit(code::while_, all, types_of(all), marks(), {regions, 2}) + 1, start);
  }
  constexpr growing<int> while_loop() {
    growing<int> const start = carries();
    w_.open_region();
    growing<int> const inside = arguments(start);
    w_.end(code::stablehlo_return, {&inside[0], 1});
    int const condition = w_.close_region(), known = w_.known_extents();
    w_.open_region();
    growing<int> const own = arguments(start);
    growing<int> const next = run(own, {});
    w_.end(code::stablehlo_return, next);
    w_.forget_extents_since(known);
    int const regions[] = {condition, w_.close_region()};
    return results(w_.emit(code::while_, start, types_of(start), {}, {regions, 2}), start);
  }
  constexpr growing<int> cond() {
    growing<int> const start = carries();
    int const known = w_.known_extents();
    w_.open_region();
    growing<int> xs;
    for (int k = 0; k < loop_.xs; ++k) {
      int const x = s_.operand(id_, loop_.carries + k);
      int const inner = s_.g.parameters_of(body_)[loop_.carries + k];
      extents const element = s_.g.shape(inner);
      xs.push(!needs_x(k)         ? -1
              : is_empty(element) ? splat(w_, s_.g[inner].type, element, 0)
                                  : reshape(w_, x, element));
    }
    growing<int> done = run(start, xs);
    for (int k = loop_.carries; k < done.size(); ++k)
      done[k] = reshape(w_, done[k], with_leading(1, w_.shape(done[k])));
    w_.end(code::stablehlo_return, done);
    w_.forget_extents_since(known);
    int const yes = w_.close_region();
    w_.open_region();
    growing<int> kept = start;
    kept.append(buffers());
    w_.end(code::stablehlo_return, kept);
    int const regions[] = {yes, w_.close_region()};
    return results(w_.emit(code::if_, {&start[0], 1}, types_of(done), {}, {regions, 2}), done);
  }

private:
  constexpr growing<int> carries() const {
    growing<int> r;
    for (int k = 0; k < loop_.carries; ++k) r.push(s_.operand(id_, k));
    return r;
  }
  // Zeros for the ys.
  constexpr growing<int> buffers() {
    growing<int> r;
    for (int k = 0; k < loop_.ys; ++k) {
      result_info const y = result_of(s_.g, id_, loop_.carries + k);
      r.push(splat(w_, y.type, y.shape, 0));
    }
    return r;
  }
  constexpr growing<typed_shape> types_of(view<int> values) const {
    growing<typed_shape> r;
    for (int v : values) r.push({w_.element(v), w_.shape(v)});
    return r;
  }
  constexpr growing<int> arguments(view<int> start) {
    growing<int> r;
    for (int v : start) r.push(w_.argument(w_.element(v), w_.shape(v)));
    return r;
  }
  static constexpr growing<int> results(int from, view<int> like) {
    growing<int> r;
    for (int k = 0; k < like.size(); ++k) r.push(from + k);
    return r;
  }

  constexpr bool needs_x(int k) const {
    return s_.live[s_.g.parameters_of(body_)[loop_.carries + k]];
  }
  // The body with these carries and elements: its outputs.
  constexpr growing<int> run(view<int> carries, view<int> xs) {
    view<int> const parameters = s_.g.parameters_of(body_);
    for (int k = 0; k < parameters.size(); ++k) {
      int const after = k - loop_.carries;
      s_.first[parameters[k]] = k < loop_.carries  ? carries[k]
                                : after < loop_.xs ? xs[after]
                                                   : s_.operand(id_, k);
    }
    s_.run(s_, body_);
    growing<int> r;
    for (int out : s_.g.outputs_of(body_)) r.push(s_.first[out]);
    return r;
  }
  constexpr int counted_condition(view<int> start) {
    w_.open_region();
    int const i = arguments(start)[0];
    int const more = compare(w_, "LT", i, extent_value(w_, loop_.length));
    w_.end(code::stablehlo_return, {&more, 1});
    return w_.close_region();
  }
  constexpr int step_number(int i) {
    if (!loop_.reverse) return i;
    int last = -1;
    if (is_named(loop_.length))
      last = binary(w_, code::subtract, extent_value(w_, loop_.length), scalar_i32(w_, 1));
    else last = scalar_i32(w_, loop_.length - 1);
    return binary(w_, code::subtract, last, i);
  }
  // x or y, then where its element t is: behind the array, t and zeros.
  constexpr growing<int> with_place(growing<int> all, int t, int rank) {
    all.push(t);
    if (rank > 1) {
      int const zero = scalar_i32(w_, 0);
      for (int i = 1; i < rank; ++i) all.push(zero);
    }
    return all;
  }
  constexpr int element_of(int x, int t) {
    extents window = w_.shape(x);
    window[0] = 1;
    if (!is_static(window))
      raise<usage_error>(
          message("weft: stablehlo: scan has no form for elements of named extents"));
    growing<int> const all = with_place(growing<int>(1, x), t, window.rank);
    attribute const sizes = w_.integers("slice_sizes", list_of(window));
    int const one = w_.emit(code::dynamic_slice, all, w_.element(x), window, {&sizes, 1});
    return reshape(w_, one, without_leading(window));
  }
  constexpr int updated(int buffer, int y, int t) {
    extents const s = w_.shape(buffer);
    growing<int> all(1, buffer);
    all.push(reshape(w_, y, with_leading(1, w_.shape(y))));
    return w_.emit(code::dynamic_update_slice, with_place(all, t, s.rank), w_.element(buffer), s);
  }
  constexpr int counted_body(view<int> start) {
    int const known = w_.known_extents();
    w_.open_region();
    growing<int> const inside = arguments(start);
    int const t = step_number(inside[0]);
    growing<int> xs;
    for (int k = 0; k < loop_.xs; ++k)
      xs.push(needs_x(k) ? element_of(s_.operand(id_, loop_.carries + k), t) : -1);
    growing<int> next = run(view<int>(inside).part(1, loop_.carries), xs);
    for (int k = loop_.carries; k < next.size(); ++k) next[k] = updated(inside[1 + k], next[k], t);
    growing<int> all;
    all.push(binary(w_, code::add, inside[0], scalar_i32(w_, 1)));
    all.append(next);
    w_.end(code::stablehlo_return, all);
    w_.forget_extents_since(known);
    return w_.close_region();
  }
  constexpr growing<attribute> marks() {
    growing<attribute> r;
    if (loop_.role != region_role::plain)
      r.push(w_.integer("weft.role", static_cast<extent>(loop_.role)));
    if (loop_.save != residuals::products)
      r.push(w_.integer("weft.save", static_cast<extent>(loop_.save)));
    if (loop_.unroll != 1) r.push(w_.integer("weft.unroll", loop_.unroll));
    return r;
  }

  export_scope& s_;
  module_writer& w_;
  int id_;
  loop const loop_;
  int body_;
};

} // namespace weft::inline v0::stablehlo::detail
