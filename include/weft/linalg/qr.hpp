// SPDX-License-Identifier: BSL-1.0
// auto [q, r] = linalg::qr(a): a = q r for a (..., m, n): q (..., m, k) with orthonormal columns, r
// (..., k, n) upper triangular, k = min(m, n) (NumPy's "reduced"); signs as LAPACK's Householder
// reflections give them. A named m counts as at least a numbered n and the other way round, which the
// run checks; of two names k is not known.
// Needs: linalg/solve.hpp, Eigen/QR. Leaves: for m >= n derivatives of any order, both modes, where
// the columns of a are independent.
// Errors: two different names; shape_error where the named extent is the lesser one.
#pragma once

#include <weft/linalg/solve.hpp>

#include <Eigen/QR>

#include <cmath>
#include <limits>
#include <vector>

namespace weft::inline v0 {
namespace detail {

// min(m, n) as an extent of a type; two different names have none.
template <auto M, auto N>
inline constexpr bool least_is_known = !is_named(extent_value<M>()) ||
                                       !is_named(extent_value<N>()) ||
                                       extent_value<M>() == extent_value<N>();
template <auto M, auto N> constexpr auto least_extent() {
  constexpr extent m = extent_value<M>(), n = extent_value<N>();
  if constexpr (m == n || is_named(n)) return M;
  else if constexpr (is_named(m)) return N;
  else return static_cast<int>(m < n ? m : n);
}
template <class S>
concept lesser_extent_is_known = least_is_known<extent_argument_of<S::value[S::rank - 2]>,
                                                extent_argument_of<S::value[S::rank - 1]>>;
// m >= n, by what the types say.
constexpr bool is_tall(extents const& s) {
  extent const m = s[s.rank - 2], n = s[s.rank - 1];
  return m == n || is_named(m) || (!is_named(n) && m >= n);
}
template <class X> consteval bool check_lesser_extent() {
  if constexpr (!check_matrices<X>()) return false;
  else {
    constexpr bool known = lesser_extent_is_known<typename X::shape_type>;
    static_assert(known,
                  "weft: linalg: of two names only the run knows the lesser; give one of the "
                  "last two axes a number");
    return known;
  }
}
inline void expect_least(extent m, extent n, extent least) {
  if (least == (m < n ? m : n)) return;
  raise<shape_error>(message("weft: linalg: a matrix of ")
                         .add(extents{2, {m, n}})
                         .add("; a named extent beside a number must not be the lesser one"));
}

struct host_qr_wide {
  static constexpr auto name = "weft.linalg.qr";
  template <class T, auto M, auto N>
  static std::pair<tensor<T, M, least_extent<M, N>()>, tensor<T, least_extent<M, N>(), N>> result(
      tensor<T, M, N>);
  static void run(auto a, auto q, auto r) {
    expect_least(a.extent(0), a.extent(1), r.extent(0));
    auto const m = host_copy(a);
    using matrix = std::remove_const_t<decltype(m)>;
    if (gave_nan(m, q, r) || r.extent(0) == 0) return;
    auto const exponents = exponents_of_columns(m);
    Eigen::HouseholderQR<matrix> const qr(scaled(m, exponents, -1));
    Eigen::Index const k = r.extent(0);
    write_matrix(q, matrix(qr.householderQ() * matrix::Identity(m.rows(), k)));
    matrix const upper = qr.matrixQR().topRows(k).template triangularView<Eigen::Upper>();
    write_matrix(r, scaled(upper, exponents, 1));
  }
  // Eigen sums squares as they are, which overflow or vanish: columns whose largest element is far
  // from 1 are decomposed as multiples by a power of two, which q does not see. Others: 0, as is.
  template <class T> static std::vector<int> exponents_of_columns(host_matrix<T> const& m) {
    std::vector<int> r(static_cast<std::size_t>(m.cols()), 0);
    for (Eigen::Index j = 0; j < m.cols(); ++j) {
      int exponent = 0;
      std::frexp(m.col(j).cwiseAbs().maxCoeff(), &exponent);
      bool const far = std::abs(exponent) > std::numeric_limits<T>::max_exponent / 4;
      if (far) r[static_cast<std::size_t>(j)] = exponent;
    }
    return r;
  }
  // Column j times 2^(sign exponents[j]).
  template <class T>
  static host_matrix<T> scaled(host_matrix<T> m, std::vector<int> const& exponents, int sign) {
    for (Eigen::Index j = 0; j < m.cols(); ++j)
      if (int const e = exponents[static_cast<std::size_t>(j)]; e != 0)
        for (auto& element : m.col(j)) element = std::ldexp(element, sign * e);
    return m;
  }
};
struct host_qr : host_qr_wide {
  static constexpr linalg::triangular_options upper{.lower = false};
  // x r^-1, x r^-T
  static constexpr auto behind_inverse(auto const& x, auto const& r) {
    constexpr linalg::triangular_options turned_upper{.lower = false, .transposed = true};
    return turned(linalg::solve_triangular<turned_upper>(r, turned(x)));
  }
  static constexpr auto vjp(auto, auto y, auto ct) {
    auto const q = y.first;
    auto const r = y.second;
    auto const dq = ct.first;
    auto const dr = ct.second;
    return vjp_of(q, r, dq, dr);
  }
  static constexpr auto vjp_of(auto const& q, auto const& r, auto const& dq, auto const& dr) {
    auto const m = weft::matmul(r, turned(dr)) - weft::matmul(turned(dq), q);
    auto const mirrored = weft::tril(m) + turned(weft::tril<-1>(m));
    return turned(linalg::solve_triangular<upper>(r, turned(dq + weft::matmul(q, mirrored))));
  }
  static constexpr auto jvp(auto, auto y, auto da) {
    auto const& [q, r] = y;
    auto const x = behind_inverse(da, r);
    auto const m = weft::matmul(turned(q), x);
    auto const lower = weft::tril<-1>(m);
    auto const turn = lower - turned(lower);
    return std::pair(weft::matmul(q, turn - m) + x, weft::matmul(m - turn, r));
  }
};
struct qr_object {
  template <class A> static constexpr auto record(A const& a) {
    if constexpr (!check_lesser_extent<A>()) return std::pair(a, a); // after the error
    else if constexpr (is_tall(A::shape_type::value)) return call_on_matrices<host_qr>(a);
    else return call_on_matrices<host_qr_wide>(a);
  }
  constexpr auto operator()(auto const& a) const { return record(a); }
};

} // namespace detail

namespace linalg {

// pair(q, r).
template <any_array A> constexpr auto qr(A const& a) {
  using object = weft::detail::qr_object;
  if constexpr (traced_array<A>) return object::record(a);
  else return weft::detail::run_transformed(object{}, a);
}

} // namespace linalg
} // namespace weft::inline v0
