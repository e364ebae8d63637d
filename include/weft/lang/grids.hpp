// SPDX-License-Identifier: BSL-1.0
// What depends on where an element stands: tril, triu, meshgrid.
//   tril(x)   triu<1>(x)   meshgrid(x, y)   meshgrid<indexing::ij>(x, y, z)
// Needs: movement.hpp. Leaves: tril and triu are elementwise, meshgrid gives views.
#pragma once

#include <weft/lang/movement.hpp>

#include <array>

namespace weft::inline v0 {

// Whether the first array runs along the second axis (xy, as in plots) or along the first (ij).
enum class indexing : std::uint8_t { xy, ij };

namespace detail {

// x where column - row <= k (lower) or >= k, else 0, in the last two axes.
constexpr handle triangle(handle x, extent k, bool lower) {
  extents const& s = x.shape();
  recorder& r = *x.where;
  extents const last{2, {s[s.rank - 2], s[s.rank - 1]}};
  handle row = iota(r, dtype::i32, last, 0), column = iota(r, dtype::i32, last, 1);
  constexpr extent most = 1 << 30; // so that no sum overflows; axes are shorter
  k = k > most ? most : k < -most ? -most : k;
  if (k != 0) row = row + constant(r, static_cast<double>(k), dtype::i32, last);
  handle inside = compare(lower ? op::less_equal : op::greater_equal, column, row);
  return select(broadcast_to(inside, x.shape()), x, constant(r, 0, x.type(), x.shape()));
}
template <class S> concept matrices = S::rank >= 2;

// The axis of array i of n, and the grid of all.
constexpr int grid_axis(int i, indexing how) { return how == indexing::xy && i < 2 ? 1 - i : i; }
template <indexing How, class... S> consteval extents grid_shape() {
  extent const lengths[] = {S::value[0]...};
  constexpr int n = sizeof...(S);
  extents r;
  for (int i = 0; i < n; ++i) r.push(lengths[n == 1 ? 0 : grid_axis(i, How)]);
  return r;
}
constexpr handle along_grid(handle x, extents const& grid, int axis) {
  extent const map[] = {axis};
  return broadcast(x, grid, {map, 1});
}
template <class... S> concept lines = ((S::rank == 1) && ...);

} // namespace detail

// The lower triangle of the last two axes, 0 above diagonal K; the diagonals above the main one
// have positive numbers.
template <int K = 0, traced_array A> constexpr A tril(A const& a) {
  static_assert(detail::matrices<typename A::shape_type>, "weft: tril: fewer than two axes");
  if constexpr (detail::matrices<typename A::shape_type>)
    return A{detail::triangle(a.value, K, true)};
  else return a;
}
// The upper triangle, 0 below diagonal K.
template <int K = 0, traced_array A> constexpr A triu(A const& a) {
  static_assert(detail::matrices<typename A::shape_type>, "weft: triu: fewer than two axes");
  if constexpr (detail::matrices<typename A::shape_type>)
    return A{detail::triangle(a.value, K, false)};
  else return a;
}

// Arrays of rank 1 spread over the grid of all of them, a std::array: meshgrid(x, y) of (3) and (2)
// gives two (2, 3), with indexing::ij two (3, 2).
template <indexing How = indexing::xy, class A, class... B>
  requires traced_call<A, B...>
constexpr auto meshgrid(A const& a, B const&... b) {
  using T = detail::common_element<A, B...>;
  constexpr int count = 1 + sizeof...(B);
  recorder& r = detail::recorder_of(a, b...);
  constexpr bool straight =
      detail::lines<detail::shape_of_operand<A>, detail::shape_of_operand<B>...>;
  static_assert(straight, "weft: meshgrid: an array has not one axis");
  static_assert(count <= max_rank, "weft: an array has at most 8 axes");
  if constexpr (straight && count <= max_rank && detail::check_elements<T, A, B...>()) {
    constexpr extents to =
        detail::grid_shape<How, detail::shape_of_operand<A>, detail::shape_of_operand<B>...>();
    handle all[] = {detail::node_of<T>(r, a, detail::shape_of_operand<A>::value),
                    detail::node_of<T>(r, b, detail::shape_of_operand<B>::value)...};
    std::array<traced_of<T, to>, count> grid;
    for (int i = 0; i < count; ++i)
      grid[static_cast<unsigned>(i)].value = detail::along_grid(
          all[i], to, count == 1 ? 0 : detail::grid_axis(i, How));
    return grid;
  } else return std::array{detail::as_traced(r, a)};
}

} // namespace weft::inline v0
