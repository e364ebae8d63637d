// SPDX-License-Identifier: BSL-1.0
// A model written in weft, for others to run: a recurrent net with dropout as a module with its
// manifest (stablehlo::save), its weights and inputs by the manifest's names, and what weft computes.
// run_in_jax.py, beside this file, runs it.
//   interop_model FOLDER               writes dropout_rnn.* there
#include <weft/stablehlo_files.hpp>
#include <weft/weft.hpp>

#include <cstdio>

namespace {

using weft::tensor, weft::traced, weft::key;

template <template <class, auto...> class array> struct rnn {
  array<float, 8, 16> in;
  array<float, 16, 16> hidden;
  array<float, 16> shift;
  array<float, 16, 4> out;
};
using sequence = tensor<float, 12, 2, 8>; // steps, batch, features

// The last reading of each sequence, a quarter of what is read dropped, and every hidden state.
constexpr auto model = [](auto p, auto xs, auto k) {
  auto const step = [p](auto h, auto x) {
    auto const next = tanh(matmul(x, p.in) + matmul(h, p.hidden) + p.shift);
    return std::pair(next, next);
  };
  auto const [last, all] = scan(step, weft::zeros_like(matmul(weft::at<"0">(xs), p.in)),
                                weft::dropout(k, 0.25f, xs));
  return std::pair(softmax(matmul(last, p.out)), all);
};

void write(std::string const& name) {
  weft::stablehlo::save<model, rnn<tensor>, sequence, key>(name, {.names = {"p", "xs", "key"}});

  auto const keys = weft::split<5>(key(42));
  rnn<tensor> const p{.in = weft::normal<8, 16>(keys[0]) * 0.35f,
                      .hidden = weft::normal<16, 16>(keys[1]) * 0.25f,
                      .shift = weft::normal<16>(keys[2]) * 0.1f,
                      .out = weft::normal<16, 4>(keys[3])};
  sequence const xs = weft::normal<12, 2, 8>(keys[4]);
  key const draw(7);
  auto const [y, states] = weft::jit<model>(p, xs, draw);
  weft::save_safetensors(name + "_arguments.safetensors", weft::named("p", p),
                         weft::named("xs", xs), weft::named("key", draw));
  weft::save_safetensors(name + "_results.safetensors", weft::named("result.0", y),
                         weft::named("result.1", states));
  for (int b = 0; b < 2; ++b)
    std::printf("weft %.7g %.7g %.7g %.7g\n", static_cast<double>(y(b, 0)),
                static_cast<double>(y(b, 1)), static_cast<double>(y(b, 2)),
                static_cast<double>(y(b, 3)));
}

} // namespace

int main(int count, char** arguments) {
  if (count != 2) return std::fputs("usage: interop_model FOLDER\n", stderr), 2;
  try {
    write(std::string(arguments[1]) + "/dropout_rnn");
    return 0;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "interop_model: %s\n", e.what());
    return 1;
  }
}
