// SPDX-License-Identifier: BSL-1.0
// tensor<T, E...>: an array that behaves like a number. Row-major; aligned to 64 bytes, or where it has
// fewer to the power of two that holds them. Copies are independent whatever they share. T is an
// element type; each E is an int or a name (sym).
// Reading is const and checked; writing goes through `auto m = a.mutate();`.
// Leaves: a default-made or moved-from tensor is valid: zeros when all extents are ints, else its
// names are 0. (A move of at most 64 bytes is a copy.) As thread-safe as an int.
//   tensor<float, 2, 3> a = {{1, 2, 3}, {4, 5, 6}};
//   tensor<float, rows, 3> b(n);     // one argument per name, in order of first appearance
#pragma once

#include <weft/array/expression.hpp>
#include <weft/array/mutable_view.hpp>
#include <weft/array/nested.hpp>

namespace weft::inline v0 {

namespace detail {
struct tensor_access; // array/access.hpp: the executor's side

template <class X, class Y> concept another = !std::is_same_v<X, Y>;
// Of shapes S and F: where a name meets a number or another name, which the run then checks.
template <class S, class F>
concept fits_if_the_run_says_so = compatible_shape<S, F> && !same_shape<S, F>;

// May expression X become tensor T's new value as it is?
template <class T, class X> inline constexpr bool is_value_of = false;
template <class T, expression X>
inline constexpr bool is_value_of<T, X> =
    same_shape<typename T::shape_type, typename X::shape_type> &&
    std::is_same_v<typename T::element_type, typename X::element_type>;
} // namespace detail

template <class T, auto... E> class tensor {
  static_assert(element<T>, "weft: not an element type; use float, double, bf16, "
                            "f16, bool or an integer of <cstdint>");
  static_assert(weft::shape<E...>::rank >= 0); // the shape checks its extents
  using bound = detail::bound_shape<E...>;
  using storage = detail::storage_for<T, E...>;

public:
  using element_type = T;
  using shape_type = weft::shape<E...>;
  static constexpr int rank = sizeof...(E);
  static constexpr extents pattern = shape_type::value; // names are negative
  static constexpr bool is_inline = detail::fits_inline<T, bound>();

  constexpr tensor() = default;

  template <class... N>
    requires(sizeof...(N) == bound::names.count && sizeof...(N) > 0 &&
             (std::is_integral_v<N> && ...))
  constexpr explicit tensor(N... n) : shape_(bound::of_names(n...)) {
    storage_.writable(size());
  }

  constexpr tensor(detail::nested_list<T, rank> list)
    requires(rank > 0)
  {
    extents s = pattern;
    detail::measure(list, s);
    *this = uninitialised(s);
    detail::fill(list, s, writable());
  }
  constexpr tensor(T value)
    requires(rank == 0)
  {
    *writable() = value;
  }

  // From an expression: its shape type must be this one; explicit where a name meets a number or
  // another name, which the run then checks (shape_error).
  template <expression X> constexpr tensor(X const& x) {
    if constexpr (accepts<X>() && is_explicit<typename X::shape_type>()) take(x);
  }
  template <expression X>
    requires detail::fits_if_the_run_says_so<weft::shape<E...>, typename X::shape_type>
  constexpr explicit tensor(X const& x) {
    if constexpr (accepts<X>()) take(x);
  }
  template <class U, auto... F>
    requires detail::another<tensor, tensor<U, F...>>
  constexpr tensor(tensor<U, F...> const& other) {
    if constexpr (accepts<tensor<U, F...>>() && is_explicit<weft::shape<F...>>()) copy(other);
  }
  template <class U, auto... F>
    requires detail::another<tensor, tensor<U, F...>> &&
             detail::compatible_shape<weft::shape<E...>, weft::shape<F...>>
  constexpr explicit tensor(tensor<U, F...> const& other) {
    if constexpr (accepts<tensor<U, F...>>()) copy(other);
  }

  // Writes into the buffer when it is unique and has x's shape. x holds its operands by value, so
  // a buffer that x reads is never unique: `a = f(a)` is right.
  template <expression X> constexpr tensor& operator=(X const& x) {
    static_assert(detail::same_shape<shape_type, typename X::shape_type>,
                  "weft: tensor: the shapes differ; to bind names write tensor<...>(x)");
    if constexpr (detail::same_shape<shape_type, typename X::shape_type> && accepts<X>()) {
      if (!storage_.unique() || !(x.shape() == shape())) *this = uninitialised(x.shape());
      x.evaluate_into(*this);
    }
    return *this;
  }

  // x = x + y, and so on (lang/): of x's extents and type.
  template <class Y> constexpr tensor& operator+=(Y const& y) { return assign(*this + y); }
  template <class Y> constexpr tensor& operator-=(Y const& y) { return assign(*this - y); }
  template <class Y> constexpr tensor& operator*=(Y const& y) { return assign(*this * y); }
  template <class Y> constexpr tensor& operator/=(Y const& y) { return assign(*this / y); }

  template <class... I> constexpr T operator()(I... i) const {
    static_assert(sizeof...(I) == rank, "weft: an element needs one index per axis");
    shape_.check_index(i...);
    return data()[shape_.offset(i...)];
  }
  template <class... I> constexpr T unchecked(I... i) const {
    static_assert(sizeof...(I) == rank, "weft: an element needs one index per axis");
    return data()[shape_.offset(i...)];
  }
  constexpr operator T() const
    requires(rank == 0)
  {
    return *data();
  }

  constexpr T const* data() const WEFT_LIFETIME_BOUND { return storage_.data(); }
  constexpr T const* begin() const WEFT_LIFETIME_BOUND { return data(); }
  constexpr T const* end() const WEFT_LIFETIME_BOUND { return data() + size(); }
  constexpr weft::extent size() const { return shape_.count(); }
  constexpr extents shape() const { return shape_.numbers(); }
  // Axes count from the end when negative.
  constexpr weft::extent extent(int axis) const { return shape_[plain_axis(axis, rank)]; }

  constexpr mutable_view<T, E...> mutate() & WEFT_LIFETIME_BOUND { return {storage_, shape_}; }

  // The executor's interface: a tensor of these extents with a buffer of its own, whose elements
  // are unspecified. shape_error where the extents do not fit the type.
  static constexpr tensor uninitialised(extents const& numbers) {
    tensor r;
    r.shape_ = bound::bind(numbers);
    if constexpr (!is_inline)
      if (r.size() > 0) r.storage_.elements = detail::buffer<T>(r.size());
    return r;
  }

private:
  template <class X> constexpr tensor& assign(X const& result) {
    constexpr bool keeps = detail::is_value_of<tensor, X>;
    static_assert(keeps, "weft: x += y would give x another shape or type; write x + y");
    if constexpr (keeps) *this = result;
    return *this;
  }
  friend struct detail::tensor_access;

  template <class X> static consteval bool accepts() {
    using source = typename X::shape_type;
    static_assert(detail::same_element<T, typename X::element_type>,
                  "weft: tensor: the element types differ; write convert<T>(x)");
    static_assert(detail::compatible_shape<shape_type, source>,
                  "weft: tensor: the shapes differ; declare the tensor with the shape it gets");
    return detail::same_element<T, typename X::element_type> &&
           detail::compatible_shape<shape_type, source>;
  }
  // Asked where a constructor was chosen that is not explicit.
  template <class F> static consteval bool is_explicit() {
    constexpr bool same = !detail::fits_if_the_run_says_so<shape_type, F>;
    static_assert(same, "weft: tensor: the shapes differ; to bind names write tensor<...>(x)");
    return same;
  }
  template <class Other> constexpr void copy(Other const& other) {
    *this = uninitialised(other.shape());
    T* out = writable();
    for (T const& x : other) *out++ = x;
  }
  template <class X> constexpr void take(X const& x) {
    *this = uninitialised(x.shape());
    x.evaluate_into(*this);
  }
  constexpr T* writable() { return storage_.writable(size()); }

  // In this order: an assignment that throws has changed neither.
  storage storage_;
  [[no_unique_address]] bound shape_;
};

// Same extents, equal elements (so a NaN makes tensors unequal). Deduced on both sides: a rank-0
// tensor compares with a number as the number that it converts to.
template <class T, auto... E>
constexpr bool operator==(tensor<T, E...> const& a, tensor<T, E...> const& b) {
  if (!(a.shape() == b.shape())) return false;
  T const *x = a.data(), *y = b.data();
  for (extent i = 0, n = a.size(); i < n; ++i)
    if (!(x[i] == y[i])) return false;
  return true;
}

} // namespace weft::inline v0
