// SPDX-License-Identifier: BSL-1.0
// The nodes of loops and branches over untyped handles: scan, while_loop, cond.
// Needs: a body that has been recorded (recorder::begin_body, end_body); operands that are the open
// region's own, captured values last. Leaves: the node, its body's owner, and the results.
#pragma once

#include <weft/graph/handle.hpp>
#include <weft/graph/results.hpp>

namespace weft::inline v0 {
namespace detail {

// The node of a loop whose body has been recorded, and its results.
constexpr growing<handle> record_loop(recorder& r, int body, loop const& l, view<handle> operands) {
  handle node = r.emit(op::scan, l.carries > 0 ? operands[0].type() : dtype::f32, {}, operands,
                       encode(l), body);
  r.set_owner(body, node.id);
  growing<handle> results;
  for (int i = 0; i < l.carries + l.ys; ++i) {
    result_info const info = result_of(r.result, node.id, i);
    extent const number = i;
    results.push(r.emit(op::get, info.type, info.shape, {&node, 1}, {&number, 1}));
  }
  return results;
}

// The results of a loop or branch whose body has been recorded; the first carry is the condition.
// Those of ys, which a branch may have that starts from nothing, have a leading axis of 1.
constexpr growing<handle> record_conditional(recorder& r, op code, int body, view<handle> operands,
                                             int carries, int ys = 0) {
  loop const l{.carries = carries, .ys = ys, .length = code == op::cond ? 1 : 0};
  handle node = r.emit(code, dtype::boolean, {}, operands, encode(l), body);
  r.set_owner(body, node.id);
  growing<handle> results;
  for (int i = 1; i < carries + ys; ++i) {
    result_info const info = result_of(r.result, node.id, i);
    results.push(get(node, i, info.type, info.shape));
  }
  return results;
}

} // namespace detail
} // namespace weft::inline v0
