// SPDX-License-Identifier: BSL-1.0
#include "learner.hpp"

#include "../shared/fingerprint.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <stdexcept>
#include <utility>

namespace char_lm {

namespace {

// What the seed is used for; each use has a key of its own.
enum use : int { for_start, for_training, for_sampling };

weft::key key_of(options const& o, use u) { return weft::fold_in(weft::key(o.seed), int{u}); }

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

learner::learner(options const& o, std::unique_ptr<machine> on)
    : options_(o), machine_(std::move(on)) {
  learnt<tensor> all{};
  all.weights = starting_point(key_of(o, for_start));
  machine_->put(all);
}

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
  if (number == 0) machine_->rewind();
  read(text, number);
  float const nats = machine_->train(inputs_, targets_, key_of(options_, for_training), rate(step));
  if (!std::isfinite(nats))
    throw std::runtime_error("the loss is not a number at step " + std::to_string(step + 1) +
                             "; give a smaller --rate");
  return nats;
}

double learner::bits_per_character(streams const& text) {
  double nats = 0;
  for (int number = 0; number < text.blocks(); ++number) {
    read(text, number);
    nats += static_cast<double>(machine_->score(inputs_, targets_, number == 0));
  }
  return nats / text.blocks() / std::numbers::ln2;
}

std::vector<int> learner::sample(int first, int count) {
  weft::key const key = key_of(options_, for_sampling);
  std::vector<int> symbols;
  for (int symbol = first; static_cast<int>(symbols.size()) < count;) {
    auto const [probabilities, u] = machine_->predict(symbol, static_cast<int>(symbols.size()),
                                                      options_.temperature, key);
    symbol = choose(probabilities, u);
    symbols.push_back(symbol);
  }
  return symbols;
}

std::uint32_t learner::fingerprint() const {
  return examples::fingerprint(machine_->get().weights);
}

} // namespace char_lm
