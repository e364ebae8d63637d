// SPDX-License-Identifier: BSL-1.0
// mutable_view<T, E...>: how a tensor is written, made by t.mutate() and bound to its scope.
// Leaves: while it lives, its elements are seen through one tensor only: copies made meanwhile are
// deep. It keeps its memory alive, so a tensor that is assigned or destroyed under it does no harm.
#pragma once

#include <weft/array/storage.hpp>
#include <weft/core/fixed_string.hpp>

namespace weft::inline v0 {

template <class T, auto... E> class tensor;

template <class T, auto... E> class [[nodiscard]] mutable_view {
public:
  using element_type = T;
  using shape_type = weft::shape<E...>;
  static constexpr int rank = sizeof...(E);

  mutable_view(mutable_view const&) = delete;
  mutable_view& operator=(mutable_view const&) = delete;

  template <class... I> constexpr T& operator()(I... i) const {
    static_assert(sizeof...(I) == rank, "weft: an element needs one index per axis");
    shape_.check_index(i...);
    return data_[shape_.offset(i...)];
  }
  template <class... I> constexpr T& unchecked(I... i) const { return data_[shape_.offset(i...)]; }

  // Copies the elements of a tensor of the same shape, in place: `m = exp(x);`
  constexpr mutable_view& operator=(tensor<T, E...> const& from) {
    if (!(from.shape() == shape())) detail::raise_binding(from.shape(), shape());
    T const* source = from.data();
    for (extent i = 0, n = size(); i < n; ++i) data_[i] = source[i];
    return *this;
  }

  // A view to assign to, in place: m.at<"1:, ::2">() = x; one argument per $ (lang/assignable.hpp).
  template <fixed_string Spec, class... I> constexpr auto at(I... i) const WEFT_LIFETIME_BOUND {
    return view_in_place<Spec>(*this, i...);
  }

  constexpr T* data() const { return data_; }
  constexpr T* begin() const { return data_; }
  constexpr T* end() const { return data_ + size(); }
  constexpr weft::extent size() const { return shape_.count(); }
  constexpr extents shape() const { return shape_.numbers(); }

private:
  friend class tensor<T, E...>;
  using storage = detail::storage_for<T, E...>;

  constexpr mutable_view(storage& s, detail::bound_shape<E...> const& shape)
      : shape_(shape), data_(s.writable(shape.count())), pin_(s.pinned()) {}

  [[no_unique_address]] detail::bound_shape<E...> shape_;
  T* data_;
  typename storage::pin_type pin_;
};

} // namespace weft::inline v0
