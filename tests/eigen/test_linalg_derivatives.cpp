// SPDX-License-Identifier: BSL-1.0
// needs: Eigen/Core Eigen3::Eigen
// build: alone
// Derivatives of weft::linalg against differences, in both modes, of matrices and of batches; second
// derivatives; signs of vectors play no part.
#include "lang/recorded.hpp"

#include <weft/lang/elementary.hpp>
#include <weft/lang/gradients.hpp>
#include <weft/lang/vmap.hpp>
#include <weft/linalg/cholesky.hpp>
#include <weft/linalg/eigh.hpp>
#include <weft/linalg/qr.hpp>
#include <weft/linalg/svd.hpp>
#include <weft/pass/canonical.hpp>
#include <weft/testing/check_gradient.hpp>

namespace {

using namespace weft;

constexpr sym rows{"rows"};

// Between -2 and 2, and 3 more where row and column are the same.
template <auto... E, class... N> tensor<double, E...> some(int seed, N... names) {
  tensor<double, E...> x(names...);
  auto m = x.mutate();
  extent const columns = x.extent(-1), of_one = x.extent(-2) * columns;
  for (extent i = 0; i < x.size(); ++i)
    m.data()[i] = static_cast<double>((seed * 37 + 53 * i * i + 29 * i) % 65 - 32) / 16 +
                  (i % of_one / columns == i % columns ? 3 : 0);
  return x;
}
template <class F, class... A> gradient_report report_of(F const& f, A const&... a) {
  graph const g = canonical(record<A...>(f));
  EXPECT_EQ(g.error, trace_error::clean);
  growing<dense> inputs;
  (recorded::push(inputs, a), ...);
  auto const run = [](graph_view p, growing<dense> const& in) { return test::meaning_of(p, in); };
  return check_gradient(g, inputs, run, 4096);
}
// In both modes; then of its gradient.
template <class F, class... A> void expect_derivatives(F const& f, A const&... a) {
  auto const first = report_of(f, a...);
  EXPECT_TRUE(first) << first.text().c_str();
  EXPECT_TRUE(first.has_forward && first.has_reverse);
}
template <class F, class A> void expect_second(F const& f, A const& a) {
  expect_derivatives(grad([&](auto x) { return sum(f(x) * f(x)); }), a);
}

constexpr auto inverse = [](auto a) { return linalg::inverse(a); };
constexpr auto determinant = [](auto a) { return linalg::determinant(a); };
constexpr auto log_det = [](auto a) { return linalg::slogdet(a).second; };
constexpr auto cholesky = [](auto a) {
  return linalg::cholesky(a + 12 * tril(triu(ones_like(a)))); // symmetric parts count
};
constexpr auto solve = [](auto a, auto b) { return linalg::solve(a, b); };
template <linalg::triangular_options O>
constexpr auto triangular = [](auto a, auto b) { return linalg::solve_triangular<O>(a, b); };

TEST(linalg_derivatives, of_systems) {
  expect_derivatives(inverse, some<3, 3>(1));
  expect_derivatives(determinant, some<2, 3, 3>(2));
  expect_derivatives(log_det, some<2, 3, 3>(3));
  expect_derivatives(solve, some<3, 3>(4), some<3, 2>(5));
  expect_derivatives(solve, some<2, 1, 2, 2>(6), some<3, 2, 2>(7));
  tensor<double, 3> const b = {1, -2, 0.5};
  expect_derivatives(solve, some<3, 3>(4), b);
  expect_derivatives(triangular<linalg::triangular_options{}>, some<3, 3>(1), some<3, 2>(2));
  expect_derivatives(triangular<linalg::triangular_options{.lower = false}>, some<3, 3>(1), b);
  expect_derivatives(triangular<linalg::triangular_options{.transposed = true}>, some<3, 3>(1),
                     some<3, 2>(2));
  expect_derivatives(
      triangular<linalg::triangular_options{.transposed = true, .unit_diagonal = true}>,
      some<3, 3>(1), some<3, 2>(2));
  expect_second(inverse, some<2, 2>(1));
  expect_second(log_det, some<2, 2>(2));
}
TEST(linalg_derivatives, of_cholesky) {
  expect_derivatives(cholesky, some<2, 3, 3>(1));
  expect_second(cholesky, some<2, 2>(2));
  expect_derivatives(vmap(cholesky), some<2, 3, 3>(1));
}

// What does not depend on signs.
constexpr auto of_qr = [](auto a) {
  auto [q, r] = linalg::qr(a);
  return std::pair(q * q * q * q, abs(r) * r * r);
};
constexpr auto of_svd = [](auto a) {
  auto [u, s, vh] = linalg::svd(a);
  return std::tuple(matmul(u * at<"new, :">(sin(s)), vh), u * u, vh * vh, s);
};
constexpr auto of_eigh = [](auto a) {
  auto [w, v] = linalg::eigh(a);
  return std::tuple(matmul(v * at<"new, :">(sin(w)), transpose(v)), v * v, w);
};
constexpr auto svdvals = [](auto a) { return linalg::svdvals(a); };
constexpr auto eigvalsh = [](auto a) { return linalg::eigvalsh(a); };
TEST(linalg_derivatives, of_qr) {
  expect_derivatives(of_qr, some<3, 3>(1));
  expect_derivatives(of_qr, some<4, 2>(2));
  expect_derivatives(of_qr, some<rows, 2>(2, 3));
  expect_second([](auto a) { return linalg::qr(a).second; }, some<3, 2>(3));
}
TEST(linalg_derivatives, of_svd) {
  expect_derivatives(of_svd, some<3, 3>(1));
  expect_derivatives(of_svd, some<4, 2>(2));
  expect_derivatives(of_svd, some<2, 4>(3));
  expect_derivatives(vmap(of_svd), some<2, 3, 2>(4));
  expect_derivatives(svdvals, some<2, 3, 2>(5));
  expect_second(svdvals, some<2, 2>(1));
}
TEST(linalg_derivatives, of_eigh) {
  expect_derivatives(of_eigh, some<3, 3>(1));
  expect_derivatives(vmap(of_eigh), some<2, 3, 3>(2));
  expect_derivatives(eigvalsh, some<2, 3, 3>(3));
  expect_second(eigvalsh, some<2, 2>(4));
}
// Equal values: those functions that give values alone have a derivative all the same.
TEST(linalg_derivatives, of_equal_values) {
  tensor<double, 2, 2> const one = {{2, 0}, {0, 2}};
  for (auto const& d :
       {recorded::values<double>(grad([](auto a) { return sum(eigvalsh(a)); }), one),
        recorded::values<double>(grad([](auto a) { return sum(svdvals(a)); }), one)})
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(d[i], i % 3 == 0 ? 1 : 0, 1e-15);
}
// Nor do vectors that a function does not use, or a value 0, spoil it.
TEST(linalg_derivatives, of_equal_values_beside_vectors) {
  using recorded::values;
  tensor<double, 2, 2> const one = {{2, 0}, {0, 2}};
  recorded::list<double> const identity = {1, 0, 0, 1};
  auto const eigenvalues = grad([](auto a) { return sum(linalg::eigh(a).first); });
  EXPECT_EQ(values<double>(eigenvalues, one), identity);
  auto const nuclear = grad([](auto a) { return sum(std::get<1>(linalg::svd(a))); });
  auto const equal = values<double>(nuclear, one);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(equal[i], i % 3 == 0 ? 1 : 0, 1e-15);
  auto const tall = values<double>(nuclear, tensor<double, 3, 2>{{2, 0}, {0, 0}, {0, 0}});
  EXPECT_NEAR(tall[0], 1, 1e-15);
  for (double d : tall) EXPECT_TRUE(std::isfinite(d));
  // The vectors themselves have none.
  auto const of_v = grad([](auto a) { return sum(linalg::eigh(a).second); });
  EXPECT_FALSE(std::isfinite(values<double>(of_v, one)[1]));
}
TEST(linalg_derivatives, of_wide_qr_are_not_there) {
  auto const f = [](auto a) { return sum(linalg::qr(a).second); };
  EXPECT_EQ((record<tensor<double, 2, 3>>(grad(f)).error), trace_error::host_reverse);
}

} // namespace
