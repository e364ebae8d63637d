// SPDX-License-Identifier: BSL-1.0
// How windows walk over the spatial axes of an array: numbers per axis, and padding by number or by
// rule. What conv_options and pool_options are made of; all of it may be a template argument.
//   .strides = 2          of every axis          .strides = {2, 1}      axis by axis
//   .padding = pads::same      .padding = {1, 2}, of both sides      .padding = {{1, 1}, {0, 2}}
// Needs: core. Leaves: axes are counted in the order of the layout that the options belong to.
#pragma once

#include <weft/core/extents.hpp>

#include <initializer_list>

namespace weft::inline v0 {

inline constexpr int most_spatial_axes = 4;

// One number for all axes, or one each.
struct per_axis {
  int count = 0; // 0: value[0] is every axis'
  int value[most_spatial_axes]{};

  constexpr per_axis(int n) : value{n} {}
  constexpr per_axis(std::initializer_list<int> list) {
    for (int n : list) {
      if (count < most_spatial_axes) value[count] = n;
      ++count;
    }
  }
  constexpr int operator[](int axis) const { return value[count == 0 ? 0 : axis]; }
  constexpr bool is_for(int axes) const { return count == 0 || count == axes; }
};

struct axis_pads {
  int low = 0, high = 0; // zeros before the first element and after the last; negative: crops

  constexpr axis_pads() = default;
  constexpr axis_pads(int both_sides) : low(both_sides), high(both_sides) {}
  constexpr axis_pads(int first, int last) : low(first), high(last) {}
};

// XLA's and TensorFlow's rules. valid: none. same: as many places as ceil(n / stride), an odd zero
// behind the last element; same_lower: before the first.
enum class pads : unsigned char { valid, same, same_lower, given };

struct window_padding {
  pads rule = pads::valid;
  int count = 0; // 0: axis[0] is every axis'
  axis_pads axis[most_spatial_axes]{};

  constexpr window_padding(pads r) : rule(r) {}
  constexpr window_padding(int both) : rule(pads::given), axis{{both, both}} {}
  constexpr window_padding(std::initializer_list<axis_pads> list) : rule(pads::given) {
    for (axis_pads const& p : list) {
      if (count < most_spatial_axes) axis[count] = p;
      ++count;
    }
  }
  constexpr bool is_for(int axes) const {
    return rule != pads::given || count == 0 || count == axes;
  }
};

// An axis: its elements (with what dilation puts between them), and the reach of a window over it.
struct window_walk {
  extent elements = 0, reach = 1, stride = 1;

  constexpr extent places(axis_pads const& p) const {
    extent const room = elements + p.low + p.high - reach;
    return room < 0 ? 0 : room / stride + 1;
  }
  constexpr axis_pads resolved(window_padding const& p, int axis_number) const {
    if (p.rule == pads::given) return p.axis[p.count == 0 ? 0 : axis_number];
    if (p.rule == pads::valid) return {};
    extent const wanted = (elements + stride - 1) / stride;
    extent const total = (wanted - 1) * stride + reach - elements;
    int const all = wanted == 0 || total < 0 ? 0 : static_cast<int>(total);
    int const less = all / 2, more = all - less;
    return p.rule == pads::same ? axis_pads{less, more} : axis_pads{more, less};
  }
};
// Elements with `dilation` - 1 places between neighbours; the reach of a window of `size` taps.
constexpr extent dilated(extent size, extent dilation) {
  return size == 0 ? 0 : (size - 1) * dilation + 1;
}

} // namespace weft::inline v0
