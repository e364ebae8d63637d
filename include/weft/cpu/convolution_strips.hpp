// SPDX-License-Identifier: BSL-1.0
// A convolution whose places fill packs reads x through a copy (pass/convolution_form.hpp), all of it
// in every phase. Where the copy is too long for the second cache the convolution is cut into strips,
// each a convolution of its own: some indices of a batch label, or of one index some places of a
// window, the one that has most of them besides that whose places fill packs.
//   convolution_strips strips(form, size_of(D));      // count() is 1: not cut
//   auto s = strips.at(n);                            // s.form, whose arrays begin at s.first
// Needs: the form outlives the strips. Leaves: strips whose results are disjoint and together all of
// out, none with more indices than the first. Neighbours copy what the windows of both reach.
#pragma once

#include <weft/pass/convolution_form.hpp>

namespace weft::inline v0 {
namespace detail {

class convolution_strips {
public:
  static constexpr extent most_bytes = 3 << 17; // second caches of servers have 512 KiB and more

  convolution_strips(convolution_form const& form, extent element_bytes, extent most = most_bytes)
      : form_(form) {
    extent const bytes = form.copy().count() * element_bytes;
    if (!form.places_fill_packs() || bytes <= most) return;
    cut_batch(bytes, most);
    if (batch_.each == 1) cut_window(element_bytes, most);
  }

  extent count() const { return batch_.parts() * window_.parts(); }
  // A strip of every kind is among the first so many, or the last.
  extent kinds() const { return window_.parts(); }
  struct strip {
    convolution_form form;
    places first; // a: in x
  };
  strip at(extent n) const {
    return part(n / window_.parts() * batch_.each, n % window_.parts() * window_.each,
                window_.each);
  }

private:
  static constexpr extent fair = 16; // strips at least, for several threads, where rows are enough

  // An axis of out: its indices (of a window groups of places), and how many of them a strip has.
  struct cut {
    int axis = -1;
    extent size = 1, each = 1;
    extent parts() const { return share_count(size, each); }
  };

  void cut_batch(extent bytes, extent most) {
    convolution const& c = form_.labels();
    for (int i = 0; i < c.rank_out && batch_.axis < 0; ++i)
      if (c.in_x(c.out[i]) >= 0 && c.in_w(c.out[i]) < 0 && form_.out().shape[i] > 1)
        batch_ = {i, form_.out().shape[i], 1};
    extent const fit = most / share_count(bytes, batch_.size), few = share_count(batch_.size, fair);
    batch_.each = fit < 1 ? 1 : fit < few ? fit : few;
  }
  // In places of all phases, one of each.
  void cut_window(extent element_bytes, extent most) {
    convolution const& c = form_.labels();
    for (int i = 0; i < c.windows; ++i)
      if (i != form_.side() && form_.groups_of_places(i) > window_.size) {
        at_ = i;
        window_.size = form_.groups_of_places(i);
        window_.axis = c.in_out(c.window[i].out);
      }
    if (window_.size < 4) at_ = -1, window_.size = 1;
    window_.each = window_.size;
    if (at_ < 0) return;
    auto const bytes = [&](extent places) {
      return part(0, 0, places).form.copy().count() * element_bytes;
    };
    // What a place more costs, and what strips share; where the first ones need no copy, on average.
    extent const all = bytes(window_.size), two = bytes(2);
    extent more = bytes(3) - two, shared = two - 2 * more;
    if (more <= 0) more = share_count(all, window_.size), shared = 0;
    if (shared < 0) shared = 0;
    extent const few = share_count(window_.size, share_count(fair, batch_.size));
    extent const fit = (most - shared) / more, overlap = share_count(shared, more);
    window_.each = fit < few ? fit : few;
    if (window_.each < overlap) window_.each = overlap; // half of what is copied is a strip's alone
    if (window_.each < 1) window_.each = 1;
    if (window_.each > window_.size) window_.each = window_.size;
  }
  strip part(extent batch, extent place, extent count) const {
    strip s;
    convolution c = form_.labels();
    strided_shape x = form_.x(), out = form_.out();
    if (batch_.axis >= 0) {
      int const axis = c.in_x(c.out[batch_.axis]);
      extent const left = batch_.size - batch, size = left < batch_.each ? left : batch_.each;
      x.shape[axis] = out.shape[batch_.axis] = size;
      s.first.a = batch * x.strides[axis];
      move(s, batch_.axis, batch);
    }
    if (at_ >= 0) {
      convolution_window& v = c.window[at_];
      extent const step = form_.phases_of(at_), first = place * step;
      extent const left = out.shape[window_.axis] - first;
      out.shape[window_.axis] = left < count * step ? left : count * step;
      v.low -= first * v.stride;
      move(s, window_.axis, first);
    }
    s.form = {c, x, form_.w(), out, form_.bias_strides()};
    return s;
  }
  void move(strip& s, int axis, extent index) const {
    s.first.out += index * form_.out().strides[axis];
    s.first.bias += index * form_.bias_strides()[axis];
  }

  convolution_form const& form_;
  cut batch_, window_;
  int at_ = -1; // the window that is cut
};

} // namespace detail
} // namespace weft::inline v0
