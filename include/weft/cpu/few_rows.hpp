// SPDX-License-Identifier: BSL-1.0
// Products of one to four rows whose columns lie side by side in b: what a convolution with few
// features is, once its places fill packs. Columns are read where they lie, many packs at a time, of
// one line or of several, so that few rows keep the multipliers busy; the rows, few numbers, are
// packed.
//   few_rows_plan::fits(p)     few_rows_kernel(p, plan, arrays, scratch).run(first, last)
// Needs: order chain, B of the type of the sums, no start; few_rows_plan::bytes(p) of scratch per
// worker.
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
  // Columns [first, last), of whole lines.
  void run(extent first, extent last) const {
    switch (rows_) {
      case 1: return run_of<1>(first, last);
      case 2: return run_of<2>(first, last);
      case 3: return run_of<3>(first, last);
      default: return run_of<4>(first, last);
    }
  }

private:
  using pack = cpu::pack_for<Target, Sum>;

  WEFT_FAST static void pack_line(A const* from, extent step, extent count, Sum* to, int rows) {
    for (extent q = 0; q < count; ++q) to[q * rows] = widened<Sum>(from[q * step]);
  }
  // A pack of neighbours of one line. The last of a line begins where it is whole: what it has in
  // common with the one before is computed twice.
  struct column_pack {
    Sum const* b;
    extent out, bias; // of its first lane
  };
  template <int Rows> void run_of(extent first, extent last) const {
    constexpr int most = packs_of_few<Target, Sum>(Rows);
    column_pack at[most];
    int taken = 0;
    extent told = first;
    for (extent j = first, count; j < last; j += count) {
      count = p_.n.run(j, last - j);
      places const line = p_.n.at(j), step = p_.n.inner().stride;
      for (extent x = 0; x < count; x += lanes) {
        extent const from = x + lanes <= count ? x : count - lanes;
        at[taken++] = {arrays_.b + line.b + from, line.out + from * step.out,
                       line.bias + from * step.bias};
        if (taken < most) continue;
        tile<Rows, most>(at);
        taken = 0;
        if ((j - told) * rows_ < least_part) continue;
        arrays_.tell(p_, 0, rows_, told, j - told);
        told = j;
      }
    }
    constexpr int few = most < 2 ? most : 2;
    int const width = taken <= few ? few : most;
    for (int v = taken; v < width && taken > 0; ++v) at[v] = at[taken - 1];
    if (taken > few) tile<Rows, most>(at);
    else if (taken > 0) tile<Rows, few>(at);
    arrays_.tell(p_, 0, rows_, told, last - told);
  }
  template <int Rows, int Packs> WEFT_NOINLINE WEFT_FAST void tile(column_pack const* at) const {
    // Is there a register for a pack of b, beside sums and factors?
    constexpr bool fits = (Rows * Packs + Rows + 1) * (sizeof(Sum) == 8 ? 2 : 1) <=
                          (lanes == 16 ? 32 : 16);
    pack sum[Rows][Packs];
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < Packs; ++v) sum[r][v] = pack(Sum{});
    Sum const* from[Packs];
#pragma GCC unroll 8
    for (int v = 0; v < Packs; ++v) from[v] = at[v].b;
    Sum const* a = factors_;
    for (few_rows_run const& k : view<few_rows_run>(plan_.runs, plan_.run_count)) {
      extent b = k.b;
      for (extent q = 0; q < k.count; ++q, a += Rows, b += k.b_step) {
        pack factor[Rows];
#pragma GCC unroll 8
        for (int r = 0; r < Rows; ++r) factor[r] = pack(a[r]);
#pragma GCC unroll 8
        for (int v = 0; v < Packs; ++v) {
          pack column = cpu::load<Target>(from[v] + b);
          if constexpr (Rows > 1 && fits) cpu::hold(column);
#pragma GCC unroll 8
          for (int r = 0; r < Rows; ++r)
            sum[r][v] = multiply_add_packs(factor[r], column, sum[r][v]);
        }
      }
    }
    alignas(64) Sum sums[Rows * Packs * lanes];
#pragma GCC unroll 8
    for (int r = 0; r < Rows; ++r)
#pragma GCC unroll 8
      for (int v = 0; v < Packs; ++v) cpu::store(sums + (r * Packs + v) * lanes, sum[r][v]);
    finish(sums, at, Packs);
  }
  WEFT_NOINLINE void finish(Sum const* sums, column_pack const* at, int packs) const {
    for (int r = 0; r < rows_; ++r)
      for (int v = 0; v < packs; ++v, sums += lanes) {
        extent const out = at_[r].out + at[v].out, bias = at_[r].bias + at[v].bias;
        if (arrays_.bias == nullptr) finish_pack(sums, arrays_.out + out);
        else finish_pack(sums, out, bias);
      }
  }
  void finish_pack(Sum const* sums, Out* to) const {
    extent const step = p_.n.inner().stride.out;
    if constexpr (std::is_same_v<Out, Sum>)
      if (step == 1) return cpu::store(to, cpu::load<Target>(sums));
#pragma GCC unroll 16
    for (int c = 0; c < lanes; ++c) to[c * step] = static_cast<Out>(sums[c]);
  }
  void finish_pack(Sum const* sums, extent out, extent bias) const {
    places const step = p_.n.inner().stride;
    for (int c = 0; c < lanes; ++c)
      arrays_.finish(sums[c], out + c * step.out, bias + c * step.bias);
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
