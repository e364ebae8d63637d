// SPDX-License-Identifier: BSL-1.0
// needs: Eigen/Core Eigen3::Eigen
// build: alone
// weft::linalg: NumPy's values, what the results must be, batches, names, sizes 0 and 1, bad input.
#include "lang/recorded.hpp"
#include "numpy_linalg.hpp"
#include "support/text_of.hpp"

#include <weft/lang/einsum.hpp>
#include <weft/lang/joining.hpp>
#include <weft/lang/vmap.hpp>
#include <weft/linalg/cholesky.hpp>
#include <weft/linalg/eigh.hpp>
#include <weft/linalg/qr.hpp>
#include <weft/linalg/svd.hpp>

#include <array>
#include <cmath>
#include <limits>
#include <set>
#include <string>

namespace {

using namespace weft;
using recorded::values;

constexpr sym rows{"rows"};
constexpr sym n{"n"};
constexpr sym batch{"batch"};

template <class T, auto... E> tensor<T, E...> from(double const* numbers) {
  tensor<T, E...> x;
  auto m = x.mutate();
  for (extent i = 0; i < x.size(); ++i) m.data()[i] = static_cast<T>(numbers[i]);
  return x;
}
// Sixteenths between -2 and 2; names are bound in order.
template <class T, auto... E, class... N> tensor<T, E...> some(int seed, N... names) {
  tensor<T, E...> x(names...);
  auto m = x.mutate();
  for (extent i = 0; i < x.size(); ++i)
    m.data()[i] = static_cast<T>((seed * 37 + 53 * i * i + 29 * i) % 65 - 32) / 16;
  return x;
}
template <class F, class... A>
void expect_near(double const* numbers, std::size_t count, F const& f, A const&... a) {
  auto const found = values<double>(f, a...);
  ASSERT_EQ(found.size(), count);
  for (std::size_t i = 0; i < count; ++i)
    EXPECT_NEAR(found[i], numbers[i], 1e-12 * (1 + std::abs(numbers[i]))) << i;
}
#define EXPECT_NUMPY(numbers, ...)                                                                 \
  expect_near(numpy::numbers, sizeof numpy::numbers / sizeof(double), __VA_ARGS__)

TEST(linalg, has_numpys_values) {
  auto const square = from<double, 4, 4>(numpy::square);
  auto const symmetric = from<double, 4, 4>(numpy::symmetric);
  auto const right = from<double, 4, 2>(numpy::right);
  auto const tall = from<double, 5, 3>(numpy::tall);
  auto const wide = from<double, 3, 5>(numpy::wide);
  auto const solve = [](auto a, auto b) { return linalg::solve(a, b); };
  auto const first_of_qr = [](auto a) { return linalg::qr(a).first; };
  auto const second_of_qr = [](auto a) { return linalg::qr(a).second; };
  auto const svdvals = [](auto a) { return linalg::svdvals(a); };
  EXPECT_NUMPY(solve, solve, square, right);
  EXPECT_NUMPY(
      solve_vector, [&](auto a, auto b) { return solve(a, at<":, 0">(b)); }, square, right);
  EXPECT_NUMPY(
      inverse, [](auto a) { return linalg::inverse(a); }, square);
  EXPECT_NUMPY(
      determinant, [](auto a) { return linalg::determinant(a); }, square);
  EXPECT_NUMPY(
      slogdet,
      [](auto a) {
        auto const both = linalg::slogdet(a);
        return stack(both.first, both.second);
      },
      square);
  EXPECT_NUMPY(
      cholesky, [](auto a) { return linalg::cholesky(a); }, from<double, 4, 4>(numpy::positive));
  EXPECT_NUMPY(q_of_square, first_of_qr, square);
  EXPECT_NUMPY(r_of_square, second_of_qr, square);
  EXPECT_NUMPY(q_of_tall, first_of_qr, tall);
  EXPECT_NUMPY(r_of_tall, second_of_qr, tall);
  EXPECT_NUMPY(q_of_wide, first_of_qr, wide);
  EXPECT_NUMPY(r_of_wide, second_of_qr, wide);
  EXPECT_NUMPY(svdvals_of_square, svdvals, square);
  EXPECT_NUMPY(svdvals_of_tall, svdvals, tall);
  EXPECT_NUMPY(svdvals_of_wide, svdvals, wide);
  EXPECT_NUMPY(
      eigvalsh, [](auto a) { return linalg::eigvalsh(a); }, symmetric);
  EXPECT_NUMPY(
      eigvalsh, [](auto a) { return linalg::eigh(a).first; }, symmetric);
}

// ---- what results are, whatever their signs
template <class F, class... A> double largest(F const& f, A const&... a) {
  double most = 0;
  for (auto const& d : recorded::run(f, a...))
    for (word w : d.words)
      most = std::fmax(most, d.type == dtype::f32 ? double{std::abs(element_of_word<float>(w))}
                                                  : std::abs(element_of_word<double>(w)));
  return most;
}
constexpr auto t = [](auto x) { return transpose<0, 2, 1>(x); }; // of (b, m, n)
constexpr auto of_unit = [](auto x) {                            // x x^T - 1
  auto p = matmul(x, t(x));
  return p - tril(triu(ones_like(p)));
};
constexpr auto qr_errors = [](auto a) {
  auto [q, r] = linalg::qr(a);
  return std::tuple(matmul(q, r) - a, of_unit(t(q)), tril<-1>(r));
};
constexpr auto svd_errors = [](auto a) {
  auto [u, s, vh] = linalg::svd(a);
  return std::tuple(matmul(u * at<":, new">(s), vh) - a, of_unit(t(u)), of_unit(vh),
                    s - linalg::svdvals(a), minimum(s, 0));
};
constexpr auto eigh_errors = [](auto a) {
  auto [w, v] = linalg::eigh(a);
  auto s = (a + t(a)) / 2;
  return std::tuple(matmul(s, v) - v * at<":, new">(w), of_unit(t(v)), w - linalg::eigvalsh(a));
};
constexpr auto cholesky_errors = [](auto a) {
  auto p = matmul(a, t(a)) + tril(triu(ones_like(a)));
  auto l = linalg::cholesky(p);
  return std::pair(matmul(l, t(l)) - p, triu<1>(l));
};
constexpr auto solve_errors = [](auto a, auto b) {
  auto x = linalg::solve(a, b);
  auto l = tril(a);
  auto one = tril(triu(ones_like(a)));
  constexpr linalg::triangular_options up{.lower = false}, back{.transposed = true},
      unit{.unit_diagonal = true};
  return std::tuple(matmul(a, x) - b, matmul(linalg::inverse(a), a) - one,
                    matmul(l, linalg::solve_triangular(a, b)) - b,
                    matmul(triu(a), linalg::solve_triangular<up>(a, b)) - b,
                    matmul(t(l), linalg::solve_triangular<back>(a, b)) - b,
                    matmul(tril<-1>(a) + one, linalg::solve_triangular<unit>(a, b)) - b);
};
TEST(linalg, results_are_what_they_are_called) {
  EXPECT_LT(largest(qr_errors, some<double, 2, 5, 3>(1)), 1e-13);
  EXPECT_LT(largest(qr_errors, some<double, 2, 3, 5>(2)), 1e-13);
  EXPECT_LT(largest(svd_errors, some<double, 2, 5, 3>(3)), 1e-13);
  EXPECT_LT(largest(svd_errors, some<double, 2, 3, 5>(4)), 1e-13);
  EXPECT_LT(largest(eigh_errors, some<double, 3, 4, 4>(5)), 1e-13);
  EXPECT_LT(largest(cholesky_errors, some<double, 3, 4, 4>(6)), 1e-13);
  EXPECT_LT(largest(solve_errors, some<double, 3, 4, 4>(7), some<double, 3, 4, 2>(8)), 1e-11);
  EXPECT_LT(largest(qr_errors, some<float, 2, 4, 3>(1)), 1e-5);
}
// Columns whose squares are no numbers: q as of the matrix scaled to 1, r scaled.
template <class T> void expect_scaled_qr(T least, T most) {
  auto const first = [](auto a) { return linalg::qr(a).first; };
  auto const second = [](auto a) { return linalg::qr(a).second; };
  auto const expect = [](auto const& found, std::array<T, 4> const& wanted, T unit) {
    for (std::size_t i = 0; i < 4; ++i)
      EXPECT_NEAR(found[i] / (i % 2 == 0 ? unit : 1), wanted[i], T(1e-6)) << i;
  };
  tensor<T, 2, 2> const small = {{3 * least, 1}, {4 * least, 2}};
  expect(values<T>(first, small), {T(-0.6), T(-0.8), T(-0.8), T(0.6)}, 1);
  expect(values<T>(second, small), {-5, T(-2.2), 0, T(0.4)}, least);
  tensor<T, 2, 2> const large = {{most, 0}, {most, 1}};
  T const half = std::sqrt(T(0.5));
  expect(values<T>(first, large), {-half, -half, -half, half}, 1);
  expect(values<T>(second, large), {-2 * half, -half, 0, half}, most);
}
TEST(linalg, qr_of_small_and_large_columns) {
  expect_scaled_qr<float>(1e-20f, 1e20f);
  expect_scaled_qr<double>(1e-160, 1e160);
  expect_scaled_qr<double>(1e-300, 1e300);
}
// Scaling changes no bits where the squares are numbers: powers of two just beyond the bound.
TEST(linalg, qr_keeps_its_bits) {
  auto const q = [](auto a) { return linalg::qr(a).first; };
  auto x = some<float, 4, 3>(1), y = x;
  auto m = y.mutate();
  for (extent i = 0; i < 4; ++i) m(i, 1) = std::ldexp(m(i, 1), 35);
  EXPECT_EQ(values<float>(q, x), values<float>(q, y));
}
TEST(linalg, of_named_extents) {
  EXPECT_LT(largest(qr_errors, some<double, batch, rows, 3>(1, 2, 5)), 1e-13);
  EXPECT_LT(largest(svd_errors, some<double, 2, rows, 3>(3, 4)), 1e-13);
  EXPECT_LT(largest(svd_errors, some<double, 2, 3, rows>(3, 4)), 1e-13);
  EXPECT_LT(largest(eigh_errors, some<double, batch, n, n>(5, 2, 4)), 1e-13);
  EXPECT_LT(largest(cholesky_errors, some<double, batch, n, n>(6, 2, 4)), 1e-13);
  EXPECT_EQ(test::text_of<shape_error>([] { largest(svd_errors, some<double, 2, rows, 3>(3, 2)); }),
            "weft: linalg: a matrix of (2, 3); a named extent beside a number must not be the "
            "lesser one");
}
TEST(linalg, of_no_and_of_one_element) {
  EXPECT_EQ(largest(qr_errors, some<double, 2, 0, 3>(1)), 0);
  EXPECT_EQ(largest(qr_errors, some<double, 2, 3, 0>(1)), 0);
  EXPECT_EQ(largest(svd_errors, some<double, 0, 3, 2>(1)), 0);
  EXPECT_EQ(largest(svd_errors, some<double, 1, 0, 2>(1)), 0);
  EXPECT_EQ(largest(eigh_errors, some<double, 1, 0, 0>(1)), 0);
  EXPECT_EQ(largest(cholesky_errors, some<double, 1, 0, 0>(1)), 0);
  EXPECT_EQ(largest(solve_errors, some<double, 1, 0, 0>(1), some<double, 1, 0, 2>(1)), 0);
  EXPECT_LT(largest(solve_errors, some<double, 1, 2, 2>(1), some<double, 1, 2, 0>(1)), 1e-15);
  EXPECT_EQ(
      values<double>([](auto a) { return linalg::determinant(a); }, tensor<double, 2, 0, 0>{}),
      (recorded::list<double>{1, 1}));
  EXPECT_LT(largest(svd_errors, some<double, 3, 1, 1>(1)), 1e-15);
  EXPECT_LT(largest(eigh_errors, some<double, 3, 1, 1>(1)), 1e-15);
}

// ---- batches
TEST(linalg, batches_broadcast_and_map) {
  auto const a = some<double, 2, 1, 3, 3>(1);
  auto const b = some<double, 4, 3, 2>(2);
  auto const solve = [](auto x, auto y) { return linalg::solve(x, y); };
  auto const all = values<double>(solve, a, b);
  ASSERT_EQ(all.size(), 2u * 4 * 3 * 2);
  auto const mapped = vmap<0, none>(
      vmap<none, 0>([&](auto x, auto y) { return solve(at<"0">(x), y); }));
  EXPECT_EQ(values<double>(mapped, a, b), all); // and so the loop's
  auto const of_vectors = values<double>(solve, some<double, 2, 3, 3>(1), some<double, 3>(5));
  EXPECT_EQ(of_vectors.size(), 6u);
}

// An exported call has its host function's name alone.
constexpr linalg::triangular_options turned_upper{
    .lower = false, .transposed = true, .unit_diagonal = true};
TEST(linalg, calls_are_named_with_their_options) {
  static_assert(std::string_view(detail::triangular_name({})) == "weft.linalg.solve_triangular");
  graph const g = record<tensor<float, 2, 2>, tensor<float, 2, 2>>(
      [](auto a, auto b) { return linalg::solve_triangular<turned_upper>(a, b); });
  EXPECT_STREQ(g.hosts[0]->name, "weft.linalg.solve_triangular.upper.transposed.unit_diagonal");
  std::set<std::string> names;
  for (int i = 0; i < 8; ++i)
    names.insert(detail::triangular_name({(i & 1) != 0, (i & 2) != 0, (i & 4) != 0}));
  EXPECT_EQ(names.size(), 8u);
}

// ---- bad input
TEST(linalg, says_which_matrix_it_cannot_take) {
  tensor<double, 2, 2, 2> const x = {{{2, 1}, {1, 2}}, {{1, 2}, {2, 1}}};
  tensor<double, 2, 2> const singular = {{1, 2}, {2, 4}}, right = {{1, 2}, {3, 4}};
  auto const cholesky = [](auto a) { return linalg::cholesky(a); };
  auto const inverse = [](auto a) { return linalg::inverse(a); };
  auto const solve = [](auto a, auto b) { return linalg::solve(a, b); };
  auto const triangular = [](auto a, auto b) { return linalg::solve_triangular(a, b); };
  using test::text_of;
  EXPECT_EQ(text_of<linalg_error>([&] { recorded::run(cholesky, x); }),
            "weft: linalg: cholesky: matrix (1) is not positive definite");
  EXPECT_EQ(text_of<linalg_error>([&] { recorded::run(inverse, singular); }),
            "weft: linalg: inverse: the matrix is singular");
  EXPECT_EQ(text_of<linalg_error>([&] { recorded::run(solve, singular, right); }),
            "weft: linalg: solve: the matrix is singular");
  EXPECT_EQ(text_of<linalg_error>([&] {
              recorded::run(triangular, tensor<double, 2, 2>{{1, 0}, {3, 0}}, right);
            }),
            "weft: linalg: solve_triangular: the matrix is singular");
  EXPECT_EQ(values<double>([](auto a) { return linalg::determinant(a); }, singular)[0], 0);
  EXPECT_EQ(values<double>([](auto a) { return linalg::slogdet(a).first; }, singular)[0], 0);
  tensor<double, 2, 2> const turned = {{1, 1}, {2, 2}}; // by its permutation -0 once
  EXPECT_FALSE(
      std::signbit(values<double>([](auto a) { return linalg::slogdet(a).first; }, turned)[0]));
  EXPECT_EQ(values<double>([](auto a) { return linalg::slogdet(a).second; }, singular)[0],
            -std::numeric_limits<double>::infinity());
}
TEST(linalg, what_is_not_finite_gives_nan) {
  for (double bad :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity()}) {
    tensor<double, 2, 2, 2> const x = {{{2, bad}, {1, 2}}, {{2, 1}, {1, 2}}};
    auto const each = [](auto a) {
      auto [u, s, vh] = linalg::svd(a);
      auto [w, v] = linalg::eigh(a);
      auto [q, r] = linalg::qr(a);
      auto [sign, log] = linalg::slogdet(a);
      return std::tuple(u, s, vh, w, v, q, r, sign, log, linalg::inverse(a), linalg::cholesky(a),
                        linalg::determinant(a), linalg::svdvals(a), linalg::eigvalsh(a),
                        linalg::solve(a, a));
    };
    for (dense const& d : recorded::run(each, x))
      for (int i = 0; i < d.size(); ++i)
        EXPECT_EQ(std::isnan(element_of_word<double>(d[i])), i < d.size() / 2);
  }
}

} // namespace
