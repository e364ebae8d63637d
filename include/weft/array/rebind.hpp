// SPDX-License-Identifier: BSL-1.0
// Types of parameter structs. A struct of arrays is a template over its array template:
//   template <template <class, auto...> class array> struct layer { array<float, 4, 8> w; };
// rebind<layer<tensor>, traced> is layer<traced>; stacked<layer, 12> is one layer whose arrays have
// a leading extent 12; slice_of<that> is layer<tensor> again. Inside a struct of arrays write
// `stacked<layer, 12, array> blocks;`.
// Needs: the array template as first parameter, then values or types; or last, after at most two
// values or one type. Leaves: what is not understood stays as it is.
#pragma once

#include <weft/array/borrowed.hpp>

#include <array>

namespace weft::inline v0 {

// The open set of leaves: what a struct of arrays is made of. A new array template adds itself.
template <class X>
inline constexpr bool is_leaf = std::is_arithmetic_v<X> || std::is_same_v<X, bf16> ||
                                std::is_same_v<X, f16>;
template <class T, auto... E> inline constexpr bool is_leaf<tensor<T, E...>> = true;
template <class T, auto... E> inline constexpr bool is_leaf<borrowed<T, E...>> = true;

// An empty tree: no leaves.
struct none_t {
  friend constexpr bool operator==(none_t, none_t) = default;
};
inline constexpr none_t none{};

namespace detail {

// Array templates with leading extents: leading_array<tensor, 12>::of<float, 4> is
// tensor<float, 12, 4>. leading_array<A> without extents does not occur.
template <template <class, auto...> class A, auto... N> struct leading_array {
  template <class T, auto... E> using of = A<T, N..., E...>;
};

// A struct of arrays, opened: `with<A>` is the same struct over another array template, `probe` is
// array<float> of its own. A template is opaque, its specialisation is not.
template <class S> struct opened;
template <template <template <class, auto...> class> class S, template <class, auto...> class From>
struct opened<S<From>> {
  using probe = From<float>;
  template <template <class, auto...> class A> using with = S<A>;
};
template <template <template <class, auto...> class, auto...> class S,
          template <class, auto...> class From, auto... R>
  requires(sizeof...(R) > 0)
struct opened<S<From, R...>> {
  using probe = From<float>;
  template <template <class, auto...> class A> using with = S<A, R...>;
};
template <template <template <class, auto...> class, class...> class S,
          template <class, auto...> class From, class... R>
  requires(sizeof...(R) > 0)
struct opened<S<From, R...>> {
  using probe = From<float>;
  template <template <class, auto...> class A> using with = S<A, R...>;
};
template <template <auto, template <class, auto...> class> class S, auto N,
          template <class, auto...> class From>
struct opened<S<N, From>> {
  using probe = From<float>;
  template <template <class, auto...> class A> using with = S<N, A>;
};
template <template <auto, auto, template <class, auto...> class> class S, auto N, auto M,
          template <class, auto...> class From>
struct opened<S<N, M, From>> {
  using probe = From<float>;
  template <template <class, auto...> class A> using with = S<N, M, A>;
};
template <template <class, template <class, auto...> class> class S, class X,
          template <class, auto...> class From>
struct opened<S<X, From>> {
  using probe = From<float>;
  template <template <class, auto...> class A> using with = S<X, A>;
};
template <class S> concept struct_of_arrays = requires { typename opened<S>::probe; };

// The probe tells the plain array template and its leading extents.
template <class Probe> struct leading;
template <template <class, auto...> class A, auto... N> struct leading<A<float, N...>> {
  // The struct over To, with the same leading extents.
  template <class Opened, template <class, auto...> class To> static auto over() {
    if constexpr (sizeof...(N) == 0)
      return std::type_identity<typename Opened::template with<To>>{};
    else
      return std::type_identity<
          typename Opened::template with<leading_array<To, N...>::template of>>{};
  }
  // The struct over A without the first leading extent.
  template <class Opened> static auto slice() {
    static_assert(sizeof...(N) > 0, "weft: only stacked structs have slices; see stacked");
    if constexpr (sizeof...(N) > 0) return drop<Opened, N...>();
    else return std::type_identity<typename Opened::template with<A>>{};
  }
  // The layer with one more leading extent, the innermost of them.
  template <template <template <class, auto...> class> class Layer, auto M>
  using stack = Layer<leading_array<A, N..., M>::template of>;

private:
  template <class Opened, auto First, auto... Rest> static auto drop() {
    if constexpr (sizeof...(Rest) == 0)
      return std::type_identity<typename Opened::template with<A>>{};
    else
      return std::type_identity<
          typename Opened::template with<leading_array<A, Rest...>::template of>>{};
  }
};
template <class S> using leading_of = leading<typename opened<S>::probe>;

// Specialise for a leaf that is not `array<T, E...>`.
template <class S, template <class, auto...> class To> struct rebound {
  using type = S;
};

// Leaves: the element type and the extents stay.
template <template <class, auto...> class From, class T, auto... E,
          template <class, auto...> class To>
  requires is_leaf<From<T, E...>>
struct rebound<From<T, E...>, To> {
  using type = To<T, E...>;
};

template <struct_of_arrays S, template <class, auto...> class To> struct rebound<S, To> {
  using type = typename decltype(leading_of<S>::template over<opened<S>, To>())::type;
};

// Tuples of structs.
template <class X, std::size_t N, template <class, auto...> class To>
struct rebound<std::array<X, N>, To> {
  using type = std::array<typename rebound<X, To>::type, N>;
};
template <class X, class Y, template <class, auto...> class To>
struct rebound<std::pair<X, Y>, To> {
  using type = std::pair<typename rebound<X, To>::type, typename rebound<Y, To>::type>;
};
template <class... X, template <class, auto...> class To> struct rebound<std::tuple<X...>, To> {
  using type = std::tuple<typename rebound<X, To>::type...>;
};

} // namespace detail

template <class S, template <class, auto...> class To>
using rebind = typename detail::rebound<std::remove_cvref_t<S>, To>::type;

// N structs as one: every array gets N as its leading extent. Further template parameters of the
// layer are bound by an alias: template <template <class, auto...> class array> using wide =
// layer<array, 64>; stacked<wide, 12, array>.
template <template <template <class, auto...> class> class Layer, auto N,
          template <class, auto...> class array = tensor>
using stacked = typename detail::leading<array<float>>::template stack<Layer, N>;

namespace detail {
// What one step of a scan sees: every array without its leading extent.
template <class S> struct sliced;
template <template <class, auto...> class A, class T, auto First, auto... E>
  requires is_leaf<A<T, First, E...>>
struct sliced<A<T, First, E...>> {
  using type = A<T, E...>;
};
template <struct_of_arrays S> struct sliced<S> {
  using type = typename decltype(leading_of<S>::template slice<opened<S>>())::type;
};
template <class X, std::size_t N> struct sliced<std::array<X, N>> {
  using type = std::array<typename sliced<X>::type, N>;
};
template <class X, class Y> struct sliced<std::pair<X, Y>> {
  using type = std::pair<typename sliced<X>::type, typename sliced<Y>::type>;
};
template <class... X> struct sliced<std::tuple<X...>> {
  using type = std::tuple<typename sliced<X>::type...>;
};
template <> struct sliced<none_t> {
  using type = none_t;
};
} // namespace detail

template <class S> using slice_of = typename detail::sliced<std::remove_cvref_t<S>>::type;

} // namespace weft::inline v0
