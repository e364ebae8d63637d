// SPDX-License-Identifier: BSL-1.0
// visit_fields(s, f) calls f(s.a, s.b, ...) with the fields of an aggregate in declaration order.
// C++20 has no reflection: fields are counted by how many initialisers of any
// type the aggregate takes, then bound by a structured binding of that many names.
// Needs: an aggregate of 0 to 26 fields, no base class, no C arrays, no bit fields.
#pragma once

#include <weft/core/config.hpp>

#include <type_traits>
#include <utility>

namespace weft::inline v0 {
namespace detail {

inline constexpr int max_fields = 26;

struct anything {
  template <class U> operator U() const;
};
template <class S, class... X> concept made_of = requires { S{X{}...}; };
// Fewer than all are too few where a field cannot be made of nothing, as a borrowed array.
template <class S, class... X> consteval int count_fields() {
  if constexpr (sizeof...(X) <= max_fields && (made_of<S, X..., anything> || !made_of<S, X...>))
    return count_fields<S, X..., anything>();
  else return static_cast<int>(sizeof...(X));
}
template <class S> inline constexpr int field_count = count_fields<std::remove_const_t<S>>();

template <class S>
concept parameter_struct = std::is_aggregate_v<S> && !std::is_array_v<S> && !std::is_union_v<S>;

// clang-format off
template <class S, class F> WEFT_INLINE constexpr decltype(auto) visit_fields(S& s, F&& f) {
  using plain = std::remove_const_t<S>;
  constexpr bool aggregate = parameter_struct<plain>;
  static_assert(aggregate, "weft: not an aggregate; give the type a members(x)");
  static_assert(field_count<S> <= max_fields, "weft: more than 26 fields; nest structs");
  constexpr int n = parameter_struct<plain> && field_count<S> <= max_fields ? field_count<S> : 0;
  if constexpr (n == 0) return f();
  else if constexpr (n == 1) { auto& [a] = s; return f(a); }
  else if constexpr (n == 2) { auto& [a, b] = s; return f(a, b); }
  else if constexpr (n == 3) { auto& [a, b, c] = s; return f(a, b, c); }
  else if constexpr (n == 4) { auto& [a, b, c, d] = s; return f(a, b, c, d); }
  else if constexpr (n == 5) { auto& [a, b, c, d, e] = s; return f(a, b, c, d, e); }
  else if constexpr (n == 6) { auto& [a, b, c, d, e, g] = s; return f(a, b, c, d, e, g); }
  else if constexpr (n == 7) { auto& [a, b, c, d, e, g, h] = s; return f(a, b, c, d, e, g, h); }
  else if constexpr (n == 8) {
    auto& [a, b, c, d, e, g, h, i] = s;
    return f(a, b, c, d, e, g, h, i);
  }
  else if constexpr (n == 9) {
    auto& [a, b, c, d, e, g, h, i, j] = s;
    return f(a, b, c, d, e, g, h, i, j);
  }
  else if constexpr (n == 10) {
    auto& [a, b, c, d, e, g, h, i, j, k] = s;
    return f(a, b, c, d, e, g, h, i, j, k);
  }
  else if constexpr (n == 11) {
    auto& [a, b, c, d, e, g, h, i, j, k, l] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l);
  }
  else if constexpr (n == 12) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m);
  }
  else if constexpr (n == 13) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, o] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, o);
  }
  else if constexpr (n == 14) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, o, p);
  }
  else if constexpr (n == 15) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p, q] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, o, p, q);
  }
  else if constexpr (n == 16) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r);
  }
  else if constexpr (n == 17) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t);
  }
  else if constexpr (n == 18) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u);
  }
  else if constexpr (n == 19) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u, v] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u, v);
  }
  else if constexpr (n == 20) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u, v, w] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u, v, w);
  }
  else if constexpr (n == 21) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u, v, w, x] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u, v, w, x);
  }
  else if constexpr (n == 22) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u, v, w, x, y] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u, v, w, x, y);
  }
  else if constexpr (n == 23) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u, v, w, x, y, z] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u, v, w, x, y, z);
  }
  else if constexpr (n == 24) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u, v, w, x, y, z, aa] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u, v, w, x, y, z, aa);
  }
  else if constexpr (n == 25) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u, v, w, x, y, z, aa, bb] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u, v, w, x, y, z, aa, bb);
  }
  else if constexpr (n == 26) {
    auto& [a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u, v, w, x, y, z, aa, bb, cc] = s;
    return f(a, b, c, d, e, g, h, i, j, k, l, m, o, p, q, r, t, u, v, w, x, y, z, aa, bb, cc);
  }
}
// clang-format on

} // namespace detail
} // namespace weft::inline v0
