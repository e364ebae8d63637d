// SPDX-License-Identifier: BSL-1.0
// digits_mlp: a multilayer perceptron learns to read handwritten digits: data, network, training and
// report on two pages. (examples/digits is the convolutional network that reads them best.)
//   digits_mlp                        a few seconds
//   digits_mlp --epochs 100 --seed 2  --help says the rest
// Leaves: exit code 1 and one line on stderr when the data or the training are no good.
#include "shared/fingerprint.hpp"
#include "shared/finite.hpp"
#include "shared/progress.hpp"
#include "shared/scans.hpp"

#include <weft/cpu/pool.hpp>

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>

namespace mlp {

using weft::tensor, examples::scan_classes, examples::scan_pixels;

inline constexpr int to_learn = 1437, held_out = 360, batch = 32, batches = to_learn / batch;
inline constexpr int hidden = 128;
inline constexpr float dropped = 0.2f;

template <template <class, auto...> class array> struct params {
  array<float, hidden, scan_pixels> first;
  array<float, hidden> first_bias;
  array<float, hidden, hidden> second;
  array<float, hidden> second_bias;
  array<float, scan_classes, hidden> output;
  array<float, scan_classes> output_bias;
};
template <template <class, auto...> class array>
using moments = typename weft::adam_for<params>::template state<array>;

// images (n, 64) -> logits (n, 10); keep(layer, x) is dropout while training, and x afterwards.
inline constexpr auto network = [](auto p, auto images, auto keep) {
  auto x = keep(0, relu(linear<"ni,oi->no">(images, p.first, p.first_bias)));
  auto y = keep(1, relu(linear<"ni,oi->no">(x, p.second, p.second_bias)));
  return linear<"ni,oi->no">(y, p.output, p.output_bias);
};
inline constexpr auto loss = [](auto p, auto images, auto digits, auto key) {
  auto keep = [&](int layer, auto x) { return dropout(fold_in(key, layer), dropped, x); };
  return mean(softmax_cross_entropy(network(p, images, keep), digits));
};
// Every scan once, but for a last few, in an order of the key's: (parameters, moments, mean loss).
inline constexpr auto epoch = [](auto start, auto start_moments, auto scans, auto key, auto rate) {
  auto keys = weft::split<2>(key);
  auto order = reshape<batches, batch>(at<":1408">(weft::permutation<to_learn>(keys[0])));
  static_assert(batches * batch == 1408);
  auto step = [&](auto state, auto rows) {
    auto [p, m] = state;
    auto chosen = weft::take<0>(scans, rows);
    auto [nats, grads] = weft::value_and_grad(loss)(
        p, examples::images_of(chosen), examples::digits_of(chosen), fold_in(keys[1], m.step));
    return std::pair(weft::adam(p, grads, m, rate), nats);
  };
  auto [last, nats] = scan(step, std::pair(start, start_moments), order);
  return std::tuple(last.first, last.second, mean(nats));
};
inline constexpr auto read = [](auto p, auto rows) { // how many of them
  auto keep = [](int, auto x) { return x; };
  auto logits = network(p, examples::images_of(rows), keep);
  return sum(convert<int>(weft::arg_max<1>(logits) == examples::digits_of(rows)));
};

using parameters = params<tensor>;
using training_scans = tensor<std::uint8_t, to_learn, scan_pixels + 1>;
using held_out_scans = tensor<std::uint8_t, held_out, scan_pixels + 1>;
struct learn : weft::program<epoch, parameters, moments<tensor>, training_scans, weft::key, float> {
};
struct count_read : weft::program<read, parameters, held_out_scans> {};

struct options {
  std::string data = "examples/data/digits/digits.npy";
  int epochs = 40, threads = 1;
  float rate = 2e-3f; // falls to 0 in a straight line
  std::uint64_t seed = 1;
};

parameters starting_point(weft::key key) {
  auto const keys = weft::split<3>(key);
  constexpr weft::fan_axes rows{.in = weft::axis_list(1), .out = weft::axis_list(0)};
  parameters p;
  p.first = weft::he_normal<rows, hidden, scan_pixels>(keys[0]);
  p.second = weft::he_normal<rows, hidden, hidden>(keys[1]);
  p.output = weft::lecun_normal<rows, scan_classes, hidden>(keys[2]);
  return p;
}

void run(options const& o) {
  auto const scans = examples::read_scans(o.data);
  training_scans const training = weft::eval(weft::at<":1437">(scans));
  held_out_scans const last = weft::eval(weft::at<"1437:">(scans));
  weft::cpu::pool pool(o.threads);
  weft::key const key(o.seed);
  parameters p = starting_point(weft::fold_in(key, 0));
  moments<tensor> m{};

  examples::progress shown(o.epochs, 0);
  for (int n = 0; n < o.epochs; ++n) {
    float const rate = o.rate * static_cast<float>(o.epochs - n) / static_cast<float>(o.epochs);
    // p and m are given away: the results take their memory.
    auto const done = weft::jit<learn>(pool, std::move(p), std::move(m), training,
                                       weft::fold_in(key, n + 1), rate);
    p = std::get<0>(done);
    m = std::get<1>(done);
    float const nats = std::get<2>(done)();
    if (!std::isfinite(nats))
      throw std::runtime_error("the loss is not a number in epoch " + std::to_string(n + 1) +
                               "; give a smaller --rate");
    shown.step_done([&](double per_second) {
      char text[80];
      std::snprintf(text, sizeof text, "%.4f nats  %d held-out scans read  %.0f scans/s",
                    double(nats), weft::jit<count_read>(pool, p, last)(),
                    per_second * batches * batch);
      return std::string(text);
    });
  }
  int const right = weft::jit<count_read>(pool, p, last)();
  std::printf(
      "read %d of %d held-out scans: %.2f %%\nparameters %08x (the same for every compiler, "
      "thread count and instruction set)\n",
      right, held_out, 100.0 * right / held_out, examples::fingerprint(p));
}

void declare(CLI::App& app, options& o) {
  app.option_defaults()->always_capture_default();
  app.add_option("--data", o.data, "the scans, an .npy file")->type_name("FILE");
  app.add_option("--epochs", o.epochs, "times that every scan is learnt")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--rate", o.rate, "the first learning rate")
      ->check(examples::finite(CLI::PositiveNumber));
  app.add_option("--seed", o.seed, "of everything random");
  app.add_option("--threads", o.threads, "of the CPU")->check(CLI::Range(1, 1024));
}

} // namespace mlp

int main(int count, char** arguments) {
  mlp::options o;
  CLI::App app("Trains a multilayer perceptron to read handwritten digits.", "digits_mlp");
  mlp::declare(app, o);
  CLI11_PARSE(app, count, arguments);
  try {
    mlp::run(o);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "digits_mlp: %s\n", e.what());
    return 1;
  }
}
