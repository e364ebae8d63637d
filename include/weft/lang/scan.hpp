// SPDX-License-Identifier: BSL-1.0
// scan: a loop as a value. scan(body, init, xs) calls body(carry, x) -> pair(carry, y) for every
// element x of the leading axis of xs, and gives pair(last carry, ys stacked).
//   auto [h, hs] = scan([&](auto h, auto x) { auto n = cell(p, h, x); return std::pair(n, n); },
//                       h0, xs);
//   scan<scan_options{.length = 8}>(body, init, weft::none)
// Carry, x and y are any structures; init may hold numbers and makers. `reverse` takes the last
// element first and puts ys where their xs were; `unroll` steps make one turn of the loop, with the
// same bits (pass/unroll.hpp). Values of the enclosing function that the body
// uses become constants of the loop.
// Needs: structure.hpp; a traced leaf in init or xs (else the immediate scan is called); carries
// that keep type and structure. Leaves: one scan node; a length of 0 gives init and empty ys. A
// body's value that is used outside of it is the graph's error escaping_value.
#pragma once

#include <weft/graph/handle_loop.hpp>
#include <weft/lang/call.hpp>
#include <weft/lang/structure.hpp>

namespace weft::inline v0 {

struct scan_options {
  bool reverse = false;
  int length = -1;                      // needed where xs has no leaf
  int unroll = 1;                       // steps per turn of the loop; the bits are the same
  residuals save = residuals::products; // what a derivative keeps of a step, besides the carries
};

namespace detail {

template <class R>
concept carry_and_output = is_tuple<R> && requires(R r) {
  r.first;
  r.second;
};
template <int Leaf, class Was, class Is> concept carry_keeps_its_type = std::is_same_v<Was, Is>;
template <class Was, class Is> concept carry_keeps_its_structure = Was::size == Is::size;
template <class Leaf, class Other> concept one_length = Leaf::value[0] == Other::value[0];

// Leading extents of xs.
template <class L> using leading_shape = shape_of_value<extents{1, {L::shape_type::value[0]}}>;
template <class L> consteval bool has_leading_axis() {
  if constexpr (requires { L::rank; }) return L::rank > 0;
  else return false; // a key of a struct
}
template <class... L> consteval bool have_leading_axes(type_list<L...>) {
  return (has_leading_axis<L>() && ...);
}
// The first array of xs that differs from the first array in its leading extent, else the first.
template <class First, class... Rest> consteval auto other_length(type_list<First, Rest...>) {
  return (choice<First, false>{} | ... |
          choice<Rest, !one_length<leading_shape<First>, leading_shape<Rest>>>{});
}
template <class First, class... Rest> consteval bool check_lengths(type_list<First, Rest...> xs) {
  using xs_type = type_list<First, Rest...>;
  constexpr bool leading = have_leading_axes(xs_type{});
  static_assert(
      leading,
      "weft: scan: an array or key of xs has no leading axis; split_keys<8>(key) has, in a "
      "recorded function");
  if constexpr (leading) {
    using other = leading_shape<typename decltype(other_length(xs))::type>;
    static_assert(one_length<leading_shape<First>, other>,
                  "weft: scan: the arrays of xs differ in their leading extent");
    return one_length<leading_shape<First>, other>;
  } else return false;
}

// R is what asked<Body, 2>() gives for them.
template <class R, class Body, class C, class X> consteval bool check_body() {
  constexpr bool taken = !std::is_same_v<R, not_called>;
  static_assert(
      taken, "weft: scan: the body is no function of (carry, x); write [](auto c, auto x) { ... }");
  constexpr bool pair = !taken || carry_and_output<R>;
  static_assert(
      pair, "weft: scan: the body returns no pair; write std::pair(carry, y), y may be weft::none");
  constexpr bool arrays = !taken || !pair || structure_of_arrays<R>;
  static_assert(arrays, "weft: scan: the body returns no arrays; a carry and a y are arrays, or a "
                        "struct, pair or tuple of them");
  if constexpr (!taken || !pair || !arrays) return false;
  else {
    constexpr bool one_door = fits_its_door<R, C, X>();
    static_assert(one_door, "weft: scan: the body of a recorded loop returns a tensor or a key; "
                            "make it an argument of the function");
    return one_door;
  }
}
template <int Steps> concept at_least_one_step = Steps >= 1;
template <extent Length> concept length_is_a_number = !is_named(Length);
template <scan_options O, class... L> consteval extent leading_extent(type_list<L...>) {
  extent length = O.length;
  ((length = length < 0 ? L::shape_type::value[0] : length), ...);
  return length;
}
// Asked when the lengths are known to be right.
template <scan_options O, class X> consteval bool check_unroll() {
  static_assert(at_least_one_step<O.unroll>,
                "weft: scan: unroll is less than 1; write a number of steps, 1 for a plain loop");
  constexpr bool counted = length_is_a_number<leading_extent<O>(leaves_of<X>{})>;
  static_assert(counted || O.unroll == 1,
                "weft: scan: unroll needs a length that is a number, not a name; leave it out");
  return at_least_one_step<O.unroll> && (counted || O.unroll == 1);
}
template <scan_options O, class X> consteval bool check_length() {
  if constexpr (leaf_count<X> == 0) {
    static_assert(O.length >= 0,
                  "weft: scan: no xs and no length; write scan<scan_options{.length = n}>");
    return O.length >= 0;
  } else return check_lengths(leaves_of<X>{});
}
template <scan_options O, class L, class... Rest>
consteval extent length_of(type_list<L, Rest...>) {
  static_assert(O.length < 0 || O.length == L::shape_type::value[0],
                "weft: scan: the length is not that of xs; leave it out");
  return L::shape_type::value[0];
}
template <scan_options O> consteval extent length_of(type_list<>) { return O.length; }

// The first carry leaf that changes its type, else the first.
template <int I, class Was, class Is> struct carry_leaf {
  static constexpr int number = I;
  using was = Was;
  using is = Is;
};
template <class... Was, class... Is, int... I>
consteval auto changed_leaf(type_list<Was...>, type_list<Is...>, std::integer_sequence<int, I...>) {
  return (choice<carry_leaf<-1, none_t, none_t>, false>{} | ... |
          choice<carry_leaf<I, Was, Is>, !std::is_same_v<Was, Is>>{});
}
template <class Was, class Is> consteval bool check_carry() {
  using was = leaves_of<Was>;
  using is = leaves_of<Is>;
  static_assert(carry_keeps_its_structure<was, is>,
                "weft: scan: the body returns a carry of another structure");
  if constexpr (carry_keeps_its_structure<was, is>) {
    using leaf = typename decltype(changed_leaf(
        was{}, is{}, std::make_integer_sequence<int, was::size>{}))::type;
    static_assert(carry_keeps_its_type<leaf::number, typename leaf::was, typename leaf::is>,
                  "weft: scan: the body returns a carry of another type; give init its element "
                  "type and shape");
    static_assert(leaf::number >= 0 || std::is_same_v<Was, Is>,
                  "weft: scan: the body returns a carry of another structure");
    return std::is_same_v<Was, Is>;
  } else return false;
}

template <class... L> consteval bool have_room_for_steps(type_list<L...>) {
  return ((L::shape_type::rank < max_rank) && ...);
}
template <class Y> consteval bool check_room() {
  constexpr bool room = have_room_for_steps(leaves_of<Y>{});
  static_assert(room, "weft: scan: an array has at most 8 axes, and ys get one for the steps");
  return room;
}

// body(carry, x) gives a pair. SameDraws: a key from outside gives every step the same numbers, as
// one function's do that is taken apart.
template <scan_options O, bool SameDraws = false, class Body, class C, class X>
constexpr auto record_scan(recorder& r, Body const& body, C const& init, X const& xs) {
  constexpr extent length = length_of<O>(leaves_of<X>{});
  growing<handle> operands = leaves(init);
  operands.append(leaves(xs));
  // Before the body: an operand from an outer recorder becomes an input here.
  for (handle& h : operands) h = r.localised(h);
  int region = r.begin_body(SameDraws);
  C carry = parameters<C>(r);
  auto result = body(carry, parameters<slice_of<X>>(r));
  auto next = to_traced(r, result.first);
  auto y = to_traced(r, result.second);
  if constexpr (!check_room<decltype(y)>()) {
    r.end_body(region, leaves(next)); // after the error
    return std::pair(init, none);
  } else {
    using Y = stacked_type<decltype(y), extent_argument_of<length>>;
    growing<handle> outputs = leaves(next);
    outputs.append(leaves(y));
    operands.append(r.end_body(region, outputs));
    if constexpr (check_carry<C, decltype(next)>()) {
      loop l{leaf_count<C>, leaf_count<X>, leaf_count<Y>, length, O.reverse, O.unroll, 0, O.save};
      growing<handle> results = record_loop(r, region, l, operands);
      return std::pair(from_leaves<C>(results.part(0, l.carries)),
                       from_leaves<Y>(results.part(l.carries, l.ys)));
    } else
      return std::pair(
          init, make_like<Y>([&r]<class L>(std::type_identity<L>) { // after the error
            return L{constant(r, 0, dtype_of<typename L::element_type>, L::shape_type::value)};
          }));
  }
}

} // namespace detail

template <scan_options O = scan_options{}, class Body, class C, class X>
  requires(traced_structure<C> || traced_structure<X>)
constexpr auto scan(Body const& body, C const& init, X const& xs) {
  recorder& r = detail::recorder_in(init, xs).innermost();
  using T = traced_type<X>;
  if constexpr (!detail::check_length<O, T>() || !detail::check_unroll<O, T>())
    return std::pair(detail::to_traced(r, init), none);
  else {
    using R = decltype(detail::asked<Body, 2>()(std::declval<traced_type<C>&>(),
                                                std::declval<slice_of<T>>()));
    if constexpr (detail::check_body<R, Body, traced_type<C>, slice_of<T>>())
      return detail::record_scan<O>(r, body, detail::to_traced(r, init), detail::to_traced(r, xs));
    else return std::pair(detail::to_traced(r, init), none);
  }
}

} // namespace weft::inline v0
