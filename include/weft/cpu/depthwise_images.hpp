// SPDX-License-Identifier: BSL-1.0
// A line of places of some images, for cpu/depthwise_taps.hpp: each element of x is read once, for
// the taps of its group that use it at this place and at the two before, and what these multiply by
// waits nearby. Images are often a multiple of a page apart: a near cache does not keep what several
// of them have at one place until their neighbours' taps come to it.
//   depthwise_images<Target, Sum, Groups, Packs, Whole>(line, step, image, width).add(sum)
// Needs: a step of places as long as that of taps along x; at most `most` images.
// Leaves: a tap's sums in the order of places, at each place of images; nothing outside of the arrays
// is read.
#pragma once

#include <weft/cpu/micro_kernel.hpp>
#include <weft/pass/depthwise_form.hpp>

namespace weft::inline v0 {
namespace detail {

// A line of places, for up to three groups of taps that read neighbours of x: for the first tap of
// each, where x is at the first place; for the place, where w is.
template <class Sum> struct tap_line {
  static constexpr int taps = 3, most_groups = 3;
  Sum const *x, *w;
  extent a[most_groups], in[most_groups]; // in elements behind x; along the window's axis of x
  bool inside[most_groups];               // but for the line's own window
  extent count, first, last;              // places; of [first, last) every tap is in x
  extent room;                            // of x along the window's axis
};

// Groups of taps by Packs of channels; if not Whole, of the one pack `width` channels are there.
template <class Target, class Sum, int Groups, int Packs, bool Whole> class depthwise_images {
public:
  using line_at = tap_line<Sum>;
  using pack = cpu::pack_for<Target, Sum>;
  static constexpr int lanes = Target::lanes, taps = line_at::taps, rows = Groups * taps;
  static constexpr extent most = 32; // images: what waits of them is 12 KB of floats at 16 lanes

  WEFT_INLINE depthwise_images(line_at const& line, windowed_axis const& step,
                               windowed_axis const& image, int width)
      : line_(line), step_(step), image_(image), width_(width) {}

  WEFT_INLINE void add(pack (&sum)[rows][Packs]) const {
    alignas(64) Sum factors[taps * most * held];
    extent const size = image_.size * held;
    walk at{0, {factors, factors + size, factors + 2 * size}, {}, {}};
#pragma GCC unroll 3
    for (int g = 0; g < Groups; ++g) {
      at.x[g] = line_.a[g];
      at.in[g] = line_.in[g];
    }
    for (extent j = 0; j < line_.count + taps - 1; ++j)
      if (taps - 1 <= j && j < line_.count) column<true>(j, at, sum);
      else column<false>(j, at, sum);
  }

private:
  static constexpr int held = Packs * lanes;
  alignas(64) static constexpr Sum zeros[held]{};

  struct walk { // places as elements behind the line's
    extent w;
    Sum* factors[taps]; // of this place and of the two before
    extent x[Groups], in[Groups];
  };

  WEFT_INLINE pack load(Sum const* p) const {
    pack x;
    if constexpr (Whole) x = cpu::load<Target>(p);
    else x = cpu::load_first<Target>(p, width_);
    cpu::hold(x);
    return x;
  }
  WEFT_INLINE static pack kept(Sum const* p) {
    pack x = cpu::load<Target>(p);
    cpu::hold(x);
    return x;
  }
  WEFT_INLINE static void fetch(Sum const* p, extent ahead) {
#pragma GCC unroll 2
    for (int c = 0; c < Packs; ++c)
      cpu::fetch_line(p, (ahead + c * lanes) * static_cast<extent>(sizeof(Sum)));
  }

  // Where the groups read x in this column, zeros beyond it, and how far the next image is.
  WEFT_INLINE void next_column(walk& at, Sum const* (&x)[Groups], extent (&x_step)[Groups]) const {
#pragma GCC unroll 3
    for (int g = 0; g < Groups; ++g) {
      bool const inside = line_.inside[g] && 0 <= at.in[g] && at.in[g] < line_.room;
      x[g] = inside ? line_.x + at.x[g] : zeros;
      x_step[g] = inside ? image_.stride.a : 0;
      at.in[g] += step_.step;
      at.x[g] += step_.stride.a;
    }
  }
  // Column j of x, which tap q reads at place j - q; of Every tap that place is in the line.
  template <bool Every>
  WEFT_INLINE void column(extent j, walk& at, pack (&sum)[rows][Packs]) const {
    Sum const* x[Groups];
    extent x_step[Groups];
    next_column(at, x, x_step);
    bool const used[taps] = {Every || j < line_.count, Every || (0 < j && j <= line_.count),
                             Every || 1 < j};
    Sum const* w = used[0] ? line_.w + at.w : zeros;
    extent const w_step = used[0] ? image_.stride.b : 0;
    extent kept_at = 0;
    for (extent n = 0; n < image_.size; ++n, w += w_step, kept_at += held) {
      fetch(w, step_.stride.b);
      fetch(x[Groups - 1], step_.stride.a);
      pack factor[taps][Packs];
#pragma GCC unroll 2
      for (int c = 0; c < Packs; ++c) {
        pack const f = load(w + c * lanes);
        cpu::store(at.factors[0] + kept_at + c * lanes, f);
        factor[0][c] = f;
        factor[1][c] = kept(used[1] ? at.factors[1] + kept_at + c * lanes : zeros);
        factor[2][c] = kept(used[2] ? at.factors[2] + kept_at + c * lanes : zeros);
      }
      add_image(x, x_step, factor, used, sum);
    }
    at.w += step_.stride.b;
    Sum* const free = at.factors[2];
    at.factors[2] = at.factors[1];
    at.factors[1] = at.factors[0];
    at.factors[0] = free;
  }
  WEFT_INLINE void add_image(Sum const* (&x)[Groups], extent const (&x_step)[Groups],
                             pack const (&factor)[taps][Packs], bool const (&used)[taps],
                             pack (&sum)[rows][Packs]) const {
#pragma GCC unroll 3
    for (int g = 0; g < Groups; x[g] += x_step[g], ++g)
#pragma GCC unroll 2
      for (int c = 0; c < Packs; ++c) {
        pack const one = load(x[g] + c * lanes);
#pragma GCC unroll 3
        for (int q = 0; q < taps; ++q)
          if (used[q])
            sum[g * taps + q][c] = multiply_add_packs(one, factor[q][c], sum[g * taps + q][c]);
      }
  }

  line_at const& line_;
  windowed_axis const &step_, &image_;
  int width_;
};

} // namespace detail
} // namespace weft::inline v0
