// SPDX-License-Identifier: BSL-1.0
// needs: CL/cl.h
// build: alone
// An opened device: memory and its pool, kernels, profiles, lifetimes, the end of the process.
#include "host.hpp"

#include <optional>

namespace host_test {
namespace {

using values = std::vector<int>;

constexpr bool classes_are_tight() {
  for (extent bytes = 1; bytes < 70000; ++bytes) {
    extent const size = opencl::detail::size_class(bytes);
    if (size < bytes || size % 256 != 0) return false;
    if (size - bytes >= 256 && size - bytes > bytes / 8) return false;
  }
  return true;
}
static_assert(classes_are_tight());
static_assert(opencl::detail::size_class(extent{1} << 40) == extent{1} << 40);

TEST_F(host, lists_devices_and_opens_by_name) {
  std::vector<opencl::device_info> const all = opencl::devices();
  for (std::size_t i = 0; i < all.size(); ++i) {
    EXPECT_FALSE(all[i].name.empty() || all[i].platform.empty() || all[i].driver.empty());
    EXPECT_GT(all[i].largest_buffer, 0);
    EXPECT_GE(all[i].memory_bytes, all[i].largest_buffer);
    EXPECT_GE(all[i].local_bytes, 32 * 1024);
    EXPECT_GE(all[i].max_group, 1);
    EXPECT_GE(all[i].compute_units, 1);
    EXPECT_EQ(opencl::device(static_cast<int>(i)).info().name, all[i].name);
    EXPECT_EQ(opencl::device(std::to_string(i)).info().driver, all[i].driver);
  }
  std::string part = all[0].platform.substr(0, 6);
  for (char& c : part) c = static_cast<char>(std::toupper(c));
  EXPECT_EQ(opencl::device(part).info().name, all[0].name);
  for (char const* kind : {"cpu", "GPU"}) {
    auto const is = kind[0] == 'c' ? &opencl::device_info::is_cpu : &opencl::device_info::is_gpu;
    for (opencl::device_info const& d : all)
      if (d.*is) {
        EXPECT_EQ(opencl::device(kind).info().name, d.name);
        break;
      }
  }
}

// No device here is inexact: the words are made of what one might say of itself.
TEST(device_info, names_what_is_not_exact) {
  opencl::device_info d;
  d.name = "A100";
  d.keeps_subnormals = d.divides_correctly = true;
  EXPECT_EQ(opencl::described(d), "A100");
  d.divides_correctly = false;
  EXPECT_EQ(opencl::described(d),
            "A100 (which does not round quotients and square roots correctly)");
  d.keeps_subnormals = false;
  EXPECT_EQ(opencl::inexact(d), "flushes subnormal floats to zero, does not round quotients and "
                                "square roots correctly");
}

TEST_F(host, writes_launches_copies_reads) {
  opencl::device d;
  opencl::memory const a = memory_of(d, {1, 2, 3, 4}), b = memory_of(d, {0, 0, 0, 0, 9});
  opencl::kernel k = d.build(add_source, "add");
  k.set(0, a);
  k.set(1, std::int32_t{10});
  launch_one(d, k, 3);
  d.copy(a, 4, b, 8, 8);
  int const seven = 7;
  d.write(b, 4, &seven, 4);
  EXPECT_EQ(values_of(d, a), (values{11, 12, 13, 4}));
  EXPECT_EQ(values_of(d, b), (values{0, 7, 12, 13, 9}));
  int one = 0;
  d.read(b, 12, &one, 4);
  EXPECT_EQ(one, 13);
  opencl::counts const c = d.counted();
  EXPECT_EQ(c.launches, 1);
  EXPECT_EQ(c.bytes_written, 16 + 20 + 4);
  EXPECT_EQ(c.bytes_read, 16 + 20 + 4);
  EXPECT_EQ(c.waits, 3 + 3);
  EXPECT_EQ(c.programs_built, 1);
}

TEST_F(host, fills_with_zeros_in_order_and_waits_for_nothing) {
  opencl::device d;
  std::vector<unsigned char> ones(200, 1), expected = ones, there(200);
  opencl::memory const m = d.allocate(200);
  for (auto const& [at, bytes] : {std::pair(0, 37), {37, 1}, {48, 64}, {115, 85}, {200, 0}}) {
    d.write(m, 0, ones.data(), 200);
    extent const waits = d.counted().waits;
    d.fill_zeros(m, at, bytes);
    EXPECT_EQ(d.counted().waits, waits);
    d.read(m, 0, there.data(), 200);
    expected = ones;
    std::fill_n(expected.begin() + at, bytes, static_cast<unsigned char>(0));
    EXPECT_EQ(there, expected) << at;
  }
  EXPECT_THROW(d.fill_zeros(m, 100, 101), weft::index_error);
  EXPECT_THROW(opencl::device().fill_zeros(m, 0, 1), weft::usage_error);
}

struct fills {
  using table = opencl::detail::functions;
  inline static std::vector<std::pair<std::size_t, std::size_t>> all; // at, bytes

  static cl_int CL_API_CALL fill(cl_command_queue, cl_mem, void const*, std::size_t, std::size_t at,
                                 std::size_t bytes, cl_uint, cl_event const*, cl_event*) {
    all.emplace_back(at, bytes);
    return 0;
  }
};
TEST_F(host, fills_of_more_than_31_bits_are_several) {
  opencl::device d;
  constexpr extent bytes = (extent{1} << 31) + 21, part = opencl::device::most_filled;
  if (d.info().largest_buffer < bytes) GTEST_SKIP() << "no buffer is that large";
  opencl::memory const m = d.allocate(bytes);
  replaced<&fills::table::clEnqueueFillBuffer> const noted(&fills::fill);
  fills::all.clear();
  d.fill_zeros(m, 0, bytes);
  auto const n = static_cast<std::size_t>(part);
  EXPECT_EQ(fills::all, (std::vector<std::pair<std::size_t, std::size_t>>{
                            {0, n}, {n, n}, {2 * n, 16}, {2 * n + 16, 5}}));
}

TEST_F(host, a_build_with_warnings_says_nothing) {
  opencl::device d;
  testing::internal::CaptureStderr();
  d.build("#warning \"seen\"\n" + add_source, "add");
  EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

TEST_F(host, nothing_is_a_size_too) {
  opencl::device d;
  opencl::memory const none = d.allocate(0);
  EXPECT_FALSE(none.empty());
  EXPECT_TRUE(opencl::memory().empty());
  EXPECT_EQ(none.size(), 0);
  d.write(none, 0, nullptr, 0);
  d.read(none, 0, nullptr, 0);
  d.start_read(none, 0, nullptr, 0).wait();
  d.copy(none, 0, none, 0, 0);
  opencl::kernel k = d.build(add_source, "add");
  k.set(0, none);
  k.set(1, std::int32_t{1});
  extent const items[] = {4, 0, 2};
  d.launch(k, 3, items, nullptr);
  EXPECT_EQ(d.counted().launches, 0);
}

TEST_F(host, kernels_of_one_program_have_their_own_arguments) {
  opencl::device d;
  opencl::memory const a = memory_of(d, {0});
  opencl::kernel x = d.build(add_source, "add"), y = d.build(add_source, "add");
  x.set(0, a);
  x.set(1, std::int32_t{1});
  y.set(0, a);
  y.set(1, std::int32_t{100});
  launch_one(d, x, 1);
  launch_one(d, y, 1);
  launch_one(d, x, 1);
  EXPECT_EQ(values_of(d, a), values{102});
  EXPECT_EQ(d.counted().programs_built, 1);
  EXPECT_GE(x.max_group(), 1);
}

TEST_F(host, programs_used_last_are_held) {
  namespace detail = opencl::detail;
  setenv("WEFT_CACHE_DIR", "", 1);
  auto const core = std::make_shared<detail::device_core>(detail::find_device("0"));
  detail::programs held(*core, 2);
  auto const source = [](int i) { return "// " + std::to_string(i) + "\n" + add_source; };
  auto const built_by = [&](int i) {
    extent const before = core->count.programs_built;
    held.get(source(i), "add", detail::advice_to_callers);
    return core->count.programs_built - before;
  };
  extent const alive = detail::handles_alive;
  opencl::kernel k(core, held.get(source(0), "add", detail::advice_to_callers)->get(), "add",
                   detail::advice_to_callers);
  EXPECT_EQ(built_by(1), 1);
  EXPECT_EQ(built_by(0), 0);
  EXPECT_EQ(built_by(2), 1); // 1 goes
  EXPECT_EQ(built_by(0), 0);
  EXPECT_EQ(built_by(1), 1);                   // 2 goes
  EXPECT_EQ(built_by(2), 1);                   // 0 goes
  EXPECT_EQ(detail::handles_alive, alive + 3); // two programs and a kernel
  opencl::memory const a(core, 4);
  int const forty = 40;
  int sum = 0;
  opencl::transfer(a, "", [&](cl_command_queue queue, cl_event* event) {
    return detail::cl().clEnqueueWriteBuffer(queue, a.held()->buffer.get(), CL_FALSE, 0, 4, &forty,
                                             0, nullptr, event);
  }).wait();
  k.set(0, a);
  k.set(1, std::int32_t{2});
  core->queue.run([&](cl_command_queue queue, cl_event* event) {
    std::size_t const one = 1;
    return detail::cl().clEnqueueNDRangeKernel(queue, k.held(), 1, nullptr, &one, nullptr, 0,
                                               nullptr, event);
  });
  opencl::read(a, 0, &sum, 4);
  EXPECT_EQ(sum, 42);
}

TEST_F(host, numbers_and_local_memory_are_arguments) {
  opencl::device d;
  opencl::memory const a = memory_of(d, {0, 0, 0, 0});
  opencl::kernel k = d.build("__kernel void turn(__global int* a, const long n, __local int* s) {"
                             "  int i = get_local_id(0), items = get_local_size(0);"
                             "  s[i] = i + (int)(n >> 32);"
                             "  barrier(CLK_LOCAL_MEM_FENCE);"
                             "  a[i] = s[items - 1 - i];"
                             "}",
                             "turn");
  k.set(0, a);
  k.set(1, std::int64_t{5} << 32);
  k.set_local(2, 16);
  extent const items = 4;
  d.launch(k, 1, &items, &items);
  EXPECT_EQ(values_of(d, a), (values{8, 7, 6, 5}));
}

TEST_F(host, released_memory_is_used_again) {
  opencl::device d;
  opencl::memory a = d.allocate(1000);
  opencl::memory copy = a;
  EXPECT_EQ(d.counted().buffers_alive, 1);
  a = {};
  EXPECT_EQ(d.counted().buffers_alive, 1);
  opencl::memory const other = d.allocate(1000);
  EXPECT_EQ(d.counted().buffers_created, 2);
  copy = {};
  EXPECT_EQ(d.counted().buffers_alive, 1);
  opencl::memory const again = d.allocate(1020); // of the same class
  EXPECT_EQ(again.size(), 1020);
  EXPECT_EQ(d.counted().buffers_created, 2);
  opencl::memory const larger = d.allocate(5000);
  EXPECT_EQ(d.counted().buffers_created, 3);
  for (int i = 0; i < 100; ++i) {
    opencl::memory const x = d.allocate(100), y = d.allocate(100 * 1000);
    if (i == 0) continue;
    EXPECT_EQ(d.counted().buffers_created, 5);
  }
  EXPECT_EQ(d.counted().buffers_alive, 3);
  EXPECT_TRUE(other.same_device(again));
}

TEST_F(host, trim_gives_pooled_memory_back) {
  extent const before = opencl::detail::handles_alive;
  opencl::device d;
  extent const opened = opencl::detail::handles_alive;
  EXPECT_GT(opened, before);
  d.allocate(1000);
  d.allocate(100000);
  EXPECT_EQ(opencl::detail::handles_alive, opened + 2);
  d.trim();
  EXPECT_EQ(opencl::detail::handles_alive, opened);
  EXPECT_EQ(memory_of(d, {5}).size(), 4);
}

TEST_F(host, nothing_is_left_behind) {
  extent const before = opencl::detail::handles_alive;
  opencl::memory last;
  std::weak_ptr<opencl::memory> kept;
  {
    opencl::device d;
    opencl::device const copy = d;
    EXPECT_TRUE(copy.same_as(d));
    last = memory_of(d, {1, 2});
    kept = d.kept<opencl::memory>(
        "constants", [&] { return std::make_shared<opencl::memory>(memory_of(d, {3})); });
    opencl::kernel k = d.build(add_source, "add");
    k.set(0, last);
    k.set(1, std::int32_t{1});
    launch_one(d, k, 2);
    d.start_profile();
    launch_one(d, k, 2);
    opencl::transfer const t = d.start_write(*kept.lock(), 0, &before, 4);
    EXPECT_FALSE(kept.expired());
  }
  EXPECT_TRUE(kept.expired());
  EXPECT_GT(opencl::detail::handles_alive, before); // the memory's context
  last = {};
  EXPECT_EQ(opencl::detail::handles_alive, before);
}

TEST_F(host, keeps_one_object_per_type_and_name) {
  opencl::device d;
  opencl::device copy = d;
  int made = 0;
  auto const make = [&] { return std::make_shared<int>(++made); };
  EXPECT_EQ(*d.kept<int>("a", make), 1);
  EXPECT_EQ(*copy.kept<int>("a", make), 1);
  EXPECT_EQ(*d.kept<int>("b", make), 2);
  EXPECT_EQ(*d.kept<double>("a", [] { return std::make_shared<double>(0.5); }), 0.5);
  EXPECT_EQ(*opencl::device().kept<int>("a", make), 3);
}

TEST_F(host, times_launches_in_order) {
  opencl::device d;
  opencl::memory const a = memory_of(d, {0}), b = memory_of(d, {1});
  opencl::kernel add = d.build(add_source, "add"), slow = d.build(add_source, "slow_add");
  add.set(0, a);
  add.set(1, std::int32_t{1});
  slow.set(0, a);
  slow.set(1, b);
  slow.set(2, std::int32_t{turns});
  launch_one(d, add, 1);
  d.start_profile();
  launch_one(d, add, 1);
  launch_one(d, slow, 1);
  launch_one(d, add, 1);
  std::vector<opencl::kernel_time> const times = d.stop_profile();
  launch_one(d, add, 1);
  ASSERT_EQ(times.size(), 3u);
  EXPECT_EQ(times[0].name, "add");
  EXPECT_EQ(times[1].name, "slow_add");
  EXPECT_GT(times[2].nanoseconds, 0);
  EXPECT_GT(times[1].nanoseconds, times[2].nanoseconds);
  EXPECT_EQ(values_of(d, a), values{5});
  d.start_profile();
  EXPECT_TRUE(d.stop_profile().empty());
}

// Objects that go after everything else, made before OpenCL was opened.
struct remains {
  std::optional<opencl::device> device;
  opencl::memory memory;
  std::optional<opencl::kernel> kernel;
  std::optional<opencl::transfer> read;
};
remains at_the_end;
int result_at_the_end[2];

// Between the driver's objects and those that its first build made: nothing may run any more.
void look_at_the_end() {
  if (opencl::detail::process_ending && result_at_the_end[1] == 2) return;
  std::puts("work under way");
  std::fflush(stdout);
  std::_Exit(3);
}

TEST_F(host, a_process_may_end_with_work_under_way) {
  if (std::getenv("WEFT_TEST_END") == nullptr) {
    outcome const o = run(again("WEFT_TEST_END=1", "host.a_process_may_end_with_work_under_way"));
    EXPECT_EQ(o.code, 0) << o.output;
    EXPECT_TRUE(has(o.output, "[  PASSED  ] 1 test")) << o.output;
    return;
  }
  opencl::device& d = at_the_end.device.emplace();
  std::atexit(look_at_the_end);
  at_the_end.memory = memory_of(d, {0, 1});
  opencl::kernel add = d.build(add_source, "add");
  add.set(0, at_the_end.memory);
  add.set(1, std::int32_t{0});
  launch_one(d, add, 2); // the first is waited for
  opencl::kernel& k = at_the_end.kernel.emplace(d.build(add_source, "slow_add"));
  k.set(0, at_the_end.memory);
  k.set(1, at_the_end.memory);
  k.set(2, std::int32_t{turns});
  launch_one(d, k, 2);
  at_the_end.read = d.start_read(at_the_end.memory, 0, result_at_the_end, 8);
}

} // namespace
} // namespace host_test
