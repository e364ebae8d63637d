// SPDX-License-Identifier: BSL-1.0
// One loop per op and element type over a block of words: the vocabulary of the block executor,
// compiled once for all graphs. A block holds a pack's lanes side by side, as a compiled group
// keeps them in registers: masks are 0 or all ones, bf16 is its float.
// Needs: buffers of block_length words, 64-byte aligned. Leaves: lanes beyond the count
// unspecified.
#pragma once

#include <weft/cpu/pack.hpp>
#include <weft/cpu/reduce.hpp>
#include <weft/cpu/supported.hpp>
#include <weft/graph/results.hpp>

namespace weft::inline v0 {
namespace cpu {

inline constexpr int block_length = 256;

using block_op = void (*)(std::uint32_t* out, std::uint32_t* second, std::uint32_t const* const* in,
                          int count);
using block_load = void (*)(std::uint32_t* out, void const* from, extent step, int count);
using block_store = void (*)(std::uint32_t const* in, void* to, int count);

} // namespace cpu

namespace detail {

template <class Target> struct block_ops {
  using word = typename cpu::pack_u32<Target>::vector;
  static constexpr int width = Target::lanes;
  template <dtype D> using pack = cpu::pack_for<Target, storage_of<D>>;

  template <class Pack> WEFT_INLINE static Pack read(std::uint32_t const* p, int i) {
    typename Pack::vector v;
    __builtin_memcpy(&v, p + i, sizeof v);
    return Pack(v);
  }
  template <class Pack> WEFT_INLINE static void write(std::uint32_t* p, int i, Pack const& x) {
    __builtin_memcpy(p + i, &x.value, sizeof x.value);
  }

  // An op of operands `From` (select: the chosen ones; its condition is a mask).
  template <op O, dtype From>
  static void compute(std::uint32_t* out, std::uint32_t* second, std::uint32_t const* const* in,
                      int count) {
    constexpr op_info info = info_of(O);
    using from = pack<From>;
    for (int i = 0; i < count; i += width) {
      auto at = [&]<class P>(std::type_identity<P>, int k)
                    WEFT_LAMBDA { return read<P>(in[k], i); };
      constexpr std::type_identity<from> x{};
      auto value = [&]() WEFT_LAMBDA {
        using m = row<O>;
        if constexpr (info.result == type_rule::choose)
          return m::meaning(at(std::type_identity<cpu::pack_mask<Target>>{}, 0), at(x, 1),
                            at(x, 2));
        else if constexpr (info.arity == 1) return m::meaning(at(x, 0));
        else if constexpr (info.arity == 2) return m::meaning(at(x, 0), at(x, 1));
        else if constexpr (info.arity == 3) return m::meaning(at(x, 0), at(x, 1), at(x, 2));
        else return m::meaning(at(x, 0), at(x, 1), at(x, 2), at(x, 3));
      }();
      if constexpr (info.result == type_rule::words) {
        write(out, i, value.first);
        write(second, i, value.second);
      } else if constexpr (From == dtype::bf16 && info.result != type_rule::compare &&
                           info.ulp != 0)
        write(out, i, elementary::round_bf16(value));
      else write(out, i, value);
    }
  }
  template <op O, dtype From, dtype To>
  static void change(std::uint32_t* out, std::uint32_t*, std::uint32_t const* const* in,
                     int count) {
    for (int i = 0; i < count; i += width) {
      write(out, i, row<O>::template meaning<From, To>(read<pack<From>>(in[0], i)));
    }
  }

  template <op O, dtype From> static constexpr cpu::block_op find() {
    constexpr type_rule rule = info_of(O).result;
    constexpr dtype to = rule == type_rule::compare ? dtype::boolean : From;
    if constexpr (!is_elementwise(O) || rule == type_rule::chosen || !cpu::runs(From))
      return nullptr;
    else if constexpr (O == op::stop_gradient || !is_typed(O, From, to)) return nullptr;
    else return &compute<O, From>;
  }
  template <op O, dtype From, dtype To> static constexpr cpu::block_op find_change() {
    if constexpr (!is_typed(O, From, To) || !cpu::runs(From) || !cpu::runs(To)) return nullptr;
    else return &change<O, From, To>;
  }

  struct op_table {
    cpu::block_op of[op_count][dtype_count];
    cpu::block_op convert[dtype_count][dtype_count], bitcast[dtype_count][dtype_count];
  };
  template <int... O, int... D>
  static constexpr op_table all(std::integer_sequence<int, O...>,
                                std::integer_sequence<int, D...>) {
    op_table t{};
    auto fill = [&t]<int C>(std::integral_constant<int, C>) {
      ((t.of[C][D] = find<static_cast<op>(C), static_cast<dtype>(D)>()), ...);
    };
    using in_order = int[];
    (void)in_order{(fill(std::integral_constant<int, O>{}), 0)...};
    auto fill_change = [&t]<int F>(std::integral_constant<int, F>) {
      ((t.convert[F][D] = find_change<op::convert, static_cast<dtype>(F), static_cast<dtype>(D)>(),
        t.bitcast[F][D] = find_change<op::bitcast, static_cast<dtype>(F), static_cast<dtype>(D)>()),
       ...);
    };
    (fill_change(std::integral_constant<int, D>{}), ...);
    return t;
  }
  static constexpr op_table table = all(std::make_integer_sequence<int, op_count>{},
                                        std::make_integer_sequence<int, dtype_count>{});

  static cpu::block_op find(op code, dtype from, dtype to) {
    int f = static_cast<int>(from), t = static_cast<int>(to);
    if (code == op::convert) return table.convert[f][t];
    if (code == op::bitcast) return table.bitcast[f][t];
    return table.of[static_cast<int>(code)][f];
  }

  // Places. A whole pack may be read only where all of its elements exist.
  template <dtype D>
  static void load(std::uint32_t* out, void const* from, extent step, int count) {
    auto const* p = static_cast<storage_of<D> const*>(from);
    int i = 0;
    if (step == 0) {
      auto const value = cpu::splat<Target>(*p);
      for (; i < count; i += width) write(out, i, value);
    } else if (step == 1) {
      for (; i + width <= count; i += width) write(out, i, cpu::load<Target>(p + i));
      if (i < count) write(out, i, cpu::load_first<Target>(p + i, count - i));
    } else {
      for (; i < count; i += width) {
        int const n = count - i < width ? count - i : width;
        write(out, i, cpu::load_strided_first<Target>(p + i * step, step, n));
      }
    }
  }
  template <dtype D> static void store(std::uint32_t const* in, void* to, int count) {
    auto* p = static_cast<storage_of<D>*>(to);
    int i = 0;
    for (; i + width <= count; i += width) cpu::store(p + i, read<pack<D>>(in, i));
    if (i < count) cpu::store_first(p + i, read<pack<D>>(in, i), count - i);
  }
  // An iota: `from` is the number at the first element.
  template <dtype D>
  static void affine(std::uint32_t* out, void const* from, extent step, int count) {
    auto first = static_cast<std::int32_t>(reinterpret_cast<std::intptr_t>(from));
    auto const lanes = cpu::lane_numbers<Target>();
    cpu::pack_i32<Target> const by(static_cast<std::int32_t>(step));
    for (int i = 0; i < count; i += width) {
      auto index = cpu::pack_i32<Target>(first) + (lanes + cpu::pack_i32<Target>(i)) * by;
      write(out, i, row<op::convert>::template meaning<dtype::i32, D>(index));
    }
  }
  template <int... D> static constexpr auto places(std::integer_sequence<int, D...>) {
    struct tables {
      cpu::block_load load[dtype_count], affine[dtype_count];
      cpu::block_store store[dtype_count];
    };
    tables t{};
    auto fill = [&t]<int I>(std::integral_constant<int, I>) {
      constexpr auto d = static_cast<dtype>(I);
      if constexpr (cpu::runs(d)) {
        t.load[I] = &load<d>;
        t.affine[I] = &affine<d>;
        t.store[I] = &store<d>;
      }
    };
    (fill(std::integral_constant<int, D>{}), ...);
    return t;
  }
  static constexpr auto place_table = places(std::make_integer_sequence<int, dtype_count>{});
};

// Reductions behind pointers: an accumulator lives in memory that the kernel provides.
struct block_reduction {
  extent bytes;
  void (*start)(void* self);
  void (*add)(void* self, extent e, std::uint32_t const* values, int count);
  void (*close)(void* self, extent e); // rows: elements so far; columns: the element just added
  void (*finish)(void* self, extent total, void* to, int count);
};

template <class Target, op Reduction, dtype D> struct block_reductions {
  using T = storage_of<D>;
  using ops = block_ops<Target>;
  static constexpr int width = Target::lanes;
  static constexpr int strip = 64; // columns at a time
  using row_sum = cpu::row_accumulator<Target, Reduction, T>;
  using column_sum = cpu::column_accumulator<Target, Reduction, T, strip / width>;
  using pack = typename ops::template pack<D>;

  static void add_row(void* self, extent e, std::uint32_t const* values, int count) {
    auto& sum = *static_cast<row_sum*>(self);
    for (int i = 0; i < count; i += width) {
      auto value = ops::template read<pack>(values, i);
      if (e % width == 0 && i + width <= count) sum.add(e + i, value);
      else sum.add_some(e + i, count - i < width ? count - i : width, value);
    }
  }
  static void add_column(void* self, extent e, std::uint32_t const* values, int count) {
    auto& sum = *static_cast<column_sum*>(self);
    for (int i = 0; i < count; i += width)
      sum.add(e, i / width, ops::template read<pack>(values, i));
  }
  static void finish_row(void* self, extent total, void* to, int) {
    *static_cast<T*>(to) = static_cast<T>(static_cast<row_sum*>(self)->finish(total));
  }
  static void finish_column(void* self, extent total, void* to, int count) {
    for (int i = 0; i < count; i += width)
      cpu::store_first(static_cast<T*>(to) + i,
                       static_cast<column_sum*>(self)->finish(total, i / width),
                       count - i < width ? count - i : width);
  }
  static constexpr block_reduction rows{
      sizeof(row_sum), [](void* self) { ::new (self) row_sum; }, &add_row,
      [](void* self, extent e) { static_cast<row_sum*>(self)->close_block(e); }, &finish_row};
  static constexpr block_reduction columns{
      sizeof(column_sum), [](void* self) { ::new (self) column_sum; }, &add_column,
      [](void* self, extent e) { static_cast<column_sum*>(self)->close_block(e); }, &finish_column};
};

template <class Target, op Reduction> block_reduction const* find_reduction(dtype d, bool columns) {
  auto of = [columns]<dtype D>(std::integral_constant<dtype, D>) {
    using found = block_reductions<Target, Reduction, D>;
    return columns ? &found::columns : &found::rows;
  };
  switch (d) {
    case dtype::f32: return of(std::integral_constant<dtype, dtype::f32>{});
    case dtype::i32: return of(std::integral_constant<dtype, dtype::i32>{});
    case dtype::u32: return of(std::integral_constant<dtype, dtype::u32>{});
    case dtype::bf16: return of(std::integral_constant<dtype, dtype::bf16>{});
    case dtype::boolean:
      if constexpr (Reduction == op::reduce_max)
        return of(std::integral_constant<dtype, dtype::boolean>{});
      break;
    default: break;
  }
  return nullptr;
}

} // namespace detail
} // namespace weft::inline v0
