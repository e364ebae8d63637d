// SPDX-License-Identifier: BSL-1.0
// Products in chain order: blocks of a and b are packed for the caches (Goto, van de Geijn: Anatomy
// of High-Performance Matrix Multiplication, 2008), tiles of out are computed in registers, and a
// tile that is visited once per block of k goes on from what it has: one chain per element. Gathered
// tiles leave out steps that multiply zeros around x, where no bit changes (cpu/padding_runs.hpp).
// Needs: a product of order chain, and `chain_plan::bytes` of scratch. Leaves: out written once per
// element at the end, and between blocks of k where Out is the type of the sums.
#pragma once

#include <weft/cpu/chain_tiles.hpp>
#include <weft/cpu/padding_runs.hpp>
#include <weft/cpu/pair_kernel.hpp>
#include <weft/cpu/panel.hpp>
#include <weft/cpu/scratch.hpp>

#include <type_traits>

namespace weft::inline v0 {
namespace detail {

template <class Target, class A, class B, class Out, class Bias, bool Gathers = false>
class chain_kernel : chain_tiles<Target, A, B, Out, Bias, Gathers> {
  using tiles = chain_tiles<Target, A, B, Out, Bias, Gathers>;

public:
  using typename tiles::call, typename tiles::plan, typename tiles::sum;

  // held: b as hold() packed it, if it is.
  chain_kernel(product_form const& p, plan const& how, call const& arrays, cpu::scratch memory,
               sum* held = nullptr)
      : tiles(p, how, arrays,
              reinterpret_cast<sum*>(memory.memory + plan::bytes_of(how.a_count) +
                                     plan::bytes_of(how.b_count))),
        packed_a_(reinterpret_cast<sum*>(memory.memory)),
        packed_b_(reinterpret_cast<sum*>(memory.memory + plan::bytes_of(how.a_count))),
        held_(held) {}

  // Rows [i, i + m) and columns [j, j + n) of out.
  void run(extent i, extent m, extent j, extent n) {
    for (extent y = 0; y < n; y += plan_.columns)
      for (extent x = 0; x < m; x += plan_.rows)
        block_of_out({i + x, least(plan_.rows, m - x)}, {j + y, least(plan_.columns, n - y)});
  }

  // What is held: blocks of k, in each the panels of all columns.
  static constexpr bool can_be_held() { return !Gathers && !in_pairs; }
  static extent held_count(product_form const& p) { return padded_columns(p) * p.k.count(); }
  // Packs columns [j, j + n) of b; j at the beginning of a tile.
  void hold(extent j, extent n) {
    for (extent k = 0, count; k < plan_.k; k += count) {
      count = least(block::depth, plan_.k - k);
      packed_b_ = held_ + k * padded_columns(p_) + j * count;
      pack_b({j, n}, {k, count, false, false});
    }
  }

private:
  using typename tiles::block, typename tiles::range, typename tiles::steps;
  using typename tiles::tile_span, typename tiles::none;
  using tiles::p_, tiles::plan_, tiles::arrays_, tiles::first_row_, tiles::first_column_,
      tiles::rows_, tiles::tile_rows, tiles::tile_columns;
  using tiles::span_of, tiles::note_rows, tiles::each_row, tiles::row_at;
  using tiles::load_row, tiles::store_row, tiles::finish_row, tiles::add_bias;
  static constexpr bool all_packed = !std::is_same_v<A, sum> && !std::is_same_v<B, sum>;
  static constexpr bool in_pairs = has_pairs<Target> && std::is_same_v<A, bf16> &&
                                   std::is_same_v<B, bf16> && std::is_same_v<sum, float>;
  static extent padded_columns(product_form const& p) {
    return share_count(p.n.count(), tile_columns) * tile_columns;
  }

  void block_of_out(range rows, range columns) {
    first_row_ = rows.first;
    first_column_ = columns.first;
    if constexpr (in_pairs) wide_ = arrays_.start && !has_coarse_start(rows, columns);
    extent k = 0;
    do { // once where k is empty: out becomes start, or 0
      extent const count = least(block::depth, plan_.k - k);
      steps const s{k, count, k == 0, k + count == plan_.k};
      if (!plan_.direct_b && !plan_.gathered_b && !plan_.by_panels && held_ == nullptr)
        pack_b(columns, s);
      extent const height = height_of_blocks(columns.count);
      for (extent x = 0; x < rows.count; x += height) {
        range const r{rows.first + x, least(height, rows.count - x)};
        block_of_rows(r, columns, s);
        if (s.last) arrays_.tell(p_, r.first, r.count, columns.first, columns.count);
      }
      k += count;
    } while (k < plan_.k);
  }

  extent height_of_blocks(extent width) const {
    constexpr extent most = plan::near_elements;
    if (!arrays_.after || plan_.by_panels || block::rows * width <= most) return block::rows;
    extent const high = most / (width * tile_rows); // in tiles
    return (high < 2 ? 2 : high) * tile_rows;
  }
  void block_of_rows(range rows, range columns, steps const& s) {
    tile_step<sum> step{};
    if constexpr (Gathers) {
      note_rows(rows);
      if (plan_.gathered) note_runs(s, step, &places::a);
      if (plan_.gathered_b) note_runs(s, step, &places::b);
    }
    if (!plan_.direct_a && !plan_.gathered) pack_a(rows, s);
    if (!plan_.by_panels) keep_exact(rows, columns, s);
    step.depth = words_of(s);
    extent first_tile = 0;
    if constexpr (Gathers) first_tile = note_padding(rows, s, step);
    for (extent y = 0, width; y < columns.count; y += width) {
      width = least(tile_columns, columns.count - y);
      if (plan_.gathered_b || plan_.lined_b) width = p_.n.run(columns.first + y, width);
      tile_span const span = span_of(columns.first + y, width);
      tile_form const form = place_b(rows, span, s, step);
      sum const* packed = packed_a_;
      if constexpr (Gathers) padding_.factors = finiteness::unknown;
      for (extent x = first_tile, height, done = 0; done < rows.count; done += height) {
        extent const i = rows.first + x, left = rows.count - x;
        height = height_of_tile(left);
        place_a(i, x, s, packed, step);
        if constexpr (Gathers)
          if (padding_.any)
            padding_.narrow(p_.padding, i, height, step.runs, step.run_count, s.first);
        expect_tile({i + height, least(tile_rows, left - height)}, span);
        tile({i, height}, span, s, form, step);
        x = x + height < rows.count ? x + height : 0;
      }
    }
  }

  // Where a tile's rows of a are, packed or as they lie: those from i on, the x-th of their block.
  WEFT_INLINE void place_a(extent i, [[maybe_unused]] extent x, steps const& s, sum const*& packed,
                           tile_step<sum>& step) const {
    if (plan_.direct_a) {
      if constexpr (std::is_same_v<A, sum>) step.a = arrays_.a + p_.m.at(i).a + p_.k.at(s.first).a;
      step.a_row = p_.m.inner().stride.a;
      step.a_step = p_.k.inner().stride.a;
    } else if (plan_.gathered) {
      if constexpr (Gathers) step.rows = rows_.of_a + x;
    } else {
      step.a = packed;
      packed += tile_rows * step.depth;
      step.a_row = 1;
      step.a_step = tile_rows;
    }
  }
  // Where a tile's columns of b are, packed or as they lie; and how the tile is computed.
  tile_form place_b(range rows, tile_span const& span, steps const& s, tile_step<sum>& step) {
    bool const is_whole = span.count == tile_columns, is_line = plan_.lined_b && is_whole;
    extent const first = span.first;
    range const columns{first, span.count};
    step.b_step = step.columns = tile_columns;
    if (plan_.gathered_b && is_whole) {
      if constexpr (std::is_same_v<B, sum>) step.b = arrays_.b + p_.n.at(first).b;
      return tile_form::gathered_b;
    }
    if (plan_.direct_b || is_line) {
      step.b_step = p_.k.inner().stride.b;
      step.columns = span.count;
      if constexpr (std::is_same_v<B, sum>)
        step.b = arrays_.b + p_.n.at(first).b + s.first * step.b_step;
    } else if (held_ != nullptr) step.b = held_ + s.first * padded_columns(p_) + first * step.depth;
    else if (plan_.gathered_b || plan_.by_panels) {
      pack_b(columns, s);
      if (plan_.by_panels) keep_exact(rows, columns, s);
      step.depth = words_of(s);
      step.b = packed_b_;
    } else step.b = packed_b_ + (first - first_column_) * step.depth;

    tile_form form = tile_form::packed;
    if (plan_.gathered) form = tile_form::gathered;
    else if (plan_.direct_b && !is_whole) form = tile_form::narrow;
    else if (plan_.direct_b || plan_.direct_a) form = tile_form::direct;
    if constexpr (tile_columns > Target::lanes)
      if (span.count <= Target::lanes) return thin_form(form);
    return form;
  }

  // After packing: where pairs might not be exact, both operands are packed again, as floats.
  void keep_exact([[maybe_unused]] range rows, [[maybe_unused]] range columns,
                  [[maybe_unused]] steps const& s) {
    if constexpr (in_pairs)
      if (!wide_ && !range_.is_exact()) {
        wide_ = true; // and stays so: sums that go on may be subnormal
        pack_b(columns, s);
        pack_a(rows, s);
      }
  }

  // A tile of few rows waits for its sums: the last two share what is left.
  static extent height_of_tile(extent left) {
    if (left <= tile_rows || left >= 2 * tile_rows) return least(tile_rows, left);
    return share_count(left, 2);
  }

  // The next tile's sums are asked for while this one is computed.
  WEFT_INLINE void expect_tile(range rows, tile_span const& span) const {
    if constexpr (std::is_same_v<Out, sum>)
      if (span.straight)
        each_row(rows, [to = arrays_.out + span.out[0]](extent, extent at) WEFT_LAMBDA {
          for (int y = 0; y < tile_columns; y += 64 / int{sizeof(sum)})
            __builtin_prefetch(to + at + y, 1);
        });
  }
  // (Inlined where tiles are straight: a short k leaves little to hide a call behind.)
  WEFT_INLINE void tile(range rows, tile_span const& span, steps const& s, tile_form form,
                        tile_step<sum>& step) {
    if constexpr (std::is_same_v<Out, sum>)
      if (span.straight && (span.added || !s.last || !arrays_.bias))
        return straight_tile(rows, span, s, form, step);
    scattered_tile(rows, span, s, form, step);
  }
  WEFT_INLINE void straight_tile(range rows, tile_span const& span, steps const& s, tile_form form,
                                 tile_step<sum>& step) {
    int const height = static_cast<int>(rows.count);
    sum* to[tile_rows];
    sum const* from[tile_rows];
    each_row(rows, [&to, out = arrays_.out + span.out[0]](extent x, extent at)
                       WEFT_LAMBDA { to[x] = out + at; });
    step.to = to;
    step.from = s.fresh ? nullptr : to;
    if (s.fresh && arrays_.start) {
      for (int x = 0; x < height; ++x) from[x] = arrays_.start + (to[x] - arrays_.out);
      step.from = from;
    }
    multiply(form, height, step);
    if constexpr (std::is_same_v<Bias, sum>)
      if (s.last && arrays_.bias)
        for (int x = 0; x < height; ++x)
          add_bias(to[x], row_at(rows.first + x).bias + span.bias[0], to[x]);
  }
  WEFT_NOINLINE void scattered_tile(range rows, tile_span const& span, steps const& s,
                                    tile_form form, tile_step<sum>& step) {
    int const height = static_cast<int>(rows.count);
    bool const reads = !s.fresh || arrays_.start;
    sum* to[tile_rows];
    alignas(64) sum values[tile_rows][tile_columns];
    for (int x = 0; x < height; ++x) {
      to[x] = values[x];
      if (reads) load_row(rows.first + x, span, s, values[x]);
    }
    step.from = reads ? to : nullptr;
    step.to = to;
    multiply(form, height, step);
    if constexpr (is_half(dtype_of<Out>))
      if (s.last && span.whole && (!arrays_.bias || p_.n.inner().stride.bias == 1)) {
        each_row(rows, [&](extent x, extent at)
                           WEFT_LAMBDA { finish_row(values[x], rows.first + x, at, span); });
        return;
      }
    for (int x = 0; x < height; ++x) store_row(rows.first + x, span, s, values[x]);
  }
  void multiply(tile_form form, int height, tile_step<sum> const& step) {
    if constexpr (in_pairs)
      if (!wide_) return pair_kernels<Target>[static_cast<unsigned>(height - 1)](step);
    if constexpr (Gathers)
      if (padding_.any && padding_.leaves_out(step.run_count) &&
          padding_.factors == finiteness::finite)
        return multiply_without_padding(form, height, step);
    multiply_tile<Target, sum, all_packed, Gathers>(form, height, step);
    if constexpr (Gathers)
      if (padding_.any && padding_.factors == finiteness::unknown)
        padding_.factors = are_finite<Target>(step.to[0], packs_of(form)) ? finiteness::finite
                                                                          : finiteness::not_finite;
  }

  void note_runs(steps const& s, tile_step<sum>& step, extent places::*side) {
    for (extent q = 0, run; q < s.count; q += run) {
      run = p_.k.run(s.first + q, s.count - q);
      runs_[step.run_count++] = {p_.k.at(s.first + q).*side, run, p_.k.inner().stride.*side};
    }
    step.runs = runs_;
  }

  // The first tile that takes all steps, or 0: it is computed first, and its sums show whether factors
  // are finite.
  extent note_padding(range rows, steps const& s, tile_step<sum> const& step) {
    padding_.any = false;
    if (!plan_.gathered || arrays_.start || !p_.padding.are_in(rows.first, rows.count)) return 0;
    extent whole = -1;
    for (extent x = 0, height; x < rows.count; x += height) {
      height = height_of_tile(rows.count - x);
      padding_.narrow(p_.padding, rows.first + x, height, step.runs, step.run_count, s.first);
      if (padding_.leaves_out(step.run_count)) padding_.any = true;
      else if (whole < 0) whole = x;
    }
    return whole < 0 ? 0 : whole;
  }
  static int packs_of(tile_form form) { return is_thin(form) ? 1 : tile_columns / Target::lanes; }
  void multiply_without_padding(tile_form form, int height, tile_step<sum> const& step) const {
    tile_step<sum> part = step;
    part.runs = step.runs + padding_.first;
    part.run_count = padding_.last - padding_.first;
    part.b = step.b + padding_.before * step.b_step;
    multiply_tile<Target, sum, all_packed, Gathers>(form, height, part);
    if (padding_.last == step.run_count) return;
    if (!have_negative_zero<Target>(step.to, height, packs_of(form))) return;
    part.runs = step.runs + padding_.last;
    part.run_count = step.run_count - padding_.last;
    part.b = step.b + padding_.until * step.b_step;
    part.from = step.to;
    multiply_tile<Target, sum, all_packed, Gathers>(form, height, part);
  }

  // Of a packed line, per block of k.
  extent words_of(steps const& s) const {
    if constexpr (in_pairs) return wide_ ? s.count : share_count(s.count, 2);
    else return s.count;
  }
  bool has_coarse_start(range rows, range columns) const {
    for (extent i = rows.first; i < rows.first + rows.count; ++i)
      for (extent j = columns.first; j < columns.first + columns.count; ++j) {
        if (!is_coarse(arrays_.start[p_.m.at(i).out + p_.n.at(j).out])) return false;
      }
    return true;
  }

  void pack_a(range rows, steps const& s) {
    if constexpr (in_pairs) range_.a = {};
    extent const panel = tile_rows * words_of(s);
    sum* packed = packed_a_;
    for (extent x = 0, height; x < rows.count; x += height, packed += panel) {
      extent line[tile_rows];
      height = height_of_tile(rows.count - x);
      int const lines = static_cast<int>(height);
      for (int r = 0; r < lines; ++r) line[r] = p_.m.at(rows.first + x + r).a;
      if constexpr (in_pairs)
        if (!wide_) {
          range_.a.note(pack_pairs<Target>(arrays_.a, p_.k, &places::a, line, lines, s.first,
                                           s.count, bf16(-0.0f), packed));
          continue;
        }
      pack_steps(arrays_.a, &places::a, line, lines, s, packed);
    }
  }
  void pack_b(range columns, steps const& s) {
    if constexpr (in_pairs) range_.b = {};
    for (extent y = 0; y < columns.count; y += tile_columns) {
      extent line[tile_columns];
      int const lines = static_cast<int>(least(tile_columns, columns.count - y));
      for (int c = 0; c < lines; ++c) line[c] = p_.n.at(columns.first + y + c).b;
      if constexpr (in_pairs)
        if (!wide_) {
          range_.b.note(pack_pairs<Target>(arrays_.b, p_.k, &places::b, line, lines, s.first,
                                           s.count, bf16(0.0f), packed_b_ + y * words_of(s)));
          continue;
        }
      pack_steps(arrays_.b, &places::b, line, lines, s, packed_b_ + y * s.count);
    }
  }
  template <int Width, class T>
  void pack_steps(T const* src, extent places::*side, extent const (&line)[Width], int lines,
                  steps const& s, sum* dst) const {
    extent const step = p_.k.inner().stride.*side;
    bool const apart = is_pages_apart<T>(step) && are_neighbours(line, lines);
    for (extent q = 0, run; q < s.count; q += run) {
      run = p_.k.run(s.first + q, s.count - q);
      extent const later = s.first + q + runs_ahead * run;
      if (apart && run < s.count && later < plan_.k)
        fetch_run<Width>(src, p_.k.at(later).*side + line[0], step, run);
      pack_panel<Target, Width>(src + p_.k.at(s.first + q).*side, line, lines, step, run,
                                dst + q * Width);
    }
  }
  // Steps as far from each other as images are: the machine fetches none ahead, so some runs are asked
  // for before their turn (8 images of 56x56x64: 3 % of a filter's derivative).
  static constexpr extent runs_ahead = 8;
  template <class T> static constexpr bool is_pages_apart(extent step) {
    extent const bytes = step * static_cast<extent>(sizeof(T));
    return bytes >= plan::page || bytes <= -plan::page;
  }
  template <int Width, class T>
  WEFT_INLINE static void fetch_run(T const* src, extent at, extent step, extent run) {
    constexpr extent size = sizeof(T);
    for (extent n = 0; n < run; ++n, at += step)
      for (extent b = 0; b < Width * size; b += 64) cpu::fetch_line(src, at * size + b);
  }

  sum *packed_a_, *packed_b_, *held_;
  [[no_unique_address]] std::conditional_t<in_pairs, pair_range, none> range_; // of packed blocks
  bool wide_ = false; // bf16 by pairs would not be exact: as floats
  step_run runs_[Gathers ? block::depth / plan::least_run + 2 : 1];
  [[no_unique_address]] std::conditional_t<Gathers, padding_runs, none> padding_;
};

} // namespace detail
} // namespace weft::inline v0
