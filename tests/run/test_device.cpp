// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: CL/cl.h
// jit<f>(device, ...): arguments of both kinds in any structure, names, loops, checks, donation,
// several devices and threads; each time the bits of jit<f>(...), and in steady state no buffer, no
// program and no wait.
#include "run/device.hpp"

#include <weft/lang/at.hpp>
#include <weft/lang/einsum.hpp>
#include <weft/lang/movement.hpp>
#include <weft/lang/nn.hpp>
#include <weft/lang/observe.hpp>
#include <weft/lang/random.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/while.hpp>
#include <weft/run/evaluate.hpp>

#include <array>
#include <memory>
#include <thread>

namespace {

using namespace weft;
using test::expect_same, test::expect_steady, test::ramp, test::no_device;

constexpr sym n{"n"};
using vector = tensor<float, 1000>;
using vector_there = device_tensor<float, 1000>;

template <template <class, auto...> class array> struct weights {
  array<float, 3, 4> w;
  array<float, 4> b;
};
constexpr auto layer = [](auto p, auto x) { return tanh(linear<"bi,io->bo">(x, p.w, p.b)); };

weights<tensor> some_weights() { return {ramp<float, 3, 4>(0.3), ramp<float, 4>(0.7)}; }

static_assert(std::is_same_v<device_type<weights<tensor>>, weights<device_tensor>>);
static_assert(std::is_same_v<host_type<weights<device_tensor>>, weights<tensor>>);
static_assert(std::is_same_v<device_type<std::pair<key, float>>,
                             std::pair<device_key, device_tensor<float>>>);

TEST(device, runs_a_struct_of_arrays_from_both_sides) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  auto const p = some_weights();
  auto const x = ramp<float, 5, 3>(0.11);
  auto const expected = jit<layer>(p, x);
  auto const q = to_device(gpu, p);
  auto const y = to_device(gpu, x);
  expect_same(p, q);
  expect_same(expected, jit<layer>(gpu, p, x));
  expect_same(expected, jit<layer>(gpu, q, x));
  expect_same(expected, jit<layer>(gpu, p, y));
  expect_same(expected, jit<layer>(gpu, q, y));
  struct named : program<layer, weights<tensor>, tensor<float, 5, 3>> {};
  expect_same(expected, jit<named>(gpu, q, x));
}

constexpr auto of_pair = [](auto both, auto rate, auto k) {
  auto [p, x] = both;
  return std::pair(layer(p, x) * rate, split(k)[1]);
};
TEST(device, mixes_leaves_numbers_and_keys) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  std::pair const both(some_weights(), ramp<float, 5, 3>(0.11));
  auto const expected = jit<of_pair>(both, 0.5f, key(7));
  auto const mixed = std::pair(to_device(gpu, both.first), both.second);
  auto const result = jit<of_pair>(gpu, mixed, 0.5f, key(7));
  static_assert(
      std::is_same_v<decltype(result), std::pair<device_tensor<float, 5, 4>, device_key> const>);
  expect_same(expected, result);
  expect_same(expected, jit<of_pair>(gpu, to_device(gpu, both), to_device(gpu, 0.5f), key(7)));
  expect_same(jit<of_pair>(both, 0.25f, expected.second),
              jit<of_pair>(gpu, mixed, 0.25f, result.second));
  expect_same(expected, to_device(gpu, expected));
}

constexpr auto twice_and_sum = [](auto x) { return std::pair(x * 2, sum(x)); };
TEST(device, takes_expressions_and_borrowed_arrays) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  auto const x = ramp<float, 5, 3>(0.11);
  expect_same(jit<twice_and_sum>(x + 1), jit<twice_and_sum>(gpu, x + 1));
  expect_same(eval(x + 1), to_device(gpu, x + 1));
  std::vector<float> own(15, 0.5f);
  auto const lent = borrow<5, 3>(own.data());
  expect_same(jit<twice_and_sum>(lent), jit<twice_and_sum>(gpu, lent));
}

// Elements change between calls, and right after one: the call has its own.
TEST(device, copies_what_the_host_had_when_it_was_called) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  auto x = ramp<float, 1000>(0.003);
  std::vector<vector> expected;
  std::vector<vector_there> results;
  opencl::counts before{};
  for (int i = 0; i < 40; ++i) {
    if (i == 20) before = gpu.counted();
    expected.push_back(jit<twice_and_sum>(x).first);
    results.push_back(jit<twice_and_sum>(gpu, x).first);
    if (i < 20) continue;
    x.mutate()(i) = static_cast<float>(i);
    results.erase(results.begin());
    expected.erase(expected.begin());
  }
  EXPECT_EQ(before.waits, gpu.counted().waits);
  EXPECT_EQ(gpu.counted().bytes_written, before.bytes_written + 20 * 4000);
  for (std::size_t i = 0; i < results.size(); ++i) expect_same(expected[i], results[i]);
}
TEST(device, is_steady) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  auto p = to_device(gpu, ramp<float, 1000>(0.003));
  opencl::counts before{};
  constexpr auto step = [](auto x, auto rate, auto k) {
    return x - rate * uniform<float, 1000>(k);
  };
  auto expected = ramp<float, 1000>(0.003);
  for (int i = 0; i < 8; ++i) {
    if (i == 3) before = gpu.counted();
    p = jit<step>(gpu, p, 0.1f, key(i));
    expected = jit<step>(expected, 0.1f, key(i));
  }
  opencl::counts const after = gpu.counted();
  expect_steady(before, after);
  EXPECT_LE(after.bytes_written, before.bytes_written + 5 * 32); // a number and a key
  expect_same(expected, p);
  auto const same = jit<step>(gpu, p, 0.1f, key(7)); // what the device has of them is right
  EXPECT_EQ(gpu.counted().bytes_written, after.bytes_written);
}

TEST(device, binds_names_without_a_new_program) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  constexpr auto f = [](auto x, auto y) { return std::pair(softmax(x * y), sum<0>(x)); };
  auto const check = [&](int rows) {
    auto const x = ramp<float, n, 70>(0.01, rows), y = ramp<float, n, 70>(0.07, rows);
    auto const result = jit<f>(gpu, x, to_device(gpu, y));
    EXPECT_EQ(result.first.extent(0), rows);
    expect_same(jit<f>(x, y), result);
  };
  check(5);
  extent const built = gpu.counted().programs_built + gpu.counted().programs_loaded;
  for (int rows : {9, 5, 20}) check(rows);
  for (int rows = 30; rows < 40; ++rows) check(rows); // more than are kept
  check(5);
  EXPECT_EQ(gpu.counted().programs_built + gpu.counted().programs_loaded, built);
  extent const alive = gpu.counted().buffers_alive;
  for (int rows = 40; rows < 50; ++rows) check(rows);
  EXPECT_EQ(gpu.counted().buffers_alive, alive);
  for (int rows : {1, 0}) check(rows); // an axis less, and nothing to do: texts of their own
  EXPECT_THROW((jit<f>(gpu, ramp<float, n, 70>(1, 2), ramp<float, n, 70>(1, 3))), shape_error);
}

constexpr auto update = [](auto p, auto g) { return p - 0.1f * g; };
void const* memory_of(auto const& x) { return x.memory().held().get(); }

TEST(device, writes_over_what_is_given_away) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  auto const x = ramp<float, 1000>(0.003), g = ramp<float, 1000>(0.011);
  auto p = to_device(gpu, x);
  auto const there = to_device(gpu, g);
  void const* const memory = memory_of(p);
  auto const q = jit<update>(gpu, std::move(p), there);
  EXPECT_EQ(memory_of(q), memory);
  expect_same(jit<update>(x, g), q);
  EXPECT_THROW((jit<update>(gpu, p, there)), usage_error); // moved from
}
TEST(device, keeps_what_somebody_else_holds) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  auto const x = ramp<float, 1000>(0.003), g = ramp<float, 1000>(0.011);
  auto p = to_device(gpu, x);
  auto const copy = p;
  auto const q = jit<update>(gpu, std::move(p), g);
  EXPECT_NE(memory_of(q), memory_of(copy));
  expect_same(x, copy);
  auto r = to_device(gpu, x);
  auto const reading = start_to_host(r);
  EXPECT_NE(memory_of(jit<update>(gpu, std::move(r), g)), memory_of(copy));
}
// Read again after the result is written, given twice, or given back as it is.
TEST(device, keeps_what_is_read_later) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  auto const x = ramp<float, 30, 30>(0.003);
  constexpr auto later = [](auto a) { return std::pair(a + 1, einsum<"ij,jk->ik">(a, a * 2)); };
  constexpr auto turned = [](auto a) { return a + einsum<"ij->ji">(a); };
  constexpr auto back = [](auto a) { return std::pair(a, a * 2); };
  constexpr auto both = [](auto a, auto b) { return a + einsum<"ij->ji">(b); };
  expect_same(jit<later>(x), jit<later>(gpu, to_device(gpu, x)));
  expect_same(jit<turned>(x), jit<turned>(gpu, to_device(gpu, x)));
  expect_same(jit<back>(x), jit<back>(gpu, to_device(gpu, x)));
  // What a product or a row computes in the same kernel as the result reads it, too.
  constexpr auto residual = [](auto a) { return a + einsum<"ij,jk->ik">(a, a * 2); };
  constexpr auto of_rows = [](auto a) { return a + at<":, new">(max<1>(einsum<"ij->ji">(a) * 2)); };
  expect_same(jit<residual>(x), jit<residual>(gpu, to_device(gpu, x)));
  expect_same(jit<of_rows>(x), jit<of_rows>(gpu, to_device(gpu, x)));
  auto p = to_device(gpu, x);
  auto same = p;
  expect_same(jit<both>(x, x), jit<both>(gpu, std::move(p), std::move(same)));
}

TEST(device, refuses_arrays_of_another) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device one, two;
  auto const p = some_weights();
  auto const x = ramp<float, 5, 3>(0.11);
  auto const on_one = to_device(one, p), on_two = to_device(two, p);
  expect_same(jit<layer>(p, x), jit<layer>(one, on_one, x));
  expect_same(jit<layer>(p, x), jit<layer>(two, on_two, x));
  auto const text_of = [](auto const& call) -> std::string {
    try {
      call();
    } catch (usage_error const& e) {
      return e.what();
    }
    return "";
  };
  auto const mixed = weights<device_tensor>{on_one.w, on_two.b};
  EXPECT_EQ(text_of([&] { jit<layer>(one, mixed, x); }),
            "weft: argument 0 leaf 1 is on another opened device; write to_device(device, "
            "to_host(x))");
  EXPECT_EQ(
      text_of([&] { jit<layer>(one, on_one, device_tensor<float, 5, 3>()); }),
      "weft: argument 1 is on no device (default-made or moved from); make it with to_device");
  EXPECT_EQ(text_of([&] { to_device(two, on_one.w); }),
            "weft: to_device: the array is on another opened device; write to_device(device, "
            "to_host(x))");
  EXPECT_EQ(text_of([&] { to_host(device_tensor<float, 5>()); }),
            "weft: device_tensor: the array is on no device (default-made or moved from); make it "
            "with to_device");
  expect_same(jit<layer>(p, x), jit<layer>(one, on_one, x)); // still works
}
TEST(device, takes_memory_of_own_kernels) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  auto const x = ramp<float, 5, 3>(0.11);
  opencl::memory m = gpu.allocate(60);
  gpu.write(m, 0, x.data(), 60);
  expect_same(x, device_tensor<float, 5, 3>(m, {2, {5, 3}}));
  EXPECT_THROW((device_tensor<float, 5, 4>(m, {2, {5, 4}})), shape_error);
  EXPECT_THROW((device_tensor<float, 5, n>(m, {2, {5, 4}})), shape_error);
}

TEST(device, is_used_by_four_threads) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  auto const g = ramp<float, 1000>(0.011);
  auto const there = to_device(gpu, g);
  auto const work = [&](double start) {
    auto expected = ramp<float, 1000>(start);
    auto p = to_device(gpu, expected);
    for (int i = 0; i < 20; ++i) {
      p = jit<update>(gpu, std::move(p), i % 2 == 0 ? there : to_device(gpu, g));
      expected = jit<update>(expected, g);
    }
    expect_same(expected, p);
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t) threads.emplace_back(work, 0.001 * (t + 1));
  for (std::thread& t : threads) t.join();
  // What a thread had is the next one's.
  extent const alive = gpu.counted().buffers_alive;
  for (int t = 0; t < 8; ++t) std::thread(work, 0.1).join();
  EXPECT_EQ(gpu.counted().buffers_alive, alive);
}

TEST(device, results_outlive_it) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  auto const x = ramp<float, 1000>(0.003);
  auto gpu = std::make_unique<opencl::device>();
  auto const y = jit<update>(*gpu, x, x);
  auto reading = start_to_host(y);
  gpu.reset();
  auto const expected = jit<update>(x, x);
  expect_same(expected, y);
  EXPECT_EQ(reading.wait(), expected);
  EXPECT_EQ(to_host(y), expected);
  EXPECT_EQ(y.memory().held()->core->count.buffers_alive, 1); // what the device kept is gone
  opencl::device again;                                       // may lie where the first one was
  expect_same(expected, jit<update>(again, x, x));
  EXPECT_THROW(jit<update>(again, y, x), usage_error);
}
TEST(device, copies_beside_its_work) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  auto x = std::pair(some_weights(), ramp<float, 1000>(0.003));
  auto const expected = x;
  auto sent = start_to_device(gpu, x);
  x.second.mutate()(0) = 100;
  auto back = start_to_host(jit<update>(gpu, sent.arrays().second, sent.arrays().second));
  expect_same(expected, sent.arrays());
  EXPECT_EQ(back.wait(), jit<update>(expected.second, expected.second));
  sent.wait();
}

TEST(device, has_empty_arrays) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  tensor<float, 0, 3> const none_there;
  expect_same(jit<twice_and_sum>(none_there), jit<twice_and_sum>(gpu, none_there));
  auto const there = to_device(gpu, none_there);
  expect_same(none_there, there);
  expect_same(jit<twice_and_sum>(none_there), jit<twice_and_sum>(gpu, there));
}

std::vector<std::string> printed;
constexpr auto watched = [](auto x) { return debug_print<"x">(check_finite<"ratio">(1 / x)) * 2; };
TEST(device, looks_into_programs) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  on_print = [](char const* line) { printed.emplace_back(line); };
  tensor<float, 3> x = {1, 2, 4};
  auto const expected = jit<watched>(x);
  expect_same(expected, jit<watched>(gpu, x));
  ASSERT_EQ(printed.size(), 2u);
  EXPECT_EQ(printed[0], printed[1]);
  tensor<float, 3> zero = {1, 0, 4};
  EXPECT_THROW(jit<watched>(gpu, zero), value_error);
  expect_same(expected, jit<watched>(gpu, x));
  on_print = nullptr;
}
constexpr auto halved = [](auto x) {
  auto s = while_loop([](auto c) { return sum(c) > 1.0f; }, [](auto c) { return c * 0.5f; }, x);
  return cond(
      sum(s) > 0.75f, [](auto a) { return a + 1; }, [](auto a) { return a * 3; }, s);
};
TEST(device, loops_on_conditions) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  for (float start : {0.1f, 3.0f, 100.0f, 90.0f}) {
    tensor<float, 4> const x = {start, start / 2, 0.25f, 0};
    expect_same(jit<halved>(x), jit<halved>(gpu, to_device(gpu, x)));
  }
}
// A kernel has at most 1024 bytes of arguments (OpenCL's least), which is 64 buffers.
constexpr auto descent = [](auto p, auto g) {
  for (std::size_t i = 0; i < p.size(); ++i) p[i] = p[i] - 0.1f * g[i];
  return p;
};
constexpr auto in_a_row = [](auto p, auto) {
  auto all = p[0];
  for (std::size_t i = 1; i < p.size(); ++i) all = all * 0.5f + p[i];
  return std::pair(all, softmax(all));
};
constexpr auto sums = [](auto p, auto g) {
  std::array<decltype(sum(p[0] * g[0])), 60> all = {};
  for (std::size_t i = 0; i < p.size(); ++i) all[i] = sum(p[i] * g[i]);
  return all;
};
TEST(device, more_arrays_than_a_kernel_has_arguments) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  using leaves = std::array<tensor<float, 3, 5>, 60>;
  leaves p, g;
  for (std::size_t i = 0; i < p.size(); ++i) {
    p[i] = ramp<float, 3, 5>(0.01 * static_cast<double>(i + 1));
    g[i] = ramp<float, 3, 5>(0.07 * static_cast<double>(i + 1));
  }
  auto q = to_device(gpu, p);
  auto const h = to_device(gpu, g);
  for (int i = 0; i < 2; ++i) { // in the memory of what is moved, too
    p = jit<descent>(p, g);
    q = jit<descent>(gpu, std::move(q), h);
    expect_same(p, q);
  }
  expect_same(jit<in_a_row>(p, g), jit<in_a_row>(gpu, q, h));
  expect_same(jit<sums>(p, g), jit<sums>(gpu, q, h));
}

// A cond waits for its condition, which it reads, and for nothing else.
constexpr auto either = [](auto x) {
  return cond(
      sum(x) > 0, [](auto a) { return std::pair(a + 1, sum(a)); },
      [](auto a) { return std::pair(a * 3, sum(a) - 1); }, x);
};
TEST(device, a_cond_waits_for_its_condition_alone) {
  if (no_device()) GTEST_SKIP() << "no OpenCL device";
  opencl::device gpu;
  for (float const sign : {1.0f, -1.0f}) {
    auto const x = eval(ramp<float, 1001>(0.003) + sign);
    auto const there = to_device(gpu, x);
    jit<either>(gpu, there);
    opencl::counts const before = gpu.counted();
    auto const result = jit<either>(gpu, there);
    opencl::counts const after = gpu.counted();
    EXPECT_EQ(after.waits - before.waits, 2); // one per branch
    EXPECT_EQ(after.bytes_read - before.bytes_read, 2);
    EXPECT_EQ(after.bytes_written, before.bytes_written);
    EXPECT_EQ(after.buffers_created, before.buffers_created);
    expect_same(jit<either>(x), result);
  }
}

} // namespace
