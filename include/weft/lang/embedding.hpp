// SPDX-License-Identifier: BSL-1.0
// Layers that only choose or halve, at both doors: embedding, glu.
//   auto e = embedding(table, ids); // (words, features), int ids (batch, time):
//                                   // (batch, time, features)
//   auto y = glu(x);                  // (..., 2 n) -> (..., n)
//   auto z = glu<0, half>(u);         // (n, ...) -> (half, ...), of a named axis
// Needs: indexing.hpp, joining.hpp and their forms for tensors.
#pragma once

#include <weft/lang/both_doors.hpp>
#include <weft/lang/expression_indexing.hpp>
#include <weft/lang/expression_movement.hpp>
#include <weft/lang/leaf_arithmetic.hpp>

namespace weft::inline v0 {
namespace detail {

struct embedding_call : plain_call {
  constexpr auto operator()(auto const& table, auto const& ids) const {
    return weft::take<0>(table, ids);
  }
};
template <class A, int Axis> consteval bool halves_exist() {
  constexpr extents s = shape_of_operand<A>::value;
  constexpr int axis = Axis < 0 ? Axis + s.rank : Axis;
  if constexpr (axis < 0 || axis >= s.rank) return true; // split says it
  else return !is_named(s[axis]) && s[axis] % 2 == 0;
}
template <int Axis, auto... Half> struct glu_call : plain_call {
  template <class X> constexpr auto operator()(X const& x) const {
    constexpr bool halves = sizeof...(Half) > 0 || halves_exist<X, Axis>();
    static_assert(halves, "weft: glu: the axis has no two halves; write an even number "
                          "of elements, or of a named axis the halves' name: glu<0, half>(x)");
    if constexpr (halves) {
      auto const parts = weft::split<2, Axis, Half...>(x);
      return rounded_once([](auto const& a, auto const& b) { return a * sigmoid(b); }, parts[0],
                          parts[1]);
    } else return x;
  }
};

} // namespace detail

// Rows of a table at int ids of any shape, as take<0>: negative ids count from the end, ids outside
// read the nearest row. The gradient of the table is what scatter_add makes of zeros: every id adds
// to the row that it read, in the order of the ids.
template <class Table, class Ids>
  requires(traced_call<Table, Ids> || immediate_call<Table, Ids>)
constexpr auto embedding(Table const& table, Ids const& ids) {
  return detail::now_at_door<detail::embedding_call>(table, ids);
}
// The first half along an axis times the sigmoid of the second (Dauphin et al. 2017).
template <int Axis = -1, any_array X> constexpr auto glu(X const& x) {
  return detail::now_at_door<detail::glu_call<Axis>>(x);
}
// The same along a named axis, whose half takes a name. The run checks that there are two.
template <int Axis, sym Half, any_array X> constexpr auto glu(X const& x) {
  return detail::now_at_door<detail::glu_call<Axis, Half>>(x);
}

} // namespace weft::inline v0
