// SPDX-License-Identifier: BSL-1.0
// The training step of examples/char_lm, in float32 and with the products in bf16. Its peers are in
// measure_python.py.
#include "../../examples/char_lm/model.hpp"
#include "sides.hpp"

namespace bench {
namespace {

using namespace char_lm;

parameters start() {
  auto const around = [](auto like, unsigned seed) {
    return filled<decltype(like)>(scaled(static_cast<std::size_t>(like.size()), seed, 0.0625f));
  };
  parameters p;
  p.embedding = around(p.embedding, 1);
  p.cell = {around(p.cell.input, 2), around(p.cell.hidden, 3), around(p.cell.input_bias, 4),
            around(p.cell.hidden_bias, 5)};
  p.output = around(p.output, 6);
  p.output_bias = around(p.output_bias, 7);
  return p;
}
block symbols(int after) {
  block b;
  auto view = b.mutate();
  for (int t = 0; t < steps_at_once; ++t)
    for (int s = 0; s < streams_at_once; ++s)
      view(t, s) = ((t + after) * streams_at_once + s) * 31 % vocabulary;
  return b;
}

template <class Program> side step_side(int threads) {
  struct kept {
    weft::cpu::pool pool;
    parameters p;
    moments<weft::tensor> m;
    state s;
    block inputs, targets;
    bool alone;
    float loss = 0;
    void run() { // parameters and moments are written over
      auto const call = [&](auto&... on) {
        return weft::jit<Program>(on..., std::move(p), std::move(m), s, inputs, targets,
                                  weft::key(1), 1e-3f);
      };
      auto next = alone ? call() : call(pool);
      p = std::move(std::get<0>(next));
      m = std::move(std::get<1>(next));
      s = std::get<2>(next);
      loss = std::get<3>(next)();
    }
  };
  std::shared_ptr<kept> const k(
      new kept{weft::cpu::pool(threads), start(), {}, {}, symbols(0), symbols(1), threads == 1});
  return {"weft", [k] { k->run(); }, [k] { return std::vector<double>{double{k->loss}}; }};
}
constexpr double operations() {
  double const positions = streams_at_once * steps_at_once;
  double const cell = 3.0 * hidden * (features + hidden), out = 1.0 * vocabulary * hidden;
  double const embedded = 1.0 * vocabulary * features;
  return 2 * positions * (3 * (cell + out) + 2 * embedded); // there, and twice on the way back
}
template <class Program> contest step(char const* name) {
  return {name, {operations()}, 0, [](int threads) {
            return std::vector<side>{step_side<Program>(threads),
                                     arithmetic_limit(arithmetic::f32, operations(), threads)};
          }};
}

} // namespace

std::vector<contest> character_models() {
  return {step<train_f32>("char_lm step, float32"), step<train_bf16>("char_lm step, bf16")};
}

} // namespace bench
