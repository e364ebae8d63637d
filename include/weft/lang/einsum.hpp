// SPDX-License-Identifier: BSL-1.0
// einsum and linear of traced arrays: lowered here to reductions, one contraction, a transpose.
//   einsum<"bi,ih->bh">(x, w)  einsum<"ij->ji">(x)  linear(x, w, b)  linear<"bi,hi->bh">(x, w, b)
// Needs: einsum_spec.hpp. Leaves: labels of one operand only that are not in the output are summed
// first; the contraction's order (chain or lanes) is fixed here, for good (docs/numerics.md).
#pragma once

#include <weft/lang/einsum_spec.hpp>
#include <weft/lang/elementwise.hpp>

namespace weft::inline v0 {
namespace detail {

constexpr handle sum_lonely(einsum_spec const& e, int k, handle x) {
  return reduce(op::reduce_sum, x, einsum_lonely(e, k));
}
constexpr handle contract_of(einsum_spec const& e, handle a, handle b, dtype type,
                             handle bias = {}) {
  handle x = sum_lonely(e, 0, a), y = sum_lonely(e, 1, b);
  contraction c = einsum_contraction(e);
  c.order = order_for(c, x.shape(), y.shape());
  c.has_bias = bias.valid();
  return contract(x, y, c, type, {}, bias);
}
constexpr handle rearrange(einsum_spec const& e, handle x) {
  einsum_labels left = without(e.in[0], einsum_lonely(e, 0));
  extent p[max_rank]{};
  for (int i = 0; i < e.out.rank; ++i) p[i] = left.find(e.out.label[i]);
  return transpose(sum_lonely(e, 0, x), {p, e.out.rank});
}

} // namespace detail

// One or two operands of one element type; a label has one extent (errors: einsum_spec.hpp). bf16
// accumulates in float and is rounded once. einsum<"bi,ih->bh">(x, w) of (b, i), (i, h) is (b, h).
template <fixed_string Spec, class A, class... B>
  requires traced_call<A, B...>
constexpr auto einsum(A const& a, B const&... b) {
  using T = detail::common_element<A, B...>;
  using S = detail::shape_of_operand<A>;
  constexpr bool ok = detail::check_elements<T, A, B...>() && detail::check_op<op::contract, T>() &&
                      detail::check_einsum<Spec, S, detail::shape_of_operand<B>...>();
  recorder& r = detail::recorder_of(a, b...);
  if constexpr (ok) {
    constexpr detail::einsum_spec e = detail::einsum_of<Spec>;
    handle x = detail::node_of<T>(r, a, S::value);
    if constexpr (sizeof...(B) == 0)
      return traced_of<T, detail::einsum_shape(e, S::value, {})>{detail::rearrange(e, x)};
    else {
      constexpr extents second = (detail::shape_of_operand<B>::value, ...);
      handle y = (detail::node_of<T>(r, b, second), ...);
      return traced_of<T, detail::einsum_shape(e, S::value, second)>{
          detail::contract_of(e, x, y, dtype_of<T>)};
    }
  } else return detail::as_traced(r, a);
}

// A product and a bias, added in the accumulation type before the one rounding. The bias
// broadcasts to the product's shape.
template <fixed_string Spec, class X, class W, class B>
  requires traced_call<X, W, B>
constexpr auto linear(X const& x, W const& w, B const& bias) {
  using T = detail::common_element<X, W, B>;
  using Sx = detail::shape_of_operand<X>;
  using Sw = detail::shape_of_operand<W>;
  recorder& r = detail::recorder_of(x, w, bias);
  constexpr bool ok = detail::check_elements<T, X, W, B>() && detail::check_op<op::contract, T>() &&
                      detail::check_einsum<Spec, Sx, Sw>();
  if constexpr (ok) {
    constexpr detail::einsum_spec e = detail::einsum_of<Spec>;
    constexpr extents to = detail::einsum_shape(e, Sx::value, Sw::value);
    using Sb = detail::shape_of_operand<B>;
    static_assert(detail::broadcasts_to<Sb, shape_of_value<to>>,
                  "weft: linear: the bias does not broadcast to the product");
    handle a = detail::node_of<T>(r, x, Sx::value), b = detail::node_of<T>(r, w, Sw::value);
    handle start = detail::node_of<T>(r, bias, to);
    return traced_of<T, to>{detail::contract_of(e, a, b, dtype_of<T>, start)};
  } else return detail::as_traced(r, x);
}

namespace detail {
// "abx,xy->aby" for an x of three axes; weights (out, in): "abx,yx->aby".
template <int Rank, bool OutFirst = false> consteval auto linear_text() {
  char s[2 * Rank + 6]{};
  int n = 0;
  for (int i = 0; i + 1 < Rank; ++i) s[n++] = static_cast<char>('a' + i);
  for (char c : {'x', ',', OutFirst ? 'y' : 'x', OutFirst ? 'x' : 'y', '-', '>'}) s[n++] = c;
  for (int i = 0; i + 1 < Rank; ++i) s[n++] = static_cast<char>('a' + i);
  s[n++] = 'y';
  return fixed_string(s);
}
} // namespace detail

// x (..., in), w (in, out), bias (out): over the last axis of x, whatever its rank.
template <class X, class W, class B>
  requires traced_call<X, W, B>
constexpr auto linear(X const& x, W const& w, B const& bias) {
  static_assert(detail::shape_of_operand<X>::rank > 0, "weft: linear: x has no axis");
  return weft::linear<detail::linear_text<detail::shape_of_operand<X>::rank>()>(x, w, bias);
}

} // namespace weft::inline v0
