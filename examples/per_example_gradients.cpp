// SPDX-License-Identifier: BSL-1.0
// per_example_gradients: vmap of grad. A batch of handwritten digits gives one gradient per scan, in
// one program, with the bits that a loop of single gradients gives. What they are good for here:
// training with differential privacy (Abadi and others, 2016), in which no scan may move the weights
// by more than a bound: each gradient is clipped, and noise is added to their sum.
// Leaves: exit code 1 and one line on stderr when the data are no good or bits differ.
#include "shared/fingerprint.hpp"
#include "shared/scans.hpp"
#include "shared/time_of.hpp"

#include <CLI/CLI.hpp>

#include <bit>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

namespace privately {

using weft::tensor, examples::scan_classes, examples::scan_pixels;

inline constexpr int batch = 64, hidden = 32, to_learn = 1437, held_out = 360;
inline constexpr float bound = 1, noise = 0.8f; // of a gradient's norm; of the sum, in bounds

template <template <class, auto...> class array> struct params {
  array<float, hidden, scan_pixels> first;
  array<float, hidden> first_bias;
  array<float, scan_classes, hidden> second;
  array<float, scan_classes> second_bias;
};
using parameters = params<tensor>;

// ---- one scan: its image (64), its digit ()
inline constexpr auto logits_of = [](auto p, auto image) {
  auto features = tanh(matmul(p.first, image) + p.first_bias);
  return matmul(p.second, features) + p.second_bias;
};
inline constexpr auto loss = [](auto p, auto image, auto digit) {
  return softmax_cross_entropy(logits_of(p, image), digit);
};
inline constexpr auto gradient = weft::grad(loss);
inline constexpr auto clipped = [](auto p, auto image, auto digit) {
  auto g = gradient(p, image, digit);
  return std::pair(clip_by_global_norm(g, bound), global_norm(g));
};

// ---- a batch of them: images (64, 64), digits (64)
inline constexpr auto gradients = weft::vmap<weft::none, 0, 0>(gradient);

inline constexpr auto sum_of = [](auto zero, auto of_examples) {
  auto add = [](auto total, auto one) {
    auto next = weft::map_leaves([](auto a, auto b) { return a + b; }, total, one);
    return std::pair(next, weft::none);
  };
  return scan(add, zero, of_examples).first;
};
// (parameters, the norm of every scan's gradient)
inline constexpr auto private_step = [](auto p, auto rows, auto key, auto rate) {
  auto [each, norms] = weft::vmap<weft::none, 0, 0>(clipped)(p, examples::images_of(rows),
                                                             examples::digits_of(rows));
  int leaf = 0;
  auto noisy = weft::map_leaves(
      [&](auto g) { return g + noise * bound * weft::normal_like(fold_in(key, leaf++), g); },
      sum_of(weft::map_leaves([](auto g) { return zeros_like(g); }, p), each));
  auto mean = weft::map_leaves([](auto g) { return g / float{batch}; }, noisy);
  return std::pair(weft::sgd(p, mean, rate), norms);
};
// An epoch's worth of batches in an order of the key's: (parameters, the norms (steps, batch))
inline constexpr int steps = to_learn / batch;
inline constexpr auto private_epoch = [](auto start, auto scans, auto key, auto rate) {
  auto keys = weft::split<2>(key);
  auto order = weft::permutation<to_learn>(keys[0]);
  auto rows = reshape<steps, batch>(at<":1408">(order));
  static_assert(steps * batch == 1408);
  auto step = [&](auto p, auto of_step) {
    return private_step(p, weft::take<0>(scans, of_step.first), fold_in(keys[1], of_step.second),
                        rate);
  };
  return scan(step, start, std::pair(rows, weft::arange<int, steps>()));
};
inline constexpr auto read = [](auto p, auto rows) {
  auto logits = weft::vmap<weft::none, 0>(logits_of)(p, examples::images_of(rows));
  return sum(convert<int>(weft::arg_max<1>(logits) == examples::digits_of(rows)));
};

using training_scans = tensor<std::uint8_t, to_learn, scan_pixels + 1>;
using held_out_scans = tensor<std::uint8_t, held_out, scan_pixels + 1>;
struct one_gradient : weft::program<gradient, parameters, tensor<float, scan_pixels>, tensor<int>> {
};
struct all_gradients
    : weft::program<gradients, parameters, tensor<float, batch, scan_pixels>, tensor<int, batch>> {
};
struct learn : weft::program<private_epoch, parameters, training_scans, weft::key, float> {};
struct count_read : weft::program<read, parameters, held_out_scans> {};

parameters starting_point(weft::key key) {
  auto const keys = weft::split<2>(key);
  parameters p;
  p.first = weft::glorot_uniform<hidden, scan_pixels>(keys[0]);
  p.second = weft::glorot_uniform<scan_classes, hidden>(keys[1]);
  return p;
}

// ---- vmap beside the loop
struct one_batch {
  tensor<float, batch, scan_pixels> images;
  tensor<int, batch> digits;

  tensor<float, scan_pixels> image(int n) const { return weft::at<"$">(images, n); }
  tensor<int> digit(int n) const { return weft::at<"$">(digits, n); }
};
std::vector<parameters> loop(parameters const& p, one_batch const& b) {
  std::vector<parameters> all;
  all.reserve(batch);
  for (int n = 0; n < batch; ++n) all.push_back(weft::jit<one_gradient>(p, b.image(n), b.digit(n)));
  return all;
}
// Elements whose bits differ: leaf by leaf, those of scan n are the n-th part of all.
template <class All> long differing(All const& all, std::vector<parameters> const& single) {
  std::vector<float const*> leaves;
  weft::for_each_leaf(all, [&](auto const& leaf) { leaves.push_back(leaf.data()); });
  auto const bits = [](float x) { return std::bit_cast<std::uint32_t>(x); };
  long count = 0;
  for (std::size_t n = 0; n < single.size(); ++n) {
    auto next = leaves.begin();
    weft::for_each_leaf(single[n], [&](auto const& leaf) {
      float const* const other = *next++ + n * static_cast<std::size_t>(leaf.size());
      for (std::size_t k = 0; k < static_cast<std::size_t>(leaf.size()); ++k)
        count += bits(leaf.data()[k]) != bits(other[k]);
    });
  }
  return count;
}
void compare(parameters const& p, examples::scans const& scans) {
  auto const rows = weft::eval(weft::at<":64">(scans));
  one_batch const b{weft::eval(examples::images_of(rows)), weft::eval(examples::digits_of(rows))};
  auto const single = loop(p, b);
  auto const all = weft::jit<all_gradients>(p, b.images, b.digits);
  if (long const wrong = differing(all, single); wrong != 0)
    throw std::runtime_error(std::to_string(wrong) + " elements differ from the loop's");
  double const by_loop = examples::time_of([&] { loop(p, b); });
  double const by_vmap = examples::time_of(
      [&] { weft::jit<all_gradients>(p, b.images, b.digits); });
  std::printf("%d gradients by vmap: the bits of the loop of single ones\n"
              "  loop %.3f ms, vmap %.3f ms: %.1f times as fast\n",
              batch, by_loop * 1e3, by_vmap * 1e3, by_loop / by_vmap);
}

// ---- training
void train(parameters p, examples::scans const& scans, int epochs, std::uint64_t seed) {
  training_scans const training = weft::eval(weft::at<":1437">(scans));
  held_out_scans const last = weft::eval(weft::at<"1437:">(scans));
  std::printf("private training: norms clipped to %g, noise of %g bounds on every sum of %d\n",
              double(bound), double(noise), batch);
  for (int epoch = 0; epoch < epochs; ++epoch) {
    weft::key const key = weft::fold_in(weft::key(seed), epoch + 1);
    auto const [next, norms] = weft::jit<learn>(p, training, key, 0.5f);
    p = next;
    if ((epoch + 1) % 5 != 0 && epoch + 1 != epochs) continue;
    int const right = weft::jit<count_read>(p, last)();
    std::printf(
        "  epoch %2d: median norm %.3f, largest %.3f; read %d of %d held-out scans, %.1f %%\n",
        epoch + 1, double(weft::median(norms)()), double(weft::max(norms)()), right, held_out,
        100.0 * right / held_out);
  }
  std::printf("parameters %08x (the same for every compiler and instruction set)\n",
              examples::fingerprint(p));
}

} // namespace privately

int main(int count, char** arguments) {
  std::string data = "examples/data/digits/digits.npy";
  int epochs = 20;
  std::uint64_t seed = 1;
  CLI::App app("Gradients per example, and private training with them.", "per_example_gradients");
  app.option_defaults()->always_capture_default();
  app.add_option("--data", data, "the scans, an .npy file")->type_name("FILE");
  app.add_option("--epochs", epochs, "times that every scan is learnt")
      ->check(CLI::Range(1, 10'000));
  app.add_option("--seed", seed, "of everything random");
  CLI11_PARSE(app, count, arguments);
  try {
    auto const scans = examples::read_scans(data);
    auto const start = privately::starting_point(weft::fold_in(weft::key(seed), 0));
    privately::compare(start, scans);
    privately::train(start, scans, epochs, seed);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "per_example_gradients: %s\n", e.what());
    return 1;
  }
}
