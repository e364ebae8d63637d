// SPDX-License-Identifier: BSL-1.0
#include <weft/cpu/executor_ref.hpp>
#include <weft/cpu/pool.hpp>

#include <gtest/gtest.h>

#include <cstddef>
#include <thread>
#include <vector>

namespace {
using namespace weft;
static_assert(cpu::executor<cpu::pool> && cpu::executor<cpu::serial>);

// What is soon done wakes nobody; an executor may say what that is.
TEST(pool, threads_by_work) {
  cpu::pool usual(2), eager(2, 0);
  EXPECT_EQ(cpu::threads_for(usual, cpu::worth_a_thread - 1), 1);
  EXPECT_EQ(cpu::threads_for(usual, cpu::worth_a_thread), 2);
  EXPECT_EQ(cpu::threads_for(eager, 0), 2);
  EXPECT_EQ(cpu::threads_for(cpu::serial{}, cpu::worth_a_thread), 1);
  cpu::executor_ref const by_ref(eager);
  EXPECT_EQ(cpu::threads_for(by_ref, 1), 2);
  int calls = 0;
  cpu::share_ranges(100, cpu::worth_a_thread - 1, cpu::executor_ref(usual),
                    [&](extent first, extent last, int) {
                      EXPECT_EQ(first, 0);
                      EXPECT_EQ(last, 100);
                      ++calls;
                    });
  EXPECT_EQ(calls, 1);
}
// Tasks write to plain elements: a task that ran twice, or on two threads, is a wrong count, and a
// race under the thread sanitizer.
TEST(pool, runs_every_task_once) {
  for (int threads : {1, 2, 3, 8}) {
    cpu::pool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (int tasks : {0, 1, 2, 7, 1000}) {
      std::vector<int> runs(static_cast<std::size_t>(tasks));
      pool.parallel_for(tasks, [&](int task, int) { ++runs[static_cast<std::size_t>(task)]; });
      EXPECT_EQ(runs, std::vector<int>(runs.size(), 1)) << threads << " " << tasks;
    }
  }
}
TEST(pool, no_worker_is_in_two_tasks) {
  cpu::pool pool(3);
  std::atomic<int> busy[3]{}, wrong = 0;
  for (int round = 0; round < 200; ++round)
    pool.parallel_for(20, [&](int, int worker) {
      if (worker < 0 || worker >= 3 || busy[worker].fetch_add(1) != 0) ++wrong;
      busy[worker].fetch_sub(1);
    });
  EXPECT_EQ(wrong, 0);
}
TEST(pool, helpers_take_part) {
  cpu::pool pool(2);
  std::atomic<int> arrived = 0;
  pool.parallel_for(2, [&](int, int) { // ends only if both tasks run at the same time
    ++arrived;
    while (arrived < 2) std::this_thread::yield();
  });
  EXPECT_EQ(arrived, 2);
}
TEST(pool, nested_loops_run_on_the_calling_thread) {
  cpu::pool pool(2);
  std::vector<int> runs(100);
  std::atomic<int> elsewhere = 0;
  pool.parallel_for(10, [&](int outer, int) {
    auto const here = std::this_thread::get_id();
    pool.parallel_for(10, [&](int inner, int worker) {
      if (worker != 0 || std::this_thread::get_id() != here) ++elsewhere;
      ++runs[static_cast<std::size_t>(outer * 10 + inner)];
    });
  });
  EXPECT_EQ(runs, std::vector<int>(100, 1));
  EXPECT_EQ(elsewhere, 0);
}
TEST(pool, two_threads_may_share_one) {
  cpu::pool pool(2);
  auto use = [&](std::vector<int>& runs) {
    for (int round = 0; round < 200; ++round)
      pool.parallel_for(static_cast<int>(runs.size()),
                        [&](int task, int) { ++runs[static_cast<std::size_t>(task)]; });
  };
  std::vector<int> mine(16), other(16);
  std::thread second([&] { use(other); });
  use(mine);
  second.join();
  EXPECT_EQ(mine, std::vector<int>(16, 200));
  EXPECT_EQ(other, std::vector<int>(16, 200));
}
TEST(pool, may_end_at_once_or_unused) {
  for (int i = 0; i < 50; ++i) {
    cpu::pool unused(3), used(2);
    int sum = 0;
    used.parallel_for(1, [&](int, int) { ++sum; });
    EXPECT_EQ(sum, 1);
  }
}

} // namespace
