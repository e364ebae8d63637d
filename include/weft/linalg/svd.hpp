// SPDX-License-Identifier: BSL-1.0
// auto [u, s, vh] = linalg::svd(a): a = u s vh for a (..., m, n): u (..., m, k) and vh (..., k, n) with
// orthonormal columns and rows, s (..., k) descending, k = min(m, n), known as in linalg/qr.hpp;
// linalg::svdvals(a): s alone. Signs of vectors are as they come out.
// Needs: linalg/qr.hpp, Eigen/SVD. Leaves: derivatives of any order, both modes; those of u and vh
// divide by differences of values (and by values, where m != n), so where two are equal or one is 0
// they are not finite. First derivatives of s, of svdvals or of svd, do not; second ones go through
// u and vh.
// Errors: as qr; linalg_error where the iteration does not converge.
#pragma once

#include <weft/lang/diagonal.hpp>
#include <weft/linalg/qr.hpp>

#include <Eigen/SVD>

#include <tuple>

namespace weft::inline v0 {
namespace detail {

struct host_svd {
  static constexpr auto name = "weft.linalg.svd";
  template <class T, auto M, auto N>
  static std::tuple<tensor<T, M, least_extent<M, N>()>, tensor<T, least_extent<M, N>()>,
                    tensor<T, least_extent<M, N>(), N>>
      result(tensor<T, M, N>);
  static void run(host_call const& at, auto a, auto u, auto s, auto vh) {
    expect_least(a.extent(0), a.extent(1), s.extent(0));
    auto const m = host_copy(a);
    if (s.size() == 0 || gave_nan(m, u, s, vh)) return;
    Eigen::BDCSVD<std::remove_const_t<decltype(m)>> const d(m, Eigen::ComputeThinU |
                                                                   Eigen::ComputeThinV);
    if (d.info() != Eigen::Success) raise_matrix("svd", at, " did not converge");
    write_matrix(u, d.matrixU());
    write_vector(s, d.singularValues());
    write_matrix(vh, d.matrixV().transpose());
  }
  // x with what u spans taken out, divided by s column by column; 0 / 0 counts as 0.
  static constexpr auto outside(auto const& x, auto const& u, auto const& s) {
    auto const rest = x - weft::matmul(u, weft::matmul(turned(u), x));
    auto const nothing = weft::equal(weft::at<"new, :">(s), 0) & weft::equal(rest, 0);
    return weft::where(nothing, 0, rest / weft::at<"new, :">(s));
  }
  template <class X>
  static constexpr bool is_square_matrix = X::shape_type::value[0] == X::shape_type::value[1];

  static constexpr auto vjp(auto, auto y, auto ct) {
    auto const u = std::get<0>(y);
    auto const s = std::get<1>(y);
    auto const vh = std::get<2>(y);
    return gradient(u, s, vh, std::get<0>(ct), std::get<1>(ct), turned(std::get<2>(ct)));
  }
  template <class U, class V>
  static constexpr auto gradient(U const& u, auto const& s, V const& vh, auto const& du,
                                 auto const& ds, auto const& dv) {
    auto const squares = s * s;
    auto const v = turned(vh);
    auto const of_u = weft::matmul(turned(u), du);
    auto const of_v = weft::matmul(turned(v), dv);
    auto const inner = over_gaps(of_u - turned(of_u), squares) * weft::at<"new, :">(s) +
                       as_diagonal(ds) +
                       weft::at<":, new">(s) * over_gaps(of_v - turned(of_v), squares);
    return with_outside<V>(with_outside_of_u<U>(weft::matmul(u, inner), u, s, du), u, v, vh, s, dv);
  }
  template <class U>
  static constexpr auto with_outside_of_u(auto const& left, auto const& u, auto const& s,
                                          auto const& du) {
    if constexpr (is_square_matrix<U>) return left;
    else return left + outside(du, u, s);
  }
  template <class V>
  static constexpr auto with_outside(auto const& left, auto const& u, auto const& v, auto const& vh,
                                     auto const& s, auto const& dv) {
    auto const all = weft::matmul(left, vh);
    if constexpr (is_square_matrix<V>) return all;
    else return all + weft::matmul(u, turned(outside(dv, v, s)));
  }
  static constexpr auto jvp(auto, auto y, auto da) {
    return tangents(std::get<0>(y), std::get<1>(y), std::get<2>(y), da);
  }
  template <class U, class V>
  static constexpr auto tangents(U const& u, auto const& s, V const& vh, auto const& da) {
    auto const squares = s * s;
    auto const v = turned(vh);
    auto const row = weft::at<"new, :">(s);
    auto const column = weft::at<":, new">(s);
    auto const right = weft::matmul(da, v);
    auto const left = weft::matmul(turned(da), u);
    auto const p = weft::matmul(turned(u), right);
    auto const du = weft::matmul(u, over_gaps(p * row + column * turned(p), squares));
    auto const dv = weft::matmul(v, over_gaps(column * p + turned(p) * row, squares));
    return std::tuple(with_rest<U>(du, u, right, s), weft::diagonal(p),
                      turned(with_rest<V>(dv, v, left, s)));
  }
  template <class X>
  static constexpr auto with_rest(auto const& d, auto const& u, auto const& x, auto const& s) {
    if constexpr (is_square_matrix<X>) return d;
    else return d + outside(x, u, s);
  }
};
struct host_svdvals {
  static constexpr auto name = "weft.linalg.svdvals";
  template <class T, auto M, auto N> static tensor<T, least_extent<M, N>()> result(tensor<T, M, N>);
  static void run(host_call const& at, auto a, auto s) {
    expect_least(a.extent(0), a.extent(1), s.extent(0));
    auto const m = host_copy(a);
    if (s.size() == 0 || gave_nan(m, s)) return;
    Eigen::BDCSVD<std::remove_const_t<decltype(m)>> const d(m);
    if (d.info() != Eigen::Success) raise_matrix("svdvals", at, " did not converge");
    write_vector(s, d.singularValues());
  }
  static constexpr auto vjp(auto a, auto s, auto ct);
  static constexpr auto jvp(auto a, auto s, auto da);
};
template <class F> struct thin_object {
  template <class A> static constexpr auto record(A const& a) {
    if constexpr (check_lesser_extent<A>()) return call_on_matrices<F>(a);
    else return a; // after the error
  }
  constexpr auto operator()(auto const& a) const { return record(a); }
};

} // namespace detail

namespace linalg {

// tuple(u, s, vh).
template <any_array A> constexpr auto svd(A const& a) {
  using object = weft::detail::thin_object<weft::detail::host_svd>;
  if constexpr (traced_array<A>) return object::record(a);
  else return weft::detail::run_transformed(object{}, a);
}
template <any_array A> constexpr auto svdvals(A const& a) {
  using object = weft::detail::thin_object<weft::detail::host_svdvals>;
  if constexpr (traced_array<A>) return object::record(a);
  else return weft::detail::run_transformed(object{}, a);
}

} // namespace linalg

namespace detail {

constexpr auto host_svdvals::vjp(auto a, auto, auto ct) {
  auto const y = linalg::svd(a);
  return weft::matmul(std::get<0>(y) * weft::at<"new, :">(ct), std::get<2>(y));
}
constexpr auto host_svdvals::jvp(auto a, auto, auto da) {
  auto const y = linalg::svd(a);
  return weft::diagonal(
      weft::matmul(weft::matmul(turned(std::get<0>(y)), da), turned(std::get<2>(y))));
}

} // namespace detail
} // namespace weft::inline v0
