// SPDX-License-Identifier: BSL-1.0
// The op table: one row per primitive, and the only list of ops in weft. Here: elementwise ops; the
// elementary functions are in table_elementary.hpp, what moves, reduces, multiplies and loops in
// table_structural.hpp. A row has
//   info        name, kind, arity, types, autocast policy, StableHLO spelling, stated accuracy, and
//               own_width where integers of another width would give other bits;
//   meaning     elementwise ops: the value, over the primitives of op/numeric.hpp, in any world;
//   derivative  over `n`: n.ct() is the result's cotangent, n.out() the result, n.in(i) operand i,
//               n.add(i, h) adds h to operand i's cotangent. Rules that read axes ask n for them
//               (transform/grad_sweep.hpp lists what n offers).
//   batch       over `n`: the op on examples side by side, batch axis first (transform/vmap_rules.hpp
//               lists what n offers); elementwise ops have one rule for all.
//   tangent     over `n`: n.t(i) is operand i's tangent, n.set(h) the result's
//               (transform/jvp_sweep.hpp); elementwise ops have it from their derivative.
// Needs: op/meaning.hpp; whatever n returns finds its operators by ADL, so no graph is needed here.
// Leaves: `row<O>` for every O, `info_of(op)` for code that knows the op only at run time. A row
// that lacks a column does not compile where the column is read; op/row_check.hpp says what it lacks
// (tests/op/test_rows.cpp asks it of every row). Shape rules: docs/ops.md, checked by
// graph/verify.hpp.
#pragma once

#include <weft/op/info.hpp>
#include <weft/op/meaning.hpp>
#include <weft/op/row.hpp>
#include <weft/op/table_elementary.hpp>
#include <weft/op/table_structural.hpp>

#include <utility>

namespace weft::inline v0 {

// clang-format off
// elementwise ---------------------------------------------------------------------------------
template <> struct row<op::add> {
  static constexpr op_info info{"add", op_kind::elementwise, 2, type_rule::same, types::numbers, autocast_policy::promote, "add", 0.5};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::add(a, b); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct()); n.add(1, n.ct()); }
};
template <> struct row<op::sub> {
  static constexpr op_info info{"sub", op_kind::elementwise, 2, type_rule::same, types::numbers, autocast_policy::promote, "subtract", 0.5};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::sub(a, b); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct()); n.add(1, -n.ct()); }
};
template <> struct row<op::mul> {
  static constexpr op_info info{"mul", op_kind::elementwise, 2, type_rule::same, types::numbers, autocast_policy::promote, "multiply", 0.5};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::mul(a, b); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * n.in(1)); n.add(1, n.ct() * n.in(0)); }
};
template <> struct row<op::div> {
  static constexpr op_info info{"div", op_kind::elementwise, 2, type_rule::same, types::numbers, autocast_policy::promote, "divide", 0.5};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::div(a, b); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() / n.in(1)); n.add(1, -((n.ct() * n.out()) / n.in(1))); }
};
template <> struct row<op::neg> {
  static constexpr op_info info{"neg", op_kind::elementwise, 1, type_rule::same, types::numbers, autocast_policy::follow, "negate", 0};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::neg(a); }
  static constexpr void derivative(auto& n) { n.add(0, -n.ct()); }
};
template <> struct row<op::fma> {
  static constexpr op_info info{"fma", op_kind::elementwise, 3, type_rule::same, types::floats, autocast_policy::promote, "", 0.5};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b, auto c) { return weft::meaning::fma(a, b, c); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * n.in(1)); n.add(1, n.ct() * n.in(0)); n.add(2, n.ct()); }
};
template <> struct row<op::abs> {
  static constexpr op_info info{"abs", op_kind::elementwise, 1, type_rule::same, types::numbers, autocast_policy::follow, "abs", 0};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::abs(a); }
  static constexpr void derivative(auto& n) { n.add(0, select(less(n.in(0), n.number(0)), -n.ct(), select(less(n.number(0), n.in(0)), n.ct(), n.number(0)))); }
};
template <> struct row<op::sqrt> {
  static constexpr op_info info{"sqrt", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "sqrt", 0.5};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::sqrt(a); }
  static constexpr void derivative(auto& n) { n.add(0, (n.ct() * n.number(0.5)) / n.out()); }
};
template <> struct row<op::exp> {
  static constexpr op_info info{"exp", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::full, "exponential", 0.90};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::exp(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * n.out()); }
};
template <> struct row<op::log> {
  static constexpr op_info info{"log", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::full, "log", 0.95};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::log(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() / n.in(0)); }
};
template <> struct row<op::tanh> {
  static constexpr op_info info{"tanh", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "tanh", 1.40};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::tanh(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * (n.number(1) - n.out() * n.out())); }
};
template <> struct row<op::sigmoid> {
  static constexpr op_info info{"sigmoid", op_kind::elementwise, 1, type_rule::same, types::floats, autocast_policy::follow, "logistic", 1.50};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::sigmoid(a); }
  static constexpr void derivative(auto& n) { n.add(0, n.ct() * (n.out() * (n.number(1) - n.out()))); }
};
template <> struct row<op::maximum> {
  static constexpr op_info info{"maximum", op_kind::elementwise, 2, type_rule::same, types::any, autocast_policy::promote, "maximum", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::maximum(a, b); }
  static constexpr void derivative(auto& n) { auto half = n.ct() * n.number(0.5);
    n.add(0, select(greater(n.in(0), n.in(1)), n.ct(), select(equal(n.in(0), n.in(1)), half, n.number(0))));
    n.add(1, select(greater(n.in(1), n.in(0)), n.ct(), select(equal(n.in(0), n.in(1)), half, n.number(0)))); }
};
template <> struct row<op::minimum> {
  static constexpr op_info info{"minimum", op_kind::elementwise, 2, type_rule::same, types::any, autocast_policy::promote, "minimum", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::minimum(a, b); }
  static constexpr void derivative(auto& n) { auto half = n.ct() * n.number(0.5);
    n.add(0, select(less(n.in(0), n.in(1)), n.ct(), select(equal(n.in(0), n.in(1)), half, n.number(0))));
    n.add(1, select(less(n.in(1), n.in(0)), n.ct(), select(equal(n.in(0), n.in(1)), half, n.number(0)))); }
};
template <> struct row<op::equal> : detail::no_derivative {
  static constexpr op_info info{"equal", op_kind::elementwise, 2, type_rule::compare, types::any, autocast_policy::promote, "compare", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::equal(a, b); }
};
template <> struct row<op::not_equal> : detail::no_derivative {
  static constexpr op_info info{"not_equal", op_kind::elementwise, 2, type_rule::compare, types::any, autocast_policy::promote, "compare", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::not_equal(a, b); }
};
template <> struct row<op::less> : detail::no_derivative {
  static constexpr op_info info{"less", op_kind::elementwise, 2, type_rule::compare, types::numbers, autocast_policy::promote, "compare", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::less(a, b); }
};
template <> struct row<op::less_equal> : detail::no_derivative {
  static constexpr op_info info{"less_equal", op_kind::elementwise, 2, type_rule::compare, types::numbers, autocast_policy::promote, "compare", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::less_equal(a, b); }
};
template <> struct row<op::greater> : detail::no_derivative {
  static constexpr op_info info{"greater", op_kind::elementwise, 2, type_rule::compare, types::numbers, autocast_policy::promote, "compare", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::greater(a, b); }
};
template <> struct row<op::greater_equal> : detail::no_derivative {
  static constexpr op_info info{"greater_equal", op_kind::elementwise, 2, type_rule::compare, types::numbers, autocast_policy::promote, "compare", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::greater_equal(a, b); }
};
template <> struct row<op::select> {
  static constexpr op_info info{"select", op_kind::elementwise, 3, type_rule::choose, types::any, autocast_policy::promote, "select", 0};
  WEFT_INLINE static constexpr auto meaning(auto p, auto a, auto b) { return weft::meaning::select(p, a, b); }
  static constexpr void derivative(auto& n) { n.add(1, select(n.in(0), n.ct(), n.number(0))); n.add(2, select(n.in(0), n.number(0), n.ct())); }
  static constexpr void tangent(auto& n) { n.set(select(n.in(0), n.t(1), n.t(2))); }
};
template <> struct row<op::bit_and> : detail::no_derivative {
  static constexpr op_info info{"bit_and", op_kind::elementwise, 2, type_rule::same, types::bits, autocast_policy::follow, "and", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::bit_and(a, b); }
};
template <> struct row<op::bit_or> : detail::no_derivative {
  static constexpr op_info info{"bit_or", op_kind::elementwise, 2, type_rule::same, types::bits, autocast_policy::follow, "or", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::bit_or(a, b); }
};
template <> struct row<op::bit_xor> : detail::no_derivative {
  static constexpr op_info info{"bit_xor", op_kind::elementwise, 2, type_rule::same, types::bits, autocast_policy::follow, "xor", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::bit_xor(a, b); }
};
template <> struct row<op::bit_not> : detail::no_derivative {
  static constexpr op_info info{"bit_not", op_kind::elementwise, 1, type_rule::same, types::bits, autocast_policy::follow, "not", 0};
  WEFT_INLINE static constexpr auto meaning(auto a) { return weft::meaning::bit_not(a); }
};
template <> struct row<op::shift_left> : detail::no_derivative {
  static constexpr op_info info{"shift_left", op_kind::elementwise, 2, type_rule::same, types::integers, autocast_policy::follow, "shift_left", 0};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::shift_left(a, b); }
};
template <> struct row<op::shift_right_logical> : detail::no_derivative {
  static constexpr op_info info{"shift_right_logical", op_kind::elementwise, 2, type_rule::same, types::integers, autocast_policy::follow, "shift_right_logical", 0, detail::own_width};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::shift_right_logical(a, b); }
};
template <> struct row<op::shift_right_arithmetic> : detail::no_derivative {
  static constexpr op_info info{"shift_right_arithmetic", op_kind::elementwise, 2, type_rule::same, types::integers, autocast_policy::follow, "shift_right_arithmetic", 0, detail::own_width};
  WEFT_INLINE static constexpr auto meaning(auto a, auto b) { return weft::meaning::shift_right_arithmetic(a, b); }
};
// Two results: threefry2x32-20 of key (k0, k1) and counter (c0, c1); Random123, JAX's default.
template <> struct row<op::threefry2x32> : detail::no_derivative {
  static constexpr op_info info{"threefry2x32", op_kind::elementwise, 4, type_rule::words, types::integers, autocast_policy::follow, "", 0, detail::own_width};
  WEFT_INLINE static constexpr auto meaning(auto k0, auto k1, auto c0, auto c1) { return weft::meaning::threefry2x32(k0, k1, c0, c1); }
};
// The node's type says to what; convert to the type that a node already has is the identity.
template <> struct row<op::convert> {
  static constexpr op_info info{"convert", op_kind::elementwise, 1, type_rule::chosen, types::any, autocast_policy::follow, "convert", 0.5};
  template <class To> WEFT_INLINE static constexpr auto meaning(auto x) { return weft::meaning::convert_to<To>(x); }
  template <dtype From, dtype To> WEFT_INLINE static constexpr auto meaning(auto x) { return weft::meaning::convert<From, To>(x); }
  static constexpr void derivative(auto& n) { n.add(0, n.convert_like_operand(n.ct())); }
  static constexpr void tangent(auto& n) { n.set(n.convert_like_result(n.t(0))); }
};
// Same bits, other type; a NaN that becomes an integer is 0x7fc00000.
template <> struct row<op::bitcast> : detail::no_derivative {
  static constexpr op_info info{"bitcast", op_kind::elementwise, 1, type_rule::chosen, types::numbers, autocast_policy::follow, "bitcast_convert", 0};
  template <class To> WEFT_INLINE static constexpr auto meaning(auto x) { return weft::meaning::bitcast_to<To>(x); }
  template <dtype From, dtype To> WEFT_INLINE static constexpr auto meaning(auto x) { return weft::meaning::bitcast<From, To>(x); }
};
template <> struct row<op::stop_gradient> : detail::no_derivative {
  static constexpr op_info info{"stop_gradient", op_kind::elementwise, 1, type_rule::same, types::any, autocast_policy::follow, "", 0};
  WEFT_INLINE static constexpr auto meaning(auto a) { return a; }
};
// clang-format on

namespace detail {
template <int... I> consteval auto all_rows(std::integer_sequence<int, I...>) {
  struct rows_type {
    op_info of[sizeof...(I)];
  };
  return rows_type{{row<static_cast<op>(I)>::info...}};
}
inline constexpr auto op_rows = all_rows(std::make_integer_sequence<int, op_count>{});
} // namespace detail

constexpr op_info const& info_of(op o) { return detail::op_rows.of[static_cast<int>(o)]; }
constexpr char const* name_of(op o) { return info_of(o).name; }
constexpr bool looks_at_width(op o) { return info_of(o).depends_on_width; }
constexpr bool is_elementwise(op o) { return info_of(o).kind == op_kind::elementwise; }
constexpr bool is_loop(op o) { return info_of(o).kind == op_kind::loop; }
// Its results have types and shapes of their own, and are read by `get` alone.
constexpr bool has_result_list(op o) { return is_loop(o) || o == op::custom_call; }
// Does carry 0 say whether a step is done?
constexpr bool has_condition(op o) { return o == op::while_loop || o == op::cond; }
constexpr bool is_view(op o) { return info_of(o).kind == op_kind::view; }

} // namespace weft::inline v0
