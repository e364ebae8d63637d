// SPDX-License-Identifier: BSL-1.0
// The functions of sort.hpp, of tensors and expressions: computed now. A call of several results
// (top_k, sort of several arrays) finds the order once and gathers each array by it.
// Needs: sort.hpp, expression_indexing.hpp. Leaves: tensors.
#pragma once

#include <weft/lang/expression_indexing.hpp>
#include <weft/lang/quantiles.hpp>
#include <weft/lang/sort.hpp>

namespace weft::inline v0 {
namespace detail {

template <auto... O> struct arg_sort_call : plain_call {
  constexpr auto operator()(auto const&... keys) const { return weft::arg_sort<O...>(keys...); }
};
template <auto... O> struct sort_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::sort<O...>(a); }
};
template <int Axis> struct reordered_call : plain_call {
  template <class A, class I> constexpr auto operator()(A const& a, I const& order) const {
    constexpr extents to = I::shape_type::value;
    return traced_of<typename A::element_type, to>{
        reordered(a.value, order.value, plain_axis(Axis, to.rank))};
  }
};
// What is used more than once: computed, but of makers alone an expression as `now` gives it.
template <bool Lazy, class A> constexpr auto computed_once(A&& a) {
  if constexpr (Lazy) return std::remove_cvref_t<A>(std::forward<A>(a));
  else return eval(std::forward<A>(a));
}
template <int K> struct top_k_indices_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::top_k<K>(a).second; }
};
template <auto... O> struct arg_max_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::arg_max<O...>(a); }
};
template <auto... O> struct arg_min_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::arg_min<O...>(a); }
};
template <auto... Side> struct searchsorted_call : plain_call {
  constexpr auto operator()(auto const& a, auto const& v) const {
    return weft::searchsorted<Side...>(a, v);
  }
};
template <auto... O> struct median_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::median<O...>(a); }
};
// The fraction is what the array's elements are computed in.
template <auto... O> struct quantile_call {
  template <int, class A, class...> using number = middle_number<element_of<A>>;
  constexpr auto operator()(auto const& a, auto const& q) const {
    return weft::quantile<O...>(a, q);
  }
};

} // namespace detail

template <auto... O, value_operand A, value_operand... More>
constexpr auto arg_sort(A&& key, More&&... keys) {
  return detail::now<detail::arg_sort_call<O...>>(std::forward<A>(key),
                                                  std::forward<More>(keys)...);
}
template <auto... O, value_operand A, value_operand... More>
constexpr auto sort(A&& key, More&&... values) {
  if constexpr (sizeof...(More) == 0)
    return detail::now<detail::sort_call<O...>>(std::forward<A>(key));
  else {
    using S = detail::shape_of_operand<std::remove_cvref_t<A>>;
    constexpr auto name = detail::sort_function::sort;
    constexpr bool ok =
        detail::check_sort<name, S, O...>() &&
        detail::check_one_shape<name, S, detail::shape_of_operand<std::remove_cvref_t<More>>...>();
    if constexpr (!ok) return std::tuple(eval(key), eval(values)...);
    else {
      using call = detail::reordered_call<detail::sort_order<O...>::axis>;
      constexpr bool lazy =
          detail::call_of_makers<std::remove_cvref_t<A>, std::remove_cvref_t<More>...>;
      auto const first = detail::computed_once<lazy>(std::forward<A>(key));
      auto const order = detail::computed_once<lazy>(weft::arg_sort<O...>(first));
      return std::tuple(detail::now<call>(first, order),
                        detail::now<call>(std::forward<More>(values), order)...);
    }
  }
}
template <int K, value_operand A> constexpr auto top_k(A&& a) {
  constexpr bool lazy = detail::call_of_makers<std::remove_cvref_t<A>>;
  auto const array = detail::computed_once<lazy>(std::forward<A>(a));
  auto order = detail::now<detail::top_k_indices_call<K>>(array);
  auto values = detail::now<detail::reordered_call<-1>>(array, order);
  return std::pair(std::move(values), std::move(order));
}
template <auto... O, value_operand A> constexpr auto arg_max(A&& a) {
  return detail::now<detail::arg_max_call<O...>>(std::forward<A>(a));
}
template <auto... O, value_operand A> constexpr auto arg_min(A&& a) {
  return detail::now<detail::arg_min_call<O...>>(std::forward<A>(a));
}
template <auto... Side, class A, class V>
  requires immediate_call<A, V>
constexpr auto searchsorted(A&& a, V&& v) {
  return detail::now<detail::searchsorted_call<Side...>>(std::forward<A>(a), std::forward<V>(v));
}
template <auto... O, value_operand A> constexpr auto median(A&& a) {
  return detail::now<detail::median_call<O...>>(std::forward<A>(a));
}
template <auto... O, value_operand A, class Q>
  requires immediate_call<A, Q>
constexpr auto quantile(A&& a, Q&& q) {
  if constexpr (detail::check_quantile<detail::shape_of_operand<std::remove_cvref_t<Q>>>())
    return detail::now<detail::quantile_call<O...>>(std::forward<A>(a), std::forward<Q>(q));
  else return tensor<float>{};
}

} // namespace weft::inline v0
