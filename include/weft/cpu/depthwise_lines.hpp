// SPDX-License-Identifier: BSL-1.0
// Depthwise convolutions with few steps: a tile is some neighbouring places of one line of results,
// or of two (cpu/line_groups.hpp), for one pack of channels, in registers over all steps. What is
// loaded of x serves all places of the tile that read it, in the order of their chains. A tile that
// would reach beyond a line's end begins earlier, as the last pack of channels does.
//   line_groups groups(form)     groups.fit()     depthwise_lines(form, groups, arrays).run(...)
// Needs: elements of the type of the sums; arrays as of the form's phase, a at x's first element;
// out lies apart from all that is read.
// Leaves: the bits of graph/convolution.hpp; nothing outside of the arrays is read: what is not x's
// is a pack of zeros.
#pragma once

#include <weft/cpu/finished_rows.hpp>
#include <weft/cpu/line_groups.hpp>
#include <weft/cpu/micro_kernel.hpp>
#include <weft/cpu/product_call.hpp>

namespace weft::inline v0 {
namespace detail {

template <class Target, class Sum, class Out, class Bias> class depthwise_lines {
public:
  using call = product_call<Sum, Sum, Out, Bias>;
  static constexpr int lanes = Target::lanes;

  depthwise_lines(depthwise_form const& form, line_groups const& groups, call const& arrays)
      : form_(form), groups_(groups), arrays_(arrays), step_(form.rows.inner()) {
    if (groups.mirrored) step_ = {step_.size, step_.stride * -1, step_.window, -step_.step};
    auto const before = [&](extent in, extent other) {
      return step_.step < 0 ? in > other : in < other;
    };
    for (int g = 0; g < groups.count; ++g) {
      extent const first = along(groups.group[g].place);
      extent const last = first + (groups.group[g].taps - 1) * step_.step;
      alike_ &= g == 0 || (first == begin_ && last == end_);
      if (g == 0 || before(first, begin_)) begin_ = first;
      if (g == 0 || before(end_, last)) end_ = last;
    }
  }

  // Rows [i, i + m) of channels [j, j + n); the arrays stand at the channels' other axes.
  void run(extent i, extent m, extent j, extent n) {
    windowed_walk row(form_.rows, i);
    // A line that somebody waits for is told in pieces.
    extent const most = arrays_.after ? share_count(least_part, n * places_each<1>) * places_each<1>
                                      : m;
    bool const pairs = may_pair && groups_.together.count > 0 && n >= lanes;
    finished_rows finished(form_, arrays_.after, i, m, j, n);
    for (extent count; m > 0; m -= count) {
      count = row.run(m < most ? m : most);
      bool const two = pairs && count >= places_each<2> && 2 * count <= m && row.two_lines(count);
      if constexpr (may_pair)
        if (two) {
          lines<2>(row.place(), count, j, n);
          row.advance(count);
          finished.add(count);
          m -= count;
        }
      if (!two) lines<1>(row.place(), count, j, n);
      row.advance(count);
      finished.add(count);
    }
  }

private:
  using pack = cpu::pack_for<Target, Sum>;
  static constexpr bool in_place = std::is_same_v<Out, Sum>;
  static constexpr bool wide = lanes < 16 && sizeof(Sum) == 8; // two registers a pack, of few
  // As many chains as hide the latency of a multiply-add.
  template <int Lines> static constexpr int places_each = (wide ? 4 : 8) / (lanes < 16 ? Lines : 1);
  static constexpr bool checks_ends = lanes == 16;  // registers for two more addresses
  static constexpr bool may_pair = sizeof(Sum) < 8; // two lines' sums and weights fill registers
  static constexpr extent chunk = 1024 / static_cast<extent>(sizeof(Sum)); // channels
  alignas(64) static constexpr Sum zeros[chunk]{};

  extent along(windowed_place const& p) const { return step_.window < 0 ? 0 : p.in[step_.window]; }

  // What tiles read for one step of a line, or of two; places of a line count in the order in which
  // its taps go.
  struct reading {
    Sum const* x;              // its first element, or zeros
    extent at, step;           // place 0 and the chunk's first channel; from place to place
    extent in;                 // place 0 along x
    Sum const *first, *second; // weights, or null
    int taps;
  };
  struct line_at {
    extent count, in; // places; where the first is, along x
    extent out[2], bias[2];
    int readings;
    reading read[2 * line_groups::most];
  };
  template <int Lines>
  void lines(windowed_place line, extent count, extent channel, extent channels) const {
    line_at at;
    windowed_axis const inner = form_.rows.inner();
    if (groups_.mirrored) move(line, inner, count - 1);
    windowed_place second = line;
    if constexpr (Lines == 2) {
      move(groups_.later_first ? line : second, form_.rows.d[form_.rows.rank - 2], 1);
    }
    at.count = count;
    at.in = along(line);
    extent const tiles = share_count(count, places_each<Lines>);
    for (extent n; channels > 0; channels -= n, channel += n) {
      n = channels < chunk + lanes ? channels : chunk; // none is less than a pack, if avoidable
      if (n > chunk) n -= lanes;
      at.out[0] = line.at.out + channel;
      at.out[1] = second.at.out + channel;
      at.bias[0] = line.at.bias + channel * bias_step();
      at.bias[1] = second.at.bias + channel * bias_step();
      note<Lines>(line, second, channel, at);
      for (extent k = 0; k < tiles; ++k) { // by rising places
        extent const t = (groups_.mirrored ? tiles - 1 - k : k) * places_each<Lines>;
        extent const last = count - places_each<Lines>;
        tile<Lines>(at, t < last ? t : last < 0 ? 0 : last, n);
      }
    }
  }
  static void move(windowed_place& p, windowed_axis const& axis, extent n) {
    p.at = p.at + axis.stride * n;
    if (axis.window >= 0) p.in[axis.window] += axis.step * n;
  }
  template <int Lines>
  void note(windowed_place const& first, windowed_place const& second, extent channel,
            line_at& at) const {
    at.readings = Lines == 2 ? groups_.together.count : groups_.count;
    for (int k = 0; k < at.readings; ++k) {
      line_step const s = Lines == 2 ? groups_.together.step[k] : line_step{k, -1};
      bool const of_first = s.first >= 0;
      windowed_place const& line = of_first ? first : second;
      step_group const& g = groups_.group[of_first ? s.first : s.second];
      bool inside = true;
      for (int v = 0; v < form_.windows; ++v)
        if (v != step_.window)
          inside &= 0 <= line.in[v] + g.place.in[v] && line.in[v] + g.place.in[v] < form_.x[v];
      at.read[k] = {inside ? arrays_.a : zeros,
                    inside ? line.at.a + g.place.at.a + channel : 0,
                    inside ? step_.stride.a : 0,
                    along(line) + along(g.place),
                    weights(s.first, channel),
                    weights(s.second, channel),
                    g.taps};
    }
  }
  Sum const* weights(int group, extent channel) const {
    return group < 0 ? nullptr : arrays_.b + (groups_.group[group].place.at.b + channel);
  }
  extent bias_step() const { return form_.channels.inner().stride.bias; }

  // Places from t on, of some channels.
  template <int Lines> void tile(line_at const& line, extent t, extent channels) const {
    constexpr int places = places_each<Lines>;
    tile_at const at = place(line, t, places);
    if (at.inside && (Lines == 2 || channels >= lanes))
      return packs<Lines, true, true>(line, at, nullptr, channels);
    values_at values[2 * line_groups::most];
    for (int k = 0; k < line.readings; ++k) note_values<places>(line, line.read[k], t, values[k]);
    if constexpr (Lines == 1)
      if (channels < lanes) return packs<1, false, false>(line, at, values, channels);
    packs<Lines, false, true>(line, at, values, channels);
  }
  // inside: what a tile reads along its line is in x; with `checks_ends` but for each reading's first
  // element, which is if `begins`, and its last, which is if `ends`.
  struct tile_at {
    extent t;
    bool inside, begins = true, ends = true;
  };
  tile_at place(line_at const& line, extent t, int places) const {
    if (line.count < places) return {t, false};
    if (step_.window < 0) return {t, true};
    extent const first = line.in + t * step_.step, last = first + (places - 1) * step_.step;
    auto const inside = [&](extent in) { return 0 <= in && in < form_.x[step_.window]; };
    extent const begin = first + begin_, end = last + end_;
    if (!checks_ends || !alike_) return {t, inside(begin) && inside(end)};
    return {t, inside(begin + step_.step) && inside(end - step_.step), inside(begin), inside(end)};
  }
  // Where a reading's values lie, or zeros, at a line's ends.
  struct values_at {
    Sum const* of[places_each<1> + line_groups::most_taps - 1];
  };
  template <int Places>
  void note_values(line_at const& line, reading const& r, extent t, values_at& values) const {
    extent const room = step_.window < 0 ? line.count - t : form_.x[step_.window],
                 in_step = step_.window < 0 ? 1 : step_.step,
                 in = step_.window < 0 ? 0 : r.in + t * in_step, at = r.at + t * r.step;
    auto const inside = [&](int p) WEFT_LAMBDA {
      return 0 <= in + p * in_step && in + p * in_step < room;
    };
    int first = 0, last = Places + r.taps - 1; // what lies in x is side by side
    while (first < last && !inside(first)) values.of[first++] = zeros;
    while (first < last && !inside(last - 1)) values.of[--last] = zeros;
    for (int p = first; p < last; ++p) values.of[p] = r.x + (at + p * r.step);
  }
  // Inside: every tap of every place is in x. Whole: there is a pack of channels.
  template <int Lines, bool Inside, bool Whole>
  WEFT_NOINLINE WEFT_FAST void packs(line_at const& line, tile_at const& at,
                                     values_at const* values, extent channels) const {
    extent const t = at.t;
    constexpr int places = places_each<Lines>;
    int const readings = line.readings, width = static_cast<int>(channels);
    extent const tap_stride = groups_.tap_stride;
    for (extent y = 0; y < channels; y += lanes) {
      if (Whole && y > channels - lanes) y = channels - lanes;
      pack first[places], second[places];
#pragma GCC unroll 8
      for (int q = 0; q < places; ++q) first[q] = second[q] = pack(Sum{});
      for (int k = 0; k < readings; ++k) {
        reading const& r = line.read[k];
        auto const take = [&]<int Taps>(std::integral_constant<int, Taps>) WEFT_LAMBDA {
          source<Inside> from{r, tap_stride, y, width};
          if constexpr (Inside) {
            from.at = r.x + (r.at + t * r.step + y);
            if constexpr (checks_ends) {
              from.begin = at.begins ? from.at : zeros;
              from.end = at.ends ? from.at + (places + Taps - 2) * r.step : zeros;
            }
          } else from.of = values[k].of;
          if (Lines == 1 || !r.second) add<Taps, true, false, Whole>(from, first, second);
          else if (!r.first) add<Taps, false, true, Whole>(from, first, second);
          else add<Taps, true, true, Whole>(from, first, second);
        };
        if (r.taps == 3) take(std::integral_constant<int, 3>{});
        else if (r.taps == 2) take(std::integral_constant<int, 2>{});
        else take(std::integral_constant<int, 1>{});
      }
      if (in_place && Whole && !arrays_.bias) {
        put<Inside>(line, 0, t, y, first);
        if constexpr (Lines == 2) put<Inside>(line, 1, t, y, second);
        continue;
      }
      alignas(64) Sum sums[Lines][places * lanes];
#pragma GCC unroll 8
      for (int q = 0; q < places; ++q) {
        cpu::store(sums[0] + q * lanes, first[q]);
        if constexpr (Lines == 2) cpu::store(sums[1] + q * lanes, second[q]);
      }
      for (int n = 0; n < Lines; ++n)
        finish(line.out[n] + (t * step_.stride.out + y),
               line.bias[n] + (t * step_.stride.bias + y * bias_step()),
               line.count < places ? static_cast<int>(line.count) : places, Whole ? lanes : width,
               sums[n]);
    }
  }
  template <bool Inside> struct source {
    reading const& r;
    extent tap_stride, y;
    int width;
    Sum const* at = nullptr;                    // the first value
    Sum const *begin = nullptr, *end = nullptr; // that and the last one, or zeros
    Sum const* const* of = nullptr;             // or each one's, but for y
  };
  template <int Taps, bool First, bool Second, bool Whole, bool Inside, int Places>
  WEFT_INLINE static void add(source<Inside> const& from, pack (&first)[Places],
                              pack (&second)[Places]) {
    auto const load = [&](Sum const* p) WEFT_LAMBDA {
      if constexpr (Whole) return cpu::load<Target>(p);
      else return cpu::load_first<Target>(p, from.width);
    };
    pack of_first[Taps], of_second[Taps];
#pragma GCC unroll 3
    for (int k = 0; k < Taps; ++k) {
      extent const at = k * from.tap_stride + from.y;
      if constexpr (First) of_first[k] = load(from.r.first + at);
      if constexpr (Second) of_second[k] = load(from.r.second + at);
    }
    Sum const* at = from.at;
    extent const step = from.r.step;
#pragma GCC unroll 10
    for (int p = 0; p < Places + Taps - 1; ++p) {
      bool const begins = checks_ends && p == 0, ends = checks_ends && p == Places + Taps - 2;
      pack value = load(!Inside ? from.of[p] + from.y : begins ? from.begin : ends ? from.end : at);
      if constexpr (Inside) {
        at += step;
        cpu::hold(at);
      }
      if constexpr (Taps > 1 || (First && Second)) cpu::hold(value);
#pragma GCC unroll 3
      for (int k = 0; k < Taps; ++k)
        if (int const q = p - k; 0 <= q && q < Places) {
          if constexpr (First) first[q] = multiply_add_packs(value, of_first[k], first[q]);
          if constexpr (Second) second[q] = multiply_add_packs(value, of_second[k], second[q]);
        }
    }
  }
  template <bool Inside, int Places>
  WEFT_INLINE void put(line_at const& line, int which, extent t, extent y,
                       pack const (&sum)[Places]) const {
    if constexpr (in_place) {
      Out* to = arrays_.out + (line.out[which] + (t * step_.stride.out + y));
      extent const step = step_.stride.out;
#pragma GCC unroll 8
      for (int q = 0; q < Places; ++q, to += step)
        if (Inside || q < line.count) cpu::store(to, sum[q]);
    }
  }
  WEFT_NOINLINE WEFT_FAST void finish(extent out, extent bias, int places, int width,
                                      Sum const* sums) const {
    extent const step = bias_step();
    for (int q = 0; q < places; ++q, out += step_.stride.out, bias += step_.stride.bias)
      for (int c = 0; c < width; ++c) arrays_.finish(sums[q * lanes + c], out + c, bias + c * step);
  }

  depthwise_form const& form_;
  line_groups const& groups_;
  call arrays_;
  windowed_axis step_;         // from a place to the next, in the order of taps
  extent begin_ = 0, end_ = 0; // the groups' first tap and last along its window
  bool alike_ = true;          // whether every group has these two
};

} // namespace detail
} // namespace weft::inline v0
