// SPDX-License-Identifier: BSL-1.0
// Instructions of a lowered group as SIMD code: one always-inlined function per instruction, every
// value a register. Registers are untyped words of one width; an instruction reads them as what it
// needs, so float, integer and mask values share one array and the compiler keeps it in registers
// (all indices are constants).
// Needs: code_of<Program>, a lowered_view (pass/lower.hpp). Leaves: bf16 rounded after every inexact
// node, as the interpreter does.
#pragma once

#include <weft/cpu/pack.hpp>
#include <weft/op/table.hpp>
#include <weft/pass/lower.hpp>

namespace weft::inline v0 {
namespace cpu {

// Where an inner loop stands: one address per place (for iotas the number itself), and each place's
// step along the inner axis, in elements.
struct cursor {
  std::intptr_t const* at;
  extent const* step;
};

// The code of a program: kernels carry the program alone in their types, so that their symbols stay
// short; who lowers programs specialises it (run/program.hpp).
template <class Program> struct code_of;

template <dtype D, class Target> using pack_of = pack_for<Target, storage_of<D>>;

template <class Program, int Kernel, class Target> struct group_code {
  static constexpr kernel self = code_of<Program>::value.kernels[Kernel];
  static constexpr int width = Target::lanes;
  using word = typename pack_u32<Target>::vector;

  static constexpr instruction at(int i) {
    return code_of<Program>::value.instructions[self.first_instruction + i];
  }
  static constexpr place place_at(int p) {
    return code_of<Program>::value.places[self.first_place + p];
  }
  static constexpr output output_at(int o) {
    return code_of<Program>::value.outputs[self.first_output + o];
  }

  template <class Pack> WEFT_INLINE static Pack as(word const& w) {
    return Pack(typename Pack::vector(w));
  }
  template <class Pack> WEFT_INLINE static word raw(Pack const& p) { return word(p.value); }

  // Register I of elements i … of the inner axis; Whole: a full pack, else the first `count`,
  // which may be none or all of it.
  template <int I, bool Whole>
  WEFT_INLINE static void execute(word* r, cursor const& c, extent i, int count) {
    constexpr instruction n = at(I);
    if constexpr (n.kind == instruction_kind::load)
      r[I] = raw(load_place<n.place, Whole>(c, i, count));
    else if constexpr (n.kind == instruction_kind::affine) r[I] = raw(affine<I>(c, i));
    else if constexpr (n.kind == instruction_kind::constant) r[I] = constant<I>();
    else if constexpr (n.kind == instruction_kind::compute) compute<I>(r);
  }

  template <int P, bool Whole>
  WEFT_INLINE static auto load_place(cursor const& c, extent i, int count) {
    constexpr place p = place_at(P);
    using T = storage_of<p.type>;
    T const* from = reinterpret_cast<T const*>(c.at[P]);
    if constexpr (p.inner == inner_stride::zero) return splat<Target>(*from);
    else if constexpr (p.inner == inner_stride::unit) {
      if constexpr (Whole) return load<Target>(from + i);
      else return count == width ? load<Target>(from + i) : load_first<Target>(from + i, count);
    } else {
      if constexpr (Whole) return load_strided<Target>(from + i * c.step[P], c.step[P]);
      else return load_strided_first<Target>(from + i * c.step[P], c.step[P], count);
    }
  }
  template <int I> WEFT_INLINE static auto affine(cursor const& c, extent i) {
    constexpr instruction n = at(I);
    auto step = static_cast<std::int32_t>(c.step[n.place]);
    auto first = static_cast<std::int32_t>(c.at[n.place] + i * c.step[n.place]);
    pack_i32<Target> index = pack_i32<Target>(first) +
                             lane_numbers<Target>() * pack_i32<Target>(step);
    return converted<dtype::i32, n.type>(index);
  }
  template <int I> WEFT_INLINE static word constant() {
    constexpr instruction n = at(I);
    constexpr auto bits = static_cast<std::uint32_t>(n.bits);
    if constexpr (n.type == dtype::boolean) return raw(pack_mask<Target>(bits != 0));
    else if constexpr (n.type == dtype::bf16) return raw(pack_u32<Target>(bits << 16));
    else return raw(pack_u32<Target>(bits));
  }
  template <dtype From, dtype To, class Pack> WEFT_INLINE static auto converted(Pack const& x) {
    return row<op::convert>::template meaning<From, To>(x);
  }

  template <int I> WEFT_INLINE static void compute(word* r) {
    constexpr instruction n = at(I);
    using from = pack_of<n.from, Target>;
    if constexpr (n.code == op::convert)
      r[I] = raw(converted<n.from, n.type>(as<from>(r[n.operand[0]])));
    else if constexpr (n.code == op::bitcast)
      r[I] = raw(row<n.code>::template meaning<pack_of<n.type, Target>>(as<from>(r[n.operand[0]])));
    else if constexpr (info_of(n.code).result == type_rule::words) {
      auto both = apply<I>(r, as<from>(r[n.operand[0]]));
      r[I] = raw(both.first);
      r[I + 1] = raw(both.second);
    } else if constexpr (info_of(n.code).result == type_rule::choose)
      r[I] = raw(apply<I>(r, as<pack_mask<Target>>(r[n.operand[0]])));
    else if constexpr (n.type == dtype::bf16 && info_of(n.code).ulp != 0)
      r[I] = raw(elementary::round_bf16(apply<I>(r, as<from>(r[n.operand[0]]))));
    else r[I] = raw(apply<I>(r, as<from>(r[n.operand[0]])));
  }
  template <int I, class First> WEFT_INLINE static auto apply(word* r, First const& first) {
    constexpr instruction n = at(I);
    using from = pack_of<n.from, Target>;
    using meaning = row<n.code>;
    if constexpr (info_of(n.code).arity == 1) return meaning::meaning(first);
    else if constexpr (info_of(n.code).arity == 2)
      return meaning::meaning(first, as<from>(r[n.operand[1]]));
    else if constexpr (info_of(n.code).arity == 3)
      return meaning::meaning(first, as<from>(r[n.operand[1]]), as<from>(r[n.operand[2]]));
    else
      return meaning::meaning(first, as<from>(r[n.operand[1]]), as<from>(r[n.operand[2]]),
                              as<from>(r[n.operand[3]]));
  }

  // Stores of elementwise results; reductions are the caller's.
  template <int O, bool Whole>
  WEFT_INLINE static void put(word const* r, cursor const& c, extent i, int count) {
    constexpr output o = output_at(O);
    if constexpr (o.reduction == op::stop_gradient) {
      using T = storage_of<o.type>;
      T* to = reinterpret_cast<T*>(c.at[o.place]) + i;
      auto value = as<pack_of<o.type, Target>>(r[o.source]);
      if (Whole || count == width) store(to, value);
      else store_first(to, value, count);
    }
  }

  // One pack, or two that advance together: the second hides the first one's latency.
  template <bool Whole, int... I>
  WEFT_INLINE static void evaluate(word* r, cursor const& c, extent i, int count,
                                   std::integer_sequence<int, I...>) {
    using in_order = int[];
    (void)in_order{0, (execute<I, Whole>(r, c, i, count), 0)...};
  }
  // Counts are of both packs: the second has what the first leaves.
  template <bool Whole, int... I>
  WEFT_INLINE static void evaluate_two(word* r, word* q, cursor const& c, extent i, int count,
                                       std::integer_sequence<int, I...>) {
    int const first = first_of(count), second = count - first;
    using in_order = int[];
    (void)in_order{
        0, (execute<I, Whole>(r, c, i, first), execute<I, Whole>(q, c, i + width, second), 0)...};
  }
  WEFT_INLINE static int first_of(int count) { return count < width ? count : width; }
  // Long lists are compiled once, for any count up to two packs; short ones again for whole packs.
  static constexpr bool is_long = self.instruction_count > 20;

  using instructions = std::make_integer_sequence<int, self.instruction_count>;
  using outputs = std::make_integer_sequence<int, self.output_count>;
  static constexpr int registers = self.instruction_count > 0 ? self.instruction_count : 1;
};

} // namespace cpu
} // namespace weft::inline v0
