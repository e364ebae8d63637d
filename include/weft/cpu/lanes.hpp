// SPDX-License-Identifier: BSL-1.0
// Products in lanes order, a matrix (m x k) times a vector (k): 64 chains per element, index p of k
// in chain p mod 64, summed by a halving tree (strides 32, 16 … 1).
// Needs: a product of order lanes (n is empty), no start, and `lanes_plan::bytes` of scratch.
// Leaves: rows contiguous in k are dot products of packs; rows that are neighbours in a are strips,
// read in memory order into a table of lanes; other rows are gathered piece by piece.
#pragma once

#include <weft/cpu/micro_kernel.hpp>
#include <weft/cpu/panel.hpp>
#include <weft/cpu/product_call.hpp>
#include <weft/cpu/scratch.hpp>

namespace weft::inline v0 {
namespace detail {

inline constexpr int lane_count = 64;

// What one worker needs: the vector, widened and contiguous.
template <class B, class Out> struct lanes_plan {
  using sum = cpu::sum_type<Out>;
  bool direct_b;
  extent b_count;

  constexpr explicit lanes_plan(product_form const& p)
      : direct_b(std::is_same_v<B, sum> && p.k.rank <= 1 && p.k.inner().stride.b <= 1 &&
                 (p.k.rank == 0 || p.k.inner().stride.b == 1)),
        b_count(direct_b ? 0 : p.k.count()) {}
  constexpr extent bytes() const {
    return aligned_bytes(b_count * static_cast<extent>(sizeof(sum)));
  }
};

template <class Target, class A, class B, class Out, class Bias> class lanes_kernel {
public:
  using call = product_call<A, B, Out, Bias>;
  using plan = lanes_plan<B, Out>;
  using sum = cpu::sum_type<Out>;

  lanes_kernel(product_form const& p, plan const& how, call const& arrays, cpu::scratch memory)
      : p_(p), arrays_(arrays), k_(p.k.count()) {
    if (how.direct_b) {
      if constexpr (std::is_same_v<B, sum>) vector_ = arrays.b;
    } else {
      sum* const packed = reinterpret_cast<sum*>(memory.memory);
      gather(arrays.b, &places::b, 0, k_, packed);
      vector_ = packed;
    }
  }

  // Rows [i, i + m).
  void run(extent i, extent m) const {
    extent const end = i + m;
    if (p_.k.rank == 0 || (p_.k.rank == 1 && p_.k.inner().stride.a == 1)) {
      for (; i + rows <= end; i += rows) dot<rows>(i);
      for (; i < end; ++i) dot<1>(i);
    } else if (p_.m.inner().stride.a == 1) {
      for (extent width; i < end; i += width) {
        width = p_.m.run(i, end - i < strip ? end - i : strip);
        columns(i, static_cast<int>(width));
      }
    } else {
      for (; i < end; ++i) gathered(i);
    }
  }

private:
  using pack = cpu::pack_for<Target, sum>;
  static constexpr int lanes = Target::lanes;
  static constexpr int packs = lane_count / lanes;
  static constexpr bool wide = sizeof(sum) == 8;
  static constexpr int rows = lanes < 16 ? 1 : wide ? 2 : 4; // as many as registers hold lanes for
  static constexpr int group = wide && lanes < 16 ? packs / 2 : packs; // packs that they hold
  static constexpr int strip = wide ? 32 : 64; // columns of a lane table: 16 KiB
  static constexpr extent piece = 16 * lane_count;

  template <int Rows> struct accumulators {
    pack of[Rows][packs];
  };

  // Rows of a from an index that is a multiple of 64.
  template <int Rows, class T>
  WEFT_INLINE static void accumulate(accumulators<Rows>& s, T const* const (&a)[Rows], sum const* x,
                                     extent count) {
    extent const whole = count / lane_count * lane_count;
    accumulate_packs<0>(s, a, x, whole);
    if constexpr (group < packs) accumulate_packs<group>(s, a, x, whole);
    accumulate_last(s, a, x, whole, static_cast<int>(count - whole));
  }
  // Packs First … First + group - 1 of the lanes, of whole rounds.
  template <int First, int Rows, class T>
  WEFT_INLINE static void accumulate_packs(accumulators<Rows>& s, T const* const (&a)[Rows],
                                           sum const* x, extent whole) {
    for (extent p = 0; p < whole; p += lane_count)
#pragma GCC unroll 16
      for (int v = First; v < First + group; ++v) {
        pack const right = cpu::load<Target>(x + p + v * lanes);
#pragma GCC unroll 4
        for (int r = 0; r < Rows; ++r)
          s.of[r][v] = multiply_add_packs(cpu::load<Target>(a[r] + p + v * lanes), right,
                                          s.of[r][v]);
      }
  }
  template <int Rows, class T>
  WEFT_INLINE static void accumulate_last(accumulators<Rows>& s, T const* const (&a)[Rows],
                                          sum const* x, extent p, int left) {
#pragma GCC unroll 16
    for (int v = 0; v < packs; ++v) {
      int const n = left - v * lanes < lanes ? left - v * lanes : lanes;
      if (n <= 0) break;
      pack const right = cpu::load_first<Target>(x + p + v * lanes, n);
#pragma GCC unroll 4
      for (int r = 0; r < Rows; ++r) { // a lane without an element keeps its sign of zero
        pack const next = multiply_add_packs(cpu::load_first<Target>(a[r] + p + v * lanes, n),
                                             right, s.of[r][v]);
        s.of[r][v] = select(cpu::first_lanes<Target>(n), next, s.of[r][v]);
      }
    }
  }

  WEFT_INLINE static sum tree(pack (&s)[packs]) {
#pragma GCC unroll 8
    for (int stride = packs / 2; stride > 0; stride /= 2)
#pragma GCC unroll 8
      for (int v = 0; v < stride; ++v) s[v] = s[v] + s[v + stride];
    sum last[lanes];
    cpu::store(last, s[0]);
    for (int stride = lanes / 2; stride > 0; stride /= 2)
      for (int v = 0; v < stride; ++v) last[v] = last[v] + last[v + stride];
    return last[0];
  }

  template <int Rows> static void clear(accumulators<Rows>& s) {
    for (auto& row : s.of)
      for (pack& x : row) x = pack(sum{});
  }
  void finish(extent i, sum value) const {
    places const at = p_.m.at(i);
    arrays_.finish(value, at.out, at.bias);
  }

  template <int Rows> void dot(extent i) const {
    A const* a[Rows];
    for (int r = 0; r < Rows; ++r) a[r] = arrays_.a + p_.m.at(i + r).a;
    accumulators<Rows> s;
    clear(s);
    accumulate(s, a, vector_, k_);
    for (int r = 0; r < Rows; ++r) finish(i + r, tree(s.of[r]));
  }

  void gathered(extent i) const {
    sum values[piece];
    A const* const row = arrays_.a + p_.m.at(i).a;
    accumulators<1> s;
    clear(s);
    for (extent p = 0; p < k_; p += piece) {
      extent const count = k_ - p < piece ? k_ - p : piece;
      gather(row, &places::a, p, count, values);
      sum const* const from[1] = {values};
      accumulate(s, from, vector_ + p, count);
    }
    finish(i, tree(s.of[0]));
  }

  // Elements [first, first + count) of k, widened and contiguous.
  template <class T>
  void gather(T const* src, extent places::*side, extent first, extent count, sum* dst) const {
    extent const step = p_.k.inner().stride.*side;
    for (extent q = 0, run; q < count; q += run) {
      run = p_.k.run(first + q, count - q);
      T const* const from = src + p_.k.at(first + q).*side;
      for (extent r = 0; r < run; ++r) dst[q + r] = widened<sum>(from[r * step]);
    }
  }

  // `width` rows that are neighbours in a. Of fewer than 64 lanes that have an element the tree
  // starts lower; the +0 of the others shows only as -0 becoming +0.
  void columns(extent i, int width) const {
    alignas(64) sum table[lane_count][strip];
    int used = 1;
    while (used < k_ && used < lane_count) used *= 2;
    for (int lane = 0; lane < used; ++lane)
      for (sum& x : table[lane]) x = sum{};
    A const* const first = arrays_.a + p_.m.at(i).a;
    extent const step = p_.k.inner().stride.a;
    for (extent q = 0, run; q < k_; q += run) {
      run = p_.k.run(q, k_ - q);
      A const* a = first + p_.k.at(q).a;
      for (extent r = 0; r < run; ++r, a += step)
        add_row(table[(q + r) % lane_count], a, vector_[q + r], width);
    }
    for (int stride = used / 2; stride > 0; stride /= 2)
      for (int lane = 0; lane < stride; ++lane)
        for (int x = 0; x < strip; ++x) table[lane][x] = table[lane][x] + table[lane + stride][x];
    for (int x = 0; x < width; ++x)
      finish(i + x, used < lane_count ? table[0][x] + sum{} : table[0][x]);
  }

  static void add_row(sum* to, A const* a, sum factor, int width) {
    pack const right(factor);
    int x = 0;
    for (; x + lanes <= width; x += lanes)
      cpu::store(to + x,
                 multiply_add_packs(cpu::load<Target>(a + x), right, cpu::load<Target>(to + x)));
    if (x == width) return;
    pack const left = cpu::load_first<Target>(a + x, width - x);
    cpu::store(to + x, multiply_add_packs(left, right, cpu::load<Target>(to + x)));
  }

  product_form const& p_;
  call arrays_;
  extent k_;
  sum const* vector_ = nullptr;
};

} // namespace detail
} // namespace weft::inline v0
