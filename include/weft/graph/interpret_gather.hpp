// SPDX-License-Identifier: BSL-1.0
// The interpreter's gather, scatter, arg_reduce and arg_sort.
//   gather      every result element names its window and its place in it
//   scatter     windows in row-major order of their indices; elements of one window never meet.
//               16-bit floats are combined in float and rounded once.
//   arg_reduce  the place, row-major over the reduced axes, of the first NaN, else of the first
//               extremum; -0 = +0
//   arg_sort    the stable order of elements along an axis by the first key, then the next, ...:
//               -0 = +0, NaN last, also where the key descends
// Needs: attributes that verify accepts, shapes that are numbers. Leaves: words are moved as they
// are.
#pragma once

#include <weft/graph/gather_dims.hpp>
#include <weft/graph/interpret_elementwise.hpp>
#include <weft/graph/interpret_reduce.hpp>
#include <weft/graph/raise_extents.hpp>

namespace weft::inline v0 {
namespace detail {

// Where window `at` starts; `at` counts windows.
constexpr position window_start(gather_dims const& d, extents const& x, dense const& indices,
                                position const& at) {
  position start;
  start.rank = d.rank;
  for (int i = 0; i < d.batches; ++i) {
    int const axis = static_cast<int>(d.index_batch[i]);
    start[static_cast<int>(d.operand_batch[i])] = at[axis < d.index_axis ? axis : axis - 1];
  }
  for (int k = 0; k < d.mapped; ++k) {
    position p = indices.shape;
    for (int i = 0, c = 0; i < p.rank; ++i) p[i] = i == d.index_axis ? k : at[c++];
    int const axis = static_cast<int>(d.map[k]);
    extent const wanted = static_cast<std::int32_t>(indices[offset_of(p, indices.shape)]);
    extent const last = x[axis] - d.window[axis];
    start[axis] = d.drop ? wanted : wanted < 0 ? 0 : wanted > last ? last : wanted;
  }
  return start;
}
// start + the place in the window, over the operand's axes.
constexpr position window_place(gather_dims const& d, position start, position const& inside) {
  for (int axis = 0, w = 0; axis < d.rank; ++axis)
    if (d.in_window(axis)) start[axis] += inside[w++];
  return start;
}
constexpr bool lies_inside(position const& p, extents const& shape) {
  for (int i = 0; i < p.rank; ++i)
    if (p[i] < 0 || p[i] >= shape[i]) return false;
  return true;
}

// The two parts of a position of the result: which window, and where in it.
struct window_position {
  position at, inside;
};
constexpr window_position split_position(gather_dims const& d, position const& p) {
  window_position r;
  for (int i = 0; i < p.rank; ++i) (has_axis(d.window_axes, i) ? r.inside : r.at).push(p[i]);
  return r;
}
constexpr position join_position(gather_dims const& d, position const& at, position const& inside) {
  position p;
  for (int i = 0, a = 0, w = 0; i < at.rank + inside.rank; ++i)
    p.push(has_axis(d.window_axes, i) ? inside[w++] : at[a++]);
  return p;
}

constexpr dense gather_dense(dense const& x, dense const& indices, gather_dims const& d) {
  dense result(x.type, gather_shape(d, indices.shape));
  expect_windows(d, x.shape, result.size());
  for (int i = 0; i < result.size(); ++i) {
    window_position const p = split_position(d, position_of(i, result.shape));
    position const from = window_place(d, window_start(d, x.shape, indices, p.at), p.inside);
    if (lies_inside(from, x.shape)) result[i] = x[offset_of(from, x.shape)];
  }
  return result;
}

constexpr op combining_op(scatter_combine how) {
  switch (how) {
    case scatter_combine::add: return op::add;
    case scatter_combine::mul: return op::mul;
    case scatter_combine::min: return op::minimum;
    default: return op::maximum;
  }
}
constexpr dense converted_dense(dense x, dtype to, elementwise_table const& table) {
  if (x.type == to) return x;
  word_function const convert = conversion_in(*table.conversions, x.type, to);
  for (word& w : x.words) {
    word const from = w;
    convert(&from, &w);
  }
  x.type = to;
  return x;
}
// Every element and its update: f(place in x, place in updates).
template <class F>
constexpr void for_each_update(dense const& x, dense const& updates, dense const& indices,
                               gather_dims const& d, F const& f) {
  extents const counts = window_counts(d, indices.shape), window = window_shape(d);
  for (int w = 0; w < count_of(counts); ++w) {
    position const at = position_of(w, counts);
    position const start = window_start(d, x.shape, indices, at);
    for (int i = 0; i < count_of(window); ++i) {
      position const inside = position_of(i, window), to = window_place(d, start, inside);
      if (lies_inside(to, x.shape))
        f(offset_of(to, x.shape), offset_of(join_position(d, at, inside), updates.shape));
    }
  }
}
constexpr dense scatter_dense(dense x, dense const& updates, dense const& indices,
                              gather_dims const& d, elementwise_table const& table) {
  expect_windows(d, x.shape, updates.size());
  if (d.combine == scatter_combine::set) {
    for_each_update(x, updates, indices, d, [&](int to, int from) { x[to] = updates[from]; });
    return x;
  }
  dtype const type = x.type, wide = accumulator_of(type);
  dense const terms = converted_dense(updates, wide, table);
  dense sum = converted_dense(std::move(x), wide, table);
  word_function const combine = function_in(table, combining_op(d.combine), wide, wide);
  for_each_update(sum, terms, indices, d, [&](int to, int from) {
    word const both[2] = {sum[to], terms[from]};
    combine(both, &sum[to]);
  });
  return converted_dense(std::move(sum), type, table);
}

// Comparisons of words as elements of type d.
template <class = void> constexpr bool is_nan_word(word w, dtype d) {
  return with_widest(d, [w, d]<dtype D>() {
    if constexpr (is_float(D)) return !(read_as<D>(w, d) == read_as<D>(w, d)).value;
    else return false;
  });
}
template <class = void> constexpr bool less_word(word a, word b, dtype d) {
  return with_widest(d, [a, b, d]<dtype D>() {
    if constexpr (D == dtype::boolean) return a < b;
    else return (read_as<D>(a, d) < read_as<D>(b, d)).value;
  });
}

template <class = void>
constexpr dense arg_reduce_dense(dense const& x, extent axes, bool smallest) {
  extents const inner = only_axes(x.shape, axes);
  dense result(dtype::i32, without_axes(x.shape, axes));
  if (result.size() > 0 && count_of(inner) == 0) raise_no_element(x.shape, smallest);
  for (int o = 0; o < result.size(); ++o) {
    position const outer = position_of(o, result.shape);
    auto element = [&](int k) {
      return x[reduced_offset(x.shape, axes, outer, position_of(k, inner))];
    };
    int best = 0;
    for (int k = 1; k < count_of(inner) && !is_nan_word(element(best), x.type); ++k) {
      word const a = element(best), b = element(k);
      if (is_nan_word(b, x.type) || less_word(smallest ? b : a, smallest ? a : b, x.type)) best = k;
    }
    result[o] = static_cast<word>(best);
  }
  return result;
}

// Does element a stand before b, whatever their places?
template <class = void> constexpr bool stands_before(word a, word b, dtype d, bool descending) {
  if (is_nan_word(a, d)) return false;
  if (is_nan_word(b, d)) return true;
  return descending ? less_word(b, a, d) : less_word(a, b, d);
}
// Numbers 0, 1, ... n - 1 in stable order: merges of ever longer runs.
template <class Before> constexpr growing<int> stable_order(int n, Before const& before) {
  growing<int> order, merged(n, 0);
  for (int i = 0; i < n; ++i) order.push(i);
  for (int run = 1; run < n; run *= 2) {
    for (int first = 0; first < n; first += 2 * run) {
      int const middle = first + run < n ? first + run : n,
                end = middle + run < n ? middle + run : n;
      for (int i = first, j = middle, to = first; to < end; ++to) {
        bool const right = i == middle || (j < end && before(order[j], order[i]));
        merged[to] = right ? order[j++] : order[i++];
      }
    }
    order = merged;
  }
  return order;
}
template <class = void>
constexpr dense arg_sort_dense(view<dense> keys, int axis, extent descending) {
  extents const& shape = keys[0].shape;
  dense result(dtype::i32, shape);
  extents const lines = without_axes(shape, extent{1} << axis);
  for (int l = 0; l < count_of(lines); ++l) {
    position const outer = position_of(l, lines);
    auto place = [&](int k) { return reduced_offset(shape, extent{1} << axis, outer, {1, {k}}); };
    auto before = [&](int a, int b) {
      for (int k = 0; k < keys.size(); ++k) {
        word const x = keys[k][place(a)], y = keys[k][place(b)];
        if (stands_before(x, y, keys[k].type, has_axis(descending, k))) return true;
        if (stands_before(y, x, keys[k].type, has_axis(descending, k))) return false;
      }
      return false;
    };
    growing<int> const order = stable_order(static_cast<int>(shape[axis]), before);
    for (int k = 0; k < order.size(); ++k) result[place(k)] = static_cast<word>(order[k]);
  }
  return result;
}

} // namespace detail
} // namespace weft::inline v0
