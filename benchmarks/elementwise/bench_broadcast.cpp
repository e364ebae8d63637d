// SPDX-License-Identifier: BSL-1.0
// A matrix plus a vector along its rows, and along its columns.
#include "sides.hpp"

namespace bench {
namespace {

constexpr int n = 1024;
constexpr auto add = [](auto a, auto b) { return a + b; };

std::vector<side> of_row(int threads) {
  arrays const x({n * n, n}, n * n);
  float const *a = x[0], *v = x[1];
  float* const out = x.result();
  std::vector<side> all{
      weft_side<add>(threads, tensor_of<float, n, n>(*x.in[0]), tensor_of<float, n>(*x.in[1])),
      memory_limit(4.0 * n * n, 4.0 * n * n, threads)};
  all.push_back(x.peer("loop", [=] {
    on_rows(threads, n, [=](int from, int to) {
      for (int i = from; i < to; ++i)
        for (int j = 0; j < n; ++j) out[i * n + j] = a[i * n + j] + v[j];
    });
  }));
#ifdef WEFT_HAS_EIGEN
  if (threads == 1)
    all.push_back(x.peer("Eigen", [=] {
      Eigen::Map<eigen_array>(out, n, n) = Eigen::Map<eigen_array const>(a, n, n).rowwise() +
                                           Eigen::Map<Eigen::Array<float, 1, -1> const>(v, n);
    }));
  auto const device = std::make_shared<tensor_devices>(threads);
  all.push_back(x.peer("Eigen Tensor", [=] {
    (*device)([&](auto const& d) {
      using constant = Eigen::Tensor<float const, 2, Eigen::RowMajor>;
      Eigen::array<Eigen::Index, 2> const rows{n, 1};
      eigen_tensor<2>(out, n, n).device(d) = Eigen::TensorMap<constant>(a, n, n) +
                                             Eigen::TensorMap<constant>(v, 1, n).broadcast(rows);
    });
  }));
#endif
#ifdef WEFT_HAS_XTENSOR
  if (threads == 1)
    all.push_back(x.peer("xtensor", [=] {
      std::array<std::size_t, 2> const shape{n, n}, row{1, n};
      auto to = xt::adapt(out, n * n, xt::no_ownership(), shape);
      auto const from = xt::adapt(a, n * n, xt::no_ownership(), shape);
      auto const by = xt::adapt(v, n, xt::no_ownership(), row);
      xt::noalias(to) = from + by;
    }));
#endif
  return all;
}

std::vector<side> of_column(int threads) {
  arrays const x({n * n, n}, n * n);
  float const *a = x[0], *v = x[1];
  float* const out = x.result();
  std::vector<side> all{
      weft_side<add>(threads, tensor_of<float, n, n>(*x.in[0]), tensor_of<float, n, 1>(*x.in[1])),
      memory_limit(4.0 * n * n, 4.0 * n * n, threads)};
  all.push_back(x.peer("loop", [=] {
    on_rows(threads, n, [=](int from, int to) {
      for (int i = from; i < to; ++i)
        for (int j = 0; j < n; ++j) out[i * n + j] = a[i * n + j] + v[i];
    });
  }));
#ifdef WEFT_HAS_EIGEN
  if (threads == 1)
    all.push_back(x.peer("Eigen", [=] {
      Eigen::Map<eigen_array>(out, n, n) = Eigen::Map<eigen_array const>(a, n, n).colwise() +
                                           Eigen::Map<Eigen::Array<float, -1, 1> const>(v, n);
    }));
  auto const device = std::make_shared<tensor_devices>(threads);
  all.push_back(x.peer("Eigen Tensor", [=] {
    (*device)([&](auto const& d) {
      using constant = Eigen::Tensor<float const, 2, Eigen::RowMajor>;
      Eigen::array<Eigen::Index, 2> const columns{1, n};
      eigen_tensor<2>(out, n, n).device(d) = Eigen::TensorMap<constant>(a, n, n) +
                                             Eigen::TensorMap<constant>(v, n, 1).broadcast(columns);
    });
  }));
#endif
#ifdef WEFT_HAS_XTENSOR
  if (threads == 1)
    all.push_back(x.peer("xtensor", [=] {
      std::array<std::size_t, 2> const shape{n, n}, column{n, 1};
      auto to = xt::adapt(out, n * n, xt::no_ownership(), shape);
      auto const from = xt::adapt(a, n * n, xt::no_ownership(), shape);
      auto const by = xt::adapt(v, n, xt::no_ownership(), column);
      xt::noalias(to) = from + by;
    }));
#endif
  return all;
}

} // namespace

std::vector<contest> broadcasts() {
  return {{"matrix + row, 1024x1024", {0, 8.0 * n * n}, 0, of_row},
          {"matrix + column, 1024x1024", {0, 8.0 * n * n}, 0, of_column}};
}

} // namespace bench
