// SPDX-License-Identifier: BSL-1.0
// The steps that move elements without computing: pad, concat, windows at run-time places, gather
// and scatter, the order of elements, and reshapes that strides cannot express. move_by names the
// code of one op; move_for finds it at run time.
// Needs: a value_reader, and scratch_bytes of scratch. Leaves: destinations written whole, in
// row-major order; only the ops that are named compiled.
#pragma once

#include <weft/cpu/arg_reduce.hpp>
#include <weft/cpu/fill_around.hpp>
#include <weft/cpu/gather.hpp>
#include <weft/cpu/overlap_add.hpp>
#include <weft/cpu/sort.hpp>
#include <weft/cpu/value_reader.hpp>
#include <weft/graph/observe.hpp>
#include <weft/graph/raise_extents.hpp>

#include <cstring>

namespace weft::inline v0 {
namespace cpu {

// Node `id` into its own memory, `out`.
struct move_code {
  void (*run)(value_reader const& values, int id, std::byte* out, scratch memory,
              executor_ref const& on);
  extent (*scratch_bytes)(graph_view g, int id, int threads) = nullptr; // null: none
};

} // namespace cpu

namespace detail {

using cpu::scratch, cpu::executor_ref, cpu::value_reader;

// Of dynamic slices and updates: bytes from the first element to the window, whose starts are
// operands first, first + 1, ….
inline extent window_offset(value_reader const& v, int id, int first, extents const& window,
                            extents const& strides) {
  extent offset = 0;
  for (int i = 0; i < window.rank; ++i) {
    std::int32_t start = 0;
    std::memcpy(&start, v.memory_of(v.g.operand(id, first + i)), sizeof start);
    extent const most = v.g.shape(v.g.operand(id, 0))[i] - window[i];
    extent const clamped = start < 0 ? 0 : start > most ? most : start;
    offset += clamped * strides[i];
  }
  return offset * size_of(v.g[id].type);
}

template <op Code, class Lazy = void>
struct move_by; // a template, so that only who moves so compiles it

// A reshape that strides could not express.
template <class Lazy> struct move_by<op::reshape, Lazy> {
  static void run(value_reader const& v, int id, std::byte* out, scratch, executor_ref const&) {
    v.copy_value(v.g.operand(id, 0), out);
  }
  static constexpr cpu::move_code code{&run};
};
template <class Lazy> struct move_by<op::concat, Lazy> {
  static void run(value_reader const& v, int id, std::byte* out, scratch, executor_ref const&) {
    extents const to = row_major_strides(v.g.shape(id));
    int const axis = static_cast<int>(v.g.attribute(id, 0)), size = size_of(v.g[id].type);
    for (int part : v.g.operands_of(id)) {
      cpu::copy(size, v.g.shape(part), v.memory_of(part), v.strides(part), out, to);
      out += v.g.shape(part)[axis] * to[axis] * size;
    }
  }
  static constexpr cpu::move_code code{&run};
};
// Negative low or high crops: only elements that land inside are copied.
template <class Lazy> struct move_by<op::pad, Lazy> {
  static void run(value_reader const& v, int id, std::byte* out, scratch, executor_ref const&) {
    graph_view const g = v.g;
    int const size = size_of(g[id].type), x = g.operand(id, 0);
    extents const from = v.strides(x);
    kept_by_pad const kept = elements_kept_by_pad(g, id, from);
    std::byte const* const value = v.memory_of(g.operand(id, 1));
    if (kept.is_box) cpu::around_box(size, g.shape(id), kept.first, kept.shape, value).fill(out);
    else cpu::fill(size, g.shape(id), value, out, row_major_strides(g.shape(id)));
    if (count_of(kept.shape) > 0)
      cpu::copy(size, kept.shape, v.memory_of(x) + kept.first_from * size, from,
                out + kept.first_to * size, kept.to);
  }
  static constexpr cpu::move_code code{&run};
};
template <class Lazy> struct move_by<op::dynamic_slice, Lazy> {
  static void run(value_reader const& v, int id, std::byte* out, scratch, executor_ref const&) {
    int const x = v.g.operand(id, 0);
    extents const from = v.strides(x), &shape = v.g.shape(id);
    cpu::copy(size_of(v.g[id].type), shape, v.memory_of(x) + window_offset(v, id, 1, shape, from),
              from, out, row_major_strides(shape));
  }
  static constexpr cpu::move_code code{&run};
};
template <class Lazy> struct move_by<op::dynamic_update_slice, Lazy> {
  static void run(value_reader const& v, int id, std::byte* out, scratch, executor_ref const&) {
    int const update = v.g.operand(id, 1);
    extents const to = row_major_strides(v.g.shape(id)), &window = v.g.shape(update);
    v.copy_value(v.g.operand(id, 0), out);
    cpu::copy(size_of(v.g[id].type), window, v.memory_of(update), v.strides(update),
              out + window_offset(v, id, 2, window, to), to);
  }
  static constexpr cpu::move_code code{&run};
};
template <class Lazy> struct move_by<op::gather, Lazy> {
  static void run(value_reader const& v, int id, std::byte* out, scratch, executor_ref const& on) {
    gather_dims const d = gather_of(v.g, id);
    extents const& shape = v.g.shape(id);
    expect_windows(d, v.g.shape(v.g.operand(id, 0)), count_of(shape));
    cpu::gather(d, v.array(v.g.operand(id, 0)), v.array(v.g.operand(id, 1)), shape, out, on);
  }
  static constexpr cpu::move_code code{&run};
};
template <class Lazy> struct move_by<op::scatter, Lazy> {
  static void run(value_reader const& v, int id, std::byte* out, scratch memory,
                  executor_ref const&) {
    gather_dims const d = gather_of(v.g, id);
    int const updates = v.g.operand(id, 1);
    extent const count = count_of(v.g.shape(updates));
    v.copy_value(v.g.operand(id, 0), out);
    if (count == 0) return;
    expect_windows(d, v.g.shape(v.g.operand(id, 0)), count);
    cpu::scatter(d, v.g.shape(id), v.array(updates), v.array(v.g.operand(id, 2)), out, memory);
  }
  static extent bytes(graph_view g, int id, int) {
    return cpu::scatter_bytes(gather_of(g, id), g[id].type, g.shape(id));
  }
  static constexpr cpu::move_code code{&run, &bytes};
};
template <class Lazy> struct move_by<op::overlap_add, Lazy> {
  static void run(value_reader const& v, int id, std::byte* out, scratch memory,
                  executor_ref const& on) {
    cpu::overlap_add(window_list(v.g.attributes_of(id)), v.array(v.g.operand(id, 0)), v.g.shape(id),
                     out, memory, on);
  }
  static extent bytes(graph_view g, int id, int threads) {
    return threads * cpu::overlap_add_bytes(g[id].type, g.shape(id));
  }
  static constexpr cpu::move_code code{&run, &bytes};
};
template <class Lazy> struct move_by<op::arg_sort, Lazy> {
  static void run(value_reader const& v, int id, std::byte* out, scratch memory,
                  executor_ref const& on) {
    growing<cpu::strided_array> keys;
    for (int k : v.g.operands_of(id)) keys.push(v.array(k));
    cpu::arg_sort(keys, static_cast<int>(v.g.attribute(id, 0)), v.g.attribute(id, 1), out, memory,
                  on);
  }
  static extent bytes(graph_view g, int id, int threads) {
    return threads * cpu::sort_bytes(g.shape(id)[static_cast<int>(g.attribute(id, 0))]);
  }
  static constexpr cpu::move_code code{&run, &bytes};
};
template <class Lazy> struct move_by<op::arg_reduce, Lazy> {
  static void run(value_reader const& v, int id, std::byte* out, scratch, executor_ref const& on) {
    cpu::strided_array const x = v.array(v.g.operand(id, 0));
    bool const smallest = v.g.attribute(id, 1) != 0;
    if (count_of(x.shape) == 0) raise_no_element(x.shape, smallest);
    cpu::arg_reduce(x, v.g.attribute(id, 0), smallest, out, on);
  }
  static constexpr cpu::move_code code{&run};
};
// What the operand's elements are is read where they were copied to.
template <class Lazy> struct move_by<op::observe, Lazy> {
  static void run(value_reader const& v, int id, std::byte* out, scratch, executor_ref const&) {
    v.copy_value(v.g.operand(id, 0), out);
    int const size = size_of(v.g[id].type);
    observe(v.g.attributes_of(id), v.g[id].type, v.g.shape(id), [&](extent i) {
      word bits = 0; // little-endian: the low bytes
      std::memcpy(&bits, out + i * size, static_cast<std::size_t>(size));
      return bits;
    });
  }
  static constexpr cpu::move_code code{&run};
};
// With the other ranks, where there are any: started here, and finished by the engine.
template <class Lazy> struct move_by<op::collective, Lazy> {
  static void run(value_reader const& v, int id, std::byte* out, scratch memory,
                  executor_ref const&) {
    collective const c = collective_of(v.g, id);
    if (c.world != 1 && v.others != nullptr && c.world == v.others->world())
      return v.others->start(c, id, v.array(v.g.operand(id, 0)), out, memory);
    if (c.world != 1) raise_world(name_of(c.kind), c.world, v.others ? v.others->world() : 1);
    if (c.group_of(0) >= 0) return v.copy_value(v.g.operand(id, 0), out);
    extent const bytes = count_of(v.g.shape(id)) * size_of(v.g[id].type);
    std::memset(out, 0, static_cast<std::size_t>(bytes));
  }
  static extent bytes(graph_view g, int id, int) {
    collective const c = collective_of(g, id);
    int const x = g.operand(id, 0);
    return c.world == 1 ? 0 : collective_scratch(c, g[x].type, g.shape(x));
  }
  static constexpr cpu::move_code code{&run, &bytes};
};
template <class Lazy> struct move_by<op::rank, Lazy> {
  static void run(value_reader const& v, int id, std::byte* out, scratch, executor_ref const&) {
    extent const divisor = v.g.attribute(id, 0), modulus = v.g.attribute(id, 1);
    expect_world(v.g.attributes_of(id), v.others == nullptr ? 1 : v.others->world());
    extent const rank = v.others == nullptr ? 0 : v.others->rank();
    auto const place = static_cast<std::uint32_t>(rank / divisor % modulus);
    std::memcpy(out, &place, sizeof place);
  }
  static constexpr cpu::move_code code{&run};
};

} // namespace detail

namespace cpu {

template <class Lazy = void> move_code const* move_for(op code) {
  using detail::move_by;
  switch (code) {
    case op::concat: return &move_by<op::concat, Lazy>::code;
    case op::pad: return &move_by<op::pad, Lazy>::code;
    case op::dynamic_slice: return &move_by<op::dynamic_slice, Lazy>::code;
    case op::dynamic_update_slice: return &move_by<op::dynamic_update_slice, Lazy>::code;
    case op::gather: return &move_by<op::gather, Lazy>::code;
    case op::scatter: return &move_by<op::scatter, Lazy>::code;
    case op::overlap_add: return &move_by<op::overlap_add, Lazy>::code;
    case op::arg_sort: return &move_by<op::arg_sort, Lazy>::code;
    case op::arg_reduce: return &move_by<op::arg_reduce, Lazy>::code;
    case op::reshape: return &move_by<op::reshape, Lazy>::code;
    case op::observe: return &move_by<op::observe, Lazy>::code;
    case op::collective: return &move_by<op::collective, Lazy>::code;
    case op::rank: return &move_by<op::rank, Lazy>::code;
    default: return nullptr; // no move
  }
}

} // namespace cpu
} // namespace weft::inline v0
