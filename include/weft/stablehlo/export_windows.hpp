// SPDX-License-Identifier: BSL-1.0
// Decompositions of window and overlap_add.
//   window        one gather per window, along its axis, by o * stride + k * dilation; the taps' axis
//                 goes behind all others
//   overlap_add   one scatter that adds, into zeros, the taps outermost: the node's own order. Sums
//                 of 16-bit floats are taken in float.
// Needs: along the windows, extents that are numbers. Leaves: the value that the function returns.
#pragma once

#include <weft/graph/window_list.hpp>
#include <weft/stablehlo/export_index.hpp>

namespace weft::inline v0::stablehlo::detail {

// o * stride + k * dilation at the places of two axes of a shape, i32.
constexpr int tap_places(module_writer& w, extents const& shape, int places, int taps,
                         extent stride, extent dilation) {
  auto scaled = [&](int axis, extent by) {
    int const index = iota(w, dtype::i32, shape, axis);
    return by == 1 ? index
                   : binary(w, code::multiply, index,
                            splat(w, dtype::i32, shape, static_cast<std::uint32_t>(by)));
  };
  int const start = scaled(places, stride);
  return binary(w, code::add, start, scaled(taps, dilation));
}
constexpr int window_body(module_writer& w, window_list const& windows, int x) {
  for (int k = 0; k < windows.count(); ++k) {
    int const axis = windows.axis(k);
    extents const s = w.shape(x);
    extent const places = windows.places(k, s[axis]);
    gather_dims d;
    d.rank = s.rank;
    d.index_axis = 2;
    d.mapped = 1;
    d.map[0] = axis;
    d.collapsed = extent{1} << axis;
    for (int i = 0; i < s.rank; ++i) d.window[i] = i == axis ? 1 : s[i];
    d.window_axes = ((extent{1} << s.rank) - 1) & ~(extent{1} << axis); // places stay, taps last
    if (places == 0 || s[axis] == 0) {
      extents to = s;
      to[axis] = places;
      to.push(windows.size(k));
      x = splat(w, w.element(x), to, 0);
      continue;
    }
    x = gather(w, d, x,
               tap_places(w, extents{2, {places, windows.size(k)}}, 0, 1, windows.stride(k),
                          windows.dilation(k)));
  }
  return x;
}

// Indices of every tap and place, one after the other, and in their order the updates.
constexpr int overlap_add_body(module_writer& w, window_list const& windows, int x,
                               extents const& to) {
  int const rank = to.rank, count = windows.count();
  extents const s = w.shape(x);
  dtype const type = w.element(x), wide = accumulator_of(type);
  growing<extent> order; // taps, places, then the axes without windows
  extents index, rest;
  gather_dims d;
  for (int k = 0; k < count; ++k) {
    order.push(rank + k);
    index.push(s[rank + k]);
  }
  for (int k = 0; k < count; ++k) {
    order.push(windows.axis(k));
    index.push(s[windows.axis(k)]);
    d.map[d.mapped++] = windows.axis(k);
    d.collapsed |= extent{1} << windows.axis(k);
  }
  extent const all = count_of(index);
  d.rank = rank;
  d.drop = true;
  d.combine = scatter_combine::add;
  d.index_axis = 1;
  rest.push(all);
  for (int i = 0; i < rank; ++i) {
    d.window[i] = windows.at(i) >= 0 ? 1 : to[i];
    if (windows.at(i) >= 0) continue;
    d.window_axes |= extent{1} << rest.rank;
    rest.push(to[i]);
    order.push(i);
  }
  growing<int> parts;
  for (int k = 0; k < count; ++k)
    parts.push(reshape(w,
                       tap_places(w, index, count + k, k, windows.stride(k), windows.dilation(k)),
                       extents{2, {all, 1}}));
  int const starts = count == 1 ? parts[0] : join(w, parts, 1, extents{2, {all, count}});
  int const updates = convert(w, reshape(w, transpose(w, x, order), rest), wide);
  int const zeros = number(w, 0, wide, to);
  return convert(w, scatter(w, d, zeros, updates, starts), type);
}

} // namespace weft::inline v0::stablehlo::detail
