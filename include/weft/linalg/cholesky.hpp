// SPDX-License-Identifier: BSL-1.0
// l = linalg::cholesky(a): the lower triangular l with l l^T = a, for a (..., n, n), symmetric and
// positive definite. The symmetric part of a is what is decomposed, so that gradients are symmetric.
// Needs: linalg/solve.hpp, Eigen/Cholesky. Leaves: derivatives of any order, both modes.
// Errors: linalg_error where a matrix is not positive definite.
#pragma once

#include <weft/linalg/solve.hpp>

#include <Eigen/Cholesky>

namespace weft::inline v0 {
namespace detail {

struct host_cholesky {
  static constexpr auto name = "weft.linalg.cholesky";
  template <class T, auto N> static tensor<T, N, N> result(tensor<T, N, N>);
  static void run(host_call const& at, auto a, auto y) {
    auto const m = host_copy(a);
    if (y.size() == 0 || gave_nan(m, y)) return;
    Eigen::LLT<std::remove_const_t<decltype(m)>> const llt(m);
    if (llt.info() != Eigen::Success) raise_matrix("cholesky", at, " is not positive definite");
    write_matrix(y, std::remove_const_t<decltype(m)>(llt.matrixL()));
  }
  // l^-T x l^-1
  static constexpr auto between_inverses(auto const& l, auto const& x) {
    constexpr linalg::triangular_options transposed{.transposed = true};
    auto const left = linalg::solve_triangular<transposed>(l, x);
    return turned(linalg::solve_triangular<transposed>(l, turned(left)));
  }
  static constexpr auto vjp(auto, auto l, auto ct) {
    auto const d = between_inverses(l, half_lower(weft::matmul(turned(l), ct)));
    return 0.5f * (d + turned(d));
  }
  static constexpr auto jvp(auto, auto l, auto da) {
    auto const left = linalg::solve_triangular(l, da);
    auto const both = turned(linalg::solve_triangular(l, turned(left)));
    return weft::matmul(l, half_lower(both));
  }
};

// Both halves of it: the same bits where they are equal.
template <class A> constexpr A symmetric_part(A const& a) {
  constexpr int rank = A::shape_type::rank;
  return 0.5f * (a + A{with_axes_swapped(a.value, rank - 2, rank - 1)});
}
template <class F> struct symmetric_object {
  template <class A> static constexpr auto record(A const& a) {
    if constexpr (check_square<A>()) return call_on_matrices<F>(symmetric_part(a));
    else return a; // after the error
  }
  constexpr auto operator()(auto const& a) const { return record(a); }
};

} // namespace detail

namespace linalg {

template <any_array A> constexpr auto cholesky(A const& a) {
  using object = weft::detail::symmetric_object<weft::detail::host_cholesky>;
  if constexpr (traced_array<A>) return object::record(a);
  else return weft::detail::run_transformed(object{}, a);
}

} // namespace linalg
} // namespace weft::inline v0
