// SPDX-License-Identifier: BSL-1.0
// eigen_pool: Eigen's thread pool as an executor.
//   Eigen::ThreadPool threads(4);
//   eigen_pool pool(threads);
//   auto y = jit<f>(pool, x);                     // results do not depend on it (docs/numerics.md)
// The calling thread works, too: a pool of 4 gives 5 workers. A call from one of the pool's own
// threads runs its tasks there alone.
// Needs: Eigen's unsupported CXX11/ThreadPool; tasks that do not throw; the pool outlives it.
// Leaves: parallel_for returns when every task has. It schedules one closure per helper, which
// Eigen may allocate.
#pragma once

#include <weft/core/config.hpp>

#include <unsupported/Eigen/CXX11/ThreadPool>

#include <atomic>

namespace weft::inline v0 {

class eigen_pool {
public:
  explicit eigen_pool(Eigen::ThreadPoolInterface& threads) : threads_(&threads) {}

  int threads() const { return threads_->NumThreads() + 1; }

  template <class Function> void parallel_for(int tasks, Function&& f) const {
    int const helpers = tasks - 1 < threads_->NumThreads() ? tasks - 1 : threads_->NumThreads();
    if (helpers <= 0 || threads_->CurrentThreadId() >= 0) {
      for (int task = 0; task < tasks; ++task) f(task, 0);
      return;
    }
    std::atomic<int> next = 0;
    auto const work = [&](int worker) noexcept {
      for (int task; (task = next.fetch_add(1, std::memory_order_relaxed)) < tasks;)
        f(task, worker);
    };
    Eigen::Barrier finished(static_cast<unsigned>(helpers));
    for (int worker = 1; worker <= helpers; ++worker)
      threads_->Schedule([&work, &finished, worker] {
        work(worker);
        finished.Notify();
      });
    work(0);
    finished.Wait();
  }

private:
  Eigen::ThreadPoolInterface* threads_;
};

} // namespace weft::inline v0
