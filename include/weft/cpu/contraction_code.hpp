// SPDX-License-Identifier: BSL-1.0
// contraction_code: the product of one node's element types for one target, types erased, so that
// engines are compiled once. contraction_by names one; contraction_for finds one at run time.
// Needs: cpu/contract.hpp. Leaves: only the named ones are compiled.
#pragma once

#include <weft/cpu/contract.hpp>
#include <weft/cpu/executor_ref.hpp>

namespace weft::inline v0 {
namespace cpu {

struct contraction_code {
  extent (*scratch_bytes)(product const&, int threads);
  void (*run)(product const&, void const* a, void const* b, void* out, void const* start,
              void const* bias, scratch, executor_ref);
};

} // namespace cpu

namespace detail {

template <class Target, dtype A, dtype B, dtype Out, dtype Bias> struct contraction_by {
  using a = storage_of<A>;
  using b = storage_of<B>;
  using out = storage_of<Out>;
  using bias_type = storage_of<Bias>;
  static extent bytes(cpu::product const& p, int threads) {
    return cpu::scratch_bytes<Target, a, b, out>(p, threads);
  }
  static void run(cpu::product const& p, void const* x, void const* y, void* r, void const* start,
                  void const* bias, cpu::scratch memory, cpu::executor_ref on) {
    using sum = std::conditional_t<std::is_integral_v<out>, out, float>;
    cpu::contract<Target>(p, static_cast<a const*>(x), static_cast<b const*>(y),
                          static_cast<out*>(r), static_cast<sum const*>(start),
                          static_cast<bias_type const*>(bias), memory, on);
  }
  static constexpr cpu::contraction_code code{&bytes, &run};
};

} // namespace detail

namespace cpu {

// By the element types of a contract node: operands of one type; bf16 sums may stay float.
template <class Target> contraction_code const* contraction_for(graph_view g, int id) {
  using enum dtype;
  dtype out = g[id].type;
  dtype bias = contraction_of(g, id).has_bias ? g[g.operands_of(id).back()].type : out;
  switch (g[g.operand(id, 0)].type) {
    case f32: return &detail::contraction_by<Target, f32, f32, f32, f32>::code;
    case i32: return &detail::contraction_by<Target, i32, i32, i32, i32>::code;
    case u32: return &detail::contraction_by<Target, u32, u32, u32, u32>::code;
    case bf16:
      if (out == bf16)
        return bias == bf16 ? &detail::contraction_by<Target, bf16, bf16, bf16, bf16>::code
                            : &detail::contraction_by<Target, bf16, bf16, bf16, f32>::code;
      return bias == bf16 ? &detail::contraction_by<Target, bf16, bf16, f32, bf16>::code
                          : &detail::contraction_by<Target, bf16, bf16, f32, f32>::code;
    default: break;
  }
  return nullptr;
}

} // namespace cpu
} // namespace weft::inline v0
