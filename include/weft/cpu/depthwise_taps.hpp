// SPDX-License-Identifier: BSL-1.0
// Depthwise convolutions by their filter: rows are taps, steps are places, and at each place maybe
// one label besides, as the images of a batch are. A tile is up to three groups of three taps that
// read neighbours of x, for one or two packs of channels, in registers over a line of places; lines
// of x stay in a cache until each tap has read them.
//   depthwise_taps::fits(form)      depthwise_taps(form, arrays).run(rows, channels)
// Near the end of a filter's row a group has one tap or two; what it computes besides is dropped.
// Needs: `fits`; elements of the type of the sums; arrays as of the form's phase, a at x's first element.
// Leaves: the bits of graph/convolution.hpp; nothing outside of the arrays is read. No scratch.
#pragma once

#include <weft/cpu/depthwise_images.hpp>
#include <weft/cpu/finished_rows.hpp>
#include <weft/cpu/micro_kernel.hpp>
#include <weft/cpu/product_call.hpp>
#include <weft/pass/depthwise_form.hpp>

#include <utility>

namespace weft::inline v0 {
namespace detail {

template <class Target, class Sum, class Out, class Bias> class depthwise_taps {
public:
  using call = product_call<Sum, Sum, Out, Bias>;
  static constexpr int lanes = Target::lanes;

  // Filters whose rows have three taps and more, along the lines of places. (Where images are read
  // anew for every tap, packs of 8 use less of a line that is fetched, and rows take 0.8 of the time.)
  static bool fits(depthwise_form const& form) {
    windowed_axis const place = places_of(form).inner();
    return !wide && form.rows.inner().size >= taps && form.rows.inner().window >= 0 &&
           place.window == form.rows.inner().window && place.size >= least_places &&
           images_of(form).size <= (lanes == 16 || by_columns(form) ? most_images : 1);
  }
  // Of images, where a tap reads what its neighbour read at the place before.
  static bool by_columns(depthwise_form const& form) {
    windowed_axis const tap = form.rows.inner(), place = places_of(form).inner();
    return images_of(form).size > 1 && place.step == tap.step && place.stride.a == tap.stride.a;
  }
  depthwise_taps(depthwise_form const& form, call const& arrays)
      : form_(form), arrays_(arrays), places_(places_of(form)), tap_(form.rows.inner()),
        step_(places_.inner()), image_(images_of(form)), by_columns_(by_columns(form)) {}

  // Rows [i, i + m) of channels [j, j + n); the arrays stand at the channels' other axes.
  void run(extent i, extent m, extent j, extent n) {
    windowed_walk row(form_.rows, i);
    finished_rows finished(form_, arrays_.after, i, m, j, n);
    while (m > 0) {
      tile t;
      extent rows = 0;
      while (t.groups < most_groups && rows < m) {
        extent const run = row.run(m - rows < taps ? m - rows : taps);
        t.group[t.groups++] = {row.place(), static_cast<int>(run)};
        row.advance(run);
        rows += run;
      }
      for (extent y = 0, width; y < n; y += width) {
        extent const left = n - y;
        width = left < chunk ? share_count(left, lanes) * lanes : chunk;
        extent const first = left < width && n >= width ? n - width : y; // the last is whole, too
        extent const channels = n < width ? n : width;
        if (t.groups == 3) block<3>(t, j + first, channels);
        else if (t.groups == 2) block<2>(t, j + first, channels);
        else block<1>(t, j + first, channels);
      }
      finished.add(rows);
      m -= rows;
    }
  }

private:
  // The innermost steps, if they are no window's, and the others.
  static bool have_images(windowed_axes const& steps) {
    return steps.rank > 0 && steps.inner().window < 0;
  }
  static windowed_axis images_of(depthwise_form const& form) {
    return have_images(form.steps) ? form.steps.inner() : windowed_axis{};
  }
  static windowed_axes places_of(depthwise_form const& form) {
    windowed_axes places = form.steps;
    if (have_images(places)) --places.rank;
    return places;
  }

  using pack = cpu::pack_for<Target, Sum>;
  using line_at = tap_line<Sum>;
  static constexpr bool wide = lanes < 16 && sizeof(Sum) == 8; // packs of two registers
  static constexpr int taps = line_at::taps, most_groups = line_at::most_groups,
                       most_packs = lanes < 16 ? 1 : 2;
  static constexpr int chunk = 512 /
                               static_cast<int>(sizeof(Sum)); // channels that a line is walked for
  static constexpr extent most_images = depthwise_images<Target, Sum, 1, 1, true>::most;
  static constexpr extent least_places = 8; // of a line: its sums are loaded and stored
  alignas(64) static constexpr Sum zeros[chunk]{};

  // Taps next to each other; if they are fewer than three, those behind them are some other's.
  struct tap_group {
    windowed_place first;
    int count;
  };
  struct tile {
    int groups = 0;
    tap_group group[most_groups];
  };

  template <int Groups> void block(tile const& t, extent channel, extent width) const {
    alignas(64) Sum sums[Groups * taps * chunk]{};
    line_at line;
    windowed_walk step(places_, 0);
    extent const steps = places_.count();
    for (extent k = 0; k < steps; k += line.count) {
      line.count = step.run(steps - k);
      note<Groups>(t, step.place(), channel, line);
      for (extent c = 0; c < width;) {
        extent const left = width - c;
        int const packs = most_packs == 2 && left >= 2 * lanes ? 2 : 1;
        if (packs == 2) add<Groups, most_packs, true>(line, lanes, sums + c);
        else if (left >= lanes) add<Groups, 1, true>(line, lanes, sums + c);
        else add<Groups, 1, false>(line, static_cast<int>(left), sums + c);
        line.x += packs * lanes;
        line.w += packs * lanes;
        c += packs * lanes;
      }
      step.advance(line.count);
    }
    extent const bias_step = form_.channels.inner().stride.bias;
    for (int g = 0; g < Groups; ++g)
      for (int q = 0; q < t.group[g].count; ++q) {
        places const at = t.group[g].first.at + tap_.stride * q;
        Sum const* const from = sums + (g * taps + q) * chunk;
        for (extent c = 0; c < width; ++c)
          arrays_.finish(from[c], at.out + channel + c, at.bias + (channel + c) * bias_step);
      }
  }
  template <int Groups>
  void note(tile const& t, windowed_place const& at, extent channel, line_at& line) const {
    line.x = arrays_.a + channel;
    line.w = arrays_.b + (at.at.b + channel);
    line.room = form_.x[tap_.window];
    bool all = true;
    extent low = 0, high = 0;
    for (int g = 0; g < Groups; ++g) {
      windowed_place const& first = t.group[g].first;
      line.a[g] = first.at.a + at.at.a;
      bool inside = true;
      for (int v = 0; v < form_.windows; ++v) {
        extent const in = first.in[v] + at.in[v];
        if (v != tap_.window) inside &= 0 <= in && in < form_.x[v];
        else line.in[g] = in;
      }
      line.inside[g] = inside;
      all &= inside;
      extent const end = line.in[g] + (taps - 1) * tap_.step;
      extent const least = line.in[g] < end ? line.in[g] : end,
                   greatest = line.in[g] < end ? end : line.in[g];
      if (g == 0 || least < low) low = least;
      if (g == 0 || greatest > high) high = greatest;
    }
    auto const within = [&](extent p) WEFT_LAMBDA {
      return low + p * step_.step >= 0 && high + p * step_.step < line.room;
    };
    line.first = all ? 0 : line.count;
    line.last = line.count;
    while (line.first < line.last && !within(line.first)) ++line.first;
    while (line.first < line.last && !within(line.last - 1)) --line.last;
  }

  // Where each tap reads at place p of the first image, or zeros, and how far the next image is.
  template <int Groups>
  WEFT_INLINE void note_border(line_at const& line, extent p, Sum const** x, extent* step) const {
#pragma GCC unroll 3
    for (int g = 0; g < Groups; ++g) {
      extent in = line.in[g] + p * step_.step, at = line.a[g] + p * step_.stride.a;
      extent const room = line.inside[g] ? line.room : 0;
#pragma GCC unroll 3
      for (int q = 0; q < taps; ++q, in += tap_.step, at += tap_.stride.a) {
        bool const inside = 0 <= in && in < room;
        x[g * taps + q] = inside ? line.x + at : zeros;
        step[g * taps + q] = inside ? image_.stride.a : 0;
      }
    }
  }
  // Of a line's places, those between where every tap is in x take no questions.
  template <int Groups, int Packs, bool Whole>
  WEFT_NOINLINE WEFT_FAST void add(line_at const& line, int width, Sum* sums) const {
    constexpr int rows = Groups * taps;
    pack sum[rows][Packs];
#pragma GCC unroll 9
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 2
      for (int c = 0; c < Packs; ++c) sum[r][c] = cpu::load<Target>(sums + r * chunk + c * lanes);
    if (by_columns_)
      depthwise_images<Target, Sum, Groups, Packs, Whole>(line, step_, image_, width).add(sum);
    else {
      for (extent p = 0; p < line.first; ++p) add_border<Groups, Packs, Whole>(line, p, width, sum);
      if (line.first < line.last) add_inner<Groups, Packs, Whole>(line, width, sum);
      for (extent p = line.last; p < line.count; ++p)
        add_border<Groups, Packs, Whole>(line, p, width, sum);
    }
#pragma GCC unroll 9
    for (int r = 0; r < rows; ++r)
#pragma GCC unroll 2
      for (int c = 0; c < Packs; ++c) cpu::store(sums + r * chunk + c * lanes, sum[r][c]);
  }
  template <bool Whole> WEFT_INLINE static pack load(Sum const* p, int width) {
    if constexpr (Whole) return cpu::load<Target>(p);
    else return cpu::load_first<Target>(p, width);
  }
  template <int Groups, int Packs, bool Whole>
  WEFT_INLINE void add_border(line_at const& line, extent p, int width,
                              pack (&sum)[Groups * taps][Packs]) const {
    constexpr int rows = Groups * taps;
    Sum const *x[rows], *w = line.w + p * step_.stride.b;
    extent x_step[rows];
    note_border<Groups>(line, p, x, x_step);
    for (extent n = 0; n < image_.size; ++n, w += image_.stride.b) {
      pack factor[Packs];
#pragma GCC unroll 2
      for (int c = 0; c < Packs; ++c) factor[c] = load<Whole>(w + c * lanes, width);
#pragma GCC unroll 9
      for (int r = 0; r < rows; ++r)
#pragma GCC unroll 2
        for (int c = 0; c < Packs; ++c)
          sum[r][c] = multiply_add_packs(load<Whole>(x[r] + (n * x_step[r] + c * lanes), width),
                                         factor[c], sum[r][c]);
    }
  }
  template <int Groups, int Packs, bool Whole>
  WEFT_INLINE void add_inner(line_at const& line, int width,
                             pack (&sum)[Groups * taps][Packs]) const {
    extent const a_step = step_.stride.a, w_step = step_.stride.b, tap_step = tap_.stride.a;
    struct loop {
      extent count, a, b;
    } outer{line.last - line.first, a_step, w_step},
        inner{image_.size, image_.stride.a, image_.stride.b};
    if (image_.size == 1) std::swap(outer, inner); // the longer one inside
    Sum const *x[Groups], *w = line.w + line.first * w_step;
#pragma GCC unroll 3
    for (int g = 0; g < Groups; ++g) x[g] = line.x + (line.a[g] + line.first * a_step);
    for (extent p = 0; p < outer.count; ++p, w += outer.b) {
      extent a = 0, b = 0;
      for (extent n = 0; n < inner.count; ++n, a += inner.a, b += inner.b) {
        pack factor[Packs];
#pragma GCC unroll 2
        for (int c = 0; c < Packs; ++c) factor[c] = load<Whole>(w + (b + c * lanes), width);
#pragma GCC unroll 3
        for (int g = 0; g < Groups; ++g)
#pragma GCC unroll 3
          for (int q = 0; q < taps; ++q)
#pragma GCC unroll 2
            for (int c = 0; c < Packs; ++c)
              sum[g * taps + q][c] = multiply_add_packs(
                  load<Whole>(x[g] + (a + q * tap_step + c * lanes), width), factor[c],
                  sum[g * taps + q][c]);
      }
#pragma GCC unroll 3
      for (int g = 0; g < Groups; ++g) x[g] += outer.a;
    }
  }

  depthwise_form const& form_;
  call arrays_;
  windowed_axes places_;
  windowed_axis tap_, step_; // from a row to the next of its run, from a place to the next
  windowed_axis image_;      // from an image to the next
  bool by_columns_;
};

} // namespace detail
} // namespace weft::inline v0
