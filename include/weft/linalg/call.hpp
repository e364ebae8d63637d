// SPDX-License-Identifier: BSL-1.0
// What the functions of weft::linalg share: checks, a host function over the leading axes of its
// operands, and the words for a matrix that it cannot take.
// Each is a custom_call whose function sees one matrix at a time, copied into memory of Eigen's, so
// that the order of its sums does not depend on where an array lies. A matrix with an element that
// is NaN or infinite gives NaN in every result; the others of a batch do not notice.
// Needs: Eigen, lang/custom_call.hpp. Leaves: derivatives as graph ops and further calls.
#pragma once

#include <weft/graph/dense.hpp>
#include <weft/lang/at.hpp>
#include <weft/lang/both_doors.hpp>
#include <weft/lang/custom_call.hpp>
#include <weft/lang/elementwise.hpp>
#include <weft/lang/grids.hpp>
#include <weft/lang/products.hpp>
#include <weft/lang/reductions.hpp>

#include <Eigen/Core>

#include <limits>

namespace weft::inline v0 {

// A matrix that is singular, is not positive definite, or whose values were not found.
struct linalg_error : value_error {
  using value_error::value_error;
};

namespace detail {

// ---- checks
template <class S> concept has_matrices = S::rank >= 2;
template <class S>
concept has_square_matrices = S::rank >= 2 && S::value[S::rank - 1] == S::value[S::rank - 2];
template <class T>
concept element_of_linalg = std::is_same_v<T, float> || std::is_same_v<T, double>;

template <class X> consteval bool check_matrices() {
  constexpr bool typed = element_of_linalg<typename X::element_type>;
  static_assert(typed, "weft: linalg: not float or double; write convert<float>(x)");
  constexpr bool shaped = has_matrices<typename X::shape_type>;
  static_assert(shaped,
                "weft: linalg: the array has fewer than two axes; matrices are its last two");
  return typed && shaped;
}
template <class X> consteval bool check_square() {
  if constexpr (!check_matrices<X>()) return false;
  else {
    constexpr bool square = has_square_matrices<typename X::shape_type>;
    static_assert(square, "weft: linalg: the last two axes differ; the function takes square "
                          "matrices");
    return square;
  }
}
constexpr extents leading_axes(extents const& s, int behind) {
  extents r;
  for (int i = 0; i < s.rank - behind; ++i) r.push(s[i]);
  return r;
}
constexpr extents trailing_axes(extents const& s, int count) {
  extents r;
  for (int i = s.rank - count; i < s.rank; ++i) r.push(s[i]);
  return r;
}
constexpr extents joined(extents a, extents const& b) {
  for (int i = 0; i < b.rank; ++i) a.push(b[i]);
  return a;
}

// ---- calls
template <class X, auto Batch> struct with_batch;
template <class T, auto... E, auto Batch> struct with_batch<traced<T, E...>, Batch> {
  using type = traced_of<T, joined(Batch, shape<E...>::value)>;
};
template <class X, class Y, auto Batch> struct with_batch<std::pair<X, Y>, Batch> {
  using type = std::pair<typename with_batch<X, Batch>::type, typename with_batch<Y, Batch>::type>;
};
template <class... X, auto Batch> struct with_batch<std::tuple<X...>, Batch> {
  using type = std::tuple<typename with_batch<X, Batch>::type...>;
};
template <class X, int Rank>
using item_of = traced_of<typename X::element_type, trailing_axes(X::shape_type::value, Rank)>;

// Types are said, not deduced: rules of F have calls of F.
template <class F, int Rank, class... X> struct items_call {
  using batch = joined_shape<shape_of_value<leading_axes(X::shape_type::value, Rank)>...>;
  using one = result_for<F, item_of<X, Rank>...>;
  using type = typename with_batch<one, batch::value>::type;
};
// F of the items that are the last Rank axes of every x; the axes before broadcast.
template <class F, int Rank, class... X>
constexpr typename items_call<F, Rank, X...>::type call_on_items(X const&... x) {
  using call = items_call<F, Rank, X...>;
  using all = typename call::type;
  using batch = typename call::batch;
  handle const operands[] = {
      broadcast_to(x.value, joined(batch::value, trailing_axes(X::shape_type::value, Rank)))...};
  growing<result_info> results;
  [&]<class... L>(type_list<L...>) {
    (results.push({dtype_of<typename L::element_type>, L::shape_type::value}), ...);
  }(leaves_of<all>{});
  using one = typename call::one;
  using door = host_door<F, type_list<item_of<X, Rank>...>, one, leaves_of<one>>;
  return from_leaves<all>(
      call_host(door::function, {operands, sizeof...(X)}, results, batch::rank));
}
template <class F, class... X>
constexpr typename items_call<F, 2, X...>::type call_on_matrices(X const&... x) {
  return call_on_items<F, 2>(x...);
}

// ---- on the host
template <class T> using host_matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic>;
template <class T>
using row_major_matrix = Eigen::Matrix<T, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;

// A copy in Eigen's memory.
template <class X> auto host_copy(X const& x) {
  using T = typename X::element_type;
  return host_matrix<T>(Eigen::Map<row_major_matrix<T> const>(x.data(), x.extent(0), x.extent(1)));
}
template <class Y, class M> void write_matrix(Y const& y, M const& m) {
  using T = typename Y::element_type;
  Eigen::Map<row_major_matrix<T>>(y.data(), y.extent(0), y.extent(1)) = m;
}
template <class Y, class M> void write_vector(Y const& y, M const& m) {
  using T = typename Y::element_type;
  Eigen::Map<Eigen::Matrix<T, Eigen::Dynamic, 1>>(y.data(), y.size()) = m;
}
template <class Y> void write_nan(Y const& y) {
  for (auto& element : y) element = std::numeric_limits<typename Y::element_type>::quiet_NaN();
}
// True where a result is known without computing: NaN for a matrix with one that is not finite.
template <class M, class... Y> bool gave_nan(M const& m, Y const&... y) {
  if (m.allFinite()) return false;
  (write_nan(y), ...);
  return true;
}
[[noreturn]] WEFT_NOINLINE inline void raise_matrix(char const* function, host_call const& at,
                                                    char const* what) {
  message text("weft: linalg: ");
  text.add(function);
  if (at.batch.rank == 0) text.add(": the matrix");
  else text.add(": matrix ").add(position_of(at.item, at.batch));
  raise<linalg_error>(text.add(what));
}

// ---- in derivatives: matrices of rank 2
constexpr auto turned(auto const& x) { return weft::transpose<1, 0>(x); }
// The lower triangle with half of the diagonal; the strictly lower one with its mirror image.
constexpr auto half_lower(auto const& x) {
  return weft::tril(x) - 0.5f * (weft::tril(x) - weft::tril<-1>(x));
}
// True where row and column are the same.
template <class X> constexpr auto on_diagonal(X const& x) {
  recorder& r = *x.value.where;
  extents const s = x.value.shape();
  handle const same = equal(iota(r, dtype::i32, s, 0), iota(r, dtype::i32, s, 1));
  return traced_of<bool, X::shape_type::value>{same};
}
// 1 / (d_j - d_i) beside the diagonal, 0 on it.
constexpr auto inverse_gaps(auto const& d) {
  auto const gaps = weft::at<"new, :">(d) - weft::at<":, new">(d);
  auto const same = on_diagonal(gaps);
  return weft::where(same, 0, 1 / weft::where(same, 1, gaps));
}
// x / (d_j - d_i) beside the diagonal, 0 on it; 0 / 0 counts as 0: nothing asks for what equal
// values leave open.
constexpr auto over_gaps(auto const& x, auto const& d) {
  auto const gaps = weft::at<"new, :">(d) - weft::at<":, new">(d);
  auto const nothing = weft::equal(gaps, 0) & weft::equal(x, 0);
  return weft::where(nothing, 0, inverse_gaps(d) * x);
}
constexpr auto as_diagonal(auto const& d) {
  auto const rows = weft::at<":, new">(d) * weft::at<"new, :">(weft::ones_like(d));
  return weft::where(on_diagonal(rows), rows, 0);
}

} // namespace detail
} // namespace weft::inline v0
