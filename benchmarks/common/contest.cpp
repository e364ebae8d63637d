// SPDX-License-Identifier: BSL-1.0
#include "contest.hpp"

#include <CLI/CLI.hpp>
#include <benchmark/benchmark.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <map>
#include <thread>

namespace bench {
namespace {

constexpr int repetitions = 9;

// Seconds of one run, for each side by name.
struct times {
  double least = 0, median = 0;
};

// Keeps what Google Benchmark measured, prints nothing.
class keeper final : public benchmark::BenchmarkReporter {
public:
  explicit keeper(int threads) : cpu_time_(threads == 1) {}
  bool ReportContext(Context const&) override { return true; }
  void ReportRuns(std::vector<Run> const& runs) override {
    for (Run const& r : runs)
      if (r.run_type == Run::RT_Iteration && !r.error_occurred) {
        cpu_[r.run_name.function_name].push_back(1e-9 * r.GetAdjustedCPUTime());
        wall_[r.run_name.function_name].push_back(1e-9 * r.GetAdjustedRealTime());
      }
  }
  times of(std::string const& name) const { return of(name, cpu_time_ ? cpu_ : wall_); }
  times wall_of(std::string const& name) const { return of(name, wall_); }

private:
  using lists = std::map<std::string, std::vector<double>>;
  static times of(std::string const& name, lists const& all) {
    auto const found = all.find(name);
    if (found == all.end()) return {};
    std::vector<double> t = found->second;
    std::sort(t.begin(), t.end());
    return {t.front(), t[t.size() / 2]};
  }

  bool cpu_time_;
  lists cpu_, wall_;
};

double difference(std::vector<double> const& a, std::vector<double> const& b) {
  if (a.size() != b.size()) return INFINITY;
  double most = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    double const d = std::abs(a[i] - b[i]);
    if (!std::isfinite(d) && !(a[i] == b[i])) return INFINITY;
    most = std::max(most, d);
    scale = std::max(scale, std::abs(a[i]));
  }
  return scale > 0 ? most / scale : most;
}

bool agree(contest const& c, std::vector<side> const& sides) {
  bool same = true;
  for (side const& s : sides) s.run();
  std::vector<double> const ours = sides[0].result();
  for (side const& s : sides) {
    if (!s.result || &s == &sides[0]) continue;
    double const d = difference(ours, s.result());
    if (d <= c.tolerance) continue;
    std::printf("%s: %s differs from weft by %g of the greatest value (%g allowed)\n",
                c.name.c_str(), s.name.c_str(), d, c.tolerance);
    same = false;
  }
  return same;
}

std::string readable(double seconds) {
  char text[32];
  double const scaled = seconds < 1e-6   ? seconds * 1e9
                        : seconds < 1e-3 ? seconds * 1e6
                                         : seconds * 1e3;
  std::snprintf(text, sizeof text, "%.4g %s", scaled,
                seconds < 1e-6   ? "ns"
                : seconds < 1e-3 ? "us"
                                 : "ms");
  return text;
}

class table {
public:
  explicit table(char const* family) {
    rows_ = {{"family", family},
             {"threads_of_machine", std::thread::hardware_concurrency()},
             {"compiler", __VERSION__},
             {"rows", nlohmann::json::array()}};
  }
  void add(contest const& c, int threads, std::vector<side> const& sides, keeper const& measured) {
    if (threads == 1 || c.name != alone_of_) alone_.clear();
    alone_of_ = c.name;
    times const ours = measured.of(sides[0].name);
    double const n = c.amount.times;
    bool const counts = c.amount.operations > 0;
    double const rate = (counts ? c.amount.operations : c.amount.bytes) / ours.least * 1e-9;
    nlohmann::json row{{"name", c.name},
                       {"threads", threads},
                       {"rate", rate},
                       {"unit", counts ? "GFLOP/s" : "GB/s"},
                       {"sides", nlohmann::json::array()}};
    std::string peers, limit = "    -", fast = "    -";
    double best = INFINITY;
    for (side const& s : sides) {
      times const t = measured.of(s.name);
      row["sides"].push_back({{"name", s.name}, {"least", t.least / n}, {"median", t.median / n}});
      if (threads == 1) alone_[s.name] = measured.wall_of(s.name).least;
      else if (auto const one = alone_.find(s.name); one != alone_.end())
        row["sides"].back()["of_one_thread"] = one->second / t.least;
      if (&s == &sides[0]) continue;
      char text[96];
      if (!s.result) {
        std::snprintf(text, sizeof text, "%5.2f", t.least / ours.least);
        limit = text;
        row["of_limit"] = t.least / ours.least;
        continue;
      }
      if (s.ours) {
        std::snprintf(text, sizeof text, "%5.2f", t.least / ours.least);
        fast = text;
        row["fast"] = t.least / ours.least;
        continue;
      }
      best = std::min(best, t.least);
      std::snprintf(text, sizeof text, "  %s %.3g", s.name.c_str(), t.least / ours.least);
      peers += text;
    }
    if (std::isfinite(best)) row["of_best_peer"] = best / ours.least;
    std::printf("%-34s %d %10s %10s %8.4g %-7s %s %s %6.3g %s |%s\n", c.name.c_str(), threads,
                readable(ours.least / n).c_str(), readable(ours.median / n).c_str(), rate,
                counts ? "GFLOP/s" : "GB/s", limit.c_str(), fast.c_str(),
                std::isfinite(best) ? best / ours.least : 0.0, of_one_thread(row).c_str(),
                peers.c_str());
    std::fflush(stdout);
    rows_["rows"].push_back(std::move(row));
  }
  static void print_heading() {
    std::printf("%-34s %s %10s %10s %16s %5s %5s %6s %10s |  peers' time / weft's\n", "", "t",
                "shortest", "median", "rate", "limit", "fast", "best", "of one t");
  }
  void write(std::filesystem::path const& folder, std::string const& family) const {
    std::filesystem::create_directories(folder);
    std::ofstream out(folder / (family + ".json"));
    out << rows_.dump(1) << '\n';
    if (!out.flush()) throw std::runtime_error("cannot write to " + folder.string());
  }

private:
  // How many times as fast as on one thread: weft, and the best peer at that.
  static std::string of_one_thread(nlohmann::json const& row) {
    double ours = 0, most = 0;
    for (auto const& s : row["sides"]) {
      double const ratio = s.value("of_one_thread", 0.0);
      if (&s == &row["sides"][0]) ours = ratio;
      else if (s["name"] != "limit") most = std::max(most, ratio);
    }
    char text[32] = "         -";
    if (ours > 0) std::snprintf(text, sizeof text, "%5.2f %4.2f", ours, most);
    return text;
  }

  nlohmann::json rows_;
  std::string alone_of_; // the contest whose times on one thread these are, wall time
  std::map<std::string, double> alone_;
};

bool measure(contest const& c, int threads, table& into) {
  std::vector<side> const sides = c.sides(threads);
  if (!agree(c, sides)) return false;
  benchmark::ClearRegisteredBenchmarks();
  for (side const& s : sides) {
    auto* const b = benchmark::RegisterBenchmark(s.name.c_str(), [&s](benchmark::State& state) {
      for (auto _ : state) {
        s.run();
        benchmark::ClobberMemory();
      }
    });
    b->Repetitions(repetitions)->MinTime(0.02);
    if (threads > 1) b->UseRealTime();
  }
  keeper measured(threads);
  benchmark::RunSpecifiedBenchmarks(&measured);
  into.add(c, threads, sides, measured);
  return true;
}

// Google Benchmark's own options: sides take turns.
void prepare_benchmark() {
  static char name[] = "bench", turns[] = "--benchmark_enable_random_interleaving=true";
  static char* words[] = {name, turns, nullptr};
  int count = 2;
  benchmark::Initialize(&count, words);
}

} // namespace

int compete(char const* family, int argc, char** argv, std::vector<contest> const& contests) try {
  CLI::App app{std::string("benchmarks of ") + family + " beside their peers"};
  int threads = 0;
  std::string figures, part;
  bool list = false;
  app.add_option("--threads", threads, "this number only (1 and 2 when not given)");
  app.add_option("--figures", figures, "a folder for the figures, as JSON")
      ->envname("WEFT_BENCH_FIGURES");
  app.add_flag("--list", list, "names only");
  app.add_option("part", part, "rows whose names have this in them");
  CLI11_PARSE(app, argc, argv);
  prepare_benchmark();
  table all(family);
  bool same = true;
  if (!list) table::print_heading();
  for (contest const& c : contests) {
    if (c.name.find(part) == std::string::npos) continue;
    if (list) {
      std::puts(c.name.c_str());
      continue;
    }
    for (int const n : threads > 0 ? std::vector{threads} : std::vector{1, 2})
      if (n <= c.most_threads) same &= measure(c, n, all);
  }
  if (!figures.empty() && !list) all.write(figures, family);
  return same ? 0 : 1;
} catch (std::exception const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}

} // namespace bench
