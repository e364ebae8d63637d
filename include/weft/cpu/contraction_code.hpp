// SPDX-License-Identifier: BSL-1.0
// The product of one node's element types and order for one target, types erased
// (cpu/small_contraction.hpp), so that engines are compiled once. contraction_by names one;
// contraction_for finds one at run time. Needs: cpu/contract.hpp. Leaves: only the named ones are
// compiled.
#pragma once

#include <weft/cpu/held_product.hpp>
#include <weft/cpu/small_contraction.hpp>

namespace weft::inline v0 {
namespace detail {

// Of few multiply-adds an element the group alone may still be worth more threads.
inline bool is_worth_telling(product_form const& p, int threads) {
  extent const count = p.count();
  return count >= least_part &&
         (threads == 1 || work_of(p) >= cpu::worth_a_thread || count < cpu::worth_a_thread / 16);
}

// Of products in order chain: are their elements told in parts that are worth it?
inline bool tells_in_parts(product_form const& p, int threads) {
  if (!is_worth_telling(p, threads)) return false;
  part_axes const axes = part_axes_of(p);
  return are_long(*axes.along, *axes.across);
}

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
                  void const* bias, cpu::scratch memory, cpu::executor_ref const& on,
                  cpu::epilogue_ref after) {
    cpu::contract_in<Target, Order, Gathers>(
        p, static_cast<a const*>(x), static_cast<b const*>(y), static_cast<out*>(r),
        static_cast<cpu::start_type<out> const*>(start), static_cast<bias_type const*>(bias),
        memory, on, after);
  }
  static constexpr cpu::contraction_code code{
      &bytes, &run, Order == contract_order::chain ? &tells_in_parts : nullptr,
      Order == contract_order::chain ? held_code_for<Target, a, b, out, bias_type> : nullptr};
};

// Under policy::fast the same, but what cpu/tile_products.hpp does.
template <class Target, contract_order Order, dtype A, dtype B, dtype Out, dtype Bias, bool Gathers>
struct contraction_by<cpu::relaxed<Target>, Order, A, B, Out, Bias, Gathers>
    : contraction_by<Target, Order, A, B, Out, Bias, Gathers> {};

// 16-bit floats: sums may stay float, and a bias be float.
template <dtype D, class Codes> auto half_code(Codes const& codes, dtype out, dtype bias) {
  constexpr dtype f32 = dtype::f32;
  if (out == D)
    return bias == D ? codes.template small<D, D, D>() : codes.template small<D, D, f32>();
  return bias == D ? codes.template small<D, f32, D>() : codes.template small<D, f32, f32>();
}
// codes.same<D>() of elements, sums and results D, or codes.small<D, Out, Bias>(), by the types of a
// node: operands of one type. Signed and unsigned integers of one size are multiplied and added
// alike. Null: bool.
template <class Codes>
auto code_of_types(Codes const& codes, dtype in, dtype out, dtype bias)
    -> decltype(codes.template same<dtype::f32>()) {
  using enum dtype;
  if (in == boolean) return nullptr;
  if (in == f32) return codes.template same<f32>();
  if (in == f64) return codes.template same<f64>();
  if (in == bf16) return half_code<bf16>(codes, out, bias);
  if (in == f16) return half_code<f16>(codes, out, bias);
  if (size_of(in) == 1) return codes.template small<u8, u8, u8>();
  if (size_of(in) == 2) return codes.template small<u16, u16, u16>();
  return size_of(in) == 4 ? codes.template same<u32>() : codes.template same<u64>();
}

template <class Target> struct contraction_codes {
  contract_order order;
  template <dtype D> cpu::contraction_code const* same() const {
    using enum contract_order;
    return order == chain ? &contraction_by<Target, chain, D, D, D, D>::code
                          : &contraction_by<Target, lanes, D, D, D, D>::code;
  }
  template <dtype D, dtype Out, dtype Bias> cpu::contraction_code const* small() const {
    return &small_contraction<Target, D, Out, Bias>::code;
  }
};

} // namespace detail

namespace cpu {

// By the element types of a contract node.
template <class Target> contraction_code const* contraction_for(graph_view g, int id) {
  contraction const c = contraction_of(g, id);
  dtype const out = g[id].type, bias = c.has_bias ? g[g.operands_of(id).back()].type : out;
  return detail::code_of_types(detail::contraction_codes<Target>{c.order}, g[g.operand(id, 0)].type,
                               out, bias);
}

} // namespace cpu
} // namespace weft::inline v0
