// SPDX-License-Identifier: BSL-1.0
// Arrays to and from other libraries in one process, without a copy, by DLPack.
//   DLManagedTensor* m = to_dlpack(x);          // theirs: they call m->deleter(m) at the end
//   auto y = from_dlpack<float, rows, 3>(m);    // ours: y.view() is a borrowed<float, rows, 3>
// With a <dlpack/dlpack.h> of version 1 or later also DLManagedTensorVersioned: to_dlpack_versioned,
// and from_dlpack takes either.
// Needs: <dlpack/dlpack.h> (Debian: libdlpack-dev). Leaves: a tensor's elements are lent read-only:
// copies of it may share them (the versioned structure says so by its flag, unless none does).
// Elements of at most 64 bytes, which lie in the tensor, lie in the structure instead.
// Errors: usage_error, shape_error; what was to be taken is then still the caller's.
#pragma once

#include <weft/array/borrowed.hpp>

#include <memory>
#include <utility>

#include <dlpack/dlpack.h>

namespace weft::inline v0 {
namespace detail {

inline constexpr std::uint8_t dlpack_bool = 6; // kDLBool of 0.8 and later
constexpr DLDataType dlpack_type(dtype d) {
  int kind = is_float(d) ? int{kDLFloat} : is_signed(d) ? int{kDLInt} : int{kDLUInt};
  if (d == dtype::boolean) kind = dlpack_bool;
  if (d == dtype::bf16) kind = kDLBfloat;
  return {static_cast<std::uint8_t>(kind), static_cast<std::uint8_t>(8 * size_of(d)), 1};
}

// What lives as long as the structure that points into it.
template <class Managed, class T, auto... E> struct dlpack_loan {
  explicit dlpack_loan(tensor<T, E...>&& x) : elements(std::move(x)) {
    // One that was never written reads zeros that all such arrays share, and is given its own.
    if constexpr (!tensor<T, E...>::is_inline)
      if (elements.size() > 0 && buffer_of(elements).empty()) writable(elements);
    extents const shape = elements.shape(), steps = row_major_strides(shape);
    for (int i = 0; i < shape.rank; ++i) {
      numbers[i] = shape[i];
      strides[i] = steps[i];
    }
    DLTensor& t = managed.dl_tensor;
    t.data = elements.size() > 0 ? const_cast<T*>(elements.data()) : nullptr;
    t.device = {kDLCPU, 0};
    t.ndim = shape.rank;
    t.dtype = dlpack_type(dtype_of<T>);
    t.shape = numbers;
    t.strides = strides;
    t.byte_offset = 0;
    managed.manager_ctx = this;
    managed.deleter = [](Managed* self) { delete static_cast<dlpack_loan*>(self->manager_ctx); };
  }

  Managed managed{};
  alignas(detail::buffer_alignment) tensor<T, E...> elements; // small ones lie in it
  std::int64_t numbers[max_rank]{}, strides[max_rank]{};
};

inline message add_dlpack_type(message text, DLDataType type) {
  char const* const kinds[7] = {"int", "uint", "float", "opaque", "bfloat", "complex", "bool"};
  text.add(type.code < 7 ? kinds[type.code] : "type ");
  if (type.code >= 7) text.add(extent{type.code}).add(" of ");
  text.add(extent{type.bits});
  if (type.lanes != 1) text.add(" x ").add(extent{type.lanes});
  return text;
}
template <class T> void check_dlpack(DLTensor const& x) {
  auto const fail = [](message const& text) { raise<usage_error>(text); };
  if (x.device.device_type != kDLCPU)
    fail(message("weft: from_dlpack: the elements are on a device of type ")
             .add(extent{x.device.device_type})
             .add(", not on the CPU (1); copy them there first"));
  DLDataType const own = dlpack_type(dtype_of<T>);
  if (x.dtype.code != own.code || x.dtype.bits != own.bits || x.dtype.lanes != 1)
    fail(add_dlpack_type(message("weft: from_dlpack: elements are "), x.dtype)
             .add(", the tensor's ")
             .add(name_of(dtype_of<T>))
             .add("; take them as their own type"));
  if (x.ndim < 0 || x.ndim > max_rank)
    fail(message("weft: from_dlpack: there are ").add(x.ndim).add(" axes; 8 are the most"));
}
inline extents dlpack_shape(DLTensor const& x) {
  extents r;
  for (int i = 0; i < x.ndim; ++i) r.push(x.shape[i]);
  return r;
}
template <class Managed> DLTensor const& dlpack_of(Managed const* m) {
  if (m == nullptr)
    raise<usage_error>(
        message("weft: from_dlpack: the structure is a null pointer; whoever made it "
                "may have failed"));
  return m->dl_tensor;
}
// Are these bytes, at least one, bools of C++? Another byte that is read as one is undefined.
template <int Rank>
bool are_bools(unsigned char const* first, extents const& shape, strides<Rank> const& step,
               int axis = 0) {
  if (axis == shape.rank) return *first <= 1;
  extent const places = step[axis] == 0 ? 1 : shape[axis];
  for (extent i = 0; i < places; ++i)
    if (!are_bools<Rank>(first + i * step[axis], shape, step, axis + 1)) return false;
  return true;
}
template <class T, auto... E> borrowed<T, E...> dlpack_view(DLTensor const& x) {
  check_dlpack<T>(x);
  constexpr int rank = sizeof...(E);
  auto const shape = bound_shape<E...>::bind(dlpack_shape(x));
  strides<rank> steps = row_major(shape);
  if (x.strides != nullptr)
    for (int i = 0; i < rank; ++i) steps.d[i] = x.strides[i];
  auto const* const first = static_cast<char const*>(x.data) + (x.data ? x.byte_offset : 0);
  if (shape.count() > 0 && x.data == nullptr)
    raise<usage_error>(message("weft: from_dlpack: there is a shape and no data"));
  if (reinterpret_cast<std::uintptr_t>(first) % alignof(T) != 0)
    raise<usage_error>(message("weft: from_dlpack: the data is not aligned to ")
                           .add(extent{alignof(T)})
                           .add(" bytes; copy it first"));
  if constexpr (std::is_same_v<T, bool>)
    if (shape.count() > 0 &&
        !are_bools<rank>(reinterpret_cast<unsigned char const*>(first), shape.numbers(), steps))
      raise<usage_error>(message("weft: from_dlpack: there are bools that are neither 0 nor 1; "
                                 "take them as uint8_t, or compare them with 0 first"));
  return {reinterpret_cast<T const*>(first), shape, steps};
}

struct dlpack_deleter {
  template <class Managed> void operator()(Managed* m) const {
    if (m->deleter != nullptr) m->deleter(m);
  }
};

} // namespace detail

// Somebody else's elements, kept alive: view() is valid as long as this lives.
template <class Managed, class T, auto... E> class dlpack_array {
public:
  explicit dlpack_array(Managed* m)
      : view_(detail::dlpack_view<T, E...>(detail::dlpack_of(m))), managed_(m) {}

  borrowed<T, E...> view() const& WEFT_LIFETIME_BOUND {
    if (managed_ == nullptr)
      raise<usage_error>(
          message("weft: dlpack_array: its elements were moved to another one; ask that"));
    return view_;
  }

private:
  borrowed<T, E...> view_;
  std::unique_ptr<Managed, detail::dlpack_deleter> managed_;
};

// For another library. A tensor that is moved in and shared with nobody may be written there.
template <class T, auto... E> DLManagedTensor* to_dlpack(tensor<T, E...>&& x) {
  return &(new detail::dlpack_loan<DLManagedTensor, T, E...>(std::move(x)))->managed;
}
template <class T, auto... E> DLManagedTensor* to_dlpack(tensor<T, E...> const& x) {
  tensor<T, E...> shared = x;
  return to_dlpack(std::move(shared));
}
// Takes m over. Any strides, in elements; none mean row-major. T must be its type, numbers of E its
// extents, and names take them; bools are the type code 6.
template <class T, auto... E>
dlpack_array<DLManagedTensor, T, E...> from_dlpack(DLManagedTensor* m) {
  return dlpack_array<DLManagedTensor, T, E...>(m);
}

#if defined(DLPACK_MAJOR_VERSION)
template <class T, auto... E> DLManagedTensorVersioned* to_dlpack_versioned(tensor<T, E...>&& x) {
  auto* const loan = new detail::dlpack_loan<DLManagedTensorVersioned, T, E...>(std::move(x));
  loan->managed.version = {DLPACK_MAJOR_VERSION, DLPACK_MINOR_VERSION};
  loan->managed.flags = detail::is_unique(loan->elements) ? 0 : DLPACK_FLAG_BITMASK_READ_ONLY;
  return &loan->managed;
}
template <class T, auto... E>
DLManagedTensorVersioned* to_dlpack_versioned(tensor<T, E...> const& x) {
  tensor<T, E...> shared = x;
  return to_dlpack_versioned(std::move(shared));
}
template <class T, auto... E>
dlpack_array<DLManagedTensorVersioned, T, E...> from_dlpack(DLManagedTensorVersioned* m) {
  if (m != nullptr && m->version.major != DLPACK_MAJOR_VERSION)
    raise<usage_error>(message("weft: from_dlpack: the structure has version ")
                           .add(extent{m->version.major})
                           .add(", this was compiled for ")
                           .add(extent{DLPACK_MAJOR_VERSION})
                           .add("; compile with that version's header"));
  return dlpack_array<DLManagedTensorVersioned, T, E...>(m);
}
#endif

} // namespace weft::inline v0
