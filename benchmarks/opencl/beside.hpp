// SPDX-License-Identifier: BSL-1.0
// One program on an OpenCL device and on this CPU in the same run: bits compared once, then timed
// in turns, then a line of the table: the device's time, its rate (of bytes with its share of what
// the device copies, or of operations), the CPU's time, and how many times as fast the device is.
//   runs.program<f>("sum of rows", {.bytes = 4e6}, x);
// Needs: both sides to themselves while they run; arguments on the host. Leaves: times as the best
// round's wall time by call; a round of the device ends in one finish().
#pragma once

#include <weft/cpu/pool.hpp>
#include <weft/lang/structure.hpp>
#include <weft/opencl/copy_rate.hpp>
#include <weft/run/device.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <tuple>

// Compiled once, in bench_texts.cpp.
extern template struct weft::opencl::op_texts<>;

namespace bench {

// What one call moves at least, or computes.
struct work {
  double bytes = 0, operations = 0;
};

inline double now() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// A side's calls: enough of them in a round to be measured.
template <class Run> class timed {
public:
  explicit timed(Run const& run) : run_(run) {
    run_(1); // buffers and kernels are there from now on
    double const one = round(1);
    times_ = static_cast<int>(std::clamp(round_seconds / one, 1.0, 1000.0));
  }
  void turn() { best_ = std::min(best_, round(times_)); }
  double seconds() const { return best_; }

private:
  static constexpr double round_seconds = 0.05;

  double round(int times) {
    double const start = now();
    run_(times);
    return (now() - start) / times;
  }
  Run const& run_;
  int times_ = 1;
  double best_ = 1e9;
};

template <class T, auto... E>
bool same_bits(weft::tensor<T, E...> const& a, weft::tensor<T, E...> const& b) {
  std::size_t const bytes = static_cast<std::size_t>(a.size()) * sizeof(T);
  return a.shape() == b.shape() && (bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0);
}

// Seconds by name; empty where there is no such file.
inline std::map<std::string, double> times_of(std::string const& file) {
  std::map<std::string, double> all;
  std::ifstream from(file);
  if (!file.empty() && !from) std::fprintf(stderr, "%s cannot be read\n", file.c_str());
  double seconds = 0;
  for (std::string name; from >> seconds && std::getline(from >> std::ws, name);)
    all[name] = seconds;
  return all;
}

class runs {
public:
  // `only`: a part of the names wanted; `peer`: a file of its times, or nothing.
  runs(weft::opencl::device const& on, int threads, std::string only, std::string const& peer)
      : device_(on), pool_(threads), only_(std::move(only)), peer_(times_of(peer)),
        copy_rate_(weft::opencl::copy_rate(device_)) {
    std::printf("%s (%s) copies %.2f GB/s; CPU: jit on %d threads\n", on.info().name.c_str(),
                on.info().platform.c_str(), copy_rate_, threads);
    std::printf("%-32s %12s %17s %8s %12s %10s%s\n", "", "device", "", "of copy", "CPU",
                "CPU/device", peer_.empty() ? "" : " peer/device");
  }
  bool all_same() const { return all_same_; }
  weft::opencl::device_info const& info() const { return device_.info(); }

  // The device's seconds; 0 where the name is not among the wanted ones.
  template <auto F, class... Args>
  double program(std::string const& name, work const& w, Args const&... args) {
    if (name.find(only_) == std::string::npos) return 0;
    std::tuple const there(weft::to_device(device_, args)...);
    auto const there_once = [&] {
      return std::apply([&](auto const&... a) { return weft::jit<F>(device_, a...); }, there);
    };
    auto const here_once = [&] { return weft::jit<F>(pool_, args...); };
    compare(name, here_once(), weft::to_host(there_once()));
    auto const on_device = [&](int times) {
      for (int i = 0; i < times; ++i) there_once();
      device_.finish();
    };
    auto const on_cpu = [&](int times) {
      for (int i = 0; i < times; ++i) here_once();
    };
    timed device(on_device);
    timed cpu(on_cpu);
    double const end = now() + 2;
    for (int turn = 0; turn < 3 || (now() < end && turn < 20); ++turn) device.turn(), cpu.turn();
    print(name, w, device.seconds(), cpu.seconds());
    return device.seconds();
  }

private:
  template <class Results>
  void compare(std::string const& name, Results const& here, Results const& there) {
    bool same = true;
    weft::for_each_leaf(here, there,
                        [&](auto const& a, auto const& b) { same = same && same_bits(a, b); });
    if (!same) std::printf("%s: the device's bits are not the CPU's\n", name.c_str());
    all_same_ = all_same_ && same;
  }
  void print(std::string const& name, work const& w, double device, double cpu) const {
    std::printf("%-32s %9.3f ms", name.c_str(), 1e3 * device);
    if (w.operations > 0) std::printf(" %9.2f GFLOP/s %8s", 1e-9 * w.operations / device, "");
    else {
      double const rate = 1e-9 * w.bytes / device;
      std::printf(" %9.2f GB/s    %6.1f %%", rate, 100 * rate / copy_rate_);
    }
    std::printf(" %9.3f ms %10.3f", 1e3 * cpu, cpu / device);
    if (auto const theirs = peer_.find(name); theirs != peer_.end())
      std::printf(" %11.3f", theirs->second / device);
    std::printf("\n");
    std::fflush(stdout);
  }

  weft::opencl::device device_;
  weft::cpu::pool pool_;
  std::string only_;
  std::map<std::string, double> peer_;
  double copy_rate_;
  bool all_same_ = true;
};

// -1 to 1 in steps of a thousandth, mixed.
template <class T, auto... E, class... N> weft::tensor<T, E...> numbers(N... names) {
  weft::tensor<T, E...> t(names...);
  auto m = t.mutate();
  auto* const to = m.data();
  for (weft::extent i = 0; i < t.size(); ++i)
    to[i] = static_cast<T>(static_cast<float>(i * 7919 % 2001 - 1000) * 1e-3f);
  return t;
}

// In bench_bandwidth.cpp and bench_arithmetic.cpp.
void run_bandwidth(runs&);
void run_arithmetic(runs&);

} // namespace bench
