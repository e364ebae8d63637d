// SPDX-License-Identifier: BSL-1.0
// Depthwise convolutions with many steps that go neither by lines nor by taps, as by the filter of
// many images; x is read where it lies. Channels fill the packs; a tile is some rows of one pack, in registers over a block
// of steps, for all channels in turn, so that x is read in memory's order. Blocks are short enough
// for x's lines to stay in L1; sums wait in a buffer between them. A step that takes all rows of a
// tile to elements of x has one offset for them; else each row has a pointer, to zeros where x ended.
//   depthwise_rows(form, arrays).run(rows, channels)
// Needs: elements of the type of the sums; arrays as of the form's phase, a at x's first element.
// Leaves: the bits of graph/convolution.hpp; nothing outside of the arrays is read.
#pragma once

#include <weft/cpu/finished_rows.hpp>
#include <weft/cpu/micro_kernel.hpp>
#include <weft/cpu/product_call.hpp>
#include <weft/pass/depthwise_form.hpp>

namespace weft::inline v0 {
namespace detail {

template <class Target, class Sum, class Out, class Bias> class depthwise_rows {
public:
  using call = product_call<Sum, Sum, Out, Bias>;
  static constexpr int lanes = Target::lanes;
  // With a pack of w the registers are full (without AVX-512); 64-bit packs are two.
  static constexpr int most_rows = lanes < 16 && sizeof(Sum) == 8 ? 7 : 14;

  depthwise_rows(depthwise_form const& form, call const& arrays)
      : form_(form), arrays_(arrays), step_(form.steps.inner()), step_count_(form.steps.count()) {}

  // Rows [i, i + m) of channels [j, j + n); the arrays stand at the channels' other axes.
  void run(extent i, extent m, extent j, extent n) {
    if (m <= 0 || n <= 0) return;
    block_ = block_steps(n);
    one_block_ = step_count_ <= block_;
    if (one_block_) {
      windowed_walk step(form_.steps, 0);
      steps_[0].take(step, static_cast<int>(step_count_), form_.windows);
    }
    windowed_walk row(form_.rows, i);
    finished_rows finished(form_, arrays_.after, i, m, j, n);
    for (extent count; m > 0; m -= count) {
      count = share_count(m, share_count(m, most_rows));
      rows_.take_rows(row, static_cast<int>(count), form_.windows);
      for (extent y = 0; y < n; y += chunk) channels(j + y, n - y < chunk ? n - y : chunk);
      finished.add(count);
    }
  }

private:
  using pack = cpu::pack_for<Target, Sum>;
  static constexpr bool in_place = std::is_same_v<Out, Sum>;
  static constexpr int chunk = 1024 / static_cast<int>(sizeof(Sum)); // channels of the buffer
  static constexpr int most_steps = 64, least_steps = 8;             // of a block
  alignas(64) static constexpr Sum zeros[chunk]{};

  // Few enough that with the channels they are a quarter of L1.
  extent block_steps(extent channels) const {
    extent const room = 2048 / static_cast<extent>(sizeof(Sum)) / channels;
    if (step_count_ <= most_steps || room > most_steps) return most_steps;
    return room < least_steps ? least_steps : room;
  }

  // The rows of a tile; those that it has too many of are its first one once more.
  struct row_list : windowed_list<most_rows> {
    extent out[most_rows], bias[most_rows];
    void take_rows(windowed_walk& walk, int most, int windows) {
      this->take(walk, most, windows, [this](int n, places const& at, places const& step, int run) {
        for (int q = 0; q < run; ++q) out[n + q] = at.out + q * step.out;
        for (int q = 0; q < run; ++q) bias[n + q] = at.bias + q * step.bias;
      });
      for (int r = most; r < most_rows; ++r) {
        this->a[r] = this->a[0];
        out[r] = out[0];
        for (int v = 0; v < windows; ++v) this->in[v][r] = this->in[v][0];
      }
    }
  };
  // A block of steps in runs along their innermost axis.
  struct step_run_at {
    extent a, b, in[max_rank];
    int count;
  };
  struct step_list {
    int steps = 0, runs = 0;
    step_run_at run[most_steps];
    extent least[max_rank], greatest[max_rank]; // of the steps, along each window
    void take(windowed_walk& walk, int most, int windows) {
      windowed_axis const inner = walk.inner();
      steps = most;
      runs = 0;
      for (int v = 0; v < windows; ++v) least[v] = greatest[v] = 0;
      for (int n = 0; n < most; n += run[runs++].count) {
        step_run_at& r = run[runs];
        windowed_place const& at = walk.place();
        r.a = at.at.a;
        r.b = at.at.b;
        r.count = static_cast<int>(walk.run(most - n));
        for (int v = 0; v < windows; ++v) {
          r.in[v] = at.in[v];
          extent const last = r.in[v] + (v == inner.window ? (r.count - 1) * inner.step : 0);
          extent const low = last < r.in[v] ? last : r.in[v],
                       high = last < r.in[v] ? r.in[v] : last;
          if (n == 0 || low < least[v]) least[v] = low;
          if (n == 0 || high > greatest[v]) greatest[v] = high;
        }
        walk.advance(r.count);
      }
    }
  };

  // The windows along which some step takes some row of the tile beyond x.
  struct border {
    int count = 0, window[max_rank];
  };
  border border_of(step_list const& steps) const {
    border b;
    for (int v = 0; v < form_.windows; ++v)
      if (rows_.least[v] + steps.least[v] < 0 ||
          rows_.greatest[v] + steps.greatest[v] >= form_.x[v])
        b.window[b.count++] = v;
    return b;
  }
  // Where step p of a run is along a window.
  extent along(int v, step_run_at const& run, int p) const {
    return run.in[v] + (v == step_.window ? p * step_.step : 0);
  }
  bool all_read(border const& at, step_run_at const& run, int p) const {
    for (int i = 0; i < at.count; ++i) {
      int const v = at.window[i];
      extent const in = along(v, run, p);
      if (rows_.least[v] + in < 0 || rows_.greatest[v] + in >= form_.x[v]) return false;
    }
    return true;
  }
  bool reads(border const& at, int r, step_run_at const& run, int p) const {
    for (int i = 0; i < at.count; ++i) {
      int const v = at.window[i];
      if (extent const in = rows_.in[v][r] + along(v, run, p); in < 0 || in >= form_.x[v])
        return false;
    }
    return true;
  }

  // What tiles of a chunk of channels are computed from: steps that read x at row + a + n * a_step
  // for every row, or one that has a pointer for each.
  struct segment {
    extent a, b;
    int count;
    Sum const* const* by_row;
  };
  struct operands {
    int count;
    Sum const *x, *w; // the first channel's
    extent const* row;
    extent a_step, b_step;
    extent ahead_a = 0, ahead_b = 0; // bytes to the next block's
    segment of[most_steps];
    Sum const* pointer[most_steps][most_rows];
  };
  void note_operands(step_list const& steps, extent channel, operands& o) const {
    o.count = 0;
    o.x = arrays_.a + channel;
    o.w = arrays_.b + channel;
    o.row = rows_.a;
    o.a_step = step_.stride.a;
    o.b_step = step_.stride.b;
    border const at = border_of(steps);
    for (int n = 0; n < steps.runs; ++n) {
      step_run_at const& run = steps.run[n];
      if (at.count == 0) o.of[o.count++] = {run.a, run.b, run.count, nullptr};
      else note_border(at, run, o);
    }
  }
  void note_border(border const& at, step_run_at const& run, operands& o) const {
    int const rows = height();
    bool goes_on = false;
    for (int p = 0; p < run.count; ++p) {
      bool const inside = all_read(at, run, p);
      if (inside && goes_on) ++o.of[o.count - 1].count;
      else {
        Sum const** const pointer = o.pointer[o.count];
        extent const a = run.a + p * o.a_step;
        o.of[o.count++] = {a, run.b + p * o.b_step, 1, inside ? nullptr : pointer};
        for (int r = 0; r < rows && !inside; ++r)
          pointer[r] = reads(at, r, run, p) ? o.x + (rows_.a[r] + a) : zeros;
      }
      goes_on = inside;
    }
  }
  // Rows of the kernel that the tile has.
  static constexpr int middle = most_rows == 14 ? 9 : 5, lowest = middle / 2;
  int height() const {
    return rows_.count > middle ? most_rows : rows_.count > lowest ? middle : lowest;
  }

  // All steps of a chunk of channels [j, j + n).
  void channels(extent j, extent n) {
    alignas(64) Sum sums[most_rows * chunk];
    operands o;
    windowed_walk step(form_.steps, 0);
    int at = 0;
    if (!one_block_) steps_[at].take(step, static_cast<int>(block_), form_.windows);
    extent k = 0;
    do { // once where nothing is summed
      step_list const& now = steps_[at];
      note_operands(now, j, o);
      bool const goes_on = k > 0;
      k += now.steps;
      at = 1 - at;
      if (extent const left = step_count_ - k; left > 0) {
        step_list& next = steps_[at];
        next.take(step, static_cast<int>(left < block_ ? left : block_), form_.windows);
        o.ahead_a = (next.run[0].a - now.run[0].a) * static_cast<extent>(sizeof(Sum));
        o.ahead_b = (next.run[0].b - now.run[0].b) * static_cast<extent>(sizeof(Sum));
      }
      for (extent y = 0; y < n; y += lanes)
        tile_of(o, sums, j, y, static_cast<int>(n - y < lanes ? n - y : lanes), goes_on,
                k == step_count_);
    } while (k < step_count_);
  }
  void tile_of(operands const& o, Sum* sums, extent j, extent y, int width, bool goes_on,
               bool last) const {
    static constexpr auto buffer_rows = [] {
      std::array<extent, most_rows> r{};
      for (unsigned i = 0; i < most_rows; ++i) r[i] = static_cast<extent>(i) * chunk;
      return r;
    }();
    Sum const* const from = goes_on ? sums + y : nullptr;
    Sum* to = sums + y;
    extent const* to_row = buffer_rows.data();
    bool const direct = in_place && last && !arrays_.bias && width == lanes;
    if constexpr (in_place)
      if (direct) {
        to = arrays_.out + (j + y);
        to_row = rows_.out;
      }
    int const rows = height();
    if (rows == most_rows) tile_in<most_rows>(o, y, width, from, to, to_row);
    else if (rows == middle) tile_in<middle>(o, y, width, from, to, to_row);
    else tile_in<lowest>(o, y, width, from, to, to_row);
    if (last && !direct)
      for (int r = 0; r < rows_.count; ++r)
        finish(sums + r * chunk + y, rows_.out[r], rows_.bias[r], j + y, width);
  }
  template <int Rows>
  static void tile_in(operands const& o, extent y, int width, Sum const* from, Sum* to,
                      extent const* to_row) {
    if (width == lanes) tile<Rows, true>(o, y, width, from, to, to_row);
    else tile<Rows, false>(o, y, width, from, to, to_row);
  }
  // Sums go on from `from`, rows of the buffer, or start; and to rows of the buffer or out.
  template <int Rows, bool Whole>
  WEFT_NOINLINE WEFT_FAST static void tile(operands const& o, extent y, int width, Sum const* from,
                                           Sum* to, extent const* to_row) {
    auto const load = [&](Sum const* p) WEFT_LAMBDA {
      if constexpr (Whole) return cpu::load<Target>(p);
      else return cpu::load_first<Target>(p, width);
    };
    pack sum[Rows];
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r)
      sum[r] = from ? cpu::load<Target>(from + r * chunk) : pack(Sum{});
    for (int n = 0; n < o.count; ++n) {
      segment const& k = o.of[n];
      Sum const* const w = o.w + (k.b + y);
      if (k.by_row) {
        pack const factor = load(w);
#pragma GCC unroll 16
        for (int r = 0; r < Rows; ++r)
          sum[r] = multiply_add_packs(load(k.by_row[r] + y), factor, sum[r]);
        continue;
      }
      Sum const* row[Rows];
#pragma GCC unroll 16
      for (int r = 0; r < Rows; ++r) row[r] = o.x + (o.row[r] + k.a + y);
      extent a = 0;
      for (int p = 0; p < k.count; ++p, a += o.a_step) {
        Sum const* const at = w + p * o.b_step;
        pack const factor = load(at);
        cpu::fetch_line(at, o.ahead_b);
        cpu::fetch_line(row[Rows - 1] + a, o.ahead_a);
#pragma GCC unroll 16
        for (int r = 0; r < Rows; ++r)
          sum[r] = multiply_add_packs(load(row[r] + a), factor, sum[r]);
      }
    }
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r) cpu::store(to + to_row[r], sum[r]);
  }
  // One row's channels from `channel` on.
  void finish(Sum const* sums, extent out, extent bias, extent channel, int width) const {
    extent const step = form_.channels.inner().stride.bias;
    for (int c = 0; c < width; ++c)
      arrays_.finish(sums[c], out + channel + c, bias + (channel + c) * step);
  }

  depthwise_form const& form_;
  call arrays_;
  windowed_axis step_; // from a step to the next of its run
  extent step_count_, block_ = most_steps;
  bool one_block_ = false;
  row_list rows_;      // of the tile in hand
  step_list steps_[2]; // of the block in hand, and the next
};

} // namespace detail
} // namespace weft::inline v0
