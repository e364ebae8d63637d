// SPDX-License-Identifier: BSL-1.0
// Products without columns whose batches lie side by side in a, b and out: what a depthwise
// convolution is, and its derivatives. Batches fill the packs; a tile is some rows of one pack, in
// registers over all of k.
//   channel_plan::fits(p)     channel_kernel(p, arrays, plan).run(rows, batches)
// Needs: order chain, A and B of the type of the sums, strides of 1 along the innermost batch axis.
// Leaves: the bits of cpu/chain.hpp.
#pragma once

#include <weft/cpu/micro_kernel.hpp>
#include <weft/cpu/product_call.hpp>

namespace weft::inline v0 {
namespace detail {

// A run of steps along k in both operands.
struct channel_run {
  extent a, b, count, a_step, b_step;
};

struct channel_plan {
  static constexpr int most_runs = 256;
  int run_count = 0;
  channel_run runs[most_runs];

  static bool fits(product_form const& p, extent lanes) {
    places const& inner = p.batch.inner().stride;
    bool const neighbours = p.batch.rank > 0 && inner.a == 1 && inner.b == 1 && inner.out == 1;
    extent const last = p.k.inner().size;
    return neighbours && p.n.count() == 1 && p.batch.inner().size * 2 >= lanes &&
           (last == 0 || p.k.count() / last <= most_runs);
  }
  explicit channel_plan(product_form const& p) {
    places const step = p.k.inner().stride;
    for (extent q = 0, run; q < p.k.count(); q += run) {
      run = p.k.run(q, p.k.count() - q);
      places const at = p.k.at(q);
      runs[run_count++] = {at.a, at.b, run, step.a, step.b};
    }
  }
};

template <class Target, class Sum, class Out, class Bias> class channel_kernel {
public:
  using call = product_call<Sum, Sum, Out, Bias>;
  static constexpr int lanes = Target::lanes, most_rows = Target::lanes == 16 ? 12 : 8;

  channel_kernel(product_form const& p, channel_plan const& plan, call const& arrays)
      : p_(p), plan_(plan), arrays_(arrays) {}

  // Rows [i, i + m) of batches [j, j + n) along the innermost axis; the arrays stand at the others'.
  void run(extent i, extent m, extent j, extent n) const {
    for (extent x = 0, told = 0; x < m; x += most_rows) {
      int const rows = static_cast<int>(m - x < most_rows ? m - x : most_rows);
      places at[most_rows];
      for (int r = 0; r < rows; ++r) at[r] = p_.m.at(i + x + r);
      for (extent y = j; y < j + n; y += lanes) {
        int const width = static_cast<int>(j + n - y < lanes ? j + n - y : lanes);
        tile(at, rows, y, width);
      }
      if (!arrays_.after || ((x + rows - told) * n < least_part && x + rows < m)) continue;
      tell(i + told, x + rows - told, j, n);
      told = x + rows;
    }
  }

private:
  using pack = cpu::pack_for<Target, Sum>;
  static constexpr bool in_place = std::is_same_v<Out, Sum>;

  template <int Rows, bool Whole>
  WEFT_INLINE void sums(Sum const* const* a, Sum const* b, int width, pack* sum) const {
    auto const load = [&](Sum const* p) WEFT_LAMBDA {
      if constexpr (Whole) return cpu::load<Target>(p);
      else return cpu::load_first<Target>(p, width);
    };
    pack value[Rows];
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r) value[r] = pack(Sum{});
    for (channel_run const& k : view<channel_run>(plan_.runs, plan_.run_count)) {
      extent at = k.a;
      Sum const* right = b + k.b;
      for (extent p = 0; p < k.count; ++p, at += k.a_step, right += k.b_step) {
        pack const factor = load(right);
#pragma GCC unroll 16
        for (int r = 0; r < Rows; ++r)
          value[r] = multiply_add_packs(load(a[r] + at), factor, value[r]);
      }
    }
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r) sum[r] = value[r];
  }
  void tile(places const* at, int rows, extent batch, int width) const {
    Sum const* a[most_rows];
    pack sum[most_rows];
    for (int r = 0; r < most_rows; ++r) a[r] = arrays_.a + at[r < rows ? r : 0].a + batch;
    Sum const* const b = arrays_.b + batch;
    if (width < lanes) sums<most_rows, false>(a, b, width, sum);
    else if (rows == most_rows) sums<most_rows, true>(a, b, width, sum);
    else if (rows > most_rows / 2) sums<most_rows, true>(a, b, width, sum);
    else if (rows > 2) sums<most_rows / 2, true>(a, b, width, sum);
    else sums<2, true>(a, b, width, sum);
    for (int r = 0; r < rows; ++r) {
      extent const out = at[r].out + batch;
      if constexpr (in_place)
        if (!arrays_.bias) {
          if (width == lanes) cpu::store(arrays_.out + out, sum[r]);
          else cpu::store_first(arrays_.out + out, sum[r], width);
          continue;
        }
      finish(sum[r], out, at[r].bias + batch * p_.batch.inner().stride.bias, width);
    }
  }
  void tell(extent i, extent m, extent j, extent n) const {
    product_axes inner;
    inner.push(p_.batch.inner());
    tell_parts(arrays_.after, inner, p_.m, j, n, i, m);
  }
  void finish(pack const& sum, extent out, extent bias, int width) const {
    alignas(64) Sum values[lanes];
    cpu::store(values, sum);
    for (int c = 0; c < width; ++c)
      arrays_.finish(values[c], out + c, bias + c * p_.batch.inner().stride.bias);
  }

  product_form const& p_;
  channel_plan const& plan_;
  call arrays_;
};

// The whole product: tasks are blocks of rows, or of batches where there are few rows.
template <class Target, class Sum, class Out, class Bias, class Executor>
void multiply_channels(product_form const& p, product_call<Sum, Sum, Out, Bias> const& arrays,
                       Executor& executor) {
  using kernel = channel_kernel<Target, Sum, Out, Bias>;
  channel_plan const plan(p);
  product_axes outer = p.batch;
  --outer.rank;
  extent const n = p.batch.inner().size, m = p.m.count(), others = outer.count();
  bool const alone = executor.threads() == 1 || p.count() * p.k.count() < 1 << 16;
  extent const parts = alone ? 1 : 4 * executor.threads();
  extent const blocks = share_count(m, kernel::most_rows), packs = share_count(n, kernel::lanes);
  extent const by_rows = blocks < parts ? blocks : parts;
  extent const by_packs = by_rows >= parts / 2 ? 1 : packs < parts ? packs : parts;
  executor.parallel_for(static_cast<int>(others * by_rows * by_packs), [&](int task, int) {
    extent const row = task % by_rows, pack = task / by_rows % by_packs,
                 other = task / (by_rows * by_packs);
    extent const i = blocks * row / by_rows * kernel::most_rows,
                 i_end = blocks * (row + 1) / by_rows * kernel::most_rows;
    extent const j = packs * pack / by_packs * kernel::lanes,
                 j_end = packs * (pack + 1) / by_packs * kernel::lanes;
    kernel(p, plan, arrays.at(outer.at(other)))
        .run(i, (i_end < m ? i_end : m) - i, j, (j_end < n ? j_end : n) - j);
  });
}

} // namespace detail
} // namespace weft::inline v0
