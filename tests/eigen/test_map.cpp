// SPDX-License-Identifier: BSL-1.0
// needs: Eigen/Core Eigen3::Eigen
// Maps both ways share memory, with every stride; Eigen's pool as an executor.
#include <weft/array/borrowed.hpp>
#include <weft/array/tensor.hpp>
#include <weft/cpu/executor.hpp>
#include <weft/eigen/map.hpp>
#include <weft/eigen/pool.hpp>

#include "support/text_of.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <vector>

namespace {

using namespace weft;

constexpr sym rows{"rows"};
constexpr sym columns{"columns"};

template <class X> using map_of = decltype(as_eigen(std::declval<X const&>()));
template <class M> constexpr int rows_of = M::RowsAtCompileTime;
static_assert(rows_of<map_of<tensor<float, 3>>> == 3);
static_assert(rows_of<map_of<tensor<float, rows, 2>>> == Eigen::Dynamic);
static_assert(map_of<tensor<float, rows, 2>>::ColsAtCompileTime == 2);
static_assert(map_of<tensor<float, rows, 2>>::IsRowMajor);

TEST(eigen_map, reads_where_the_array_lies) {
  tensor<double, rows, 3> x(2);
  for (int i = 0; i < 6; ++i) x.mutate()(i / 3, i % 3) = i;
  auto const m = as_eigen(x);
  EXPECT_EQ(m.data(), x.data());
  EXPECT_EQ(m.rows(), 2);
  EXPECT_EQ(m(1, 0), 3);
  tensor<int, 4> const v = {1, 2, 3, 4};
  EXPECT_EQ(as_eigen(v).sum(), 10);
  tensor<float, 3, 1> const column = {{1}, {2}, {3}};
  tensor<float, 1, 3> const row = {{1, 2, 3}};
  EXPECT_EQ((as_eigen(row) * as_eigen(column))(0, 0), 14);
  tensor<double, 0, 3> const none;
  EXPECT_EQ(as_eigen(none).rows(), 0);
}
TEST(eigen_map, reads_borrowed_arrays_by_their_strides) {
  double const numbers[] = {0, 1, 2, 3, 4, 5};
  auto const turned = borrow<3, 2>(numbers, strides{1, 3});
  auto const back = borrow<2, 3>(numbers + 5, strides{-3, -1});
  auto const every = borrow<3>(numbers, strides{2});
  auto const same = borrow<2, 2>(numbers + 1, strides{0, 1});
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 2; ++j) EXPECT_EQ(as_eigen(turned)(i, j), turned(i, j));
    for (int j = 0; j < 2; ++j) EXPECT_EQ(as_eigen(back)(j, i), back(j, i));
    EXPECT_EQ(as_eigen(every)(i), every(i));
  }
  EXPECT_EQ(as_eigen(same)(1, 1), 2);
}
TEST(eigen_map, writes_expressions_in_place) {
  tensor<double, 2, 3> const x = {{1, 2, 3}, {4, 5, 6}};
  tensor<double, 2, 2> y;
  tensor<double, 2, 2> const copy = y;
  {
    auto w = y.mutate();
    as_eigen(w).noalias() = as_eigen(x) * as_eigen(x).transpose();
    as_eigen(w)(0, 1) += 1;
  }
  EXPECT_TRUE((y == tensor<double, 2, 2>{{14, 33}, {32, 77}}));
  EXPECT_EQ(copy(0, 0), 0);
}
// Static sizes of this extent would put 8 MiB of operands on the stack.
TEST(eigen_map, large_products_take_no_stack) {
  static_assert(rows_of<map_of<tensor<float, 64, 65>>> == 64);
  static_assert(map_of<tensor<float, 64, 65>>::ColsAtCompileTime == Eigen::Dynamic);
  tensor<float, 1024, 1024> ones, y;
  for (float& x : ones.mutate()) x = 1;
  auto w = y.mutate();
  as_eigen(w).noalias() = as_eigen(ones) * as_eigen(ones);
  EXPECT_EQ((as_eigen(ones) * as_eigen(ones)).eval()(7, 9), 1024);
  EXPECT_EQ(w(1023, 0), 1024);
}
TEST(eigen_map, from_eigen_shares_memory) {
  Eigen::Matrix<double, 2, 3> m;
  m << 1, 2, 3, 4, 5, 6;
  auto const x = from_eigen(m);
  static_assert(std::is_same_v<decltype(x), borrowed<double, 2, 3> const>);
  EXPECT_EQ(x.data(), m.data());
  EXPECT_EQ(x.stride(0), 1); // column-major
  EXPECT_TRUE((tensor<double, 2, 3>(x) == tensor<double, 2, 3>{{1, 2, 3}, {4, 5, 6}}));
  Eigen::MatrixXf const d = Eigen::MatrixXf::Constant(4, 2, 7);
  auto const named = from_eigen<rows, 2>(d);
  EXPECT_EQ(named.extent(0), 4);
  EXPECT_EQ((from_eigen<rows, columns>(d)(3, 1)), 7);
  Eigen::Map<Eigen::Matrix<double, 3, 1>, 0, Eigen::InnerStride<2>> const every(m.data());
  EXPECT_TRUE((tensor<double, 3>(from_eigen(every)) == tensor<double, 3>{1, 2, 3}));
  Eigen::RowVectorXd const line = Eigen::RowVectorXd::LinSpaced(3, 0, 2);
  EXPECT_EQ((from_eigen<rows>(line)(2)), 2);
  EXPECT_EQ((from_eigen<1, 3>(line)(0, 2)), 2);
  EXPECT_EQ(test::text_of<shape_error>([&] { from_eigen<3, 2>(d); }),
            "weft: array: shape (4, 2) does not fit (3, 2); equal names need equal extents, at "
            "least 0");
}

static_assert(cpu::executor<eigen_pool>);
TEST(eigen_pool, runs_each_task_once) {
  Eigen::ThreadPool threads(3);
  eigen_pool const pool(threads);
  EXPECT_EQ(pool.threads(), 4);
  for (int tasks : {0, 1, 2, 3, 4, 5, 100, 1000}) {
    std::vector<std::atomic<int>> done(static_cast<std::size_t>(tasks)), busy(4);
    std::atomic<bool> right = true;
    pool.parallel_for(tasks, [&](int task, int worker) {
      if (worker < 0 || worker >= 4 || busy[static_cast<std::size_t>(worker)]++ != 0) right = false;
      ++done[static_cast<std::size_t>(task)];
      pool.parallel_for(2, [&](int, int) {}); // from inside
      --busy[static_cast<std::size_t>(worker)];
    });
    EXPECT_TRUE(right);
    for (auto const& d : done) EXPECT_EQ(d, 1);
  }
}

} // namespace
