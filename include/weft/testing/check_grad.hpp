// SPDX-License-Identifier: BSL-1.0
// check_grad: the derivatives of a function at given arrays, in reverse and in forward mode,
// against central differences in float64. For tests of functions and of custom rules.
//   auto report = weft::check_grad(loss, p, x, labels, weft::key(1));
//   if (!report) std::puts(report.text().c_str());
// Arguments: tensors, structs of them, keys, numbers; every float leaf is double and is checked,
// integer, bool and key leaves stay as they are. Results: any structure with float64 leaves.
// Needs: the interpreter (no kernel is compiled; time grows with the number of elements), no test
// framework. Bounds and limits: testing/check_gradient.hpp. Not part of weft.hpp.
// Errors: usage_error for a float leaf that is not double, and for mistakes in the trace.
#pragma once

#include <weft/lang/call.hpp> // first: errors print the way to it

#include <weft/pass/canonical.hpp>
#include <weft/run/checked_trace.hpp>
#include <weft/run/evaluate.hpp>
#include <weft/testing/check_gradient.hpp>

namespace weft::inline v0 {

// `ulps`: how far off one evaluation of f may be, in ulps of the sum of its results' sizes.
struct check_options {
  double ulps = 64;
};

namespace detail {
template <class X> struct checked_argument {
  using type = argument_t<X>;
};
template <> struct checked_argument<double> { // not float, which a literal is elsewhere
  using type = tensor<double>;
};
template <class X> using checked_argument_t = typename checked_argument<X>::type;
} // namespace detail

template <class F, class... A>
gradient_report check_grad(check_options options, F const& f, A const&... a) {
  graph const g = canonical(detail::checked_trace(record<detail::checked_argument_t<A>...>(f)));
  growing<dense> inputs;
  auto const push = [&inputs]<class L>(L const& leaf) {
    if constexpr (element<L>) inputs.push(dense(dtype_of<L>, {}, word_of(leaf)));
    else inputs.push(detail::dense_of(leaf));
  };
  (for_each_leaf(detail::checked_argument_t<A>(a), push), ...);
  auto const run = [](graph_view program, growing<dense> const& in) {
    return interpret(program, in);
  };
  return check_gradient(g, inputs, run, options.ulps);
}
template <class F, class... A>
  requires(!std::is_same_v<F, check_options>)
gradient_report check_grad(F const& f, A const&... a) {
  return check_grad(check_options{}, f, a...);
}

} // namespace weft::inline v0
