// SPDX-License-Identifier: BSL-1.0
// vmap: a function of one example becomes a function of many.
//   vmap(f)(xs, ys)                    axis 0 of every array of every argument counts examples
//   vmap<0, none, 1>(f)(xs, w, ys)     w is every example's; of ys axis 1 counts
//   vmap<vmap_options{.out = 1}>(f)    examples are axis 1 of the results
//   vmap<0, none>(value_and_grad(f))   gradients per example
// Every result gets the examples' axis. Example e is f of the examples e, bit for bit. Keys map, too:
// vmap<0, none>(f)(split_keys<32>(key), x). Arrays that f captures are every example's.
// Needs: traced arguments; with tensors (run/jit.hpp) the function is compiled, if it captures
// nothing. Mapped axes agree in extent, names included. Leaves: f recorded aside for one example,
// rewritten (transform/vmap.hpp), inlined where it is called.
#pragma once

#include <weft/lang/call.hpp> // first: errors print the way to it

#include <weft/lang/aside.hpp>
#include <weft/lang/vmap_types.hpp>
#include <weft/transform/vmap.hpp>

namespace weft::inline v0 {

struct vmap_options {
  int out = 0; // which axis of the results counts examples; negative: from the end
};

namespace detail {

template <class X>
inline constexpr bool is_vmap_axis = std::is_same_v<std::remove_cv_t<X>, int> ||
                                     std::is_same_v<std::remove_cv_t<X>, none_t>;
template <class X>
inline constexpr bool is_vmap_options = std::is_same_v<std::remove_cv_t<X>, vmap_options>;
// vmap's template arguments: axes, behind vmap_options if there are any.
template <auto... Axis> struct vmap_arguments {
  static constexpr vmap_options options{};
  static constexpr int count = sizeof...(Axis);
  static constexpr bool plain = (is_vmap_axis<decltype(Axis)> && ...);
  static constexpr bool in_order = (!is_vmap_options<decltype(Axis)> && ...);
  static constexpr int axes[sizeof...(Axis) + 1] = {axis_number(Axis)..., 0};
};
template <vmap_options O, auto... Axis> struct vmap_arguments<O, Axis...> {
  static constexpr vmap_options options = O;
  static constexpr int count = sizeof...(Axis);
  static constexpr bool plain = (is_vmap_axis<decltype(Axis)> && ...);
  static constexpr bool in_order = (!is_vmap_options<decltype(Axis)> && ...);
  static constexpr int axes[sizeof...(Axis) + 1] = {axis_number(Axis)..., 0};
};
template <class A, int Count> concept one_axis_per_argument = A::count == 0 || A::count == Count;
template <class A, int Count> consteval bool check_vmap_axes() {
  constexpr bool in_order = A::in_order;
  static_assert(in_order, "weft: vmap: vmap_options stand in front of the axes; write "
                          "vmap<vmap_options{.out = 1}, 0>(f)");
  constexpr bool plain = A::plain || !in_order;
  static_assert(plain, "weft: vmap: an axis is an int or none");
  constexpr bool counted = one_axis_per_argument<A, Count> || !in_order || !plain;
  static_assert(counted, "weft: vmap: one axis per argument; write none for those not mapped");
  return in_order && plain && counted;
}
template <class A> consteval int axis_of_argument(int i) { return A::count == 0 ? 0 : A::axes[i]; }

template <class X, int Axis> struct example_form {
  using type = without_axis_type<X, Axis>;
};
template <class X> struct example_form<X, not_mapped> {
  using type = X;
};
template <class X, int Axis> using example_type = typename example_form<X, Axis>::type;

constexpr handle with_axis_moved(handle x, int from, int to) {
  extent order[max_rank]{};
  int const rank = x.shape().rank;
  for (int i = 0, next = 0; i < rank; ++i) {
    next += next == from ? 1 : 0;
    order[i] = i == to ? from : next++;
  }
  return transpose(x, {order, rank});
}

// For every leaf of an argument: the axis that it is mapped along, from the front.
template <int Axis, class A> constexpr void add_axes(growing<int>& axes, A const& a) {
  for_each_leaf(a, [&axes](auto const& leaf) {
    using L = std::remove_cvref_t<decltype(leaf)>;
    axes.push(Axis == not_mapped ? not_mapped : leaf_axis<L>(Axis));
  });
}

template <class F, class Arguments> struct vmap_of {
  using functions = type_list<F>; // what must capture nothing to be compiled on its own
  F f;

  template <class... A> constexpr auto operator()(A const&... a) const {
    if constexpr (!check_vmap_axes<Arguments, sizeof...(A)>()) return none;
    else if constexpr ((traced_structure<A> || ...)) {
      recorder& r = recorder_in(a...).innermost();
      return of_examples(std::make_integer_sequence<int, sizeof...(A)>{}, r, to_traced(r, a)...);
    } else return run_transformed(*this, a...);
  }

private:
  template <int I> static constexpr int axis = axis_of_argument<Arguments>(I);

  // Of as many examples as the mapped axes count.
  template <int... I, class... A>
  constexpr auto of_examples(std::integer_sequence<int, I...> numbers, recorder& r,
                             A const&... a) const {
    using mapped = decltype((type_list<>{} + ... + mapped_leaves<axis<I>>(leaves_of<A>{})));
    constexpr bool whole = ((axis<I> == not_mapped || axis<I> == 0 || !has_struct<A>)&&...);
    if constexpr (!check_mapped<mapped, whole>()) return none;
    else {
      using R = decltype(asked<F, sizeof...(A)>()(std::declval<example_type<A, axis<I>>>()...));
      if constexpr (!check_call<R, F, example_type<A, axis<I>>...>()) return none;
      else
        return out_of_examples<decltype(first_extent(mapped{}))::value[0], traced_type<R>>(numbers,
                                                                                           r, a...);
    }
  }
  template <extent Count, class R, int... I, class... A>
  constexpr auto out_of_examples(std::integer_sequence<int, I...> numbers, recorder& r,
                                 A const&... a) const {
    constexpr int out = Arguments::options.out;
    if constexpr (!check_out<out, R>()) return none;
    else {
      growing<handle> const all = recorded(numbers, r, Count, a...);
      int next = 0;
      return make_like<with_axis_type<R, Count, out>>([&]<class L>(std::type_identity<L>) {
        if (all.empty()) // after a mistake
          return L{constant(r, 0, dtype_of<typename L::element_type>, L::shape_type::value)};
        return L{with_axis_moved(all[next++], 0, leaf_axis<L>(out))};
      });
    }
  }
  // The results with the examples' axis first.
  template <int... I, class... A>
  constexpr growing<handle> recorded(std::integer_sequence<int, I...>, recorder& outer,
                                     extent count, A const&... a) const {
    recorder inner(&outer);
    std::tuple<example_type<A, axis<I>>...> one{
        inputs<example_type<A, axis<I>>>(inner, I, leaves(a))...}; // braces keep the order
    auto result = f(std::get<I>(one)...);
    inner.finish(leaves(to_traced(inner, result)));
    if (outer.root().result.error != trace_error::clean) return {};
    growing<int> axes; // by leaf
    (add_axes<axis<I>>(axes, a), ...);
    growing<bool> mapped;
    growing<handle> arguments;
    for (int i = 0; i < inner.input_count(); ++i) {
      mapped.push(i < axes.size() && axes[i] != not_mapped);
      handle const x = outer.localised(inner.origin_of_input(i));
      arguments.push(mapped[i] ? with_axis_moved(x, axes[i], 0) : x);
    }
    auto const of_all = [&](auto const& alone) { return weft::vmap(alone, mapped, count); };
    graph const g = of_all(in_order(inner));
    if (g.error != trace_error::clean) {
      outer.root().result.fail(g.error, -1);
      return {};
    }
    return inline_graph(outer, g, arguments);
  }
};

} // namespace detail

// f of every example; see above. Errors: an array without the axis, extents that differ, nothing
// mapped, a number of axes that is not the number of arguments, a result of 8 axes.
template <auto... Axis, class F> constexpr auto vmap(F f) {
  return detail::vmap_of<F, detail::vmap_arguments<Axis...>>{f};
}

} // namespace weft::inline v0
