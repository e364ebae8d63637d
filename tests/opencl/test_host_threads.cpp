// SPDX-License-Identifier: BSL-1.0
// needs: CL/cl.h
// build: alone
// One device, several threads: each has kernels of its own, all share memory, pool and programs.
#include "host.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <latch>
#include <thread>

namespace host_test {
namespace {

constexpr int threads = 4, rounds = 40;

template <class Function> void on_threads(Function const& function) {
  std::vector<std::thread> all;
  std::latch start(threads);
  for (int t = 0; t < threads; ++t)
    all.emplace_back([&, t] {
      start.arrive_and_wait();
      function(t);
    });
  for (std::thread& t : all) t.join();
}

TEST_F(host, threads_have_results_of_their_own) {
  opencl::device d;
  opencl::memory const shared = memory_of(d, {1000});
  std::vector<int> sums(threads), wrong(threads);
  on_threads([&](int t) {
    opencl::device mine = d;
    opencl::kernel add = mine.build(add_source, "add"), slow = mine.build(add_source, "slow_add");
    for (int round = 0; round < rounds; ++round) {
      opencl::memory const m = memory_of(mine, {round, t});
      add.set(0, m);
      add.set(1, std::int32_t{t});
      launch_one(mine, add, 2);
      slow.set(0, m);
      slow.set(1, shared);
      slow.set(2, std::int32_t{round});
      launch_one(mine, slow, 1);
      int result[2]{};
      opencl::transfer read = mine.start_read(m, 0, result, 8);
      if (round % 8 == 0) mine.finish();
      read.wait();
      wrong[static_cast<std::size_t>(t)] += result[0] != 1000 + round + t || result[1] != 2 * t;
      sums[static_cast<std::size_t>(t)] += values_of(mine, m)[1];
    }
  });
  for (int t = 0; t < threads; ++t) {
    EXPECT_EQ(wrong[static_cast<std::size_t>(t)], 0);
    EXPECT_EQ(sums[static_cast<std::size_t>(t)], rounds * 2 * t);
  }
  opencl::counts const c = d.counted();
  EXPECT_EQ(c.programs_built, 1);
  EXPECT_EQ(c.launches, threads * rounds * 2);
  EXPECT_LE(c.buffers_created, threads + 1); // one that each has at a time
  EXPECT_EQ(c.buffers_alive, 1);
}

// The second user of memory that is being written waits until the first one's barrier is enqueued.
struct a_slow_barrier {
  using table = opencl::detail::functions;
  inline static decltype(table::clEnqueueBarrierWithWaitList) own = nullptr;
  inline static std::function<void()> before;

  static cl_int CL_API_CALL enqueue(cl_command_queue queue, cl_uint count, cl_event const* events,
                                    cl_event* event) {
    before();
    return own(queue, count, events, event);
  }
};

TEST_F(host, threads_come_after_one_started_copy) {
  opencl::device d;
  opencl::memory const m = memory_of(d, {1});
  opencl::kernel first = d.build(add_source, "add"), second = d.build(add_source, "add");
  int const two = 2;
  opencl::transfer const write = d.start_write(m, 0, &two, 4);
  std::atomic<bool> ordered = false, in_time = true;
  std::thread other;
  replaced<&a_slow_barrier::table::clEnqueueBarrierWithWaitList> const slow(
      &a_slow_barrier::enqueue);
  a_slow_barrier::own = slow.own;
  a_slow_barrier::before = [&] {
    other = std::thread([&] {
      second.set(0, m);
      ordered = true;
    });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    in_time = !ordered;
  };
  first.set(0, m);
  ASSERT_TRUE(other.joinable());
  other.join();
  EXPECT_TRUE(in_time);
  EXPECT_TRUE(ordered);
}

// The first build waits for the second one: with one lock around both it would wait in vain.
struct a_long_build {
  using table = opencl::detail::functions;
  inline static decltype(table::clBuildProgram) own = nullptr;
  inline static std::atomic<int> begun = 0, met = 0;

  static cl_int CL_API_CALL build(cl_program program, cl_uint count, cl_device_id const* devices,
                                  char const* options, void(CL_CALLBACK* done)(cl_program, void*),
                                  void* data) {
    ++begun;
    for (int i = 0; i < 500 && begun < threads; ++i)
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    met += begun == threads;
    return own(program, count, devices, options, done, data);
  }
};

TEST_F(host, threads_build_at_once) {
  opencl::device d;
  replaced<&a_long_build::table::clBuildProgram> const slow(&a_long_build::build);
  a_long_build::own = slow.own;
  a_long_build::begun = a_long_build::met = 0;
  on_threads([&](int t) {
    opencl::device mine = d;
    mine.build("// " + std::to_string(t) + "\n" + add_source, "add");
  });
  EXPECT_EQ(a_long_build::met, threads);
}

TEST_F(host, threads_share_what_is_kept) {
  opencl::device d;
  std::vector<std::vector<std::shared_ptr<int>>> got(threads);
  on_threads([&](int t) {
    for (int i = 0; i < 20000; ++i)
      got[static_cast<std::size_t>(t)].push_back(
          d.kept<int>(std::to_string(i), [t] { return std::make_shared<int>(t); }));
  });
  for (auto const& g : got) EXPECT_EQ(g, got[0]);
}

TEST_F(host, threads_share_a_pool) {
  opencl::device d;
  on_threads([&](int t) {
    std::vector<opencl::memory> held(4);
    for (int i = 0; i < 200000; ++i) {
      opencl::memory& m = held[static_cast<std::size_t>(i * (t + 1) % 4)];
      m = {};
      m = d.allocate(extent{100} << (i % 3 * 4));
    }
  });
  EXPECT_EQ(d.counted().buffers_alive, 0);
  EXPECT_LE(d.counted().buffers_created, threads * 4 * 3);
}

TEST_F(host, threads_open_and_drop_devices) {
  extent const before = opencl::detail::handles_alive;
  on_threads([&](int t) {
    for (int i = 0; i < 5; ++i) {
      opencl::device d;
      EXPECT_EQ(values_of(d, memory_of(d, {t, i})), (std::vector<int>{t, i}));
    }
  });
  EXPECT_EQ(opencl::detail::handles_alive, before);
}

} // namespace
} // namespace host_test
