// SPDX-License-Identifier: BSL-1.0
// Collectives: what the ranks of a mesh give each other in a function that all of them run. Without
// names of mesh axes they go over the whole mesh; with names, over groups of ranks that differ along
// these only. A group's order is that of the names: <m, "data", "model"> counts "model" fastest.
//   all_reduce<m, "data">(x)                 the sum; <..., combine::mean>: product min max bit_and ...
//   all_gather<m, "data", 0>(x)              parts one after the other along axis 0 of the array
//   reduce_scatter<m, "data", 0>(x)          this rank's part of the sum; a combine as above
//   all_to_all<m, "data", 0, 1>(x)           axis 0 is shared out, what comes is joined along axis 1
//   broadcast<m, "data", 2>(x)               the value of place 2 (0 if it is not said)
//   permute<m, "data", 1>(x)                 the value of the place before; 1 is how far values go
//   permute<m, "data", sends{0, 1}>(x)       only these; who gets nothing has zeros
//   axis_index<m, "data">()                  this rank's place, an int of rank 0
// all_reduce, broadcast and permute take structs of arrays, too (gradients).
// Shapes: static extents are checked here. A named one that is joined or shared out takes the name
// of the result's: all_gather<m, "data", 0, whole>(x), all_to_all<m, "data", 0, 1, part, whole>(x).
// Numbers: combined in the order of the group, in the accumulation type, rounded once; the mean
// divides there, also where a group is one rank. Derivatives: of all ranks' results together.
// Outside of a trace (tensors): of a mesh of one rank. Errors: words, names and extents as above.
#pragma once

// First what errors are found in: compilers print every include on the way there.
// clang-format off
#include <weft/lang/mesh.hpp>
#include <weft/lang/mesh_words.hpp>
#include <weft/lang/collective_rules.hpp>
#include <weft/lang/collective_calls.hpp>
// clang-format on
#include <weft/lang/call.hpp>
#include <weft/lang/expression_elementwise.hpp>

namespace weft::inline v0 {
namespace detail {

// At the door of tensors.
template <class M> consteval bool check_alone() {
  constexpr bool alone = M::ranks == 1;
  static_assert(alone,
                "weft: a tensor is one rank's, and the mesh has others; call collectives in a "
                "function, and run that on all ranks");
  return alone;
}
// One array; keys where values are only sent.
template <class X, class Call>
concept array_to_exchange = any_array<X> || (traced_random_key<X> && Call::takes_keys);
template <class Call, class... L> consteval bool all_to_exchange(type_list<L...>) {
  return sizeof...(L) > 0 && (array_to_exchange<L, Call> && ...);
}
template <class X, class Call> consteval bool has_arrays_to_exchange() {
  if constexpr (array_to_exchange<X, Call>) return true;
  else if constexpr (is_structure<X>()) return all_to_exchange<Call>(leaves_of<X>{});
  else return false;
}
template <class X, class Call> concept arrays_to_exchange = has_arrays_to_exchange<X, Call>();

// (Each calls Call itself: errors in it are then a step nearer.)
template <class Call, class M, class X> constexpr auto exchange_tensor(X const& x) {
  if constexpr (check_alone<M>()) return now<Call>(x);
  else return eval(x);
}
template <class Call, class M, class X> constexpr auto exchange_arrays(X const& x) {
  constexpr bool arrays = arrays_to_exchange<X, Call>;
  static_assert(arrays, "weft: a collective takes an array, or a struct of arrays");
  if constexpr (!arrays) return x;
  else if constexpr (traced_leaf<X>) return Call{}(x);
  else if constexpr (array_value<X>) return exchange_tensor<Call, M>(x);
  else return map_leaves([](auto const& leaf) { return exchange_arrays<Call, M>(leaf); }, x);
}
// Where the result has other extents.
template <class Call, class M, class X> constexpr auto exchange_one(X const& x) {
  constexpr bool array = any_array<X>;
  static_assert(array, "weft: this collective takes one array; call it for each of a struct");
  if constexpr (!array) return x;
  else if constexpr (traced_leaf<X>) return Call{}(x);
  else return exchange_tensor<Call, M>(x);
}
template <auto Mesh> using mesh_of = std::remove_cv_t<decltype(Mesh)>;

// The place along axis k, times the sizes of those behind it.
template <auto Along, int K> constexpr auto part_of_place() {
  constexpr mesh_axis a = Along.d[K];
  made<std::int32_t> const place(maker::place, a.divisor, a.size, Along.ranks);
  constexpr extent step = [] {
    extent n = 1;
    for (int k = K + 1; k < Along.count; ++k) n *= Along.d[k].size;
    return n;
  }();
  if constexpr (step == 1) return place;
  else return place * static_cast<int>(step);
}
template <auto Along, int... K> constexpr auto place_along(std::integer_sequence<int, K...>) {
  if constexpr (sizeof...(K) == 0) return weft::zeros<std::int32_t>();
  else return (part_of_place<Along, K>() + ...);
}

} // namespace detail

template <auto Mesh, detail::mesh_word... W, class X> constexpr auto all_reduce(X const& x) {
  using M = detail::mesh_of<Mesh>;
  constexpr bool fit =
      detail::words_wanted<detail::mesh_words<W...>, detail::words_taken{.combine = true}>;
  static_assert(fit, "weft: all_reduce: the mesh, names of its axes and one combine are wanted: "
                     "all_reduce<m, \"data\", combine::max>(x)");
  if constexpr (!fit) return x;
  else if constexpr (!detail::check_axis_words<M, W...>()) return x;
  else return detail::exchange_arrays<detail::all_reduce_call<M, W...>, M>(x);
}
template <auto Mesh, detail::mesh_word... W, class X> constexpr auto all_gather(X const& x) {
  using M = detail::mesh_of<Mesh>;
  constexpr bool fit = detail::words_wanted<
      detail::mesh_words<W...>,
      detail::words_taken{.least_numbers = 1, .most_numbers = 1, .extent_names = true}>;
  static_assert(fit, "weft: all_gather: the mesh, names of its axes and an axis of the array are "
                     "wanted: all_gather<m, \"data\", 0>(x)");
  if constexpr (!fit) return x;
  else if constexpr (!detail::check_axis_words<M, W...>()) return x;
  else return detail::exchange_one<detail::all_gather_call<M, W...>, M>(x);
}
template <auto Mesh, detail::mesh_word... W, class X> constexpr auto reduce_scatter(X const& x) {
  using M = detail::mesh_of<Mesh>;
  constexpr bool fit =
      detail::words_wanted<detail::mesh_words<W...>, detail::words_taken{.least_numbers = 1,
                                                                         .most_numbers = 1,
                                                                         .combine = true,
                                                                         .extent_names = true}>;
  static_assert(fit,
                "weft: reduce_scatter: the mesh, names of its axes, an axis of the array and one "
                "combine are wanted: reduce_scatter<m, \"data\", 0>(x)");
  if constexpr (!fit) return x;
  else if constexpr (!detail::check_axis_words<M, W...>()) return x;
  else return detail::exchange_one<detail::reduce_scatter_call<M, W...>, M>(x);
}
template <auto Mesh, detail::mesh_word... W, class X> constexpr auto all_to_all(X const& x) {
  using M = detail::mesh_of<Mesh>;
  constexpr bool fit = detail::words_wanted<
      detail::mesh_words<W...>,
      detail::words_taken{.least_numbers = 2, .most_numbers = 2, .extent_names = true}>;
  static_assert(fit, "weft: all_to_all: the mesh, names of its axes and two axes of the array are "
                     "wanted, shared out and joined: all_to_all<m, \"data\", 0, 1>(x)");
  if constexpr (!fit) return x;
  else if constexpr (!detail::check_axis_words<M, W...>()) return x;
  else return detail::exchange_one<detail::all_to_all_call<M, W...>, M>(x);
}
template <auto Mesh, detail::mesh_word... W, class X> constexpr auto broadcast(X const& x) {
  using M = detail::mesh_of<Mesh>;
  constexpr bool fit =
      detail::words_wanted<detail::mesh_words<W...>, detail::words_taken{.most_numbers = 1}>;
  static_assert(fit, "weft: broadcast: the mesh, names of its axes and a root are wanted: "
                     "broadcast<m, \"data\", 0>(x)");
  if constexpr (!fit) return x;
  else if constexpr (!detail::check_axis_words<M, W...>()) return x;
  else return detail::exchange_arrays<detail::broadcast_call<M, W...>, M>(x);
}
template <auto Mesh, detail::mesh_word... W, class X> constexpr auto permute(X const& x) {
  using M = detail::mesh_of<Mesh>;
  constexpr bool pairs = detail::mesh_words<W...>::count(detail::word_kind::sends) > 0;
  constexpr bool fit = detail::words_wanted<detail::mesh_words<W...>,
                                            detail::words_taken{.least_numbers = pairs ? 0 : 1,
                                                                .most_numbers = pairs ? 0 : 1,
                                                                .sends = true}>;
  static_assert(fit,
                "weft: permute: the mesh, names of its axes and a shift, or pairs, are wanted: "
                "permute<m, \"data\", 1>(x), permute<m, \"data\", sends{0, 1}>(x)");
  if constexpr (!fit) return x;
  else if constexpr (!detail::check_axis_words<M, W...>()) return x;
  else return detail::exchange_arrays<detail::permute_call<M, W...>, M>(x);
}

// This rank's place along the axes of these names (of all), counted from 0: a maker of rank 0, int.
template <auto Mesh, detail::mesh_word... W> constexpr auto axis_index() {
  using M = detail::mesh_of<Mesh>;
  constexpr bool fit = detail::words_wanted<detail::mesh_words<W...>, detail::words_taken{}>;
  static_assert(fit, "weft: axis_index: the mesh and names of its axes are wanted: "
                     "axis_index<m, \"data\">()");
  if constexpr (!fit) return weft::zeros<std::int32_t>();
  else if constexpr (!detail::check_axis_words<M, W...>()) return weft::zeros<std::int32_t>();
  else {
    constexpr mesh_axes along = detail::request_of<M, W...>().along;
    return detail::place_along<along>(std::make_integer_sequence<int, along.count>{});
  }
}

} // namespace weft::inline v0
