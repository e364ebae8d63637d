// SPDX-License-Identifier: BSL-1.0
// Blocks (cpu/block_ops.hpp) from and to memory, one loop per size and way of widening; the words
// that constants are held as; and reductions behind pointers.
// Needs, leaves: as cpu/block_ops.hpp.
#pragma once

#include <weft/cpu/block_ops.hpp>
#include <weft/cpu/reduce.hpp>

namespace weft::inline v0 {
namespace cpu {

using block_load = void (*)(std::uint32_t* out, void const* from, extent step, int count);
using block_store = void (*)(std::uint32_t const* in, void* to, int count);

} // namespace cpu

namespace detail {

// Types that are loaded alike, or stored alike, as one of them.
constexpr dtype as_loaded(dtype d) {
  return is_wide(d) ? dtype::u64 : size_of(d) == 4 ? dtype::u32 : d;
}
constexpr dtype as_stored(dtype d) {
  return d == dtype::i8 ? dtype::u8 : d == dtype::i16 ? dtype::u16 : as_loaded(d);
}

template <class Target> struct block_places : block_words<Target> {
  using base = block_words<Target>;
  using base::width;

  // A whole pack may be read only where all of its elements exist.
  template <dtype D>
  static void load(std::uint32_t* out, void const* from, extent step, int count) {
    auto const* p = static_cast<storage_of<D> const*>(from);
    int i = 0;
    if (step == 0) {
      auto const value = cpu::splat<Target>(*p);
      for (; i < count; i += width) base::write(out, i, value);
    } else if (step == 1) {
      for (; i + width <= count; i += width) base::write(out, i, cpu::load<Target>(p + i));
      if (i < count) base::write(out, i, cpu::load_first<Target>(p + i, count - i));
    } else {
      for (; i < count; i += width) {
        int const n = count - i < width ? count - i : width;
        base::write(out, i, cpu::load_strided_first<Target>(p + i * step, step, n));
      }
    }
  }
  template <dtype D> static void store(std::uint32_t const* in, void* to, int count) {
    using pack = cpu::pack_of<D, Target>;
    auto* p = static_cast<storage_of<D>*>(to);
    int i = 0;
    for (; i + width <= count; i += width) cpu::store(p + i, base::template read<pack>(in, i));
    if (i < count) cpu::store_first(p + i, base::template read<pack>(in, i), count - i);
  }
  // Indices first, first + step, … as int32.
  static void affine(std::uint32_t* out, extent first, extent step, int count) {
    using index = cpu::pack_i32<Target>;
    index const by(static_cast<std::int32_t>(step)), start(static_cast<std::int32_t>(first));
    for (int i = 0; i < count; i += width)
      base::write(out, i, start + (cpu::lane_numbers<Target>() + index(i)) * by);
  }

  template <int... D> static constexpr auto places(std::integer_sequence<int, D...>) {
    struct tables {
      cpu::block_load load[dtype_count];
      cpu::block_store store[dtype_count];
    };
    return tables{{&load<as_loaded(static_cast<dtype>(D))>...},
                  {&store<as_stored(static_cast<dtype>(D))>...}};
  }
  static constexpr auto table = places(std::make_integer_sequence<int, dtype_count>{});
};

// An element as a block holds it: in the lower 32 bits, or in all of them.
inline word held_word(dtype d, word w) {
  if (d == dtype::boolean) return w != 0 ? 0xffffffffu : 0;
  return with_dtype(d, [w]<dtype D>() {
    using held = storage_of<compute_of(D)>;
    return word_of(static_cast<held>(element_of_word<storage_of<D>>(w)));
  });
}

// Reductions behind pointers: an accumulator lives in memory that the kernel provides. They combine
// and give held words.
struct block_reduction {
  extent bytes;
  void (*start)(void* self);
  void (*add)(void* self, extent e, std::uint32_t const* values, int count);
  // e: of rows the elements so far, of columns the element just added.
  void (*close)(void* self, extent e, int count);
  void (*finish)(void* self, extent total, std::uint32_t* values, int count);
};

// D: a type that is computed with.
template <class Target, op Reduction, dtype D> struct block_reductions {
  using T = storage_of<D>;
  using words = block_words<Target>;
  static constexpr int width = Target::lanes;
  static constexpr int strip = 64; // columns at a time
  using row_sum = cpu::row_accumulator<Target, Reduction, T>;
  using column_sum = cpu::column_accumulator<Target, Reduction, T, strip / width>;
  using pack = cpu::pack_of<D, Target>;

  static void add_row(void* self, extent e, std::uint32_t const* values, int count) {
    auto& sum = *static_cast<row_sum*>(self);
    for (int i = 0; i < count; i += width) {
      auto value = words::template read<pack>(values, i);
      if (e % width == 0 && i + width <= count) sum.add(e + i, value);
      else sum.add_some(e + i, count - i < width ? count - i : width, value);
    }
  }
  static void add_column(void* self, extent e, std::uint32_t const* values, int count) {
    auto& sum = *static_cast<column_sum*>(self);
    for (int i = 0; i < count; i += width)
      sum.add(e, i / width, words::template read<pack>(values, i), e < sum_lanes);
  }
  static void finish_row(void* self, extent total, std::uint32_t* values, int) {
    words::write(values, 0, cpu::splat<Target>(static_cast<row_sum*>(self)->finish(total)));
  }
  static void close_column(void* self, extent e, int count) {
    static_cast<column_sum*>(self)->close_block(e, cpu::column_groups<Target>(count));
  }
  static void finish_column(void* self, extent total, std::uint32_t* values, int count) {
    auto& sum = *static_cast<column_sum*>(self);
    sum.finish(total, cpu::column_groups<Target>(count));
    for (int i = 0; i < count; i += width) words::write(values, i, sum.result(i / width));
  }
  static constexpr block_reduction rows{
      sizeof(row_sum), [](void* self) { ::new (self) row_sum; }, &add_row,
      [](void* self, extent e, int) { static_cast<row_sum*>(self)->close_block(e); }, &finish_row};
  static constexpr block_reduction columns{sizeof(column_sum),
                                           [](void* self) { ::new (self) column_sum; }, &add_column,
                                           &close_column, &finish_column};
};

// Calls f.operator()<O>() for the reduction O that is code.
template <class F> void with_reduction(op code, F const& f) {
  auto const try_one = [&]<op O>(std::integral_constant<op, O>) {
    if constexpr (info_of(O).kind == op_kind::reduction)
      if (O == code) f.template operator()<O>();
  };
  [&]<int... O>(std::integer_sequence<int, O...>) {
    (try_one(std::integral_constant<op, static_cast<op>(O)>{}), ...);
  }(std::make_integer_sequence<int, op_count>{});
}
template <class Target> block_reduction const* find_reduction(op code, dtype d, bool columns) {
  block_reduction const* found = nullptr;
  with_reduction(code, [&]<op O>() {
    auto const try_type = [&]<dtype D>(std::integral_constant<dtype, D>) {
      if constexpr (accepts(row<O>::info.accepts, D))
        if (D == compute_of(d))
          found = columns ? &block_reductions<Target, O, D>::columns
                          : &block_reductions<Target, O, D>::rows;
    };
    [&]<int... C>(std::integer_sequence<int, C...>) {
      (try_type(std::integral_constant<dtype, computed_types[C]>{}), ...);
    }(std::make_integer_sequence<int, computed_count>{});
  });
  return found;
}
// What a reduction of no element gives.
inline word held_empty(op code, dtype d) {
  word w = 0;
  with_reduction(code, [&]<op O>() {
    w = with_dtype(d, []<dtype D>() {
      if constexpr (D == dtype::boolean) return held_word(D, empty_result<O, bool>() ? 1u : 0u);
      else return word_of(empty_result<O, storage_of<D>>());
    });
  });
  return w;
}

} // namespace detail
} // namespace weft::inline v0
