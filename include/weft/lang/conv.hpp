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

// `type`: the result's: the operands', what they accumulate in, or one that holds both.
constexpr handle record_conv(conv_plan const& p, handle x, handle w, dtype type, handle bias = {}) {
  bool const own = type == x.type() || type == accumulator_of(x.type());
  auto const typed = [&](handle h) { return own ? h : convert(h, type); };
  convolution c = p.labels;
  c.has_bias = bias.valid();
  handle const node = convolve(reshape(typed(x), p.x), reshape(typed(w), p.w), c, p.node, type,
                               c.has_bias ? typed(bias) : bias);
  return reshape(node, p.shape);
}
// One number per feature, at every place of the node.
constexpr handle spread_bias(conv_plan const& p, handle bias) {
  extent const map[] = {p.bias_axis, p.bias_axis + 1};
  return broadcast(reshape(bias, p.bias), p.node, {map, p.bias.rank});
}
constexpr extents features_of(conv_plan const& p) {
  int const rank = p.bias.rank;
  if (rank == 0) return {};
  return {1, {rank == 1 ? p.bias[0] : p.bias[0] * p.bias[1]}};
}

template <class T, class R> consteval bool check_conv_element() {
  static_assert(accumulates_in<T, R>,
                "weft: conv: this element type does not hold the operands' values; convert them");
  return accumulates_in<T, R>;
}
template <class B, class Features> consteval bool check_conv_bias() {
  static_assert(one_bias_per_feature<B, Features>,
                "weft: conv: the bias is one number, or one axis of a number per feature");
  return one_bias_per_feature<B, Features>;
}

// The node of a bias with elements T, or none.
template <class T, class Features> constexpr handle bias_node(recorder&, conv_plan const&) {
  return {};
}
template <class T, class Features, class B>
constexpr handle bias_node(recorder& r, conv_plan const& p, B const& bias) {
  if constexpr (shape_of_operand<B>::rank == 0) return node_of<T>(r, bias, p.node);
  else return spread_bias(p, node_of<T>(r, bias, Features::value));
}

// Both functions; B: nothing, or the bias.
template <fixed_string Spec, auto Options, class Out, class X, class W, class... B>
constexpr auto convolution_call(X const& x, W const& w, B const&... bias) {
  using T = common_element<X, W, B...>;
  using R = einsum_element<T, Out>;
  using Sx = shape_of_operand<X>;
  using Sw = shape_of_operand<W>;
  recorder& r = recorder_of(x, w, bias...);
  constexpr bool typed = check_elements<T, X, W, B...>() && check_op<op::convolve, T>() &&
                         check_conv_element<T, R>();
  if constexpr (typed && check_conv<Spec, Options, Sx, Sw>()) {
    constexpr auto const& plan = conv_plan_of<Spec, Options, Sx, Sw>;
    using Features = shape_of_value<features_of(plan)>;
    if constexpr ((check_conv_bias<shape_of_operand<B>, Features>() && ...)) {
      handle const hx = node_of<T>(r, x, Sx::value), hw = node_of<T>(r, w, Sw::value);
      handle const start = bias_node<T, Features>(r, plan, bias...);
      return traced_of<R, plan.shape>{record_conv(plan, hx, hw, dtype_of<R>, start)};
    } else return stand_in<traced_of<R, plan.shape>>(r);
  } else return stand_in<traced<R>>(r);
}

} // namespace detail

// The sum over windows of x, then over channels, of x times the filter (correlation: the filter is
// read forwards unless `.reverse`). Spec: conv_spec.hpp; spatial axes may be none. Result: batch and
// features of the operands, and per spatial axis
//   (dilated(n, lhs_dilation) + low + high - reach) / stride + 1, reach = dilated(k, rhs_dilation)
// places, where dilated(n, d) = (n - 1) * d + 1; 0 where the window does not fit. Operands: one
// element type, numbers; bf16 and f16 are rounded once, at the end. Out: as of einsum.
// conv<"NHWC,HWIO->NHWC">(x, w) of (8, 28, 28, 3), (5, 5, 3, 16) is (8, 24, 24, 16).
template <fixed_string Spec, conv_options O = conv_options{}, class Out = void, class X, class W>
  requires traced_call<X, W>
constexpr auto conv(X const& x, W const& w) {
  return detail::convolution_call<Spec, O, Out>(x, w);
}
// The same and a bias, one number per feature (or one for all), added in the accumulation type
// before the one rounding.
template <fixed_string Spec, conv_options O = conv_options{}, class Out = void, class X, class W,
          class B>
  requires traced_call<X, W, B>
constexpr auto conv(X const& x, W const& w, B const& bias) {
  return detail::convolution_call<Spec, O, Out>(x, w, bias);
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
          class X, class W>
  requires traced_call<X, W>
constexpr auto conv_transpose(X const& x, W const& w) {
  return detail::convolution_call<Spec, O, Out>(x, w);
}
template <fixed_string Spec, conv_transpose_options O = conv_transpose_options{}, class Out = void,
          class X, class W, class B>
  requires traced_call<X, W, B>
constexpr auto conv_transpose(X const& x, W const& w, B const& bias) {
  return detail::convolution_call<Spec, O, Out>(x, w, bias);
}

} // namespace weft::inline v0
