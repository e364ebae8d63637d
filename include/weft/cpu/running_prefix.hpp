// SPDX-License-Identifier: BSL-1.0
// running_prefix: prefixes as cpu/prefix.hpp has them, in the order that costs least, for policy::fast:
// an element is what came before its block, combined with the block's own prefix: one or two
// combinations an element instead of log2 n.
//   rows      blocks of a pack, whose prefix is log2(lanes) shifts
//   columns   blocks of 64 elements of every column, lines in memory order
// Needs: what cpu/prefix.hpp needs; a reach below the whole line is that file's. Leaves: of a sum of n
// elements an error of at most (64 + n / 4) u times the sum of magnitudes, u = 2^-24 or 2^-53; maxima,
// minima and integers as they were. The same bits on any number of threads.
#pragma once

#include <weft/cpu/prefix.hpp>
#include <weft/op/reduction.hpp>

namespace weft::inline v0 {
namespace detail {

// What leaves every element as it is.
template <op Code, class T> constexpr T prefix_identity() {
  if constexpr (Code == op::maximum) return lane_start<op::reduce_max, T>();
  else if constexpr (Code == op::minimum) return lane_start<op::reduce_min, T>();
  else if constexpr (Code == op::mul) return lane_start<op::reduce_prod, T>();
  else return lane_start<op::reduce_sum, T>();
}

// One line, its elements side by side.
template <class Target, op Code, class T>
class running_row : public prefix_line<Target, Code, T, true> {
  using line = prefix_line<Target, Code, T, true>;
  using typename line::pack;
  using line::lanes;

public:
  using typename line::array;
  explicit running_row(extent count) : line(count, 1, lanes, nullptr) {}

  void run(array const& a) const {
    pack carry = cpu::splat<Target>(prefix_identity<Code, T>());
    extent v = 0;
    if (line::side_by_side(a.from_step) && line::side_by_side(a.to_step))
      for (extent const whole = this->count_ / lanes; v < whole; ++v) step<true>(a, v, carry);
    for (; v < this->packs_; ++v) step<false>(a, v, carry);
  }

private:
  template <bool Whole> WEFT_INLINE void step(array const& a, extent v, pack& carry) const {
    pack const own = within<1>(this->template read<Whole>(a, v));
    this->template write<Whole>(a, v, line::combined(carry, own));
    carry = line::combined(carry, last_lane<Target>(own));
  }
  template <int By> WEFT_INLINE static pack within(pack const& x) {
    if constexpr (By == lanes) return x;
    else {
      pack const none = cpu::splat<Target>(prefix_identity<Code, T>());
      return within<2 * By>(line::combined(shifted_lanes<Target, By>(none, x), x));
    }
  }
};

// As many neighbouring lines as memory order is worth, at most `most`.
template <class Target, op Code, class T> class running_columns {
  using pack = cpu::pack_for<Target, T>;
  static constexpr int lanes = Target::lanes;
  static constexpr extent block = 64;

public:
  static constexpr extent most = 8192 / static_cast<extent>(sizeof(T)); // both arrays: half of L1

  struct array {
    T const* from;
    T* to;
    extent from_step, to_step;
  };
  static void run(array const& a, extent count, extent width) {
    alignas(64) T before[most], own[most];
    for (extent i = 0; i < count; ++i) {
      if (i % block == 0) begin_block(before, own, width, i == 0);
      T const* const from = a.from + i * a.from_step;
      T* const to = a.to + i * a.to_step;
      extent c = 0;
      for (; c + lanes <= width; c += lanes) {
        pack const sum = combined(cpu::load<Target>(own + c), cpu::load<Target>(from + c));
        cpu::store(own + c, sum);
        cpu::store(to + c, combined(cpu::load<Target>(before + c), sum));
      }
      if (int const left = static_cast<int>(width - c); left > 0) {
        pack const sum = combined(cpu::load<Target>(own + c),
                                  cpu::load_first<Target>(from + c, left));
        cpu::store(own + c, sum);
        cpu::store_first(to + c, combined(cpu::load<Target>(before + c), sum), left);
      }
    }
  }

private:
  WEFT_INLINE static pack combined(pack const& x, pack const& y) {
    return row<Code>::meaning(x, y);
  }
  static void begin_block(T* before, T* own, extent width, bool first) {
    pack const none = cpu::splat<Target>(prefix_identity<Code, T>());
    for (extent c = 0; c < width; c += lanes) {
      cpu::store(before + c,
                 first ? none
                       : combined(cpu::load<Target>(before + c), cpu::load<Target>(own + c)));
      cpu::store(own + c, none);
    }
  }
};

template <class Target, op Code, class T> struct running_prefix : prefix_kernel<Target, Code, T> {
  using by_levels = prefix_kernel<Target, Code, T>;
  using row = running_row<Target, Code, T>;
  using columns = running_columns<Target, Code, T>;

  static extent scratch_bytes(cpu::prefix_form const& p, int threads) {
    return p.reach < p.count ? by_levels::scratch_bytes(p, threads) : 0;
  }
  static void run(cpu::prefix_form const& p, void const* from, void* to, cpu::scratch memory,
                  cpu::executor_ref const& on) {
    if (p.reach < p.count) return by_levels::run(p, from, to, memory, on);
    auto const* const x = static_cast<T const*>(from);
    auto* const y = static_cast<T*>(to);
    extent const strips = (p.inner + columns::most - 1) / columns::most;
    auto const work = [&](extent begin, extent end, int) {
      for (extent n = begin; n < end; ++n)
        p.inner == 1 ? one_row(p, x, y, n) : one_strip(p, x, y, n / strips, n % strips);
    };
    cpu::share_ranges(p.outer * strips, 4 * p.outer * p.count * p.inner, on, work);
  }

private:
  static void one_row(cpu::prefix_form const& p, T const* from, T* to, extent o) {
    row(p.count).run(by_levels::template array_at<row>(p, from, to, o));
  }
  static void one_strip(cpu::prefix_form const& p, T const* from, T* to, extent o, extent strip) {
    typename columns::array a = by_levels::template array_at<columns>(p, from, to, o);
    extent const first = strip * columns::most, left = p.inner - first;
    a.from += first;
    a.to += first;
    columns::run(a, p.count, left < columns::most ? left : columns::most);
  }
};

template <class Target, op Code, dtype D> struct prefix_by<cpu::relaxed<Target>, Code, D> {
  using kernel = running_prefix<Target, Code, storage_of<prefix_type(Code, D)>>;
  static constexpr cpu::prefix_code code{&kernel::scratch_bytes, &kernel::run};
};

} // namespace detail
} // namespace weft::inline v0
