// SPDX-License-Identifier: BSL-1.0
// The attributes of window and of its adjoint overlap_add: {axis…, size…, stride…, dilation…}, four
// lists of one entry per window. Along its axis, of n elements, window number o is the elements
//   o * stride + k * dilation,  k < size;  places = n < reach ? 0 : (n - reach) / stride + 1,
//   reach = (size - 1) * dilation + 1
// The result of `window` has the places in the place of each such axis, and the sizes behind all axes.
// Needs: attributes that verify accepts. Leaves: nothing owned.
#pragma once

#include <weft/graph/attributes.hpp>

namespace weft::inline v0 {

class window_list {
public:
  constexpr explicit window_list(view<extent> attributes)
      : all_(attributes), count_(attributes.size() / 4) {}

  constexpr int count() const { return count_; }
  constexpr int axis(int w) const { return static_cast<int>(all_[w]); }
  constexpr extent size(int w) const { return all_[count_ + w]; }
  constexpr extent stride(int w) const { return all_[2 * count_ + w]; }
  constexpr extent dilation(int w) const { return all_[3 * count_ + w]; }
  constexpr extent reach(int w) const { return (size(w) - 1) * dilation(w) + 1; }
  constexpr extent places(int w, extent n) const {
    return n < reach(w) ? 0 : (n - reach(w)) / stride(w) + 1;
  }
  // The window along this axis; -1: none.
  constexpr int at(int axis) const {
    for (int w = 0; w < count_; ++w)
      if (all_[w] == axis) return w;
    return -1;
  }
  constexpr extents sizes() const {
    extents s;
    for (int w = 0; w < count_; ++w) s.push(size(w));
    return s;
  }

private:
  view<extent> all_;
  int count_;
};

// The shape of windows of an array of shape s.
constexpr extents windowed(extents s, window_list const& windows) {
  for (int w = 0; w < windows.count(); ++w)
    s[windows.axis(w)] = windows.places(w, s[windows.axis(w)]);
  for (int w = 0; w < windows.count(); ++w) s.push(windows.size(w));
  return s;
}

} // namespace weft::inline v0
