// SPDX-License-Identifier: BSL-1.0
// Where the elements of an argument's or a result's leaf lie, and how many bytes they are: of a
// tensor, a key (two words), a number.
#pragma once

#include <weft/array/access.hpp>
#include <weft/lang/key.hpp>

#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace weft::inline v0 {
namespace detail {

template <class Leaf> WEFT_INLINE void const* data_of(Leaf const& leaf) {
  if constexpr (std::is_same_v<Leaf, key>) return &leaf.high;
  else if constexpr (requires { leaf.data(); }) return leaf.data();
  else return &leaf;
}
template <class Leaf> std::size_t bytes_of_leaf(Leaf const& leaf) {
  if constexpr (requires { leaf.data(); })
    return static_cast<std::size_t>(leaf.size()) * sizeof *leaf.data();
  else return sizeof leaf;
}
// Do p's elements lie in those of this leaf?
template <class Leaf> WEFT_INLINE bool lies_in(Leaf const& leaf, void const* p) {
  if constexpr (requires { buffer_of(leaf); })
    if (buffer_of(leaf).empty()) return false; // its data() would make zeros
  auto const first = reinterpret_cast<std::uintptr_t>(data_of(leaf));
  return reinterpret_cast<std::uintptr_t>(p) - first < bytes_of_leaf(leaf);
}
// Of `count` arguments, does any lie in r? data(i): where the i-th has its elements.
template <class Result, class Data>
WEFT_INLINE bool any_lies_in(Result const& r, int count, Data const& data) {
  bool lies = false;
  for_each_leaf(r, [&](auto const& leaf) WEFT_LAMBDA {
    for (int i = 0; i < count; ++i) lies = lies || lies_in(leaf, data(i));
  });
  return lies;
}

} // namespace detail
} // namespace weft::inline v0
