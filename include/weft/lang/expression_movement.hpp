// SPDX-License-Identifier: BSL-1.0
// The functions of joining.hpp, padding.hpp, repetition.hpp, windows.hpp and grids.hpp, of tensors and
// expressions, computed now (tril and triu, which are elementwise, stay expressions; parts of an
// array are copied here, without a program).
// Needs: expression_views.hpp. Leaves: the traced door's bits.
#pragma once

#include <weft/lang/expression_views.hpp>
#include <weft/lang/grids.hpp>
#include <weft/lang/joining.hpp>
#include <weft/lang/padding.hpp>
#include <weft/lang/repetition.hpp>
#include <weft/lang/windows.hpp>

namespace weft::inline v0 {
namespace detail {

template <int Axis> struct concat_call : plain_call {
  constexpr auto operator()(auto const&... a) const { return weft::concat<Axis>(a...); }
};
template <int Axis, sym Name> struct named_concat_call : plain_call {
  constexpr auto operator()(auto const&... a) const { return weft::concat<Axis, Name>(a...); }
};
template <int Axis> struct stack_call : plain_call {
  constexpr auto operator()(auto const&... a) const { return weft::stack<Axis>(a...); }
};
template <int Axis, padding P> struct pad_axis_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::pad<Axis, P>(x...); }
};
template <int Axis, padding P, sym Name> struct pad_named_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::pad<Axis, P, Name>(x...); }
};
template <padding... P> struct pad_call : plain_call {
  constexpr auto operator()(auto const&... x) const { return weft::pad<P...>(x...); }
};
// The shift of the run is int32.
template <int... Args> struct roll_call {
  template <int, class...> using number = std::int32_t;
  constexpr auto operator()(auto const&... x) const { return weft::roll<Args...>(x...); }
};
template <auto... E> struct dynamic_slice_call {
  template <int, class...> using number = std::int32_t;
  constexpr auto operator()(auto const&... x) const { return weft::dynamic_slice<E...>(x...); }
};
struct dynamic_update_slice_call {
  template <int, class...> using number = std::int32_t;
  constexpr auto operator()(auto const&... x) const { return weft::dynamic_update_slice(x...); }
};
template <auto... Args> struct repeat_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::repeat<Args...>(a); }
};
template <auto... R> struct tile_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::tile<R...>(a); }
};
template <int N, int Axis, auto... Name> struct diff_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::diff<N, Axis, Name...>(a); }
};
template <int K> struct tril_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::tril<K>(a); }
};
template <int K> struct triu_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::triu<K>(a); }
};
template <indexing How, int Which> struct meshgrid_call : plain_call {
  constexpr auto operator()(auto const&... x) const {
    auto all = weft::meshgrid<How>(x...);
    return all[Which < static_cast<int>(all.size()) ? Which : 0];
  }
};

// Elements [start, start + length) along an axis of x, a tensor of type Out; with `drop` the axis
// goes.
template <class Out, class X>
constexpr Out part_of(X const& x, int axis, extent start, extent length, bool drop) {
  extents s = x.shape();
  extent const whole = s[axis];
  extent rows = 1, inner = 1;
  for (int i = 0; i < s.rank; ++i) (i < axis ? rows : inner) *= i == axis ? 1 : s[i];
  s[axis] = length;
  Out part = Out::uninitialised(drop ? without_axes(s, extent{1} << axis) : s);
  auto* to = writable(part);
  for (extent row = 0; row < rows; ++row)
    for (extent i = 0; i < length * inner; ++i) *to++ = x.data()[(row * whole + start) * inner + i];
  return part;
}
template <class X> using parts_operand = traced_operand<std::remove_cvref_t<X>>;

} // namespace detail

template <int Axis, class... A>
  requires immediate_call<A...>
constexpr auto concat(A&&... a) {
  return detail::now<detail::concat_call<Axis>>(std::forward<A>(a)...);
}
template <int Axis, sym Name, class... A>
  requires immediate_call<A...>
constexpr auto concat(A&&... a) {
  return detail::now<detail::named_concat_call<Axis, Name>>(std::forward<A>(a)...);
}
template <int Axis, class... A>
  requires immediate_call<A...>
constexpr auto concatenate(A&&... a) {
  return detail::now<detail::concat_call<Axis>>(std::forward<A>(a)...);
}
template <int Axis = 0, class... A>
  requires immediate_call<A...>
constexpr auto stack(A&&... a) {
  return detail::now<detail::stack_call<Axis>>(std::forward<A>(a)...);
}
template <int Axis, padding P, class A, class... F>
  requires(sizeof...(F) <= 1 && immediate_call<A, F...>)
constexpr auto pad(A&& a, F&&... filler) {
  return detail::now<detail::pad_axis_call<Axis, P>>(std::forward<A>(a),
                                                     std::forward<F>(filler)...);
}
template <int Axis, padding P, sym Name, class A, class... F>
  requires(sizeof...(F) <= 1 && immediate_call<A, F...>)
constexpr auto pad(A&& a, F&&... filler) {
  return detail::now<detail::pad_named_call<Axis, P, Name>>(std::forward<A>(a),
                                                            std::forward<F>(filler)...);
}
template <padding... P, class A, class... F>
  requires(sizeof...(P) > 0 && sizeof...(F) <= 1 && immediate_call<A, F...>)
constexpr auto pad(A&& a, F&&... filler) {
  return detail::now<detail::pad_call<P...>>(std::forward<A>(a), std::forward<F>(filler)...);
}
template <int Shift, int... Axes, value_operand A> constexpr auto roll(A&& a) {
  return detail::now<detail::roll_call<Shift, Axes...>>(std::forward<A>(a));
}
template <int Axis, class A, class I>
  requires immediate_call<A, I>
constexpr auto roll(A&& a, I&& shift) {
  return detail::now<detail::roll_call<Axis>>(std::forward<A>(a), std::forward<I>(shift));
}
template <auto... E, value_operand A, class... I>
  requires immediate_call<A, I...>
constexpr auto dynamic_slice(A&& a, I&&... start) {
  return detail::now<detail::dynamic_slice_call<E...>>(std::forward<A>(a),
                                                       std::forward<I>(start)...);
}
template <value_operand A, value_operand Y, class... I>
  requires immediate_call<A, Y, I...>
constexpr auto dynamic_update_slice(A&& a, Y&& y, I&&... start) {
  return detail::now<detail::dynamic_update_slice_call>(std::forward<A>(a), std::forward<Y>(y),
                                                        std::forward<I>(start)...);
}
template <int N, int Axis, value_operand A> constexpr auto repeat(A&& a) {
  return detail::now<detail::repeat_call<N, Axis>>(std::forward<A>(a));
}
template <int N, value_operand A> constexpr auto repeat(A&& a) {
  return detail::now<detail::repeat_call<N>>(std::forward<A>(a));
}
template <int N, int Axis, sym Name, value_operand A> constexpr auto repeat(A&& a) {
  return detail::now<detail::repeat_call<N, Axis, Name>>(std::forward<A>(a));
}
template <int N, sym Name, value_operand A> constexpr auto repeat(A&& a) {
  return detail::now<detail::repeat_call<N, Name>>(std::forward<A>(a));
}
template <auto... R, value_operand A> constexpr auto tile(A&& a) {
  return detail::now<detail::tile_call<R...>>(std::forward<A>(a));
}
template <int N = 1, int Axis = -1, value_operand A> constexpr auto diff(A&& a) {
  return detail::now<detail::diff_call<N, Axis>>(std::forward<A>(a));
}
template <int N, int Axis, sym Name, value_operand A> constexpr auto diff(A&& a) {
  return detail::now<detail::diff_call<N, Axis, Name>>(std::forward<A>(a));
}
template <int K = 0, value_operand A> constexpr auto tril(A&& a) {
  return detail::lazily<detail::tril_call<K>>(std::forward<A>(a));
}
template <int K = 0, value_operand A> constexpr auto triu(A&& a) {
  return detail::lazily<detail::triu_call<K>>(std::forward<A>(a));
}
template <indexing How = indexing::xy, class... A>
  requires immediate_call<A...>
constexpr auto meshgrid(A const&... a) {
  return [&]<int... I>(std::integer_sequence<int, I...>) {
    return std::array{detail::now<detail::meshgrid_call<How, I>>(a...)...};
  }(std::make_integer_sequence<int, static_cast<int>(sizeof...(A))>{});
}

template <int N, int Axis = 0, array_value A> constexpr auto split(A const& a) {
  using parts = decltype(weft::split<N, Axis>(std::declval<detail::parts_operand<A>>()));
  using part = tensor_like<typename parts::value_type>;
  auto const x = eval(a);
  std::array<part, std::tuple_size_v<parts>> r;
  if constexpr (part::rank > 0) {
    int const axis = plain_axis(Axis, part::rank);
    extent const each = part::pattern[axis];
    for (unsigned i = 0; i < r.size(); ++i)
      r[i] = detail::part_of<part>(x, axis, i * each, each, false);
  }
  return r;
}
template <int N, int Axis, sym Name, array_value A> constexpr auto split(A const& a) {
  using parts = decltype(weft::split<N, Axis, Name>(std::declval<detail::parts_operand<A>>()));
  using part = tensor_like<typename parts::value_type>;
  auto const x = eval(a);
  std::array<part, std::tuple_size_v<parts>> r;
  int const axis = plain_axis(Axis, part::rank);
  extent const whole = x.shape()[axis], each = whole / N;
  if (each * N != whole) detail::raise_count(x.shape(), detail::with_axis(x.shape(), axis, N));
  for (unsigned i = 0; i < r.size(); ++i)
    r[i] = detail::part_of<part>(x, axis, i * each, each, false);
  return r;
}
template <int Axis = 0, array_value A> constexpr auto unstack(A const& a) {
  using parts = decltype(weft::unstack<Axis>(std::declval<detail::parts_operand<A>>()));
  using part = tensor_like<typename parts::value_type>;
  auto const x = eval(a);
  std::array<part, std::tuple_size_v<parts>> r;
  for (unsigned i = 0; i < r.size(); ++i)
    r[i] = detail::part_of<part>(x, plain_axis(Axis, x.rank), i, 1, true);
  return r;
}
template <int Axis, auto... Sizes, array_value A> constexpr auto split_sizes(A const& a) {
  using parts =
      decltype(weft::split_sizes<Axis, Sizes...>(std::declval<detail::parts_operand<A>>()));
  auto const x = eval(a);
  return [&]<std::size_t... I>(std::index_sequence<I...>) {
    extent at = 0, numbers = 0;
    ((numbers += is_named(extent_value<Sizes>()) ? 0 : extent_value<Sizes>()), ...);
    auto next = [&]<class P>(std::type_identity<P>) {
      using part = tensor_like<P>;
      int const axis = plain_axis(Axis, part::rank);
      extent const whole = x.shape()[axis];
      if (numbers > whole) detail::raise_range(whole, numbers);
      extent const declared = part::pattern[axis];
      extent const length = is_named(declared) ? whole - numbers : declared;
      at += length;
      return detail::part_of<part>(x, axis, at - length, length, false);
    };
    return std::tuple{next(std::type_identity<std::tuple_element_t<I, parts>>{})...};
  }(std::make_index_sequence<std::tuple_size_v<parts>>{});
}

} // namespace weft::inline v0
