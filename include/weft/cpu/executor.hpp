// SPDX-License-Identifier: BSL-1.0
// Who runs a kernel's tasks: the executor concept, and `cpu::serial`, the calling thread alone.
// Needs of an executor: parallel_for(tasks, f) calls f(task, worker) exactly once for each task in
// [0, tasks) and returns when all calls have returned; calls that overlap in time have different
// workers, all in [0, threads()). f must not throw.
// It may have least_work(): loops of less work than that stay on the calling thread.
// Leaves: kernels divide outputs, never a reduction, so no result depends on threads().
#pragma once

#include <weft/core/extents.hpp>

#include <concepts>

namespace weft::inline v0 {

namespace detail {
struct any_task {
  void operator()(int, int) const {}
};
} // namespace detail

namespace cpu {

template <class T>
concept executor = requires(T& e, detail::any_task const& f) {
  { e.threads() } -> std::convertible_to<int>;
  e.parallel_for(1, f);
};

struct serial {
  constexpr int threads() const { return 1; }
  template <class Function> constexpr void parallel_for(int tasks, Function&& f) const {
    for (int task = 0; task < tasks; ++task) f(task, 0);
  }
};
static_assert(executor<serial> && executor<serial const>);

// Work is elements times simple instructions, of which a core with AVX2 does some thirty a
// nanosecond, and one with AVX-512 twice as many (cpu/executor_ref.hpp: lanes). A thread that sleeps
// takes 10 to 50 us to wake and to be waited for: of less work than this, one thread alone is sooner
// done.
inline constexpr extent worth_a_thread = 1 << 22;

template <executor E> constexpr extent least_work_of(E const& e) {
  if constexpr (requires { e.least_work(); }) return e.least_work();
  else return worth_a_thread;
}
// As many threads as so much work is worth.
template <executor E> constexpr int threads_for(E const& e, extent work) {
  return work < least_work_of(e) ? 1 : static_cast<int>(e.threads());
}

} // namespace cpu
} // namespace weft::inline v0
