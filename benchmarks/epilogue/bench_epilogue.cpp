// SPDX-License-Identifier: BSL-1.0
// Layers with an activation: the elementwise group run behind each block of the product, beside the
// same programs whose products do not tell of their blocks, so that the group follows them. In turns,
// best of all turns, in microseconds: CPU time of the thread on one thread, wall time on two.
#include <weft/cpu/pool.hpp>
#include <weft/weft.hpp>

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstring>
#include <ctime>
#include <random>
#include <vector>

namespace {
using namespace weft;

template <int M, int K, int N> struct linear_layer {
  using x = tensor<float, M, K>;
  using w = tensor<float, K, N>;
  using b = tensor<float, N>;
  static constexpr auto with_gelu = [](auto in, auto by, auto bias) {
    return gelu(linear(in, by, bias));
  };
  static constexpr auto with_relu = [](auto in, auto by, auto bias) {
    return relu(linear(in, by, bias));
  };
  using gelu_program = program<with_gelu, x, w, b>;
  using relu_program = program<with_relu, x, w, b>;
};
template <int Size, int In, int Out, int Filter, int Groups = 1> struct conv_layer {
  static constexpr conv_options options{.padding = Filter / 2, .feature_groups = Groups};
  static constexpr auto with_relu = [](auto in, auto by, auto bias) {
    return relu(conv<"NHWC,HWIO->NHWC", options>(in, by, bias));
  };
  using relu_program = program<with_relu, tensor<float, 1, Size, Size, In>,
                               tensor<float, Filter, Filter, In / Groups, Out>, tensor<float, Out>>;
};

// The code of a program whose products tell nobody of their blocks.
template <class Program> class apart {
  using functions = detail::program_functions<Program, cpu::native_target>;

public:
  apart() : code_(functions::code) {
    for (int s = 0; s < functions::steps; ++s) {
      auto const n = static_cast<std::size_t>(s);
      if (code_.contractions[s] != nullptr) products_[n] = *code_.contractions[s];
      if (code_.convolutions[s] != nullptr) convolutions_[n] = *code_.convolutions[s];
      products_[n].tells = nullptr, convolutions_[n].tells = nullptr;
      product_at_[n] = code_.contractions[s] == nullptr ? nullptr : &products_[n];
      convolution_at_[n] = code_.convolutions[s] == nullptr ? nullptr : &convolutions_[n];
    }
    code_.contractions = product_at_;
    code_.convolutions = convolution_at_;
  }
  apart(apart const&) = delete;
  apart& operator=(apart const&) = delete;
  cpu::program_code const& code() const { return code_; }

private:
  cpu::program_code code_;
  cpu::contraction_code products_[functions::steps]{};
  cpu::convolution_code convolutions_[functions::steps]{};
  cpu::contraction_code const* product_at_[functions::steps]{};
  cpu::convolution_code const* convolution_at_[functions::steps]{};
};

double seconds(int threads) {
  timespec t;
  clock_gettime(threads == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

template <class Program> void layer(benchmark::State& state) {
  int const threads = static_cast<int>(state.range(0));
  using functions = detail::program_functions<Program, cpu::native_target>;
  apart<Program> const other;
  cpu::engine fused(functions::code, {}, threads), after(other.code(), {}, threads);
  graph_view const g = fused.bound();
  cpu::pool pool(threads);
  std::mt19937 random(1);
  std::vector<std::vector<float>> arrays;
  std::vector<void const*> in;
  for (int id : g.parameters_of(0)) {
    arrays.emplace_back(static_cast<std::size_t>(count_of(g.shape(id))));
    for (float& x : arrays.back()) x = static_cast<float>(random() % 2001) * 1e-3f - 1.0f;
    in.push_back(arrays.back().data());
  }
  auto const count = static_cast<std::size_t>(count_of(g.shape(g.outputs_of(0)[0])));
  std::vector<float> results[2] = {std::vector<float>(count), std::vector<float>(count)};
  auto const run = [&](cpu::engine& e, int side, double& best) {
    void* out[] = {results[side].data()};
    double const before = seconds(threads);
    e.run({in.data(), static_cast<int>(in.size())}, {out, 1}, pool);
    double const took = seconds(threads) - before;
    best = std::min(best, took);
    return took;
  };
  double best[2] = {1e9, 1e9};
  for (auto _ : state) {
    state.SetIterationTime(run(fused, 0, best[0]));
    run(after, 1, best[1]);
  }
  if (std::memcmp(results[0].data(), results[1].data(), count * sizeof(float)) != 0)
    state.SkipWithError("results differ");
  if (fused.epilogues_run() == 0) state.SkipWithError("nothing ran as an epilogue");
  state.counters["epilogue_us"] = best[0] * 1e6;
  state.counters["after_us"] = best[1] * 1e6;
  state.counters["ratio"] = best[0] / best[1];
}

void threads(benchmark::internal::Benchmark* b) {
  b->Arg(1)->Arg(2)->UseManualTime()->Iterations(200);
}
BENCHMARK(layer<linear_layer<64, 64, 64>::relu_program>)
    ->Name("linear_relu/64x64x64")
    ->Apply(threads);
BENCHMARK(layer<linear_layer<512, 512, 512>::gelu_program>)
    ->Name("linear_gelu/512x512x512")
    ->Apply(threads);
BENCHMARK(layer<linear_layer<512, 512, 512>::relu_program>)
    ->Name("linear_relu/512x512x512")
    ->Apply(threads);
BENCHMARK(layer<linear_layer<4096, 64, 256>::gelu_program>)
    ->Name("linear_gelu/4096x64x256")
    ->Apply(threads);
BENCHMARK(layer<linear_layer<4096, 64, 256>::relu_program>)
    ->Name("linear_relu/4096x64x256")
    ->Apply(threads);
BENCHMARK(layer<linear_layer<2048, 64, 2048>::relu_program>)
    ->Name("linear_relu/2048x64x2048")
    ->Apply(threads);
BENCHMARK(layer<conv_layer<56, 64, 64, 3>::relu_program>)
    ->Name("conv_relu/3x3_56x56x64")
    ->Apply(threads);
BENCHMARK(layer<conv_layer<224, 3, 64, 3>::relu_program>)
    ->Name("conv_relu/3x3_224x224x3_64")
    ->Apply(threads);
BENCHMARK(layer<conv_layer<56, 64, 256, 1>::relu_program>)
    ->Name("conv_relu/1x1_56x56x64_256")
    ->Apply(threads);
BENCHMARK(layer<conv_layer<224, 3, 4, 3>::relu_program>)
    ->Name("conv_relu/3x3_224x224x3_4")
    ->Apply(threads);
BENCHMARK(layer<conv_layer<112, 32, 32, 3, 32>::relu_program>)
    ->Name("conv_relu/depthwise_112x112x32")
    ->Apply(threads);

} // namespace
