// SPDX-License-Identifier: BSL-1.0
// Convolutions of traced arrays, in any layout: the text says which axis is what, and is read and
// planned at compile time.
//   conv<"NHWC,HWIO->NHWC">(x, w)
//   conv<"NCHW,OIHW->NCHW", conv_options{.strides = 2, .padding = pads::same}>(x, w, bias)
//   conv<"NHC,CHF->NHF", conv_options{}, float>(x, w) of bf16 operands keeps the sums in float
//   conv_transpose<"NHWC,HWIO->NHWC", conv_transpose_options{.strides = 2}>(x, w)
// Needs: conv_check.hpp, graph/handle_convolve.hpp. Leaves: one convolve node between reshapes that
// split and merge groups (none without groups).
#pragma once

#include <weft/graph/handle_convolve.hpp>
#include <weft/lang/conv_check.hpp>
#include <weft/lang/einsum.hpp>

namespace weft::inline v0 {
namespace detail {

// One number per feature, at every place of the node.
constexpr handle spread_bias(conv_plan const& p, handle bias) {
  extent const map[] = {p.bias_axis, p.bias_axis + 1};
  return broadcast(reshape(bias, p.bias), p.node, {map, p.bias.rank});
}
// The node of a bias with elements T, or none.
template <class Features> constexpr handle bias_node(recorder&, conv_plan const&) { return {}; }
template <class Features, class T, class B>
constexpr handle bias_node(recorder& r, conv_plan const& p, B const& bias) {
  if constexpr (shape_of_operand<B>::rank == 0) return node_of<T>(r, bias, p.node);
  else return spread_bias(p, node_of<T>(r, bias, Features::value));
}

// The types of a call; B: nothing, or the bias, of the operands' type or of the result's.
template <class Out, class X, class W, class... B> struct conv_types {
  template <class E>
  static constexpr bool is_result = !number_literal<E> && std::is_same_v<element_of<E>, Out>;
  using element = common_element<X, W, std::conditional_t<is_result<B>, X, B>...>;
  using result = einsum_element<element, Out>;
  template <class E> using of_bias = std::conditional_t<is_result<E>, result, element>;
  using x = shape_of_operand<X>;
  using w = shape_of_operand<W>;
};
template <class Types, class X, class W, class... B> consteval bool check_conv_elements() {
  using T = typename Types::element;
  using R = typename Types::result;
  static_assert(accumulates_in<T, R>,
                "weft: conv: this element type does not hold the operands' values; convert them");
  return accumulates_in<T, R> && check_elements<T, X, W>() && check_op<op::convolve, T>() &&
         (check_elements<typename Types::template of_bias<B>, B>() && ...);
}
// The nodes of a call without mistakes.
template <fixed_string Spec, auto Options, class Types, class X, class W, class... B>
constexpr auto convolved(X const& x, W const& w, B const&... bias) {
  using T = typename Types::element;
  using R = typename Types::result;
  constexpr auto const& plan = conv_plan_of<Spec, Options, typename Types::x, typename Types::w>;
  using Features = shape_of_value<features_of(plan)>;
  recorder& r = recorder_of(x, w, bias...);
  handle const hx = node_of<T>(r, x, Types::x::value), hw = node_of<T>(r, w, Types::w::value);
  handle const start = bias_node<Features, typename Types::template of_bias<B>...>(r, plan,
                                                                                   bias...);
  return traced_of<R, plan.shape>{record_conv(plan, hx, hw, dtype_of<R>, start)};
}

} // namespace detail

// The sum over windows of x, then over channels, of x times the filter (correlation: the filter is
// read forwards unless `.reverse`). Spec: conv_spec.hpp; spatial axes may be none. Result: batch and
// features of the operands, and per spatial axis
//   (dilated(n, lhs_dilation) + low + high - reach) / stride + 1, reach = dilated(k, rhs_dilation)
// places, where dilated(n, d) = (n - 1) * d + 1; 0 where the window does not fit. Operands: one
// element type, numbers; bf16 and f16 are rounded once, at the end. Out: as of einsum.
// A bias, one number per feature or one for all, of the operands' type or of Out, is added in the
// accumulation type before the one rounding: conv<"...">(x, w, bias).
// conv<"NHWC,HWIO->NHWC">(x, w) of (8, 28, 28, 3), (5, 5, 3, 16) is (8, 24, 24, 16).
template <fixed_string Spec, conv_options O = conv_options{}, class Out = void, class X, class W,
          class... B>
  requires(traced_call<X, W, B...> && sizeof...(B) <= 1)
constexpr auto conv(X const& x, W const& w, B const&... bias) {
  using call = detail::conv_types<Out, X, W, B...>;
  if constexpr (detail::check_conv_elements<call, X, W, B...>()) {
    if constexpr (detail::check_conv<Spec, O, typename call::x, typename call::w,
                                     detail::shape_of_operand<B>...>())
      return detail::convolved<Spec, O, call>(x, w, bias...);
    else return detail::stand_in<traced<typename call::result>>(detail::recorder_of(x, w, bias...));
  } else return detail::as_traced(detail::recorder_of(x, w, bias...), x);
}

// The transposed convolution: the derivative by its input of the conv with these strides, padding
// and dilation, which stamps w, times each element of x, onto the result. The text's roles are those
// of x and the result here: I of the filter are channels of x, O those of the result.
//   PyTorch (in, out, k, k)            "NCHW,IOHW->NCHW"
//   JAX, transpose_kernel=True         "NHWC,HWOI->NHWC" for the forward kernel HWIO
//   JAX, transpose_kernel=False        "NHWC,HWIO->NHWC" and .reverse = 1
// Places per spatial axis: (n - 1) * stride + reach - low - high + output_padding, none of none;
// pads::same: n * stride + output_padding. Groups: the filter's O counts one group's features.
template <fixed_string Spec, conv_transpose_options O = conv_transpose_options{}, class Out = void,
          class X, class W, class... B>
  requires(traced_call<X, W, B...> && sizeof...(B) <= 1)
constexpr auto conv_transpose(X const& x, W const& w, B const&... bias) {
  using call = detail::conv_types<Out, X, W, B...>;
  if constexpr (detail::check_conv_elements<call, X, W, B...>()) {
    if constexpr (detail::check_conv<Spec, O, typename call::x, typename call::w,
                                     detail::shape_of_operand<B>...>())
      return detail::convolved<Spec, O, call>(x, w, bias...);
    else return detail::stand_in<traced<typename call::result>>(detail::recorder_of(x, w, bias...));
  } else return detail::as_traced(detail::recorder_of(x, w, bias...), x);
}

} // namespace weft::inline v0
