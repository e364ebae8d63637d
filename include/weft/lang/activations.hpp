// SPDX-License-Identifier: BSL-1.0
// Activations, elementwise over the public functions, at both doors; x's shape and element type.
// A derivative at a corner is the one that PyTorch takes: 0 for relu at 0, the slope for leaky_relu.
// NaN stays NaN. Numbers (slopes) may be literals or rank-0 arrays. 16-bit floats are computed in
// float and rounded once.
//   auto y = leaky_relu(x, 0.2f);
// Needs: both_doors.hpp, leaf_arithmetic.hpp; gelu and softplus are rows of the op table. Sources:
// PyTorch's and JAX's definitions of the same names.
#pragma once

#include <weft/lang/both_doors.hpp>
#include <weft/lang/expression_nn.hpp>
#include <weft/lang/leaf_arithmetic.hpp>

namespace weft::inline v0 {
namespace detail {

struct relu6_call : plain_call {
  constexpr auto operator()(auto const& x) const { return select(x <= 0, 0, select(x >= 6, 6, x)); }
};
struct leaky_relu_call : rounded_once_call {
  constexpr auto operator()(auto const& x, auto const& slope) const {
    return rounded_once([](auto const& a, auto const& s) { return select(a <= 0, a * s, a); }, x,
                        slope);
  }
};
// exp of positive numbers may overflow where it is not taken: its operand is at most 0.
struct elu_call : rounded_once_call {
  constexpr auto operator()(auto const& x, auto const& alpha) const {
    return rounded_once(
        [](auto const& a, auto const& s) {
          return select(a <= 0, s * expm1(select(a <= 0, a, 0)), a);
        },
        x, alpha);
  }
};
struct celu_call : rounded_once_call {
  constexpr auto operator()(auto const& x, auto const& alpha) const {
    return rounded_once(
        [](auto const& a, auto const& s) {
          return select(a <= 0, s * expm1(select(a <= 0, a, 0) / s), a);
        },
        x, alpha);
  }
};
struct selu_call : plain_call {
  constexpr auto operator()(auto const& x) const {
    return rounded_once(
        [](auto const& a) { return elu_call{}(a, 1.6732632423543772) * 1.0507009873554805; }, x);
  }
};
struct silu_call : plain_call {
  constexpr auto operator()(auto const& x) const {
    return rounded_once([](auto const& a) { return a * sigmoid(a); }, x);
  }
};
struct mish_call : plain_call {
  constexpr auto operator()(auto const& x) const {
    return rounded_once([](auto const& a) { return a * tanh(softplus(a)); }, x);
  }
};
struct hard_tanh_call : plain_call {
  constexpr auto operator()(auto const& x) const {
    return select(x <= -1, -1, select(x >= 1, 1, x));
  }
};
struct hard_sigmoid_call : plain_call {
  constexpr auto operator()(auto const& x) const {
    return rounded_once([](auto const& a) { return relu6_call{}(a + 3) / 6; }, x);
  }
};
struct hard_silu_call : plain_call {
  constexpr auto operator()(auto const& x) const {
    return rounded_once([](auto const& a) { return a * hard_sigmoid_call{}(a); }, x);
  }
};
struct soft_sign_call : plain_call {
  constexpr auto operator()(auto const& x) const {
    return rounded_once([](auto const& a) { return a / (abs(a) + 1); }, x);
  }
};
struct log_sigmoid_call : plain_call {
  constexpr auto operator()(auto const& x) const { return -softplus(-x); }
};
struct gelu_tanh_call : plain_call {
  constexpr auto operator()(auto const& x) const {
    return rounded_once(
        [](auto const& a) {
          return a * 0.5 * (tanh((a + a * a * a * 0.044715) * 0.7978845608028654) + 1);
        },
        x);
  }
};

} // namespace detail

// max(x, 0) and at most 6.
template <any_array X> constexpr auto relu6(X const& x) {
  return detail::lazily_at_door<detail::relu6_call>(x);
}
// x, or slope * x up to 0.
template <any_array X, class Slope = double>
constexpr auto leaky_relu(X const& x, Slope slope = 0.01) {
  return detail::lazily_at_door<detail::leaky_relu_call>(x, slope);
}
// x, or alpha (e^x - 1) below 0.
template <any_array X, class Alpha = double> constexpr auto elu(X const& x, Alpha alpha = 1.0) {
  return detail::lazily_at_door<detail::elu_call>(x, alpha);
}
// x, or alpha (e^(x / alpha) - 1) below 0.
template <any_array X, class Alpha = double> constexpr auto celu(X const& x, Alpha alpha = 1.0) {
  return detail::lazily_at_door<detail::celu_call>(x, alpha);
}
// elu scaled so that mean 0 and variance 1 stay (Klambauer et al. 2017).
template <any_array X> constexpr auto selu(X const& x) {
  return detail::lazily_at_door<detail::selu_call>(x);
}
// x sigmoid(x); also called swish.
template <any_array X> constexpr auto silu(X const& x) {
  return detail::lazily_at_door<detail::silu_call>(x);
}
// x tanh(softplus(x)).
template <any_array X> constexpr auto mish(X const& x) {
  return detail::lazily_at_door<detail::mish_call>(x);
}
// x between -1 and 1.
template <any_array X> constexpr auto hard_tanh(X const& x) {
  return detail::lazily_at_door<detail::hard_tanh_call>(x);
}
// relu6(x + 3) / 6.
template <any_array X> constexpr auto hard_sigmoid(X const& x) {
  return detail::lazily_at_door<detail::hard_sigmoid_call>(x);
}
// x relu6(x + 3) / 6.
template <any_array X> constexpr auto hard_silu(X const& x) {
  return detail::lazily_at_door<detail::hard_silu_call>(x);
}
// x / (1 + |x|).
template <any_array X> constexpr auto soft_sign(X const& x) {
  return detail::lazily_at_door<detail::soft_sign_call>(x);
}
// log(sigmoid(x)) without overflow.
template <any_array X> constexpr auto log_sigmoid(X const& x) {
  return detail::lazily_at_door<detail::log_sigmoid_call>(x);
}
// The tanh approximation of gelu (Hendrycks, Gimpel 2016): what older models were trained with.
template <any_array X> constexpr auto gelu_tanh(X const& x) {
  return detail::lazily_at_door<detail::gelu_tanh_call>(x);
}

} // namespace weft::inline v0
