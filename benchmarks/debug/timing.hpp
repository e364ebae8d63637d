// SPDX-License-Identifier: BSL-1.0
// What the programs of benchmarks/debug share: the work's sizes, and a line per piece of work, its
// name and the shortest CPU time of a run in seconds. Compiled without optimisation as well, so it
// does little.
#pragma once

#include <cstddef>
#include <cstdio>
#include <ctime>
#include <vector>

namespace debug_bench {

inline constexpr int length = 100'000, rows = 256, columns = 256, side = 128, small = 4;

inline std::vector<float> some_numbers(std::size_t count, unsigned state) {
  std::vector<float> x(count);
  for (float& e : x) {
    state = state * 1664525u + 1013904223u;
    e = static_cast<float>(state >> 8) / 16777216.0f - 0.5f;
  }
  return x;
}
inline double seconds() {
  timespec t;
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
// f() runs it once and gives a number that depends on the result.
template <class F> void measure(char const* name, F const& f) {
  double best = 1e9, sum = f();
  int times = 1;
  for (double spent = 0; spent < 0.3;) {
    double const start = seconds();
    for (int i = 0; i < times; ++i) sum += f();
    double const taken = seconds() - start;
    spent += taken;
    if (taken / times < best) best = taken / times;
    if (taken < 2e-3) times *= 2;
  }
  std::printf("%s|%.9g|%.5g\n", name, best, sum == sum ? f() : 0.0);
}

} // namespace debug_bench
