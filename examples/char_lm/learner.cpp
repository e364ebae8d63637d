// SPDX-License-Identifier: BSL-1.0
#include "learner.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <thread>

namespace char_lm {

namespace {

// What the seed is used for; each use has a key of its own.
enum use : int { for_start, for_training, for_sampling };

weft::key key_of(options const& o, use u) { return weft::fold_in(weft::key(o.seed), int{u}); }

int thread_count(options const& o) {
  int const machine = static_cast<int>(std::thread::hardware_concurrency());
  return o.threads > 0 ? o.threads : std::max(machine, 1);
}

// Embedding in [-1, 1), weights in [-1/16, 1/16) (PyTorch's 1 / sqrt(hidden)), biases 0.
parameters starting_point(weft::key key) {
  static_assert(hidden == 256);
  constexpr float bound = 0.0625f;
  auto keys = weft::split<4>(key);
  parameters p;
  p.embedding = weft::uniform<vocabulary, features>(keys[0], -1.0f, 1.0f);
  p.cell.input = weft::uniform<3 * hidden, features>(keys[1], -bound, bound);
  p.cell.hidden = weft::uniform<3 * hidden, hidden>(keys[2], -bound, bound);
  p.output = weft::uniform<vocabulary, hidden>(keys[3], -bound, bound);
  return p;
}

// The first symbol at which the sum of probabilities exceeds u.
int choose(tensor<float, 1, 1, vocabulary> const& probabilities, float u) {
  int symbol = 0;
  for (float sum = 0; symbol + 1 < vocabulary; ++symbol)
    if ((sum += probabilities(0, 0, symbol)) > u) break;
  return symbol;
}

} // namespace

learner::learner(options const& o)
    : options_(o), pool_(thread_count(o)), parameters_(starting_point(key_of(o, for_start))) {}

float learner::rate(int step) const {
  int const up = std::min(100, options_.steps / 10), down = options_.steps - up;
  return step < up
             ? options_.rate * static_cast<float>(step + 1) / static_cast<float>(up)
             : options_.rate * static_cast<float>(options_.steps - step) / static_cast<float>(down);
}

void learner::read(streams const& text, int number) {
  auto inputs = inputs_.mutate();
  auto targets = targets_.mutate();
  text.read(number, inputs.data(), targets.data());
}

float learner::train(streams const& text, int step) {
  int const number = step % text.blocks();
  if (number == 0) state_ = state();
  read(text, number);
  auto const run = [&]<class Program>(std::type_identity<Program>) {
    return weft::jit<Program>(pool_, std::move(parameters_), std::move(moments_), std::move(state_),
                              inputs_, targets_, key_of(options_, for_training), rate(step));
  };
  tensor<float> nats;
  std::tie(parameters_, moments_, state_, nats) = options_.precision == "f32"
                                                      ? run(std::type_identity<train_f32>{})
                                                      : run(std::type_identity<train_bf16>{});
  if (!std::isfinite(nats()))
    throw std::runtime_error("the loss is not a number at step " + std::to_string(step + 1) +
                             "; give a smaller --rate");
  return nats();
}

double learner::bits_per_character(streams const& text) {
  double nats = 0;
  state carried;
  for (int number = 0; number < text.blocks(); ++number) {
    read(text, number);
    tensor<float> mean;
    std::tie(mean, carried) = weft::jit<score_block>(pool_, parameters_, std::move(carried),
                                                     inputs_, targets_);
    nats += static_cast<double>(mean());
  }
  return nats / text.blocks() / std::numbers::ln2;
}

std::vector<int> learner::sample(int first, int count) {
  weft::key const key = key_of(options_, for_sampling);
  tensor<float, 1, hidden> carried;
  std::vector<int> symbols;
  for (int symbol = first; static_cast<int>(symbols.size()) < count;) {
    auto [next, probabilities,
          u] = weft::jit<sample_step>(parameters_, carried, tensor<int, 1, 1>{{symbol}},
                                      options_.temperature, key, static_cast<int>(symbols.size()));
    carried = next;
    symbol = choose(probabilities, u());
    symbols.push_back(symbol);
  }
  return symbols;
}

// FNV-1a over words.
std::uint32_t learner::fingerprint() const {
  std::uint32_t hash = 2166136261u;
  weft::for_each_leaf(parameters_, [&hash](auto const& leaf) {
    for (float x : leaf) hash = (hash ^ std::bit_cast<std::uint32_t>(x)) * 16777619u;
  });
  return hash;
}

} // namespace char_lm
