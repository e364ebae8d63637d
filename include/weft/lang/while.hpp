// SPDX-License-Identifier: BSL-1.0
// Loops and branches that depend on values:
//   while_loop(cond, body, init)         state = body(state) while cond(state), from init
//   while_loop<while_options{.most = n}>(cond, body, init)   the same, at most n times
//   fori_loop(lower, upper, body, init)  state = body(i, state) for i = lower ... upper - 1
//   cond(pred, f, g, args...)            f(args...) if pred, else g(args...); only one is run
// States are any structures and keep their types. Values of the enclosing function that the
// functions use become constants of the loop. fori_loop with C++ ints as bounds is a scan, with a
// derivative; while_loop has one in reverse mode if `most` says how often the body may run, and then
// keeps n states for it, whatever the condition says. A key may be drawn from inside a branch, but
// one key not in both.
// Needs: scan.hpp; a traced leaf in init, a bound or pred (else the immediate forms are called, and
// the loop is a C++ loop). Leaves: one node while_loop or scan; two nodes cond, one per branch: the
// second hands on what the first gave if it is not taken.
#pragma once

#include <weft/lang/call.hpp>
#include <weft/lang/elementwise.hpp>
#include <weft/lang/scan.hpp>

namespace weft::inline v0 {

struct while_options {
  int most = -1; // bodies at most; needed in reverse mode
};

namespace detail {

template <class P>
concept boolean_scalar = rank_of<operand_traits<P>> == 0 && std::is_same_v<element_of<P>, bool>;
template <class P> consteval bool check_predicate() {
  static_assert(boolean_scalar<P>,
                "weft: cond: the condition is not one bool; write all(x), any(x), or x != 0");
  return boolean_scalar<P>;
}
template <class Was, class Is> concept state_keeps_its_type = std::is_same_v<Was, Is>;
template <class F, class G> concept branches_agree = std::is_same_v<F, G>;
// The words of each function name it.
enum class loop_function : std::uint8_t { while_loop, fori_loop };
template <loop_function L, class P> consteval bool check_condition() {
  if constexpr (L == loop_function::while_loop)
    static_assert(
        boolean_scalar<P>,
        "weft: while_loop: the condition is not one bool; write all(x), any(x), or x != 0");
  else static_assert(boolean_scalar<P>, "weft: fori_loop: a bound is not one int");
  return boolean_scalar<P>;
}
template <loop_function L, class Was, class Is> consteval bool check_state() {
  if constexpr (L == loop_function::while_loop)
    static_assert(state_keeps_its_type<Was, Is>,
                  "weft: while_loop: the body returns a state of another type; give init its "
                  "element type and shape");
  else
    static_assert(state_keeps_its_type<Was, Is>,
                  "weft: fori_loop: the body returns a state of another type; give init its "
                  "element type and shape");
  return state_keeps_its_type<Was, Is>;
}
template <class F, class G> consteval bool check_branches() {
  static_assert(branches_agree<F, G>, "weft: cond: the branches return different types");
  return branches_agree<F, G>;
}

// A rank-0 node of a condition's result: traced, or a C++ bool.
template <class P> constexpr handle condition_node(recorder& r, P const& p) {
  return node_of<bool>(r, p, {});
}
template <loop_function L, class Cond, class Body, class C>
constexpr C record_while(recorder& r, Cond const& cond, Body const& body, C const& init) {
  auto first = cond(init);
  if constexpr (check_condition<L, decltype(first)>()) {
    growing<handle> operands(1, condition_node(r, first));
    operands.append(leaves(init));
    for (handle& h : operands) h = r.localised(h);
    int const region = r.begin_body();
    r.parameter(dtype::boolean, {});
    C state = parameters<C>(r);
    auto next = to_traced(r, body(state));
    if constexpr (check_state<L, C, decltype(next)>()) {
      growing<handle> outputs(1, condition_node(r, cond(next)));
      outputs.append(leaves(next));
      int const carries = operands.size();
      operands.append(r.end_body(region, outputs));
      return from_leaves<C>(record_conditional(r, op::while_loop, region, operands, carries));
    } else return init;
  } else return init;
}

// A scan over lower, lower + 1, ... without ys.
template <class Body, class C>
constexpr C record_steps(recorder& r, extent lower, extent upper, Body const& body, C const& init) {
  extent const length = upper > lower ? upper - lower : 0;
  growing<handle> operands = leaves(init);
  for (handle& h : operands) h = r.localised(h);
  extents const steps{1, {length}};
  handle const first = constant(r, static_cast<double>(lower), dtype::i32, steps);
  operands.push(iota(r, dtype::i32, steps, 0) + first);
  int const region = r.begin_body();
  C state = parameters<C>(r);
  auto next = to_traced(r, body(traced<std::int32_t>{r.parameter(dtype::i32, {})}, state));
  if constexpr (check_state<loop_function::fori_loop, C, decltype(next)>()) {
    growing<handle> const outputs = leaves(next);
    operands.append(r.end_body(region, outputs));
    loop const l{.carries = outputs.size(), .xs = 1, .length = length};
    return from_leaves<C>(record_loop(r, region, l, operands));
  } else return init;
}

// One branch: f's results if p, else `otherwise`.
template <class R, class F, class... A>
constexpr R record_branch(recorder& r, handle p, R const& otherwise, F const& f, A const&... args) {
  growing<handle> operands(1, p);
  operands.append(leaves(otherwise));
  for (handle& h : operands) h = r.localised(h);
  int const region = r.begin_body(true), carries = operands.size();
  for (int i = 0; i < carries; ++i) r.parameter(operands[i].type(), extents(operands[i].shape()));
  growing<handle> outputs(1, constant(r, 0, dtype::boolean, {}));
  outputs.append(leaves(to_traced(r, f(args...))));
  operands.append(r.end_body(region, outputs));
  return from_leaves<R>(record_conditional(r, op::cond, region, operands, carries));
}

template <int Most> concept at_most_a_number = Most >= 0;
template <int Most> consteval bool check_most() {
  static_assert(at_most_a_number<Most>,
                "weft: while_loop: no bound is given; write while_options{.most = n}");
  return at_most_a_number<Most>;
}
// A scan of `Most` steps that carries the condition: a step whose condition is false does nothing.
template <int Most, class Cond, class Body, class C>
constexpr C record_bounded(recorder& r, Cond const& cond, Body const& body, C const& init) {
  auto first = cond(init);
  using next_type = traced_type<decltype(body(init))>;
  constexpr auto name = loop_function::while_loop;
  if constexpr (check_condition<name, decltype(first)>() && check_state<name, C, next_type>()) {
    using state = std::pair<traced<bool>, C>;
    auto const step = [&](state const& now, none_t) {
      recorder& here = *now.first.value.where;
      auto const once = [&] {
        C const next = to_traced(here, body(now.second));
        return state{traced<bool>{condition_node(here, cond(next))}, next};
      };
      return std::pair(record_branch<state>(here, now.first.value, now, once), none);
    };
    state const start{traced<bool>{condition_node(r, first)}, init};
    return record_scan<scan_options{.length = Most}>(r, step, start, none).first.second;
  } else return init;
}

template <class X>
inline constexpr bool is_cpp_int = std::is_integral_v<X> && !std::is_same_v<X, bool>;

} // namespace detail

// state = body(state) while cond(state). Errors: a condition that is no rank-0 bool, a state that
// changes its type. while_loop([](auto x) { return x < 100; }, [](auto x) { return x * 2; }, x)
template <class Cond, class Body, class C>
  requires traced_structure<C>
constexpr auto while_loop(Cond const& cond, Body const& body, C const& init) {
  recorder& r = detail::recorder_in(init).innermost();
  using S = traced_type<C>;
  using P = decltype(detail::asked<Cond, 1>()(std::declval<S const&>()));
  using R = decltype(detail::asked<Body, 1>()(std::declval<S&>()));
  auto const start = detail::to_traced(r, init);
  if constexpr (!detail::check_call<P, Cond, S>()) return start;
  else if constexpr (!detail::check_call<R, Body, S>()) return start;
  else return detail::record_while<detail::loop_function::while_loop>(r, cond, body, start);
}
// At most O.most times: the bits of while_loop if its condition is false by then, else the state
// after that many. Has a derivative in both modes.
// while_loop<while_options{.most = 20}>([](auto x) { return x < 100; }, body, x)
template <while_options O, class Cond, class Body, class C>
  requires traced_structure<C>
constexpr auto while_loop(Cond const& cond, Body const& body, C const& init) {
  recorder& r = detail::recorder_in(init).innermost();
  using S = traced_type<C>;
  using P = decltype(detail::asked<Cond, 1>()(std::declval<S const&>()));
  using R = decltype(detail::asked<Body, 1>()(std::declval<S const&>()));
  auto const start = detail::to_traced(r, init);
  if constexpr (!detail::check_most<O.most>() || !detail::check_call<P, Cond, S>()) return start;
  else if constexpr (!detail::check_call<R, Body, S>()) return start;
  else return detail::record_bounded<O.most>(r, cond, body, start);
}
// state = body(i, state) for i = lower ... upper - 1, none if lower >= upper; i is an int array of
// rank 0.
template <class Lower, class Upper, class Body, class C>
  requires(traced_structure<C> || traced_structure<Lower> || traced_structure<Upper>)
constexpr auto fori_loop(Lower const& lower, Upper const& upper, Body const& body, C const& init) {
  recorder& r = detail::recorder_in(lower, upper, init).innermost();
  auto const start = detail::to_traced(r, init);
  using I = traced<std::int32_t>;
  using S = traced_type<C>;
  using R = decltype(detail::asked<Body, 2>()(std::declval<I const&>(), std::declval<S&>()));
  if constexpr (!detail::check_call<R, Body, I, S>()) return start;
  else if constexpr (detail::is_cpp_int<Lower> && detail::is_cpp_int<Upper>)
    return detail::record_steps(r, lower, upper, body, start);
  else {
    auto const first = detail::to_traced(r, lower);
    auto const goes_on = [&](auto const& s) { return s.first < upper; };
    auto const step = [&](auto const& s) {
      return std::pair(s.first + 1, body(s.first, s.second));
    };
    return detail::record_while<detail::loop_function::fori_loop>(r, goes_on, step,
                                                                  std::pair(first, start))
        .second;
  }
}
// f(args...) if pred, else g(args...). Errors: pred is no rank-0 bool, results of different types.
template <class P, class F, class G, class... A>
  requires(traced_structure<P>)
constexpr auto cond(P const& pred, F const& f, G const& g, A const&... args) {
  using X = decltype(detail::asked<F, sizeof...(A)>()(std::declval<A const&>()...));
  using Y = decltype(detail::asked<G, sizeof...(A)>()(std::declval<A const&>()...));
  if constexpr (!detail::check_call<X, F, A...>()) return none;
  else if constexpr (!detail::check_call<Y, G, A...>()) return none;
  else {
    using R = traced_type<X>;
    recorder& r = detail::recorder_in(pred, args...).innermost();
    R const zeros = make_like<R>([&r]<class L>(std::type_identity<L>) {
      return L{constant(r, 0, dtype_of<typename L::element_type>, L::shape_type::value)};
    });
    if constexpr (detail::check_predicate<P>() && detail::check_branches<R, traced_type<Y>>()) {
      handle const p = pred.value, otherwise = unary(op::bit_not, p);
      R const first = detail::record_branch(r, p, zeros, f, args...);
      return detail::record_branch(r, otherwise, first, g, args...);
    } else return zeros;
  }
}

// A maker that the run knows: this rank's place, axis_index<m>() == 0.
template <class P, class F, class G, class... A>
  requires((maker_like<P> || maker_expression<P>) && (traced_structure<A> || ...))
constexpr auto cond(P const& pred, F const& f, G const& g, A const&... args) {
  return weft::cond(detail::as_traced(detail::recorder_in(args...).innermost(), pred), f, g,
                    args...);
}
// A C++ bool chooses while the function is traced.
template <class F, class G, class... A>
  requires(traced_structure<A> || ...)
constexpr auto cond(bool const& pred, F const& f, G const& g, A const&... args) {
  using X = decltype(detail::asked<F, sizeof...(A)>()(std::declval<A const&>()...));
  using Y = decltype(detail::asked<G, sizeof...(A)>()(std::declval<A const&>()...));
  if constexpr (!detail::check_call<X, F, A...>()) return none;
  else if constexpr (!detail::check_call<Y, G, A...>()) return none;
  else {
    using R = traced_type<X>;
    recorder& r = detail::recorder_in(args...).innermost();
    if constexpr (detail::check_branches<R, traced_type<Y>>())
      return pred ? R(detail::to_traced(r, f(args...))) : R(detail::to_traced(r, g(args...)));
    else return R(detail::to_traced(r, f(args...)));
  }
}

} // namespace weft::inline v0
