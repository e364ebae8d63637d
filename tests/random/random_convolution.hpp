// SPDX-License-Identifier: BSL-1.0
// A random equation of a convolve node and the shapes of its arrays: any layout, groups, several
// labels of a kind or none, zero to three windows with strides, dilations of either sign, spread,
// crops and padding, empty arrays.
// Leaves: what verify accepts; few enough elements for the interpreter.
#pragma once

#include "random_source.hpp"

#include <weft/graph/convolution.hpp>

namespace test {

struct random_convolution {
  weft::convolution c;
  weft::extents x, w, out;
  extent next_label = 0;

  // An axis of the arrays that have it.
  void add(extent n, bool in_x, bool in_w, bool in_out) {
    if (in_x) c.x[c.rank_x++] = next_label, x.push(n);
    if (in_w) c.w[c.rank_w++] = next_label, w.push(n);
    if (in_out) c.out[c.rank_out++] = next_label, out.push(n);
    ++next_label;
  }
  // The axes of each array in any order.
  void shuffle(random_source& rng) {
    shuffle(rng, c.x, x);
    shuffle(rng, c.w, w);
    shuffle(rng, c.out, out);
  }

private:
  static void shuffle(random_source& rng, extent (&labels)[weft::max_rank], extents& shape) {
    for (int i = shape.rank - 1; i > 0; --i) {
      int const j = rng.below(i + 1);
      std::swap(labels[i], labels[j]);
      std::swap(shape[i], shape[j]);
    }
  }
};

class convolution_writer {
public:
  explicit convolution_writer(random_source& rng) : rng_(rng) {}

  // As many terms as a test has time for.
  random_convolution write() {
    for (;;) {
      made_ = {};
      fill();
      if (count_of(made_.x) * count_of(made_.w) <= 20000 && count_of(made_.out) <= 4000)
        return made_;
    }
  }

private:
  static constexpr int most_axes = 6; // room for one more, of a vmap or a scan
  void fill() {
    if (rng_.chance(30)) shared(1 + rng_.below(3), true, true, true); // groups
    for (int n = rng_.below(3); n > 0; --n) shared(1 + rng_.below(3), true, false, true);
    for (int n = rng_.below(3); n > 0; --n) shared(size(), true, true, false);
    for (int n = rng_.below(3); n > 0; --n) shared(size(), false, true, true);
    for (int n = rng_.below(8) / 2; n > 0; --n) window();
    made_.shuffle(rng_);
  }
  int size() {
    return rng_.chance(4) ? 0 : rng_.chance(20) ? 5 + rng_.below(20) : 1 + rng_.below(4);
  }
  bool has_room() const {
    return made_.x.rank < most_axes && made_.w.rank < most_axes && made_.out.rank < most_axes;
  }
  void shared(weft::extent n, bool in_x, bool in_w, bool in_out) {
    if (has_room()) made_.add(n, in_x, in_w, in_out);
  }
  void window() {
    if (!has_room()) return;
    weft::convolution_window& v = made_.c.window[made_.c.windows++];
    v.x = made_.next_label, v.w = v.x + 1, v.out = v.x + 2;
    made_.add(rng_.chance(3) ? 0 : 1 + rng_.below(9), true, false, false);
    made_.add(rng_.chance(3) ? 0 : 1 + rng_.below(4), false, true, false);
    made_.add(rng_.chance(3) ? 0 : 1 + rng_.below(8), false, false, true);
    v.stride = (1 + rng_.below(3)) * (rng_.chance(15) ? -1 : 1);
    v.dilation = (1 + rng_.below(3)) * (rng_.chance(30) ? -1 : 1);
    v.spread = rng_.chance(60) ? 1 : 2 + rng_.below(2);
    v.low = rng_.below(9) - 4;
    if (v.stride < 0) v.low -= 8;
  }
  random_source& rng_;
  random_convolution made_;
};

} // namespace test
