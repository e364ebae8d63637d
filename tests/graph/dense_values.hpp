// SPDX-License-Identifier: BSL-1.0
// Short spellings for the tests of graph/: arrays from lists, one-node graphs, their value.
#pragma once

#include "support/matrix_product.hpp"

#include <weft/graph/handle.hpp>
#include <weft/graph/interpret.hpp>

#include <bit>
#include <concepts>
#include <initializer_list>

namespace test {

using namespace weft;

constexpr extents dims(std::initializer_list<extent> list) {
  extents s;
  for (extent e : list) s.push(e);
  return s;
}
template <class T>
constexpr dense array(std::initializer_list<extent> shape, std::initializer_list<T> elements) {
  dense x(dtype_of<T>, dims(shape));
  int i = 0;
  for (T e : elements) x[i++] = word_of(e);
  return x;
}
template <class T> constexpr dense vector(std::initializer_list<T> elements) {
  return array<T>({static_cast<extent>(elements.size())}, elements);
}
template <class T> constexpr dense scalar_value(T x) { return array<T>({}, {x}); }

// A list of arrays from a braced list; std::initializer_list of a class that owns memory fails in
// constant evaluation on g++ 12.
struct arrays {
  growing<dense> list;

  template <class... D>
    requires(std::same_as<D, dense> && ...)
  constexpr arrays(D const&... d) {
    (list.push(d), ...);
  }
  constexpr operator view<dense>() const { return list; }
};

// The inputs of a graph under construction, one per array.
constexpr growing<handle> inputs_for(recorder& r, view<dense> values) {
  growing<handle> h;
  for (int i = 0; i < values.size(); ++i)
    h.push(r.input(values[i].type, values[i].shape, {i, 0, false}));
  return h;
}
// The value of what `build` makes of inputs with these values.
template <class Build> constexpr dense value_of(arrays const& values, Build const& build) {
  recorder r;
  growing<handle> const h = inputs_for(r, values);
  handle out = build(r, h);
  r.finish({&out, 1});
  return interpret(r.result, values)[0];
}
// The value of one node over these operands.
constexpr dense node_value(op code, dtype type, extents const& shape, arrays const& operands,
                           std::initializer_list<extent> attributes = {}) {
  return value_of(operands, [&](recorder& r, view<handle> x) {
    return r.emit(code, type, shape, x, {attributes.begin(), static_cast<int>(attributes.size())});
  });
}
// An elementwise op whose result has the operands' type, or the one that is given.
constexpr dense apply(op code, arrays const& operands) {
  return node_value(code, operands.list.back().type, operands.list[0].shape, operands);
}
constexpr dense apply(op code, dtype type, arrays const& operands) {
  return node_value(code, type, operands.list[0].shape, operands);
}

} // namespace test
