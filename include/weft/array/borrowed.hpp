// SPDX-License-Identifier: BSL-1.0
// borrowed<T, E...>: somebody else's elements, read in place, with any strides. borrow() makes one.
// Needs: memory that outlives it; it owns nothing, is never shared and never written.
// Leaves: a tensor made from it is a copy. Errors: shape_error; usage_error where there are elements
// and the pointer is null.
//   auto x = borrow<2, 3>(pointer);                    // row-major
//   auto y = borrow<rows, 3>(pointer, n);              // one argument per name
//   auto z = borrow<2, 3>(pointer, strides{1, 2});     // column-major; strides count elements
#pragma once

#include <weft/array/access.hpp>

namespace weft::inline v0 {

// Distance between neighbours along each axis, in elements; may be negative or 0.
template <int Rank> struct strides {
  extent d[Rank > 0 ? Rank : 1]{};

  constexpr strides() = default;
  template <class... N>
    requires(sizeof...(N) == Rank && (std::is_integral_v<N> && ...))
  constexpr strides(N... n) : d{static_cast<extent>(n)...} {}
  constexpr extent operator[](int axis) const { return d[axis]; }
};
template <class... N> strides(N...) -> strides<sizeof...(N)>;

namespace detail {
[[noreturn]] WEFT_NOINLINE inline void raise_no_data(extents const& numbers) {
  message text("weft: borrow: the pointer is null, and shape ");
  raise<usage_error>(text.add(numbers).add(" has elements; give their address"));
}
} // namespace detail

template <class T, auto... E> class borrowed {
  static_assert(element<T>, "weft: not an element type; use float, double, bf16, "
                            "f16, bool or an integer of <cstdint>");
  using bound = detail::bound_shape<E...>;

public:
  using element_type = T;
  using shape_type = weft::shape<E...>;
  static constexpr int rank = sizeof...(E);
  static constexpr extents pattern = shape_type::value;

  constexpr borrowed(T const* data, bound shape, weft::strides<rank> step)
      : data_(data), shape_(shape), strides_(step) {
    if (data == nullptr && shape.count() > 0) detail::raise_no_data(shape.numbers());
  }

  template <class... I> constexpr T operator()(I... i) const {
    static_assert(sizeof...(I) == rank, "weft: an element needs one index per axis");
    shape_.check_index(i...);
    return unchecked(i...);
  }
  template <class... I> constexpr T unchecked(I... i) const {
    static_assert(sizeof...(I) == rank, "weft: an element needs one index per axis");
    [[maybe_unused]] int axis = 0;
    weft::extent offset = 0;
    ((offset += static_cast<weft::extent>(i) * strides_[axis++]), ...);
    return data_[offset];
  }
  constexpr operator T() const
    requires(rank == 0)
  {
    return *data_;
  }

  // The element at (0, ..., 0).
  constexpr T const* data() const { return data_; }
  constexpr weft::extent size() const { return shape_.count(); }
  constexpr extents shape() const { return shape_.numbers(); }
  constexpr weft::extent extent(int axis) const { return shape_[plain_axis(axis, rank)]; }
  constexpr weft::extent stride(int axis) const { return strides_[plain_axis(axis, rank)]; }
  // Row-major without gaps; axes of one element may have any stride.
  constexpr bool is_contiguous() const {
    weft::extent expected = 1;
    for (int i = rank - 1; i >= 0; --i) {
      if (shape_[i] != 1 && strides_[i] != expected) return false;
      expected *= shape_[i];
    }
    return true;
  }

  constexpr operator tensor<T, E...>() const {
    auto copy = tensor<T, E...>::uninitialised(shape());
    T* out = detail::writable(copy);
    if (size() > 0) copy_axes(data_, 0, out);
    return copy;
  }

private:
  constexpr void copy_axes(T const* from, int axis, T*& out) const {
    if (axis == rank) *out++ = *from;
    else
      for (weft::extent i = 0; i < shape_[axis]; ++i)
        copy_axes(from + i * strides_[axis], axis + 1, out);
  }

  T const* data_;
  [[no_unique_address]] bound shape_;
  weft::strides<rank> strides_;
};

namespace detail {
template <class Shape> constexpr auto row_major(Shape const& shape) {
  weft::strides<Shape::rank> r;
  extents const steps = row_major_strides(shape.numbers());
  for (int i = 0; i < Shape::rank; ++i) r.d[i] = steps[i];
  return r;
}
} // namespace detail

// A number per distinct name, in order of first appearance; row-major.
template <auto... E, class T, class... N>
  requires(sizeof...(N) == detail::bound_shape<E...>::names.count && (std::is_integral_v<N> && ...))
constexpr borrowed<T, E...> borrow(T const* data WEFT_LIFETIME_BOUND, N... n) {
  auto shape = detail::bound_shape<E...>::of_names(n...);
  return {data, shape, detail::row_major(shape)};
}
// Static extents and strides.
template <auto... E, class T>
constexpr borrowed<T, E...> borrow(T const* data WEFT_LIFETIME_BOUND,
                                   strides<sizeof...(E)> const& step)
  requires(detail::bound_shape<E...>::is_static)
{
  return {data, {}, step};
}
// Any shape: extents with numbers, and strides.
template <auto... E, class T>
constexpr borrowed<T, E...> borrow(T const* data WEFT_LIFETIME_BOUND, extents const& numbers,
                                   strides<sizeof...(E)> const& step) {
  return {data, detail::bound_shape<E...>::bind(numbers), step};
}

} // namespace weft::inline v0
