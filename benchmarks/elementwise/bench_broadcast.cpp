// SPDX-License-Identifier: BSL-1.0
// A matrix plus a vector along its rows, and along its columns.
#include "sides.hpp"

namespace bench {
namespace {

constexpr int n = 1024;
constexpr auto add = [](auto a, auto b) { return a + b; };

// The vector lies along Axis of the matrix.
template <int Axis> std::vector<side> along(int threads) {
  constexpr int rows = Axis == 0 ? n : 1, columns = Axis == 0 ? 1 : n;
  arrays const x({n * n, n}, n * n);
  float const *a = x[0], *v = x[1];
  float* const out = x.result();
  std::vector<side> all{weft_side<add>(threads, tensor_of<float, n, n>(*x.in[0]),
                                       tensor_of<float, rows, columns>(*x.in[1])),
                        memory_limit(4.0 * n * n, 4.0 * n * n, threads)};
  all.push_back(x.peer("loop", [=] {
    on_rows(threads, n, [=](int from, int to) {
      for (int i = from; i < to; ++i)
        for (int j = 0; j < n; ++j) out[i * n + j] = a[i * n + j] + v[Axis == 0 ? i : j];
    });
  }));
#ifdef WEFT_HAS_EIGEN
  if (threads == 1)
    all.push_back(x.peer("Eigen", [=] {
      Eigen::Map<eigen_array const> const from(a, n, n);
      Eigen::Map<eigen_array> to(out, n, n);
      if constexpr (Axis == 0)
        to = from.colwise() + Eigen::Map<Eigen::Array<float, -1, 1> const>(v, n);
      else to = from.rowwise() + Eigen::Map<Eigen::Array<float, 1, -1> const>(v, n);
    }));
  auto const device = std::make_shared<tensor_devices>(threads);
  all.push_back(x.peer("Eigen Tensor", [=] {
    (*device)([&](auto const& d) {
      using constant = Eigen::TensorMap<Eigen::Tensor<float const, 2, Eigen::RowMajor>>;
      Eigen::array<Eigen::Index, 2> const times{n / rows, n / columns};
      eigen_tensor<2>(out, n, n).device(d) = constant(a, n, n) +
                                             constant(v, rows, columns).broadcast(times);
    });
  }));
#endif
#ifdef WEFT_HAS_XTENSOR
  if (threads == 1)
    all.push_back(x.peer("xtensor", [=] {
      auto to = xtensor_at(out, n, n);
      auto const from = xtensor_at(a, n, n), by = xtensor_at(v, rows, columns);
      xt::noalias(to) = from + by;
    }));
#endif
  return all;
}

} // namespace

std::vector<contest> broadcasts() {
  return {{"matrix + row, 1024x1024", {0, 8.0 * n * n}, 0, along<1>},
          {"matrix + column, 1024x1024", {0, 8.0 * n * n}, 0, along<0>}};
}

} // namespace bench
