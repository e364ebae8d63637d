// SPDX-License-Identifier: BSL-1.0
// The rules of products.hpp: which axes matmul, dot, inner, vdot and tensordot sum, as the text of an
// einsum; lists of axes as template arguments.
// Needs: shape_rules.hpp. Leaves: concepts that show the shapes.
#pragma once

#include <weft/lang/shape_rules.hpp>

namespace weft::inline v0 {

// A list of axes as a template argument: axis_list(0, -1).
struct axis_list {
  int count = 0;
  int axis[max_rank]{};

  template <class... I>
    requires(std::is_same_v<I, int> && ...)
  explicit constexpr axis_list(I... i) : count(sizeof...(I)) {
    static_assert(sizeof...(I) <= max_rank, "weft: axis_list: an array has at most 8 axes");
    int at = 0;
    if constexpr (sizeof...(I) <= max_rank) ((axis[at++] = i), ...);
  }
};

namespace detail {

// Axis a[i] of the first operand is summed with axis b[i] of the second; the result has what is
// left of both.
struct summed_axes {
  int count = 0;
  int a[max_rank]{}, b[max_rank]{};

  constexpr void push(int x, int y) {
    a[count] = x;
    b[count++] = y;
  }
  // The partner of axis j of the second operand, -1: none.
  constexpr int partner(int j) const {
    for (int i = 0; i < count; ++i)
      if (b[i] == j) return a[i];
    return -1;
  }
  constexpr bool sums_a(int i) const {
    for (int k = 0; k < count; ++k)
      if (a[k] == i) return true;
    return false;
  }
};
constexpr bool is_axis_of(int axis, int rank) { return -rank <= axis && axis < rank; }

constexpr bool extents_agree(summed_axes const& s, extents const& a, extents const& b) {
  for (int i = 0; i < s.count; ++i)
    if (a[s.a[i]] != b[s.b[i]]) return false;
  return true;
}
template <class A, class B, summed_axes S>
concept summed_extents_agree = extents_agree(S, A::value, B::value);

// "abc,aBc->bB": lower case the first operand's axes, upper case the second's own.
template <int RankA, int RankB, summed_axes S> consteval auto product_text() {
  char s[2 * (RankA + RankB - S.count) + 4]{};
  int n = 0;
  for (int i = 0; i < RankA; ++i) s[n++] = static_cast<char>('a' + i);
  s[n++] = ',';
  for (int j = 0; j < RankB; ++j) {
    int const p = S.partner(j);
    s[n++] = static_cast<char>(p >= 0 ? 'a' + p : 'A' + j);
  }
  s[n++] = '-';
  s[n++] = '>';
  for (int i = 0; i < RankA; ++i)
    if (!S.sums_a(i)) s[n++] = static_cast<char>('a' + i);
  for (int j = 0; j < RankB; ++j)
    if (S.partner(j) < 0) s[n++] = static_cast<char>('A' + j);
  return fixed_string(s);
}
// NumPy's dot: the last axis of a, the last but one of b (its only one, if it has one).
constexpr summed_axes dot_axes(int rank_a, int rank_b) {
  summed_axes s;
  if (rank_a > 0 && rank_b > 0) s.push(rank_a - 1, rank_b > 1 ? rank_b - 2 : 0);
  return s;
}
constexpr summed_axes inner_axes(int rank_a, int rank_b) {
  summed_axes s;
  if (rank_a > 0 && rank_b > 0) s.push(rank_a - 1, rank_b - 1);
  return s;
}
constexpr summed_axes paired_axes(axis_list const& a, axis_list const& b, int rank_a, int rank_b) {
  summed_axes s;
  for (int i = 0; i < a.count; ++i)
    s.push(plain_axis(a.axis[i], rank_a), plain_axis(b.axis[i], rank_b));
  return s;
}
constexpr summed_axes neighbours(int count, int rank_a) {
  summed_axes s;
  for (int i = 0; i < count; ++i) s.push(rank_a - count + i, i);
  return s;
}
constexpr summed_axes all_axes(int rank) { return neighbours(rank, rank); }

constexpr bool are_axes_of(axis_list const& list, int rank) {
  for (int i = 0; i < list.count; ++i) {
    if (!is_axis_of(list.axis[i], rank)) return false;
    for (int j = 0; j < i; ++j)
      if (plain_axis(list.axis[i], rank) == plain_axis(list.axis[j], rank)) return false;
  }
  return true;
}
template <class S, axis_list List> concept different_axes_of = are_axes_of(List, S::rank);
template <int Count, class A, class B>
concept as_many_axes = Count >= 0 && Count <= A::rank && Count <= B::rank;
template <axis_list A, axis_list B> concept paired = A.count == B.count;

// matmul: matrices are the last two axes; a vector is a row on the left, a column on the right.
template <int RankA, int RankB> consteval auto matmul_text() {
  if constexpr (RankA == 1 && RankB == 1) return fixed_string("k,k->");
  else if constexpr (RankA == 1) return fixed_string("k,...kj->...j");
  else if constexpr (RankB == 1) return fixed_string("...ik,k->...i");
  else return fixed_string("...ik,...kj->...ij");
}
constexpr extents batch_of(extents const& s) {
  extents r;
  for (int i = 0; i + 2 < s.rank; ++i) r.push(s[i]);
  return r;
}
template <class S> concept has_an_axis = S::rank > 0;
template <class A, class B> consteval bool check_matmul() {
  static_assert(has_an_axis<A> && has_an_axis<B>,
                "weft: matmul: an operand is a number; write a * b");
  if constexpr (has_an_axis<A> && has_an_axis<B>) {
    constexpr summed_axes inner = dot_axes(A::rank, B::rank);
    static_assert(summed_extents_agree<A, B, inner>,
                  "weft: matmul: columns of the first and rows of the second differ");
    using batch_a = shape_of_value<batch_of(A::value)>;
    using batch_b = shape_of_value<batch_of(B::value)>;
    static_assert(broadcastable<batch_a, batch_b>,
                  "weft: matmul: the axes before the matrices do not broadcast");
    return summed_extents_agree<A, B, inner> && broadcastable<batch_a, batch_b>;
  } else return false;
}

} // namespace detail
} // namespace weft::inline v0
