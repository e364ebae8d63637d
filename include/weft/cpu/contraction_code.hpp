// SPDX-License-Identifier: BSL-1.0
// The product of one node's element types and order for one target, types erased
// (cpu/small_contraction.hpp), so that engines are compiled once. contraction_by names one;
// contraction_for finds one at run time. Needs: cpu/contract.hpp. Leaves: only the named ones are
// compiled.
#pragma once

#include <weft/cpu/small_contraction.hpp>

namespace weft::inline v0 {
namespace detail {

template <class Target, contract_order Order, dtype A, dtype B, dtype Out, dtype Bias,
          bool Gathers = false>
struct contraction_by {
  using a = storage_of<A>;
  using b = storage_of<B>;
  using out = storage_of<Out>;
  using bias_type = storage_of<Bias>;
  static extent bytes(product_form const& p, int threads) {
    return cpu::scratch_bytes_in<Target, Order, a, b, out, Gathers>(p, threads);
  }
  static void run(product_form const& p, void const* x, void const* y, void* r, void const* start,
                  void const* bias, cpu::scratch memory, cpu::executor_ref on) {
    cpu::contract_in<Target, Order, Gathers>(p, static_cast<a const*>(x), static_cast<b const*>(y),
                                             static_cast<out*>(r),
                                             static_cast<cpu::start_type<out> const*>(start),
                                             static_cast<bias_type const*>(bias), memory, on);
  }
  static constexpr cpu::contraction_code code{&bytes, &run};
};

template <class Target, dtype D>
cpu::contraction_code const* same_contraction(contract_order order) {
  using enum contract_order;
  return order == chain ? &contraction_by<Target, chain, D, D, D, D>::code
                        : &contraction_by<Target, lanes, D, D, D, D>::code;
}
template <class Target, dtype D> cpu::contraction_code const* small_integer_contraction() {
  return &small_contraction<Target, D, D, D>::code;
}
// 16-bit floats: sums may stay float, and a bias be float.
template <class Target, dtype D>
cpu::contraction_code const* half_contraction(dtype out, dtype bias) {
  constexpr dtype f32 = dtype::f32;
  if (out == D)
    return bias == D ? &small_contraction<Target, D, D, D>::code
                     : &small_contraction<Target, D, D, f32>::code;
  return bias == D ? &small_contraction<Target, D, f32, D>::code
                   : &small_contraction<Target, D, f32, f32>::code;
}

} // namespace detail

namespace cpu {

// By the element types of a contract node: operands of one type. Signed and unsigned integers of
// one size are multiplied and added alike.
template <class Target> contraction_code const* contraction_for(graph_view g, int id) {
  using enum dtype;
  dtype const in = g[g.operand(id, 0)].type, out = g[id].type;
  contraction const c = contraction_of(g, id);
  dtype const bias = c.has_bias ? g[g.operands_of(id).back()].type : out;
  if (in == boolean) return nullptr;
  if (in == f32) return detail::same_contraction<Target, f32>(c.order);
  if (in == f64) return detail::same_contraction<Target, f64>(c.order);
  if (in == bf16) return detail::half_contraction<Target, bf16>(out, bias);
  if (in == f16) return detail::half_contraction<Target, f16>(out, bias);
  if (size_of(in) == 1) return detail::small_integer_contraction<Target, u8>();
  if (size_of(in) == 2) return detail::small_integer_contraction<Target, u16>();
  if (size_of(in) == 4) return detail::same_contraction<Target, u32>(c.order);
  return detail::same_contraction<Target, u64>(c.order);
}

} // namespace cpu
} // namespace weft::inline v0
