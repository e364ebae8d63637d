// SPDX-License-Identifier: BSL-1.0
// The executor's side of tensor: its buffer, for donation, reuse and adoption, and a pointer to
// write results through. Not for users: they read with data() and write with mutate().
// Needs: what each line says; nothing here is checked in a second place.
#pragma once

#include <weft/array/tensor.hpp>

namespace weft::inline v0 {
namespace detail {

struct tensor_access {
  template <class T, auto... E> static constexpr auto& storage(tensor<T, E...>& t) {
    return t.storage_;
  }
  template <class T, auto... E> static constexpr auto const& storage(tensor<T, E...> const& t) {
    return t.storage_;
  }
  template <class T, auto... E>
  static constexpr tensor<T, E...> adopt(buffer<T> b, extents const& numbers) {
    tensor<T, E...> r;
    r.shape_ = bound_shape<E...>::bind(numbers);
    if (b.count() < r.size()) raise_binding(numbers, r.pattern);
    b.truncate(r.size());
    if (r.size() > 0) r.storage_.elements = std::move(b);
    return r;
  }
};

// Elements to write; copies them first unless they are t's alone.
template <class T, auto... E> constexpr T* writable(tensor<T, E...>& t) {
  return tensor_access::storage(t).writable(t.size());
}
// True when writable(t) will not copy and no view of t lives: t's memory may be written over.
template <class T, auto... E> constexpr bool is_unique(tensor<T, E...> const& t) {
  return tensor_access::storage(t).unique();
}
// The buffer, empty where t holds zeros that nobody wrote or has no elements. Copy it to share it.
template <class T, auto... E>
  requires(!tensor<T, E...>::is_inline)
constexpr buffer<T> const& buffer_of(tensor<T, E...> const& t) {
  return tensor_access::storage(t).elements;
}
// Moves the buffer out and leaves t as a move does; made of zeros where t had none yet.
template <class T, auto... E>
  requires(!tensor<T, E...>::is_inline)
constexpr buffer<T> take_buffer(tensor<T, E...>& t) {
  tensor<T, E...> taken = std::move(t);
  if (buffer_of(taken).empty()) writable(taken);
  return std::move(tensor_access::storage(taken).elements);
}
// t, which has static extents and no buffer yet, takes over one owner of a block from new_block.
template <class T, auto... E>
  requires(!tensor<T, E...>::is_inline && bound_shape<E...>::is_static)
void hold_block(tensor<T, E...>& t, void* block) {
  tensor_access::storage(t).elements = buffer<T>::of_block(block, t.size());
}
// A tensor over a ready buffer, without a copy: adopt<tensor<float, rows, 3>>(b, numbers). The
// buffer may be shared (a pool keeps a handle) and longer than the tensor.
template <class Tensor, class T>
  requires(!Tensor::is_inline)
constexpr Tensor adopt(buffer<T> b, extents const& numbers) {
  return []<auto... E>(std::type_identity<tensor<T, E...>>, buffer<T> from, extents const& s) {
    return tensor_access::adopt<T, E...>(std::move(from), s);
  }(std::type_identity<Tensor>{}, std::move(b), numbers);
}

} // namespace detail
} // namespace weft::inline v0
