// SPDX-License-Identifier: BSL-1.0
// jacobian and hessian: all derivatives of a function at once.
//   auto J = jacobian(f)(x, w);    // f gives one array y: J has y's axes, then x's
//   auto H = hessian(loss)(x);     // loss gives a rank-0 float: H has x's axes twice
// By argument 0, jacobian<2>(f) by another one, jacobian<0, 2>(f) by both, as a tuple. Where that is
// one array with no more elements than the result: forward mode, one tangent after the other; else
// reverse mode, one cotangent after the other, and then the argument may be any structure: each leaf
// of J has y's axes in front of its own, and its type. Other leaves than floats come out as zeros.
// Needs: gradients.hpp, scan.hpp; extents of what is gone over (the argument's in forward mode, the
// result's in reverse) that are numbers. Leaves: one scan over the elements gone over, none over
// those of rank 0; the function is recorded once.
// Errors: a result that is no array of floats, an argument that hessian cannot take, named extents,
// more than 8 axes.
#pragma once

#include <weft/lang/call.hpp> // first: errors print the way to it

#include <weft/lang/gradients.hpp>
#include <weft/lang/scan.hpp>

namespace weft::inline v0 {
namespace detail {

// X with the extents of S in front of every leaf's.
template <class X, auto S, int Axes = S.rank> struct with_axes_in_front {
  using type = typename with_axes_in_front<stacked_type<X, extent_argument_of<S.d[Axes - 1]>>, S,
                                           Axes - 1>::type;
};
template <class X, auto S> struct with_axes_in_front<X, S, 0> {
  using type = X;
};
template <class X, auto S> using jacobian_type = typename with_axes_in_front<X, S>::type;

template <class Y>
concept array_of_floats = traced_array<Y> && is_float(dtype_of<typename Y::element_type>);
template <extents S> concept extents_are_numbers = is_static(S);
template <int Axes, class... L>
concept has_room_for_axes = ((L::shape_type::value.rank + Axes <= max_rank) && ...);
template <int Axes, class... L> consteval bool has_room(type_list<L...>) {
  return has_room_for_axes<Axes, L...>;
}

// One array, and no more elements than the result, whose extents are numbers.
template <class X, class Y> consteval bool goes_forward() {
  if constexpr (array_of_floats<X>) {
    constexpr extents x = X::shape_type::value, y = Y::shape_type::value;
    if constexpr (!is_static(x)) return false;
    else if constexpr (!is_static(y)) return true;
    else return count_of(x) <= count_of(y);
  } else return false;
}

// Element `number` of an array of this type is 1, the others are 0.
template <class X> constexpr X one_hot(handle number) {
  recorder& r = *number.where;
  constexpr extents shape = X::shape_type::value;
  extents const flat{1, {count_of(shape)}};
  handle const here = equal(iota(r, dtype::i32, flat, 0), broadcast(number, flat, {}));
  return X{reshape(convert(here, dtype_of<typename X::element_type>), shape)};
}
// The only element of an array of rank 0.
template <class X> constexpr X only_element(recorder& r) {
  return X{constant(r, 1, dtype_of<typename X::element_type>, {})};
}
// one(number) for all elements of an array of type X: stacked by the element's number. A draw in it
// is the function's, so the same for all.
template <class X, class One> constexpr auto for_each_element(recorder& r, One const& one) {
  constexpr extent count = count_of(X::shape_type::value);
  traced<std::int32_t, extent_argument_of<count>> const numbers{
      iota(r, dtype::i32, {1, {count}}, 0)};
  auto const step = [&one](none_t, auto const& number) {
    return std::pair(none, one(number.value));
  };
  return record_scan<scan_options{}, true>(r, step, none, numbers).second;
}

struct jacobian_rule {
  static constexpr bool of_all_arguments = true;

  template <class F, class Of, class... A>
  static constexpr auto record(recorder& r, F const& f, Of const& of, A const&... a) {
    using Y = traced_result<F, A...>;
    using X = picked_type<Of, A...>;
    constexpr bool one = array_of_floats<Y>;
    static_assert(one, "weft: jacobian: the function must return one array of floats; use vjp or "
                       "jvp for anything else");
    if constexpr (!one) return none;
    else if constexpr (goes_forward<X, Y>()) return forward<X, Y>(r, f, of, a...);
    else return backward<X, Y>(r, f, of, a...);
  }

private:
  template <class X, class Y, class F, class Of, class... A>
  static constexpr auto forward(recorder& r, F const& f, Of const& of, A const&... a) {
    constexpr extents y = Y::shape_type::value;
    constexpr dtype of_x = dtype_of<typename X::element_type>;
    constexpr bool room = check_room<y.rank, X>();
    if constexpr (!room) return none;
    else if constexpr (X::rank == 0)
      return jacobian_type<X, y>{convert(
          push_forward_rule::record(r, f, of, a..., only_element<X>(r)).second.value, of_x)};
    else {
      auto const columns = for_each_element<X>(r, [&](handle number) {
        return push_forward_rule::record(*number.where, f, of, a..., one_hot<X>(number)).second;
      });
      extent order[max_rank]{};
      for (int i = 0; i < y.rank; ++i) order[i] = i + 1;
      handle const last = transpose(columns.value, {order, y.rank + 1});
      using J = jacobian_type<X, y>;
      return J{reshape(convert(last, of_x), J::shape_type::value)};
    }
  }
  template <class X, class Y, class F, class Of, class... A>
  static constexpr auto backward(recorder& r, F const& f, Of const& of, A const&... a) {
    constexpr extents y = Y::shape_type::value;
    static_assert(extents_are_numbers<y>, "weft: jacobian: the result and the argument have named "
                                          "extents; give one of them numbers, or use vjp");
    constexpr bool room = check_room<y.rank, X>();
    if constexpr (!room || !extents_are_numbers<y>) return none;
    else if constexpr (y.rank == 0)
      return pull_back_rule::record(r, f, of, a..., only_element<Y>(r)).second;
    else {
      auto const rows = for_each_element<Y>(r, [&](handle number) {
        return pull_back_rule::record(*number.where, f, of, a..., one_hot<Y>(number)).second;
      });
      using J = jacobian_type<X, y>;
      growing<handle> const all = leaves(rows);
      int next = 0;
      return make_like<J>([&]<class L>(std::type_identity<L>) {
        return L{reshape(all[next++], L::shape_type::value)};
      });
    }
  }
  template <int Axes, class X> static consteval bool check_room() {
    constexpr bool room = has_room<Axes>(leaves_of<X>{});
    static_assert(room, "weft: jacobian: an array has at most 8 axes, and these are the result's "
                        "and the argument's; reshape them");
    return room;
  }
};

struct hessian_rule {
  static constexpr bool of_all_arguments = true;

  template <class F, class Of, class... A>
  static constexpr auto record(recorder& r, F const& f, Of const& of, A const&... a) {
    constexpr bool scalar = rank_0_float<traced_result<F, A...>>;
    static_assert(scalar,
                  "weft: hessian: the function must return a rank-0 float; use jacobian for "
                  "an array");
    constexpr bool one = array_of_floats<picked_type<Of, A...>>;
    static_assert(one, "weft: hessian: the argument is no array of floats; use jvp of grad for a "
                       "structure");
    if constexpr (!scalar || !one) return none;
    else
      return jacobian_rule::record(r, derivative_of<gradient_alone_rule, F, Of>{f, of}, of, a...);
  }
};

} // namespace detail

// A function that gives the Jacobian of f's result by one argument, or a tuple by several.
template <int... Argument, class F> constexpr auto jacobian(F f) {
  return detail::derivative<detail::jacobian_rule, Argument...>(f);
}
// A function that gives the second derivatives of f's value by one argument, an array.
template <int... Argument, class F> constexpr auto hessian(F f) {
  return detail::derivative<detail::hessian_rule, Argument...>(f);
}

} // namespace weft::inline v0
