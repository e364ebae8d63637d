// SPDX-License-Identifier: BSL-1.0
// Prefixes of an array along one axis under add, mul, maximum or minimum, in one pass over memory:
// for d = 1, 2, 4, ... below `reach`, in each block of 2 d elements those of the upper half become
// f(the lower half's last element, element).
// Four or eight packs at a time: the levels of their lanes and two or three between them are in
// registers. Above those the pack's number says by its bits what it takes, from the lowest on: the
// end that waits at that level, which the packs before left there. So a line has log2 n ends, however
// long it is.
// Two forms: elements along the axis lie side by side (rows), or lines of neighbours do (columns).
// Needs: elements of 4 or 8 bytes; `scratch_bytes` of scratch. Leaves: the bits of one pass per level,
// however the lines are cut; to may be from, if they are walked alike.
#pragma once

#include <weft/cpu/elementwise.hpp>
#include <weft/cpu/executor_ref.hpp>
#include <weft/cpu/lane_shifts.hpp>
#include <weft/cpu/scratch.hpp>

#include <bit>

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

template <class T> struct prefix_array {
  T const* from;
  T* to;
  extent from_step, to_step; // along the axis

  WEFT_INLINE prefix_array beside(extent by) const {
    return {from + by, to + by, from_step, to_step};
  }
  WEFT_INLINE prefix_array after(extent elements) const {
    return {from + elements * from_step, to + elements * to_step, from_step, to_step};
  }
};

// One line: packs of it (rows), or neighbouring lines, Side packs wide (columns).
template <class Target, op Code, class T, bool Rows, int Side = 1> class prefix_line {
public:
  using pack = cpu::pack_for<Target, T>;
  static constexpr int lanes = Target::lanes;
  // Packs at once: of columns eight rows of two packs fit into 32 registers, four into 16.
  static constexpr int block = Rows ? (sizeof(T) == 4 ? 8 : 4) : (lanes == 16 ? 8 : 4);

  using array = prefix_array<T>;
  static constexpr extent blocks_of(extent count) { return (count + each - 1) / each; }
  // Levels above those in registers.
  static constexpr int ends_of(extent count) {
    int levels = 0;
    while (extent{1} << levels < blocks_of(count)) ++levels;
    return levels;
  }

  // `width`: neighbouring lines, of columns.
  prefix_line(extent count, extent reach, extent width = Side * lanes)
      : count_(count), pack_reach_(Rows ? reach / lanes : reach), reach_(reach),
        width_(static_cast<int>(width)) {}

  // Whether every pack of a row is whole, but for the last ones.
  static bool is_whole(array const& a) { return side_by_side(a.from_step); }
  // Block v of the line. `ends`: as many as ends_of(count), `apart` packs from each other.
  template <bool Whole>
  WEFT_INLINE void step(array const& line, extent v, pack* ends, extent apart) const {
    array const a = line.after(v * each);
    extent const left = count_ - v * each;
    if (Whole && left >= each) whole_step(a, v, ends, apart);
    else if constexpr (Rows) some_of_row(a, v, static_cast<int>(left < each ? left : each), ends);
    else some_of_columns<Whole>(a, v, static_cast<int>(left < each ? left : each), ends, apart);
  }

private:
  static constexpr extent each = Rows ? block * lanes : block; // elements of a block
  static constexpr int most_levels = 31;                       // an index is 32 bits wide
  using packs_at_once = pack[Side][block];

  static constexpr bool side_by_side(extent step) { return step == 1 || step == -1; }
  WEFT_INLINE static pack combined(pack const& before, pack const& x) {
    return row<Code>::meaning(before, x);
  }
  WEFT_INLINE static pack end_of(pack const& x) {
    if constexpr (Rows) return last_lane<Target>(x);
    else return x;
  }
  // f(0), f(1), ... as constants: g++ 12 keeps arrays that a loop goes through in memory.
  template <int Count, class F> WEFT_INLINE static void repeat(F const& f) {
    [&]<int... U>(std::integer_sequence<int, U...>) WEFT_LAMBDA {
      (f(std::integral_constant<int, U>{}), ...);
    }(std::make_integer_sequence<int, Count>{});
  }
  template <class F> WEFT_INLINE static void repeat_all(F const& f) {
    repeat<block>([&](auto u) WEFT_LAMBDA { repeat<Side>([&](auto s) WEFT_LAMBDA { f(s, u); }); });
  }

  WEFT_INLINE void whole_step(array const& a, extent v, pack* ends, extent apart) const {
    packs_at_once t;
    repeat_all([&](auto s, auto u) WEFT_LAMBDA { t[s][u] = read(a, s, u); });
    all_levels(t, v, ends, apart);
    repeat_all([&](auto s, auto u) WEFT_LAMBDA { write(a, s, u, t[s][u]); });
  }
  template <bool Whole>
  WEFT_INLINE void some_of_columns(array const& a, extent v, int count, pack* ends,
                                   extent apart) const {
    packs_at_once t;
    repeat_all([&](auto s, auto u) WEFT_LAMBDA {
      if (u >= count) t[s][u] = pack{};
      else if constexpr (Whole) t[s][u] = read(a, s, u);
      else t[s][u] = cpu::load_first<Target>(a.from + u * a.from_step, width_);
    });
    all_levels(t, v, ends, apart);
    repeat_all([&](auto s, auto u) WEFT_LAMBDA {
      if (u >= count) return;
      if constexpr (Whole) write(a, s, u, t[s][u]);
      else cpu::store_first(a.to + u * a.to_step, t[s][u], width_);
    });
  }
  // The first `count` elements of a block, from any places. Of its packs one at most is not whole:
  // what reads and writes that one is there once.
  WEFT_NOINLINE WEFT_FAST void some_of_row(array const& line, extent v, int count,
                                           pack* ends) const {
    T held[each];
    array a = line;
    if (!side_by_side(a.from_step)) {
      for (int i = 0; i < count; ++i) held[i] = line.from[i * line.from_step];
      a.from = held;
      a.from_step = 1;
    }
    int const whole = count / lanes, rest = count % lanes;
    extent const at = whole * lanes;
    pack last{};
    if (rest > 0)
      last = a.from_step == 1 ? cpu::load_first<Target>(a.from + at, rest)
                              : cpu::load_strided_first<Target>(a.from - at, -1, rest);
    packs_at_once t;
    repeat<block>([&](auto u) WEFT_LAMBDA {
      t[0][u] = u < whole ? read(a, 0, u) : u == whole ? last : pack{};
    });
    all_levels(t, v, ends, 1);
    repeat<block>([&](auto u) WEFT_LAMBDA {
      if (u < whole) write(a, 0, u, t[0][u]);
      else if (u == whole) last = t[0][u];
    });
    if (rest == 0) return;
    if (a.to_step == 1) cpu::store_first(a.to + at, last, rest);
    else cpu::store_strided_first(a.to - at, last, -1, rest);
  }
  WEFT_INLINE void all_levels(packs_at_once& t, extent v, pack* ends, extent apart) const {
    if constexpr (Rows) {
      lane_level<1>(t);
      lane_level<2>(t);
      if constexpr (lanes > 4) lane_level<4>(t);
      if constexpr (lanes > 8) lane_level<8>(t);
    }
    pack_level<1>(t);
    pack_level<2>(t);
    if constexpr (block > 4) pack_level<4>(t);
    take_ends(t, v, ends, apart);
  }
  template <int By> WEFT_INLINE void lane_level(packs_at_once& t) const {
    if (By >= reach_) return;
    repeat_all([&](auto s, auto u) WEFT_LAMBDA {
      pack const& x = t[s][u];
      t[s][u] = upper_halves<Target, By>(x, combined(half_ends<Target, By>(x), x));
    });
  }
  template <int By> WEFT_INLINE void pack_level(packs_at_once& t) const {
    if (By >= pack_reach_) return;
    repeat<block / 2 / By>([&](auto b) WEFT_LAMBDA {
      constexpr int upper = 2 * By * b + By;
      repeat<Side>([&](auto s) WEFT_LAMBDA {
        pack const end = end_of(t[s][upper - 1]);
        repeat<By>([&](auto k) WEFT_LAMBDA { t[s][upper + k] = combined(end, t[s][upper + k]); });
      });
    });
  }
  // One loop over the bits that are set: what is taken at one level is left for another, and which
  // one that is would be a second question that a processor cannot foresee.
  WEFT_INLINE void take_ends(packs_at_once& t, extent v, pack* ends, extent apart) const {
    if (pack_reach_ < block) return;
    std::uint64_t const at = static_cast<std::uint64_t>(v);
    std::uint64_t const levels = static_cast<std::uint64_t>(pack_reach_ / block - 1);
    pack last[Side][most_levels + 1]; // of the block, before each level taken
    int taken = 0;
    auto const keep = [&]() WEFT_LAMBDA {
      repeat<Side>([&](auto s) WEFT_LAMBDA { last[s][taken] = t[s][block - 1]; });
    };
    keep();
    for (std::uint64_t bits = at & levels; bits != 0; bits &= bits - 1) {
      pack const* const end = ends + std::countr_zero(bits) * apart;
      repeat_all([&](auto s, auto u) WEFT_LAMBDA { t[s][u] = combined(end[s], t[s][u]); });
      ++taken;
      keep();
    }
    int const level = std::countr_one(at);
    if (level < most_levels && ((levels >> level) & 1) != 0 && v + 1 < blocks_of(count_))
      repeat<Side>([&](auto s) WEFT_LAMBDA { ends[level * apart + s] = end_of(last[s][level]); });
  }

  // Pack u of a block: elements side by side, from the last one on where the step is -1.
  WEFT_INLINE static pack read(array const& a, int side, int u) {
    if constexpr (!Rows) return cpu::load<Target>(a.from + u * a.from_step + side * lanes);
    else if (a.from_step == 1) return cpu::load<Target>(a.from + u * lanes);
    else return reversed_lanes<Target>(cpu::load<Target>(a.from - u * lanes - (lanes - 1)));
  }
  WEFT_INLINE static void write(array const& a, int side, int u, pack const& x) {
    if constexpr (!Rows) cpu::store(a.to + u * a.to_step + side * lanes, x);
    else if (a.to_step == 1) cpu::store(a.to + u * lanes, x);
    else cpu::store(a.to - u * lanes - (lanes - 1), reversed_lanes<Target>(x));
  }

  extent count_, pack_reach_, reach_;
  int width_;
};

template <class Target, op Code, class T> struct prefix_kernel {
  using rows = prefix_line<Target, Code, T, true>;
  using column = prefix_line<Target, Code, T, false>;
  static constexpr int side = sizeof(T) == 4 ? 2 : 1; // packs
  using columns = prefix_line<Target, Code, T, false, side>;
  using pack = typename rows::pack;
  static constexpr int lanes = Target::lanes;

  static extent bytes_each(cpu::prefix_form const& p) {
    extent const ends = p.inner == 1 ? rows::ends_of(p.count)
                                     : strip_of(p) * columns::ends_of(p.count);
    return aligned_bytes(ends * static_cast<extent>(sizeof(pack)));
  }
  static extent scratch_bytes(cpu::prefix_form const& p, int threads) {
    return threads * bytes_each(p);
  }
  static void run(cpu::prefix_form const& p, void const* from, void* to, cpu::scratch memory,
                  cpu::executor_ref const& on) {
    bool const by_rows = p.inner == 1;
    auto const work = [&](extent begin, extent end, int worker) {
      auto* const ends = reinterpret_cast<pack*>(memory.part(worker, bytes_each(p)).memory);
      auto const* const x = static_cast<T const*>(from);
      auto* const y = static_cast<T*>(to);
      if (by_rows) row_lines(p, x, y, ends, begin, end);
      else column_lines(p, x, y, ends, begin, end);
    };
    // An element costs about two instructions.
    cpu::share_ranges(by_rows ? p.outer : p.outer * strips_of(p), 2 * p.outer * p.count * p.inner,
                      on, work);
  }

private:
  // Packs of a strip of columns: as many as find their ends in L1, since rows are read best from one
  // end to the other; of narrow arrays fewer, for threads.
  static extent strip_of(cpu::prefix_form const& p) { return (p.inner > 512 ? 512 : 256) / lanes; }
  static extent strips_of(cpu::prefix_form const& p) {
    extent const columns = strip_of(p) * lanes;
    return (p.inner + columns - 1) / columns;
  }
  // Where outer line o of from begins.
  static extent begin_of(cpu::prefix_form const& p, extent o) {
    extent at = 0;
    for (int axis = p.outer_shape.rank - 1; axis > 0; --axis) {
      at += o % p.outer_shape[axis] * p.outer_steps[axis];
      o /= p.outer_shape[axis];
    }
    return p.outer_shape.rank > 0 ? at + o * p.outer_steps[0] : 0;
  }
  static prefix_array<T> array_at(cpu::prefix_form const& p, T const* from, T* to, extent o) {
    prefix_array<T> const a{from + begin_of(p, o), to + o * p.count * p.inner, p.step, p.inner};
    if (!p.reverse) return a;
    return {a.from + (p.count - 1) * a.from_step, a.to + (p.count - 1) * a.to_step, -a.from_step,
            -a.to_step};
  }
  WEFT_NOINLINE WEFT_FAST static void row_lines(cpu::prefix_form const& p, T const* from, T* to,
                                                pack* ends, extent begin, extent end) {
    rows const line(p.count, p.reach);
    extent const blocks = rows::blocks_of(p.count);
    for (extent o = begin; o < end; ++o) {
      auto const a = array_at(p, from, to, o);
      if (rows::is_whole(a))
        for (extent v = 0; v < blocks; ++v) line.template step<true>(a, v, ends, 1);
      else
        for (extent v = 0; v < blocks; ++v) line.template step<false>(a, v, ends, 1);
    }
  }
  WEFT_NOINLINE WEFT_FAST static void column_lines(cpu::prefix_form const& p, T const* from, T* to,
                                                   pack* ends, extent begin, extent end) {
    extent const strips = strips_of(p), blocks = columns::blocks_of(p.count);
    extent const strip = strip_of(p);
    for (extent n = begin; n < end; ++n) {
      extent const first = n % strips * strip * lanes, left = p.inner - first;
      extent const packs = left < strip * lanes ? left / lanes : strip;
      extent const rest = packs < strip ? left % lanes : 0;
      columns const wide(p.count, p.reach);
      column const one(p.count, p.reach), some(p.count, p.reach, rest);
      auto const a = array_at(p, from + first, to + first, n / strips);
      for (extent v = 0; v < blocks; ++v) {
        extent c = 0;
        for (; c + side <= packs; c += side)
          wide.template step<true>(a.beside(c * lanes), v, ends + c, strip);
        for (; c < packs; ++c) one.template step<true>(a.beside(c * lanes), v, ends + c, strip);
        if (rest > 0) some.template step<false>(a.beside(c * lanes), v, ends + c, strip);
      }
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
