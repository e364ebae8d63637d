// SPDX-License-Identifier: BSL-1.0
// needs: Eigen/Core Eigen3::Eigen
// build: alone
// weft::linalg in compiled programs and on the block executor: the interpreter's bits, alone and in
// a batch, on Eigen's pool too; with tensors; a program that threw runs again.
#include "run/compiled.hpp"
#include "support/block.hpp"
#include "support/text_of.hpp"

#include <weft/eigen.hpp>
#include <weft/run/block.hpp>
#include <weft/weft.hpp>

namespace {

using namespace weft;
using test::dense_leaves, test::same_bits;

constexpr sym batch{"batch"};

constexpr auto model = [](auto a, auto b) {
  auto p = matmul(a, swap_axes<-1, -2>(a)) + 4 * identity<float, 3>();
  auto [w, v] = linalg::eigh(p);
  auto x = linalg::solve(linalg::cholesky(p), b);
  return std::tuple(x, w, v * 2, linalg::inverse(swap_axes<-1, -2>(p)));
};
constexpr auto loss = [](auto a, auto b) {
  return sum(linalg::solve(matmul(a, swap_axes<-1, -2>(a)) + 4 * identity<float, 3>(), b));
};
template <auto... E, class... N> tensor<float, E...> some(int seed, N... names) {
  tensor<float, E...> x(names...);
  auto m = x.mutate();
  for (extent i = 0; i < x.size(); ++i)
    m.data()[i] = static_cast<float>((seed * 37 + 53 * i * i + 29 * i) % 65 - 32) / 16;
  return x;
}

TEST(linalg_programs, have_the_interpreters_bits) {
  auto const a = some<batch, 3, 3>(1, 5);
  auto const b = some<3, 2>(2);
  test::check<model>(a, b);
  test::check<grad(loss)>(a, b);
  auto const all = jit<model>(a, b);
  EXPECT_TRUE(same_bits(dense_leaves(jit<model>(cpu::block, a, b)), dense_leaves(all)));
  Eigen::ThreadPool threads(2);
  eigen_pool pool(threads);
  EXPECT_TRUE(same_bits(dense_leaves(jit<model>(pool, a, b)), dense_leaves(all)));
  // Alone as in the batch.
  tensor<float, 3, 3> const third = at<"2">(a);
  auto const one = jit<model>(third, b);
  EXPECT_TRUE((std::get<1>(one) == tensor<float, 3>(at<"2">(std::get<1>(all)))));
  EXPECT_TRUE((std::get<2>(one) == tensor<float, 3, 3>(at<"2">(std::get<2>(all)))));
}
TEST(linalg_programs, with_tensors_at_once) {
  tensor<double, 2, 2> const a = {{4, 2}, {2, 3}};
  tensor<double, 2> const b = {2, 1};
  tensor<double, 2, 2> const l = linalg::cholesky(a);
  EXPECT_EQ(l(0, 0), 2);
  EXPECT_EQ(l(0, 1), 0);
  tensor<double, 2> const x = linalg::solve(a * 2, b);
  EXPECT_NEAR(x(0), 0.25, 1e-15);
  auto const [sign, log] = linalg::slogdet(a);
  EXPECT_EQ(sign(), 1);
  EXPECT_NEAR(log(), std::log(8.), 1e-15);
  tensor<double, 2, 2> const bad = {{1, 2}, {2, 1}};
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_EQ(test::text_of<linalg_error>([&] { linalg::cholesky(bad); }),
              "weft: linalg: cholesky: the matrix is not positive definite");
    EXPECT_EQ(linalg::cholesky(a)(0, 0), 2);
  }
}

} // namespace
