// SPDX-License-Identifier: BSL-1.0
// host_array: an array whose type and shape only the run knows: what programs take and give that
// come out of a file (run/model.hpp), and what tools read and write.
//   host_array a(x);                                  // of a tensor, sharing nothing
//   auto y = a.as<float, 2, rows>();                 // tensor<float, 2, rows>
// Needs: nothing. Leaves: row-major elements, zeros at first, at a multiple of 64 bytes; a copy
// copies them. Errors: shape_error where shapes differ, usage_error where types do.
#pragma once

#include <weft/array/access.hpp>
#include <weft/array/borrowed.hpp>

#include <cstring>

namespace weft::inline v0 {

class host_array {
public:
  host_array() : host_array(dtype::f32, {1, {0}}) {}
  host_array(dtype type, extents const& shape)
      : type_(type), shape_(shape), bytes_(buffer_of(count_of(shape) * size_of(type))) {
    if (byte_count() > 0) std::memset(data(), 0, static_cast<std::size_t>(byte_count()));
  }
  template <class T, auto... E>
  explicit host_array(tensor<T, E...> const& x) : host_array(dtype_of<T>, x.shape()) {
    if (byte_count() > 0) std::memcpy(data(), x.data(), static_cast<std::size_t>(byte_count()));
  }
  template <class T, auto... E>
  explicit host_array(borrowed<T, E...> const& x) : host_array(tensor<T, E...>(x)) {}
  template <element T> explicit host_array(T x) : host_array(dtype_of<T>, {}) {
    std::memcpy(data(), &x, sizeof x);
  }
  host_array(host_array const& other) : host_array(other.type_, other.shape_) {
    if (byte_count() > 0) std::memcpy(data(), other.data(), static_cast<std::size_t>(byte_count()));
  }
  host_array(host_array&&) noexcept = default;
  host_array& operator=(host_array other) noexcept {
    type_ = other.type_;
    shape_ = other.shape_;
    bytes_ = std::move(other.bytes_);
    return *this;
  }
  ~host_array() = default;

  dtype type() const { return type_; }
  extents const& shape() const { return shape_; }
  extent size() const { return count_of(shape_); }
  extent byte_count() const { return size() * size_of(type_); }
  std::byte* data() { return bytes_.data(); }
  std::byte const* data() const { return bytes_.data(); }

  // A tensor with these elements. as<float, 2, rows>()
  template <element T, auto... E> tensor<T, E...> as() const {
    using wanted = tensor<T, E...>;
    if (type_ != dtype_of<T>)
      raise<usage_error>(message("weft: host_array: elements are ")
                             .add(name_of(type_))
                             .add(", the tensor's ")
                             .add(name_of(dtype_of<T>)));
    if (!detail::fits(shape_, wanted::pattern))
      raise<shape_error>(message("weft: host_array: shape is ")
                             .add(shape_)
                             .add(", the tensor's ")
                             .add(wanted::pattern));
    wanted r = wanted::uninitialised(shape_);
    if (byte_count() > 0)
      std::memcpy(static_cast<void*>(detail::writable(r)), data(),
                  static_cast<std::size_t>(byte_count()));
    return r;
  }

private:
  static detail::buffer<std::byte> buffer_of(extent bytes) {
    return bytes > 0 ? detail::buffer<std::byte>(bytes) : detail::buffer<std::byte>();
  }

  dtype type_;
  extents shape_;
  detail::buffer<std::byte> bytes_;
};

} // namespace weft::inline v0
