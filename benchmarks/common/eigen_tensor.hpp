// SPDX-License-Identifier: BSL-1.0
// Eigen's arrays, and the tensors of its unsupported part with their pool.
#pragma once

#define EIGEN_USE_THREADS // before any header of Eigen's
#include "eigen.hpp"

#ifdef WEFT_HAS_EIGEN
#include <unsupported/Eigen/CXX11/Tensor>

#include <memory>

namespace bench {

using eigen_array = Eigen::Array<float, -1, -1, Eigen::RowMajor>;
template <int Rank>
using eigen_tensor = Eigen::TensorMap<Eigen::Tensor<float, Rank, Eigen::RowMajor>>;

// Calls f with the device that a tensor expression is given to: .device(d) = ...
class tensor_devices {
public:
  explicit tensor_devices(int threads)
      : pool_(threads > 1 ? std::make_unique<Eigen::ThreadPool>(threads) : nullptr),
        threads_(threads) {}
  template <class Function> void operator()(Function const& f) const {
    if (pool_ == nullptr) return f(Eigen::DefaultDevice());
    f(Eigen::ThreadPoolDevice(pool_.get(), threads_));
  }

private:
  std::unique_ptr<Eigen::ThreadPool> pool_;
  int threads_;
};

} // namespace bench
#endif
