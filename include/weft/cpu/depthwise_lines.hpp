// SPDX-License-Identifier: BSL-1.0
// Depthwise convolutions with few steps: a tile is some neighbouring places of one line of results,
// for one pack of channels, in registers over all steps. Taps next to each other read the same x
// (where a window moves by one element): a group of up to three loads each once and gives it to the
// places that it serves, in the order of their chains.
//   line_groups groups(form)     groups.fit()     depthwise_lines(form, groups, arrays).run(...)
// Needs: elements of the type of the sums; arrays as of the form's phase, a at x's first element.
// Leaves: the bits of graph/convolution.hpp; nothing outside of the arrays is read: what is not x's
// is a pack of zeros.
#pragma once

#include <weft/cpu/finished_rows.hpp>
#include <weft/cpu/micro_kernel.hpp>
#include <weft/cpu/product_call.hpp>
#include <weft/pass/depthwise_form.hpp>

namespace weft::inline v0 {
namespace detail {

// Consecutive steps; of `taps` of them, each reads one place further than the one before.
struct step_group {
  int taps;
  windowed_place place;
};
struct line_groups {
  static constexpr int most = 64, most_taps = 3;
  int count = 0;
  bool mirrored = false; // places in the descending order, in which taps go
  extent tap_stride = 0; // of w, within a group
  step_group group[most];

  explicit line_groups(depthwise_form const& form) {
    windowed_axis const line = form.rows.inner(), taps = form.steps.inner();
    bool const slides = line.window >= 0 && line.window == taps.window;
    mirrored = slides && taps.step == -line.step;
    extent const together = slides && (taps.step == line.step || mirrored) ? most_taps : 1;
    extent const steps = form.steps.count();
    fits_ = line.size >= least_line;
    tap_stride = taps.stride.b;
    windowed_walk walk(form.steps, 0);
    for (extent k = 0, run; k < steps && fits_; k += run) {
      run = walk.run(together);
      fits_ = count < most;
      if (fits_) group[count++] = {static_cast<int>(run), walk.place()};
      walk.advance(run);
    }
  }
  bool fit() const { return fits_; }

private:
  static constexpr extent least_line = 4; // shorter ones leave tiles empty
  bool fits_ = false;
};

template <class Target, class Sum, class Out, class Bias> class depthwise_lines {
public:
  using call = product_call<Sum, Sum, Out, Bias>;
  static constexpr int lanes = Target::lanes;
  // As many chains as hide the latency of a multiply-add; 64-bit packs are two registers.
  static constexpr int places_each = lanes < 16 && sizeof(Sum) == 8 ? 4 : 8;

  depthwise_lines(depthwise_form const& form, line_groups const& groups, call const& arrays)
      : form_(form), groups_(groups), arrays_(arrays), step_(form.rows.inner()) {
    if (groups.mirrored) step_ = {step_.size, step_.stride * -1, step_.window, -step_.step};
    if (step_.window < 0) step_.step = 1; // places are counted, in `packs`
    for (int g = 0; g < groups.count; ++g) {
      extent const first = along(groups.group[g].place);
      extent const last = first + (groups.group[g].taps - 1) * step_.step;
      extent const low = first < last ? first : last, high = first < last ? last : first;
      if (g == 0 || low < lowest_) lowest_ = low;
      if (g == 0 || high > greatest_) greatest_ = high;
    }
  }

  // Rows [i, i + m) of channels [j, j + n); the arrays stand at the channels' other axes.
  void run(extent i, extent m, extent j, extent n) {
    windowed_walk row(form_.rows, i);
    // A line that somebody waits for is told in pieces.
    extent const together = arrays_.after ? share_count(least_part, n * places_each) * places_each
                                          : m;
    finished_rows finished(form_, arrays_.after, i, m, j, n);
    for (extent count; m > 0; m -= count) {
      count = row.run(m < together ? m : together);
      windowed_place const& line = row.place();
      bool const inside = note_groups(line);
      extent const tiles = share_count(count, places_each);
      for (extent k = 0; k < tiles; ++k) { // by rising places
        extent const t = (groups_.mirrored ? tiles - 1 - k : k) * places_each;
        extent const from = groups_.mirrored ? count - 1 - t : t;
        places const moved = form_.rows.inner().stride * from;
        tile({line.at.a + moved.a, line.at.out + moved.out, line.at.bias + moved.bias,
              along(line) + form_.rows.inner().step * from,
              static_cast<int>(count - t < places_each ? count - t : places_each), j, n},
             inside);
      }
      finished.add(count);
      row.advance(count);
    }
  }

private:
  using pack = cpu::pack_for<Target, Sum>;
  static constexpr bool in_place = std::is_same_v<Out, Sum>;

  extent along(windowed_place const& p) const { return step_.window < 0 ? 0 : p.in[step_.window]; }
  // Where in x a line's groups read, but for its own window: all of them somewhere?
  bool note_groups(windowed_place const& line) {
    bool all = true;
    for (int g = 0; g < groups_.count; ++g) {
      windowed_place const& at = groups_.group[g].place;
      bool inside = true;
      for (int v = 0; v < form_.windows; ++v)
        if (v != step_.window)
          inside &= 0 <= line.in[v] + at.in[v] && line.in[v] + at.in[v] < form_.x[v];
      room_[g] = !inside ? 0 : step_.window < 0 ? 1 : form_.x[step_.window];
      all &= inside;
    }
    return all;
  }

  // Neighbouring places: the first one's offsets and where it is along its window, and channels.
  struct tile_place {
    extent a, out, bias, in;
    int count;
    extent channel, channels;
  };
  void tile(tile_place p, bool inside) const {
    extent const last = p.in + (places_each - 1) * step_.step;
    extent const low = p.in < last ? p.in : last, high = p.in < last ? last : p.in;
    inside &= p.count == places_each &&
              (step_.window < 0 ||
               (low + lowest_ >= 0 && high + greatest_ < form_.x[step_.window]));
    extent const all = p.channels, whole = all / lanes * lanes;
    p.channels = whole;
    if (whole > 0 && inside) packs<true, true>(p);
    else if (whole > 0) packs<false, true>(p);
    p.channel += whole;
    p.channels = all - whole;
    if (whole < all) packs<false, false>(p);
  }
  // Inside: every tap of every place is in x. Whole: all packs of channels are; else one, in part.
  template <bool Inside, bool Whole> WEFT_NOINLINE WEFT_FAST void packs(tile_place const& p) const {
    for (extent y = 0; y < p.channels; y += lanes) {
      int const width = static_cast<int>(Whole ? lanes : p.channels);
      pack sum[places_each];
#pragma GCC unroll 8
      for (int q = 0; q < places_each; ++q) sum[q] = pack(Sum{});
      Sum const *const x = arrays_.a + (p.channel + y), *const w = arrays_.b + (p.channel + y);
      for (int g = 0; g < groups_.count; ++g) {
        step_group const& k = groups_.group[g];
        extent const room = step_.window < 0 ? room_[g] * p.count : room_[g];
        group_place const from{x,    p.a + k.place.at.a, p.in + along(k.place),
                               room, w + k.place.at.b,   width};
        if (k.taps == 3) add<3, Inside, Whole>(from, sum);
        else if (k.taps == 2) add<2, Inside, Whole>(from, sum);
        else add<1, Inside, Whole>(from, sum);
      }
      put<Inside, Whole>(p, y, width, sum);
    }
  }
  struct group_place {
    Sum const* x;
    extent at, in, room; // the first place's: x[at] if 0 <= in < room
    Sum const* w;
    int width;
  };
  template <int Taps, bool Inside, bool Whole>
  WEFT_INLINE void add(group_place const& from, pack (&sum)[places_each]) const {
    auto const load = [&](Sum const* p) WEFT_LAMBDA {
      if constexpr (Whole) return cpu::load<Target>(p);
      else return cpu::load_first<Target>(p, from.width);
    };
    pack factor[Taps];
#pragma GCC unroll 3
    for (int k = 0; k < Taps; ++k) factor[k] = load(from.w + k * groups_.tap_stride);
    extent at = from.at, in = from.in;
#pragma GCC unroll 10
    for (int t = 0; t < places_each + Taps - 1; ++t, at += step_.stride.a, in += step_.step) {
      pack value(Sum{});
      if (Inside || (0 <= in && in < from.room)) value = load(from.x + at);
      if constexpr (Taps > 1) cpu::hold(value);
#pragma GCC unroll 3
      for (int k = 0; k < Taps; ++k)
        if (int const q = t - k; 0 <= q && q < places_each)
          sum[q] = multiply_add_packs(value, factor[k], sum[q]);
    }
  }
  template <bool Inside, bool Whole>
  WEFT_INLINE void put(tile_place const& p, extent y, int width,
                       pack const (&sum)[places_each]) const {
    extent const out = p.out + p.channel + y;
    if constexpr (in_place && Whole)
      if (!arrays_.bias) {
#pragma GCC unroll 8
        for (int q = 0; q < places_each; ++q)
          if (Inside || q < p.count) cpu::store(arrays_.out + (out + q * step_.stride.out), sum[q]);
        return;
      }
    alignas(64) Sum values[places_each * lanes];
#pragma GCC unroll 8
    for (int q = 0; q < places_each; ++q) cpu::store(values + q * lanes, sum[q]);
    finish(p, y, width, values);
  }
  WEFT_NOINLINE WEFT_FAST void finish(tile_place const& p, extent y, int width,
                                      Sum const* sums) const {
    extent const step = form_.channels.inner().stride.bias;
    for (int q = 0; q < p.count; ++q)
      for (int c = 0; c < width; ++c) {
        extent const channel = p.channel + y + c;
        arrays_.finish(sums[q * lanes + c], p.out + q * step_.stride.out + channel,
                       p.bias + q * step_.stride.bias + channel * step);
      }
  }

  depthwise_form const& form_;
  line_groups const& groups_;
  call arrays_;
  windowed_axis step_;               // from a place to the next
  extent lowest_ = 0, greatest_ = 0; // of the groups, along its window
  extent room_[line_groups::most];   // for the line in hand: x's extent there, or 0
};

} // namespace detail
} // namespace weft::inline v0
