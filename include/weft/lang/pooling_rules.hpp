// SPDX-License-Identifier: BSL-1.0
// What pooling says at compile time: the layout's text, the options against the shape, and the
// shape of the result.
//   "NHWC": N or none, C or F or neither, and 1 to 4 other letters, each once, which are the spatial
//   axes, in the order of the text; not I and O, which are a filter's, nor n and c
// Needs: window_options.hpp, shape_rules.hpp. Leaves: a pool_plan, or the first fault; one error.
#pragma once

#include <weft/graph/reduce_windows.hpp>
#include <weft/graph/window_list.hpp>
#include <weft/lang/shape_rules.hpp>

namespace weft::inline v0 {

// Windows along some axes: size, and how they walk. Numbers for all axes, or one each.
struct window_options {
  per_axis size = 0; // must be given; overlap_add knows it
  per_axis strides = 1;
  per_axis dilation = 1; // from one element of a window to the next
};

struct pool_options {
  per_axis size = 0;    // must be given
  per_axis strides = 0; // 0: the size
  window_padding padding = pads::valid;
  per_axis dilation = 1;
  bool count_padding = true; // avg_pool divides by the window's size; false: by what is no padding
};

namespace detail {

constexpr bool is_letter_of_layout(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}
// As conv's texts have them; F is a result's C.
constexpr bool is_kept_by_pools(char c) { return c == 'N' || c == 'C' || c == 'F'; }
constexpr bool is_role_elsewhere(char c) { return c == 'I' || c == 'O' || c == 'n' || c == 'c'; }
// The spatial axes of a layout, or its fault.
constexpr pool_plan read_layout(text layout) {
  pool_plan p;
  int spatial = 0;
  for (int i = 0; i < layout.size(); ++i) {
    bool sound = is_letter_of_layout(layout[i]);
    for (int j = 0; j < i; ++j) sound = sound && layout[i] != layout[j];
    if (!sound) return p.or_fault(true, pool_fault::letters);
    if (is_role_elsewhere(layout[i])) return p.or_fault(true, pool_fault::roles);
    if (is_kept_by_pools(layout[i])) continue;
    if (spatial < most_spatial_axes) p.at[p.count++].axis = i;
    ++spatial;
  }
  return p.or_fault(spatial < 1 || spatial > most_spatial_axes, pool_fault::spatial);
}
constexpr pool_axis pooled_axis(pool_axis a, int i, extent n, pool_options const& o) {
  a.size = o.size[i];
  a.stride = o.strides[i] == 0 ? a.size : o.strides[i];
  a.dilation = o.dilation[i];
  if (a.size < 1 || a.stride < 1 || a.dilation < 1) return a;
  weft::window_walk const walk{n, a.reach(), a.stride};
  a.padding = walk.resolved(o.padding, i);
  a.places = walk.places(a.padding);
  return a;
}
constexpr pool_plan plan_of_pool(text layout, pool_options const& o, extents const& s) {
  pool_plan p = read_layout(layout).or_fault(layout.size() != s.rank, pool_fault::rank);
  if (p.fault != pool_fault::sound) return p;
  bool const numbers = o.size.is_for(p.count) && o.strides.is_for(p.count) &&
                       o.dilation.is_for(p.count) && o.padding.is_for(p.count);
  p = p.or_fault(!numbers, pool_fault::numbers);
  p.result = s;
  for (int i = 0; i < p.count && p.fault == pool_fault::sound; ++i) {
    pool_axis& a = p.at[i];
    if (is_named(s[a.axis])) return p.or_fault(true, pool_fault::named);
    a = pooled_axis(a, i, s[a.axis], o);
    p = p.or_fault(a.size < 1 || a.stride < 1 || a.dilation < 1, pool_fault::window);
    p.result[p.at[i].axis] = p.at[i].places;
  }
  return p;
}

// One error at most; false after it.
template <class S, fixed_string Layout, pool_options O> consteval bool check_pool() {
  constexpr pool_fault fault = plan_of_pool(Layout, O, S::value).fault;
  // Values of their own: of a comparison the compiler would print the numbers.
  constexpr bool are_letters = fault != pool_fault::letters;
  constexpr bool has_roles = fault != pool_fault::roles;
  constexpr bool has_spatial = fault != pool_fault::spatial;
  constexpr bool has_rank = fault != pool_fault::rank;
  constexpr bool has_numbers = fault != pool_fault::named;
  constexpr bool one_each = fault != pool_fault::numbers;
  constexpr bool has_window = fault != pool_fault::window;
  static_assert(are_letters, "weft: pool: a layout is letters, each once; write \"NHWC\"");
  static_assert(has_roles,
                "weft: pool: N, C and F are not pooled; I, O, n and c are no letters of a "
                "layout; write \"NHWC\"");
  static_assert(has_spatial, "weft: pool: a layout has 1 to 4 letters besides N, C and F");
  static_assert(has_rank,
                "weft: pool: the layout has another number of letters than the array has axes");
  static_assert(has_numbers, "weft: pool: windows run along numbers; this spatial axis has a name");
  static_assert(one_each, "weft: pool: give one number for all spatial axes, or one for each");
  static_assert(has_window,
                "weft: pool: sizes, strides and dilations are at least 1; write .size = 2");
  return fault == pool_fault::sound;
}

// ---- windows along a list of axes
struct window_plan {
  int count = 0;
  bool numbers = true, positive = true, named = false, fits = true;
  extent list[4 * max_rank]{}; // the attributes of `window`
  extents result;

  constexpr view<extent> attributes() const { return {list, 4 * count}; }
  constexpr bool sound() const { return numbers && positive && !named && fits; }
};
// `axes`: as the array has them, from 0; `sizes`: of these, in order.
constexpr window_plan plan_of_windows(extents const& s, extents const& axes, extents const& sizes,
                                      window_options const& o) {
  window_plan p;
  p.count = axes.rank;
  p.numbers = o.strides.is_for(p.count) && o.dilation.is_for(p.count);
  for (int w = 0; p.numbers && w < p.count; ++w) {
    extent const numbers[] = {axes[w], sizes[w], o.strides[w], o.dilation[w]};
    for (int k = 0; k < 4; ++k) p.list[k * p.count + w] = numbers[k];
    p.positive = p.positive && numbers[1] > 0 && numbers[2] > 0 && numbers[3] > 0;
    p.named = p.named || is_named(s[static_cast<int>(axes[w])]);
  }
  p.result = s;
  return p;
}
constexpr window_plan plan_of_sliding(extents const& s, extents const& axes,
                                      window_options const& o) {
  extents sizes;
  for (int w = 0; w < axes.rank; ++w) sizes.push(w < most_spatial_axes ? o.size[w] : 0);
  window_plan p = plan_of_windows(s, axes, sizes, o);
  p.numbers = p.numbers && o.size.is_for(axes.rank) && axes.rank >= 1 &&
              axes.rank <= most_spatial_axes;
  p.fits = s.rank + axes.rank <= max_rank;
  if (p.sound()) p.result = windowed(s, window_list(p.attributes()));
  return p;
}
// The array that windows of shape s came from, if the last ones' end is its own.
constexpr window_plan plan_of_overlap(extents const& s, extents const& axes,
                                      window_options const& o) {
  window_plan p;
  int const rank = s.rank - axes.rank;
  extents whole, sizes;
  for (int i = 0; i < s.rank; ++i) (i < rank ? whole : sizes).push(s[i]);
  p.numbers = axes.rank >= 1 && axes.rank <= most_spatial_axes;
  for (int w = 0; w < axes.rank; ++w) p.fits = p.fits && axes[w] < rank;
  if (!p.sound()) return p;
  p = plan_of_windows(whole, axes, sizes, o);
  bool const given = o.size.count != 0 || o.size.value[0] != 0;
  p.numbers = p.numbers && (!given || o.size.is_for(p.count));
  for (int w = 0; p.sound() && w < p.count; ++w) {
    if (given) p.fits = p.fits && o.size[w] == sizes[w];
    extent& e = p.result[static_cast<int>(axes[w])];
    e = e == 0 ? 0 : (e - 1) * o.strides[w] + dilated(sizes[w], o.dilation[w]);
  }
  return p;
}

} // namespace detail
} // namespace weft::inline v0
