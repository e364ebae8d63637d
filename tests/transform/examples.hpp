// SPDX-License-Identifier: BSL-1.0
// The loop over examples that vmap must equal: slices of the inputs, a graph's meaning of each, the
// outputs stacked.
#pragma once

#include "support/meaning.hpp"
#include <weft/graph/dense.hpp>
#include <weft/graph/graph.hpp>

namespace test {

// Copies between x and its part at index e of an axis: f(place in x, place in the part).
template <class F>
void for_each_of_example(weft::extents const& whole, int axis, int e, F const& f) {
  weft::extent inner = 1, outer = 1;
  for (int i = 0; i < whole.rank; ++i) (i < axis ? outer : inner) *= i == axis ? 1 : whole[i];
  for (weft::extent o = 0; o < outer; ++o)
    for (weft::extent i = 0; i < inner; ++i)
      f(static_cast<int>((o * whole[axis] + e) * inner + i), static_cast<int>(o * inner + i));
}
inline weft::dense example_of(weft::dense const& x, int axis, int e) {
  weft::extents shape;
  for (int i = 0; i < x.shape.rank; ++i)
    if (i != axis) shape.push(x.shape[i]);
  weft::dense one(x.type, shape);
  for_each_of_example(x.shape, axis, e, [&](int from, int to) { one[to] = x[from]; });
  return one;
}
// axes: by input, -1 where it is not mapped. The outputs have the examples first.
inline weft::growing<weft::dense> looped(weft::graph_view g, weft::view<int> axes,
                                         weft::view<weft::dense> inputs, int count) {
  weft::growing<weft::dense> all;
  for (int e = 0; e < count; ++e) {
    weft::growing<weft::dense> one;
    for (int i = 0; i < inputs.size(); ++i)
      one.push(axes[i] >= 0 ? example_of(inputs[i], axes[i], e) : inputs[i]);
    weft::growing<weft::dense> const outputs = meaning_of(g, one);
    for (int k = 0; k < outputs.size(); ++k) {
      weft::dense const& y = outputs[k];
      weft::extents shape{1, {count}};
      for (int i = 0; i < y.shape.rank; ++i) shape.push(y.shape[i]);
      if (e == 0) all.push(weft::dense(y.type, shape));
      for_each_of_example(shape, 0, e, [&](int to, int from) { all[k][to] = y[from]; });
    }
  }
  return all;
}

} // namespace test
