// SPDX-License-Identifier: BSL-1.0
// auto [w, v] = linalg::eigh(a): the eigenvalues of symmetric matrices (..., n, n), ascending, (..., n),
// and orthonormal eigenvectors as columns, a v = v w; linalg::eigvalsh(a): the values alone.
// The symmetric part of a is what is decomposed. Signs of vectors are as they come out.
// Needs: linalg/cholesky.hpp, Eigen/Eigenvalues. Leaves: derivatives of any order, both modes; those
// of the vectors divide by differences of values, so where two are equal they are not finite. First
// derivatives of the values, of eigvalsh or of eigh, do not; second ones go through the vectors.
// Errors: linalg_error where the iteration does not converge.
#pragma once

#include <weft/lang/diagonal.hpp>
#include <weft/linalg/cholesky.hpp>

#include <Eigen/Eigenvalues>

namespace weft::inline v0 {
namespace detail {

struct host_eigh {
  static constexpr auto name = "weft.linalg.eigh";
  template <class T, auto N>
  static std::pair<tensor<T, N>, tensor<T, N, N>> result(tensor<T, N, N>);
  static void run(host_call const& at, auto a, auto w, auto v) {
    auto const m = host_copy(a);
    if (w.size() == 0 || gave_nan(m, w, v)) return;
    Eigen::SelfAdjointEigenSolver<std::remove_const_t<decltype(m)>> const s(m);
    if (s.info() != Eigen::Success) raise_matrix("eigh", at, " did not converge");
    write_vector(w, s.eigenvalues());
    write_matrix(v, s.eigenvectors());
  }
  static constexpr auto vjp(auto, auto y, auto ct) {
    auto const v = y.second;
    auto const turns = over_gaps(weft::matmul(turned(v), ct.second), y.first);
    return weft::matmul(weft::matmul(v, as_diagonal(ct.first) + turns), turned(v));
  }
  static constexpr auto jvp(auto, auto y, auto da) {
    auto const v = y.second;
    auto const p = weft::matmul(weft::matmul(turned(v), da), v);
    return std::pair(weft::diagonal(p), weft::matmul(v, over_gaps(p, y.first)));
  }
};
struct host_eigvalsh {
  static constexpr auto name = "weft.linalg.eigvalsh";
  template <class T, auto N> static tensor<T, N> result(tensor<T, N, N>);
  static void run(host_call const& at, auto a, auto w) {
    auto const m = host_copy(a);
    if (w.size() == 0 || gave_nan(m, w)) return;
    Eigen::SelfAdjointEigenSolver<std::remove_const_t<decltype(m)>> const s(m,
                                                                            Eigen::EigenvaluesOnly);
    if (s.info() != Eigen::Success) raise_matrix("eigvalsh", at, " did not converge");
    write_vector(w, s.eigenvalues());
  }
  static constexpr auto vjp(auto a, auto w, auto ct);
  static constexpr auto jvp(auto a, auto w, auto da);
};

} // namespace detail

namespace linalg {

// pair(eigenvalues, eigenvectors).
template <any_array A> constexpr auto eigh(A const& a) {
  using object = weft::detail::symmetric_object<weft::detail::host_eigh>;
  if constexpr (traced_array<A>) return object::record(a);
  else return weft::detail::run_transformed(object{}, a);
}
template <any_array A> constexpr auto eigvalsh(A const& a) {
  using object = weft::detail::symmetric_object<weft::detail::host_eigvalsh>;
  if constexpr (traced_array<A>) return object::record(a);
  else return weft::detail::run_transformed(object{}, a);
}

} // namespace linalg

namespace detail {

constexpr auto host_eigvalsh::vjp(auto a, auto, auto ct) {
  auto const v = linalg::eigh(a).second;
  return weft::matmul(v * weft::at<"new, :">(ct), turned(v));
}
constexpr auto host_eigvalsh::jvp(auto a, auto, auto da) {
  auto const v = linalg::eigh(a).second;
  return weft::diagonal(weft::matmul(weft::matmul(turned(v), da), v));
}

} // namespace detail
} // namespace weft::inline v0
