// SPDX-License-Identifier: BSL-1.0
// The peers of an elementwise function: it takes numbers, Eigen's arrays and tensors, and xtensor's.
#pragma once

#include "../common/arrays.hpp"
#include "../common/eigen_tensor.hpp"
#include "../common/limits.hpp"
#include "../common/weft_side.hpp"
#include "../common/xtensor.hpp"

namespace bench {

std::vector<contest> broadcasts(); // bench_broadcast.cpp

inline std::string count_text(int n) {
  if (n % 1'000'000 == 0) return std::to_string(n / 1'000'000) + "e6";
  if (n % 1000 == 0) return std::to_string(n / 1000) + "e3";
  return std::to_string(n);
}

// Of arrays of N numbers.
template <int N, class F, class... Pointers>
void add_peers(std::vector<side>& all, arrays const& x, int threads, F f, Pointers... in) {
  float* const out = x.result();
  all.push_back(x.peer("loop", [=] {
    on_rows(threads, N, [=](int from, int to) {
      for (int i = from; i < to; ++i) out[i] = f(in[i]...);
    });
  }));
#ifdef WEFT_HAS_EIGEN
  if (threads == 1)
    all.push_back(x.peer("Eigen", [=] {
      using vector = Eigen::Array<float, N, 1>;
      Eigen::Map<vector>(out, N) = f(Eigen::Map<vector const>(in, N)...);
    }));
  auto const device = std::make_shared<tensor_devices>(threads);
  all.push_back(x.peer("Eigen Tensor", [=] {
    (*device)([&](auto const& d) {
      using vector = Eigen::TensorMap<Eigen::Tensor<float const, 1, Eigen::RowMajor>>;
      eigen_tensor<1>(out, N).device(d) = f(vector(in, N)...);
    });
  }));
#endif
#ifdef WEFT_HAS_XTENSOR
  if (threads == 1)
    all.push_back(x.peer("xtensor", [=] {
      auto to = xtensor_at(out, N);
      auto call = [&](auto const&... a) { xt::noalias(to) = f(a...); };
      call(xtensor_at(in, N)...);
    }));
#endif
}

} // namespace bench
