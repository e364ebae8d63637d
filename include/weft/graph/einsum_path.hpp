// SPDX-License-Identifier: BSL-1.0
// In which order the operands of an einsum meet, two at a time. It decides values (which sums are
// rounded) and is part of what the program means, so it depends on labels and static extents alone;
// a name counts as 128.
//   cost of a step: the product of the extents of all labels of its two values
//   up to 8 operands: the path of least total cost, by dynamic programming over subsets
//   more: greedily, least growth (result - both operands, in elements) first, then least cost
// Of equal paths the one that joins earlier operands first. Steps whose result has more than 8 axes
// are not taken. Needs: einsum_spec.hpp. Leaves: a path, or found = false where there is none.
#pragma once

#include <weft/core/bits.hpp>
#include <weft/core/growing.hpp>
#include <weft/graph/einsum_spec.hpp>

namespace weft::inline v0 {
namespace detail {

// Step k joins values a and b, a the one with the earliest operand: operands are 0 to n - 1, the
// result of step k is n + k.
struct einsum_step {
  std::int8_t a = 0, b = 0;
};
struct einsum_path {
  bool found = true;
  int steps = 0;
  einsum_step step[most_terms - 1]{};
  double cost = 0;

  constexpr int push(int a, int b) {
    step[steps] = {static_cast<std::int8_t>(a), static_cast<std::int8_t>(b)};
    return steps++;
  }
};

// Labels as sets of label_bit.
struct einsum_network {
  int terms = 0;
  std::uint64_t term[most_terms]{}, out = 0;
  double size[label_count]{};

  constexpr void set_size(int label, extent e) {
    size[label] = is_named(e) ? 128 : e == 0 ? 1 : static_cast<double>(e);
  }
  // The number of elements of a value with these labels.
  constexpr double volume(std::uint64_t labels) const {
    double v = 1;
    for (; labels != 0; labels &= labels - 1) v *= size[countr_zero(labels)];
    return v;
  }
};

// Dynamic programming. A subset of operands is a set of bits, the first operand the highest; its
// value keeps the labels that the output or an operand outside has.
class einsum_search {
public:
  constexpr explicit einsum_search(einsum_network const& w) : w_(w), subsets_(1 << w.terms) {
    for (int s = 1; s < subsets_.size(); ++s) subsets_[s].labels = kept_by(s);
    for (int s = 1; s < subsets_.size(); ++s)
      if (popcount(static_cast<unsigned>(s)) > 1) choose(s);
  }
  constexpr einsum_path path() {
    einsum_path p;
    p.cost = subsets_.back().cost;
    p.found = p.cost < impossible;
    if (p.found) write(p, subsets_.size() - 1);
    return p;
  }

private:
  static constexpr double impossible = 1e300;
  struct subset {
    std::uint64_t labels = 0;
    double cost = 0;
    int first = 0; // the part with the earliest operand
  };
  constexpr std::uint64_t kept_by(int s) const {
    std::uint64_t inside = 0, outside = w_.out;
    for (int k = 0; k < w_.terms; ++k)
      (((s >> (w_.terms - 1 - k)) & 1) != 0 ? inside : outside) |= w_.term[k];
    return inside & outside;
  }
  constexpr void choose(int s) {
    subset& best = subsets_[s];
    best.cost = impossible;
    if (popcount(best.labels) > max_rank) return;
    int const head = static_cast<int>(bit_floor(static_cast<unsigned>(s))), rest = s ^ head;
    for (int part = (rest - 1) & rest, more = 1; more != 0; part = (part - 1) & rest) {
      more = part;
      subset const &a = subsets_[head | part], &b = subsets_[rest ^ part];
      double const before = a.cost + b.cost;
      if (before >= best.cost) continue;
      double const cost = before + w_.volume(a.labels | b.labels);
      if (cost < best.cost) best.cost = cost, best.first = head | part;
    }
  }
  // The number of the value of subset s.
  constexpr int write(einsum_path& p, int s) const {
    if (popcount(static_cast<unsigned>(s)) == 1)
      return w_.terms - 1 - countr_zero(static_cast<unsigned>(s));
    int const a = write(p, subsets_[s].first), b = write(p, s ^ subsets_[s].first);
    return w_.terms + p.push(a, b);
  }

  einsum_network const& w_;
  growing<subset> subsets_;
};

class einsum_greedy {
public:
  constexpr explicit einsum_greedy(einsum_network const& w) : w_(w) {
    for (int k = 0; k < w.terms; ++k) live_.push({w.term[k] & without(k), k, 0});
    for (value& v : live_) v.volume = w.volume(v.labels);
  }
  constexpr einsum_path path() {
    einsum_path p;
    while (live_.size() > 1 && p.found) step(p);
    return p;
  }

private:
  struct value {
    std::uint64_t labels = 0;
    int number = 0;
    double volume = 0;
  };
  struct candidate {
    int i = -1, j = -1;
    double growth = 0, cost = 0, volume = 0;
    std::uint64_t labels = 0;
    constexpr bool better_than(candidate const& o) const {
      return o.i < 0 || growth < o.growth || (growth == o.growth && cost < o.cost);
    }
  };
  // The labels that anything but term k has.
  constexpr std::uint64_t without(int k) const {
    std::uint64_t others = w_.out;
    for (int i = 0; i < w_.terms; ++i)
      if (i != k) others |= w_.term[i];
    return others;
  }
  constexpr candidate join(int i, int j, std::uint64_t kept) const {
    std::uint64_t const labels = (live_[i].labels | live_[j].labels);
    double const volume = w_.volume(kept);
    return {
        i,      j,   volume - live_[i].volume - live_[j].volume, volume * w_.volume(labels & ~kept),
        volume, kept};
  }
  constexpr void step(einsum_path& p) {
    candidate best;
    count_labels();
    for (int i = 0; i < live_.size(); ++i)
      for (int j = i + 1; j < live_.size(); ++j) {
        std::uint64_t const a = live_[i].labels, b = live_[j].labels;
        std::uint64_t const kept = (a & b & three_) | ((a ^ b) & two_);
        if (popcount(kept) > max_rank) continue;
        if (candidate const c = join(i, j, kept); c.better_than(best)) best = c;
      }
    if (best.i < 0) p.found = false;
    else take(p, best);
  }
  constexpr void take(einsum_path& p, candidate const& c) {
    p.cost += c.cost;
    int const made = w_.terms + p.push(live_[c.i].number, live_[c.j].number);
    live_[c.i] = {c.labels, made, c.volume};
    for (int k = c.j; k + 1 < live_.size(); ++k) live_[k] = live_[k + 1];
    live_.pop();
  }
  // Labels that at least two, at least three of the values and the output have.
  constexpr void count_labels() {
    std::uint64_t one = w_.out;
    two_ = three_ = 0;
    for (value const& v : live_) {
      three_ |= two_ & v.labels;
      two_ |= one & v.labels;
      one |= v.labels;
    }
  }

  einsum_network const& w_;
  growing<value> live_;
  std::uint64_t two_ = 0, three_ = 0;
};

constexpr einsum_path path_of(einsum_network const& w) {
  return w.terms <= 8 ? einsum_search(w).path() : einsum_greedy(w).path();
}

} // namespace detail
} // namespace weft::inline v0
