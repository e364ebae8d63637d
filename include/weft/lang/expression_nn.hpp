// SPDX-License-Identifier: BSL-1.0
// The functions of nn.hpp, of tensors and expressions: one program each, computed now (relu, which
// is elementwise, stays an expression).
// Needs: nn.hpp, expression_composites.hpp. Leaves: tensors.
#pragma once

#include <weft/lang/expression_composites.hpp>
#include <weft/lang/expression_elementwise.hpp>
#include <weft/lang/nn.hpp>

namespace weft::inline v0 {
namespace detail {

struct relu_call : plain_call {
  constexpr auto operator()(auto const& x) const { return weft::relu(x); }
};
template <int Axis> struct softmax_call : plain_call {
  constexpr auto operator()(auto const& x) const { return weft::softmax<Axis>(x); }
};
template <int Axis> struct log_softmax_call : plain_call {
  constexpr auto operator()(auto const& x) const { return weft::log_softmax<Axis>(x); }
};
struct softmax_cross_entropy_call : plain_call {
  constexpr auto operator()(auto const& logits, auto const& labels) const {
    return weft::softmax_cross_entropy(logits, labels);
  }
};
template <class Wi, class Wh, class Bi, class Bh> struct gru_operands {
  Wi input;
  Wh hidden;
  Bi input_bias;
  Bh hidden_bias;
};
struct gru_call : plain_call {
  template <class Wi, class Wh, class Bi, class Bh>
  constexpr auto operator()(auto const& h, auto const& x, Wi const& wi, Wh const& wh, Bi const& bi,
                            Bh const& bh) const {
    return weft::gru(gru_operands<Wi, Wh, Bi, Bh>{wi, wh, bi, bh}, h, x);
  }
};

} // namespace detail

template <array_value X> constexpr auto relu(X const& x) {
  return detail::lazily<detail::relu_call>(x);
}
template <int Axis = -1, array_value X> constexpr auto softmax(X const& x) {
  return detail::now<detail::softmax_call<Axis>>(x);
}
template <int Axis = -1, array_value X> constexpr auto log_softmax(X const& x) {
  return detail::now<detail::log_softmax_call<Axis>>(x);
}
template <array_value Logits, array_value Labels>
constexpr auto softmax_cross_entropy(Logits const& logits, Labels const& labels) {
  return detail::now<detail::softmax_cross_entropy_call>(logits, labels);
}
template <class P, array_value H, array_value X>
constexpr auto gru(P const& p, H const& h, X const& x) {
  return detail::now<detail::gru_call>(h, x, p.input, p.hidden, p.input_bias, p.hidden_bias);
}

} // namespace weft::inline v0
