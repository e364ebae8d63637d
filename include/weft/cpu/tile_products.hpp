// SPDX-License-Identifier: BSL-1.0
// Products of bf16 by tiles (AMX), for policy::fast: both operands are packed into tiles of 16 lines of
// 32 steps of k, 32 x 32 elements of out stand in registers while k runs. Even and odd steps of a tile
// are summed apart, so this is no chain.
// Needs: order chain; a target with 16 lanes, and tiles that are there when a program runs
// (cpu/tile_instructions.hpp); else, and where tiles would be mostly empty, the chain.
// Leaves: out within (k + 3) 2^-24 times the sum of magnitudes, before it is rounded, subnormals
// counting as zero; the same bits on any number of threads.
#pragma once

#include <weft/core/growing.hpp>
#include <weft/cpu/contraction_code.hpp>
#include <weft/cpu/tile_panels.hpp>

namespace weft::inline v0 {
namespace detail {

// Batch by batch, or, of fewer batches than threads, rows or columns of each, on an executor's threads.
template <class Target, class Tiles, class Out, class Bias> class tile_product {
  using call = product_call<bf16, bf16, Out, Bias>;
  static constexpr extent block = 2 * tile::lines; // rows and columns of out at a time
  static constexpr extent a_room = 512 << 10;      // bytes of rows of a: part of a core's own cache
  static constexpr extent least_worth = 1 << 15;   // products of tiles that a thread should have

public:
  static bool fits(product_form const& p) {
    return p.m.count() >= 8 && p.n.count() >= 8 && p.k.count() >= tile::steps && Tiles::are_here();
  }
  static extent bytes(product_form const& p, int threads) {
    tile_product const t(p, threads);
    return (t.shares_b_ ? 1 : t.workers_) * t.b_bytes() + t.workers_ * t.a_bytes();
  }
  static void run(product_form const& p, call const& arrays, cpu::scratch memory,
                  cpu::executor_ref const& on) {
    tile_product const t(p, on.threads());
    if (t.shares_b_)
      for (extent n = 0; n < p.batch.count(); ++n)
        t.run_shared(arrays.at(p.batch.at(n)), memory, on);
    else
      t.share(p.batch.count(), t.workers_, on, [&](extent first, extent last, int worker) {
        cpu::scratch const own = memory.part(worker, t.a_bytes() + t.b_bytes());
        auto* const b = reinterpret_cast<std::uint32_t*>(own.memory);
        for (extent n = first; n < last; ++n) {
          call const here = arrays.at(p.batch.at(n));
          t.pack_b(here, 0, t.column_panels_, b);
          t.some_parts(here, 0, t.parts(), {own.memory + t.b_bytes(), t.a_bytes()}, b);
        }
      });
  }

private:
  // No more threads than the work is worth, and as many parts as threads, or more where fewer would
  // have too many rows.
  tile_product(product_form const& p, int threads)
      : p_(p), tiles_(share_count(p.k.count(), tile::steps)),
        column_panels_(2 * share_count(p.n.count(), block)) {
    extent const batches = p.batch.count() > 0 ? p.batch.count() : 1;
    extent const worth = p.count() * p.k.count() / 16 / least_worth;
    workers_ = threads == 1 || worth < 2 ? 1 : threads;
    extent const of_batch = least(worth / batches, workers_);
    shares_b_ = batches == 1 || (batches < workers_ && batches < of_batch);
    if (shares_b_ && of_batch > 1) sharers_ = of_batch;
    extent const fit = a_room / (panel_words() * 4 / tile::lines * block); // blocks of rows
    extent const rows = share_count(p.m.count(), block), columns = column_panels_ / 2;
    extent const down = least(sharers_, rows);
    rows_ = block * least(fit < 1 ? 1 : fit, share_count(rows, down));
    panels_ = 2 * share_count(columns, sharers_ / down);
  }
  extent panel_words() const { return tiles_ * tile::words; }
  extent b_bytes() const { return column_panels_ * panel_words() * 4; }
  extent a_bytes() const { return rows_ / tile::lines * panel_words() * 4; }
  extent across() const { return share_count(column_panels_, panels_); }
  extent parts() const { return share_count(p_.m.count(), rows_) * across(); }

  template <class F>
  static void share(extent count, extent workers, cpu::executor_ref const& on, F const& some) {
    if (workers == 1) some(0, count, 0);
    else cpu::share_ranges(count, on.least_work(), on, some);
  }
  // b packed by all threads, then parts of out.
  void run_shared(call const& arrays, cpu::scratch memory, cpu::executor_ref const& on) const {
    auto* const b = reinterpret_cast<std::uint32_t*>(memory.memory);
    cpu::scratch const left{memory.memory + b_bytes(), memory.bytes - b_bytes()};
    cpu::share_ranges(column_panels_, p_.n.count() * p_.k.count(), on,
                      [&](extent first, extent last, int) { pack_b(arrays, first, last, b); });
    share(parts(), sharers_, on, [&](extent first, extent last, int worker) {
      some_parts(arrays, first, last, left.part(worker, a_bytes()), b);
    });
  }
  void pack_b(call const& arrays, extent first, extent last, std::uint32_t* b) const {
    tile::packer<false> const pack(arrays.b, p_.k, &places::b);
    for (extent j = first; j < last; ++j)
      pack_panel_at(pack, p_.n, j * tile::lines, b + j * panel_words());
  }
  // (The last block of two panels may have one line, or a panel without lines.)
  template <class Packer>
  void pack_panel_at(Packer const& pack, product_axes const& axes, extent first,
                     std::uint32_t* to) const {
    if (first < axes.count()) pack.panel(axes, first, axes.count(), to);
    else std::memset(to, 0, static_cast<std::size_t>(panel_words()) * sizeof *to);
  }
  // A part is rows_ rows and panels_ panels of columns, or what is left of them.
  void some_parts(call const& arrays, extent first, extent last, cpu::scratch own,
                  std::uint32_t const* b) const {
    typename Tiles::session const tiles;
    auto* const a = reinterpret_cast<std::uint32_t*>(own.memory);
    tile::packer<true> const pack(arrays.a, p_.k, &places::a);
    for (extent s = first; s < last; ++s) {
      extent const i = s / across() * rows_, end = least(i + rows_, p_.m.count());
      extent const j0 = s % across() * panels_, j1 = least(j0 + panels_, column_panels_);
      extent const panels = 2 * share_count(end - i, block);
      if (s == first || j0 == 0)
        for (extent x = 0; x < panels; ++x)
          pack_panel_at(pack, p_.m, i + x * tile::lines, a + x * panel_words());
      for (extent j = j0; j < j1; j += 2)
        for (extent x = 0; x < panels; x += 2) {
          alignas(64) float sums[block][block];
          multiply(a + x * panel_words(), b + j * panel_words(), sums);
          finish(arrays, i + x * tile::lines, j * tile::lines, sums);
        }
    }
  }
  void multiply(std::uint32_t const* a, std::uint32_t const* b, float (&sums)[block][block]) const {
    extent const next = panel_words();
    Tiles::template clear<0>(), Tiles::template clear<1>();
    Tiles::template clear<2>(), Tiles::template clear<3>();
    for (extent q = 0; q < next; q += tile::words) {
      Tiles::template load<4>(a + q);
      Tiles::template load<6>(b + q);
      Tiles::template load<7>(b + next + q);
      Tiles::template add_products<0, 4, 6>();
      Tiles::template add_products<1, 4, 7>();
      Tiles::template load<5>(a + next + q);
      Tiles::template add_products<2, 5, 6>();
      Tiles::template add_products<3, 5, 7>();
    }
    constexpr extent row = sizeof sums[0];
    Tiles::template store<0>(sums[0], row);
    Tiles::template store<1>(sums[0] + tile::lines, row);
    Tiles::template store<2>(sums[tile::lines], row);
    Tiles::template store<3>(sums[tile::lines] + tile::lines, row);
  }
  // 32 x 32 sums from (i, j) on, or those of them that there are.
  void finish(call const& arrays, extent i, extent j, float const (&sums)[block][block]) const {
    extent const m = least(block, p_.m.count() - i), n = least(block, p_.n.count() - j);
    places const step = p_.n.inner().stride;
    bool const together = p_.n.rank <= 1 && step.out == 1;
    for (extent r = 0; r < m; ++r) {
      places const line = p_.m.at(i + r);
      if (together && arrays.start == nullptr && (arrays.bias == nullptr || step.bias == 1)) {
        places const at = line + step * j;
        put_line(sums[r], static_cast<int>(n), arrays.out + at.out,
                 arrays.bias == nullptr ? nullptr : arrays.bias + at.bias);
        continue;
      }
      for (extent c = 0; c < n; ++c) {
        places const at = line + p_.n.at(j + c);
        float const before = arrays.start == nullptr ? 0.0f : arrays.start[at.out];
        arrays.finish(before + sums[r][c], at.out, at.bias);
      }
    }
  }
  static void put_line(float const* sums, int n, Out* out, Bias const* bias) {
    constexpr int lanes = Target::lanes;
    for (int c = 0; c < n; c += lanes) {
      int const here = n - c < lanes ? n - c : lanes;
      auto sum = cpu::load<Target>(sums + c);
      if (bias != nullptr) sum = sum + cpu::load_first<Target>(bias + c, here);
      if (here == lanes) cpu::store(out + c, sum);
      else cpu::store_first(out + c, sum, here);
    }
  }

  product_form const& p_;
  extent tiles_, column_panels_;     // of k; of b
  extent workers_ = 1, sharers_ = 1; // threads that may be at work; on one batch
  extent rows_ = block, panels_ = 2; // of a part
  bool shares_b_ = true;             // one packed b, for all threads
};

// A product under policy::fast: by Tiles where they are there and it fits, else Chain's.
template <class Target, class Tiles, class Chain> struct contraction_by_tiles {
  using out = typename Chain::out;
  using bias_type = typename Chain::bias_type;
  using tiles = tile_product<Target, Tiles, out, bias_type>;

  static extent bytes(product_form const& p, int threads) {
    return tiles::fits(p) ? tiles::bytes(p, threads) : Chain::bytes(p, threads);
  }
  static void run(product_form const& p, void const* x, void const* y, void* r, void const* start,
                  void const* bias, cpu::scratch memory, cpu::executor_ref const& on,
                  cpu::epilogue_ref after) {
    if (!tiles::fits(p)) return Chain::run(p, x, y, r, start, bias, memory, on, after);
    if (p.count() == 0) return;
    auto const *a = static_cast<bf16 const*>(x), *b = static_cast<bf16 const*>(y);
    if (p.swapped) swap_values(a, b);
    tiles::run(p,
               product_call(a, b, static_cast<out*>(r), static_cast<float const*>(start),
                            static_cast<bias_type const*>(bias)),
               memory, on);
  }
  static bool tells(product_form const& p, int threads) {
    return !tiles::fits(p) && tells_in_parts(p, threads);
  }
  // Tiles are packed at every turn of a loop; a chain's operand may be held.
  static extent held_bytes(product_form const& p) {
    return tiles::fits(p) ? 0 : Chain::code.held->bytes(p);
  }
  static constexpr cpu::held_code held{&held_bytes, Chain::code.held->pack, Chain::code.held->run};
  static constexpr cpu::contraction_code code{&bytes, &run, &tells, &held, false};
};

#if defined(__x86_64__) && defined(__linux__) && defined(__AVX512F__)
template <class Target, dtype Out, dtype Bias, bool Gathers>
  requires(Target::lanes == 16)
struct contraction_by<cpu::relaxed<Target>, contract_order::chain, dtype::bf16, dtype::bf16, Out,
                      Bias, Gathers>
    : contraction_by_tiles<Target, tile::machine,
                           contraction_by<Target, contract_order::chain, dtype::bf16, dtype::bf16,
                                          Out, Bias, Gathers>> {};
#endif

} // namespace detail
} // namespace weft::inline v0
