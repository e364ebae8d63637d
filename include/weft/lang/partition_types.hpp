// SPDX-License-Identifier: BSL-1.0
// Types of partition: specifications of arguments and results, whole arrays by their parts and parts by
// their wholes, and the checks of both.
//   global_type<X, M, Spec>   every leaf as f sees it        part_of_result<R, M, Out>   as a rank gets it
// Needs: lang/sharding.hpp, lang/mesh.hpp. Structs of arrays have their extents in their types.
// Leaves: one error per mistaken call.
#pragma once

#include <weft/lang/mesh.hpp>
#include <weft/lang/sharding.hpp>
#include <weft/lang/vmap_types.hpp>

namespace weft::inline v0 {

template <auto... Spec> struct in_parts_type {
  static constexpr int count = sizeof...(Spec);
};
template <auto... Spec> struct out_parts_type {
  static constexpr int count = sizeof...(Spec);
};
template <auto... Spec> inline constexpr in_parts_type<Spec...> in_parts{};
template <auto... Spec> inline constexpr out_parts_type<Spec...> out_parts{};

namespace detail {

template <auto X> using type_of_value = std::remove_cv_t<decltype(X)>;
template <class S> inline constexpr bool is_split_spec = false;
template <shard_word... W> inline constexpr bool is_split_spec<split_over_type<W...>> = true;
template <class L> inline constexpr bool is_in_parts = false;
template <auto... S>
inline constexpr bool is_in_parts<in_parts_type<S...>> = (is_split_spec<type_of_value<S>> && ...);
template <class L> inline constexpr bool is_out_parts = false;
template <auto... S>
inline constexpr bool is_out_parts<out_parts_type<S...>> = (is_split_spec<type_of_value<S>> && ...);

// Specification k of a list; of a list of one, that.
template <int K, class List> struct spec_at;
template <int K, template <auto...> class List, auto First, auto... More>
struct spec_at<K, List<First, More...>> : spec_at<K - 1, List<More...>> {};
template <template <auto...> class List, auto First, auto... More>
struct spec_at<0, List<First, More...>> {
  using type = type_of_value<First>;
};
template <int K, class List> using spec_of = typename spec_at<List::count == 1 ? 0 : K, List>::type;

// What a specification means for this mesh. Needs: names that it has.
template <class Spec> constexpr sharding sharding_on(mesh_axes const& mesh) {
  read_sharding r;
  Spec::each_name([&](int axis, text name) { r.add(axis, axis_of_mesh(name, 1), mesh); });
  return r.of;
}
template <class Spec, class M> consteval bool names_are_of() {
  bool all = true;
  Spec::each_name([&all](int, text name) { all = all && M::axes.place_of(name) >= 0; });
  return all;
}
template <class Spec, class M> concept splits_over_axes_of = names_are_of<Spec, M>();

// A leaf by its part, and the part of a leaf.
template <class M, class Spec> consteval extents whole_shape(extents s) {
  for (int axis = 0; axis < s.rank; ++axis)
    if (!is_named(s[axis])) s[axis] *= weft::parts_of(sharding_on<Spec>(M::axes), axis, M::axes);
  return s;
}
template <class M, class Spec> consteval extents part_shape(extents s) {
  for (int axis = 0; axis < s.rank; ++axis)
    if (!is_named(s[axis])) s[axis] /= weft::parts_of(sharding_on<Spec>(M::axes), axis, M::axes);
  return s;
}
template <class M, class Spec> struct whole_by_part {
  template <class L> struct leaf {
    using type = typename reshaped_leaf<L, whole_shape<M, Spec>(L::shape_type::value)>::type;
  };
  template <class S> struct of_struct {
    using type = S; // replicated
  };
};
template <class M, class Spec> struct part_by_whole {
  template <class L> struct leaf {
    using type = typename reshaped_leaf<L, part_shape<M, Spec>(L::shape_type::value)>::type;
  };
  template <class S> struct of_struct {
    using type = S;
  };
};
template <class X, class M, class Spec>
using global_type = typename replaced_leaves<X, whole_by_part<M, Spec>::template leaf,
                                             whole_by_part<M, Spec>::template of_struct>::type;
template <class X, class M, class Spec>
using local_type = typename replaced_leaves<X, part_by_whole<M, Spec>::template leaf,
                                            part_by_whole<M, Spec>::template of_struct>::type;

// Results: a specification for all, or one per element.
template <class R, class M, class Out, class I> struct result_parts;
template <class R, class M, class Out, int... I>
struct result_parts<R, M, Out, std::integer_sequence<int, I...>> {
  using type = local_type<R, M, spec_of<0, Out>>;
};
template <class A, class B, class M, auto... S>
  requires(sizeof...(S) == 2)
struct result_parts<std::pair<A, B>, M, out_parts_type<S...>, std::integer_sequence<int, 0, 1>> {
  using Out = out_parts_type<S...>;
  using type = std::pair<local_type<A, M, spec_of<0, Out>>, local_type<B, M, spec_of<1, Out>>>;
};
template <class... A, class M, auto... S, int... I>
  requires(sizeof...(S) == sizeof...(A) && sizeof...(S) > 1)
struct result_parts<std::tuple<A...>, M, out_parts_type<S...>, std::integer_sequence<int, I...>> {
  using type = std::tuple<local_type<A, M, spec_of<I, out_parts_type<S...>>>...>;
};
template <class R, class M, class Out>
using part_of_result =
    typename result_parts<R, M, Out, std::make_integer_sequence<int, Out::count>>::type;

// ---- checks
template <class Out, int Elements>
concept one_spec_per_result = Out::count == 1 || Out::count == Elements;
template <class In, int Arguments> concept one_spec_per_argument = In::count == Arguments;
template <class R> inline constexpr int elements_of_result = 1;
template <class A, class B> inline constexpr int elements_of_result<std::pair<A, B>> = 2;
template <class... A> inline constexpr int elements_of_result<std::tuple<A...>> = sizeof...(A);

template <class Leaf, class Parts>
concept has_equal_parts = [] {
  for (int i = 0; i < Leaf::shape_type::value.rank; ++i) {
    extent const n = Leaf::shape_type::value[i], parts = Parts::value[i];
    if (parts != 1 && (is_named(n) || n % parts != 0)) return false;
  }
  return true;
}();
// Into how many parts each axis is split.
template <class Spec, class M, int Rank> consteval extents parts_per_axis() {
  extents s;
  for (int axis = 0; axis < Rank; ++axis)
    s.push(weft::parts_of(sharding_on<Spec>(M::axes), axis, M::axes));
  return s;
}
template <class Spec, class M, class L>
using parts_of_leaf = shape_of_value<parts_per_axis<Spec, M, L::shape_type::value.rank>()>;
template <class Spec, class M, class L, class... More>
consteval auto uneven_leaf(type_list<L, More...>) {
  return (choice<L, !has_equal_parts<L, parts_of_leaf<Spec, M, L>>>{} | ... |
          choice<More, !has_equal_parts<More, parts_of_leaf<Spec, M, More>>>{});
}
template <class Spec, class M> consteval bool check_spec() {
  constexpr bool known = splits_over_axes_of<Spec, M>;
  static_assert(known, "weft: partition: the mesh has no axis of this name");
  return known;
}
template <shard_word... W> consteval bool check_words(split_over_type<W...>) {
  return check_shard_words<W...>();
}
template <class Spec, class M> std::type_identity<traced<float>> uneven_leaf(type_list<>);

// The specifications of a list, where partition is named.
template <class M, template <auto...> class List, auto... S>
consteval bool check_specs(List<S...>) {
  if constexpr (!(check_words(S) && ...)) return false;
  else return (check_spec<type_of_value<S>, M>() && ...);
}
// Of an argument, X as it comes or as it goes.
template <class Spec, class M, class X> consteval bool check_local_parts() {
  if constexpr (!check_shard_axes<Spec, X>()) return false;
  else {
    constexpr bool alone = leaves_of<X>::size == 0 || !has_struct<X> ||
                           sharding_on<Spec>(M::axes).whole();
    static_assert(alone, "weft: partition: a struct has the extents of its arrays in its type; "
                         "write replicated, or pass arrays");
    return alone;
  }
}
// Of a result, as f gives it; errors show the leaf and its parts.
template <class R, class Out, int K> struct result_element {
  using type = R;
};
template <class R, class Out, int K>
  requires(Out::count > 1)
struct result_element<R, Out, K> : std::tuple_element<K, R> {};
template <class Spec, class M, class X,
          class Leaf = typename decltype(uneven_leaf<Spec, M>(leaves_of<X>{}))::type,
          class Parts = parts_of_leaf<Spec, M, Leaf>>
consteval bool check_result_parts() {
  if constexpr (!check_local_parts<Spec, M, X>()) return false;
  else {
    constexpr bool even = has_equal_parts<Leaf, Parts>;
    static_assert(even, "weft: partition: an extent of a result is no multiple of its parts; pad "
                        "it, or split another axis");
    return even;
  }
}

} // namespace detail
} // namespace weft::inline v0
