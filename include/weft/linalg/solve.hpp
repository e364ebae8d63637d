// SPDX-License-Identifier: BSL-1.0
// Systems of linear equations, and what an LU decomposition with partial pivoting tells besides.
//   x = linalg::solve(a, b)                       // a x = b
//   x = linalg::solve_triangular(l, b)            // l lower; <triangular_options{...}>
//   y = linalg::inverse(a)
//   d = linalg::determinant(a)      auto [sign, log] = linalg::slogdet(a)   // det = sign exp(log)
// a: (..., n, n); b: (n), a vector, or (..., n, k), matrices; leading axes broadcast (NumPy 2).
// Needs: linalg/call.hpp, Eigen/LU. Leaves: derivatives of any order, both modes. The gradient of
// determinant and slogdet at a singular matrix throws, as their formula has the inverse.
// Errors: linalg_error where a matrix is singular to working precision: a pivot is 0. (determinant
// is 0 there, slogdet 0 and -inf.)
#pragma once

#include <weft/linalg/call.hpp>

#include <Eigen/LU>

#include <cmath>

namespace weft::inline v0 {
namespace linalg {

struct triangular_options {
  bool lower = true;          // which triangle is read
  bool transposed = false;    // solve with the transpose of it
  bool unit_diagonal = false; // the diagonal counts as ones and is not read
};

} // namespace linalg
namespace detail {

template <class T> bool has_zero_pivot(Eigen::PartialPivLU<host_matrix<T>> const& lu) {
  return (lu.matrixLU().diagonal().array() == T(0)).any();
}

struct host_solve {
  static constexpr auto name = "weft.linalg.solve";
  template <class T, auto N, auto K>
  static tensor<T, N, K> result(tensor<T, N, N>, tensor<T, N, K>);
  static void run(host_call const& at, auto a, auto b, auto x) {
    auto const m = host_copy(a);
    auto const right = host_copy(b);
    if (x.size() == 0 || gave_nan(m, x) || gave_nan(right, x)) return;
    Eigen::PartialPivLU<std::remove_const_t<decltype(m)>> const lu(m);
    if (has_zero_pivot(lu)) raise_matrix("solve", at, " is singular");
    write_matrix(x, lu.solve(right).eval());
  }
  static constexpr auto vjp(auto a, auto, auto x, auto ct);
  static constexpr auto jvp(auto a, auto, auto x, auto da, auto db);
};
struct host_inverse {
  static constexpr auto name = "weft.linalg.inverse";
  template <class T, auto N> static tensor<T, N, N> result(tensor<T, N, N>);
  static void run(host_call const& at, auto a, auto y) {
    auto const m = host_copy(a);
    if (y.size() == 0 || gave_nan(m, y)) return;
    Eigen::PartialPivLU<std::remove_const_t<decltype(m)>> const lu(m);
    if (has_zero_pivot(lu)) raise_matrix("inverse", at, " is singular");
    write_matrix(y, lu.inverse().eval());
  }
  static constexpr auto vjp(auto, auto y, auto ct) {
    return -weft::matmul(weft::matmul(turned(y), ct), turned(y));
  }
  static constexpr auto jvp(auto, auto y, auto da) { return -weft::matmul(weft::matmul(y, da), y); }
};
struct host_determinant {
  static constexpr auto name = "weft.linalg.determinant";
  template <class T, auto N> static tensor<T> result(tensor<T, N, N>);
  static void run(auto a, auto y) {
    auto const m = host_copy(a);
    if (gave_nan(m, y)) return;
    y() = m.size() == 0 ? 1
                        : Eigen::PartialPivLU<std::remove_const_t<decltype(m)>>(m).determinant();
  }
  static constexpr auto vjp(auto a, auto y, auto ct);
  static constexpr auto jvp(auto a, auto y, auto da);
};
struct host_slogdet {
  static constexpr auto name = "weft.linalg.slogdet";
  template <class T, auto N> static std::pair<tensor<T>, tensor<T>> result(tensor<T, N, N>);
  static void run(auto a, auto sign, auto log) {
    auto const m = host_copy(a);
    if (gave_nan(m, sign, log)) return;
    sign() = 1;
    log() = 0;
    if (m.size() == 0) return;
    Eigen::PartialPivLU<std::remove_const_t<decltype(m)>> const lu(m);
    sign() = static_cast<typename decltype(a)::element_type>(lu.permutationP().determinant());
    for (Eigen::Index i = 0; i < m.rows(); ++i) {
      auto const pivot = lu.matrixLU()(i, i);
      if (pivot < 0) sign() = -sign();
      log() += std::log(std::abs(pivot));
    }
    if (has_zero_pivot(lu)) sign() = 0;
  }
  static constexpr auto vjp(auto a, auto y, auto ct);
  static constexpr auto jvp(auto a, auto y, auto da);
};
// With the options that are not the usual ones: they are a part of what an exported call means.
constexpr char const* triangular_name(linalg::triangular_options o) {
  constexpr char const* names[] = {"weft.linalg.solve_triangular",
                                   "weft.linalg.solve_triangular.unit_diagonal",
                                   "weft.linalg.solve_triangular.transposed",
                                   "weft.linalg.solve_triangular.transposed.unit_diagonal",
                                   "weft.linalg.solve_triangular.upper",
                                   "weft.linalg.solve_triangular.upper.unit_diagonal",
                                   "weft.linalg.solve_triangular.upper.transposed",
                                   "weft.linalg.solve_triangular.upper.transposed.unit_diagonal"};
  return names[(o.lower ? 0 : 4) + (o.transposed ? 2 : 0) + (o.unit_diagonal ? 1 : 0)];
}
template <linalg::triangular_options O> struct host_solve_triangular {
  static constexpr auto name = triangular_name(O);
  template <class T, auto N, auto K>
  static tensor<T, N, K> result(tensor<T, N, N>, tensor<T, N, K>);
  static void run(host_call const& at, auto a, auto b, auto x) {
    constexpr unsigned triangle = (O.lower ? Eigen::Lower : Eigen::Upper) |
                                  (O.unit_diagonal ? Eigen::UnitDiag : 0);
    auto m = host_copy(a);
    m = m.template triangularView<triangle>(); // what is not read counts as 0
    auto const right = host_copy(b);
    if (x.size() == 0 || gave_nan(m, x) || gave_nan(right, x)) return;
    if ((m.diagonal().array() == 0).any()) raise_matrix("solve_triangular", at, " is singular");
    if constexpr (O.transposed)
      write_matrix(x, m.template triangularView<triangle>().transpose().solve(right).eval());
    else write_matrix(x, m.template triangularView<triangle>().solve(right).eval());
  }
  // The triangle that is read, of a matrix.
  static constexpr auto read(auto const& m) {
    constexpr int k = O.unit_diagonal ? 1 : 0;
    if constexpr (O.lower) return weft::tril<-k>(m);
    else return weft::triu<k>(m);
  }
  static constexpr auto vjp(auto a, auto, auto x, auto ct);
  static constexpr auto jvp(auto a, auto, auto x, auto da, auto db);
};

} // namespace detail

namespace linalg {
namespace detail {
using namespace weft::detail;

template <class A, class B>
concept same_number_of_rows = A::value[A::rank - 1] == B::value[B::rank == 1 ? 0 : B::rank - 2];
template <class A, class B>
concept leading_axes_broadcast =
    broadcastable<shape_of_value<weft::detail::leading_axes(A::value, 2)>,
                  shape_of_value<weft::detail::leading_axes(B::value, B::rank == 1 ? 1 : 2)>>;
template <class A, class B> consteval bool check_right_side() {
  if constexpr (!check_square<A>()) return false;
  else {
    using S = typename A::shape_type;
    using R = typename B::shape_type;
    constexpr bool typed = std::is_same_v<typename A::element_type, typename B::element_type>;
    static_assert(typed, "weft: linalg: the element types differ; write convert<T>(x)");
    constexpr bool some = R::rank >= 1;
    static_assert(some,
                  "weft: linalg: the right-hand side is a number; write a vector or a matrix");
    if constexpr (!some) return false;
    else {
      constexpr bool rows = same_number_of_rows<S, R>;
      static_assert(rows, "weft: linalg: the matrices and the right-hand sides have different "
                          "numbers of rows");
      constexpr bool batches = leading_axes_broadcast<S, R>;
      static_assert(batches, "weft: linalg: the axes before the matrices do not broadcast");
      return typed && rows && batches;
    }
  }
}

// F(a, b), b a vector or matrices.
template <class F, class A, class B> constexpr auto with_right_side(A const& a, B const& b) {
  if constexpr (!check_right_side<A, B>()) return b;
  else if constexpr (B::shape_type::rank == 1) {
    auto const x = call_on_matrices<F>(a, weft::at<":, new">(b));
    return weft::at<"..., 0">(x);
  } else return call_on_matrices<F>(a, b);
}
struct solve_object {
  static constexpr auto record(auto const& a, auto const& b) {
    return with_right_side<host_solve>(a, b);
  }
  constexpr auto operator()(auto const& a, auto const& b) const { return record(a, b); }
};
template <triangular_options O> struct triangular_object {
  static constexpr auto record(auto const& a, auto const& b) {
    return with_right_side<host_solve_triangular<O>>(a, b);
  }
  constexpr auto operator()(auto const& a, auto const& b) const { return record(a, b); }
};
template <class F> struct square_object {
  template <class A> static constexpr auto record(A const& a) {
    if constexpr (check_square<A>()) return call_on_matrices<F>(a);
    else return a; // after the error
  }
  constexpr auto operator()(auto const& a) const { return record(a); }
};
} // namespace detail

// The x with a x = b.
template <any_array A, any_array B> constexpr auto solve(A const& a, B const& b) {
  if constexpr ((traced_structure<A> || traced_structure<B>)) {
    recorder& r = weft::detail::recorder_in(a, b).innermost();
    return detail::with_right_side<weft::detail::host_solve>(weft::detail::as_traced(r, a),
                                                             weft::detail::as_traced(r, b));
  } else return weft::detail::run_transformed(detail::solve_object{}, a, b);
}
// The same for a triangular a, of which one triangle is read.
template <triangular_options O = triangular_options{}, any_array A, any_array B>
constexpr auto solve_triangular(A const& a, B const& b) {
  if constexpr ((traced_structure<A> || traced_structure<B>)) {
    recorder& r = weft::detail::recorder_in(a, b).innermost();
    return detail::with_right_side<weft::detail::host_solve_triangular<O>>(
        weft::detail::as_traced(r, a), weft::detail::as_traced(r, b));
  } else return weft::detail::run_transformed(detail::triangular_object<O>{}, a, b);
}
template <any_array A> constexpr auto inverse(A const& a) {
  using object = detail::square_object<weft::detail::host_inverse>;
  if constexpr (traced_array<A>) return object::record(a);
  else return weft::detail::run_transformed(object{}, a);
}
template <any_array A> constexpr auto determinant(A const& a) {
  using object = detail::square_object<weft::detail::host_determinant>;
  if constexpr (traced_array<A>) return object::record(a);
  else return weft::detail::run_transformed(object{}, a);
}
// pair(sign, log of the absolute value).
template <any_array A> constexpr auto slogdet(A const& a) {
  using object = detail::square_object<weft::detail::host_slogdet>;
  if constexpr (traced_array<A>) return object::record(a);
  else return weft::detail::run_transformed(object{}, a);
}

} // namespace linalg

namespace detail {

constexpr auto host_solve::vjp(auto a, auto, auto x, auto ct) {
  auto db = call_on_matrices<host_solve>(turned(a), ct);
  return std::tuple(-weft::matmul(db, turned(x)), db);
}
constexpr auto host_solve::jvp(auto a, auto, auto x, auto da, auto db) {
  return call_on_matrices<host_solve>(a, db - weft::matmul(da, x));
}
constexpr auto host_determinant::vjp(auto a, auto y, auto ct) {
  return turned(linalg::inverse(a)) * (ct * y);
}
constexpr auto host_determinant::jvp(auto a, auto y, auto da) {
  return y * weft::sum(turned(linalg::inverse(a)) * da);
}
constexpr auto host_slogdet::vjp(auto a, auto, auto ct) {
  return turned(linalg::inverse(a)) * ct.second;
}
constexpr auto host_slogdet::jvp(auto a, auto y, auto da) {
  return std::pair(weft::zeros_like(y.first), weft::sum(turned(linalg::inverse(a)) * da));
}
template <linalg::triangular_options O>
constexpr auto host_solve_triangular<O>::vjp(auto a, auto, auto x, auto ct) {
  constexpr linalg::triangular_options other{O.lower, !O.transposed, O.unit_diagonal};
  auto db = call_on_matrices<host_solve_triangular<other>>(a, ct);
  if constexpr (O.transposed) return std::tuple(-read(weft::matmul(x, turned(db))), db);
  else return std::tuple(-read(weft::matmul(db, turned(x))), db);
}
template <linalg::triangular_options O>
constexpr auto host_solve_triangular<O>::jvp(auto a, auto, auto x, auto da, auto db) {
  auto change = read(da);
  if constexpr (O.transposed)
    return call_on_matrices<host_solve_triangular>(a, db - weft::matmul(turned(change), x));
  else return call_on_matrices<host_solve_triangular>(a, db - weft::matmul(change, x));
}

} // namespace detail
} // namespace weft::inline v0
