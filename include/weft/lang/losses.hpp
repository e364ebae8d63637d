// SPDX-License-Identifier: BSL-1.0
// Losses over the public functions, at both doors. Each is elementwise or per row, so that weights
// and masks can be applied; take mean(...) of it for training. softmax_cross_entropy with int
// labels is in nn.hpp.
//   auto loss = mean(huber(prediction, target));
// Needs: both_doors.hpp; float arrays whose shapes broadcast. Sources: PyTorch's definitions.
#pragma once

#include <weft/lang/both_doors.hpp>
#include <weft/lang/expression_elementary.hpp>
#include <weft/lang/expression_nn.hpp>

namespace weft::inline v0 {
namespace detail {

struct squared_error_call : plain_call {
  constexpr auto operator()(auto const& a, auto const& b) const {
    full_precision const here(a, b);
    auto d = a - b;
    return d * d;
  }
};
struct absolute_error_call : plain_call {
  constexpr auto operator()(auto const& a, auto const& b) const {
    full_precision const here(a, b);
    return abs(a - b);
  }
};
// d^2 / 2 for |d| <= delta, else delta (|d| - delta / 2).
struct huber_call : plain_call {
  constexpr auto operator()(auto const& a, auto const& b, auto const& delta) const {
    full_precision const here(a, b);
    auto d = abs(a - b);
    return select(d <= delta, d * d * 0.5, (d - delta * 0.5) * delta);
  }
};
struct logistic_loss_call : plain_call {
  constexpr auto operator()(auto const& logits, auto const& targets) const {
    full_precision const here(logits, targets);
    return softplus(logits) - logits * targets;
  }
};
struct hinge_call : plain_call {
  constexpr auto operator()(auto const& score, auto const& sign) const {
    full_precision const here(score, sign);
    auto margin = 1 - score * sign;
    return select(margin <= 0, 0, margin);
  }
};
// A share of 0 contributes 0 whatever the logarithm there is.
struct kl_divergence_call : plain_call {
  constexpr auto operator()(auto const& log_share, auto const& target) const {
    full_precision const here(log_share, target);
    auto some = target > 0;
    auto safe = select(some, target, 1);
    return select(some, target * (log(safe) - log_share), 0);
  }
};
template <int Axis> struct soft_cross_entropy_call : plain_call {
  constexpr auto operator()(auto const& logits, auto const& shares) const {
    full_precision const here(logits, shares);
    return -sum<Axis>(shares * log_softmax<Axis>(logits));
  }
};
template <int Axis> struct cosine_similarity_call : plain_call {
  // The derivative of a zero vector's length is 0.
  static constexpr auto length(auto const& a) {
    auto square = sum<Axis>(a * a);
    return select(square == 0, 0, sqrt(select(square == 0, 1, square)));
  }
  constexpr auto operator()(auto const& a, auto const& b, auto const& epsilon) const {
    full_precision const here(a, b);
    auto lengths = length(a) * length(b);
    return sum<Axis>(a * b) / maximum(lengths, epsilon);
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
// The cosine of the angle between a and b along Axis, which goes; 0 for a zero vector.
template <int Axis = -1, class A, class B, class Epsilon = double>
constexpr auto cosine_similarity(A const& a, B const& b, Epsilon epsilon = 1e-8) {
  return detail::now_at_door<detail::cosine_similarity_call<Axis>>(a, b, epsilon);
}

} // namespace weft::inline v0
