// SPDX-License-Identifier: BSL-1.0
// Typed doors of the transforms: functions of function objects that return function objects.
//   auto [value, grads] = value_and_grad(loss)(p, x, labels);     // lang/gradients.hpp
//   auto y = autocast<bf16>(f)(p, x);                             // products in bf16
//   auto z = autocast<float>(g)(y);                               // no autocast in here
//   auto h = checkpoint(block)(p, x);                             // lang/checkpoint.hpp
// They nest, take closures inside a traced function, and are template arguments when nothing is
// captured: jit<value_and_grad(loss)>(p, x, labels).
// autocast: float parameters keep float gradients; results have the types that f declares; what f
// computes from captured values alone is cast, too.
// Needs: at least one traced argument; with tensors (run/jit.hpp) the function is compiled, if it
// captures nothing. Leaves: the function is recorded aside, rewritten, and inlined where it is
// called.
#pragma once

#include <weft/lang/call.hpp> // first: errors print the way to it

#include <weft/lang/checkpoint.hpp>
#include <weft/lang/gradients.hpp>
#include <weft/transform/autocast.hpp>

namespace weft::inline v0 {
namespace detail {

template <class Low, class F> struct autocast_of {
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
    else return in_low<traced_type<R>>(r, a...);
  }
  template <class R, class... A> constexpr R in_low(recorder& r, A const&... a) const {
    taking_all<F> const region{f, r};
    return from_leaves<R>(recorded_aside(
        r, region, [](graph_view g) { return weft::autocast(g, dtype_of<Low>); },
        std::make_integer_sequence<int, sizeof...(A)>{}, a...));
  }
};

} // namespace detail

// f with its products in Low (bf16) and the rest by the op table's policies
// (transform/autocast.hpp). Inside another one, products are in the inner Low; autocast<float>(f) is
// f as it is written, its arguments in their declared types.
template <class Low, class F> constexpr auto autocast(F f) {
  static_assert(element<Low> && is_float(dtype_of<Low>) && size_of(dtype_of<Low>) <= 4,
                "weft: autocast: not bf16, f16 or float; write autocast<bf16>(f)");
  return detail::autocast_of<Low, F>{f};
}

} // namespace weft::inline v0
