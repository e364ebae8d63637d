// SPDX-License-Identifier: BSL-1.0
// ./dev bench stablehlo [--python FILE]: models exported by JAX (the modules beside this file, of
// examples/interop/models.py) at batch 1: compiled into this program, on the block executor, and by
// JAX itself, shortest and median of all calls in microseconds. weft runs on the calling thread, JAX
// on all cores, as jax.jit does by itself. Ratios: JAX's time / weft's, above 1 is faster than JAX.
// JAX is measured where --python, or the variable WEFT_JAX_PYTHON, names a Python that has it.
#include <weft/stablehlo.hpp>
#include <weft/weft.hpp>

#include <attention.hpp>
#include <conv_net.hpp>
#include <gru.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <map>

namespace {

using weft::host_array;

struct times {
  double shortest = 0, median = 0; // microseconds
};
// All calls of a second, after those of a tenth of one.
template <class F> times measure(F const& f) {
  using clock = std::chrono::steady_clock;
  std::vector<double> all;
  for (double const limit : {1e5, 1e6}) {
    all.clear();
    for (double sum = 0; sum < limit || all.size() < 10; sum += all.back()) {
      auto const start = clock::now();
      f();
      all.push_back(std::chrono::duration<double, std::micro>(clock::now() - start).count());
    }
  }
  std::sort(all.begin(), all.end());
  return {all[0], all[all.size() / 2]};
}

template <class M, int I>
using argument_of = typename weft::detail::values_of_graph<M, false>::template type<I>;

// Weights of models of this size: small normal numbers.
template <class X> X some_numbers(int seed) {
  X x;
  weft::extent const n = x.size();
  std::uint32_t state = static_cast<std::uint32_t>(seed) * 2654435761U + 1;
  auto view = x.mutate();
  for (auto& e : view) {
    state = state * 1664525U + 1013904223U;
    e = (static_cast<float>(state >> 8) / 16777216.0f - 0.5f) * (n > 256 ? 0.2f : 1.0f);
  }
  return x;
}
bool same_bits(host_array const& a, host_array const& b) {
  return a.shape() == b.shape() && a.type() == b.type() &&
         std::memcmp(a.data(), b.data(), static_cast<std::size_t>(a.byte_count())) == 0;
}

struct line {
  times compiled, block;
  bool same = false;
};
template <class M, int... I>
line measure_model(std::string const& file, std::integer_sequence<int, I...>) {
  std::tuple<argument_of<M, I>...> const arguments{some_numbers<argument_of<M, I>>(I + 1)...};
  auto const call = [&] {
    return std::apply([](auto const&... x) { return weft::jit<M>(x...); }, arguments);
  };
  weft::model m = weft::stablehlo::load(file);
  std::vector<host_array> const inputs{host_array(std::get<I>(arguments))...};
  bool const same = same_bits(host_array(call()), m.run(inputs)[0]);
  return {measure(call), measure([&] { return m.run(inputs); }), same};
}

// NAME: shortest median, of each line that the script prints.
std::map<std::string, times> measure_jax(std::string const& python) {
  std::map<std::string, times> all;
  std::string const command = "'" + python + "' '" WEFT_BENCH_FOLDER "/measure_jax.py'";
  if (std::FILE* const from = python.empty() ? nullptr : ::popen(command.c_str(), "r")) {
    char name[64];
    times t;
    while (std::fscanf(from, "%63s %lf %lf", name, &t.shortest, &t.median) == 3) all[name] = t;
    ::pclose(from);
  }
  return all;
}
void print(char const* what, times const& t, times const* jax) {
  std::printf("  %-16s %9.1f %9.1f", what, t.shortest, t.median);
  if (jax != nullptr)
    std::printf("   %6.2f %6.2f", jax->shortest / t.shortest, jax->median / t.median);
  std::printf("\n");
}
template <class M> bool print_model(char const* name, std::map<std::string, times> const& jax) {
  std::string const file = std::string(WEFT_BENCH_FOLDER "/") + name + ".mlir";
  line const l = measure_model<M>(file, std::make_integer_sequence<int, M::arguments>{});
  auto const theirs = jax.find(name);
  times const* const beside = theirs == jax.end() ? nullptr : &theirs->second;
  std::printf("%-18s  shortest    median%s\n", name, beside ? "   JAX's time / it" : "");
  print("compiled", l.compiled, beside);
  print("block executor", l.block, beside);
  if (beside) print("JAX", *beside, nullptr);
  if (!l.same) std::printf("  the two results of weft differ\n");
  return l.same;
}

} // namespace

int main(int count, char** arguments) {
  char const* const variable = std::getenv("WEFT_JAX_PYTHON");
  std::string python = variable ? variable : "";
  if (count == 3 && std::string(arguments[1]) == "--python") python = arguments[2];
  else if (count != 1) return std::fputs("usage: bench_stablehlo [--python FILE]\n", stderr), 2;
  auto const jax = measure_jax(python);
  if (jax.empty())
    std::printf("JAX is not measured: %s\n",
                python.empty() ? "--python or WEFT_JAX_PYTHON names a Python that has it"
                               : "its script gave no times");
  bool good = print_model<gru>("gru", jax);
  good = print_model<conv_net>("conv_net", jax) && good;
  good = print_model<attention>("attention", jax) && good;
  return good ? 0 : 1;
}
