// SPDX-License-Identifier: BSL-1.0
// Products of a few rows with a matrix that stays what it is, step after step of a loop: its columns
// are packed once, before the loop, as the tiles of cpu/chain.hpp read them.
//   held_code_for<Target, A, B, Out, Bias>->bytes(p), ->pack(p, b, to, on), ->run(p, a, to, ...)
// Needs: order chain, one batch; element types of the contraction's operands in the caller's order.
// Leaves: the bits of cpu/contract.hpp.
#pragma once

#include <weft/cpu/contract.hpp>
#include <weft/cpu/small_contraction.hpp>

namespace weft::inline v0 {
namespace detail {

// Packing takes as long as multiplying by this many rows, about; of more, it is a small part.
inline constexpr extent most_held_rows = 256;

// A and B as in the normal form.
template <class Target, class A, class B, class Out, class Bias> struct held_product {
  using kernel = chain_kernel<Target, A, B, Out, Bias>;
  using plan = typename kernel::plan;
  using sum = typename kernel::sum;
  using call = product_call<A, B, Out, Bias>;
  using tile = tile_shape<Target, sum>;

  static extent bytes(product_form const& p) {
    if (!kernel::can_be_held() || p.batch.count() != 1 || p.count() == 0) return 0;
    if (p.m.count() > most_held_rows || p.n.count() < tile::columns) return 0;
    return aligned_bytes(kernel::held_count(p) * static_cast<extent>(sizeof(sum)));
  }
  static void pack(product_form const& p, void const* b, std::byte* to,
                   cpu::executor_ref const& on) {
    plan how(p, true);
    how.a_count = how.partial_count = 0; // without scratch
    call const arrays{nullptr, static_cast<B const*>(b), nullptr, nullptr, nullptr};
    extent const n = p.n.count(), tiles = share_count(n, tile::columns);
    share_ranges(tiles, 4 * n * p.k.count(), on, [&](extent first, extent last, int) {
      extent const j = first * tile::columns;
      kernel(p, how, arrays, {}, reinterpret_cast<sum*>(to))
          .hold(j, least(last * tile::columns, n) - j);
    });
  }
  static void run(product_form const& p, void const* a, std::byte* held, void* out,
                  void const* start, void const* bias, cpu::scratch memory,
                  cpu::executor_ref const& on, cpu::epilogue_ref after) {
    plan const how(p, true);
    call arrays{static_cast<A const*>(a), nullptr, static_cast<Out*>(out),
                static_cast<cpu::start_type<Out> const*>(start), static_cast<Bias const*>(bias)};
    arrays.after = after;
    product_division const cut(p, cpu::threads_for(on, work_of(p)), tile::rows, tile::columns);
    for_each_share(p, cut, arrays, memory, how.bytes(), on,
                   [&](call const& at, product_share const& s, cpu::scratch own) {
                     kernel(p, how, at, own, reinterpret_cast<sum*>(held)).run(s.i, s.m, s.j, s.n);
                   });
  }
};

// By the caller's operands: the normal form may have exchanged them.
template <class Target, class A, class B, class Out, class Bias> struct held_contraction {
  using plain = held_product<Target, as_word<A>, as_word<B>, as_word<Out>, as_word<Bias>>;
  using swapped =
      std::conditional_t<std::is_same_v<A, B>, plain,
                         held_product<Target, as_word<B>, as_word<A>, as_word<Out>, as_word<Bias>>>;

  static extent bytes(product_form const& p) {
    if (p.order != contract_order::chain) return 0;
    return p.swapped ? swapped::bytes(p) : plain::bytes(p);
  }
  static void pack(product_form const& p, void const* b, std::byte* to,
                   cpu::executor_ref const& on) {
    p.swapped ? swapped::pack(p, b, to, on) : plain::pack(p, b, to, on);
  }
  static void run(product_form const& p, void const* a, std::byte* held, void* out,
                  void const* start, void const* bias, cpu::scratch memory,
                  cpu::executor_ref const& on, cpu::epilogue_ref after) {
    p.swapped ? swapped::run(p, a, held, out, start, bias, memory, on, after)
              : plain::run(p, a, held, out, start, bias, memory, on, after);
  }
  static constexpr cpu::held_code code{&bytes, &pack, &run};
};
template <class Target, class A, class B, class Out, class Bias>
inline constexpr cpu::held_code const* held_code_for =
    &held_contraction<Target, A, B, Out, Bias>::code;

} // namespace detail
} // namespace weft::inline v0
