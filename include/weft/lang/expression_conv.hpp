// SPDX-License-Identifier: BSL-1.0
// conv and conv_transpose of tensors and expressions: computed now. Operands that are expressions
// become part of the one program.
// Needs: conv.hpp, expression.hpp. Leaves: the traced door's bits.
#pragma once

#include <weft/lang/conv.hpp>
#include <weft/lang/expression.hpp>

namespace weft::inline v0 {
namespace detail {

template <fixed_string Spec, conv_options O, class Out> struct conv_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::conv<Spec, O, Out>(x...); }
};
template <fixed_string Spec, conv_transpose_options O, class Out>
struct conv_transpose_call : plain_call {
  constexpr auto operator()(auto const&... x) const {
    return weft::conv_transpose<Spec, O, Out>(x...);
  }
};

} // namespace detail

template <fixed_string Spec, conv_options O = conv_options{}, class Out = void, class X, class W,
          class... B>
  requires(immediate_call<X, W, B...> && sizeof...(B) <= 1)
constexpr auto conv(X&& x, W&& w, B&&... bias) {
  return detail::now<detail::conv_call<Spec, O, Out>>(std::forward<X>(x), std::forward<W>(w),
                                                      std::forward<B>(bias)...);
}
template <fixed_string Spec, conv_transpose_options O = conv_transpose_options{}, class Out = void,
          class X, class W, class... B>
  requires(immediate_call<X, W, B...> && sizeof...(B) <= 1)
constexpr auto conv_transpose(X&& x, W&& w, B&&... bias) {
  return detail::now<detail::conv_transpose_call<Spec, O, Out>>(
      std::forward<X>(x), std::forward<W>(w), std::forward<B>(bias)...);
}

} // namespace weft::inline v0
