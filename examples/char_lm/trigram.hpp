// SPDX-License-Identifier: BSL-1.0
// The model to beat: an interpolated trigram model of characters.
//   P(c | a b) = w0 / S + w1 P(c) + w2 P(c | b) + w3 P(c | a b)
// P are relative frequencies in the training text, S the number of symbols. The weights w depend on
// how often the context a b was seen (classes 0, 1, 2-3, 4-7, ...) and are the likeliest ones for
// the training text with each character left out of its own counts: deleted interpolation (Jelinek,
// Mercer 1980), found by expectation maximisation.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace char_lm {

class trigram_model {
public:
  trigram_model(std::vector<int> const& training, int symbols)
      : size_(static_cast<std::size_t>(symbols)), single_(size_), pair_(size_ * size_),
        triple_(size_ * size_ * size_), first_of_two_(size_), first_of_three_(size_ * size_) {
    int a = 0, b = 0; // symbol 0 stands before the text
    for (int c : training) {
      ++total_;
      ++single_[at(c)];
      ++first_of_two_[at(b)];
      ++pair_[at(b, c)];
      ++first_of_three_[at(a, b)];
      ++triple_[at(a, b, c)];
      a = std::exchange(b, c);
    }
    for (weights& w : weights_) w.fill(1.0 / orders);
    for (int round = 0; round < 30; ++round) improve_weights();
  }

  double bits(int a, int b, int c) const {
    terms const t = weighted(a, b, c, 0);
    return -std::log2(t[0] + t[1] + t[2] + t[3]);
  }

private:
  static constexpr int orders = 4;
  using terms = std::array<double, orders>;
  using weights = std::array<double, orders>;

  std::size_t at(int a) const { return static_cast<std::size_t>(a); }
  std::size_t at(int a, int b) const { return at(a) * size_ + at(b); }
  std::size_t at(int a, int b, int c) const { return at(a, b) * size_ + at(c); }

  static std::size_t class_of(int seen) { return std::bit_width(static_cast<unsigned>(seen)); }
  static double ratio(int part, int whole) {
    return whole > 0 ? static_cast<double>(part) / static_cast<double>(whole) : 0;
  }

  // The four terms of P, with `deleted` occurrences of a b c taken out of the counts.
  terms weighted(int a, int b, int c, int deleted) const {
    int const seen = first_of_three_[at(a, b)] - deleted;
    weights const& w = weights_[class_of(seen)];
    return {w[0] / static_cast<double>(size_),
            w[1] * ratio(single_[at(c)] - deleted, total_ - deleted),
            w[2] * ratio(pair_[at(b, c)] - deleted, first_of_two_[at(b)] - deleted),
            w[3] * ratio(triple_[at(a, b, c)] - deleted, seen)};
  }

  // One round: each weight becomes the share that its term has in the probability of the text.
  void improve_weights() {
    std::array<weights, 32> share{};
    int const n = static_cast<int>(size_);
    for (int a = 0; a < n; ++a)
      for (int b = 0; b < n; ++b) {
        int const seen = first_of_three_[at(a, b)];
        if (seen == 0) continue;
        for (int c = 0; c < n; ++c)
          if (int const count = triple_[at(a, b, c)]; count > 0)
            add_share(share[class_of(seen - 1)], weighted(a, b, c, 1), count);
      }
    for (std::size_t k = 0; k < share.size(); ++k) {
      double const all = share[k][0] + share[k][1] + share[k][2] + share[k][3];
      if (all > 0)
        for (std::size_t i = 0; i < orders; ++i) weights_[k][i] = share[k][i] / all;
    }
  }
  static void add_share(weights& share, terms const& t, int count) {
    double const p = t[0] + t[1] + t[2] + t[3];
    for (std::size_t i = 0; i < orders; ++i) share[i] = std::fma(t[i] / p, count, share[i]);
  }

  std::size_t size_;
  int total_ = 0;
  std::vector<int> single_, pair_, triple_;
  std::vector<int> first_of_two_, first_of_three_; // how often a, a b began a pair, a triple
  std::array<weights, 32> weights_;
};

} // namespace char_lm
