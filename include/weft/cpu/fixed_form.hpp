// SPDX-License-Identifier: BSL-1.0
// fixed_form: what the kernels of a product whose normal form the compiler knows have in common: types,
// sizes, and places that are constants or one multiplication.
// Needs: Form as of cpu/fixed_product.hpp.
#pragma once

#include <weft/cpu/contract.hpp>

namespace weft::inline v0 {
namespace detail {

// The packs for lines of so many elements of 4 bytes: no wider than a line. Shuffles, and accesses to
// fewer lanes than there are, are shorter.
template <class Target, int Line>
using machine_of_line =
    std::conditional_t<Target::has_fma && Line <= 4, cpu::generic,
                       std::conditional_t<(Target::lanes > 8 && Line <= 8), cpu::avx2, Target>>;

template <class Form> struct fixed_form {
  static constexpr product_form const& p = Form::value;
  using left = as_word<typename Form::a>;
  using right = as_word<typename Form::b>;
  using A = std::conditional_t<p.swapped, right, left>;
  using B = std::conditional_t<p.swapped, left, right>;
  using Out = as_word<typename Form::out>;
  using Bias = as_word<typename Form::bias>;
  using call = product_call<A, B, Out, Bias>;
  using sum = cpu::sum_type<Out>;
  static constexpr int m = static_cast<int>(p.m.count()), n = static_cast<int>(p.n.count());
  static constexpr int k = static_cast<int>(p.k.count());
  static constexpr places step = p.n.inner().stride;
  static constexpr bool alike = std::is_same_v<A, sum> && std::is_same_v<B, sum> &&
                                std::is_same_v<Out, sum>;

  static constexpr int most_room = 64; // bytes: of tensors that hold their elements themselves

  // Elements from the first one to the last; 0 where one lies before the first.
  static constexpr extent span(product_axes const& x, product_axes const& y, extent places::*side) {
    extent last = 0;
    for (product_axes const* axes : {&x, &y})
      for (int i = 0; i < axes->rank; ++i) {
        if (axes->d[i].stride.*side < 0) return 0;
        last += (axes->d[i].size - 1) * axes->d[i].stride.*side;
      }
    return last + 1;
  }
  // Where element i of some axes lies: of one axis a multiplication by a constant. A call of at(),
  // which g++ 12 makes, would be most of a small product.
  template <product_axes product_form::*Axes> WEFT_INLINE static places at(extent i) {
    if constexpr ((p.*Axes).rank > 1) return (p.*Axes).at(i);
    else {
      constexpr places stride = (p.*Axes).inner().stride;
      return stride * i;
    }
  }
  WEFT_INLINE static places batch_at(extent i) { return at<&product_form::batch>(i); }
  WEFT_INLINE static places row_at(extent i) { return at<&product_form::m>(i); }
  WEFT_INLINE static places column_at(extent i) { return at<&product_form::n>(i); }
  WEFT_INLINE static places step_at(extent i) { return at<&product_form::k>(i); }
  // Is an end of Count elements one store of 16 bytes or more? Such are read back at once; behind
  // others a copy of a tensor waits until they are in the cache.
  static constexpr bool is_one_store(int count) {
    return count == 0 || (count >= 4 && is_power_of_two(count));
  }
  static constexpr bool is_power_of_two(int x) { return (x & (x - 1)) == 0; }
};

} // namespace detail
} // namespace weft::inline v0
