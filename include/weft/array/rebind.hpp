// SPDX-License-Identifier: BSL-1.0
// Types of parameter structs. A struct of arrays is a template over its array template:
//   template <template <class, auto...> class array> struct layer { array<float, 4, 8> w; };
// rebind<layer<tensor>, traced> is layer<traced>; stacked<layer, 12> is one layer whose arrays have
// a leading extent 12; slice_of<that> is layer<tensor> again; master<layer> is one layer whose bf16
// and f16 arrays are float. Inside a struct of arrays write `stacked<layer, 12, array> blocks;`.
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

// Leaves whose elements are not in the host's memory.
template <class X> inline constexpr bool is_elsewhere = false;

// An empty tree: no leaves.
struct none_t {
  friend constexpr bool operator==(none_t, none_t) = default;
};
inline constexpr none_t none{};

namespace detail {

// none, as a dependent value: what follows an error, in templates. std::pair(none, none) would be
// instantiated by every include.
template <class...> inline constexpr none_t none_after_error{};

// Array templates with leading extents: leading_array<tensor, 12>::of<float, 4> is
// tensor<float, 12, 4>. leading_array<A> without extents does not occur.
template <template <class, auto...> class A, auto... N> struct leading_array {
  template <class T, auto... E> using of = A<T, N..., E...>;
};

// The element type of master weights: 16 bits become float.
template <class T>
using master_element =
    std::conditional_t<std::is_same_v<T, bf16> || std::is_same_v<T, f16>, float, T>;
// Array templates of master weights: master_array<tensor>::of<f16, 4> is tensor<float, 4>. Over
// array templates with leading extents, never under them.
template <template <class, auto...> class A> struct master_array {
  template <class T, auto... E> using of = A<master_element<T>, E...>;
};

// A struct of arrays, opened: `with<A>` is the same struct over another array template, `probe` is
// what its own makes of float and of bf16. A template is opaque, its specialisations are not.
template <class S> struct opened;
template <class Single, class Half> struct probe_of;
template <template <class, auto...> class A> using probed = probe_of<A<float>, A<bf16>>;
template <template <template <class, auto...> class> class S, template <class, auto...> class From>
struct opened<S<From>> {
  using probe = probed<From>;
  template <template <class, auto...> class A> using with = S<A>;
};
template <template <template <class, auto...> class, auto...> class S,
          template <class, auto...> class From, auto... R>
  requires(sizeof...(R) > 0)
struct opened<S<From, R...>> {
  using probe = probed<From>;
  template <template <class, auto...> class A> using with = S<A, R...>;
};
template <template <template <class, auto...> class, class...> class S,
          template <class, auto...> class From, class... R>
  requires(sizeof...(R) > 0)
struct opened<S<From, R...>> {
  using probe = probed<From>;
  template <template <class, auto...> class A> using with = S<A, R...>;
};
template <template <auto, template <class, auto...> class> class S, auto N,
          template <class, auto...> class From>
struct opened<S<N, From>> {
  using probe = probed<From>;
  template <template <class, auto...> class A> using with = S<N, A>;
};
template <template <auto, auto, template <class, auto...> class> class S, auto N, auto M,
          template <class, auto...> class From>
struct opened<S<N, M, From>> {
  using probe = probed<From>;
  template <template <class, auto...> class A> using with = S<N, M, A>;
};
template <template <class, template <class, auto...> class> class S, class X,
          template <class, auto...> class From>
struct opened<S<X, From>> {
  using probe = probed<From>;
  template <template <class, auto...> class A> using with = S<X, A>;
};
template <template <template <class, auto...> class> class Layer> struct layer_over {
  template <template <class, auto...> class A> using with = Layer<A>;
};
template <class S> concept struct_of_arrays = requires { typename opened<S>::probe; };

// The probe tells the plain array template, its leading extents, and whether halves are floats.
template <class Probe> struct leading;
template <template <class, auto...> class A, class Half, auto... N>
struct leading<probe_of<A<float, N...>, A<Half, N...>>> {
  // The struct over To, with the same leading extents and elements.
  template <class Opened, template <class, auto...> class To> static auto over() {
    return with_extents<Opened, To, wide, N...>();
  }
  // The struct over A without the first leading extent.
  template <class Opened> static auto slice() {
    static_assert(sizeof...(N) > 0, "weft: only stacked structs have slices; see stacked");
    if constexpr (sizeof...(N) > 0) return drop<Opened, N...>();
    else return over<Opened, A>();
  }
  // The layer with one more leading extent, the innermost of them.
  template <class Opened, auto M> static auto stack() {
    return with_extents<Opened, A, wide, N..., M>();
  }
  // The struct with one more leading extent, the outermost: what a loop collects of it.
  template <class Opened, auto M> static auto collect() {
    return with_extents<Opened, A, wide, M, N...>();
  }
  // The struct with floats for halves.
  template <class Opened> static auto master() { return with_extents<Opened, A, true, N...>(); }

private:
  static constexpr bool wide = std::is_same_v<Half, float>;

  template <class Opened, template <class, auto...> class To, bool Wide, auto... M>
  static auto with_extents() {
    if constexpr (sizeof...(M) == 0) return with_elements<Opened, To, Wide>();
    else return with_elements<Opened, leading_array<To, M...>::template of, Wide>();
  }
  template <class Opened, template <class, auto...> class To, bool Wide>
  static auto with_elements() {
    if constexpr (!Wide) return std::type_identity<typename Opened::template with<To>>{};
    else return std::type_identity<typename Opened::template with<master_array<To>::template of>>{};
  }
  template <class Opened, auto First, auto... Rest> static auto drop() {
    return with_extents<Opened, A, wide, Rest...>();
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
using stacked = typename decltype(detail::leading<detail::probed<array>>::template stack<
                                  detail::layer_over<Layer>, N>())::type;

// One struct of arrays with float in the place of bf16 and f16: master weights, and what an
// optimiser remembers of them (master<adam_for<model>::state>). In a struct: master<layer, array>.
template <template <template <class, auto...> class> class Layer,
          template <class, auto...> class array = tensor>
using master = typename decltype(detail::leading<detail::probed<array>>::template master<
                                 detail::layer_over<Layer>>())::type;

namespace detail {
// The same of a type.
template <class X> struct mastered {
  using type = X;
};
template <template <class, auto...> class A, class T, auto... E>
  requires is_leaf<A<T, E...>>
struct mastered<A<T, E...>> {
  using type = A<master_element<T>, E...>;
};
template <struct_of_arrays S> struct mastered<S> {
  using type = typename decltype(leading_of<S>::template master<opened<S>>())::type;
};
template <class X, std::size_t N> struct mastered<std::array<X, N>> {
  using type = std::array<typename mastered<X>::type, N>;
};
template <class X, class Y> struct mastered<std::pair<X, Y>> {
  using type = std::pair<typename mastered<X>::type, typename mastered<Y>::type>;
};
template <class... X> struct mastered<std::tuple<X...>> {
  using type = std::tuple<typename mastered<X>::type...>;
};
} // namespace detail

template <class X> using master_of = typename detail::mastered<std::remove_cvref_t<X>>::type;

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
