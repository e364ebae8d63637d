// SPDX-License-Identifier: BSL-1.0
// checkpoint(f): f, whose reverse derivative keeps f's arguments alone and computes the rest again
// where it is needed: less memory for more work, the same bits.
//   auto y = checkpoint(block)(p.second, checkpoint(block)(p.first, x));
//   checkpoint<residuals::products>(f)     results of products, too; elementwise work is done again
//   checkpoint<residuals::everything>(f)   all that the way back reads; nothing is done again
//   scan<scan_options{.save = residuals::nothing}>(body, init, xs)   the same choice for a loop
// Regions nest, each with its own choice, and stand in bodies of loops: scan(checkpoint(body), ...).
// A region that keeps nothing decides for those inside of it, too, on its own way back. Captured
// values count as arguments. Keys are arguments: what is drawn again are the same numbers.
// Without a derivative, and in forward mode, f is computed as it stands. explain() says what each
// choice would keep.
// Needs: transform/checkpoint.hpp; at least one traced argument; with tensors (run/jit.hpp) the
// function is compiled, if it captures nothing. Leaves: the function is recorded aside and put back
// as a region. Errors: arguments that f does not take.
#pragma once

#include <weft/lang/gradients.hpp>

namespace weft::inline v0 {
namespace detail {

template <class F, class... A>
concept takes_arguments = requires(F const& f, A const&... a) { f(a...); };

template <residuals Save, class F> struct checkpoint_of {
  using functions = type_list<F>;
  F f;

  template <class... A> constexpr auto operator()(A const&... a) const {
    if constexpr ((traced_structure<A> || ...)) {
      recorder& r = recorder_in(a...).innermost();
      constexpr bool right = takes_arguments<F, traced_type<A>...>;
      static_assert(right, "weft: checkpoint: the function does not take these arguments; "
                           "write checkpoint(f)(x), with what f takes");
      if constexpr (right) return recorded(r, to_traced(r, a)...);
      else return none;
    } else return run_transformed(*this, a...);
  }

private:
  template <class... A> constexpr auto recorded(recorder& r, A const&... a) const {
    taking_all<F> const region{f, r};
    auto const rule = [](graph_view g) { return weft::checkpoint(g, Save); };
    return from_leaves<traced_result<F, A...>>(
        recorded_aside(r, region, rule, std::make_integer_sequence<int, sizeof...(A)>{}, a...));
  }
};

} // namespace detail

// f, recomputed on the way back from its arguments and from what Save names. checkpoint(f)(p, x)
template <residuals Save = residuals::nothing, detail::no_graph F> constexpr auto checkpoint(F f) {
  return detail::checkpoint_of<Save, F>{f};
}

} // namespace weft::inline v0
