// SPDX-License-Identifier: BSL-1.0
// Types of vmap: what one example sees of an argument, what all examples give of a result, and the
// checks of axes.
//   without_axis_type<X, A>   every leaf without axis A (arrays of keys: of the keys' axes)
//   with_axis_type<X, E, A>   every leaf with an axis of extent E at A
// Needs: structure.hpp. Structs of arrays have a leading axis only (stacked<S, n>), so A is 0 there.
// Leaves: one error per mistaken call.
#pragma once

#include <weft/lang/structure.hpp>

namespace weft::inline v0 {
namespace detail {

inline constexpr int not_mapped = -0x7fffffff;
template <class Axis> constexpr int axis_number([[maybe_unused]] Axis axis) {
  if constexpr (std::is_same_v<Axis, int>) return axis;
  else return std::is_same_v<Axis, none_t> ? not_mapped : 0;
}
// The keys' axes of an array of keys, all axes of another.
template <class L> inline constexpr int axes_of_leaf = L::rank;
// Axis `axis` of a leaf counted from the front, also if it has none of that number.
template <class L> consteval int leaf_axis(int axis) { return plain_axis(axis, axes_of_leaf<L>); }
template <class L> consteval bool has_this_axis(int axis) {
  return leaf_axis<L>(axis) >= 0 && leaf_axis<L>(axis) < axes_of_leaf<L>;
}

consteval extents without_one(extents const& s, int axis) {
  return without_axes(s, extent{1} << axis);
}
consteval extents with_one(extents const& s, int axis, extent e) {
  extents r;
  for (int i = 0; i <= s.rank; ++i) {
    if (i == axis) r.push(e);
    if (i < s.rank) r.push(s[i]);
  }
  return r;
}

template <extents S, class I> struct keys_shaped;
template <extents S, int... I> struct keys_shaped<S, std::integer_sequence<int, I...>> {
  using type = traced_key<extent_argument_of<S[I]>...>; // S ends with the two words
};
// A leaf of the same kind with another shape.
template <class L, extents S> struct reshaped_leaf {
  using type = traced_of<typename L::element_type, S>;
};
template <auto... E, extents S> struct reshaped_leaf<traced_key<E...>, S> {
  using type = typename keys_shaped<S, std::make_integer_sequence<int, S.rank - 1>>::type;
};
template <class L, int Axis> struct leaf_without {
  using type =
      typename reshaped_leaf<L, without_one(L::shape_type::value, leaf_axis<L>(Axis))>::type;
};
template <class L, extent E, int Axis> struct leaf_with {
  static constexpr int axis = Axis < 0 ? Axis + axes_of_leaf<L> + 1 : Axis;
  using type = typename reshaped_leaf<L, with_one(L::shape_type::value, axis, E)>::type;
};

// Every leaf of a structure replaced: Leaf<L>::type. Structs of arrays: Struct<S>::type.
template <class X, template <class> class Leaf, template <class> class Struct>
struct replaced_leaves : Struct<X> {};
template <class X, template <class> class Leaf, template <class> class Struct>
  requires traced_leaf<X>
struct replaced_leaves<X, Leaf, Struct> : Leaf<X> {};
template <template <class> class Leaf, template <class> class Struct>
struct replaced_leaves<none_t, Leaf, Struct> {
  using type = none_t;
};
template <class X, std::size_t N, template <class> class Leaf, template <class> class Struct>
struct replaced_leaves<std::array<X, N>, Leaf, Struct> {
  using type = std::array<typename replaced_leaves<X, Leaf, Struct>::type, N>;
};
template <class X, class Y, template <class> class Leaf, template <class> class Struct>
struct replaced_leaves<std::pair<X, Y>, Leaf, Struct> {
  using type = std::pair<typename replaced_leaves<X, Leaf, Struct>::type,
                         typename replaced_leaves<Y, Leaf, Struct>::type>;
};
template <class... X, template <class> class Leaf, template <class> class Struct>
struct replaced_leaves<std::tuple<X...>, Leaf, Struct> {
  using type = std::tuple<typename replaced_leaves<X, Leaf, Struct>::type...>;
};

// Structs of arrays are mapped along axis 0 (check_mapped, check_out).
template <int Axis> struct without_axis_of {
  template <class L> using leaf = leaf_without<L, Axis>;
  template <class S> struct of_struct {
    using type = slice_of<S>;
  };
};
template <extent E, int Axis> struct with_axis_of {
  template <class L> using leaf = leaf_with<L, E, Axis>;
  template <class S> struct of_struct {
    using type = stacked_type<S, extent_argument_of<E>>;
  };
};
template <class X> inline constexpr bool has_struct = !traced_leaf<X>;
template <> inline constexpr bool has_struct<none_t> = false;
template <class X, std::size_t N>
inline constexpr bool has_struct<std::array<X, N>> = has_struct<X>;
template <class X, class Y>
inline constexpr bool has_struct<std::pair<X, Y>> = has_struct<X> || has_struct<Y>;
template <class... X> inline constexpr bool has_struct<std::tuple<X...>> = (has_struct<X> || ...);

} // namespace detail

template <class X, int Axis>
using without_axis_type =
    typename detail::replaced_leaves<X, detail::without_axis_of<Axis>::template leaf,
                                     detail::without_axis_of<Axis>::template of_struct>::type;
template <class X, extent E, int Axis>
using with_axis_type =
    typename detail::replaced_leaves<X, detail::with_axis_of<E, Axis>::template leaf,
                                     detail::with_axis_of<E, Axis>::template of_struct>::type;

namespace detail {

// ---- checks
// A leaf with the axis that it is mapped along; `none` of the others.
template <class L, int Axis> struct mapped_leaf {
  using leaf = L;
  static constexpr int axis = Axis;
};
template <int Axis, class... L> consteval auto mapped_leaves(type_list<L...>) {
  if constexpr (Axis == not_mapped) return type_list<>{};
  else return type_list<mapped_leaf<L, Axis>...>{};
}
template <class M>
using mapped_extent =
    shape_of_value<extents{1, {M::leaf::shape_type::value[leaf_axis<typename M::leaf>(M::axis)]}}>;

template <class Leaf, int Axis> concept leaf_has_axis = has_this_axis<Leaf>(Axis);
template <class Axis, class Other>
concept extents_of_examples_agree = Axis::value[0] == Other::value[0];
// Of mapped leaves: the first that lacks its axis; the extent of the first; the first that differs
// from it. Else the first.
template <class M, class... More> consteval auto leaf_without_axis(type_list<M, More...>) {
  return (choice<M, !has_this_axis<typename M::leaf>(M::axis)>{} | ... |
          choice<More, !has_this_axis<typename More::leaf>(More::axis)>{});
}
template <class M, class... More> mapped_extent<M> first_extent(type_list<M, More...>);
template <class M, class... More> consteval auto other_extent(type_list<M, More...>) {
  using first = mapped_extent<M>;
  return (choice<first, false>{} | ... |
          choice<mapped_extent<More>, !extents_of_examples_agree<first, mapped_extent<More>>>{});
}
template <class Leaves> concept an_array_is_mapped = Leaves::size > 0;
template <class Mapped, bool Whole> consteval bool check_mapped() {
  constexpr bool some = an_array_is_mapped<Mapped>;
  static_assert(some, "weft: vmap: no array is mapped; give one argument an axis");
  static_assert(
      Whole, "weft: vmap: a struct of arrays is mapped along axis 0 only; write 0, and stack it");
  if constexpr (!some || !Whole) return false;
  else {
    using worst = typename decltype(leaf_without_axis(Mapped{}))::type;
    constexpr bool there = leaf_has_axis<typename worst::leaf, worst::axis>;
    static_assert(there,
                  "weft: vmap: an array lacks the axis to map along; write none for that argument; "
                  "keys are split_keys<n>(key)");
    if constexpr (!there) return false;
    else {
      using first = decltype(first_extent(Mapped{}));
      using other = typename decltype(other_extent(Mapped{}))::type;
      constexpr bool agree = extents_of_examples_agree<first, other>;
      static_assert(agree, "weft: vmap: the mapped axes differ in their extents");
      return agree;
    }
  }
}
template <class... L> consteval bool results_have_room(type_list<L...>) {
  return ((L::shape_type::rank < max_rank) && ...);
}
template <int Out, class... L> consteval bool have_out_axis(type_list<L...>) {
  return ((Out >= -axes_of_leaf<L> - 1 && Out <= axes_of_leaf<L>)&&...);
}
template <int Out, class R> consteval bool check_out() {
  constexpr bool room = results_have_room(leaves_of<R>{});
  static_assert(room, "weft: vmap: a result has 8 axes, and examples need one; use scan");
  constexpr bool placed = have_out_axis<Out>(leaves_of<R>{});
  static_assert(placed, "weft: vmap: a result has no place for axis `out`; choose a smaller one");
  constexpr bool whole = Out == 0 || !has_struct<R>;
  static_assert(whole,
                "weft: vmap: a struct of arrays comes out along axis 0 only; leave the axis out");
  return room && placed && whole;
}

} // namespace detail
} // namespace weft::inline v0
