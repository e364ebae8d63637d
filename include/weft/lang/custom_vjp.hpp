// SPDX-License-Identifier: BSL-1.0
// custom_vjp(f, forward, backward): f, with a gradient of the user's.
//   constexpr auto safe = custom_vjp([](auto x) { return sqrt(x); },
//                                    [](auto x) { auto y = sqrt(x); return std::pair(y, y); },
//                                    [](auto y, auto ct) { return ct / maximum(y + y, 1e-3f); });
// forward(args...) -> pair(f's result, what backward needs); backward(that, cotangent of the
// result) -> the argument's gradient, of its type, or a tuple of all arguments' where there are
// several. Where no gradient is taken, f is computed; where one is, forward and backward are, and
// further derivatives are theirs. From a key both draw the same numbers. Leaves of integers, bools
// and keys get no gradient; what backward returns for them is not read, nor does anything that the
// functions capture get one.
// Needs: structure.hpp; a traced argument (with tensors it is compiled, if it captures nothing).
// Leaves: one scan of no step: carries y (f's result), z (forward's), args; body (cotangents of y,
// z, args; constants: what backward needs) -> (cotangents, z, gradients). Carries that come back as
// they are make every pass see y in its results; transform/grad_custom.hpp takes the body.
// Errors: forward or backward return another structure or type; jvp through it (graph.error).
#pragma once

#include <weft/lang/call.hpp> // first: errors print the way to it

#include <weft/lang/aside.hpp>
#include <weft/lang/scan.hpp>

namespace weft::inline v0 {
namespace detail {

template <class Pair, class Result> inline constexpr bool has_first_of_type = false;
template <class Result, class Rest>
inline constexpr bool has_first_of_type<std::pair<Result, Rest>, Result> = true;
template <class Pair, class Result>
concept forward_gives_the_result_first = has_first_of_type<Pair, Result>;
template <class Gradients, class Arguments>
concept backward_gives_gradients = std::is_same_v<Gradients, Arguments>;

template <class... A> struct gradients_of_arguments {
  using type = std::tuple<A...>;
};
template <class A> struct gradients_of_arguments<A> {
  using type = A;
};

// Gradients of float leaves, other leaves as they came in.
template <class X>
constexpr void push_gradients(growing<handle>& to, X const& gradients, X const& arguments) {
  for_each_leaf(gradients, arguments, [&to](auto const& g, auto const& a) {
    using L = std::remove_cvref_t<decltype(a)>;
    bool const floats = traced_array<L> && is_float(dtype_of<typename L::element_type>);
    to.push(floats ? g.value : a.value);
  });
}

template <class F, class Forward, class Backward> struct custom_vjp_of {
  using functions = type_list<F, Forward, Backward>;
  F f;
  Forward forward;
  Backward backward;

  template <class... A> constexpr auto operator()(A const&... a) const {
    if constexpr ((traced_structure<A> || ...)) {
      recorder& r = recorder_in(a...).innermost();
      return record(r, to_traced(r, a)...);
    } else return run_transformed(*this, a...);
  }

private:
  template <class... A> constexpr auto record(recorder& r, A const&... a) const {
    using R = decltype(asked<F, sizeof...(A)>()(std::declval<A>()...));
    using Kept = decltype(asked<Forward, sizeof...(A)>()(std::declval<A>()...));
    if constexpr (!check_call<R, F, A...>()) return none;
    else if constexpr (!check_call<Kept, Forward, A...>()) return to_traced(r, f(a...));
    else {
      growing<int> const keys = r.keys_used();
      auto const y = to_traced(r, f(a...));
      r.forget_keys_used_since(keys);
      auto const z = to_traced(r, forward(a...));
      constexpr bool right = forward_gives_the_result_first<traced_type<Kept>, traced_type<R>>;
      static_assert(right, "weft: custom_vjp: forward must return pair(f's result, what backward "
                           "needs), of f's types");
      if constexpr (!right) return y;
      else return checked(r, y, z.first, z.second, a...);
    }
  }
  template <class Y, class Needs, class... A>
  constexpr Y checked(recorder& r, Y const& y, Y const& z, Needs const& needs,
                      A const&... a) const {
    using R = decltype(asked<Backward, 2>()(std::declval<Needs>(), std::declval<Y>()));
    if constexpr (!check_call<R, Backward, Needs, Y>()) return y;
    else return attached(r, y, z, needs, a...);
  }
  template <class Y, class Needs, class... A>
  constexpr Y attached(recorder& r, Y const& y, Y const& z, Needs const& needs,
                       A const&... a) const {
    using gradients = typename gradients_of_arguments<A...>::type;
    growing<handle> operands = leaves(std::tuple<Y, Y, A...>{y, z, a...});
    for (handle& h : operands) h = r.localised(h);
    int const body = r.begin_body(true);
    Y const ct = parameters<Y>(r), again = parameters<Y>(r);
    gradients const arguments = parameters<gradients>(r);
    auto const given = to_traced(r, backward(needs, ct));
    constexpr bool right =
        backward_gives_gradients<std::remove_const_t<decltype(given)>, gradients>;
    static_assert(right, "weft: custom_vjp: backward must return the argument's gradient, of its "
                         "type, or a tuple of all arguments' gradients");
    growing<handle> outputs = leaves(std::pair<Y, Y>{ct, again});
    if constexpr (right) push_gradients(outputs, given, arguments);
    else outputs.append(leaves(arguments));
    loop const l{.carries = operands.size(), .custom = leaf_count<Y>};
    operands.append(r.end_body(body, outputs));
    if constexpr (leaf_count<Y> == 0) return y;
    else {
      handle const node = r.emit(op::scan, operands[0].type(), {}, operands, encode(l), body);
      r.set_owner(body, node.id);
      growing<handle> results;
      for (int k = 0; k < l.custom; ++k)
        results.push(get(node, k, operands[k].type(), extents(operands[k].shape())));
      return from_leaves<Y>(results);
    }
  }
};

} // namespace detail

// f, with the gradient that backward makes of what forward keeps and of the result's cotangent.
template <class F, class Forward, class Backward>
constexpr auto custom_vjp(F f, Forward forward, Backward backward) {
  return detail::custom_vjp_of<F, Forward, Backward>{f, forward, backward};
}

} // namespace weft::inline v0
