// SPDX-License-Identifier: BSL-1.0
// explain and profile on a device, as text: the steps as explain prints them, each with its kernels
// and launches and with the bytes that it reads and writes; profile says besides the microseconds
// that one call's kernels of a step take, their share of the whole, and their rate beside the rate
// at which the device copies (opencl/copy_rate.hpp).
//   std::puts(explain<step>(gpu, p, x, labels, key(1)).c_str());      // or explain<train_step>(...)
//   std::puts(profile<step>(gpu, p, x, labels, key(1)).c_str());
// Needs: arguments, for the numbers that names have; profile: a device that does nothing else, and
// time: the program runs some sixty times. Leaves: the arguments as they are. Steps of loops' bodies
// stand for all turns together; copies that are no kernels are not timed.
#pragma once

#include <weft/opencl/copy_rate.hpp>
#include <weft/run/device.hpp>
#include <weft/run/profile.hpp>

namespace weft::inline v0 {
namespace detail {

// printf's numbers in front of a step.
template <class... X> void add_formatted(std::string& text, char const* format, X... x) {
  char line[160];
  std::snprintf(line, sizeof line, format, x...);
  text += line;
}
inline int launches_of(opencl::engine const& e, int s) {
  return static_cast<int>(e.texts()[static_cast<std::size_t>(s)].launches.size());
}
inline std::string explain_engine(opencl::engine const& e, opencl::program const& p,
                                  std::string const& device) {
  std::string steps, text;
  int kernels = 0, launches = 0;
  for (int s = 0; s < e.plan().steps.size(); ++s) {
    opencl::step_text const& t = e.texts()[static_cast<std::size_t>(s)];
    kernels += static_cast<int>(t.kernels.size());
    launches += launches_of(e, s);
    step_bytes const b = bytes_of_step(e.bound(), e.plan(), e.reads(), s);
    add_formatted(steps, "%3d x %12lld B read %12lld B written", launches_of(e, s),
                  static_cast<long long>(b.read), static_cast<long long>(b.written));
    add_step(steps, e.bound(), e.plan(), p.code, s);
    for (opencl::kernel_text const& k : t.kernels) steps += "        " + k.name + "\n";
  }
  add_formatted(text, "%d steps, %d kernels, %d launches (of a loop's body: each turn), ",
                e.plan().steps.size(), kernels, launches);
  text += "arena " + std::to_string(e.arena_bytes()) + " bytes, on " + device + "\n";
  return text + print(e.bound()) + "schedule (! is stored)\n" + steps;
}

// Nanoseconds and launches by step, the last one for what comes after all steps.
struct device_times {
  std::vector<double> nanoseconds, launches;
  double all = 0;

  device_times(int steps, std::vector<int> const& noted,
               std::vector<opencl::kernel_time> const& times)
      : nanoseconds(static_cast<std::size_t>(steps) + 1), launches(nanoseconds.size()) {
    for (std::size_t i = 0; i < noted.size() && i < times.size(); ++i) {
      std::size_t const s = noted[i] < 0 ? nanoseconds.size() - 1
                                         : static_cast<std::size_t>(noted[i]);
      nanoseconds[s] += static_cast<double>(times[i].nanoseconds);
      launches[s] += 1;
      all += static_cast<double>(times[i].nanoseconds);
    }
  }
};
inline void add_device_times(std::string& text, device_times const& t, std::size_t s, double calls,
                             double bytes_of_run, double runs, double copy_rate) {
  double const time = t.nanoseconds[s];
  add_formatted(text, "%10.2f us %5.1f %% %6.0f x", time / calls / 1000,
                t.all > 0 ? 100 * time / t.all : 0, t.launches[s] / calls);
  if (bytes_of_run > 0 && time > 0) {
    double const rate = bytes_of_run * runs / time;
    add_formatted(text, " %12.0f B %8.2f GB/s %5.1f %% of copy", bytes_of_run, rate,
                  copy_rate > 0 ? 100 * rate / copy_rate : 0);
  } else text += std::string(45, ' ');
}

// A device takes times from here on until the end, of a call that throws, too.
class taking_times {
public:
  explicit taking_times(opencl::device const& on) : on_(on) { on_.start_profile(); }
  taking_times(taking_times const&) = delete;
  ~taking_times() {
    if (!ended_) on_.drop_profile();
  }
  std::vector<opencl::kernel_time> end() {
    auto times = on_.stop_profile();
    ended_ = true;
    return times;
  }

private:
  opencl::device on_;
  bool ended_ = false;
};

template <class Program> struct device_program {
  opencl::device on;
  std::unique_ptr<opencl::program> program = opencl::engine_code<>::program_of(
      stages<Program>::optimised);
  device_runner runner{on, *program};

  explicit device_program(opencl::device const& d) : on(d) {}
};

template <class Program, class... Args>
std::string explain_on_device(opencl::device const& on, Args const&... args) {
  device_program<Program> p(on);
  auto const text = [&](opencl::engine const& e) {
    return explain_engine(e, *p.program, opencl::described(on.info()));
  };
  return with_arguments(p.runner, typename Program::arguments{}, text, args...);
}
template <class Program, class... Args>
std::string profile_on_device(opencl::device on, Args const&... args) {
  constexpr int warm = 3, calls = 30;
  double const copies = opencl::copy_rate(on);
  device_program<Program> p(on);
  auto const run = [&](int times) {
    for (int i = 0; i < times; ++i) call_on_device<Program>(p.runner, args...);
    on.finish();
  };
  run(warm);
  std::int64_t const before = nanoseconds_now();
  run(calls);
  double const of_call = static_cast<double>(nanoseconds_now() - before) / calls;
  std::vector<int> noted;
  auto const engine = [](opencl::engine& e) { return &e; };
  opencl::engine& e = *with_arguments(p.runner, typename Program::arguments{}, engine, args...);
  taking_times taken(on);
  e.note_launches(&noted);
  run(calls);
  device_times const times(e.plan().steps.size(), noted, taken.end());
  std::string text;
  add_formatted(text, "%.2f us a call, of them %.2f us in kernels; %d steps, arena %lld bytes; on ",
                of_call / 1000, times.all / calls / 1000, e.plan().steps.size(),
                static_cast<long long>(e.arena_bytes()));
  add_formatted(text += opencl::described(on.info()), ", which copies %.2f GB/s\n", copies);
  for (int s = 0; s < e.plan().steps.size(); ++s) {
    auto const at = static_cast<std::size_t>(s);
    step_bytes const b = bytes_of_step(e.bound(), e.plan(), e.reads(), s);
    double const runs = launches_of(e, s) > 0 ? times.launches[at] / launches_of(e, s) : 0;
    add_device_times(text, times, at, calls, static_cast<double>(b.read + b.written), runs, copies);
    add_step(text, e.bound(), e.plan(), p.program->code, s);
  }
  return text;
}

} // namespace detail

template <auto F, class... Args>
std::string explain(opencl::device const& on, Args const&... args) {
  return detail::explain_on_device<program<F, host_type<Args>...>>(on, args...);
}
template <named_program Program, class... Args>
std::string explain(opencl::device const& on, Args const&... args) {
  return detail::explain_on_device<Program>(on, args...);
}
template <auto F, class... Args> std::string profile(opencl::device on, Args const&... args) {
  return detail::profile_on_device<program<F, host_type<Args>...>>(on, args...);
}
template <named_program Program, class... Args>
std::string profile(opencl::device on, Args const&... args) {
  return detail::profile_on_device<Program>(on, args...);
}

} // namespace weft::inline v0
