// SPDX-License-Identifier: BSL-1.0
// profile: where a program's time goes, as text: its steps as explain prints them, each with the
// microseconds that one call spends there, its share of the whole, the bytes that it reads and
// writes, and the rate that makes.
//   std::puts(profile<step>(p, x, labels, key(1)).c_str());           // or profile<train_step>(...)
//   std::puts(profile<step>(pool, p, x, labels, key(1)).c_str());
// Needs: time; the program runs some thirty times. Leaves: the arguments as they are. A loop's
// step counts all that its body does; steps of bodies stand for all turns together; an epilogue's time
// is its product's, that of steps that run as one the first one's. Bytes are those of arrays in
// memory, each once for a step that runs alone: what a cache saves does not show.
#pragma once

#include <weft/run/explain.hpp>
#include <weft/run/jit.hpp>

#include <chrono>

namespace weft::inline v0 {
namespace detail {

inline std::int64_t nanoseconds_now() {
  using namespace std::chrono;
  return duration_cast<nanoseconds>(steady_clock::now().time_since_epoch()).count();
}

inline void add_times(std::string& text, cpu::engine const& e, int s, double calls,
                      double total_of_call) {
  cpu::step_time const t = e.times()[s];
  double const of_call = static_cast<double>(t.ticks) / calls;
  step_bytes const touched = bytes_of_step(e.bound(), e.plan(), e.reads(), s);
  double const bytes = static_cast<double>(touched.read + touched.written);
  char line[120];
  std::snprintf(line, sizeof line, "%10.2f us %5.1f %% %6.0f x", of_call / 1000,
                total_of_call > 0 ? 100 * of_call / total_of_call : 0,
                static_cast<double>(t.runs) / calls);
  text += line;
  double const moved = bytes * static_cast<double>(t.runs);
  bool const alone = e.epilogues().product_of(s) < 0 && e.joined().place_of(s) < 0;
  if (bytes > 0 && t.ticks > 0 && alone) {
    std::snprintf(line, sizeof line, " %12.0f B %7.2f GB/s", bytes,
                  moved / static_cast<double>(t.ticks));
    text += line;
  } else text += std::string(29, ' ');
}

template <class Program, class Target, class Executor, class... Want, class... Args>
std::string profile_of(type_list<Want...>, Executor& executor, Args const&... args) {
  constexpr int warm = 3, calls = 30;
  runner<source<Program, Target>> r;
  for (int i = 0; i < warm; ++i) r(executor, as_argument<Want>(args)...);
  cpu::engine& e = *r.engine();
  e.measure(&nanoseconds_now);
  std::int64_t const before = nanoseconds_now();
  for (int i = 0; i < calls; ++i) r(executor, as_argument<Want>(args)...);
  double const total = static_cast<double>(nanoseconds_now() - before) / calls;
  char line[80];
  using stage = stages<program_for<Program, Target>>;
  std::snprintf(line, sizeof line, "%.2f us a call, %d steps, arena %lld bytes\n", total / 1000,
                stage::plan.steps.size(), static_cast<long long>(e.arena_bytes()));
  std::string text = line;
  for (int s = 0; s < stage::plan.steps.size(); ++s) {
    add_times(text, e, s, calls, total);
    add_step(text, stage::optimised, stage::plan, stage::code, s, &e);
  }
  return text;
}

} // namespace detail

template <auto F, class Target = cpu::native_target, class... Args>
  requires(!(cpu::executor<std::remove_reference_t<Args>> || ...))
std::string profile(Args const&... args) {
  cpu::serial here;
  return profile<F, Target>(here, args...);
}
template <auto F, class Target = cpu::native_target, cpu::executor Executor, class... Args>
std::string profile(Executor& executor, Args const&... args) {
  using P = program<F, argument_t<Args>...>;
  return detail::profile_of<P, Target>(typename P::arguments{}, executor, args...);
}
template <named_program Program, class Target = cpu::native_target, class... Args>
  requires(!(cpu::executor<std::remove_reference_t<Args>> || ...))
std::string profile(Args const&... args) {
  cpu::serial here;
  return detail::profile_of<Program, Target>(typename Program::arguments{}, here, args...);
}

} // namespace weft::inline v0
