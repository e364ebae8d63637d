// SPDX-License-Identifier: BSL-1.0
// traced<T, E...>: what a recorded function computes with: a typed handle of a graph under
// construction. traced_key<E...>: the same for random keys (E... keys, each two uint32 words).
// Needs: a recorder that outlives every handle. Leaves: no operation but x += y and its like; those
// are function templates found by ADL (elementwise.hpp and its neighbours), constrained to calls
// with a traced operand.
#pragma once

#include <weft/graph/handle.hpp>
#include <weft/lang/shape_rules.hpp>

namespace weft::inline v0 {

namespace detail {
template <class... X> inline constexpr bool known_while_recording = false;
template <class Was, class Is> concept keeps_shape_and_type = std::is_same_v<Was, Is>;
} // namespace detail

template <class T, auto... E> struct traced {
  static_assert(element<T>, "weft: not an element type; use float, double, bf16, "
                            "f16, bool or an integer of <cstdint>");
  static_assert(sizeof...(E) <= max_rank, "weft: an array has at most 8 axes");
  using element_type = T;
  using shape_type = weft::shape<E...>;
  static constexpr int rank = sizeof...(E);

  handle value;

  // In a condition of C++, which a value that is not computed yet cannot decide.
  template <class X = T> constexpr explicit operator bool() const {
    static_assert(
        detail::known_while_recording<X>,
        "weft: a traced value decides no `if`, `&&` or `||`; write where(p, a, b), cond(p, f, g), p & q");
    return false;
  }
  // An element, as of a tensor.
  template <std::integral... I>
    requires(sizeof...(I) == rank && rank > 0)
  constexpr traced<T> operator()(I...) const {
    static_assert(detail::known_while_recording<I...>,
                  "weft: a traced array has no elements yet; write at<\"0, 1\">(x)");
    return {};
  }

  // x = x + y, and so on.
  template <class X> constexpr traced& operator+=(X const& y) { return assign(*this + y); }
  template <class X> constexpr traced& operator-=(X const& y) { return assign(*this - y); }
  template <class X> constexpr traced& operator*=(X const& y) { return assign(*this * y); }
  template <class X> constexpr traced& operator/=(X const& y) { return assign(*this / y); }

private:
  template <class X> constexpr traced& assign(X const& result) {
    constexpr bool keeps = detail::keeps_shape_and_type<traced, X>;
    static_assert(keeps, "weft: x += y would give x another shape or type; write x + y");
    if constexpr (keeps) value = result.value;
    return *this;
  }
};

// In the graph: uint32 of shape (E..., 2).
template <auto... E> struct traced_key {
  using element_type = std::uint32_t;
  using shape_type = weft::shape<E..., 2>;
  static constexpr int rank = sizeof...(E); // of the array of keys

  handle value;
};

template <class T, auto S>
using traced_of =
    typename detail::shaped<traced, T, S, typename detail::axis_numbers<S.rank>::type>::type;

namespace detail {
template <class X> inline constexpr bool is_traced = false;
template <class T, auto... E> inline constexpr bool is_traced<traced<T, E...>> = true;
template <class X> inline constexpr bool is_traced_key = false;
template <auto... E> inline constexpr bool is_traced_key<traced_key<E...>> = true;
} // namespace detail

template <class X> concept traced_array = detail::is_traced<X>;
template <class X> concept traced_random_key = detail::is_traced_key<X>;
// Either: a node of a graph with a type.
template <class X> concept traced_leaf = traced_array<X> || traced_random_key<X>;

} // namespace weft::inline v0
