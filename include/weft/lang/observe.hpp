// SPDX-License-Identifier: BSL-1.0
// Looking into programs: functions that return what they are given, and see it when it is computed.
//   h = check_finite<"hidden">(h);       // value_error names the first element that is inf or nan
//   y = check_nan(y);                    // infinities pass: masks are made of them
//   x = debug_print<"x">(x);             // a line on stderr, or to weft::on_print
//   jit<checked(f)>(x);                  // f with check_nan behind every number that it computes
// Any structure of arrays; keys and, for the checks, integers pass unseen. Use what comes back: a
// value that nothing reads is not computed, and so not seen.
// Needs: structure.hpp. Leaves: an `observe` node per array, which stores it; derivatives pass
// through unseen, vmap shows all examples as one array. Immediate arrays are looked at right here.
#pragma once

#include <weft/graph/observe.hpp>
#include <weft/lang/aside.hpp>
#include <weft/lang/expression.hpp>
#include <weft/transform/with_checks.hpp>

namespace weft::inline v0 {
namespace detail {

template <class L> constexpr bool is_seen(observation what) {
  if constexpr (!traced_array<L>) return false;
  else return what == observation::print || is_float(dtype_of<typename L::element_type>);
}
template <class X> constexpr X observed_trace(X const& x, observation what, char const* label) {
  growing<handle> const all = leaves(x);
  growing<extent> const attributes = encode(what, label);
  int next = 0;
  return make_like<X>([&]<class L>(std::type_identity<L>) {
    handle const h = all[next++];
    if (!is_seen<L>(what)) return L{h};
    return L{emit(op::observe, h.type(), extents(h.shape()), {&h, 1}, attributes)};
  });
}
template <class T, auto... E>
constexpr void observe_tensor(tensor<T, E...> const& t, observation what, char const* label) {
  T const* const data = t.data();
  observe(encode(what, label), dtype_of<T>, t.shape(),
          [data](extent i) { return word_of(data[i]); });
}

template <fixed_string Label> concept label_is_short = sizeof(Label.characters) <= most_label + 1;
template <observation What, fixed_string Label, class X> constexpr auto observed(X const& x) {
  constexpr bool is_short = label_is_short<Label>;
  static_assert(is_short, "weft: debug_print: a label has at most 60 characters; shorten it");
  constexpr char const* label = is_short ? Label.characters : "";
  if constexpr (traced_structure<X>)
    return observed_trace(to_traced(recorder_in(x).innermost(), x), What, label);
  else if constexpr (array_value<X>) {
    auto t = eval(x);
    observe_tensor(t, What, label);
    return t;
  } else {
    for_each_leaf(x, []<class L>(L const& leaf) {
      if constexpr (requires { leaf.data(); }) observe_tensor(leaf, What, label);
    });
    return x;
  }
}

template <observation What, class F> struct checked_of {
  using functions = type_list<F>;
  F f;

  template <class... A> constexpr auto operator()(A const&... a) const {
    if constexpr ((traced_structure<A> || ...)) {
      recorder& r = recorder_in(a...).innermost();
      return traced_call_of(r, to_traced(r, a)...);
    } else return run_transformed(*this, a...);
  }

private:
  template <class... A> constexpr auto traced_call_of(recorder& r, A const&... a) const {
    using R = decltype(asked<F, sizeof...(A)>()(std::declval<A>()...));
    if constexpr (!check_call<R, F, A...>()) return none;
    else
      return from_leaves<traced_type<R>>(recorded_aside(
          r, f, [](graph_view g) { return with_checks(g, What); },
          std::make_integer_sequence<int, sizeof...(A)>{}, a...));
  }
};

} // namespace detail

// In a trace these three do nothing where the x that they return is not used.

// x; where it runs, value_error for its first element that is infinite or NaN.
template <fixed_string Label = "", traced_structure X>
[[nodiscard]] constexpr auto check_finite(X const& x) {
  return detail::observed<observation::finite, Label>(x);
}
template <fixed_string Label = "", class X> constexpr auto check_finite(X const& x) {
  return detail::observed<observation::finite, Label>(x);
}
// x; where it runs, value_error for its first NaN.
template <fixed_string Label = "", traced_structure X>
[[nodiscard]] constexpr auto check_nan(X const& x) {
  return detail::observed<observation::no_nan, Label>(x);
}
template <fixed_string Label = "", class X> constexpr auto check_nan(X const& x) {
  return detail::observed<observation::no_nan, Label>(x);
}
// x; where it runs, a line with its type, shape and first elements.
template <fixed_string Label = "", traced_structure X>
[[nodiscard]] constexpr auto debug_print(X const& x) {
  return detail::observed<observation::print, Label>(x);
}
template <fixed_string Label = "", class X> constexpr auto debug_print(X const& x) {
  return detail::observed<observation::print, Label>(x);
}
// f with a check behind every argument and every float that it computes: value_error names the
// node, as print() of f's graph numbers it. checked<observation::finite>(f): infinities, too.
template <observation What = observation::no_nan, class F> constexpr auto checked(F f) {
  return detail::checked_of<What, F>{f};
}

} // namespace weft::inline v0
