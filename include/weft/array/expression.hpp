// SPDX-License-Identifier: BSL-1.0
// What a tensor can be made from besides tensors: the concept `expression`, and how two shapes
// compare when one is stored into the other.
// Needs of an expression x: derives from expression_base; X::element_type; X::shape_type, a
// shape<E...>; x.shape(), extents with numbers; x.evaluate_into(t), which writes every element of
// t, a tensor of that shape with a buffer of its own (detail::writable(t)) that x does not share.
#pragma once

#include <weft/core/extents.hpp>

#include <type_traits>

namespace weft::inline v0 {

struct expression_base {};

template <class X> concept expression = std::is_base_of_v<expression_base, X>;

namespace detail {

constexpr bool compatible(extents const& a, extents const& b) {
  if (a.rank != b.rank) return false;
  for (int i = 0; i < a.rank; ++i)
    if (a[i] != b[i] && !is_named(a[i]) && !is_named(b[i])) return false;
  return true;
}
// Same numbers, same names.
template <class A, class B> concept same_shape = A::value == B::value;
// Numbers agree where both are numbers; the rest is for the run to check.
template <class A, class B> concept compatible_shape = compatible(A::value, B::value);
template <class A, class B> concept same_element = std::is_same_v<A, B>;

} // namespace detail
} // namespace weft::inline v0
