// SPDX-License-Identifier: BSL-1.0
// ./dev bench ranks: what a training step costs each rank on meshes of 100 to 10000 ranks, and where each
// mesh stops paying (docs/scaling.md). Measured here: what a step's arithmetic takes on one core, and what
// messages between processes of this machine take; the same model of both is compared with steps on
// 1, 2 and 4 processes. The network of the large meshes is stated: --latency, --message, --bandwidth.
// A step "pays" while its ranks get through half as many items each as one rank alone.
#include "workloads.hpp"

#include <weft/mpi.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <cstdio>
#include <map>
#include <string>
#include <thread>
#include <unistd.h>

namespace bench {
namespace {

weft::mesh_axes mesh_of_sizes(extent data, extent model) {
  std::string const words = "data=" + std::to_string(data) + ",model=" + std::to_string(model);
  return weft::mesh_of(words.c_str());
}

// ---- as ranks, under mpirun: `bench_ranks --rank exchange`, `bench_ranks --rank STEP`

// Seconds for one exchange of `messages` messages of so many bytes each, both ways, between two ranks.
double exchange_time(weft::mpi::transport& others, int messages, extent bytes) {
  std::vector<std::byte> give(static_cast<std::size_t>(bytes * messages)), take(give.size());
  weft::collective const what{};
  extent const other = 1 - others.rank();
  auto const once = [&] {
    weft::growing<weft::given_bytes> gives;
    weft::growing<weft::taken_bytes> takes;
    for (int i = 0; i < messages; ++i) {
      gives.push({other, give.data() + i * bytes, bytes});
      takes.push({other, take.data() + i * bytes, bytes});
    }
    others.exchange({what, weft::dtype::f32, {}, 0}, gives, takes);
  };
  // Few at a time: other work of the machine shall miss some of the turns.
  int const times = bytes > 1 << 16 ? 2 : 8;
  double best = 1e30;
  for (int turn = 0; turn < 25; ++turn) {
    others.next_call();
    double const start = now();
    for (int i = 0; i < times; ++i) once();
    best = std::min(best, (now() - start) / times);
  }
  return best;
}
void exchange_as_rank(int& argc, char**& argv) {
  weft::mpi::session job(mesh_of_sizes(2, 1), argc, argv);
  weft::mpi::transport others(job.communicator());
  double const one = exchange_time(others, 1, 64), many = exchange_time(others, 17, 64);
  double const large = exchange_time(others, 1, 4 << 20);
  double const message = std::max((many - one) / 16, 1e-9);
  if (job.rank() == 0)
    std::printf("%.9g %.9g %.9g\n", one - message, message,
                (4 << 20) / std::max(large - one, 1e-9));
}
void step_as_rank(workload const& w, int& argc, char**& argv, weft::mesh_axes const& mesh) {
  weft::mpi::session job(mesh, argc, argv);
  weft::partitioned const p = w.on(mesh);
  weft::model local(p.program);
  local.join(&job);
  std::vector<host_array> const inputs = some_inputs(weft::graph_view(p.program));
  double best = 1e30;
  for (int turn = 0; turn < 5; ++turn) { // each as long as the slowest rank
    job.texts_of_all("");
    double const start = now();
    local.run(inputs);
    job.texts_of_all("");
    best = std::min(best, now() - start);
  }
  if (job.rank() == 0) std::printf("%.9g\n", best);
}

// ---- what starts them
std::vector<double> figures_of(int ranks, std::string const& what) {
  char self[4096]{};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return {};
  std::string const command = "timeout 60 mpirun --oversubscribe --allow-run-as-root -n " +
                              std::to_string(ranks) + " '" + self + "' --rank " + what;
  std::FILE* const out = popen(command.c_str(), "r");
  std::vector<double> figures;
  for (double x = 0; out != nullptr && std::fscanf(out, "%lf", &x) == 1;) figures.push_back(x);
  if (out != nullptr) pclose(out);
  return figures;
}

struct options {
  // A cluster: 100 Gbit/s per rank, two microseconds, half a microsecond of a core per message.
  network of{2e-6, 5e-7, 12.5e9};
  bool here_only = false;
};

workload workload_of(char kind, extent items) {
  return kind == 'c' ? char_lm_step(items) : wide_step(items);
}
// "c16.2.1": char_lm, 16 streams, data=2, model=1.
struct named_step {
  char kind = 'c';
  int items = 16, data = 1, model = 1;

  static named_step from(char const* words) {
    named_step s;
    if (std::sscanf(words, "%c%d.%d.%d", &s.kind, &s.items, &s.data, &s.model) != 4) s.items = 0;
    return s;
  }
  std::string words() const {
    return std::string(1, kind) + std::to_string(items) + "." + std::to_string(data) + "." +
           std::to_string(model);
  }
};

// The model beside what it is a model of.
void check_here(network const& here) {
  int const cores = std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
  std::printf("\nsteps on this machine (%d cores; ranks share them)\n"
              "%-12s %-16s %9s %10s %9s %9s %7s\n",
              cores, "step", "mesh", "arith ms", "exch ms", "model ms", "here ms", "ratio");
  for (named_step const& s : {named_step{'c', 16, 1, 1},
                              {'c', 16, 2, 1},
                              {'c', 16, 4, 1},
                              {'w', 64, 1, 1},
                              {'w', 64, 2, 1},
                              {'w', 64, 4, 1},
                              {'w', 64, 1, 2},
                              {'w', 64, 2, 2},
                              {'c', 16, 1, 2}}) {
    workload const w = workload_of(s.kind, s.items);
    cost const c = measure(w, mesh_of_sizes(s.data, s.model));
    int const ranks = s.data * s.model;
    double const share = std::max(static_cast<double>(ranks) / cores, 1.0);
    double const reckoned = share * c.seconds(here);
    std::vector<double> const found = figures_of(ranks, s.words());
    if (found.empty()) {
      std::printf("%-12s data=%d,model=%d: mpirun does not run\n", w.name.c_str(), s.data, s.model);
      continue;
    }
    std::printf("%-12s data=%d,model=%-4d %9.1f %10.2f %9.1f %9.1f %7.2f\n", w.name.c_str(), s.data,
                s.model, 1e3 * c.arithmetic, 1e3 * here.seconds(c.exchanges), 1e3 * reckoned,
                1e3 * found[0], found[0] / reckoned);
  }
}

// Costs of one kind of step; arithmetic is measured once for ranks that have as much to compute.
class scale {
public:
  scale(char kind, network const& n) : kind_(kind), network_(n) {}

  cost at(extent data, extent model, extent items) {
    double& known = arithmetic_[{model, items / data}];
    cost const c = measure(workload_of(kind_, items), mesh_of_sizes(data, model), known);
    known = c.arithmetic;
    return c;
  }
  // The share of an alone rank's pace that each rank keeps.
  double kept(cost const& c, extent items) const {
    return static_cast<double>(items) / static_cast<double>(c.ranks) / c.seconds(network_) / alone;
  }
  void row(extent data, extent model, extent items) {
    cost const c = at(data, model, items);
    auto const number = [](extent n) { return static_cast<long long>(n); };
    std::printf("%6lld %5lld x %-3lld %9lld %9.3f %9.2f %9lld %6lld %9.2f %9.2f %9.2f %6.0f %%\n",
                number(c.ranks), number(data), number(model), number(items),
                1e-9 * static_cast<double>(c.flops), 1e-6 * static_cast<double>(c.exchanges.bytes),
                number(c.exchanges.messages), number(c.exchanges.waits), 1e3 * c.arithmetic,
                1e3 * network_.seconds(c.exchanges), 1e3 * c.seconds(network_),
                100 * kept(c, items));
    std::fflush(stdout);
  }
  // Meshes of one number of ranks along model, ever more along data; of the batch each place along data
  // has `per_place` items, or all have `in_all`.
  void grow(extent model, extent per_place, extent in_all) {
    auto const items = [&](extent data) { return in_all > 0 ? in_all : data * per_place; };
    for (extent ranks = 128; ranks <= 8192; ranks *= 8)
      if (items(ranks / model) % (ranks / model) == 0)
        row(ranks / model, model, items(ranks / model));
    // The doublings between. Fewer ranks have more to compute each, and wait no longer.
    extent last = 0, data = in_all > 0 ? in_all / (2 * per_place) : 1;
    for (; data * model <= 16384 && items(data) % data == 0; data *= 2) {
      if (kept(at(data, model, items(data)), items(data)) < 0.5) break;
      last = data * model;
    }
    if (last == 0)
      std::printf("       less than half is kept from %lld ranks on\n",
                  static_cast<long long>(data * model));
    else
      std::printf("       half is kept up to %lld ranks%s\n", static_cast<long long>(last),
                  data * model > 16384 ? " and more" : "");
  }

  double alone = 1; // items per second

private:
  char kind_;
  network network_;
  std::map<std::pair<extent, extent>, double> arithmetic_;
};
void title(char const* what, std::string const& item) {
  std::printf("\n%s\n%6s %5s   %-3s %9s %9s %9s %9s %6s %9s %9s %9s %8s\n", what, "ranks", "data",
              "mod", item.c_str(), "GFLOP", "MB sent", "messages", "waits", "arith ms", "exch ms",
              "step ms", "kept");
}
void tables(network const& n) {
  for (char const kind : {'c', 'w'}) {
    extent const per_place = kind == 'c' ? 16 : 64, in_all = kind == 'c' ? 8192 : 65536;
    scale s(kind, n);
    workload const one = workload_of(kind, per_place);
    cost const c = s.at(1, 1, per_place);
    s.alone = static_cast<double>(per_place) / c.arithmetic;
    std::printf("\n== %s: one rank alone, %lld %s: %.3f GFLOP in %.1f ms, %.1f GFLOP/s\n",
                one.name.c_str(), static_cast<long long>(per_place), one.item.c_str(),
                1e-9 * static_cast<double>(c.flops), 1e3 * c.arithmetic,
                1e-9 * static_cast<double>(c.flops) / c.arithmetic);
    title("the batch grows with the ranks along data", one.item);
    s.row(1, 128, per_place);
    for (extent model : {1, 8}) s.grow(model, per_place, 0);
    title("one batch for all", one.item);
    for (extent model : {1, 8}) s.grow(model, per_place, in_all);
  }
}

int run(int argc, char** argv) {
  std::setvbuf(stdout, nullptr, _IOLBF, 0); // a row at a time
  options o;
  CLI::App app("What a step costs on meshes of many ranks.", "bench_ranks");
  app.option_defaults()->always_capture_default();
  app.add_option("--latency", o.of.latency, "of the network, seconds")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--message", o.of.message, "further seconds per message")
      ->check(CLI::NonNegativeNumber);
  app.add_option("--bandwidth", o.of.bandwidth, "bytes per second and rank")
      ->check(CLI::PositiveNumber);
  app.add_flag("--here", o.here_only, "only what can be measured here");
  CLI11_PARSE(app, argc, argv);

  std::vector<double> const f = figures_of(2, "exchange");
  if (f.size() == 3) {
    network const here{f[0], f[1], f[2]};
    std::printf("messages between processes here: %.2f us to wait for, %.2f us each, %.2f GB/s\n",
                1e6 * here.latency, 1e6 * here.message, 1e-9 * here.bandwidth);
    check_here(here);
  } else std::printf("mpirun does not run here: nothing is compared\n");
  if (o.here_only) return 0;
  std::printf("\nstated: %.2f us to wait for, %.2f us per message, %.2f GB/s; a rank is one core\n",
              1e6 * o.of.latency, 1e6 * o.of.message, 1e-9 * o.of.bandwidth);
  tables(o.of);
  return 0;
}

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  if (argc != 3 || std::string(argv[1]) != "--rank") return bench::run(argc, argv);
  if (std::string(argv[2]) == "exchange") return bench::exchange_as_rank(argc, argv), 0;
  bench::named_step const s = bench::named_step::from(argv[2]);
  if (s.items == 0) return std::fprintf(stderr, "no step %s\n", argv[2]), 2;
  bench::step_as_rank(bench::workload_of(s.kind, s.items), argc, argv,
                      bench::mesh_of_sizes(s.data, s.model));
  return 0;
}
