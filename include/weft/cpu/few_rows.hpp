// SPDX-License-Identifier: BSL-1.0
// Products of one to four rows whose columns lie side by side in b: what a convolution with few
// features is, once its places fill packs. Columns are read where they lie, many packs at a time, so
// that few rows keep the multipliers busy; the rows, few numbers, are packed.
//   few_rows_plan::fits(p)     few_rows_kernel(p, plan, arrays, scratch).run(lines)
// Needs: order chain, B of the type of the sums; few_rows_plan::bytes(p) of scratch per worker.
// Leaves: the bits of cpu/chain.hpp.
#pragma once

#include <weft/cpu/micro_kernel.hpp>
#include <weft/cpu/panel.hpp>
#include <weft/cpu/product_call.hpp>
#include <weft/cpu/scratch.hpp>

namespace weft::inline v0 {
namespace detail {

inline constexpr int most_few_rows = 4;
// Packs of a tile: sums, one pack of b and the rows' factors fill the register file.
template <class Target, class Sum> constexpr int packs_of_few(int rows) {
  int const room = Target::lanes == 16 ? 28 : Target::lanes == 8 ? 12 : 8;
  int const packs = room / (rows * (sizeof(Sum) == 8 ? 2 : 1));
  return packs < 1 ? 1 : packs > 8 ? 8 : packs;
}

// A run of steps along k in both operands.
struct few_rows_run {
  extent a, b, count, a_step, b_step;
};
struct few_rows_plan {
  static constexpr extent most_steps = 1 << 14;
  static constexpr int most_runs = 256;
  int run_count = 0;
  few_rows_run runs[most_runs];

  static bool fits(product_form const& p, extent lanes) {
    extent const m = p.m.count(), last = p.k.inner().size;
    bool const neighbours = p.n.rank > 0 && p.n.inner().stride.b == 1;
    return neighbours && 1 <= m && m <= most_few_rows && p.n.inner().size >= lanes &&
           p.k.count() <= most_steps && (last == 0 || p.k.count() / last <= most_runs);
  }
  template <class Sum> static constexpr extent bytes(product_form const& p) {
    return aligned_bytes(p.k.count() * p.m.count() * static_cast<extent>(sizeof(Sum)));
  }
  explicit few_rows_plan(product_form const& p) {
    places const step = p.k.inner().stride;
    for (extent q = 0, run; q < p.k.count(); q += run) {
      run = p.k.run(q, p.k.count() - q);
      places const at = p.k.at(q);
      runs[run_count++] = {at.a, at.b, run, step.a, step.b};
    }
  }
};

template <class Target, class A, class Sum, class Out, class Bias> class few_rows_kernel {
public:
  using call = product_call<A, Sum, Out, Bias>;
  static constexpr int lanes = Target::lanes;

  few_rows_kernel(product_form const& p, few_rows_plan const& plan, call const& arrays,
                  cpu::scratch memory)
      : p_(p), plan_(plan), arrays_(arrays), factors_(reinterpret_cast<Sum*>(memory.memory)),
        rows_(static_cast<int>(p.m.count())) {
    for (int r = 0; r < rows_; ++r) at_[r] = p.m.at(r);
    Sum* to = factors_;
    for (few_rows_run const& k : view<few_rows_run>(plan.runs, plan.run_count)) {
      for (int r = 0; r < rows_; ++r)
        pack_line(arrays.a + at_[r].a + k.a, k.a_step, k.count, to + r, rows_);
      to += k.count * rows_;
    }
  }
  // Columns [first, last).
  void run(extent first, extent last) const {
    extent told = first;
    for (extent j = first, count; j < last; j += count) {
      count = p_.n.run(j, last - j);
      line(j, count);
      if ((j + count - told) * rows_ < least_part && j + count < last) continue;
      arrays_.tell(p_, 0, rows_, told, j + count - told);
      told = j + count;
    }
  }

private:
  using pack = cpu::pack_for<Target, Sum>;

  WEFT_FAST static void pack_line(A const* from, extent step, extent count, Sum* to, int rows) {
    for (extent q = 0; q < count; ++q) to[q * rows] = widened<Sum>(from[q * step]);
  }
  void line(extent j, extent count) const {
    switch (rows_) {
      case 1: return line_of<1>(j, count);
      case 2: return line_of<2>(j, count);
      case 3: return line_of<3>(j, count);
      default: return line_of<4>(j, count);
    }
  }
  template <int Rows> void line_of(extent j, extent count) const {
    constexpr int packs = packs_of_few<Target, Sum>(Rows);
    places const at = p_.n.at(j);
    extent x = 0;
    for (; x + packs * lanes <= count; x += packs * lanes) tile<Rows, packs>(at, x, lanes);
    if constexpr (packs > 2)
      for (; x + 2 * lanes <= count; x += 2 * lanes) tile<Rows, 2>(at, x, lanes);
    for (; x < count; x += lanes)
      tile<Rows, 1>(at, x, static_cast<int>(count - x < lanes ? count - x : lanes));
  }
  // Columns x ... of the line that starts at `line`; of the last pack the first `width`.
  template <int Rows, int Packs>
  WEFT_NOINLINE WEFT_FAST void tile(places const& line, extent x, int width) const {
    // Is there a register for a pack of b, beside sums and factors?
    constexpr bool fits = (Rows * Packs + Rows + 1) * (sizeof(Sum) == 8 ? 2 : 1) <=
                          (lanes == 16 ? 32 : 16);
    pack sum[Rows][Packs];
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < Packs; ++v) sum[r][v] = pack(Sum{});
    Sum const* a = factors_;
    Sum const* const from = arrays_.b + line.b + x;
    for (few_rows_run const& k : view<few_rows_run>(plan_.runs, plan_.run_count)) {
      Sum const* b = from + k.b;
      for (extent q = 0; q < k.count; ++q, a += Rows, b += k.b_step) {
        pack factor[Rows];
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) factor[r] = pack(a[r]);
#pragma GCC unroll 8
        for (int v = 0; v < Packs; ++v) {
          pack column = Packs == 1 ? cpu::load_first<Target>(b, width)
                                   : cpu::load<Target>(b + v * lanes);
          if constexpr (Rows > 1 && fits) cpu::hold(column);
#pragma GCC unroll 8
          for (int r = 0; r < Rows; ++r)
            sum[r][v] = multiply_add_packs(factor[r], column, sum[r][v]);
        }
      }
    }
    places const step = p_.n.inner().stride;
    alignas(64) Sum values[lanes];
    for (int r = 0; r < Rows; ++r)
      for (int v = 0; v < Packs; ++v) {
        cpu::store(values, sum[r][v]);
        extent const first = x + v * lanes;
        extent const out = at_[r].out + line.out, bias = at_[r].bias + line.bias;
        for (int c = 0; c < (Packs == 1 ? width : lanes); ++c)
          arrays_.finish(values[c], out + (first + c) * step.out, bias + (first + c) * step.bias);
      }
  }

  product_form const& p_;
  few_rows_plan const& plan_;
  call arrays_;
  Sum* factors_;
  int rows_;
  places at_[most_few_rows];
};

template <class Target, class A, class Sum, class Out, class Bias, class Executor>
void multiply_few_rows(product_form const& p, product_call<A, Sum, Out, Bias> const& arrays,
                       cpu::scratch memory, Executor& executor) {
  few_rows_plan const plan(p);
  extent const n = p.n.count(), batches = p.batch.count(), line = p.n.inner().size;
  extent const lines = line == 0 ? 0 : n / line;
  bool const alone = executor.threads() == 1 || p.count() * p.k.count() < 1 << 16;
  extent const wanted = alone ? 1 : 4 * executor.threads();
  extent const by_batch = batches < wanted ? batches : wanted;
  extent const by_lines = by_batch >= wanted ? 1 : lines < wanted ? lines : wanted;
  executor.parallel_for(static_cast<int>(by_batch * by_lines), [&](int task, int worker) {
    extent const b = task / by_lines, l = task % by_lines;
    for (extent at = batches * b / by_batch; at < batches * (b + 1) / by_batch; ++at)
      few_rows_kernel<Target, A, Sum, Out, Bias>(p, plan, arrays.at(p.batch.at(at)),
                                                 memory.part(worker, few_rows_plan::bytes<Sum>(p)))
          .run(lines * l / by_lines * line, lines * (l + 1) / by_lines * line);
  });
}

} // namespace detail
} // namespace weft::inline v0
