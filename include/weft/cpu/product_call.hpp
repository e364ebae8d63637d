// SPDX-License-Identifier: BSL-1.0
// The arrays of one product, how a finished sum becomes an element of out, and who is told.
// Needs: A, B and Out floats of one width of sums (float, bf16 and f16; or double), or one unsigned
// integer type; start has out's strides and start_type, or is null; bias is of Bias, or null.
// Leaves: out = round(sum + bias), one rounding to Out, or round(sum) without a bias.
#pragma once

#include <weft/core/dtype.hpp>
#include <weft/cpu/finished_part.hpp>

#include <cstdint>
#include <type_traits>

namespace weft::inline v0 {
namespace cpu {

// The type in which products of T are summed; integers modulo a power of two.
template <element T>
using sum_type =
    std::conditional_t<std::is_integral_v<T>,
                       std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>,
                       std::conditional_t<sizeof(T) == 8, double, float>>;
// What a chain goes on from: the node's accumulation type.
template <element T> using start_type = std::conditional_t<std::is_integral_v<T>, T, sum_type<T>>;

} // namespace cpu

namespace detail {

// One task computes rows [i, i + m) and columns [j, j + n) of batches [first, first + count).
struct product_share {
  extent first, count, i, m, j, n;
};

template <class A, class B, class Out, class Bias> struct product_call {
  using sum = cpu::sum_type<Out>;
  A const* a;
  B const* b;
  Out* out;
  cpu::start_type<Out> const* start;
  Bias const* bias;
  cpu::epilogue_ref after{}; // told of finished elements

  // The same arrays at one index of the batch axes.
  product_call at(places const& p) const {
    return {a + p.a,
            b + p.b,
            out + p.out,
            start ? start + p.out : nullptr,
            bias ? bias + p.bias : nullptr,
            after.moved(p.out)};
  }
  void tell(product_form const& p, extent i, extent m, extent j, extent n) const {
    if (after) tell_finished(after, p, i, m, j, n);
  }
  void finish(sum value, extent out_at, extent bias_at) const {
    if (bias) value = value + static_cast<sum>(bias[bias_at]);
    out[out_at] = static_cast<Out>(value);
  }
};
// clang 16 deduces no aggregate by itself.
template <class A, class B, class Out, class Bias>
product_call(A const*, B const*, Out*, cpu::start_type<Out> const*, Bias const*)
    -> product_call<A, B, Out, Bias>;

} // namespace detail
} // namespace weft::inline v0
