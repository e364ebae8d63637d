// SPDX-License-Identifier: BSL-1.0
// Small graphs for the tests of passes and of autocast: functions of untyped handles, recorded.
#pragma once

#include "support/matrix_product.hpp"

#include <weft/graph/handle.hpp>

namespace test {

using namespace weft;

// A function of one array of 4 x 4.
using unary_function = handle (*)(recorder&, handle);

constexpr extents four_by_four{2, {4, 4}};

constexpr graph recorded(unary_function f, dtype d = dtype::f32) {
  recorder r;
  handle y = f(r, r.input(d, four_by_four, {0, 0, false}));
  r.finish({&y, 1});
  return std::move(r.result);
}
// Nodes of one op; in one region, if a region is named.
constexpr int count(graph_view g, op code, int region = -1) {
  int n = 0;
  for (node const& x : g.nodes) n += x.code == code && (region < 0 || x.region == region);
  return n;
}
// The first node of an op; in one region, if a region is named.
constexpr int find(graph_view g, op code, int region = -1) {
  for (int i = 0; i < g.size(); ++i)
    if (g[i].code == code && (region < 0 || g[i].region == region)) return i;
  return -1;
}
constexpr bool is_identity(graph_view g) { return g.outputs_of(0)[0] == g.parameters_of(0)[0]; }

constexpr handle product(handle a, handle b) { return contract(a, b, matrix_product(), a.type()); }

// A loop over xs: h' = body(r, h, x); the last h.
template <class Body>
constexpr handle fold_steps(recorder& r, handle h, handle xs, Body const& body,
                            bool reversed = false) {
  loop l{.carries = 1, .xs = 1, .ys = 0, .length = xs.shape()[0], .reverse = reversed};
  growing<handle> operands;
  operands.push(r.localised(h));
  operands.push(r.localised(xs));
  extents inner = without_leading(xs.shape());
  int b = r.begin_body();
  handle carry = r.parameter(h.type(), h.shape()), x = r.parameter(xs.type(), inner);
  handle next = body(carry, x);
  operands.append(r.end_body(b, {&next, 1}));
  handle s = r.emit(op::scan, dtype::f32, {}, operands, encode(l), b);
  r.set_owner(b, s.id);
  return get(s, 0, h.type(), h.shape());
}

} // namespace test
