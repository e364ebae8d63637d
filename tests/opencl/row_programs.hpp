// SPDX-License-Identifier: BSL-1.0
// row_program: a random program over rows: reductions of them, elements made from what was reduced,
// numbers made from numbers, now and then of another row; some of it asked for. Rows are the last axes of a shape, or axes with
// others between.
#pragma once

#include "random/random_source.hpp"

#include <weft/graph/handle.hpp>

#include <vector>

namespace test {

struct row_layout {
  weft::extents shape;
  weft::extent reduced; // axis set
};
// Rows of n elements where n is a product that the layout can have, and a few of them.
inline row_layout row_layout_of(int kind, extent n) {
  switch (kind) {
    case 0: return {{2, {5, n}}, 2};
    case 1: return {{1, {n}}, 1};
    case 2: return {{3, {2, 3, n}}, 4};
    case 3: return {{3, {3, 2, n}}, 6};
    default: return {{4, {2, 2, 3, n}}, 0b1010}; // a kept axis between
  }
}

class row_program_writer {
public:
  row_program_writer(std::uint64_t seed, dtype type, row_layout const& rows)
      : rng_(seed), type_(type), rows_(rows) {}

  weft::graph write() {
    weft::extents const kept = weft::without_axes(rows_.shape, rows_.reduced);
    elements_.push_back(r_.input(type_, rows_.shape, {0, 0, false}));
    elements_.push_back(turned_input());
    numbers_.push_back(r_.input(type_, kept, {2, 0, false}));
    int const stages = rng_.between(3, 7);
    for (int i = 0; i < stages; ++i) stage();
    growing<weft::handle> asked;
    asked.push(elements_.back());
    asked.push(numbers_.back());
    for (auto* list : {&elements_, &numbers_})
      for (weft::handle h : *list)
        if (rng_.chance(15)) asked.push(h);
    r_.finish(asked);
    return std::move(r_.result);
  }

private:
  // Read through a transpose now and then.
  weft::handle turned_input() {
    weft::extents stored;
    growing<extent> back;
    for (int a = rows_.shape.rank - 1; a >= 0; --a) stored.push(rows_.shape[a]), back.push(a);
    return rng_.chance(30) ? weft::transpose(r_.input(type_, stored, {1, 0, false}), back)
                           : r_.input(type_, rows_.shape, {1, 0, false});
  }
  weft::handle any(std::vector<weft::handle> const& list) {
    int const count = static_cast<int>(list.size()), recent = count < 3 ? count : 3;
    return list[static_cast<std::size_t>(rng_.chance(60) ? count - 1 - rng_.below(recent)
                                                         : rng_.below(count))];
  }
  // Now and then of other rows, or the row from its end.
  weft::handle turned(weft::handle h) {
    int const rank = h.shape().rank;
    return rank > 0 && rng_.chance(8) ? weft::reverse(h, 1 + rng_.below((1 << rank) - 1)) : h;
  }
  weft::handle mixed(weft::handle a, weft::handle b) {
    constexpr weft::op codes[] = {weft::op::add, weft::op::sub, weft::op::mul, weft::op::maximum};
    weft::handle const y = weft::binary(codes[rng_.below(4)], type_, a, b);
    if (rng_.chance(50)) return y;
    if (!weft::is_float(type_)) return -y;
    return weft::unary(rng_.chance(50) ? weft::op::tanh : weft::op::exp, y);
  }
  weft::handle element() {
    weft::handle const other = rng_.chance(60)
                                   ? weft::spread_over(any(numbers_), rows_.shape, rows_.reduced)
                                   : any(elements_);
    return mixed(any(elements_), other);
  }
  void stage() {
    constexpr weft::op codes[] = {weft::op::reduce_sum, weft::op::reduce_sum, weft::op::reduce_max,
                                  weft::op::reduce_min, weft::op::reduce_prod};
    int const what = rng_.below(10);
    if (what < 2) numbers_.push_back(mixed(any(numbers_), turned(any(numbers_))));
    else if (what < 4) elements_.push_back(element());
    else {
      weft::handle const e = element();
      numbers_.push_back(weft::reduce(codes[rng_.below(5)], e, rows_.reduced));
      if (rng_.chance(60)) elements_.push_back(e);
    }
  }

  random_source rng_;
  dtype type_;
  row_layout rows_;
  weft::recorder r_;
  std::vector<weft::handle> elements_, numbers_; // of the rows' shape; one per row
};

} // namespace test
