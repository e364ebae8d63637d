// SPDX-License-Identifier: BSL-1.0
// diagonal and trace of traced arrays.
//   diagonal(x)   diagonal<1>(x)   diagonal<0, -2, -1>(x)   trace(x)
// Needs: einsum_record.hpp, reductions.hpp. Leaves: where both extents are ints, a strided view.
#pragma once

#include <weft/graph/einsum_record.hpp>
#include <weft/lang/reductions.hpp>

namespace weft::inline v0 {
namespace detail {

// The elements (i, i + offset) of an n x m array.
struct diagonal_range {
  extent start = 0, length = 0;
};
constexpr diagonal_range diagonal_of(extent n, extent m, extent offset) {
  extent const rows = offset < 0 ? n + offset : n, columns = offset > 0 ? m - offset : m;
  extent const length = rows < columns ? rows : columns;
  if (length <= 0) return {};
  return {offset < 0 ? -offset * m : offset, length};
}

constexpr extents diagonal_shape(extents const& s, int axis1, int axis2, extent offset) {
  extents r;
  for (int i = 0; i < s.rank; ++i)
    if (i != axis1 && i != axis2) r.push(s[i]);
  bool const named = is_named(s[axis1]);
  r.push(named ? s[axis1] : diagonal_of(s[axis1], s[axis2], offset).length);
  return r;
}
constexpr handle record_diagonal(handle x, int axis1, int axis2, extent offset) {
  extents const s = x.shape();
  extent order[max_rank]{};
  extents merged;
  for (int i = 0; i < s.rank; ++i)
    if (i != axis1 && i != axis2) {
      order[merged.rank] = i;
      merged.push(s[i]);
    }
  int const last = merged.rank;
  order[last] = axis1;
  order[last + 1] = axis2;
  handle const turned = transpose(x, {order, s.rank});
  if (is_named(s[axis1])) return masked_diagonal(turned, last);
  merged.push(s[axis1] * s[axis2]);
  diagonal_range const d = diagonal_of(s[axis1], s[axis2], offset);
  extent const stride = s[axis2] + 1;
  extent attributes[3 * max_rank]{};
  for (int i = 0; i <= last; ++i) {
    attributes[merged.rank + i] = merged[i];
    attributes[2 * merged.rank + i] = 1;
  }
  attributes[last] = d.start;
  attributes[merged.rank + last] = d.length == 0 ? 0 : d.start + (d.length - 1) * stride + 1;
  attributes[2 * merged.rank + last] = stride;
  return slice(reshape(turned, merged), {attributes, 3 * merged.rank});
}

template <class A, class B, int Offset>
concept has_diagonal = (!is_named(A::value[0]) && !is_named(B::value[0])) ||
                       (A::value == B::value && Offset == 0);
template <class S, int Offset, int Axis1, int Axis2> consteval bool check_diagonal() {
  if constexpr (check_axes<S, Axis1, Axis2>()) {
    using A = shape_of_value<extents{1, {S::value[plain_axis(Axis1, S::rank)]}}>;
    using B = shape_of_value<extents{1, {S::value[plain_axis(Axis2, S::rank)]}}>;
    static_assert(has_diagonal<A, B, Offset>,
                  "weft: diagonal: of named extents, a square's main diagonal only");
    return has_diagonal<A, B, Offset>;
  } else return false;
}

} // namespace detail

// The elements (i, i + Offset) of axes Axis1 and Axis2, as the last axis: diagonal(x) of (n, n) is
// (n). Offset may be negative or empty the diagonal; a named extent has the main diagonal only.
template <int Offset = 0, int Axis1 = 0, int Axis2 = 1, traced_array A>
constexpr auto diagonal(A const& a) {
  using S = typename A::shape_type;
  if constexpr (detail::check_diagonal<S, Offset, Axis1, Axis2>()) {
    constexpr int first = plain_axis(Axis1, S::rank), second = plain_axis(Axis2, S::rank);
    constexpr extents to = detail::diagonal_shape(S::value, first, second, Offset);
    return traced_of<typename A::element_type, to>{
        detail::record_diagonal(a.value, first, second, Offset)};
  } else return a;
}
// The sum of the diagonal; integers keep their type: trace(x) of (n, n) is a number.
template <int Offset = 0, int Axis1 = 0, int Axis2 = 1, traced_array A>
constexpr auto trace(A const& a) {
  return weft::sum<-1>(weft::diagonal<Offset, Axis1, Axis2>(a));
}

} // namespace weft::inline v0
