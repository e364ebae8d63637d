// SPDX-License-Identifier: BSL-1.0
// Blocks (cpu/block_ops.hpp) from and to memory, one loop per size and way of widening; the words
// that constants are held as; and reductions behind pointers.
// Needs, leaves: as cpu/block_ops.hpp.
#pragma once

#include <weft/cpu/block_ops.hpp>
#include <weft/cpu/reduce.hpp>

namespace weft::inline v0 {
namespace cpu {

// Lines of `count` elements in a block, each from a multiple of `pitch` words on (two words an element:
// of twice that), and so many bytes apart in memory.
struct block_lines {
  int count = 0, lines = 1, pitch = 0;
  extent bytes = 0;
};
// `step`: from one element of a line to the next.
using block_load = void (*)(std::uint32_t* out, void const* from, extent step,
                            block_lines const& of);
using block_store = void (*)(std::uint32_t const* in, void* to, block_lines const& of);

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

  template <dtype D>
  static void load(std::uint32_t* out, void const* from, extent step, cpu::block_lines const& of) {
    for (int l = 0; l < of.lines; ++l)
      load_line(out + l * of.pitch * words_of(D),
                reinterpret_cast<storage_of<D> const*>(static_cast<std::byte const*>(from) +
                                                       l * of.bytes),
                step, of.count);
  }
  // A whole pack may be read only where all of its elements exist.
  template <class T>
  WEFT_INLINE static void load_line(std::uint32_t* out, T const* p, extent step, int count) {
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
  template <dtype D>
  static void store(std::uint32_t const* in, void* to, cpu::block_lines const& of) {
    using pack = cpu::pack_of<D, Target>;
    for (int l = 0; l < of.lines; ++l) {
      auto* const p = reinterpret_cast<storage_of<D>*>(static_cast<std::byte*>(to) + l * of.bytes);
      std::uint32_t const* const line = in + l * of.pitch * words_of(D);
      int i = 0;
      for (; i + width <= of.count; i += width)
        cpu::store(p + i, base::template read<pack>(line, i));
      if (i < of.count) cpu::store_first(p + i, base::template read<pack>(line, i), of.count - i);
    }
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

// Columns whose sums one accumulator holds, and rows of a block that are reduced together, at most.
inline constexpr int column_strip = 64;
inline constexpr int most_rows_of_block = cpu::most_block_length / sum_lanes;

// Reductions behind pointers: an accumulator lives in memory that the kernel provides. They combine
// and give held words.
struct block_reduction {
  extent bytes;
  void (*start)(void* self);
  // Of rows: elements e … e + count - 1 of one sum, in one line. Of columns: elements e … e + lines - 1
  // of `count` sums, lines `pitch` words (or twice that) apart.
  void (*add)(void* self, extent e, std::uint32_t const* values, extent pitch, int count,
              int lines);
  void (*close)(void* self, extent elements, int columns); // after the last element of a block
  void (*finish)(void* self, extent total, std::uint32_t* values, int count);
  // Or null: a whole row in each line, lines a multiple of 64 words apart; a word for each of them.
  // Elements count … pitch - 1 are written before; a block that lies in an array has none.
  void (*totals)(std::uint32_t* values, int pitch, int count, int lines, std::uint32_t* to);
};

// D: a type that is computed with.
template <class Target, op Reduction, dtype D> struct block_reductions {
  using T = storage_of<D>;
  using words = block_words<Target>;
  static constexpr int width = Target::lanes;
  using row_sum = cpu::row_accumulator<Target, Reduction, T>;
  using column_sum = cpu::column_accumulator<Target, Reduction, T, column_strip / width>;
  using pack = cpu::pack_of<D, Target>;
  // Is a block an array of these?
  static constexpr bool is_plain = D == dtype::f32 || D == dtype::i32 || D == dtype::u32;

  static void add_row(void* self, extent e, std::uint32_t const* values, extent, int count, int) {
    auto& sum = *static_cast<row_sum*>(self);
    int i = 0;
    if constexpr (is_plain)
      if (e % sum_lanes == 0 && count >= sum_lanes) {
        sum.add_rounds(reinterpret_cast<T const*>(values), count / sum_lanes);
        i = count / sum_lanes * sum_lanes;
      }
    for (; i < count; i += width) {
      auto value = words::template read<pack>(values, i);
      if (e % width == 0 && i + width <= count) sum.add(e + i, value);
      else sum.add_some(e + i, count - i < width ? count - i : width, value);
    }
  }
  static void add_columns(void* self, extent e, std::uint32_t const* values, extent pitch,
                          int count, int lines) {
    auto& sum = *static_cast<column_sum*>(self);
    for (int l = 0; l < lines; ++l, values += pitch * words_of(D)) {
      bool const is_first = e + l < sum_lanes;
      for (int i = 0; i < count; i += width)
        sum.add(e + l, i / width, words::template read<pack>(values, i), is_first);
    }
  }
  static void finish_row(void* self, extent total, std::uint32_t* values, int) {
    words::write(values, 0, cpu::splat<Target>(static_cast<row_sum*>(self)->finish(total)));
  }
  static void close_columns(void* self, extent elements, int count) {
    static_cast<column_sum*>(self)->close_block(elements - 1, cpu::column_groups<Target>(count));
  }
  static void finish_column(void* self, extent total, std::uint32_t* values, int count) {
    auto& sum = *static_cast<column_sum*>(self);
    sum.finish(total, cpu::column_groups<Target>(count));
    for (int i = 0; i < count; i += width) words::write(values, i, sum.result(i / width));
  }
  // Lanes that no element reaches are those of an empty sum, which change no bit.
  static void totals_of_rows(std::uint32_t* values, int pitch, int count, int lines,
                             std::uint32_t* to) {
    std::uint32_t const empty = std::bit_cast<std::uint32_t>(lane_start<Reduction, T>());
    for (int l = 0; l < lines; ++l)
      for (int i = count; i < pitch; ++i) values[l * pitch + i] = empty;
    T ends[most_rows_of_block];
    row_sum::totals_of(reinterpret_cast<T const*>(values), pitch / sum_lanes, lines, ends);
    __builtin_memcpy(to, ends, static_cast<unsigned>(lines) * sizeof(T));
  }
  static constexpr auto totals() -> decltype(block_reduction::totals) {
    if constexpr (is_plain) return &totals_of_rows;
    else return nullptr;
  }
  static constexpr block_reduction rows{
      sizeof(row_sum),
      [](void* self) { ::new (self) row_sum; },
      &add_row,
      [](void* self, extent elements, int) { static_cast<row_sum*>(self)->close_block(elements); },
      &finish_row,
      totals()};
  static constexpr block_reduction columns{
      sizeof(column_sum), [](void* self) { ::new (self) column_sum; },
      &add_columns,       &close_columns,
      &finish_column,     nullptr};
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
