// SPDX-License-Identifier: BSL-1.0
// Instructions of a lowered group as SIMD code: one always-inlined function per instruction, every
// value a register. Registers are untyped words of one width; an instruction reads them as what it
// needs, so float, integer and mask values share one array and the compiler keeps it in registers
// (all indices are constants). Values of 64 bits have their upper lanes in a second array, which a
// group without such values lacks.
// Needs: code_of<Program>, a lowered_view (pass/lower.hpp). Leaves: bf16 and f16 rounded after every
// inexact node, as the interpreter does.
#pragma once

#include <weft/cpu/beside.hpp>
#include <weft/cpu/pack.hpp>
#include <weft/op/compute_type.hpp>
#include <weft/op/table.hpp>
#include <weft/pass/lower.hpp>

namespace weft::inline v0 {
namespace detail {

template <class Target>
concept has_quotient = requires(typename instructions<Target>::f const& x) {
  instructions<Target>::quotient(x, instructions<Target>::divisor_of(x));
};
// Functions of float32 that take a tenth to two fifths less time beside each other. Not those that
// branch or go through 64 bits; without an instruction for fma (4 lanes) none; and with 16 registers
// (8 lanes) g++ 12 keeps in memory what longer ones have as pairs, and takes four times as long.
constexpr bool gains_beside(op code, int lanes) {
  using enum op;
  if (lanes < 8) return false;
  for (op const o : {exp, log, tanh, sigmoid, erf})
    if (code == o) return true;
  if (lanes < 16) return false;
  for (op const o : {exp2, expm1, log1p, log2, log10, softplus, gelu, erfc, erfinv, asin, acos,
                     atan, sinh, cosh, asinh, acosh, atanh})
    if (code == o) return true;
  return false;
}
template <class Target> struct line_divisor {
  struct type {};
};
template <has_quotient Target> struct line_divisor<Target> {
  using type = typename instructions<Target>::divisor;
};

} // namespace detail

namespace cpu {

// Where an inner loop stands: one address per place (for iotas the number itself), and each place's
// step along the inner axis, in elements.
struct cursor {
  std::intptr_t const* at;
  extent const* step;
};

// How a list of instructions is compiled: a short one for two whole packs, and for one of any
// count, which takes what is left; a long one for two of any count; one element takes one. Those of
// elementwise lines for four whole packs, too, where `abreast` says so.
enum class packs { whole_first, two_of_any_count, one_of_any_count };

// The code of a program: kernels carry the program alone in their types, so that their symbols stay
// short; who lowers programs specialises it (run/program.hpp).
template <class Program> struct code_of;

// What elements of a type are held as, and what an op computes with: integers of 8 and 16 bits are
// held in 32.
template <dtype D, class Target> using pack_of = pack_for<Target, storage_of<D>>;
template <dtype D, class Target> using computed_as = compute_type<pack_f32<Target>, D>;

// The words of an op's operand, and of its result.
template <class T, class Word> WEFT_INLINE T read_words(Word const& low, Word const& high) {
  if constexpr (is_narrow_int<T>) return T::extended(read_words<decltype(T::value)>(low, high));
  else if constexpr (requires { T::high; })
    return T(typename T::vector(low), typename T::vector(high));
  else return T(typename T::vector(low));
}
template <class T, class Word> WEFT_INLINE void write_words(T const& x, Word& low, Word& high) {
  if constexpr (is_narrow_int<T>) write_words(x.value, low, high);
  else if constexpr (requires { T::high; }) low = Word(x.low), high = Word(x.high);
  else low = Word(x.value);
}

template <class Program, int Kernel, class Target> struct group_code {
  static constexpr kernel self = code_of<Program>::value.kernels[Kernel];
  static constexpr int width = Target::lanes;
  using word = typename pack_u32<Target>::vector;
  using word_type = weft::word;

  static constexpr instruction at(int i) {
    return code_of<Program>::value.instructions[self.first_instruction + i];
  }
  static constexpr place place_at(int p) {
    return code_of<Program>::value.places[self.first_place + p];
  }
  static constexpr output output_at(int o) {
    return code_of<Program>::value.outputs[self.first_output + o];
  }

  static constexpr bool has_wide_values() {
    for (int i = 0; i < self.instruction_count; ++i)
      if (is_wide(at(i).type)) return true;
    return false;
  }
  static constexpr int slots = self.instruction_count > 0 ? self.instruction_count : 1;
  struct registers {
    static constexpr int upper = has_wide_values() ? slots : 1;
    word low[slots], high[upper];

    static constexpr int above(int i) { return upper > 1 ? i : 0; }
    template <class T> WEFT_INLINE T as(int i) const {
      if constexpr (one_word<T>) return T(typename T::vector(low[i]));
      else return read_words<T>(low[i], high[above(i)]);
    }
    template <class T> WEFT_INLINE void set(int i, T const& x) {
      if constexpr (one_word<T>) low[i] = word(x.value);
      else write_words(x, low[i], high[above(i)]);
    }
  };

  // What is the same for every element of a line: numbers, and what is computed of them alone.
  static constexpr detail::exact<bool, slots> find_fixed() {
    detail::exact<bool, slots> found{};
    for (int i = 0; i < self.instruction_count; ++i) {
      instruction const n = at(i);
      bool& is = found.items[i];
      if (n.kind == instruction_kind::constant) is = true;
      if (n.kind == instruction_kind::load) is = place_at(n.place).inner == inner_stride::zero;
      if (n.kind == instruction_kind::second) is = found.items[i - 1];
      if (n.kind != instruction_kind::compute) continue;
      is = true;
      for (int o : n.operand) is = is && (o < 0 || found.items[o]);
    }
    return found;
  }
  static constexpr detail::exact<bool, slots> fixed = find_fixed();
  // Quotients of floats by such a number, where the machine has a better way than to divide.
  static constexpr bool divides_line(int i) {
    instruction const n = at(i);
    return n.kind == instruction_kind::compute && n.code == op::div && n.type == dtype::f32 &&
           fixed.items[n.operand[1]] && !fixed.items[n.operand[0]] && detail::has_quotient<Target>;
  }
  static constexpr bool has_quotients() {
    for (int i = 0; i < self.instruction_count; ++i)
      if (divides_line(i)) return true;
    return false;
  }
  // A cursor with what is fixed on its line, and per quotient the divisor.
  struct line : cursor {
    registers own;
    typename detail::line_divisor<Target>::type by[has_quotients() ? slots : 1];

    WEFT_INLINE explicit line(cursor const& c) : cursor(c) {
      [this]<int... I>(std::integer_sequence<int, I...>) WEFT_LAMBDA {
        (this->template prepare<I>(), ...);
      }(std::make_integer_sequence<int, self.instruction_count>{});
    }

  private:
    template <int I> WEFT_INLINE void prepare() {
      if constexpr (fixed.items[I])
        execute<I, any_count>(own, static_cast<cursor const&>(*this), 0, 0);
      if constexpr (divides_line(I)) {
        constexpr int divisor = group_code::at(I).operand[1];
        by[I] = detail::instructions<Target>::divisor_of(
            own.template as<pack_f32<Target>>(divisor).value);
      }
    }
  };

  // Register I of elements i … of the inner axis: Count of them, the first ones of a pack; or, where
  // Count is any_count, `count`, which may be none or all of it. Of a line or of a cursor.
  static constexpr int any_count = 0, whole = width;
  template <int I, int Count, class Line>
  WEFT_INLINE static void execute(registers& r, Line const& c, extent i, int count) {
    constexpr instruction n = at(I);
    constexpr bool of_line = std::is_same_v<Line, line>;
    if constexpr (n.kind == instruction_kind::constant) r.set(I, constant<I>());
    else if constexpr (of_line && fixed.items[I]) {
      r.low[I] = c.own.low[I];
      if constexpr (is_wide(n.type)) r.high[I] = c.own.high[I];
    } else if constexpr (n.kind == instruction_kind::load)
      r.set(I, load_place<n.place, Count>(c, i, count));
    else if constexpr (n.kind == instruction_kind::affine) r.set(I, affine<I>(c, i));
    else if constexpr (n.kind == instruction_kind::compute) {
      if constexpr (of_line && divides_line(I)) divide<I>(r, c.by[I]);
      else compute<I>(r);
    }
  }
  template <int I, class Divisor> WEFT_INLINE static void divide(registers& r, Divisor const& by) {
    using pack = pack_f32<Target>;
    auto const a = r.template as<pack>(at(I).operand[0]);
    r.set(I, pack(detail::instructions<Target>::quotient(a.value, by)));
  }

  template <int P, int Count>
  WEFT_INLINE static auto load_place(cursor const& c, extent i, int count) {
    constexpr place p = place_at(P);
    using T = storage_of<p.type>;
    T const* from = reinterpret_cast<T const*>(c.at[P]);
    if constexpr (p.inner == inner_stride::zero) return splat<Target>(*from);
    else if constexpr (p.inner == inner_stride::unit) {
      if constexpr (Count != any_count) return load_part<Target, Count>(from + i);
      else return count == width ? load<Target>(from + i) : load_first<Target>(from + i, count);
    } else {
      if constexpr (Count == whole) return load_strided<Target>(from + i * c.step[P], c.step[P]);
      else return load_strided_first<Target>(from + i * c.step[P], c.step[P], count);
    }
  }
  template <int I> WEFT_INLINE static auto affine(cursor const& c, extent i) {
    constexpr instruction n = at(I);
    auto step = static_cast<std::int32_t>(c.step[n.place]);
    auto first = static_cast<std::int32_t>(c.at[n.place] + i * c.step[n.place]);
    pack_i32<Target> index = pack_i32<Target>(first) +
                             lane_numbers<Target>() * pack_i32<Target>(step);
    return row<op::convert>::template meaning<dtype::i32, n.type>(index);
  }
  template <int I> WEFT_INLINE static auto constant() {
    constexpr instruction n = at(I);
    constexpr auto bits = static_cast<word_type>(n.bits);
    if constexpr (is_wide(n.type)) return pack_u64<Target>(bits);
    else if constexpr (size_of(n.type) == 4)
      return pack_u32<Target>(static_cast<std::uint32_t>(bits));
    else return splat<Target>(element_of_word<storage_of<n.type>>(bits));
  }

  template <int I> WEFT_INLINE static void compute(registers& r) {
    constexpr instruction n = at(I);
    using from = computed_as<n.from, Target>;
    if constexpr (info_of(n.code).result == type_rule::chosen)
      r.set(I, row<n.code>::template meaning<n.from, n.type>(r.template as<from>(n.operand[0])));
    else if constexpr (info_of(n.code).result == type_rule::words) {
      auto both = apply<I>(r, r.template as<from>(n.operand[0]));
      r.set(I, both.first);
      r.set(I + 1, both.second);
    } else if constexpr (info_of(n.code).result == type_rule::choose)
      r.set(I, apply<I>(r, r.template as<pack_mask<Target>>(n.operand[0])));
    else if constexpr (info_of(n.code).ulp != 0)
      r.set(I, elementary::round_to<n.type>(apply<I>(r, r.template as<from>(n.operand[0]))));
    else r.set(I, apply<I>(r, r.template as<from>(n.operand[0])));
  }
  template <int I, class First>
  WEFT_INLINE static auto apply(registers const& r, First const& first) {
    constexpr instruction n = at(I);
    using from = computed_as<n.from, Target>;
    using meaning = row<n.code>;
    if constexpr (n.code == op::exp && n.bits != 0) return elementary::exp_not_above_one(first);
    else if constexpr (info_of(n.code).arity == 1) return meaning::meaning(first);
    else if constexpr (info_of(n.code).arity == 2)
      return meaning::meaning(first, r.template as<from>(n.operand[1]));
    else if constexpr (info_of(n.code).arity == 3)
      return meaning::meaning(first, r.template as<from>(n.operand[1]),
                              r.template as<from>(n.operand[2]));
    else
      return meaning::meaning(first, r.template as<from>(n.operand[1]),
                              r.template as<from>(n.operand[2]), r.template as<from>(n.operand[3]));
  }

  // Moves the places of a line: its element i becomes element 0. `step`: the line's, in elements.
  WEFT_INLINE static void move_line(std::intptr_t* at, extent const* step, extent i) {
    [&]<int... P>(std::integer_sequence<int, P...>) WEFT_LAMBDA {
      (move_place<P>(at, step, i), ...);
    }(std::make_integer_sequence<int, self.place_count>{});
  }
  template <int P>
  WEFT_INLINE static void move_place(std::intptr_t* at, extent const* step, extent i) {
    constexpr extent size = address_step(P);
    if constexpr (place_at(P).inner == inner_stride::unit) at[P] += i * size;
    else at[P] += i * size * step[P];
  }
  // Bytes of an element; 1 where the place is an iota's number.
  static constexpr extent address_step(int p) {
    for (int i = 0; i < self.instruction_count; ++i)
      if (at(i).kind == instruction_kind::affine && at(i).place == p) return 1;
    return size_of(place_at(p).type);
  }
  // Stores of elementwise results; reductions are the caller's.
  template <int O, int Count>
  WEFT_INLINE static void put(registers const& r, cursor const& c, extent i, int count) {
    constexpr output o = output_at(O);
    if constexpr (o.reduction == op::stop_gradient) {
      using T = storage_of<o.type>;
      T* to = reinterpret_cast<T*>(c.at[o.place]) + i;
      auto value = r.template as<pack_of<o.type, Target>>(o.source);
      if constexpr (Count != any_count) store_part<Count>(to, value);
      else if (count == width) store(to, value);
      else store_first(to, value, count);
    }
  }

  // One pack.
  template <int Count, class Line, int... I>
  WEFT_INLINE static void evaluate(registers& r, Line const& c, extent i, int count,
                                   std::integer_sequence<int, I...>) {
    using in_order = int[];
    (void)in_order{0, (execute<I, Count>(r, c, i, count), 0)...};
  }
  // Packs that advance together, instruction by instruction, and those of long functions operation by
  // operation: each hides the others' latency. Count and `count` are of all; the first ones are full.
  template <int Count, int Packs, class Line, int... I>
  WEFT_INLINE static void evaluate_beside(registers (&r)[Packs], Line const& c, extent i, int count,
                                          std::integer_sequence<int, I...>) {
    static_assert(Packs == 2 || Packs == 4);
    using in_order = int[];
    (void)in_order{0, (execute_beside<I, Count>(r, c, i, count), 0)...};
  }
  // What pack k has of them.
  WEFT_INLINE static constexpr int part_of(int count, int k) {
    int const left = count - k * width;
    return left < 0 ? 0 : left < width ? left : width;
  }
  template <int Count, int K>
  static constexpr int part = Count == any_count ? any_count : part_of(Count, K);
  // Register I of all packs.
  template <int I, int Count, int Packs, class Line>
  WEFT_INLINE static void execute_beside(registers (&r)[Packs], Line const& c, extent i,
                                         int count) {
    constexpr instruction n = at(I);
    constexpr bool known = std::is_same_v<Line, line> && fixed.items[I];
    using pack = computed_as<n.from, Target>;
    if constexpr (known || !goes_beside(I)) {
      // (A loop over them takes a tenth longer to compile.)
      execute<I, part<Count, 0>>(r[0], c, i, part_of(count, 0));
      execute<I, part<Count, 1>>(r[1], c, i + width, part_of(count, 1));
      if constexpr (Packs == 4) {
        execute<I, part<Count, 2>>(r[2], c, i + 2 * width, part_of(count, 2));
        execute<I, part<Count, 3>>(r[3], c, i + 3 * width, part_of(count, 3));
      }
    } else {
      auto const operand = [&](int o) WEFT_LAMBDA {
        return beside_from<Packs>([&](int k)
                                      WEFT_LAMBDA { return r[k].template as<pack>(n.operand[o]); });
      };
      if constexpr (n.code == op::threefry2x32) {
        auto x = operand(2), y = operand(3);
        elementary::threefry_rounds(operand(0), operand(1), x, y);
        each_beside<Packs>(x, [&](pack const& of, int k) WEFT_LAMBDA { r[k].set(I, of); });
        each_beside<Packs>(y, [&](pack const& of, int k) WEFT_LAMBDA { r[k].set(I + 1, of); });
      } else
        each_beside<Packs>(apply<I>(r[0], operand(0)), [&](pack const& of, int k) WEFT_LAMBDA {
          r[k].set(I, elementary::round_to<n.type>(of));
        });
    }
  }
  template <int Count, int Packs, int... O>
  WEFT_INLINE static void put_beside(registers const (&r)[Packs], cursor const& c, extent i,
                                     int count, std::integer_sequence<int, O...>) {
    (put<O, part<Count, 0>>(r[0], c, i, part_of(count, 0)), ...);
    (put<O, part<Count, 1>>(r[1], c, i + width, part_of(count, 1)), ...);
    if constexpr (Packs == 4) {
      (put<O, part<Count, 2>>(r[2], c, i + 2 * width, part_of(count, 2)), ...);
      (put<O, part<Count, 3>>(r[3], c, i + 3 * width, part_of(count, 3)), ...);
    }
  }
  // Functions of packs that are computed of several beside each other (cpu/beside.hpp).
  static constexpr bool goes_beside(int i) {
    instruction const n = at(i);
    if (n.kind != instruction_kind::compute) return false;
    if (n.code == op::threefry2x32) return true;
    return compute_of(n.from) == dtype::f32 && detail::gains_beside(n.code, Target::lanes);
  }
  static constexpr packs use = self.inner_axis < 0           ? packs::one_of_any_count
                               : self.instruction_count > 20 ? packs::two_of_any_count
                                                             : packs::whole_first;
  // Whole packs that an elementwise line takes at once: four, if memory is not what it waits for and
  // the list not so long that four of it take much to compile.
  static constexpr int abreast = Target::lanes >= 8 && self.inner_axis >= 0 && self.work >= 12 &&
                                         self.instruction_count <= 48
                                     ? 4
                                     : 2;

  using instructions = std::make_integer_sequence<int, self.instruction_count>;
  using outputs = std::make_integer_sequence<int, self.output_count>;
};

} // namespace cpu
} // namespace weft::inline v0
