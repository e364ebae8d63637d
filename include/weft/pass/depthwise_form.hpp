// SPDX-License-Identifier: BSL-1.0
// A phase of a convolution (pass/convolution_form.hpp) whose results read one channel each, as a
// kernel computes it from x where it lies: no copy of x; what reaches beyond x is known by its place.
//   out[channel, row] = bias + sum over steps of x[channel, row + step] * w[channel, step]
// channels: labels of x, w and out, the innermost of them side by side in all three. Rows: the other
// axes of out; steps: what is summed, in the stated order. Neither has axes merged, since along a
// window they say where x is read: at the sum of a row's and a step's number, which is an element if
// it lies in [0, extent), and a zero if not.
// Needs: `fits`. Leaves: offsets of x that count from x's first element, those outside of x too.
#pragma once

#include <weft/pass/convolution_form.hpp>

namespace weft::inline v0 {

// Where an index of some axes stands: in the arrays, and along each window's axis of x.
struct windowed_place {
  places at;
  extent in[max_rank]{};
};
struct windowed_axis {
  extent size = 1;
  places stride;
  int window = -1; // or none
  extent step = 0; // along the window's axis of x
};
// Axes, the first outermost; an index counts their elements row-major.
struct windowed_axes {
  int rank = 0;
  windowed_axis d[max_rank]{};
  windowed_place first;

  constexpr extent count() const {
    extent n = 1;
    for (int i = 0; i < rank; ++i) n *= d[i].size;
    return n;
  }
  constexpr void push(windowed_axis const& next) {
    if (next.size != 1) d[rank++] = next;
  }
  constexpr windowed_axis inner() const { return rank > 0 ? d[rank - 1] : windowed_axis{}; }
};
// Goes through them from an index on; after the last one it starts again.
class windowed_walk {
public:
  constexpr windowed_walk(windowed_axes const& axes, extent index)
      : axes_(&axes), place_(axes.first) {
    for (int i = axes.rank - 1; i >= 0; --i) {
      extent const size = axes.d[i].size;
      index_[i] = size > 0 ? index % size : 0;
      index = size > 0 ? index / size : 0;
      move(axes.d[i], index_[i]);
    }
  }
  constexpr windowed_place const& place() const { return place_; }
  // What each of the next so many adds to the one before it.
  constexpr windowed_axis inner() const { return axes_->inner(); }
  constexpr extent run(extent most) const {
    int const last = axes_->rank - 1;
    if (last < 0) return most;
    extent const left = inner().size - index_[last];
    return left < most ? left : most;
  }
  // Does a line along the innermost axis, of `length` places, begin here, and the next axis have one
  // more behind it?
  constexpr bool two_lines(extent length) const {
    int const last = axes_->rank - 1;
    return last > 0 && index_[last] == 0 && inner().size == length &&
           index_[last - 1] + 1 < axes_->d[last - 1].size;
  }
  // At most a run.
  constexpr void advance(extent n) {
    for (int i = axes_->rank - 1; i >= 0; --i, n = 1) {
      windowed_axis const& axis = axes_->d[i];
      if ((index_[i] += n) < axis.size) return move(axis, n);
      move(axis, n - axis.size);
      index_[i] = 0;
    }
  }

private:
  constexpr void move(windowed_axis const& axis, extent n) {
    place_.at = place_.at + axis.stride * n;
    if (axis.window >= 0) place_.in[axis.window] += axis.step * n;
  }

  windowed_axes const* axes_;
  windowed_place place_;
  extent index_[max_rank]{};
};

// A few of them, one after the other: numbers of x, and where they are along its windows' axes.
template <int Most> struct windowed_list {
  int count = 0;
  extent a[Most], in[max_rank][Most];
  extent least[max_rank], greatest[max_rank]; // of `in`

  // The next ones; also(n, place, stride, count) for each run of them, from n on.
  template <class Also>
  constexpr void take(windowed_walk& walk, int most, int windows, Also const& also) {
    count = most;
    for (int v = 0; v < windows; ++v) least[v] = greatest[v] = 0;
    windowed_axis const inner = walk.inner();
    for (int n = 0, run; n < most; n += run) {
      run = static_cast<int>(walk.run(most - n));
      windowed_place const& place = walk.place();
      for (int q = 0; q < run; ++q) a[n + q] = place.at.a + q * inner.stride.a;
      for (int v = 0; v < windows; ++v)
        note(v, n, run, place.in[v], v == inner.window ? inner.step : 0);
      also(n, place.at, inner.stride, run);
      walk.advance(run);
    }
  }

private:
  constexpr void note(int v, int n, int run, extent first, extent step) {
    for (int q = 0; q < run; ++q) in[v][n + q] = first + q * step;
    extent const last = first + (run - 1) * step;
    extent const low = first < last ? first : last, high = first < last ? last : first;
    if (n == 0 || low < least[v]) least[v] = low;
    if (n == 0 || high > greatest[v]) greatest[v] = high;
  }
};

struct depthwise_form {
  product_axes channels;
  windowed_axes rows, steps;
  int windows = 0;
  extent x[max_rank]{}; // the extent of each window's axis of x

  // Of every phase of a form: whether half a pack of channels lies side by side.
  static constexpr bool fits(convolution_form const& form, extent lanes) {
    convolution const& c = form.labels();
    for (int i = 0; i < form.w().shape.rank; ++i)
      if (c.in_out(c.w[i]) >= 0 && c.in_x(c.w[i]) < 0 && form.w().shape[i] != 1) return false;
    product_axis const inner = channels_of(form).inner();
    places const& step = inner.stride;
    return inner.size > 1 && inner.size * 2 >= lanes && step.a == 1 && step.b == 1 && step.out == 1;
  }
  constexpr depthwise_form(convolution_form const& form, convolution_form::phase const& p)
      : channels(channels_of(form)), windows(form.labels().windows) {
    convolution const& c = form.labels();
    strided_shape const &from = form.x(), &w = form.w(), &out = form.out();
    for (int v = 0; v < windows; ++v) {
      int const axis = c.in_x(c.window[v].x);
      x[v] = from.shape[axis];
      rows.first.in[v] = p.window[v].first;
      rows.first.at.a += p.window[v].first * from.strides[axis];
    }
    for (int i = 0; i < out.shape.rank; ++i) {
      places step{0, 0, out.strides[i], form.bias_strides()[i]};
      int const in_x = c.in_x(c.out[i]);
      if (in_x >= 0) step.a = from.strides[in_x];
      if (in_x >= 0 && c.in_w(c.out[i]) < 0) rows.push({out.shape[i], step});
      for (int v = 0; v < windows; ++v)
        if (window_phase const& at = p.window[v]; c.window[v].out == c.out[i]) {
          step = step * at.place_step;
          step.a = from.strides[c.in_x(c.window[v].x)] * at.per_place;
          rows.push({at.places, step, v, at.per_place});
        }
    }
    for (int v = 0; v < windows; ++v) {
      window_phase const& at = p.window[v];
      steps.push({at.empty() ? 0 : at.taps,
                  {from.strides[c.in_x(c.window[v].x)] * at.per_tap,
                   w.strides[c.in_w(c.window[v].w)] * at.tap_step},
                  v,
                  at.per_tap});
    }
    for (int i = 0; i < from.shape.rank; ++i)
      if (int const in_w = c.in_w(c.x[i]); in_w >= 0 && c.in_out(c.x[i]) < 0)
        steps.push({from.shape[i], {from.strides[i], w.strides[in_w]}});
  }

private:
  static constexpr product_axes channels_of(convolution_form const& form) {
    convolution const& c = form.labels();
    product_axes axes;
    for (int i = 0; i < form.out().shape.rank; ++i)
      if (int const in_x = c.in_x(c.out[i]), in_w = c.in_w(c.out[i]); in_x >= 0 && in_w >= 0)
        axes.push({form.out().shape[i],
                   {form.x().strides[in_x], form.w().strides[in_w], form.out().strides[i],
                    form.bias_strides()[i]}});
    return axes;
  }
};

} // namespace weft::inline v0
