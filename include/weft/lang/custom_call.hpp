// SPDX-License-Identifier: BSL-1.0
// custom_call<F>(x...): a function of the host's, called where the program runs.
//   struct row_norms {
//     static constexpr auto name = "row_norms";
//     template <class T, auto N, auto M> static tensor<T, N> result(tensor<T, N, M> x); // no body
//     static void run(auto x, auto y) {   // x: borrowed<T, N, M>, y: result_view<T, N>
//       for (extent i = 0; i < x.extent(0); ++i) { ... y(i) = ...; }
//     }
//     static auto vjp(auto x, auto y, auto ct) { return x * expand<1>(ct / y); } // optional
//     static auto jvp(auto x, auto y, auto dx) { return sum<1>(x * dx) / y; }    // optional
//   };
//   auto n = custom_call<row_norms>(x);
// result: the type of the result, or a pair or tuple, for operands of these types; run gets the
// operands, then every array of the result, all dense and row-major, and writes each element of the
// latter; with a host_call const& in front it also gets which item of a batch this is. vjp and jvp
// record derivatives: vjp(operands..., result, cotangent) gives the operand's gradient, or a tuple of
// all operands'; jvp(operands..., result, tangents...) the result's tangent. Under vmap run is called
// once per example; vjp and jvp are written for one. run may be called by any thread; results depend
// on operands alone, for calls are moved, merged and left out like any other op's. What it throws
// leaves the program, which runs again.
// Needs: structure.hpp, an array among the operands. Leaves: a custom_call node (graph/
// custom_call.hpp). With tensors it is compiled and run at once. Not in constant evaluation, and not
// on an OpenCL device (usage_error).
// Errors: no name, result or run for these operands; a result with a name that no operand has.
#pragma once

#include <weft/lang/call.hpp> // first: errors print the way to it

#include <weft/array/borrowed.hpp>
#include <weft/lang/aside.hpp>
#include <weft/transform/vmap.hpp>

namespace weft::inline v0 {

// Elements that a host function writes: dense, row-major, somebody else's.
template <class T, auto... E> class result_view {
  using bound = detail::bound_shape<E...>;

public:
  using element_type = T;
  using shape_type = weft::shape<E...>;
  static constexpr int rank = sizeof...(E);
  static constexpr extents pattern = shape_type::value;

  result_view(T* data, bound shape) : shape_(shape), data_(data) {}

  template <class... I> T& operator()(I... i) const {
    static_assert(sizeof...(I) == rank, "weft: an element needs one index per axis");
    shape_.check_index(i...);
    return data_[shape_.offset(i...)];
  }
  template <class... I> T& unchecked(I... i) const { return data_[shape_.offset(i...)]; }

  T* data() const { return data_; }
  T* begin() const { return data_; }
  T* end() const { return data_ + size(); }
  weft::extent size() const { return shape_.count(); }
  extents shape() const { return shape_.numbers(); }
  weft::extent extent(int axis) const { return shape_[plain_axis(axis, rank)]; }

private:
  [[no_unique_address]] bound shape_;
  T* data_;
};

namespace detail {

template <class X> struct host_side;
template <class T, auto... E> struct host_side<traced<T, E...>> {
  using declared = tensor<T, E...>;
  static borrowed<T, E...> operand(host_operand const& x) {
    return {static_cast<T const*>(static_cast<void const*>(x.data)),
            bound_shape<E...>::bind(x.shape), row_major(bound_shape<E...>::bind(x.shape))};
  }
  static result_view<T, E...> result(host_result const& y) {
    return {static_cast<T*>(static_cast<void*>(y.data)), bound_shape<E...>::bind(y.shape)};
  }
};
template <class X>
using borrowed_of = decltype(host_side<X>::operand(std::declval<host_operand>()));
template <class X> using written_of = decltype(host_side<X>::result(std::declval<host_result>()));

// Has a member of that name: a second one could not be told from it. (Not whether it can be called:
// its body may have a call of F.)
struct other_rules {
  void vjp();
  void jvp();
};
template <class F> struct ambiguous_rules : F, other_rules {};
template <class F> inline constexpr bool has_vjp = !requires { &ambiguous_rules<F>::vjp; };
template <class F> inline constexpr bool has_jvp = !requires { &ambiguous_rules<F>::jvp; };

// Operands X..., the type R of the result, its leaves Y...
template <class F, class Operands, class R, class Results> struct host_door;
template <class F, class... X, class R, class... Y>
struct host_door<F, type_list<X...>, R, type_list<Y...>> {
  template <int... I, int... J>
  static void run_with(host_call const& at, std::integer_sequence<int, I...>,
                       std::integer_sequence<int, J...>) {
    if constexpr (requires {
                    F::run(at, std::declval<borrowed_of<X>>()..., std::declval<written_of<Y>>()...);
                  })
      F::run(at, host_side<X>::operand(at.operands[I])..., host_side<Y>::result(at.results[J])...);
    else F::run(host_side<X>::operand(at.operands[I])..., host_side<Y>::result(at.results[J])...);
  }
  static void run(host_call const& at) {
    run_with(at, std::make_integer_sequence<int, sizeof...(X)>{},
             std::make_integer_sequence<int, sizeof...(Y)>{});
  }

  static constexpr R structure(view<handle> all, int first) {
    return from_leaves<R>(all.part(first, sizeof...(Y)));
  }
  // Over the operands, the results and their cotangents, of one item.
  template <int... I>
  static constexpr growing<handle> reversed(recorder& r, view<handle> all,
                                            std::integer_sequence<int, I...>) {
    constexpr int count = sizeof...(X);
    auto const given = to_traced(r, F::vjp(X{all[I]}..., structure(all, count),
                                           structure(all, count + static_cast<int>(sizeof...(Y)))));
    using given_type = std::remove_const_t<decltype(given)>;
    using wanted = typename gradient_list<X...>::type;
    constexpr bool right = vjp_gives_gradients<given_type, wanted>;
    static_assert(right, "weft: custom_call: vjp must return the operand's gradient, of its type, "
                         "or a tuple of all operands' gradients");
    growing<handle> d;
    if constexpr (right)
      for_each_leaf(given, [&d]<class L>(L const& leaf) {
        d.push(is_float(dtype_of<typename L::element_type>) ? leaf.value : handle{});
      });
    return d;
  }
  // Over the operands, the results and the operands' tangents.
  template <int... I>
  static constexpr growing<handle> forwarded(recorder& r, view<handle> all,
                                             std::integer_sequence<int, I...>) {
    constexpr int count = sizeof...(X), first = count + static_cast<int>(sizeof...(Y));
    auto const given = to_traced(r,
                                 F::jvp(X{all[I]}..., structure(all, count), X{all[first + I]}...));
    constexpr bool right = jvp_gives_tangent<std::remove_const_t<decltype(given)>, R>;
    static_assert(right, "weft: custom_call: jvp must return the result's tangent, of its type");
    if constexpr (right) return leaves(given);
    else return {};
  }

  static constexpr growing<handle> vjp(recorder& r, host_derivative const& d) {
    if constexpr (!has_vjp<F>) return {};
    else
      return over_items(r, d, [](recorder& to, view<handle> all) {
        return reversed(to, all, std::make_integer_sequence<int, sizeof...(X)>{});
      });
  }
  static constexpr growing<handle> jvp(recorder& r, host_derivative const& d) {
    if constexpr (!has_jvp<F>) return {};
    else
      return over_items(r, d, [](recorder& to, view<handle> all) {
        return forwarded(to, all, std::make_integer_sequence<int, sizeof...(X)>{});
      });
  }
  static constexpr host_function function{F::name, &run, has_vjp<F> ? &vjp : nullptr,
                                          has_jvp<F> ? &jvp : nullptr};

private:
  template <class... A> struct gradient_list {
    using type = std::tuple<A...>;
  };
  template <class A> struct gradient_list<A> {
    using type = A;
  };
  template <class Given, class Wanted>
  static constexpr bool vjp_gives_gradients = std::is_same_v<Given, Wanted>;
  template <class Given, class Wanted>
  static constexpr bool jvp_gives_tangent = std::is_same_v<Given, Wanted>;

  // A graph for one item, mapped over the batch axes. (A template: vmap's rules are compiled where
  // a call has a derivative, and nowhere else.)
  template <class Graph>
  static constexpr Graph over_axes(Graph g, int axes, extents const& shape, int inputs) {
    growing<bool> const every(inputs, true);
    for (int i = axes - 1; i >= 0; --i) g = weft::vmap(g, every, shape[i]);
    return g;
  }
  // A rule for one item, recorded once and mapped over the batch axes.
  template <class Rule>
  static constexpr growing<handle> over_items(recorder& r, host_derivative const& d,
                                              Rule const& rule) {
    growing<handle> all(d.operands);
    all.append(d.results);
    all.append(d.given);
    if (d.batch_axes == 0) return rule(r, all);
    recorder one;
    one.casting = r.casting;
    one.back = r.back;
    growing<handle> inside, outputs;
    for (int k = 0; k < all.size(); ++k)
      inside.push(
          one.input(all[k].type(), without_leading(all[k].shape(), d.batch_axes), {k, 0, false}));
    growing<handle> results = rule(one, inside);
    for (handle h : results)
      if (h.valid()) outputs.push(h);
    one.finish(outputs);
    graph const g = over_axes(canonical(one.result), d.batch_axes, all[0].shape(), all.size());
    trace_error const wrong = one.result.error != trace_error::clean ? one.result.error : g.error;
    if (wrong != trace_error::clean) {
      r.root().result.fail(wrong, -1);
      return {};
    }
    growing<handle> const made = inline_graph(r, g, all);
    int next = 0;
    for (handle& h : results)
      if (h.valid()) h = made[next++];
    return results;
  }
};

// What F is asked; the operands' types show in the error.
template <class F>
concept has_a_name = requires {
  { F::name } -> std::convertible_to<char const*>;
};
template <class F, class... X>
concept has_result_for = requires {
  F::result(std::declval<typename host_side<X>::declared>()...);
};
template <class F, class... X>
using result_for =
    traced_type<decltype(F::result(std::declval<typename host_side<X>::declared>()...))>;
template <class F, class X, class Y> struct runs;
template <class F, class... X, class... Y> struct runs<F, type_list<X...>, type_list<Y...>> {
  static constexpr bool value = requires {
    F::run(std::declval<borrowed_of<X>>()..., std::declval<written_of<Y>>()...);
  } || requires(host_call const& at) {
    F::run(at, std::declval<borrowed_of<X>>()..., std::declval<written_of<Y>>()...);
  };
};
template <class F, class Operands, class Results>
concept has_run_for = runs<F, Operands, Results>::value;

constexpr bool has_name(extents const& s, extent name) {
  for (int i = 0; i < s.rank; ++i)
    if (s[i] == name) return true;
  return false;
}
template <class Y, class... X> consteval bool names_are_known() {
  for (int i = 0; i < Y::shape_type::rank; ++i)
    if (extent const e = Y::shape_type::value[i];
        is_named(e) && !(has_name(X::shape_type::value, e) || ...))
      return false;
  return true;
}
template <class Y, class... X> concept result_has_names_of = names_are_known<Y, X...>();
template <class... X, class... Y> consteval bool check_result_names(type_list<Y...>) {
  constexpr bool known = (result_has_names_of<Y, X...> && ...);
  static_assert(known,
                "weft: custom_call: a result has a name that no operand has; give an operand "
                "an axis of that name, or the result a number");
  return known;
}

template <class F, class... X> consteval bool check_result() {
  constexpr bool typed = has_result_for<F, X...>;
  static_assert(typed, "weft: custom_call: the function has no result(operands...) for these "
                       "arrays; declare the type that it gives, static tensor<...> "
                       "result(tensor<...>...)");
  return typed;
}
// Types are said, not deduced: a rule of F may have a call of F.
template <class F, class... X> consteval auto type_of_custom_call() {
  if constexpr (has_a_name<F>)
    if constexpr (has_result_for<F, X...>) return std::type_identity<result_for<F, X...>>{};
    else return std::type_identity<none_t>{};
  else return std::type_identity<none_t>{};
}
template <class F, class... X>
using custom_call_type = typename decltype(type_of_custom_call<F, X...>())::type;
template <class X>
using entered = decltype(as_traced(std::declval<recorder&>(), std::declval<X const&>()));
// (clang asks for the type of a function before its constraints.)
template <bool Traced, class F, class... X> struct type_at_traced_door {
  using type = none_t;
};
template <class F, class... X> struct type_at_traced_door<true, F, X...> {
  using type = custom_call_type<F, entered<X>...>;
};

template <class F, class... X>
constexpr custom_call_type<F, X...> record_custom_call(X const&... x) {
  constexpr bool named = has_a_name<F>;
  static_assert(named, "weft: custom_call: the function has no name; write static constexpr auto "
                       "name = \"my_function\"");
  if constexpr (!named) return none;
  else if constexpr (!check_result<F, X...>()) return none;
  else {
    using R = result_for<F, X...>;
    using Y = leaves_of<R>;
    constexpr bool can_run = has_run_for<F, type_list<X...>, Y>;
    static_assert(can_run,
                  "weft: custom_call: the function has no run(operands..., results...) for "
                  "these arrays");
    if constexpr (!can_run || !check_result_names<X...>(Y{}))
      return make_like<R>(
          [&]<class L>(std::type_identity<L>) { return stand_in<L>(recorder_of(x...)); });
    else {
      handle const operands[] = {x.value...};
      growing<result_info> results;
      [&]<class... L>(type_list<L...>) {
        (results.push({dtype_of<typename L::element_type>, L::shape_type::value}), ...);
      }(Y{});
      return from_leaves<R>(call_host(host_door<F, type_list<X...>, R, Y>::function,
                                      {operands, sizeof...(X)}, results));
    }
  }
}

} // namespace detail

// F's result for the operands, at least one of which is an array.
template <class F, class... X>
  requires(traced_structure<X> || ...)
constexpr typename detail::type_at_traced_door<(traced_structure<X> || ...), F, X...>::type
custom_call(X const&... x) {
  recorder& r = detail::recorder_in(x...).innermost();
  return detail::record_custom_call<F>(detail::as_traced(r, x)...);
}
namespace detail {
template <class F> struct custom_call_of {
  constexpr auto operator()(auto const&... x) const { return custom_call<F>(x...); }
};
} // namespace detail
template <class F, class... X>
  requires(sizeof...(X) > 0 && !(traced_structure<X> || ...))
constexpr auto custom_call(X const&... x) {
  return detail::run_transformed(detail::custom_call_of<F>{}, x...);
}

} // namespace weft::inline v0
