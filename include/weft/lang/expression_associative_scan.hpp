// SPDX-License-Identifier: BSL-1.0
// associative_scan of tensors: the tree of associative_scan.hpp level by level, f called with
// tensors; the cumulative functions are one program each. The compiled scan's bits.
// Needs: associative_scan.hpp, expression_scan.hpp. Leaves: tensors.
#pragma once

#include <weft/graph/dense.hpp>
#include <weft/lang/associative_scan.hpp>
#include <weft/lang/expression_elementwise.hpp>
#include <weft/lang/expression_scan.hpp>

namespace weft::inline v0 {
namespace detail {

// An array as (outer, n, inner) around an axis.
struct axis_lines {
  extent outer = 1, n = 1, inner = 1;

  constexpr axis_lines(extents const& s, int axis) : n(s[axis]) {
    for (int i = 0; i < s.rank; ++i) (i < axis ? outer : inner) *= i == axis ? 1 : s[i];
  }
  // f(i, offset) for every element, i its index along the axis.
  template <class F> constexpr void each(F const& f) const {
    for (extent k = 0, size = outer * n * inner; k < size; ++k) f(k / inner % n, k);
  }
};
// source(i): the element of a line that stands in front of element i, or -1.
template <class T, auto... E, class Source>
constexpr tensor<T, E...> moved_tensor(tensor<T, E...> const& x, int axis, Source const& source) {
  auto r = tensor<T, E...>::uninitialised(x.shape());
  T* to = writable(r);
  axis_lines const lines(x.shape(), plain_axis(axis, x.shape().rank));
  lines.each([&](extent i, extent k) {
    extent const from = source(i);
    to[k] = x.data()[from < 0 ? k : k + (from - i) * lines.inner];
  });
  return r;
}
// The old element where there is none in front.
template <class T, auto... E, class Old, class Source>
constexpr void keep_first(tensor<T, E...>& fresh, Old const& old, int axis, Source const& source) {
  T* to = writable(fresh);
  axis_lines const lines(fresh.shape(), plain_axis(axis, fresh.shape().rank));
  lines.each([&](extent i, extent k) {
    if (source(i) < 0) to[k] = old.data()[k];
  });
}
// Where the elements of a line stand: how many come before each, and whose end a level combines
// with it.
template <associative_scan_options O> struct whole_place {
  extent n;
  constexpr extent operator()(extent i) const { return O.reverse ? n - 1 - i : i; }
  constexpr extent level(extent i, extent by) const {
    extent const place = (*this)(i);
    return (place & by) == 0 ? -1 : (*this)((place & -by) - 1);
  }
};
constexpr void check_start_extents(extents const& is, extents const& to) {
  for (int i = 0, lead = to.rank - is.rank; i < is.rank; ++i)
    if (is[i] != 1 && is[i] != to[lead + i])
      raise<shape_error>(message("weft: the identity of a scan does not broadcast to its array: ")
                             .add(is)
                             .add(" and ")
                             .add(to));
}
// A number, or an array that broadcasts, at every place of a tensor like `like`.
template <class L, class S> constexpr L spread_over(L const& like, S const& start) {
  if constexpr (number_literal<S>) return eval(full_like(like, start));
  else {
    auto const from = eval(start);
    check_start_extents(from.shape(), like.shape());
    L r = L::uninitialised(like.shape());
    auto* to = writable(r);
    for (extent k = 0; k < r.size(); ++k) {
      position const at = position_of(static_cast<int>(k), r.shape());
      position source = from.shape();
      for (int i = 0; i < source.rank; ++i)
        source[i] = source[i] == 1 ? 0 : at[at.rank - source.rank + i];
      to[k] = from.data()[offset_of(source, from.shape())];
    }
    return r;
  }
}
template <associative_scan_options O, class X> constexpr extent scanned_length(X const& xs) {
  extent n = -1;
  for_each_leaf(xs, [&n](auto const& x) {
    extent const is = x.extent(plain_axis(O.axis, x.rank));
    if (n < 0) n = is;
    if (is != n)
      raise<shape_error>(message("weft: the scanned arrays differ in their extent along the axis: ")
                             .add(n)
                             .add(" and ")
                             .add(is));
  });
  return n;
}

template <associative_scan_options O, class F, class X, class Place>
constexpr X scan_tensors(F const& f, X y, Place const& place) {
  if constexpr (!check_two<F, X>()) return y;
  else if constexpr (check_kept<X, tensor_type<decltype(f(y, y))>>()) {
    loop_extents named("associative_scan");
    named.add(y);
    extent const n = scanned_length<O>(y);
    for (extent d = 1; d < n; d *= 2) {
      auto const source = [&place, d](extent i) { return place.level(i, d); };
      X const before = map_leaves(
          [&source](auto const& t) { return moved_tensor(t, O.axis, source); }, y);
      X next = to_tensors(f(before, y));
      named.check(next);
      for_each_leaf(next, y,
                    [&](auto& fresh, auto const& old) { keep_first(fresh, old, O.axis, source); });
      y = std::move(next);
    }
  }
  return y;
}

// Element i is what was before it; the first of a segment is `identity`.
template <associative_scan_options O, class X, class I, class Place>
constexpr X exclusive_tensors(X const& all, I const& identity, Place const& place) {
  auto const source = [&place](extent i) { return place(i) < 1 ? -1 : O.reverse ? i + 1 : i - 1; };
  X r = map_leaves([&source](auto const& t) { return moved_tensor(t, O.axis, source); }, all);
  for_each_leaf(r, identity, [&](auto& t, auto const& start) {
    auto const filler = spread_over(t, start);
    keep_first(t, filler, O.axis, source);
  });
  return r;
}

template <auto... O> struct cumsum_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::cumsum<O...>(a); }
};
template <auto... O> struct cumprod_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::cumprod<O...>(a); }
};
template <auto... O> struct cummax_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::cummax<O...>(a); }
};
template <auto... O> struct cummin_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::cummin<O...>(a); }
};
template <auto... O> struct cumlogsumexp_call : plain_call {
  constexpr auto operator()(auto const& a) const { return weft::cumlogsumexp<O...>(a); }
};

} // namespace detail

template <associative_scan_options O = associative_scan_options{}, class F, class X>
  requires(!traced_structure<X>)
constexpr auto associative_scan(F const& f, X const& xs) {
  using T = tensor_type<X>;
  if constexpr (detail::check_scanned<O.axis>(leaves_of<traced_type<X>>{})) {
    T const x = detail::to_tensors(xs);
    return detail::scan_tensors<O>(f, x, detail::whole_place<O>{detail::scanned_length<O>(x)});
  } else return detail::to_tensors(xs);
}
template <associative_scan_options O = associative_scan_options{}, class F, class X, class I>
  requires(!traced_structure<X>)
constexpr auto associative_scan(F const& f, X const& xs, I const& identity) {
  auto const all = weft::associative_scan<O>(f, xs);
  detail::whole_place<O> const place{detail::scanned_length<O>(all)};
  if constexpr (detail::check_identity<std::remove_cvref_t<decltype(all)>, I>())
    return detail::exclusive_tensors<O>(all, identity, place);
  else return all;
}

template <auto... O, value_operand A> constexpr auto cumsum(A&& a) {
  return detail::now<detail::cumsum_call<O...>>(std::forward<A>(a));
}
template <auto... O, value_operand A> constexpr auto cumprod(A&& a) {
  return detail::now<detail::cumprod_call<O...>>(std::forward<A>(a));
}
template <auto... O, value_operand A> constexpr auto cummax(A&& a) {
  return detail::now<detail::cummax_call<O...>>(std::forward<A>(a));
}
template <auto... O, value_operand A> constexpr auto cummin(A&& a) {
  return detail::now<detail::cummin_call<O...>>(std::forward<A>(a));
}
template <auto... O, value_operand A> constexpr auto cumlogsumexp(A&& a) {
  return detail::now<detail::cumlogsumexp_call<O...>>(std::forward<A>(a));
}

} // namespace weft::inline v0
