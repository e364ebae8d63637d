// SPDX-License-Identifier: BSL-1.0
// Statistics of traced arrays over any axes (reductions.hpp has the notation): var, std, average,
// norm, logsumexp, count_nonzero. No axis means all; keep leaves extents 1; no_axes reduces none.
//   var<0, ddof{1}>(x)   norm<-1, norm_kind::one, keep>(x)   average<1>(x, weights)
// Needs: reductions.hpp. Leaves: 16-bit floats are computed in float and rounded once; integers
// are refused where the result is a fraction (write convert<float>(x)). `std` is found as
// weft::std only, because an unqualified std is the standard library.
#pragma once

#include <weft/core/bits.hpp>
#include <weft/lang/reductions.hpp>

namespace weft::inline v0 {

// The variance divides by n - value: var<ddof{1}>(x).
struct ddof {
  int value = 0;
};
enum class norm_kind : std::uint8_t { one, two, infinity };

namespace detail {

template <auto O> consteval int ddof_number() {
  if constexpr (is_option<O, ddof>) return O.value;
  else return 0;
}
template <auto... O> consteval norm_kind norm_of() {
  norm_kind k = norm_kind::two;
  [[maybe_unused]] auto note = [&k](auto o) {
    if constexpr (std::is_same_v<decltype(o), norm_kind>) k = o;
  };
  (note(O), ...);
  return k;
}

constexpr handle rows_again(handle kept, handle x) { return broadcast_to(kept, x.shape()); }
// Sum of squared distances from the mean, over n - less; two passes.
constexpr handle variance_by(handle x, reduction_plan const& p, int less) {
  handle total = reshape(reduce(op::reduce_sum, x, p.set), p.kept);
  recorder& r = *total.where;
  handle n = count_node(r, p.over, x.type());
  handle d = x - rows_again(total / broadcast_to(n, p.kept), x);
  handle squares = reduce_by(op::reduce_sum, d * d, p);
  if (less != 0) n = n - constant(r, less, x.type(), {});
  return squares / broadcast_to(n, p.result);
}
constexpr handle norm_by(handle x, reduction_plan const& p, norm_kind k) {
  if (k == norm_kind::two) return unary(op::sqrt, reduce_by(op::reduce_sum, x * x, p));
  handle const sizes = unary(op::abs, x);
  if (k == norm_kind::one) return reduce_by(op::reduce_sum, sizes, p);
  handle const most = reduce_by(op::reduce_max, sizes, p);
  if (is_static(p.over) && count_of(p.over) > 0) return most;
  handle const none = constant(*x.where, 0, x.type(), p.result); // of no element 0
  return select(less(most, none), none, most);
}
constexpr handle average_by(handle x, handle weights, reduction_plan const& p) {
  return reduce_by(op::reduce_sum, x * weights, p) / reduce_by(op::reduce_sum, weights, p);
}
// log(sum(exp(x - m))) + m, m the maximum, or 0 where that is not finite.
constexpr handle logsumexp_by(handle x, reduction_plan const& p) {
  handle top = reshape(reduce(op::reduce_max, x, p.set), p.kept);
  recorder& r = *top.where;
  handle zero = constant(r, 0, x.type(), p.kept);
  handle finite = equal(top - top, zero);
  handle m = unary(op::stop_gradient, select(finite, top, zero));
  handle total = reduce_by(op::reduce_sum, unary(op::exp, x - rows_again(m, x)), p);
  return unary(op::log, total) + reshape(m, p.result);
}
constexpr handle count_nonzero_by(handle x, reduction_plan const& p) {
  handle zero = constant(*x.where, 0, x.type(), x.shape());
  handle taken = compare(op::not_equal, x, zero);
  return reduce_by(op::reduce_sum, convert(taken, dtype::i32), p);
}

// Weights of one axis: along the only reduced axis of several.
template <class Reduction> consteval extents weights_shape(extents const& w, int rank) {
  constexpr int axis = countr_zero(static_cast<std::uint64_t>(Reduction::set));
  if (w.rank != 1 || Reduction::named != 1) return w;
  extents r;
  for (int i = 0; i < rank; ++i) r.push(i == axis ? w[0] : 1);
  return r;
}

template <class T> consteval bool check_statistic() {
  static_assert(floating<T>, "weft: this statistic is not defined for integers and bool; "
                             "write convert<float>(x)");
  return floating<T>;
}
template <class T> constexpr handle widened(handle x) {
  return convert(x, accumulator_of(dtype_of<T>));
}
template <class T> constexpr handle rounded(handle x) { return convert(x, dtype_of<T>); }
// f(x, plan) of x in its accumulation type, rounded once; Options: those that O may name.
template <class Options, auto... O, class A, class F>
constexpr auto statistic(A const& a, F const& f) {
  using T = typename A::element_type;
  using S = typename A::shape_type;
  if constexpr (check_statistic<T>() && check_reduction<Options, S, O...>()) {
    constexpr reduction_plan p = reduction<S, O...>::plan;
    full_precision const here(a);
    return traced_of<T, p.result>{rounded<T>(f(widened<T>(a.value), p))};
  } else return a;
}

} // namespace detail

// The mean of squared distances from the mean, over n - ddof: var<1>(x) of a (2, 3) is a (2).
template <auto... O, traced_array A> constexpr auto var(A const& a) {
  return detail::statistic<detail::options<ddof>, O...>(
      a, [](handle x, detail::reduction_plan const& p) {
        return detail::variance_by(x, p, (detail::ddof_number<O>() + ... + 0));
      });
}
// The square root of var.
template <auto... O, traced_array A> constexpr auto std(A const& a) {
  return detail::statistic<detail::options<ddof>, O...>(
      a, [](handle x, detail::reduction_plan const& p) {
        return unary(op::sqrt, detail::variance_by(x, p, (detail::ddof_number<O>() + ... + 0)));
      });
}
// sqrt(sum(x * x)); of norm_kind::one sum(abs(x)), of infinity max(abs(x)). Of no element 0.
template <auto... O, traced_array A> constexpr auto norm(A const& a) {
  return detail::statistic<detail::options<norm_kind>, O...>(
      a, [](handle x, detail::reduction_plan const& p) {
        return detail::norm_by(x, p, detail::norm_of<O...>());
      });
}
// log(sum(exp(x))), the maximum taken out first; -inf over nothing but -inf.
template <auto... O, traced_array A> constexpr auto logsumexp(A const& a) {
  return detail::statistic<detail::options<>, O...>(a, detail::logsumexp_by);
}
// sum(x * w) / sum(w). Weights of one axis lie along the one reduced axis; others broadcast to x's
// shape: average<0>(x, w) of a (2, 3) takes a (2).
template <auto... O, class A, class W>
  requires traced_call<A, W>
constexpr auto average(A const& a, W const& weights) {
  using T = detail::common_element<A, W>;
  using S = detail::shape_of_operand<A>;
  recorder& r = detail::recorder_of(a, weights);
  constexpr bool typed = detail::check_elements<T, A, W>() && detail::check_statistic<T>();
  if constexpr (typed && detail::check_reduction<detail::options<>, S, O...>()) {
    using at = shape_of_value<detail::weights_shape<detail::reduction<S, O...>>(
        detail::shape_of_operand<W>::value, S::rank)>;
    static_assert(detail::broadcasts_to<at, S>,
                  "weft: average: the weights do not broadcast to the array's shape");
    constexpr detail::reduction_plan p = detail::reduction<S, O...>::plan;
    if constexpr (detail::broadcasts_to<at, S>) {
      detail::full_precision const here(a, weights);
      handle x = detail::widened<T>(detail::node_of<T>(r, a, S::value));
      handle w = detail::node_of<T>(r, weights, detail::shape_of_operand<W>::value);
      w = detail::widened<T>(broadcast_to(reshape(w, at::value), S::value));
      return traced_of<T, p.result>{detail::rounded<T>(detail::average_by(x, w, p))};
    } else return detail::stand_in<traced_of<T, p.result>>(r);
  } else return detail::as_traced(r, a);
}
// How many elements are not 0, as int32; NaN is not 0.
template <auto... O, traced_array A> constexpr auto count_nonzero(A const& a) {
  using S = typename A::shape_type;
  if constexpr (detail::check_reduction<detail::options<>, S, O...>()) {
    constexpr detail::reduction_plan p = detail::reduction<S, O...>::plan;
    return traced_of<std::int32_t, p.result>{detail::count_nonzero_by(a.value, p)};
  } else return a;
}

} // namespace weft::inline v0
