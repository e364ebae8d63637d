// SPDX-License-Identifier: BSL-1.0
// The rows of einsum_table.hpp as graphs, recorded at run time.
#pragma once

#include "einsum_reference.hpp"
#include "einsum_table.hpp"

#include <weft/graph/einsum_record.hpp>
#include <weft/graph/verify.hpp>

#include <gtest/gtest.h>

#include <cstring>

namespace einsum_cases {

using namespace weft;
using einsum_reference::einsum, einsum_reference::numbers, einsum_reference::shape,
    einsum_reference::shapes_of;

inline text text_from(char const* s) { return {s, static_cast<int>(std::strlen(s))}; }

inline extents numbers_of(shape const& s) {
  extents r;
  for (int e : s) r.push(e);
  return r;
}
inline growing<extents> extents_of(std::vector<shape> const& shapes) {
  growing<extents> r;
  for (shape const& s : shapes) r.push(numbers_of(s));
  return r;
}
// Every extent but 1 named after its label.
inline growing<extents> names_of(einsum const& e) {
  growing<extents> r;
  for (std::size_t k = 0; k < e.in.size(); ++k) {
    extents s;
    for (std::size_t i = 0; i < e.in[k].size(); ++i) {
      char const name[] = {'n', e.in[k][i], '\0'};
      s.push(e.shapes[k][i] == 1 ? 1 : pack_name(name));
    }
    r.push(s);
  }
  return r;
}

inline graph recorded(char const* spec, growing<extents> const& shapes, dtype in, dtype out,
                      bool total = false) {
  recorder r;
  growing<handle> operands;
  for (int k = 0; k < shapes.size(); ++k) operands.push(r.input(in, shapes[k], {k, 0, false}));
  handle h = record_einsum(text_from(spec), operands, out);
  if (total) { // weighted by position, so that every element counts differently
    handle w = constant(r, 1, out, h.shape());
    for (int i = 0; i < h.shape().rank; ++i)
      w = w + convert(iota(r, dtype::i32, h.shape(), i), out) * constant(r, i + 1, out, h.shape());
    h = sum_all(h * w);
  }
  r.finish(growing<handle>(view<handle>{&h, 1}));
  EXPECT_FALSE(verify(r.result)) << spec << " node " << verify(r.result).node;
  return std::move(r.result);
}

// Rows whose sum is soon done.
inline bool small(einsum const& e, long most) {
  long n = 1;
  for (auto const& [c, x] : e.extent) n *= x;
  return n <= most;
}

} // namespace einsum_cases
