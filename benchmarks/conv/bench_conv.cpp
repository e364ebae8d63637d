// SPDX-License-Identifier: BSL-1.0
// ./dev bench conv [--explain | --threads N] [part of a name]: convolution layers by weft beside
// oneDNN and Eigen on one and two threads, forward and both gradients. Ratios: the peer's time /
// weft's, above 1 is faster than the peer. oneDNN's with formats of its own choice for all arrays
// ("own"), for the filter alone ("filter"), with the layer's own layouts ("plain"); at the line's
// end its three kernels. --explain: weft's programs instead. Exits with 1 where results differ.
#include "beside.hpp"

#include "../common/numbers.hpp"
#ifdef WEFT_HAS_DNNL
#include "onednn_side.hpp"
#endif
#ifdef WEFT_HAS_EIGEN
#include "eigen_side.hpp"
#endif

#include <weft/cpu/target.hpp>

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>

namespace {
using namespace bench;

double seconds(clockid_t clock) {
  timespec t;
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// Two threads run side by side only when the machine lets them: more turns, so that some do.
constexpr int turns_for(int threads) { return threads > 1 ? 32 : 12; }
constexpr double turn_seconds = 0.012, slow = 0.1; // a slow side has fewer turns
// The greatest difference by the greatest value: chains of up to 12,544 terms in other orders.
constexpr float tolerance = 2e-5f;

// A side's best call of all turns.
class timed {
public:
  explicit timed(contestant const& c) : run_(c.run) {}

  void turn(int threads) {
    clockid_t const clock = threads > 1 ? CLOCK_MONOTONIC : CLOCK_THREAD_CPUTIME_ID;
    if (best_ < slow) run_(); // warm caches
    double spent = 0;
    int calls = 0;
    do {
      double const start = seconds(clock);
      run_();
      double const one = seconds(clock) - start;
      best_ = std::min(best_, one);
      spent += one;
    } while (spent < turn_seconds || (threads > 1 && ++calls < 6 && best_ < slow / 4));
    // OpenMP's helpers would wait actively while the next side runs.
    if (threads > 1) omp_pause_resource_all(omp_pause_hard);
  }
  bool is_slow() const { return best_ > slow && best_ < never; }
  double best() const { return best_; }

private:
  static constexpr double never = 1e9;
  std::function<void()> run_;
  double best_ = never;
};

float difference(std::vector<float> const& a, std::vector<float> const& b) {
  float most = 0, scale = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    float const d = std::abs(a[i] - b[i]);
    if (!std::isfinite(d)) return d;
    most = std::max(most, d);
    scale = std::max(scale, std::abs(a[i]));
  }
  return scale > 0 ? most / scale : 1;
}

char const* name_of(direction d) {
  return d == direction::forward ? "forward" : d == direction::by_input ? "by x" : "by w";
}

struct peers {
  std::vector<contestant> all; // weft first
  std::string kernel;          // oneDNN's
};

peers peers_of(measured_layer const& m, operands const& from, int threads) {
  peers p;
  p.all.push_back(m.weft(from, threads));
#ifdef WEFT_HAS_DNNL
  for (auto const& [f, name] :
       {std::pair{formats::own, "own"}, std::pair{formats::own_filter, "filter"},
        std::pair{formats::plain, "plain"}}) {
    auto const side = std::make_shared<onednn_side>(m.shape, m.to, f, from);
    p.all.push_back({name, [side] { side->run(); }, [side] { return side->result(); }});
    p.kernel += (p.kernel.empty() ? "" : ", ") + side->kernel();
  }
#endif
#ifdef WEFT_HAS_EIGEN
  if (m.shape.order == layout::nhwc) {
    auto const side = std::make_shared<eigen_side>(m.shape, m.to, from);
    p.all.push_back({"Eigen", [side] { side->run(); },
                     [side, &m] {
                       return std::vector<float>(side->result(),
                                                 side->result() + result_count(m.shape, m.to));
                     }});
  }
#endif
  return p;
}

bool compare(peers const& p) {
  bool same = true;
  for (contestant const& c : p.all) c.run();
  std::vector<float> const ours = p.all[0].result();
  for (std::size_t i = 1; i < p.all.size(); ++i)
    if (float const d = difference(ours, p.all[i].result()); !(d <= tolerance)) {
      std::printf("%s differs by %g of the greatest value\n", p.all[i].name.c_str(),
                  static_cast<double>(d));
      same = false;
    }
  return same;
}

bool measure(measured_layer const& m, int threads) {
  omp_set_num_threads(threads);
  std::vector<float> const x = uniform(m.shape.x_count(), 1), w = uniform(m.shape.w_count(), 2),
                           y = uniform(m.shape.y_count(), 3);
  peers const p = peers_of(m, {x.data(), w.data(), y.data()}, threads);
  bool const same = compare(p);
  std::vector<timed> clocks(p.all.begin(), p.all.end());
  for (int turn = 0; turn < turns_for(threads); ++turn)
    for (timed& c : clocks)
      if (!c.is_slow() || turn % 4 == 0) c.turn(threads);
  double const ours = clocks[0].best();
  std::printf("%-26s %-8s %d %8.3f ms %6.1f GFLOP/s |", m.name.c_str(), name_of(m.to), threads,
              1e3 * ours, m.shape.operations() / ours * 1e-9);
  for (std::size_t i = 1; i < clocks.size(); ++i)
    std::printf(" %s %5.3g", p.all[i].name.c_str(), clocks[i].best() / ours);
  std::printf(" | %s\n", p.kernel.c_str());
  std::fflush(stdout);
  return same;
}

std::vector<measured_layer> all_layers() {
  std::vector<measured_layer> all = dense_layers();
  for (measured_layer const& m : other_layers()) all.push_back(m);
  return all;
}

void print_heading() {
#ifdef WEFT_HAS_DNNL
  dnnl_version_t const* const v = dnnl_version();
  int const isa = dnnl_get_effective_cpu_isa();
  std::printf("oneDNN %d.%d.%d with %s\n", v->major, v->minor, v->patch,
              isa == dnnl_cpu_isa_avx512_core_amx        ? "AVX-512 (the machine has AMX)"
              : (isa & 0x27) == dnnl_cpu_isa_avx512_core ? "AVX-512"
              : (isa & 0x7) == dnnl_cpu_isa_avx2         ? "AVX2"
                                                         : "less than AVX2");
#else
  std::puts("oneDNN is not installed (libdnnl-dev): no figures of it");
#endif
#ifdef WEFT_HAS_EIGEN
  std::printf("Eigen %d.%d.%d; weft: packs of %d\n", EIGEN_WORLD_VERSION, EIGEN_MAJOR_VERSION,
              EIGEN_MINOR_VERSION, weft::cpu::native_target::lanes);
#endif
}

// What was asked for.
struct wishes {
  bool explain = false;
  std::vector<int> threads{1, 2};
  char const* part = "";

  wishes(int argc, char** argv) {
    for (int i = 1; i < argc; ++i)
      if (std::strcmp(argv[i], "--explain") == 0) explain = true;
      else if (std::strcmp(argv[i], "--threads") == 0 && i + 1 < argc)
        threads = {std::max(1, std::atoi(argv[++i]))};
      else part = argv[i];
  }
};

} // namespace

int main(int argc, char** argv) try {
  wishes const asked(argc, argv);
  print_heading();
  bool same = true;
  for (measured_layer const& m : all_layers()) {
    if ((m.name + " " + name_of(m.to)).find(asked.part) == std::string::npos) continue;
    if (asked.explain)
      std::printf("%s, %s\n%s\n", m.name.c_str(), name_of(m.to), m.explain().c_str());
    else
      for (int threads : asked.threads) same &= measure(m, threads);
  }
  return same ? 0 : 1;
} catch (std::exception const& e) {
  std::fprintf(stderr, "%s\n", e.what());
  return 1;
}
