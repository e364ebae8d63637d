// SPDX-License-Identifier: BSL-1.0
// Products of bf16 by tiles (AMX), for policy::fast: both operands are packed into tiles of 16 lines of
// 32 steps of k, 32 x 32 elements of out stand in registers while k runs. Even and odd steps of a tile
// are summed apart, so this is no chain.
// Needs: order chain; x86-64 Linux and a target with 16 lanes, and then, asked once when a program
// runs, a machine and a kernel that have tiles; else, and where tiles would be mostly empty, the chain.
// Leaves: out within (k + 3) 2^-24 times the sum of magnitudes, before it is rounded, subnormals
// counting as zero; the same bits on any number of threads.
// Source: Intel 64 and IA-32 Architectures Software Developer's Manual, TDPBF16PS, chapter 18.
#pragma once

#include <weft/cpu/contraction_code.hpp>

#if defined(__x86_64__) && defined(__linux__) && defined(__AVX512F__)
#include <cpuid.h>
#endif

namespace weft::inline v0 {
namespace detail {

#if defined(__x86_64__) && defined(__linux__) && defined(__AVX512F__)

namespace tile {

inline constexpr int lines = 16, pairs = 16, steps = 2 * pairs; // of a tile
inline constexpr extent words = lines * pairs;

// The processor has them, the system saves them, and this process may use them from now on.
inline bool ask_for_tiles() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid_count(7, 0, &a, &b, &c, &d) == 0) return false;
  bool const has_bf16 = (d >> 22 & 1) != 0, has_tiles = (d >> 24 & 1) != 0;
  if (!has_bf16 || !has_tiles) return false;
  unsigned low = 0, high = 0;
  __asm__ volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  if ((low >> 17 & 3) != 3) return false;
  long const arch_prctl = 158, request_permission = 0x1023, tile_data = 18;
  long result = arch_prctl;
  __asm__ volatile("syscall"
                   : "+a"(result)
                   : "D"(request_permission), "S"(tile_data)
                   : "rcx", "r11", "memory");
  return result == 0;
}
inline bool are_here() {
  static bool const answer = ask_for_tiles();
  return answer;
}

// All eight tiles have 16 rows of 64 bytes while this is alive, on this thread.
class session {
public:
  session() {
    alignas(64) std::uint8_t const form[64] = {1,  0, 0,  0, 0,  0, 0,  0,  0,  0,  0,  0,  0,  0,
                                               0,  0, 64, 0, 64, 0, 64, 0,  64, 0,  64, 0,  64, 0,
                                               64, 0, 64, 0, 0,  0, 0,  0,  0,  0,  0,  0,  0,  0,
                                               0,  0, 0,  0, 0,  0, 16, 16, 16, 16, 16, 16, 16, 16};
    __asm__ volatile("ldtilecfg %0" : : "m"(form) : "memory");
  }
  ~session() { __asm__ volatile("tilerelease" : : : "memory"); }
  session(session const&) = delete;
  session& operator=(session const&) = delete;
};

template <int T> WEFT_INLINE void clear() {
  __asm__ volatile("tilezero {%%tmm%c0|tmm%c0}" : : "i"(T));
}
template <int T> WEFT_INLINE void load(std::uint32_t const* from) {
  __asm__ volatile("tileloadd {(%1,%2,1), %%tmm%c0|tmm%c0, [%1+%2*1]}"
                   :
                   : "i"(T), "r"(from), "r"(extent{64})
                   : "memory");
}
template <int T> WEFT_INLINE void store(float* to, extent row_bytes) {
  __asm__ volatile("tilestored {%%tmm%c0, (%1,%2,1)|[%1+%2*1], tmm%c0}"
                   :
                   : "i"(T), "r"(to), "r"(row_bytes)
                   : "memory");
}
template <int Sum, int A, int B> WEFT_INLINE void add_products() {
  __asm__ volatile("tdpbf16ps {%%tmm%c2, %%tmm%c1, %%tmm%c0|tmm%c0, tmm%c1, tmm%c2}"
                   :
                   : "i"(Sum), "i"(A), "i"(B));
}

// One operand's lines as tiles of words: a word is steps 2 p and 2 p + 1 of k, the first in its low
// half; zero beyond the lines and beyond k. ByLine: word p of line x at [x][p] (a), else at [p][x] (b).
template <bool ByLine> class packer {
  using v = vectors<16>;
  using u = typename v::u;

public:
  packer(bf16 const* from, product_axes const& k, extent places::*side)
      : from_(from), k_(k), side_(side), count_(k.count()),
        step_(k.rank <= 1 ? k.inner().stride.*side : 0) {}

  // Lines first ... first + 15 of `axes`, all of k, one tile behind the other.
  void panel(product_axes const& axes, extent first, extent total, std::uint32_t* to) const {
    int const here = static_cast<int>(total - first < lines ? total - first : lines);
    extent line[lines]{};
    for (int x = 0; x < here; ++x) line[x] = axes.at(first + x).*side_;
    bool const neighbours = here == lines && are_neighbours(line, here);
    for (extent q = 0; q < count_; q += steps, to += words) {
      bool const whole = q + steps <= count_ && here == lines && k_.rank <= 1;
      if (whole && step_ == 1) along_k(line, q, to);
      else if (whole && neighbours) across_k(line[0], q, to);
      else one_by_one(line, here, q, to);
    }
  }

private:
  void along_k(extent const (&line)[lines], extent q, std::uint32_t* to) const {
    u row[lines];
#pragma GCC unroll 16
    for (int x = 0; x < lines; ++x) std::memcpy(&row[x], from_ + line[x] + q, sizeof(u));
    if constexpr (!ByLine) transpose_square<8>(row);
    put(row, to);
  }
  void across_k(extent first, extent q, std::uint32_t* to) const {
    u row[pairs];
#pragma GCC unroll 16
    for (int p = 0; p < pairs; ++p) {
      typename v::halves even, odd;
      std::memcpy(&even, from_ + first + (q + 2 * p) * step_, sizeof even);
      std::memcpy(&odd, from_ + first + (q + 2 * p + 1) * step_, sizeof odd);
      row[p] = __builtin_convertvector(even, u) | __builtin_convertvector(odd, u) << 16;
    }
    if constexpr (ByLine) transpose_square<8>(row);
    put(row, to);
  }
  static void put(u const (&row)[16], std::uint32_t* to) {
    for (int r = 0; r < 16; ++r) std::memcpy(to + 16 * r, &row[r], sizeof(u));
  }
  void one_by_one(extent const (&line)[lines], int here, extent q, std::uint32_t* to) const {
    std::memset(to, 0, words * sizeof *to);
    for (int s = 0; s < steps && q + s < count_; ++s) {
      bf16 const* const at = from_ + k_.at(q + s).*side_;
      int const p = s / 2, shift = s % 2 * 16;
      for (int x = 0; x < here; ++x)
        to[ByLine ? x * pairs + p : p * lines + x] |= std::uint32_t{at[line[x]].bits} << shift;
    }
  }

  bf16 const* from_;
  product_axes const& k_;
  extent places::*side_;
  extent count_, step_;
};

} // namespace tile

// Batch by batch, or rows of one batch, on the threads of an executor.
template <class Target, class Out, class Bias> class tile_product {
  using call = product_call<bf16, bf16, Out, Bias>;
  static constexpr extent block = 2 * tile::lines; // rows and columns of out at a time

public:
  static bool fits(product_form const& p) {
    return p.m.count() >= 8 && p.n.count() >= 8 && p.k.count() >= tile::steps && tile::are_here();
  }
  static extent bytes(product_form const& p, int threads) {
    tile_product const t(p);
    bool const shared = p.batch.count() == 1;
    return (shared ? 1 : threads) * t.b_bytes() + threads * t.a_bytes();
  }
  static void run(product_form const& p, call const& arrays, cpu::scratch memory,
                  cpu::executor_ref const& on) {
    tile_product const t(p);
    extent const blocks = share_count(p.m.count(), t.rows_), work = p.count() * p.k.count() / 16;
    if (p.batch.count() == 1) {
      auto* const b = reinterpret_cast<std::uint32_t*>(memory.memory);
      cpu::scratch const left{memory.memory + t.b_bytes(), memory.bytes - t.b_bytes()};
      cpu::share_ranges(t.column_panels_, p.n.count() * p.k.count(), on,
                        [&](extent first, extent last, int) { t.pack_b(arrays, first, last, b); });
      cpu::share_ranges(blocks, work, on, [&](extent first, extent last, int worker) {
        t.some_rows(arrays, first, last, left.part(worker, t.a_bytes()), b);
      });
    } else
      cpu::share_ranges(p.batch.count(), work, on, [&](extent first, extent last, int worker) {
        cpu::scratch const own = memory.part(worker, t.a_bytes() + t.b_bytes());
        auto* const b = reinterpret_cast<std::uint32_t*>(own.memory);
        for (extent n = first; n < last; ++n) {
          call const here = arrays.at(p.batch.at(n));
          t.pack_b(here, 0, t.column_panels_, b);
          t.some_rows(here, 0, blocks, {own.memory + t.b_bytes(), t.a_bytes()}, b);
        }
      });
  }

private:
  explicit tile_product(product_form const& p)
      : p_(p), tiles_(share_count(p.k.count(), tile::steps)),
        column_panels_(2 * share_count(p.n.count(), block)) {
    extent const fit = (512 << 10) / (tiles_ * tile::words * 4 / tile::lines) / block * block;
    extent const all = share_count(p.m.count(), block) * block;
    rows_ = fit < block ? block : fit < all ? fit : all;
  }
  extent panel_words() const { return tiles_ * tile::words; }
  extent b_bytes() const { return column_panels_ * panel_words() * 4; }
  extent a_bytes() const { return rows_ / tile::lines * panel_words() * 4; }

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
  void some_rows(call const& arrays, extent first, extent last, cpu::scratch own,
                 std::uint32_t const* b) const {
    tile::session const tiles;
    auto* const a = reinterpret_cast<std::uint32_t*>(own.memory);
    tile::packer<true> const pack(arrays.a, p_.k, &places::a);
    for (extent r = first; r < last; ++r) {
      extent const i = r * rows_, end = least(i + rows_, p_.m.count());
      extent const panels = 2 * share_count(end - i, block);
      for (extent x = 0; x < panels; ++x)
        pack_panel_at(pack, p_.m, i + x * tile::lines, a + x * panel_words());
      for (extent j = 0; j < column_panels_; j += 2)
        for (extent x = 0; x < panels; x += 2) {
          alignas(64) float sums[block][block];
          multiply(a + x * panel_words(), b + j * panel_words(), sums);
          finish(arrays, i + x * tile::lines, j * tile::lines, sums);
        }
    }
  }
  void multiply(std::uint32_t const* a, std::uint32_t const* b, float (&sums)[block][block]) const {
    extent const next = panel_words();
    tile::clear<0>(), tile::clear<1>(), tile::clear<2>(), tile::clear<3>();
    for (extent q = 0; q < next; q += tile::words) {
      tile::load<4>(a + q);
      tile::load<6>(b + q);
      tile::load<7>(b + next + q);
      tile::add_products<0, 4, 6>();
      tile::add_products<1, 4, 7>();
      tile::load<5>(a + next + q);
      tile::add_products<2, 5, 6>();
      tile::add_products<3, 5, 7>();
    }
    constexpr extent row = sizeof sums[0];
    tile::store<0>(sums[0], row);
    tile::store<1>(sums[0] + tile::lines, row);
    tile::store<2>(sums[tile::lines], row);
    tile::store<3>(sums[tile::lines] + tile::lines, row);
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
  extent tiles_, column_panels_, rows_ = block;
};

template <class Target, dtype Out, dtype Bias, bool Gathers>
  requires(Target::lanes == 16)
struct contraction_by<cpu::relaxed<Target>, contract_order::chain, dtype::bf16, dtype::bf16, Out,
                      Bias, Gathers> {
  using chain =
      contraction_by<Target, contract_order::chain, dtype::bf16, dtype::bf16, Out, Bias, Gathers>;
  using out = storage_of<Out>;
  using bias_type = storage_of<Bias>;
  using tiles = tile_product<Target, out, bias_type>;

  static extent bytes(product_form const& p, int threads) {
    return tiles::fits(p) ? tiles::bytes(p, threads) : chain::bytes(p, threads);
  }
  static void run(product_form const& p, void const* x, void const* y, void* r, void const* start,
                  void const* bias, cpu::scratch memory, cpu::executor_ref const& on,
                  cpu::epilogue_ref after) {
    if (!tiles::fits(p)) return chain::run(p, x, y, r, start, bias, memory, on, after);
    if (p.count() == 0) return;
    auto const *a = static_cast<bf16 const*>(x), *b = static_cast<bf16 const*>(y);
    if (p.swapped) std::swap(a, b);
    tiles::run(p,
               product_call(a, b, static_cast<out*>(r), static_cast<float const*>(start),
                            static_cast<bias_type const*>(bias)),
               memory, on);
  }
  static bool tells(product_form const& p, int threads) {
    return !tiles::fits(p) && tells_in_parts(p, threads);
  }
  static constexpr cpu::contraction_code code{&bytes, &run, &tells};
};

#endif

} // namespace detail
} // namespace weft::inline v0
