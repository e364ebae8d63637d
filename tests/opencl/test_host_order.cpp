// SPDX-License-Identifier: BSL-1.0
// needs: CL/cl.h
// build: alone
// Started copies and the commands of the device: each waits for what it needs, and for no more.
#include "host.hpp"

#include <chrono>
#include <utility>

namespace host_test {
namespace {

using values = std::vector<int>;

TEST_F(host, copies_wait_for_what_they_need_alone) {
  opencl::device d;
  opencl::memory const sum = memory_of(d, {0});
  opencl::kernel slow = d.build(add_source, "slow_add");
  slow.set(0, sum);
  slow.set(2, std::int32_t{turns});
  opencl::memory operand = memory_of(d, {1});
  slow.set(1, operand);
  launch_one(d, slow, 1);
  int const more = 100, wrong = 7000;
  // Memory that the launch reads: the copy comes after it, and before the next one.
  opencl::transfer first = d.start_write(operand, 0, &more, 4);
  slow.set(1, operand);
  launch_one(d, slow, 1);
  first.wait();
  first.wait(); // once is enough
  // The pool's next owner of that memory comes after the launch that is still running.
  operand = {};
  extent const created = d.counted().buffers_created;
  opencl::memory const next = d.allocate(4);
  EXPECT_EQ(d.counted().buffers_created, created);
  opencl::transfer second = d.start_write(next, 0, &wrong, 4);
  int result = 0;
  opencl::transfer third = d.start_read(sum, 0, &result, 4);
  third.wait();
  EXPECT_EQ(result, 101);
  second.wait();
  EXPECT_EQ(values_of(d, next), values{wrong});
}

TEST_F(host, a_copy_to_unused_memory_runs_beside_launches) {
  opencl::device d;
  if (d.info().compute_units < 2) GTEST_SKIP() << "one unit does one thing at a time";
  opencl::memory const sum = memory_of(d, {0}), operand = memory_of(d, {1});
  opencl::kernel slow = d.build(add_source, "slow_add");
  slow.set(0, sum);
  slow.set(1, operand);
  slow.set(2, std::int32_t{1});
  opencl::memory used = memory_of(d, {1});
  launch_one(d, slow, 1); // compiled now
  slow.set(1, used);
  launch_one(d, slow, 1);
  used = {};
  d.finish(); // the pool's memory is in use no longer
  slow.set(1, operand);
  slow.set(2, std::int32_t{10 * turns});
  using clock = std::chrono::steady_clock;
  auto const seconds = [from = clock::now()] {
    return std::chrono::duration<double>(clock::now() - from).count();
  };
  launch_one(d, slow, 1);
  opencl::memory const other = memory_of(d, {5}); // allocated and written
  double const written = seconds();
  EXPECT_EQ(d.counted().buffers_created, 3);
  d.finish();
  double const finished = seconds();
  EXPECT_LT(written, finished / 2);
  EXPECT_EQ(values_of(d, other), values{5});
  EXPECT_EQ(values_of(d, sum), values{3});
}

TEST_F(host, a_launch_sees_started_copies) {
  opencl::device d;
  extent const count = 1 << 20;
  opencl::kernel k = d.build(add_source, "add");
  k.set(1, std::int32_t{1});
  for (int round = 0; round < 8; ++round) {
    values in(count, round), out(count, -1);
    opencl::memory const m = d.allocate(4 * count);
    opencl::transfer const write = d.start_write(m, 0, in.data(), 4 * count);
    k.set(0, m);
    launch_one(d, k, count);
    opencl::transfer read = d.start_read(m, 0, out.data(), 4 * count);
    opencl::transfer moved = std::move(read);
    moved.wait();
    EXPECT_EQ(out, values(count, round + 1));
  }
  EXPECT_EQ(d.counted().buffers_created, 1);
}

// Copies that are started wait for this one, commands of the other queue do not.
struct long_copy {
  explicit long_copy(opencl::device& d)
      : from(1 << 24, 1), to(d.allocate(4 << 24)),
        copy(d.start_write(to, 0, from.data(), to.size())) {}
  values from;
  opencl::memory to;
  opencl::transfer copy;
};

TEST_F(host, a_copy_on_the_device_comes_after_started_copies) {
  opencl::device d;
  opencl::memory const from = memory_of(d, {1}), to = memory_of(d, {2}), other = memory_of(d, {3});
  int const four = 4;
  {
    long_copy const before(d);
    opencl::transfer const write = d.start_write(from, 0, &four, 4);
    d.copy(from, 0, to, 0, 4);
    EXPECT_EQ(values_of(d, to), values{4});
  }
  int out = 0;
  long_copy const before(d);
  opencl::transfer read = d.start_read(to, 0, &out, 4);
  d.copy(other, 0, to, 0, 4);
  read.wait();
  EXPECT_EQ(out, 4);
  EXPECT_EQ(values_of(d, to), values{3});
}

TEST_F(host, a_read_comes_after_started_copies) {
  opencl::device d;
  opencl::memory const m = memory_of(d, {1});
  int const two = 2;
  long_copy const before(d);
  opencl::transfer const write = d.start_write(m, 0, &two, 4);
  EXPECT_EQ(values_of(d, m), values{2});
}

TEST_F(host, a_launch_does_not_change_what_is_being_read) {
  opencl::device d;
  opencl::memory const m = memory_of(d, {3});
  opencl::kernel k = d.build(add_source, "add");
  int out = 0;
  long_copy const before(d);
  opencl::transfer read = d.start_read(m, 0, &out, 4);
  k.set(0, m);
  k.set(1, std::int32_t{1});
  launch_one(d, k, 1);
  read.wait();
  EXPECT_EQ(out, 3);
  EXPECT_EQ(values_of(d, m), values{4});
}

} // namespace
} // namespace host_test
