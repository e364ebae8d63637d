// SPDX-License-Identifier: BSL-1.0
// Functions of the user's, over elements and over a leading axis.
//   map<[](auto x, auto y) { return x * x + sin(y); }>(a, b)   of every element, with broadcasting
//   map([&](auto x) { return softmax(x); }, xs)                of every x of the leading axis
// map<f>: f is written over scalars: it is called once with rank-0 arrays, and what it records is
// put where the call stands, at the operands' shapes: the graph is that of the expression written
// by hand. It captures nothing, returns one element, and chooses by where(p, a, b), never by `if`.
// map(f, xs) is a scan without carry: xs and results are any structures, f may capture.
// Needs: elementwise.hpp, scan.hpp. Leaves: elementwise nodes; one scan.
// Errors: f returns no single element; f uses an op that is not elementwise (graph.error).
#pragma once

#include <weft/lang/elementwise.hpp>
#include <weft/lang/record.hpp>
#include <weft/lang/scan.hpp>

namespace weft::inline v0 {
namespace detail {

template <class R>
concept one_element = number_literal<R> || (traced_array<R> && rank_of<operand_traits<R>> == 0);
template <class R> consteval bool check_mapped() {
  constexpr bool one = one_element<R>;
  static_assert(one, "weft: map: the function returns no single element; return one rank-0 array "
                     "or number");
  return one;
}

// The nodes of a function of scalars again, over arrays: each at the joined shape of its operands,
// numbers at the shape of what uses them.
class mapped_nodes {
public:
  constexpr mapped_nodes(recorder& to, graph_view g) : r_(to), g_(g), values_(g.size()) {}

  // The only output, over these operands; invalid if a node is not elementwise.
  constexpr handle take(view<handle> operands) {
    for (int k = 0; k < operands.size(); ++k) values_[g_.parameters_of(0)[k]] = operands[k];
    for (int i = 0; i < g_.size(); ++i)
      if (g_[i].code != op::parameter && g_[i].code != op::constant && !put(i)) return {};
    return value(g_.outputs_of(0)[0], {});
  }

private:
  constexpr handle value(int i, extents const& shape) {
    if (g_[i].code != op::constant) return values_[i];
    return constant_bits(r_, g_.attribute(i, 0), g_[i].type, shape); // of rank 0: its bits
  }
  constexpr bool put(int i) {
    node const& n = g_[i];
    if (info_of(n.code).kind != op_kind::elementwise) return false;
    extents joined;
    for (int o : g_.operands_of(i))
      if (g_[o].code != op::constant) joined = broadcast_of(joined, values_[o].shape()).shape;
    growing<handle> operands;
    for (int o : g_.operands_of(i)) operands.push(broadcast_to(value(o, joined), joined));
    values_[i] = r_.emit(n.code, n.type, joined, operands, g_.attributes_of(i));
    return true;
  }

  recorder& r_;
  graph_view g_;
  growing<handle> values_;
};

template <class F, class... X> constexpr auto record_mapped(F const& f, X const&... x) {
  recorder& outer = recorder_of(x...);
  using R = decltype(asked<F, sizeof...(X)>()(std::declval<traced<element_of<X>>>()...));
  using S = joined_shape<shape_of_operand<X>...>;
  if constexpr (!check_call<R, F, traced<element_of<X>>...>())
    return stand_in<traced_of<common_element<X...>, S::value>>(outer);
  else if constexpr (check_shapes<shape_of_operand<X>...>() && check_mapped<R>()) {
    using T = element_of<R>;
    recorder inner;
    int k = 0;
    std::tuple<traced<element_of<X>>...> scalars{
        traced<element_of<X>>{inner.input(dtype_of<element_of<X>>, {}, {k++, 0, false})}...};
    auto const result = std::apply([&f](auto const&... s) { return f(s...); }, scalars);
    handle const out[] = {node_of<T>(inner, result, {})};
    inner.finish({out, 1});
    handle const operands[] = {node_of<element_of<X>>(outer, x, shape_of_operand<X>::value)...};
    handle const all = mapped_nodes(outer, inner.result).take({operands, sizeof...(X)});
    if (all.valid() && inner.result.error == trace_error::clean)
      return traced_of<T, S::value>{broadcast_to(all, S::value)};
    bool const clean = inner.result.error == trace_error::clean;
    outer.root().result.fail(clean ? trace_error::not_elementwise : inner.result.error, -1);
    return stand_in<traced_of<T, S::value>>(outer);
  } else return stand_in<traced_of<common_element<X...>, S::value>>(outer);
}

template <class X> consteval bool check_mapped_over() {
  constexpr bool leading = have_leading_axes(leaves_of<X>{});
  static_assert(
      leading, "weft: map: an array or key of xs has no leading axis; split_keys<8>(key) has, in a "
               "recorded function");
  return leading;
}

} // namespace detail

// f of every element: map<f>(a, b, ...); the operands broadcast, and keep their own element types.
template <auto F, class... X>
  requires traced_call<X...>
constexpr auto map(X const&... x) {
  return detail::record_mapped(F, x...);
}
// f(x) for every x of the leading axis of xs, stacked: map([](auto row) { return sum(row); }, xs).
template <class F, class X>
  requires(traced_structure<X> && !trace_operand<F>)
constexpr auto map(F const& f, X const& xs) {
  if constexpr (!detail::check_mapped_over<traced_type<X>>()) return none;
  else {
    using E = slice_of<traced_type<X>>;
    using R = decltype(detail::asked<F, 1>()(std::declval<E const&>()));
    if constexpr (!detail::check_call<R, F, E>()) return none;
    else
      return scan([&f](none_t, auto const& x) { return std::pair(none, f(x)); }, none, xs).second;
  }
}

} // namespace weft::inline v0
