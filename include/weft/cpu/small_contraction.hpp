// SPDX-License-Identifier: BSL-1.0
// Contractions of 8- and 16-bit elements for the block executor: operands are widened into scratch,
// multiplied there as float or uint32, and the sums rounded or wrapped into out. A compiled program
// widens while it packs (cpu/chain.hpp), which is faster and one more kernel per type; here the
// kernels of float and uint32, compiled anyway, serve all.
// Needs: operands of one type D, integers unsigned; Out is D, or float for 16-bit floats; Bias
// likewise. Leaves: the bits of cpu::contract on the same arrays.
#pragma once

#include <weft/core/growing.hpp>
#include <weft/cpu/contract.hpp>
#include <weft/cpu/executor_ref.hpp>

namespace weft::inline v0 {
namespace cpu {

// Of a product one of whose operands stays what it is from run to run: bytes that it takes packed,
// 0 where that is not worth it; packing it; the product with it. `a` and `b` as in the normal form,
// where b is the one that is held.
struct held_code {
  extent (*bytes)(product_form const&);
  void (*pack)(product_form const&, void const* b, std::byte* to, executor_ref const&);
  void (*run)(product_form const&, void const* a, std::byte* held, void* out, void const* start,
              void const* bias, scratch, executor_ref const&, epilogue_ref);
};
struct contraction_code {
  extent (*scratch_bytes)(product_form const&, int threads);
  void (*run)(product_form const&, void const* a, void const* b, void* out, void const* start,
              void const* bias, scratch, executor_ref const&, epilogue_ref);
  // Null: the last argument is not looked at. Else it is told of elements as they are finished; do
  // its calls cost less than a pass over out by all threads?
  bool (*tells)(product_form const&, int threads);
  held_code const* held = nullptr; // scratch_bytes are enough for it, too
  // Does it take other forms than the one it was made for, and give the same elements of fewer rows?
  bool takes_parts = true;
};

} // namespace cpu

namespace detail {

// The axes along which one array of a product moves, and the product with that array dense.
struct dense_side {
  product_axes axes; // as they were, outermost first
  extent count = 1;

  dense_side(product_form& p, product_axes& free, extent places::*side) {
    product_axes* const lists[] = {&p.k, &free, &p.batch};
    for (product_axes* list : lists)
      for (int i = list->rank - 1; i >= 0; --i) {
        product_axis& axis = list->d[i];
        if (axis.stride.*side == 0) continue;
        axes.d[axes.rank++] = axis;
        axis.stride.*side = count;
        count *= axis.size;
      }
    for (int i = 0, j = axes.rank - 1; i < j; ++i, --j) swap_values(axes.d[i], axes.d[j]);
  }
};

struct small_product {
  product_form p;
  dense_side a, b, out;

  explicit small_product(product_form const& q)
      : p(q), a(p, p.m, &places::a), b(p, p.n, &places::b), out(whole_out(p)) {
    p.swapped = false;
  }
  // out moves along n as well, inside m.
  static dense_side whole_out(product_form& p) {
    product_axes free = p.m;
    for (int i = 0; i < p.n.rank; ++i) free.d[free.rank++] = p.n.d[i];
    dense_side const r(p, free, &places::out);
    for (int i = 0; i < p.m.rank; ++i) p.m.d[i] = free.d[i];
    for (int i = 0; i < p.n.rank; ++i) p.n.d[i] = free.d[p.m.rank + i];
    return r;
  }
};

template <class Wide, class T>
void widen_side(dense_side const& from, extent places::*side, T const* src, Wide* dst) {
  extent const step = from.axes.inner().stride.*side;
  for (extent i = 0, run; i < from.count; i += run) {
    run = from.axes.run(i, from.count - i);
    T const* const line = src + from.axes.at(i).*side;
    for (extent r = 0; r < run; ++r) dst[i + r] = widened<Wide>(line[r * step]);
  }
}

template <class Target, dtype D, dtype Out, dtype Bias> struct small_contraction {
  using element_type = storage_of<D>;
  using sum = cpu::sum_type<element_type>;

  static constexpr extent room(extent count) {
    return aligned_bytes(count * static_cast<extent>(sizeof(sum)));
  }
  static extent bytes(product_form const& q, int threads) {
    small_product const s(q);
    return room(s.a.count) + room(s.b.count) + room(s.out.count) +
           cpu::scratch_bytes<Target, sum, sum, sum>(s.p, threads);
  }
  static void run(product_form const& q, void const* x, void const* y, void* to, void const* start,
                  void const* bias, cpu::scratch memory, cpu::executor_ref const& on,
                  cpu::epilogue_ref) {
    if (q.count() == 0) return;
    small_product const s(q);
    auto const take = [&memory](extent count) {
      auto* const p = reinterpret_cast<sum*>(memory.memory);
      memory = {memory.memory + room(count), memory.bytes - room(count)};
      return p;
    };
    sum *const a = take(s.a.count), *const b = take(s.b.count), *const out = take(s.out.count);
    if (q.swapped) swap_values(x, y);
    if (q.k.count() > 0) {
      widen_side(s.a, &places::a, static_cast<element_type const*>(x), a);
      widen_side(s.b, &places::b, static_cast<element_type const*>(y), b);
    }
    using given = cpu::start_type<element_type>;
    if (start) widen_side(s.out, &places::out, static_cast<given const*>(start), out);
    cpu::contract<Target>(s.p, a, b, out, start ? out : nullptr, static_cast<sum const*>(nullptr),
                          memory, on);
    finish(s.out, out, static_cast<storage_of<Out>*>(to),
           static_cast<storage_of<Bias> const*>(bias));
  }
  static void finish(dense_side const& from, sum const* values, storage_of<Out>* out,
                     storage_of<Bias> const* bias) {
    for (extent i = 0; i < from.count; ++i) {
      places const at = from.axes.at(i);
      sum value = values[i];
      if (bias) value = value + static_cast<sum>(bias[at.bias]);
      out[at.out] = static_cast<storage_of<Out>>(value);
    }
  }
  static constexpr cpu::contraction_code code{&bytes, &run, nullptr};
};

} // namespace detail
} // namespace weft::inline v0
