// SPDX-License-Identifier: BSL-1.0
// Products in lanes order, a matrix (m x k) times a vector (k): 64 chains per element, index p of k
// in chain p mod 64, summed by a halving tree (strides 32, 16 … 1).
// Needs: a product of order lanes (n is empty), no start, and `lanes_plan::bytes` of scratch.
// Leaves: rows contiguous in k are dot products of packs; rows that are neighbours in a are strips,
// whose chains are registers, or of few or scattered elements of k a table of lanes that is read in
// memory order; other rows are gathered piece by piece.
#pragma once

#include <weft/cpu/lane_columns.hpp>
#include <weft/cpu/lane_sums.hpp>
#include <weft/cpu/panel.hpp>
#include <weft/cpu/product_call.hpp>
#include <weft/cpu/scratch.hpp>

#include <cstring>

namespace weft::inline v0 {
namespace detail {

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

inline constexpr extent near_bytes = 32 * 1024; // about what the nearest cache holds

template <class Target, class A, class B, class Out, class Bias> class lanes_kernel {
public:
  using call = product_call<A, B, Out, Bias>;
  using plan = lanes_plan<B, Out>;
  using sum = cpu::sum_type<Out>;
  using in_registers = lane_columns<Target, A, sum>;
  static constexpr int columns_abreast = in_registers::abreast * Target::lanes;

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
    bool const neighbours = p_.m.inner().stride.a == 1;
    bool const along = p_.k.rank == 0 || (p_.k.rank == 1 && p_.k.inner().stride.a == 1);
    bool const is_near = m * k_ * static_cast<extent>(sizeof(A)) <= near_bytes;
    if (along && !(neighbours && k_ == 1))
      return by_runs<&lanes_kernel::dots>(i, end, block, is_near);
    if (neighbours && p_.k.rank == 1 && k_ >= lane_count)
      return by_runs<&lanes_kernel::columns>(i, end, any_width);
    if (neighbours) return by_runs<&lanes_kernel::columns_in_table>(i, end, strip);
    for (; i < end; ++i) gathered(i);
  }

private:
  using pack = cpu::pack_for<Target, sum>;
  static constexpr int lanes = Target::lanes;
  static constexpr int packs = lane_count / lanes;
  static constexpr bool wide = sizeof(sum) == 8;
  static constexpr int rows = lanes < 16 ? 1 : wide ? 2 : 4; // as many as registers hold lanes for
  static constexpr int group = wide && lanes < 16 ? packs / 2 : packs; // packs that they hold
  static constexpr int strip = wide ? 32 : 64;             // columns of a lane table: 16 KiB
  static constexpr int block = lane_sum_rows<Target, sum>; // rows whose trees end together
  static constexpr extent piece = 16 * lane_count;
  static constexpr int any_width = 1 << 30;
  // Elements of a matrix of which it pays to read more of a row at a time than registers have sums for.
  static constexpr extent far_matrix = 1 << 17;

  template <int Rows> struct accumulators {
    pack of[Rows][packs];
  };

  // Pieces of at most `most` rows that have one stride.
  template <auto Kernel, class... More>
  WEFT_INLINE void by_runs(extent i, extent end, int most, More... more) const {
    for (extent width; i < end; i += width) {
      width = p_.m.run(i, end - i < most ? end - i : most);
      (this->*Kernel)(i, static_cast<int>(width), more...);
    }
  }

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
      if (n == lanes) {
        pack const right = cpu::load<Target>(x + p + v * lanes);
#pragma GCC unroll 4
        for (int r = 0; r < Rows; ++r)
          s.of[r][v] = multiply_add_packs(cpu::load<Target>(a[r] + p + v * lanes), right,
                                          s.of[r][v]);
        continue;
      }
      pack const right = cpu::load_first<Target>(x + p + v * lanes, n);
#pragma GCC unroll 4
      for (int r = 0; r < Rows; ++r) { // a lane without an element keeps its sign of zero
        pack const next = multiply_add_packs(cpu::load_first<Target>(a[r] + p + v * lanes, n),
                                             right, s.of[r][v]);
        s.of[r][v] = select(cpu::first_lanes<Target>(n), next, s.of[r][v]);
      }
    }
  }

  // The tree of a row down to one pack.
  template <int Count> WEFT_INLINE static pack met_in_pack(pack (&s)[Count]) {
#pragma GCC unroll 8
    for (int stride = Count / 2; stride > 0; stride /= 2)
#pragma GCC unroll 8
      for (int v = 0; v < stride; ++v) s[v] = s[v] + s[v + stride];
    return s[0];
  }
  template <int Rows> static void clear(accumulators<Rows>& s) {
    for (auto& row : s.of)
      for (pack& x : row) x = pack(sum{});
  }
  void finish(extent i, sum value) const {
    places const at = p_.m.at(i);
    arrays_.finish(value, at.out, at.bias);
  }

  // Rows with one stride, at most `block`. Those that the nearest cache does not hold come in the order
  // of memory.
  void dots(extent i, int width, bool is_near) const {
    A const* const first = arrays_.a + p_.m.at(i).a;
    extent const step = p_.m.inner().stride.a;
    pack met[block];
    sum values[block];
    if (k_ <= lane_count) short_dots<1>(first, step, width, met);
    else long_dots(first, step, width, is_near, met);
    int r = width;
    if (width > 2) {
      for (; r < block; ++r) met[r] = pack(sum{});
      auto const sums = lane_sums<Target>(met);
      std::memcpy(values, &sums, sizeof sums);
    } else
      for (r = 0; r < width; ++r) values[r] = sum_of(met[r]);
    finish_neighbours(i, values, width);
  }
  WEFT_INLINE static sum sum_of(pack const& met) {
    pack const one[1] = {met};
    return lane_sums<Target>(one)[0];
  }
  WEFT_INLINE void long_dots(A const* first, extent step, int width, bool is_near,
                             pack* met) const {
    int r = 0;
    if (is_near)
      for (; r + rows <= width; r += rows) dot<rows>(first + r * step, step, met + r);
    for (; r < width; ++r) dot<1>(first + r * step, step, met + r);
  }
  // Of no more than 64 elements: lanes without one are +0, which shows only as -0 becoming +0.
  template <int Used>
  WEFT_INLINE void short_dots(A const* first, extent step, int width, pack* met) const {
    if constexpr (Used < packs)
      if (k_ > Used * lanes) return short_dots<2 * Used>(first, step, width, met);
    pack right[Used];
#pragma GCC unroll 16
    for (int v = 0; v < Used; ++v) right[v] = piece_of(vector_, v);
    for (int r = 0; r < width; ++r) {
      pack s[Used];
#pragma GCC unroll 16
      for (int v = 0; v < Used; ++v)
        s[v] = multiply_add_packs(piece_of(first + r * step, v), right[v], pack(sum{}));
      met[r] = met_in_pack(s);
      if (k_ < lane_count) met[r] = met[r] + pack(sum{});
    }
  }
  // Elements of lanes v * lanes …, 0 beyond k.
  template <class T> WEFT_INLINE pack piece_of(T const* x, int v) const {
    int const left = static_cast<int>(k_) - v * lanes;
    if (left >= lanes) return cpu::load<Target>(x + v * lanes);
    return left > 0 ? cpu::load_first<Target>(x + v * lanes, left) : pack(sum{});
  }
  template <int Rows> WEFT_INLINE void dot(A const* first, extent step, pack* met) const {
    A const* a[Rows];
    for (int r = 0; r < Rows; ++r) a[r] = first + r * step;
    accumulators<Rows> s;
    clear(s);
    accumulate(s, a, vector_, k_);
    for (int r = 0; r < Rows; ++r) met[r] = met_in_pack(s.of[r]);
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
    finish(i, sum_of(met_in_pack(s.of[0])));
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

  // `width` rows that are neighbours in a, of at least 64 elements of k on one axis.
  void columns(extent i, int width) const {
    places const first = p_.m.at(i);
    column_strip s{i, width, arrays_.a + first.a, nullptr};
    if (arrays_.bias == nullptr && p_.m.inner().stride.out == 1) s.out = arrays_.out + first.out;
    constexpr int abreast = in_registers::abreast, far_abreast = wide ? 2 * abreast : 4 * abreast;
    if (p_.m.count() * k_ >= far_matrix) whole_packs<far_abreast, 0>(s);
    if (k_ == lane_count) whole_packs<abreast, 1>(s);
    else if (k_ == 2 * lane_count) whole_packs<abreast, 2>(s);
    else whole_packs<abreast, 0>(s);
    for (; s.width > 0; s.advance(s.width < lanes ? s.width : lanes)) columns_in_packs<1, 0>(s);
  }
  // Columns that are left to do.
  struct column_strip {
    extent i;
    int width;
    A const* a;
    Out* out; // where whole packs may be stored as they are, or null

    void advance(int count) {
      i += count;
      width -= count;
      a += count;
      if (out != nullptr) out += count;
    }
  };
  template <int Packs, int Turns> WEFT_INLINE void whole_packs(column_strip& s) const {
    for (; s.width >= Packs * lanes; s.advance(Packs * lanes)) columns_in_packs<Packs, Turns>(s);
  }

  // The first Packs packs, or of one what there is.
  template <int Packs, int Turns>
  WEFT_NOINLINE WEFT_FAST void columns_in_packs(column_strip const& s) const {
    int const width = Packs * lanes < s.width ? Packs * lanes : s.width;
    typename in_registers::chains const chains{s.a, vector_, p_.k.inner().stride.a, k_, width};
    if constexpr (std::is_same_v<Out, sum> && Packs > 1)
      if (s.out != nullptr) return in_registers::template sums<Packs, Turns>(chains, s.out);
    sum values[Packs * lanes];
    in_registers::template sums<Packs, Turns>(chains, values);
    finish_neighbours(s.i, values, width);
  }
  // Rows that lie on the innermost axis of m.
  void finish_neighbours(extent i, sum const* values, int width) const {
    places const first = p_.m.at(i), step = p_.m.inner().stride;
    int x = 0;
    if constexpr (std::is_same_v<Out, sum> && std::is_same_v<Bias, sum>)
      if (step.out == 1) {
        if (arrays_.bias == nullptr) {
          std::memcpy(arrays_.out + first.out, values,
                      static_cast<std::size_t>(width) * sizeof(sum));
          return;
        }
        for (; step.bias == 1 && x + lanes <= width; x += lanes)
          cpu::store(arrays_.out + first.out + x,
                     cpu::load<Target>(values + x) +
                         cpu::load<Target>(arrays_.bias + first.bias + x));
      }
    for (; x < width; ++x)
      arrays_.finish(values[x], first.out + x * step.out, first.bias + x * step.bias);
  }
  // The same of few or scattered elements of k. Of fewer than 64 lanes that have an element the
  // tree starts lower; the +0 of the others shows only as -0 becoming +0.
  void columns_in_table(extent i, int width) const {
    A const* const first = arrays_.a + p_.m.at(i).a;
    alignas(64) sum table[lane_count][strip];
    int used = 1;
    while (used < k_ && used < lane_count) used *= 2;
    for (int lane = 0; lane < used; ++lane)
      for (sum& x : table[lane]) x = sum{};
    extent const step = p_.k.inner().stride.a;
    for (extent q = 0, run; q < k_; q += run) {
      run = p_.k.run(q, k_ - q);
      A const* a = first + p_.k.at(q).a;
      for (extent r = 0; r < run; ++r, a += step)
        add_row(table[(q + r) % lane_count], a, vector_[q + r], width);
    }
    for (int stride = used / 2; stride > 0; stride /= 2)
      for (int lane = 0; lane < stride; ++lane)
        for (int x = 0; x < strip; x += lanes)
          cpu::store(table[lane] + x, cpu::load<Target>(table[lane] + x) +
                                          cpu::load<Target>(table[lane + stride] + x));
    if (used < lane_count)
      for (sum& x : table[0]) x = x + sum{};
    finish_neighbours(i, table[0], width);
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
