// SPDX-License-Identifier: BSL-1.0
// Every function of one float on all 2^32 arguments: packs have the scalar world's bits, and these
// are within the row's stated ulp of libm in double (exact, or rounded once, where it states 0 or
// 0.5). A row of the op table without a reference here fails. Minutes a function, on all cores:
//   every_float32 --gtest_filter='*/exp'
#include <op/elementary_references.hpp>
#include <op/numbers.hpp>

#include <weft/cpu/pack.hpp>
#include <weft/op/numeric_wide.hpp>
#include <weft/op/table.hpp>

#include <gtest/gtest.h>

#include <atomic>
#include <cstdio>
#include <mutex>
#include <thread>
#include <vector>

namespace {

namespace cpu = weft::cpu;
using target = cpu::native_target;
using weft::op, weft::row;

constexpr int chunk = 1 << 16;

// One row on arrays of a chunk; flags are 0 and 1.
struct function {
  op code;
  void (*scalar)(float const* x, float* y);
  void (*packs)(float const* x, float* y);
};

template <op O> void run_scalar(float const* x, float* y) {
  for (int i = 0; i < chunk; ++i)
    y[i] = static_cast<float>(row<O>::meaning(weft::scalar::f32(x[i])).value);
}
template <op O> void run_packs(float const* x, float* y) {
  for (int i = 0; i < chunk; i += target::lanes) {
    auto const result = row<O>::meaning(cpu::load<target>(x + i));
    for (int k = 0; k < target::lanes; ++k) y[i + k] = static_cast<float>(lane(result, k));
  }
}
template <op O> void add_to(std::vector<function>& all) {
  constexpr weft::op_info info = row<O>::info;
  if constexpr (weft::is_elementwise(O))
    if constexpr (info.arity == 1 && info.result != weft::type_rule::chosen &&
                  weft::accepts(info.accepts, weft::dtype::f32))
      all.push_back({O, run_scalar<O>, run_packs<O>});
}
std::vector<function> all_functions() {
  std::vector<function> all;
  [&]<int... O>(std::integer_sequence<int, O...>) {
    (add_to<static_cast<op>(O)>(all), ...);
  }(std::make_integer_sequence<int, weft::op_count>{});
  return all;
}

using reference = references::reference<double>;

// The error that the row's bound is about. Around the zeros of digamma, and of both gamma functions
// between their poles, it is of max(1, |result|).
double error_of(op o, float x, float result, double exact) {
  double const bound = weft::info_of(o).ulp;
  if (bound <= 0.5) return numbers::same(result, static_cast<float>(exact)) ? 0 : 1;
  bool const gamma = o == op::digamma || (o == op::lgamma && x < 0);
  if (gamma && std::fabs(exact) < 1 && std::isfinite(result))
    return std::fabs(result - exact) / 0x1p-23;
  return numbers::error_in_ulp(result, exact);
}
double bound_of(op o, float x) {
  if (x < 0 && o == op::lgamma) return 9;
  if (x < 0 && o == op::digamma) return 16;
  return weft::info_of(o).ulp;
}

struct findings {
  double worst = 0, worst_below = 0; // below 0, where gamma functions state another bound
  float worst_at = 0;
  std::uint64_t above = 0, packs_differ = 0;
  float first_above = 0, first_difference = 0;

  void take(findings const& other) {
    if (other.worst_below > worst_below) worst_below = other.worst_below;
    if (other.worst > worst) worst = other.worst, worst_at = other.worst_at;
    if (above == 0) first_above = other.first_above;
    if (packs_differ == 0) first_difference = other.first_difference;
    above += other.above;
    packs_differ += other.packs_differ;
  }
};

findings sweep(function const& f, reference exact, std::uint32_t first) {
  std::vector<float> x(chunk), y(chunk), packs(chunk);
  for (int i = 0; i < chunk; ++i)
    x[static_cast<std::size_t>(i)] = std::bit_cast<float>(first + static_cast<std::uint32_t>(i));
  f.scalar(x.data(), y.data());
  f.packs(x.data(), packs.data());
  findings found;
  for (std::size_t i = 0; i < chunk; ++i) {
    if (!numbers::same(y[i], packs[i]) && found.packs_differ++ == 0) found.first_difference = x[i];
    double const e = error_of(f.code, x[i], y[i], exact(static_cast<double>(x[i]))),
                 bound = bound_of(f.code, x[i]);
    bool const usual = bound == weft::info_of(f.code).ulp;
    if (usual && e > found.worst) found.worst = e, found.worst_at = x[i];
    if (!usual && e > found.worst_below) found.worst_below = e;
    if (!(e <= bound) && found.above++ == 0) found.first_above = x[i];
  }
  return found;
}

class every_float32 : public testing::TestWithParam<function> {};

TEST_P(every_float32, is_within_the_stated_bound) {
  function const f = GetParam();
  reference const exact = references::reference_of<double>(f.code);
  ASSERT_NE(exact, nullptr) << "no reference of " << weft::name_of(f.code);
  std::atomic<std::uint64_t> next{0};
  std::mutex mutex;
  findings all;
  auto const work = [&] {
    for (std::uint64_t at; (at = next.fetch_add(chunk)) < std::uint64_t{1} << 32;) {
      findings const some = sweep(f, exact, static_cast<std::uint32_t>(at));
      std::lock_guard const lock(mutex);
      all.take(some);
    }
  };
  std::vector<std::thread> threads;
  for (unsigned k = 0; k < std::max(1u, std::thread::hardware_concurrency()); ++k)
    threads.emplace_back(work);
  for (std::thread& t : threads) t.join();
  std::printf("  %-12s %.4f ulp at %a, stated %g\n", weft::name_of(f.code), all.worst,
              static_cast<double>(all.worst_at), weft::info_of(f.code).ulp);
  if (all.worst_below > 0) std::printf("  %-12s %.4f below 0\n", "", all.worst_below);
  EXPECT_EQ(all.above, 0u) << "first at " << static_cast<double>(all.first_above);
  EXPECT_EQ(all.packs_differ, 0u) << "first at " << static_cast<double>(all.first_difference);
}
INSTANTIATE_TEST_SUITE_P(op, every_float32, testing::ValuesIn(all_functions()),
                         [](auto const& one) {
                           return std::string(weft::name_of(one.param.code));
                         });

} // namespace
