// SPDX-License-Identifier: BSL-1.0
// Contractions by chance, as graphs of one node: labels, types, order, start and bias, and operands
// that are read through views of the program's inputs.
#pragma once

#include "random/random_source.hpp"

#include <weft/graph/handle.hpp>

namespace contraction_cases {

using namespace weft;

// How one array is read: by axis, plainly, backwards, every second element, or one for all.
enum class reading : std::uint8_t { plain, reversed, spread, repeated };

class writer {
public:
  recorder r;

  explicit writer(std::uint64_t seed) : rng_(seed) {}

  // A value of this shape that is a view of a new input.
  handle viewed(dtype type, extents const& shape, int percent) {
    growing<extent> order;
    for (int i = 0; i < shape.rank; ++i) order.push(i);
    for (int i = shape.rank - 1; i > 0 && rng_.chance(percent); --i)
      std::swap(order[i], order[rng_.below(i + 1)]);
    growing<reading> how;
    for (int i = 0; i < shape.rank; ++i)
      how.push(rng_.chance(percent) ? static_cast<reading>(rng_.below(4)) : reading::plain);
    return seen(type, shape, order, how);
  }

private:
  // Axis j of what is read is axis order[j] of the view.
  handle seen(dtype type, extents const& shape, view<extent> order, view<reading> how) {
    extents base, whole;
    growing<extent> map, cut(3 * shape.rank, 0), back(shape.rank, 0);
    extent reversed = 0;
    for (int j = 0; j < shape.rank; ++j) {
      int const i = static_cast<int>(order[j]);
      bool const spread = how[i] == reading::spread;
      whole.push(spread ? 2 * shape[i] + 1 : shape[i]);
      if (how[i] != reading::repeated) base.push(whole[j]), map.push(j);
      if (how[i] == reading::reversed) reversed |= extent{1} << j;
      cut[j] = spread ? 1 : 0;
      cut[shape.rank + j] = spread ? (shape[i] == 0 ? 1 : 2 * shape[i]) : shape[i];
      cut[2 * shape.rank + j] = spread ? 2 : 1;
      back[i] = j;
    }
    handle const all = broadcast(r.input(type, base, {inputs_++, 0, false}), whole, map);
    return transpose(reverse(slice(all, cut), reversed), back);
  }

  test::random_source rng_;
  int inputs_ = 0;
};

// Extents of labels: batch 0 and 1, rows 2 and 3, columns 4 and 5, contracted 6 and 7.
struct labelled {
  contraction c;
  extents a, b;
};
inline void shuffle(test::random_source& rng, extent (&labels)[max_rank], int rank) {
  for (int i = rank - 1; i > 0 && rng.chance(50); --i)
    std::swap(labels[i], labels[rng.below(i + 1)]);
}
// At most `most` multiply-adds.
inline labelled random_labels(test::random_source& rng, extent most) {
  constexpr extent sizes[] = {0,  1,  2,  3,  4,  5,  7,  8,  9,  15, 16,
                              17, 31, 32, 33, 34, 48, 63, 64, 65, 66, 70};
  labelled r;
  extent size[8];
  extent left = most;
  bool used[8];
  for (int i = 7; i >= 0; --i) {
    used[i] = rng.chance(i % 2 == 1 ? 20 : i == 0 ? 40 : 85);
    size[i] = sizes[rng.below(rng.chance(50) ? 13 : 22)];
    if (i % 2 == 1 && size[i] > 5) size[i] = 2;
    if (size[i] == 0 && rng.chance(80)) size[i] = 33;
    if (size[i] > left) size[i] = 1;
    if (used[i] && size[i] > 0) left /= size[i];
  }
  auto put = [&](extent(&labels)[max_rank], int& rank, std::initializer_list<int> of) {
    for (int i : of)
      if (used[i]) labels[rank++] = i;
    shuffle(rng, labels, rank);
  };
  put(r.c.a, r.c.rank_a, {0, 1, 2, 3, 6, 7});
  put(r.c.b, r.c.rank_b, {0, 1, 6, 7, 4, 5});
  put(r.c.out, r.c.rank_out, {0, 1, 2, 3, 4, 5});
  for (int i = 0; i < r.c.rank_a; ++i) r.a.push(size[r.c.a[i]]);
  for (int i = 0; i < r.c.rank_b; ++i) r.b.push(size[r.c.b[i]]);
  return r;
}

// The contract node of a graph that ends with it.
inline handle product_of(writer& w, test::random_source& rng, labelled l, dtype in, int views) {
  dtype const sum = accumulator_of(in), out = rng.chance(50) ? in : sum;
  l.c.order = rng.chance(70)   ? order_for(l.c, l.a, l.b)
              : rng.chance(50) ? contract_order::chain
                               : contract_order::lanes;
  l.c.has_start = l.c.order == contract_order::chain && rng.chance(30);
  l.c.has_bias = rng.chance(30);
  handle const a = w.viewed(in, l.a, views), b = w.viewed(in, l.b, views);
  extents const shape = shape_of(l.c, l.a, l.b);
  handle const start = l.c.has_start ? w.viewed(sum, shape, views) : handle{};
  handle const bias = l.c.has_bias ? w.viewed(rng.chance(50) ? in : sum, shape, views) : handle{};
  handle const h = contract(a, b, l.c, out, start, bias);
  w.r.finish(growing<handle>(view<handle>{&h, 1}));
  return h;
}

// A product of dense arrays: labels 0 (batch), 1 (m), 2 (n; none if 1), 3 (k). `a_down`: a's rows
// are neighbours in memory.
struct product_case {
  dtype type = dtype::f32;
  extent batch = 1, m = 1, n = 1, k = 1;
  bool a_down = false, start = false, bias = false;

  handle recorded(recorder& r) const {
    contraction c;
    extents a, b, out;
    auto put = [](extent(&labels)[max_rank], int& rank, extents& s, extent label, extent size) {
      labels[rank++] = label;
      s.push(size);
    };
    put(c.a, c.rank_a, a, 0, batch);
    if (a_down) put(c.a, c.rank_a, a, 3, k);
    put(c.a, c.rank_a, a, 1, m);
    if (!a_down) put(c.a, c.rank_a, a, 3, k);
    put(c.b, c.rank_b, b, 0, batch);
    put(c.b, c.rank_b, b, 3, k);
    if (n != 1) put(c.b, c.rank_b, b, 2, n);
    put(c.out, c.rank_out, out, 0, batch);
    put(c.out, c.rank_out, out, 1, m);
    if (n != 1) put(c.out, c.rank_out, out, 2, n);
    c.order = order_for(c, a, b);
    c.has_start = start;
    c.has_bias = bias;
    handle const left = r.input(type, a, {0, 0, false}), right = r.input(type, b, {1, 0, false});
    dtype const sum = accumulator_of(type);
    handle const from = start ? r.input(sum, out, {2, 0, false}) : handle{};
    handle const added = bias ? r.input(type, out, {3, 0, false}) : handle{};
    handle const h = contract(left, right, c, type, from, added);
    r.finish(growing<handle>(view<handle>{&h, 1}));
    return h;
  }
};

} // namespace contraction_cases
