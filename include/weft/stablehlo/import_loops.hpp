// SPDX-License-Identifier: BSL-1.0
// Loops in the forms that the exporter writes (export_loops.hpp) as the nodes that they were: a
// while that counts to a number and takes its xs and gives its ys by the counter is a scan; a while
// whose condition is its first value, a while_loop; an if whose else branch gives what was there and
// zeros, a cond.
// Needs: import_state.hpp. Leaves: the results given, or nothing recorded and false: any other while
// or if, which import_control.hpp reads.
#pragma once

#include <weft/graph/handle_loop.hpp>
#include <weft/stablehlo/import_attributes.hpp>
#include <weft/stablehlo/loop_text.hpp>

#include <algorithm>

namespace weft::inline v0::stablehlo {
namespace detail {

class own_loop {
public:
  constexpr own_loop(importing& c, operation const& o) : c_(c), m_(c.m), o_(o), text_(c.m, o) {}

  constexpr bool read_while() {
    if (o_.region_count != 2 || o_.operand_count == 0) return false;
    return read_while_loop() || read_scan();
  }
  constexpr bool read_if() {
    if (o_.region_count != 2 || o_.operand_count != 1 || o_.result_count == 0) return false;
    operation const &yes = text_.end_of(0), &no = text_.end_of(1);
    if (yes.operand_count != o_.result_count || no.operand_count != o_.result_count) return false;
    int const p = m_.operand(o_, 0);
    if (!c_.of_value(p).valid() || m_.operand(no, 0) != p) return false;
    loop l{.length = 1};
    while (l.carries < no.operand_count && text_.is_outer(m_.operand(no, l.carries), 1))
      ++l.carries;
    for (int k = l.carries; k < no.operand_count; ++k, ++l.ys)
      if (!text_.is_zeros(m_.operand(no, k)) || text_.inside(text_.stacked(m_.operand(yes, k))) < 0)
        return false;
    if (!text_.only_constants(1)) return false;
    growing<handle> const operands = localised(m_.operands_of(no).part(0, l.carries));
    int const region = begin(operands, true);
    c_.run_region(o_, 0, {});
    growing<handle> outputs = values(m_.operands_of(yes).part(0, l.carries));
    for (int k = l.carries; k < yes.operand_count && c_.ok(); ++k)
      outputs.push(c_.of_value(text_.inside(text_.stacked(m_.operand(yes, k)))));
    finish(op::cond, region, operands, outputs, l, 0);
    return true;
  }

private:
  // ---- recording
  constexpr growing<handle> values(view<int> ids) const {
    growing<handle> all;
    for (int v : ids) all.push(c_.of_value(v));
    return all;
  }
  constexpr growing<handle> localised(view<int> ids) {
    growing<handle> all = values(ids);
    for (handle& h : all) h = c_.r.localised(h);
    return all;
  }
  constexpr int begin(view<handle> operands, bool once) {
    int const region = c_.r.begin_body(once);
    for (handle h : operands) state_.push(c_.r.parameter(h.type(), h.shape()));
    return region;
  }
  // `skipped`: the counter's result.
  constexpr void finish(op what, int region, growing<handle> operands, view<handle> outputs,
                        loop const& l, int skipped) {
    for (handle h : outputs)
      if (c_.ok() && !h.valid()) c_.fail(o_, "a value is not known here");
    for (int k = 0; k < l.carries && k < outputs.size() && c_.ok(); ++k)
      if (!same_shapes(c_, outputs[k].shape(), operands[k].shape()) ||
          outputs[k].type() != operands[k].type())
        c_.fail(o_, "the body gives a value of another type or shape than it takes");
    if (!c_.ok()) return;
    operands.append(c_.r.end_body(region, outputs));
    handle const node = c_.r.emit(what, l.carries > 0 ? operands[0].type() : dtype::f32, {},
                                  operands, encode(l), region);
    c_.r.set_owner(region, node.id);
    for (int i = 0; i < l.carries + l.ys && c_.ok(); ++i) {
      result_info const info = result_of(c_.r.result, node.id, i);
      c_.give(o_, i + skipped, get(node, i, info.type, info.shape));
    }
    if (skipped > 0 && c_.ok())
      c_.give(o_, 0, constant(c_.r, static_cast<double>(l.length), dtype::i32, {}));
  }

  // ---- while_loop
  constexpr bool read_while_loop() {
    operation const& test = text_.end_of(0);
    if (m_.region_of(o_, 0).operation_count != 1 || test.operand_count != 1 ||
        m_.operand(test, 0) != text_.argument(0, 0))
      return false;
    value_type const& flag = m_.type_of(text_.argument(0, 0));
    if (flag.element != dtype::boolean || flag.shape.rank != 0) return false;
    for (int v : m_.operands_of(o_))
      if (!c_.of_value(v).valid()) return false;
    growing<handle> const operands = localised(m_.operands_of(o_));
    int const region = begin(operands, false);
    growing<handle> const outputs = c_.run_region(o_, 1, state_);
    if (c_.ok() && outputs.size() != operands.size())
      c_.fail(o_, "the body gives another number of values");
    finish(op::while_loop, region, operands, outputs, {.carries = operands.size()}, 0);
    return true;
  }

  // ---- scan
  struct sliced {
    int array = 0, row = 0, value = 0; // what is sliced, its slice, and that reshaped; -1: not yet
  };
  constexpr bool reads_length() {
    operation const& test = text_.end_of(0);
    if (m_.region_of(o_, 0).operation_count != 3 || test.operand_count != 1) return false;
    int const more = m_.operand(test, 0);
    if (!text_.is_made_by(more, code::compare) || text_.maker(more)->operand_count != 2)
      return false;
    attribute const* const how = m_.find(*text_.maker(more), "comparison_direction");
    return how != nullptr && m_.is(how->text, "LT") &&
           m_.operand(*text_.maker(more), 0) == text_.argument(0, 0) &&
           text_.is_number(m_.operand(*text_.maker(more), 1), loop_.length) && loop_.length > 0;
  }
  constexpr bool is_place(operation const& x, int first) const {
    if (x.operand_count <= first || m_.operand(x, first) != place_) return false;
    for (int k = first + 1; k < x.operand_count; ++k)
      if (!text_.is_number_of(m_.operand(x, k), 0)) return false;
    return true;
  }
  static constexpr bool is_row_of(extents const& row, extents const& array) {
    return row.rank > 0 && row[0] == 1 && without_leading(row) == without_leading(array);
  }
  // Operations that are the form's own are left out: everything that reads the counter.
  constexpr bool reads_operation(int id) {
    operation const& x = m_.operations[id];
    int const i = text_.argument(1, 0), result = x.first_result;
    if (x.what == code::subtract && !loop_.reverse && xs_.empty() && x.operand_count == 2 &&
        m_.operand(x, 1) == i && text_.is_number_of(m_.operand(x, 0), loop_.length - 1)) {
      loop_.reverse = true;
      place_ = result;
      return left_out_.push(id), true;
    }
    if (x.what == code::add && x.operand_count == 2 && m_.operand(x, 0) == i &&
        text_.is_number_of(m_.operand(x, 1), 1) && m_.operand(text_.end_of(1), 0) == result)
      return left_out_.push(id), true;
    if (x.what == code::dynamic_slice && is_place(x, 1) && text_.is_outer(m_.operand(x, 0), 1) &&
        is_row_of(m_.type_of(result).shape, m_.type_of(m_.operand(x, 0)).shape)) {
      xs_.push({m_.operand(x, 0), result, -1});
      return left_out_.push(id), true;
    }
    if (x.what == code::dynamic_update_slice && is_place(x, 2))
      return left_out_.push(id), text_.is_argument(m_.operand(x, 0), 1);
    if (x.what == code::reshape && x.operand_count == 1)
      if (int const k = slice_of(m_.operand(x, 0)); k >= 0) {
        sliced& s = xs_[k];
        if (s.value >= 0 || !(m_.type_of(result).shape == without_leading(m_.type_of(s.row).shape)))
          return false;
        s.value = result;
        return left_out_.push(id), true;
      }
    return true;
  }
  // Which x has this slice; -1: none. Rows and operations come in the order of their numbers.
  constexpr int slice_of(int row) const {
    auto const* const found = std::partition_point(xs_.begin(), xs_.end(),
                                                   [row](sliced const& s) { return s.row < row; });
    return found != xs_.end() && found->row == row ? static_cast<int>(found - xs_.begin()) : -1;
  }
  constexpr bool is_left_out(int id) const {
    return std::binary_search(left_out_.begin(), left_out_.end(), id);
  }
  // Does anything but the form read what only the form has?
  constexpr bool is_read_elsewhere(int id) const {
    if (is_left_out(id)) return false;
    for (int v : m_.operands_of(m_.operations[id]))
      if (is_own(v)) return true;
    operation const& x = m_.operations[id];
    for (int r = 0; r < x.region_count; ++r) {
      module_region const& inner = m_.region_of(x, r);
      for (int i = 0; i < inner.operation_count; ++i)
        if (is_read_elsewhere(m_.bodies[inner.first_operation + i])) return true;
    }
    return false;
  }
  // The counter, what is made of it, and ys; an x is the body's.
  constexpr bool is_own(int v) const {
    if (v == text_.argument(1, 0)) return true;
    int const id = m_.values[v].owner, first_y = text_.argument(1, 1 + loop_.carries);
    if (id >= 0) return is_left_out(id) && m_.operations[id].what != code::reshape;
    return v >= first_y && v < first_y + loop_.ys;
  }
  constexpr bool is_y(int k) const {
    int const next = m_.operand(text_.end_of(1), k);
    if (!text_.is_made_by(next, code::dynamic_update_slice)) return false;
    operation const& x = *text_.maker(next);
    extents const ys = m_.type_of(next).shape;
    return m_.operand(x, 0) == text_.argument(1, k) && is_place(x, 2) &&
           text_.inside(text_.stacked(m_.operand(x, 1))) >= 0 &&
           is_row_of(m_.type_of(m_.operand(x, 1)).shape, ys) && text_.is_zeros(m_.operand(o_, k)) &&
           ys[0] == loop_.length;
  }
  // What the body gives as its element of a y.
  constexpr int y_of(int k) const {
    operation const& update = *text_.maker(m_.operand(text_.end_of(1), k));
    return text_.inside(text_.stacked(m_.operand(update, 1)));
  }
  constexpr bool reads_body() {
    module_region const& body = m_.region_of(o_, 1);
    if (text_.end_of(1).operand_count != o_.operand_count ||
        body.argument_count != o_.operand_count)
      return false;
    place_ = text_.argument(1, 0);
    for (int i = 0; i + 1 < body.operation_count; ++i)
      if (!reads_operation(m_.bodies[body.first_operation + i])) return false;
    int states = o_.operand_count;
    while (states > 1 && is_y(states - 1)) --states, ++loop_.ys;
    loop_.carries = states - 1;
    loop_.xs = xs_.size();
    for (sliced const& x : xs_)
      if (x.value < 0) return false;
    int const next = m_.operand(text_.end_of(1), 0);
    if (!text_.is_made_by(next, code::add) ||
        m_.operand(*text_.maker(next), 0) != text_.argument(1, 0))
      return false;
    for (int i = 0; i + 1 < body.operation_count; ++i)
      if (is_read_elsewhere(m_.bodies[body.first_operation + i])) return false;
    for (int k = 1; k < o_.operand_count; ++k)
      if (is_own(k <= loop_.carries ? m_.operand(text_.end_of(1), k) : y_of(k))) return false;
    return true;
  }
  constexpr void read_marks() {
    auto const mark = [&](char const* name, extent usual) {
      attribute const* const a = m_.find(o_, name);
      return a != nullptr && a->kind == attribute_kind::integer ? a->integer : usual;
    };
    loop_.unroll = mark("weft.unroll", 1);
    extent const save = mark("weft.save", 0), role = mark("weft.role", 0);
    if (save >= 0 && save <= 2) loop_.save = static_cast<residuals>(save);
    if (role >= 0 && role <= 2) loop_.role = static_cast<region_role>(role);
  }
  constexpr bool read_scan() {
    if (!reads_length() || !text_.is_number_of(m_.operand(o_, 0), 0) || !reads_body()) return false;
    growing<int> ids(m_.operands_of(o_).part(1, loop_.carries));
    for (sliced const& x : xs_) ids.push(x.array);
    for (int v : ids)
      if (!c_.of_value(v).valid()) return false;
    for (sliced const& x : xs_)
      if (m_.type_of(x.array).shape[0] != loop_.length) return false;
    read_marks();
    growing<handle> const operands = localised(ids);
    int const region = c_.r.begin_body(loop_.is_region());
    growing<handle> inner;
    for (int k = 0; k < operands.size(); ++k) {
      extents const s = operands[k].shape();
      inner.push(c_.r.parameter(operands[k].type(), k < loop_.carries ? s : without_leading(s)));
    }
    c_.bind(o_, text_.argument(1, 1), loop_.carries, view<handle>(inner).part(0, loop_.carries),
            "the region is given ");
    for (int k = 0; k < loop_.xs; ++k)
      c_.bind(o_, xs_[k].value, 1, view<handle>(inner).part(loop_.carries + k, 1),
              "the region is given ");
    run_rest();
    growing<handle> outputs = values(m_.operands_of(text_.end_of(1)).part(1, loop_.carries));
    for (int k = 1 + loop_.carries; k < o_.operand_count && c_.ok(); ++k)
      outputs.push(c_.of_value(y_of(k)));
    finish(op::scan, region, operands, outputs, loop_, 1);
    return true;
  }
  constexpr void run_rest() {
    module_region const& body = m_.region_of(o_, 1);
    for (int i = 0; i + 1 < body.operation_count && c_.ok(); ++i) {
      int const id = m_.bodies[body.first_operation + i];
      if (!is_left_out(id)) c_.step(id);
    }
  }

  importing& c_;
  module_ir const& m_;
  operation const& o_;
  loop_text text_;
  growing<handle> state_;
  loop loop_{};
  int place_ = -1;
  growing<sliced> xs_;
  growing<int> left_out_;
};

constexpr bool import_own_while(importing& c, operation const& o) {
  return !c.lifted && own_loop(c, o).read_while();
}
constexpr bool import_own_if(importing& c, operation const& o) {
  return !c.lifted && own_loop(c, o).read_if();
}

} // namespace detail
} // namespace weft::inline v0::stablehlo
