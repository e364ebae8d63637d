// SPDX-License-Identifier: BSL-1.0
// Prefixes of an array along one axis under add, mul, maximum or minimum, in one pass over memory:
// for d = 1, 2, 4, ... below `reach`, element i becomes f(element i - d, element i) where i >= d.
// Packs go from the first to the last through all levels at once. What a later pack needs of this one
// before a level waits in that level's ring: d packs, in all no more than the line has. Distances
// below a pack are shifts of its lanes; those below a block of packs stay in registers.
// Two forms: elements along the axis lie side by side (rows), or lines of neighbours do (columns).
// Needs: elements of 4 or 8 bytes; `scratch_bytes` of scratch. Leaves: the bits of one pass per level,
// however the lines are cut; to may be from, if they are walked alike.
#pragma once

#include <weft/cpu/elementwise.hpp>
#include <weft/cpu/executor_ref.hpp>
#include <weft/cpu/lane_shifts.hpp>
#include <weft/cpu/scratch.hpp>

namespace weft::inline v0 {
namespace cpu {

// The result is row-major: outer lines, each of `count` times `inner` elements. Steps are elements of
// `from`, whose first element is that of the result.
struct prefix_form {
  extent outer = 1, count = 0, inner = 1;
  extent reach = 1; // a power of 2
  bool reverse = false;
  extents outer_shape{}, outer_steps{}; // of from
  extent step = 0;                      // of from, along the axis; inner elements lie side by side
};
struct prefix_code {
  extent (*scratch_bytes)(prefix_form const& p, int threads);
  void (*run)(prefix_form const& p, void const* from, void* to, scratch memory,
              executor_ref const& on);
};

} // namespace cpu

namespace detail {

constexpr bool has_prefix_code(op code, dtype type) {
  return (code == op::add || code == op::mul || code == op::maximum || code == op::minimum) &&
         size_of(type) >= 4;
}

// One line: packs of it (rows), or as many neighbouring lines as a pack has lanes (columns).
template <class Target, op Code, class T, bool Rows> class prefix_line {
public:
  using pack = cpu::pack_for<Target, T>;
  static constexpr int lanes = Target::lanes, block = 4; // packs at once
  static constexpr int lane_levels = !Rows ? 0 : lanes == 4 ? 2 : lanes == 8 ? 3 : 4;
  static_assert(!Rows || 1 << lane_levels == lanes);

  struct array {
    T const* from;
    T* to;
    extent from_step, to_step; // along the axis
  };

  // How many packs wait at once, at most.
  static constexpr extent ring_packs(extent count) {
    return (Rows ? (count + lanes - 1) / lanes : count) + block;
  }
  // `width`: neighbouring lines, of columns.
  prefix_line(extent count, extent reach, int width, std::byte* ring)
      : count_(count), packs_(Rows ? (count + lanes - 1) / lanes : count), reach_(reach),
        pack_reach_(Rows ? reach / lanes : reach), width_(width),
        ring_(reinterpret_cast<pack*>(ring)) {}

  void run(array const& a) {
    for (pack& c : carried_) c = pack{};
    extent v = 0;
    if (Rows ? side_by_side(a.from_step) && side_by_side(a.to_step) : width_ == lanes) {
      extent const whole = Rows ? count_ / lanes : packs_;
      for (; whole - v >= block; v += block) step<block, true>(a, v);
    } else if constexpr (!Rows)
      for (; packs_ - v >= block; v += block) step<block, false>(a, v);
    for (; v < packs_; ++v) step<1, false>(a, v);
  }

protected: // of cpu/running_prefix.hpp, which walks lines in another order
  static constexpr bool side_by_side(extent step) { return step == 1 || step == -1; }
  WEFT_INLINE static pack combined(pack const& before, pack const& x) {
    return row<Code>::meaning(before, x);
  }

  // Packs v ... v + Count - 1 through all levels; v is a multiple of Count.
  template <int Count, bool Whole> WEFT_INLINE void step(array const& a, extent v) {
    if constexpr (!Rows) fetch_ahead<Count>(a, v);
    pack t[Count];
    each<Count>([&](auto u) WEFT_LAMBDA { t[u] = read<Whole>(a, v + u); });
    if constexpr (lane_levels > 0) lane_level<1>(t, v);
    if constexpr (lane_levels > 1) lane_level<2>(t, v);
    if constexpr (lane_levels > 2) lane_level<4>(t, v);
    if constexpr (lane_levels > 3) lane_level<8>(t, v);
    if constexpr (Count > 1) near_level<1>(t, v);
    if constexpr (Count > 2) near_level<2>(t, v);
    for (extent d = Count; d < pack_reach_; d *= 2) far_level(t, v, d);
    each<Count>([&](auto u) WEFT_LAMBDA { write<Whole>(a, v + u, t[u]); });
  }
  // Lines of a column are too far apart for the machine to see what comes next.
  template <int Count> WEFT_INLINE void fetch_ahead(array const& a, extent v) const {
    constexpr extent ahead = 24;
    if (v + ahead + Count > packs_) return;
    each<Count>([&](auto u) WEFT_LAMBDA {
      __builtin_prefetch(a.from + (v + ahead + u) * a.from_step);
      __builtin_prefetch(a.to + (v + ahead + u) * a.to_step, 1);
    });
  }
  // f(0), f(1), ... as constants: g++ 12 keeps arrays that a loop goes through in memory.
  template <int Count, class F> WEFT_INLINE static void each(F const& f) {
    [&]<int... U>(std::integer_sequence<int, U...>) WEFT_LAMBDA {
      (f(std::integral_constant<int, U>{}), ...);
    }(std::make_integer_sequence<int, Count>{});
  }

  template <int By, int Count> WEFT_INLINE void lane_level(pack (&t)[Count], extent v) {
    if (By >= reach_) return;
    constexpr int level = By == 1 ? 0 : By == 2 ? 1 : By == 4 ? 2 : 3;
    pack const last = t[Count - 1];
    each<Count - 1>([&](auto k) WEFT_LAMBDA {
      constexpr int u = Count - 1 - k;
      t[u] = combined(shifted_lanes<Target, By>(t[u - 1], t[u]), t[u]);
    });
    pack const first = combined(shifted_lanes<Target, By>(carried_[level], t[0]), t[0]);
    t[0] = v == 0 ? select(cpu::first_lanes<Target>(By), t[0], first) : first;
    carried_[level] = last;
  }
  template <int By, int Count> WEFT_INLINE void near_level(pack (&t)[Count], extent v) {
    if (By >= pack_reach_) return;
    pack* const ring = ring_ + (By - 1);
    pack before[By];
    each<By>([&](auto u) WEFT_LAMBDA {
      before[u] = v > 0 ? ring[u] : t[u];
      ring[u] = t[Count - By + u];
    });
    each<Count - By>([&](auto k) WEFT_LAMBDA {
      constexpr int u = Count - 1 - k;
      t[u] = combined(t[u - By], t[u]);
    });
    if (v > 0) each<By>([&](auto u) WEFT_LAMBDA { t[u] = combined(before[u], t[u]); });
  }
  template <int Count> WEFT_INLINE void far_level(pack (&t)[Count], extent v, extent by) {
    pack* const ring = ring_ + (by - 1) + (v & (by - 1));
    bool const waits = v + by < packs_;
    if (v < by) {
      if (waits) each<Count>([&](auto u) WEFT_LAMBDA { ring[u] = t[u]; });
    } else if (waits) {
      each<Count>([&](auto u) WEFT_LAMBDA {
        pack const before = ring[u];
        ring[u] = t[u];
        t[u] = combined(before, t[u]);
      });
    } else each<Count>([&](auto u) WEFT_LAMBDA { t[u] = combined(ring[u], t[u]); });
  }

  template <bool Whole> WEFT_INLINE pack read(array const& a, extent v) const {
    if constexpr (!Rows) {
      T const* const p = a.from + v * a.from_step;
      return Whole ? cpu::load<Target>(p) : cpu::load_first<Target>(p, width_);
    } else {
      extent const i = v * lanes, left = count_ - i;
      if (!Whole && left < lanes && a.from_step == 1)
        return cpu::load_first<Target>(a.from + i, static_cast<int>(left));
      if (!Whole && (left < lanes || !side_by_side(a.from_step)))
        return cpu::load_strided_first<Target>(a.from + i * a.from_step, a.from_step,
                                               static_cast<int>(left < lanes ? left : lanes));
      if (a.from_step == 1) return cpu::load<Target>(a.from + i);
      return reversed_lanes<Target>(cpu::load<Target>(a.from - i - (lanes - 1)));
    }
  }
  template <bool Whole> WEFT_INLINE void write(array const& a, extent v, pack const& x) const {
    if constexpr (!Rows) {
      T* const p = a.to + v * a.to_step;
      if (Whole) cpu::store(p, x);
      else cpu::store_first(p, x, width_);
    } else {
      extent const i = v * lanes, left = count_ - i;
      if (!Whole && left < lanes) {
        if (a.to_step == 1) cpu::store_first(a.to + i, x, static_cast<int>(left));
        else cpu::store_strided_first(a.to - i, x, -1, static_cast<int>(left));
      } else if (a.to_step == 1) cpu::store(a.to + i, x);
      else cpu::store(a.to - i - (lanes - 1), reversed_lanes<Target>(x));
    }
  }

  extent count_, packs_, reach_, pack_reach_;
  int width_;
  pack* ring_;
  pack carried_[lane_levels > 0 ? lane_levels : 1]; // the last pack before each level of lanes
};

template <class Target, op Code, class T> struct prefix_kernel {
  using rows = prefix_line<Target, Code, T, true>;
  using columns = prefix_line<Target, Code, T, false>;
  static constexpr int lanes = Target::lanes;
  static constexpr extent pack_bytes = sizeof(typename rows::pack);

  static extent bytes_each(cpu::prefix_form const& p) {
    return aligned_bytes(pack_bytes *
                         (p.inner == 1 ? rows::ring_packs(p.count) : columns::ring_packs(p.count)));
  }
  static extent scratch_bytes(cpu::prefix_form const& p, int threads) {
    return threads * bytes_each(p);
  }
  static void run(cpu::prefix_form const& p, void const* from, void* to, cpu::scratch memory,
                  cpu::executor_ref const& on) {
    extent const strips = (p.inner + lanes - 1) / lanes, lines = p.outer * strips;
    auto const work = [&](extent begin, extent end, int worker) {
      std::byte* const ring = memory.part(worker, bytes_each(p)).memory;
      auto const* const x = static_cast<T const*>(from);
      auto* const y = static_cast<T*>(to);
      if (p.inner == 1) row_lines(p, x, y, ring, begin, end);
      else column_lines(p, x, y, ring, begin, end);
    };
    // An element costs about four instructions.
    cpu::share_ranges(lines, 4 * p.outer * p.count * p.inner, on, work);
  }

protected:
  // Where outer line o of from begins.
  static extent begin_of(cpu::prefix_form const& p, extent o) {
    extent at = 0;
    for (int axis = p.outer_shape.rank - 1; axis > 0; --axis) {
      at += o % p.outer_shape[axis] * p.outer_steps[axis];
      o /= p.outer_shape[axis];
    }
    return p.outer_shape.rank > 0 ? at + o * p.outer_steps[0] : 0;
  }
  template <class Line>
  static typename Line::array array_at(cpu::prefix_form const& p, T const* from, T* to, extent o) {
    typename Line::array a{from + begin_of(p, o), to + o * p.count * p.inner, p.step, p.inner};
    if (!p.reverse) return a;
    return {a.from + (p.count - 1) * a.from_step, a.to + (p.count - 1) * a.to_step, -a.from_step,
            -a.to_step};
  }
  WEFT_NOINLINE WEFT_FAST static void row_lines(cpu::prefix_form const& p, T const* from, T* to,
                                                std::byte* ring, extent begin, extent end) {
    rows line(p.count, p.reach, lanes, ring);
    for (extent o = begin; o < end; ++o) line.run(array_at<rows>(p, from, to, o));
  }
  WEFT_NOINLINE WEFT_FAST static void column_lines(cpu::prefix_form const& p, T const* from, T* to,
                                                   std::byte* ring, extent begin, extent end) {
    extent const strips = (p.inner + lanes - 1) / lanes;
    for (extent n = begin; n < end; ++n) {
      extent const first = n % strips * lanes, left = p.inner - first;
      columns line(p.count, p.reach, static_cast<int>(left < lanes ? left : lanes), ring);
      typename columns::array a = array_at<columns>(p, from, to, n / strips);
      a.from += first;
      a.to += first;
      line.run(a);
    }
  }
};

// Sums and products of signed integers are those of unsigned ones.
constexpr dtype prefix_type(op code, dtype type) {
  bool const wraps = code == op::add || code == op::mul;
  return !wraps ? type : type == dtype::i32 ? dtype::u32 : type == dtype::i64 ? dtype::u64 : type;
}
template <class Target, op Code, dtype D> struct prefix_by {
  using kernel = prefix_kernel<Target, Code, storage_of<prefix_type(Code, D)>>;
  static constexpr cpu::prefix_code code{&kernel::scratch_bytes, &kernel::run};
};

template <class Target, op Code> cpu::prefix_code const* prefix_of_type(dtype type) {
  switch (type) {
    case dtype::f32: return &prefix_by<Target, Code, dtype::f32>::code;
    case dtype::f64: return &prefix_by<Target, Code, dtype::f64>::code;
    case dtype::i32: return &prefix_by<Target, Code, dtype::i32>::code;
    case dtype::u32: return &prefix_by<Target, Code, dtype::u32>::code;
    case dtype::i64: return &prefix_by<Target, Code, dtype::i64>::code;
    case dtype::u64: return &prefix_by<Target, Code, dtype::u64>::code;
    default: return nullptr;
  }
}

} // namespace detail

namespace cpu {

// Null: there is none.
template <class Target> prefix_code const* prefix_for(op code, dtype type) {
  switch (code) {
    case op::add: return detail::prefix_of_type<Target, op::add>(type);
    case op::mul: return detail::prefix_of_type<Target, op::mul>(type);
    case op::maximum: return detail::prefix_of_type<Target, op::maximum>(type);
    case op::minimum: return detail::prefix_of_type<Target, op::minimum>(type);
    default: return nullptr;
  }
}

} // namespace cpu
} // namespace weft::inline v0
