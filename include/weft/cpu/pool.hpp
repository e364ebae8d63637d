// SPDX-License-Identifier: BSL-1.0
// cpu::pool: a fixed set of threads that share the tasks of one loop at a time.
// Needs: tasks that do not throw (a throw ends the program); outlives its parallel_for calls.
// Leaves: waiting threads sleep, nobody spins; parallel_for allocates nothing. A call from inside a
// task, or while another thread uses the pool, runs its tasks on the calling thread alone.
#pragma once

#include <weft/cpu/executor.hpp>

#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>

namespace weft::inline v0 {
namespace cpu {

class pool {
public:
  // `threads` counts the caller, which is worker 0: pool(1) starts none. Loops of less work than
  // least_work (cpu/executor.hpp has the unit) wake nobody; 0 shares everything that can be cut.
  explicit pool(int threads, extent least_work = worth_a_thread) : pool() {
    least_work_ = least_work;
    if (threads <= 1) return;
    helpers_ = std::make_unique<std::thread[]>(static_cast<unsigned>(threads - 1));
    for (; helper_count_ < threads - 1; ++helper_count_)
      helpers_[static_cast<unsigned>(helper_count_)] = std::thread(
          [this, worker = helper_count_ + 1] { help(worker); });
  }
  pool(pool const&) = delete;
  pool& operator=(pool const&) = delete;
  ~pool() {
    {
      std::lock_guard lock(mutex_);
      stop_ = true;
    }
    wake_.notify_all();
    for (int i = 0; i < helper_count_; ++i) helpers_[static_cast<unsigned>(i)].join();
  }

  int threads() const { return helper_count_ + 1; }
  extent least_work() const { return least_work_; }

  template <class Function> void parallel_for(int tasks, Function&& f) {
    using function = std::remove_reference_t<Function>;
    std::unique_lock alone(busy_, std::defer_lock);
    if (tasks <= 1 || helper_count_ == 0 || inside_task() || !alone.try_lock())
      return serial{}.parallel_for(tasks, f);
    auto call = [](void const* object, int task, int worker) {
      (*static_cast<function*>(const_cast<void*>(object)))(task, worker);
    };
    job j{call, std::addressof(f), tasks};
    share(j);
  }

private:
  struct job {
    void (*call)(void const*, int, int);
    void const* object;
    int tasks;
    std::atomic<int> next = 0;

    void work(int worker) noexcept {
      inside_task() = true;
      for (int task; (task = next.fetch_add(1, std::memory_order_relaxed)) < tasks;)
        call(object, task, worker);
      inside_task() = false;
    }
  };

  pool() = default; // delegated to, so that the destructor runs when a thread cannot be started

  static bool& inside_task() {
    thread_local bool inside = false;
    return inside;
  }

  // A helper that wakes after the last task was taken finds no job: the caller waits only for the
  // helpers that joined in.
  void share(job& j) {
    {
      std::lock_guard lock(mutex_);
      job_ = &j;
      ++generation_;
    }
    wake_.notify_all();
    j.work(0);
    std::unique_lock lock(mutex_);
    job_ = nullptr;
    finished_.wait(lock, [&] { return working_ == 0; });
  }

  void help(int worker) {
    std::unique_lock lock(mutex_);
    for (unsigned seen = 0;;) {
      wake_.wait(lock, [&] { return stop_ || (job_ != nullptr && generation_ != seen); });
      if (stop_) return;
      seen = generation_;
      job* const mine = job_;
      ++working_;
      lock.unlock();
      mine->work(worker);
      lock.lock();
      if (--working_ == 0) finished_.notify_one();
    }
  }

  std::unique_ptr<std::thread[]> helpers_;
  int helper_count_ = 0;
  extent least_work_ = worth_a_thread;
  std::mutex busy_; // held by the thread whose loop is being run

  std::mutex mutex_; // guards what follows
  std::condition_variable wake_, finished_;
  job* job_ = nullptr;
  unsigned generation_ = 0;
  int working_ = 0;
  bool stop_ = false;
};

} // namespace cpu
} // namespace weft::inline v0
