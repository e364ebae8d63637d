// SPDX-License-Identifier: BSL-1.0
// The model beside what it is a model of: steps of 1, 2 and 4 processes of this machine. Its figures are
// measured here, too, none of them in the step that is reckoned:
//   arithmetic   a rank's program, its exchanges answered at once, on as many ranks at a time as there
//                are cores for: they share the memory
//   exchanges    latency, time of a message and bandwidth between pairs of as many ranks as the step has
//   seconds = arithmetic * ranks of a core + waits * latency + messages * message + bytes / bandwidth
// All are of the clock on the wall, the best of some turns: on a machine with other work they are larger
// by what that takes, and not all by as much.
#pragma once

#include "workloads.hpp"

#include <weft/mpi.hpp>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <thread>
#include <unistd.h>

namespace bench {

inline weft::mesh_axes mesh_of_sizes(extent data, extent model) {
  std::string const words = "data=" + std::to_string(data) + ",model=" + std::to_string(model);
  return weft::mesh_of(words.c_str());
}
inline workload workload_of(char kind, extent items) {
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
  int ranks() const { return data * model; }
};

// ---- as ranks, under mpirun: bench_ranks --rank exchange, arithmetic:STEP, step:STEP

// Seconds for one exchange of `messages` messages of so many bytes each, both ways, with a neighbour,
// while the others do the same.
inline double exchange_time(weft::mpi::session& job, weft::mpi::transport& others, int messages,
                            extent bytes, int times) {
  std::vector<std::byte> give(static_cast<std::size_t>(bytes * messages)), take(give.size());
  weft::collective const what{};
  extent const other = others.rank() ^ 1;
  double best = 1e30;
  for (int turn = 0; turn < 9; ++turn) {
    job.texts_of_all("");
    others.next_call();
    double const start = now();
    for (int i = 0; i < times; ++i) {
      weft::growing<weft::given_bytes> gives;
      weft::growing<weft::taken_bytes> takes;
      for (int k = 0; k < messages; ++k) {
        gives.push({other, give.data() + k * bytes, bytes});
        takes.push({other, take.data() + k * bytes, bytes});
      }
      others.exchange({what, weft::dtype::f32, {}, 0}, gives, takes);
    }
    best = std::min(best, (now() - start) / times);
  }
  return best;
}
inline void exchange_as_rank(weft::mpi::session& job) {
  weft::mpi::transport others(job.communicator());
  double const one = exchange_time(job, others, 1, 64, 200),
               many = exchange_time(job, others, 17, 64, 50),
               large = exchange_time(job, others, 1, 16 << 20, 2);
  double const message = std::max((many - one) / 16, 1e-9);
  if (job.rank() == 0)
    std::printf("%.9g %.9g %.9g\n", std::max(one - message, 0.0), message,
                (16 << 20) / std::max(large - one, 1e-9));
}
// A step among the ranks of the job, or as if all the others answered at once; as long as the slowest
// rank takes.
inline void step_as_rank(weft::mpi::session& job, named_step const& s, bool alone) {
  weft::mesh_axes const mesh = mesh_of_sizes(s.data, s.model);
  weft::partitioned const p = workload_of(s.kind, s.items).on(mesh);
  weft::model local(p.program);
  nobody others(mesh.ranks);
  if (alone) local.join(&others);
  else local.join(&job);
  std::vector<host_array> const inputs = some_inputs(weft::graph_view(p.program));
  double best = 1e30, spent = 0; // as all know it
  for (int turn = 0; turn < 5 || (turn < 30 && spent < 1.5); ++turn) {
    job.texts_of_all("");
    double const start = now();
    local.run(inputs);
    double mine = now() - start;
    for (weft::message const& other : job.texts_of_all(std::to_string(mine).c_str()))
      mine = std::max(mine, std::atof(other.c_str()));
    best = std::min(best, mine);
    spent += mine;
  }
  if (job.rank() == 0) std::printf("%.9g\n", best);
}
inline int run_as_rank(int& argc, char**& argv) {
  std::string const what = argv[2];
  char const* const ranks = std::getenv("OMPI_COMM_WORLD_SIZE");
  weft::mpi::session job(mesh_of_sizes(ranks == nullptr ? 1 : std::atoi(ranks), 1), argc, argv);
  if (what == "exchange") return exchange_as_rank(job), 0;
  std::size_t const colon = what.find(':');
  named_step const s = named_step::from(what.c_str() + (colon == what.npos ? 0 : colon + 1));
  if (s.items == 0) return std::fprintf(stderr, "no step %s\n", what.c_str()), 2;
  step_as_rank(job, s, what.starts_with("arithmetic:"));
  return 0;
}

// ---- what starts them
inline std::vector<double> figures_of(int ranks, std::string const& what) {
  char self[4096]{};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return {};
  std::string const command =
      "timeout 120 mpirun --bind-to none --oversubscribe --allow-run-as-root -n " +
      std::to_string(ranks) + " '" + self + "' --rank " + what;
  std::FILE* const out = popen(command.c_str(), "r");
  std::vector<double> figures;
  for (double x = 0; out != nullptr && std::fscanf(out, "%lf", &x) == 1;) figures.push_back(x);
  if (out != nullptr) pclose(out);
  return figures;
}

// What exchanges among so many ranks of this machine take; of one rank nothing.
inline bool measure_network(int ranks, network& n) {
  if (ranks == 1) return n = {}, true;
  std::vector<double> const f = figures_of(ranks, "exchange");
  if (f.size() != 3) return false;
  n = {f[0], f[1], f[2]};
  std::printf("%d ranks: %.2f us to wait, %.2f us for each message, %.2f GB/s\n", ranks,
              1e6 * n.latency, 1e6 * n.message, 1e-9 * n.bandwidth);
  return true;
}
inline bool compare_step(named_step const& s, network const& here, int cores) {
  int const together = std::min(s.ranks(), cores);
  std::vector<double> const arithmetic = figures_of(together, "arithmetic:" + s.words()),
                            found = figures_of(s.ranks(), "step:" + s.words());
  if (arithmetic.size() != 1 || found.size() != 1) return false;
  workload const w = workload_of(s.kind, s.items);
  weft::partitioned const p = w.on(mesh_of_sizes(s.data, s.model));
  weft::exchanged const e = weft::exchanges_of(p.program);
  double const of_a_core = static_cast<double>(s.ranks()) / together, exchange = here.seconds(e),
               reckoned = of_a_core * arithmetic[0] + exchange;
  std::printf("%-12s %4d x %-3d %6.1f %9lld %8.2f %6lld %9.1f %9.1f %9.1f %9.1f %7.2f\n",
              w.name.c_str(), s.data, s.model, of_a_core, static_cast<long long>(e.messages),
              1e-6 * static_cast<double>(e.bytes), static_cast<long long>(e.waits),
              1e3 * arithmetic[0], 1e3 * exchange, 1e3 * reckoned, 1e3 * found[0],
              reckoned / found[0]);
  return true;
}
inline void compare_here() {
  int const cores = std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
  network of[3];
  for (int k = 0; k < 3; ++k)
    if (!measure_network(1 << k, of[k])) {
      std::printf("mpirun does not run here: nothing is compared\n");
      return;
    }
  std::printf("\nsteps on %d cores of this machine, as the model reckons and as they were\n"
              "%-12s %4s   %-3s %6s %9s %8s %6s %9s %9s %9s %9s %7s\n",
              cores, "step", "data", "mod", "a core", "messages", "MB sent", "waits", "arith ms",
              "exch ms", "model ms", "here ms", "ratio");
  for (named_step const& s : {named_step{'c', 16, 1, 1},
                              {'c', 16, 2, 1},
                              {'c', 16, 4, 1},
                              {'c', 16, 1, 2},
                              {'c', 16, 2, 2},
                              {'w', 64, 1, 1},
                              {'w', 64, 2, 1},
                              {'w', 64, 4, 1},
                              {'w', 64, 1, 2},
                              {'w', 64, 2, 2}})
    if (!compare_step(s, of[s.ranks() / 2], cores))
      std::printf("%-12s %4d x %-3d: mpirun does not run\n", s.kind == 'c' ? "char_lm" : "wide",
                  s.data, s.model);
}

} // namespace bench
