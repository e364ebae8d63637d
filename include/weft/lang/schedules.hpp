// SPDX-License-Identifier: BSL-1.0
// Learning rates as functions of the step, a rank-0 array of integers (adam's state has one) or an
// integer literal; float results, at both doors (of a literal a maker, which meets arrays of both).
// Numbers are options of the template, known when recorded.
//   constexpr rate_schedule plan{.peak = 1e-3, .warmup = 100, .steps = 10000};
//   auto rate = warmup_cosine<plan>(state.step);
// Needs: both_doors.hpp, optimise.hpp (log_of_decay). Leaves: steps below 0 count as 0; those from
// `steps` on have the rate `floor` in linear_decay and warmup_cosine. exponential_decay and
// step_decay go on until they reach `floor`, whatever `steps` is.
#pragma once

#include <weft/lang/both_doors.hpp>
#include <weft/lang/optimise.hpp>

namespace weft::inline v0 {

struct rate_schedule {
  double peak = 1e-3;  // the highest rate
  double floor = 0;    // the last one
  int warmup = 0;      // steps of linear growth from 0
  int steps = 1000;    // until the floor, warmup included: linear_decay and warmup_cosine
  double decay = 0.96; // per `every` steps, for exponential_decay and step_decay
  int every = 1;
};

namespace detail {

// Share of the way behind the warmup, 0 to 1.
template <rate_schedule S> constexpr auto progress(auto const& step) {
  constexpr double length = S.steps > S.warmup ? S.steps - S.warmup : 1;
  auto share = (step - static_cast<double>(S.warmup)) / length;
  return maximum(minimum(share, 1), 0);
}
template <rate_schedule S> constexpr auto warmed(auto const& step, auto const& rate) {
  if constexpr (S.warmup == 0) return rate;
  else return select(step < S.warmup, step * (S.peak / S.warmup), rate);
}
template <rate_schedule S> struct linear_decay_call : plain_call {
  constexpr auto operator()(auto const& n) const {
    auto step = maximum(convert<float>(n), 0);
    auto left = 1 - progress<S>(step); // of nothing left, the floor exactly
    return warmed<S>(step, left * (S.peak - S.floor) + S.floor);
  }
};
template <rate_schedule S> struct warmup_cosine_call : plain_call {
  constexpr auto operator()(auto const& n) const {
    auto step = maximum(convert<float>(n), 0);
    auto wave = cos(progress<S>(step) * 3.14159265358979324) + 1;
    return warmed<S>(step, wave * ((S.peak - S.floor) / 2) + S.floor);
  }
};
template <rate_schedule S> struct exponential_decay_call : plain_call {
  constexpr auto operator()(auto const& n) const {
    auto step = maximum(convert<float>(n), 0);
    auto behind = maximum(step - S.warmup, 0) * (log_of_decay(S.decay) / S.every);
    return warmed<S>(step, maximum(exp(behind) * S.peak, S.floor));
  }
};
template <rate_schedule S> struct step_decay_call : plain_call {
  constexpr auto operator()(auto const& n) const {
    auto step = maximum(convert<float>(n), 0);
    auto drops = convert<float>(maximum(n - S.warmup, 0) / S.every);
    return warmed<S>(step, maximum(exp(drops * log_of_decay(S.decay)) * S.peak, S.floor));
  }
};

template <class F, class N> constexpr auto rate_at(N const& step) {
  if constexpr (number_literal<N>) {
    static_assert(std::is_integral_v<N>, "weft: a schedule: the step is no integer");
    return now_at_door<F>(full<std::int64_t>(static_cast<std::int64_t>(step)));
  } else return now_at_door<F>(step);
}

} // namespace detail

// Linear from peak to floor after the warmup.
template <rate_schedule S, class N> constexpr auto linear_decay(N const& step) {
  return detail::rate_at<detail::linear_decay_call<S>>(step);
}
// Half a cosine from peak to floor after the warmup (Loshchilov, Hutter 2017).
template <rate_schedule S, class N> constexpr auto warmup_cosine(N const& step) {
  return detail::rate_at<detail::warmup_cosine_call<S>>(step);
}
// peak * decay^(steps / every), not below floor.
template <rate_schedule S, class N> constexpr auto exponential_decay(N const& step) {
  return detail::rate_at<detail::exponential_decay_call<S>>(step);
}
// peak * decay^floor(steps / every), not below floor.
template <rate_schedule S, class N> constexpr auto step_decay(N const& step) {
  return detail::rate_at<detail::step_decay_call<S>>(step);
}

} // namespace weft::inline v0
