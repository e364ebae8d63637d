// SPDX-License-Identifier: BSL-1.0
// One loop per op over a block of words: the vocabulary of the block executor, compiled once for
// all graphs. A block holds a pack's lanes side by side, as a compiled group keeps them in
// registers: masks are 0 or all ones, integers of 8 and 16 bits are extended to 32, bf16 and f16 are
// their float; values of 64 bits take two words each.
// Loops exist for the types that are computed with. Others are made of them: what an op leaves is
// wrapped or rounded to its storage type by a second loop; an op whose meaning depends on the width
// (op/table.hpp) has loops of its own for 8 and 16 bits.
// Needs: blocks of whole packs, anywhere. Leaves: lanes beyond the count unspecified.
#pragma once

#include <weft/cpu/elementwise.hpp>
#include <weft/graph/results.hpp>

namespace weft::inline v0 {
namespace cpu {

inline constexpr int most_block_length = 2048;

// An operand's block. `step` 0: its first pack is all of them.
struct block_operand {
  std::uint32_t const* at = nullptr;
  int step = 1;
};
using block_op = void (*)(std::uint32_t* out, std::uint32_t* second, block_operand const* in,
                          int count);
using block_finish = void (*)(std::uint32_t* values, int count);
// An op, and what makes a value of the node's type of its result (or null).
struct block_steps {
  block_op compute = nullptr;
  block_finish finish = nullptr;

  void run(std::uint32_t* out, std::uint32_t* second, block_operand const* in, int count) const {
    compute(out, second, in, count);
    if (finish != nullptr) finish(out, count);
  }
};

} // namespace cpu

namespace detail {

// The types that loops are made for, and a type's place in a list; -1: not in it.
inline constexpr dtype computed_types[] = {dtype::f32, dtype::i32, dtype::u32, dtype::boolean,
                                           dtype::f64, dtype::i64, dtype::u64};
inline constexpr dtype narrow_types[] = {dtype::i8, dtype::i16, dtype::u8, dtype::u16};
inline constexpr int computed_count = 7, narrow_count = 4;
template <int N> constexpr int index_in(dtype const (&list)[N], dtype d) {
  for (int i = 0; i < N; ++i)
    if (list[i] == d) return i;
  return -1;
}
constexpr bool is_narrow(dtype d) { return is_integer(d) && size_of(d) < 4; }

constexpr int words_of(dtype d) { return is_wide(d) ? 2 : 1; } // of an element in a block

template <class Target> struct block_words {
  using word = typename cpu::pack_u32<Target>::vector;
  static constexpr int width = Target::lanes;
  template <dtype D> using pack = cpu::computed_as<D, Target>;

  template <class T> static constexpr int size = sizeof(T) / sizeof(word); // words per lane
  template <class T> WEFT_INLINE static T read(std::uint32_t const* p, int i) {
    word low, high{};
    __builtin_memcpy(&low, p + i * size<T>, sizeof low);
    if constexpr (size<T> == 2) __builtin_memcpy(&high, p + i * 2 + width, sizeof high);
    return cpu::read_words<T>(low, high);
  }
  template <class T> WEFT_INLINE static void write(std::uint32_t* p, int i, T const& x) {
    word low, high;
    cpu::write_words(x, low, high);
    __builtin_memcpy(p + i * size<T>, &low, sizeof low);
    if constexpr (size<T> == 2) __builtin_memcpy(p + i * 2 + width, &high, sizeof high);
  }
};

template <class Target> struct block_ops : block_words<Target> {
  using base = block_words<Target>;
  using base::width;
  template <dtype D> using pack = typename base::template pack<D>;

  // An operand's packs, one after another.
  template <class P> class packs_of {
    std::uint32_t const* at_;
    std::ptrdiff_t by_;

  public:
    WEFT_INLINE explicit packs_of(cpu::block_operand const& x)
        : at_(x.at), by_(x.step * width * base::template size<P>) {}
    WEFT_INLINE P next() {
      P const x = base::template read<P>(at_, 0);
      at_ += by_;
      return x;
    }
  };
  template <op O, class... P>
  WEFT_INLINE static void each_of(std::uint32_t* out, std::uint32_t* second, int count,
                                  packs_of<P>... in) {
    for (int i = 0; i < count; i += width) {
      auto const value = row<O>::meaning(in.next()...);
      if constexpr (info_of(O).result == type_rule::words) {
        base::write(out, i, value.first);
        base::write(second, i, value.second);
      } else base::write(out, i, value);
    }
  }
  // An op of operands `From` (select: the chosen ones; its condition is a mask).
  template <op O, dtype From>
  static void compute(std::uint32_t* out, std::uint32_t* second, cpu::block_operand const* in,
                      int count) {
    using from = packs_of<pack<From>>;
    if constexpr (info_of(O).result == type_rule::choose)
      each_of<O>(out, second, count, packs_of<cpu::pack_mask<Target>>(in[0]), from(in[1]),
                 from(in[2]));
    else
      [&]<int... K>(std::integer_sequence<int, K...>) WEFT_LAMBDA {
        each_of<O>(out, second, count, from(in[K])...);
      }(std::make_integer_sequence<int, info_of(O).arity>{});
  }
  template <op O, dtype From> static constexpr cpu::block_op find() {
    constexpr type_rule rule = info_of(O).result;
    constexpr dtype to = rule == type_rule::compare ? dtype::boolean : From;
    constexpr bool as_bits = From == dtype::u32 || From == dtype::u64; // enough for select
    if constexpr (!is_elementwise(O) || rule == type_rule::chosen) return nullptr;
    else if constexpr (O == op::stop_gradient || !is_typed(O, From, to)) return nullptr;
    else if constexpr (rule == type_rule::choose && !as_bits) return nullptr;
    else if constexpr (is_narrow(From) && !row<O>::info.depends_on_width) return nullptr;
    else return &compute<O, From>;
  }

  // f(x) for every pack of a block.
  template <class P, class F>
  WEFT_INLINE static void each(std::uint32_t* out, packs_of<P> in, int count, F const& f) {
    for (int i = 0; i < count; i += width) base::write(out, i, f(in.next()));
  }
  template <op O, dtype From, dtype To>
  static void change(std::uint32_t* out, std::uint32_t*, cpu::block_operand const* in, int count) {
    each(out, packs_of<pack<From>>(in[0]), count,
         [](auto const& x) WEFT_LAMBDA { return row<O>::template meaning<From, To>(x); });
  }
  template <int Words>
  static void copy(std::uint32_t* out, std::uint32_t*, cpu::block_operand const* in, int count) {
    constexpr dtype as = Words == 2 ? dtype::u64 : dtype::u32;
    each(out, packs_of<pack<as>>(in[0]), count, [](auto const& x) WEFT_LAMBDA { return x; });
  }
  // To a float that is rounded to 16 bits next.
  template <dtype From>
  static void to_odd(std::uint32_t* out, std::uint32_t*, cpu::block_operand const* in, int count) {
    each(out, packs_of<pack<From>>(in[0]), count,
         [](auto const& x) WEFT_LAMBDA { return odd_single(x); });
  }
  template <dtype To> static void finish(std::uint32_t* values, int count) {
    cpu::block_operand const in{values};
    if constexpr (is_half(To))
      each(values, packs_of<pack<dtype::f32>>(in), count,
           [](auto const& x) WEFT_LAMBDA { return elementary::round_to<To>(x); });
    else
      each(values, packs_of<pack<compute_of(To)>>(in), count,
           [](auto const& x) WEFT_LAMBDA { return pack<To>::wrapped(x); });
  }

  struct op_table {
    cpu::block_op of[op_count][computed_count], narrow[op_count][narrow_count];
    cpu::block_op convert[computed_count][computed_count], saturate[2][narrow_count];
    cpu::block_op odd[computed_count];
    cpu::block_finish finish[dtype_count];
  };
  template <int O, int... C, int... N>
  static constexpr void fill_op(op_table& t, std::integer_sequence<int, C...>,
                                std::integer_sequence<int, N...>) {
    ((t.of[O][C] = find<static_cast<op>(O), computed_types[C]>()), ...);
    ((t.narrow[O][N] = find<static_cast<op>(O), narrow_types[N]>()), ...);
  }
  template <int From, int... C>
  static constexpr void fill_convert(op_table& t, std::integer_sequence<int, C...>) {
    constexpr dtype from = computed_types[From];
    constexpr auto convert = [](auto to) {
      if constexpr (from != to()) return &change<op::convert, from, to()>;
      else return &copy < is_wide(from) ? 2 : 1 > ;
    };
    ((t.convert[From][C] = convert(std::integral_constant<dtype, computed_types[C]>{})), ...);
    t.odd[From] = &to_odd<from>;
  }
  template <int... O, int... C, int... N>
  static constexpr op_table all(std::integer_sequence<int, O...>,
                                std::integer_sequence<int, C...> computed,
                                std::integer_sequence<int, N...> narrow) {
    op_table t{};
    using in_order = int[];
    (void)in_order{(fill_op<O>(t, computed, narrow), 0)...};
    (fill_convert<C>(t, computed), ...);
    ((t.saturate[0][N] = &change<op::convert, dtype::f32, narrow_types[N]>), ...);
    ((t.saturate[1][N] = &change<op::convert, dtype::f64, narrow_types[N]>), ...);
    ((t.finish[static_cast<int>(narrow_types[N])] = &finish<narrow_types[N]>), ...);
    t.finish[static_cast<int>(dtype::bf16)] = &finish<dtype::bf16>;
    t.finish[static_cast<int>(dtype::f16)] = &finish<dtype::f16>;
    return t;
  }
  static constexpr op_table table = all(std::make_integer_sequence<int, op_count>{},
                                        std::make_integer_sequence<int, computed_count>{},
                                        std::make_integer_sequence<int, narrow_count>{});

  static int computed_index(dtype d) { return index_in(computed_types, compute_of(d)); }
  static cpu::block_finish finish_of(dtype d) { return table.finish[static_cast<int>(d)]; }

  static cpu::block_steps find(op code, dtype from, dtype to) {
    if (code == op::convert) return find_convert(from, to);
    if (code == op::bitcast) return find_bitcast(from, to);
    op_info const& info = info_of(code);
    auto const& row = table.of[static_cast<int>(code)];
    if (info.result == type_rule::choose)
      return {row[computed_index(is_wide(from) ? dtype::u64 : dtype::u32)]};
    int const narrow = index_in(narrow_types, from);
    if (narrow >= 0)
      if (cpu::block_op const own = table.narrow[static_cast<int>(code)][narrow]) return {own};
    bool const exact = is_float(to) && info.ulp == 0;
    return {row[computed_index(from)], exact ? nullptr : finish_of(to)};
  }
  static cpu::block_steps find_convert(dtype from, dtype to) {
    int const f = computed_index(from), t = computed_index(to);
    if (from == to) return {table.convert[f][f]};
    if (is_half(to)) return {table.odd[f], finish_of(to)};
    if (is_narrow(to) && is_float(from))
      return {table.saturate[is_wide(from) ? 1 : 0][index_in(narrow_types, to)]};
    return {table.convert[f][t], finish_of(to)};
  }
  // From floats: bits with one NaN. Integers of other signs: the same words, wrapped if narrow.
  static cpu::block_steps find_bitcast(dtype from, dtype to) {
    if (is_integer(from) && is_integer(to))
      return {is_wide(from) ? &copy<2> : &copy<1>, finish_of(to)};
    switch (from) {
      case dtype::f32:
        return {to == from ? &copy<1> : &change<op::bitcast, dtype::f32, dtype::u32>};
      case dtype::f64:
        return {to == from ? &copy<2> : &change<op::bitcast, dtype::f64, dtype::u64>};
      case dtype::bf16: return bitcast_half<dtype::bf16, dtype::f16>(to);
      case dtype::f16: return bitcast_half<dtype::f16, dtype::bf16>(to);
      case dtype::i16: return {bitcast_to_half<dtype::i16>(to)};
      case dtype::u16: return {bitcast_to_half<dtype::u16>(to)};
      default: return {is_wide(from) ? &copy<2> : &copy<1>};
    }
  }
  template <dtype From, dtype Other> static cpu::block_steps bitcast_half(dtype to) {
    if (to == From) return {&copy<1>};
    if (to == Other) return {&change<op::bitcast, From, Other>};
    return {&change<op::bitcast, From, dtype::u16>, finish_of(to)};
  }
  template <dtype From> static cpu::block_op bitcast_to_half(dtype to) {
    return to == dtype::bf16 ? &change<op::bitcast, From, dtype::bf16>
                             : &change<op::bitcast, From, dtype::f16>;
  }
};

} // namespace detail
} // namespace weft::inline v0
