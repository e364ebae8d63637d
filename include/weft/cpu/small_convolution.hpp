// SPDX-License-Identifier: BSL-1.0
// Convolutions for the block executor, whose element types are known at run time: convolution_for
// finds the code of a node's. Elements of 8 and 16 bits are widened into scratch, convolved there as
// float or uint32, and rounded or wrapped into out (as cpu/small_contraction.hpp does), so that the
// kernels of contractions, compiled anyway, serve all.
// Needs: cpu/convolution.hpp. Leaves: the bits of graph/convolution.hpp.
#pragma once

#include <weft/cpu/convolution.hpp>
#include <weft/cpu/strided.hpp>

namespace weft::inline v0 {
namespace detail {

template <class Target, dtype D, dtype Out, dtype Bias> struct small_convolution {
  using element_type = storage_of<D>;
  using sum = cpu::sum_type<element_type>;
  using wide =
      convolution_by<Target, dtype_of<sum>, dtype_of<sum>, dtype_of<sum>, dtype_of<sum>, false>;

  static extent room(extents const& s) {
    return aligned_bytes(count_of(s) * static_cast<extent>(sizeof(sum)));
  }
  static convolution_form widened_form(convolution_form const& f) {
    auto const dense = [](extents const& s) { return strided_shape{s, row_major_strides(s)}; };
    return {f.labels(), dense(f.x().shape), dense(f.w().shape), dense(f.out().shape)};
  }
  static extent bytes(convolution_form const& f, int threads) {
    return room(f.x().shape) + room(f.w().shape) + room(f.out().shape) +
           wide::bytes(widened_form(f), threads);
  }
  static void widen(strided_shape const& from, void const* src, sum* dst) {
    extent const count = count_of(from.shape);
    cpu::walk<1> at(from.shape, {from.strides});
    for (extent i = 0; i < count; ++i, at.next())
      dst[i] = widened<sum>(static_cast<element_type const*>(src)[at.offset[0]]);
  }
  static void run(convolution_form const& f, void const* x, void const* w, void* out,
                  void const* bias, cpu::scratch memory, cpu::executor_ref const& on,
                  cpu::epilogue_ref) {
    auto const take = [&memory](extents const& s) {
      auto* const p = reinterpret_cast<sum*>(memory.memory);
      memory = {memory.memory + room(s), memory.bytes - room(s)};
      return p;
    };
    sum *const wide_x = take(f.x().shape), *const wide_w = take(f.w().shape),
               *const sums = take(f.out().shape);
    widen(f.x(), x, wide_x);
    widen(f.w(), w, wide_w);
    wide::run(widened_form(f), wide_x, wide_w, sums, nullptr, memory, on, {});
    cpu::walk<2> at(f.out().shape, {f.out().strides, f.bias_strides()});
    for (extent i = 0; i < count_of(f.out().shape); ++i, at.next()) {
      sum value = sums[i];
      if (bias)
        value = value + static_cast<sum>(static_cast<storage_of<Bias> const*>(bias)[at.offset[1]]);
      static_cast<storage_of<Out>*>(out)[at.offset[0]] = static_cast<storage_of<Out>>(value);
    }
  }
  static constexpr cpu::convolution_code code{&bytes, &run, nullptr};
};

template <class Target> struct convolution_codes {
  template <dtype D> cpu::convolution_code const* same() const {
    return &convolution_by<Target, D, D, D, D, false>::code;
  }
  template <dtype D, dtype Out, dtype Bias> cpu::convolution_code const* small() const {
    return &small_convolution<Target, D, Out, Bias>::code;
  }
};

} // namespace detail

namespace cpu {

// By the element types of a convolve node (as contraction_for).
template <class Target> convolution_code const* convolution_for(graph_view g, int id) {
  dtype const out = g[id].type, bias = g[id].operand_count > 2 ? g[g.operand(id, 2)].type : out;
  return detail::code_of_types(detail::convolution_codes<Target>{}, g[g.operand(id, 0)].type, out,
                               bias);
}

} // namespace cpu
} // namespace weft::inline v0
