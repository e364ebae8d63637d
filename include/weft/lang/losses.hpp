// SPDX-License-Identifier: BSL-1.0
// Losses over the public functions, at both doors. Each is elementwise or per row, so that weights
// and masks can be applied; take mean(...) of it for training. softmax_cross_entropy with int
// labels is in nn.hpp.
//   auto loss = mean(huber(prediction, target));
// 16-bit floats are computed in float and rounded once.
// Needs: both_doors.hpp, leaf_arithmetic.hpp; float arrays whose shapes broadcast. Sources: PyTorch's definitions.
#pragma once

#include <weft/lang/both_doors.hpp>
#include <weft/lang/expression_elementary.hpp>
#include <weft/lang/expression_nn.hpp>
#include <weft/lang/leaf_arithmetic.hpp>

namespace weft::inline v0 {
namespace detail {

struct squared_error_call : rounded_once_call {
  constexpr auto operator()(auto const& a, auto const& b) const {
    full_precision const here(a, b);
    return rounded_once(
        [](auto const& x, auto const& y) {
          auto d = x - y;
          return d * d;
        },
        a, b);
  }
};
struct absolute_error_call : plain_call {
  constexpr auto operator()(auto const& a, auto const& b) const {
    full_precision const here(a, b);
    return abs(a - b);
  }
};
// d^2 / 2 for |d| <= delta, else delta (|d| - delta / 2).
struct huber_call : rounded_once_call {
  constexpr auto operator()(auto const& a, auto const& b, auto const& delta) const {
    full_precision const here(a, b);
    return rounded_once(
        [](auto const& x, auto const& y, auto const& most) {
          auto d = x - y;
          auto distance = abs(d);
          return select(distance <= most, d * d * 0.5, (distance - most * 0.5) * most);
        },
        a, b, delta);
  }
};
// softplus(x) - x t; where x > 0 that is softplus(-x) + x (1 - t): sums of what is not negative.
// Either side has the function's derivatives, at 0 too.
struct logistic_loss_call : rounded_once_call {
  constexpr auto operator()(auto const& logits, auto const& targets) const {
    full_precision const here(logits, targets);
    return rounded_once(
        [](auto const& x, auto const& t) {
          auto above = x > 0;
          auto one = convert<element_of<std::remove_cvref_t<decltype(x)>>>(above);
          return softplus(select(above, -x, x)) + (one - t) * x;
        },
        logits, targets);
  }
};
struct hinge_call : rounded_once_call {
  constexpr auto operator()(auto const& score, auto const& sign) const {
    full_precision const here(score, sign);
    return rounded_once(
        [](auto const& x, auto const& y) {
          auto margin = 1 - x * y;
          return select(margin <= 0, 0, margin);
        },
        score, sign);
  }
};
// A share of 0 contributes 0 whatever the logarithm there is.
struct kl_divergence_call : rounded_once_call {
  constexpr auto operator()(auto const& log_share, auto const& target) const {
    full_precision const here(log_share, target);
    return rounded_once(
        [](auto const& x, auto const& share) {
          auto nothing = share <= 0; // NaN stays
          auto safe = select(nothing, 1, share);
          return select(nothing, 0, share * (log(safe) - x));
        },
        log_share, target);
  }
};
template <int Axis> struct soft_cross_entropy_call : rounded_once_call {
  constexpr auto operator()(auto const& logits, auto const& shares) const {
    full_precision const here(logits, shares);
    return rounded_once(
        [](auto const& x, auto const& share) { return -sum<Axis>(share * log_softmax<Axis>(x)); },
        logits, shares);
  }
};
template <int Axis> struct cosine_similarity_call : rounded_once_call {
  // The derivative of a zero vector's length is 0.
  static constexpr auto length(auto const& a) {
    auto square = sum<Axis>(a * a);
    return select(square == 0, 0, sqrt(select(square == 0, 1, square)));
  }
  constexpr auto operator()(auto const& a, auto const& b, auto const& epsilon) const {
    full_precision const here(a, b);
    return rounded_once(
        [](auto const& x, auto const& y, auto const& e) {
          return sum<Axis>(x * y) / (maximum(length(x), e) * maximum(length(y), e));
        },
        a, b, epsilon);
  }
};

} // namespace detail

// (a - b)^2.
template <class A, class B> constexpr auto squared_error(A const& a, B const& b) {
  return detail::lazily_at_door<detail::squared_error_call>(a, b);
}
// |a - b|.
template <class A, class B> constexpr auto absolute_error(A const& a, B const& b) {
  return detail::lazily_at_door<detail::absolute_error_call>(a, b);
}
// Quadratic up to `delta`, linear beyond (Huber 1964).
template <class A, class B, class Delta = double>
constexpr auto huber(A const& prediction, B const& target, Delta delta = 1.0) {
  return detail::lazily_at_door<detail::huber_call>(prediction, target, delta);
}
// Binary cross-entropy of sigmoid(logits) against targets in [0, 1], without overflow.
template <class A, class B>
constexpr auto sigmoid_cross_entropy(A const& logits, B const& targets) {
  return detail::lazily_at_door<detail::logistic_loss_call>(logits, targets);
}
// max(0, 1 - score * sign), signs -1 and 1.
template <class A, class B> constexpr auto hinge(A const& score, B const& sign) {
  return detail::lazily_at_door<detail::hinge_call>(score, sign);
}
// target (log target - log_share), elementwise: sum it over the classes.
template <class A, class B> constexpr auto kl_divergence(A const& log_share, B const& target) {
  return detail::lazily_at_door<detail::kl_divergence_call>(log_share, target);
}
// -sum(shares * log_softmax(logits)) over Axis: labels as shares (one-hot, smoothed, distilled).
template <int Axis = -1, class A, class B>
constexpr auto soft_cross_entropy(A const& logits, B const& shares) {
  return detail::now_at_door<detail::soft_cross_entropy_call<Axis>>(logits, shares);
}
// The cosine of the angle between a and b along Axis, which goes; 0 for a zero vector. Each length
// counts as epsilon at least, as in PyTorch.
template <int Axis = -1, class A, class B, class Epsilon = double>
constexpr auto cosine_similarity(A const& a, B const& b, Epsilon epsilon = 1e-8) {
  return detail::now_at_door<detail::cosine_similarity_call<Axis>>(a, b, epsilon);
}

} // namespace weft::inline v0
