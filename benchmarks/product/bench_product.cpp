// SPDX-License-Identifier: BSL-1.0
// Products on one thread, in GFLOP/s: weft beside Eigen in turns, best of all turns in thread CPU
// time, and weft as a share of Eigen and of the machine's fused multiply-adds ("peak").
#include <weft/cpu/contract.hpp>

#include <benchmark/benchmark.h>
#ifdef WEFT_HAS_EIGEN
#include <Eigen/Core>
#endif

#include <algorithm>
#include <ctime>
#include <random>
#include <vector>

namespace {
using namespace weft;
using target = cpu::native_target;

double seconds() {
  timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}
template <class Function> double best_of(Function const& f, double& best, int times) {
  double const start = seconds();
  for (int i = 0; i < times; ++i) f();
  return best = std::min(best, (seconds() - start) / times);
}

// Independent chains in registers only: the micro-kernel's arithmetic without its loads.
WEFT_NOINLINE float run_chains(int steps, float value) {
  using pack = cpu::pack_f32<target>;
  constexpr int chains = 12;
  pack sum[chains];
#pragma GCC unroll 12
  for (int c = 0; c < chains; ++c) sum[c] = pack(value + static_cast<float>(c));
  pack const factor(value);
  for (int i = 0; i < steps; ++i)
#pragma GCC unroll 12
    for (int c = 0; c < chains; ++c) sum[c] = fma(sum[c], factor, factor);
#pragma GCC unroll 12
  for (int c = 1; c < chains; ++c) sum[0] = sum[0] + sum[c];
  return lane(sum[0], 0);
}
double measure_peak() {
  constexpr int steps = 200000;
  double best = 1e9;
  for (int round = 0; round < 20; ++round)
    best_of([&] { benchmark::DoNotOptimize(run_chains(steps, 0.999f)); }, best, 1);
  return 2.0 * 12 * target::lanes * steps / best * 1e-9;
}

struct matrices {
  extent m, n, k;
  std::vector<float> a, b, c;

  matrices(extent rows, extent columns, extent depth) : m(rows), n(columns), k(depth) {
    std::mt19937 random(1);
    auto make = [&](extent count) {
      std::vector<float> x(static_cast<std::size_t>(count));
      for (float& e : x) e = static_cast<float>(random() % 2001) * 1e-3f - 1.0f;
      return x;
    };
    a = make(m * k), b = make(k * n), c = make(m * n);
  }
};

void product(benchmark::State& state, bool transposed) {
  static double const peak = measure_peak();
  matrices x(state.range(0), state.range(1), state.range(2));
  contraction labels;
  labels.rank_a = labels.rank_b = labels.rank_out = 2;
  labels.a[1] = labels.b[0] = 1;
  labels.b[1] = labels.out[1] = 2;
  extents const a_shape{2, {x.m, x.k}}, b_shape{2, {x.k, x.n}}, c_shape{2, {x.m, x.n}};
  labels.order = order_for(labels, a_shape, b_shape);
  auto strides = [&](extent rows, extent columns) {
    return transposed ? extents{2, {1, rows}} : extents{2, {columns, 1}};
  };
  weft::product_form const p = make_product(labels, {a_shape, strides(x.m, x.k)},
                                            {b_shape, strides(x.k, x.n)}, {c_shape, {2, {x.n, 1}}});
  cpu::scratch_buffer memory;
  cpu::scratch const room = memory.get(cpu::scratch_bytes<target, float, float, float>(p, 1));
  cpu::serial here;
  auto ours = [&] {
    cpu::contract<target>(p, x.a.data(), x.b.data(), x.c.data(), nullptr,
                          static_cast<float const*>(nullptr), room, here);
    benchmark::ClobberMemory();
  };
  double const work = 2.0 * static_cast<double>(x.m * x.n * x.k);
  int const times = std::max(1, static_cast<int>(1e7 / work));
  double weft_best = 1e9;
  [[maybe_unused]] double eigen_best = 1e9;
#ifdef WEFT_HAS_EIGEN
  using row_matrix = Eigen::Matrix<float, -1, -1, Eigen::RowMajor>;
  using column_matrix = Eigen::Matrix<float, -1, -1>;
  auto eigen = [&] {
    Eigen::Map<row_matrix> c(x.c.data(), x.m, x.n);
    if (transposed)
      c.noalias() = Eigen::Map<column_matrix>(x.a.data(), x.m, x.k) *
                    Eigen::Map<column_matrix>(x.b.data(), x.k, x.n);
    else
      c.noalias() = Eigen::Map<row_matrix>(x.a.data(), x.m, x.k) *
                    Eigen::Map<row_matrix>(x.b.data(), x.k, x.n);
    benchmark::ClobberMemory();
  };
#endif
  for (auto _ : state) {
    state.SetIterationTime(best_of(ours, weft_best, times));
#ifdef WEFT_HAS_EIGEN
    best_of(eigen, eigen_best, times);
#endif
  }
  state.counters["weft"] = work / weft_best * 1e-9;
  state.counters["of_peak"] = work / weft_best * 1e-9 / peak;
#ifdef WEFT_HAS_EIGEN
  state.counters["eigen"] = work / eigen_best * 1e-9;
  state.counters["of_eigen"] = eigen_best / weft_best;
#endif
}

void shapes(benchmark::internal::Benchmark* b) {
  for (int n : {2, 3, 4, 8, 16, 64, 128, 256, 512, 1024}) b->Args({n, n, n});
  b->Args({8, 512, 512})->Args({1000, 64, 64})->Args({512, 1, 512})->Args({1, 512, 512});
  b->UseManualTime()->Iterations(20);
}
BENCHMARK_CAPTURE(product, plain, false)->Apply(shapes);
BENCHMARK_CAPTURE(product, transposed, true)->Apply(shapes);

} // namespace
