// SPDX-License-Identifier: BSL-1.0
// ./dev bench ranks: what a training step costs each rank on meshes of 100 to 10000 ranks, and where each
// mesh stops paying (docs/scaling.md). Measured here: what a step's arithmetic takes on one core. The
// network of the large meshes is stated: --latency, --message, --bandwidth. First the model is set beside
// steps on 1, 2 and 4 processes of this machine (here.hpp).
// A step "pays" while its ranks get through half as many items each as one rank alone.
#include "here.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <map>
#include <string>

namespace bench {
namespace {

struct options {
  // A cluster: 100 Gbit/s per rank, two microseconds, half a microsecond of a core per message.
  network of{2e-6, 5e-7, 12.5e9};
  bool here_only = false;
};

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

  compare_here();
  if (o.here_only) return 0;
  std::printf("\nstated: %.2f us to wait for, %.2f us per message, %.2f GB/s; a rank is one core\n",
              1e6 * o.of.latency, 1e6 * o.of.message, 1e-9 * o.of.bandwidth);
  tables(o.of);
  return 0;
}

} // namespace
} // namespace bench

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--rank") return bench::run_as_rank(argc, argv);
  return bench::run(argc, argv);
}
