// SPDX-License-Identifier: BSL-1.0
// executor_ref: any executor behind two pointers, so that engines and products are compiled once
// and not once per executor. share_ranges: rows, lines or windows among its threads. lanes: of the
// target whose kernels it runs, which do so much more in the time that is worth a thread.
// Needs: the executor outlives it. Leaves: nothing allocated.
#pragma once

#include <weft/core/extents.hpp>
#include <weft/cpu/executor.hpp>

#include <type_traits>

namespace weft::inline v0 {
namespace cpu {

class executor_ref {
public:
  template <executor Executor>
    requires(!std::is_same_v<std::remove_cv_t<Executor>, executor_ref>)
  explicit executor_ref(Executor& e, int lanes = 8)
      : executor_(const_cast<void*>(static_cast<void const*>(__builtin_addressof(e)))),
        threads_(static_cast<int>(e.threads())), lanes_(lanes),
        least_work_(least_work_of(e) * lanes / 8), run_([](void* self, int tasks, task const& t) {
          static_cast<Executor*>(self)->parallel_for(tasks, t);
        }) {}

  int threads() const { return threads_; }
  extent least_work() const { return least_work_; }
  // Work without packs, at which no target is faster: what its packs would do in that time.
  extent by_elements(extent work) const { return work * lanes_ / 8; }
  template <class Function> void parallel_for(int tasks, Function&& f) const {
    using function = std::remove_reference_t<Function>;
    run_(executor_, tasks,
         {const_cast<void*>(static_cast<void const*>(__builtin_addressof(f))),
          [](void* object, int index, int worker) {
            (*static_cast<function*>(object))(index, worker);
          }});
  }

private:
  struct task {
    void* object;
    void (*call)(void*, int, int);
    void operator()(int index, int worker) const { call(object, index, worker); }
  };
  void* executor_;
  int threads_;
  int lanes_;
  extent least_work_;
  void (*run_)(void*, int, task const&);
};

// some(begin, end, worker) for ranges that make up [0, count): a few per thread, or one here and now.
template <class F>
void share_ranges(extent count, extent work, executor_ref const& on, F const& some) {
  extent const threads = threads_for(on, work), parts = count < 4 * threads ? count : 4 * threads;
  if (threads == 1 || parts < 2) return some(0, count, 0);
  on.parallel_for(static_cast<int>(parts), [&](int task, int worker) {
    some(count * task / parts, count * (task + 1) / parts, worker);
  });
}

} // namespace cpu
} // namespace weft::inline v0
