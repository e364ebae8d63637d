// SPDX-License-Identifier: BSL-1.0
// Arrays and mdspans, without copies.
//   auto x = from_mdspan<rows, 3>(m);    // borrowed<float, rows, 3>, of m's elements and strides
//   auto m = as_mdspan(x);               // std::mdspan<float const, std::extents<..., -1, 3>, ...>
//   auto n = as_mdspan<M>(x);            // M, whichever mdspan it is
// An mdspan is what has std::mdspan's members; as_mdspan(x) needs <mdspan> (C++23), the rest C++20.
// Needs: elements in memory (a pointer to them as data handle, the default access). Leaves: the
// elements where they are, and their lifetime with who has them. Extents that are known in the type
// stay so. Errors: shape_error where the extents of the run differ from a type's, usage_error where
// a layout has no strides, M's are not the array's and cannot be given, or are not above 0 where M
// takes any (as layout_stride says), or a number does not fit M's index_type.
#pragma once

#include <weft/array/borrowed.hpp>

#include <array>
#include <span> // std::dynamic_extent
#include <type_traits>
#include <utility>
#include <version>

#if defined(__cpp_lib_mdspan)
#include <mdspan>
#endif

namespace weft::inline v0 {

template <class M>
concept mdspan_like = requires(M const& m, typename M::rank_type axis) {
  typename M::extents_type;
  typename M::mapping_type;
  { M::rank() } -> std::convertible_to<int>;
  { M::static_extent(axis) } -> std::convertible_to<std::size_t>;
  { m.extent(axis) } -> std::convertible_to<extent>;
  { m.is_strided() } -> std::convertible_to<bool>;
  { m.data_handle() } -> std::convertible_to<typename M::element_type const*>;
};

namespace detail {

template <class M> constexpr auto rank_type_of(int axis) {
  return static_cast<typename M::rank_type>(axis);
}
// The numbers that M has in its type are those of the pattern, or stand where that has names.
template <class M> constexpr bool fits_mdspan(extents const& pattern) {
  if (static_cast<int>(M::rank()) != pattern.rank) return false;
  for (int i = 0; i < pattern.rank; ++i) {
    std::size_t const known = M::static_extent(rank_type_of<M>(i));
    if (known != std::dynamic_extent && !is_named(pattern[i]) &&
        static_cast<extent>(known) != pattern[i])
      return false;
  }
  return true;
}
template <class M> constexpr bool knows_its_extents() {
  for (int i = 0; i < static_cast<int>(M::rank()); ++i)
    if (M::static_extent(rank_type_of<M>(i)) == std::dynamic_extent) return false;
  return true;
}

template <class T, auto... E, class M> borrowed<T, E...> borrow_mdspan(M const& m) {
  constexpr int rank = sizeof...(E);
  if (!m.is_strided())
    raise<usage_error>(message("weft: from_mdspan: the layout has no strides; copy it first"));
  extents numbers;
  strides<rank> steps;
  if constexpr (rank > 0) // without axes an mdspan may have no stride() to ask
    for (int i = 0; i < rank; ++i) {
      numbers.push(static_cast<extent>(m.extent(rank_type_of<M>(i))));
      steps.d[i] = static_cast<extent>(m.stride(rank_type_of<M>(i)));
    }
  return borrow<E...>(static_cast<T const*>(m.data_handle()), numbers, steps);
}

template <class M> typename M::index_type index_in(extent number) {
  if (!std::in_range<typename M::index_type>(number))
    raise<usage_error>(message("weft: as_mdspan: ")
                           .add(number)
                           .add(" does not fit the mdspan's index_type; ask for a wider one"));
  return static_cast<typename M::index_type>(number);
}
// Strides above 0 also where none is taken, along axes of one element and in empty arrays.
inline extents steps_to_give(extents const& numbers, extents const& steps) {
  extents r = numbers;
  for (int i = 0; i < r.rank; ++i) r[i] = r[i] < 1 ? 1 : r[i];
  r = row_major_strides(r);
  if (count_of(numbers) == 0) return r;
  for (int i = 0; i < numbers.rank; ++i) {
    r[i] = numbers[i] == 1 ? 1 : steps[i];
    if (r[i] < 1)
      raise<usage_error>(message("weft: as_mdspan: axis ")
                             .add(i)
                             .add(" has stride ")
                             .add(r[i])
                             .add(", an mdspan's are above 0; copy the array first"));
  }
  return r;
}

template <class M, class T> M make_mdspan(T* data, extents const& numbers, extents const& steps) {
  using index = typename M::index_type;
  constexpr std::size_t rank = M::rank();
  using mapping = typename M::mapping_type;
  constexpr bool takes_strides =
      std::is_constructible_v<mapping, typename M::extents_type, std::array<index, rank>>;
  extents const given = takes_strides ? steps_to_give(numbers, steps) : steps;
  std::array<index, rank> n{}, step{};
  for (std::size_t i = 0; i < rank; ++i) {
    std::size_t const known = M::static_extent(rank_type_of<M>(static_cast<int>(i)));
    extent const own = numbers[static_cast<int>(i)];
    if (known != std::dynamic_extent && static_cast<extent>(known) != own)
      raise<shape_error>(message("weft: as_mdspan: the shape is ")
                             .add(numbers)
                             .add(", the mdspan has ")
                             .add(static_cast<extent>(known))
                             .add(" along axis ")
                             .add(static_cast<extent>(i)));
    n[i] = index_in<M>(own);
    if (takes_strides) step[i] = index_in<M>(given[static_cast<int>(i)]);
  }
  typename M::extents_type const all(n);
  if constexpr (takes_strides) return M(data, mapping(all, step));
  else {
    M const made(data, mapping(all));
    if constexpr (rank > 0)
      for (std::size_t i = 0; i < rank; ++i) {
        int const axis = static_cast<int>(i);
        if (count_of(numbers) > 0 && numbers[axis] > 1 &&
            static_cast<extent>(made.stride(rank_type_of<M>(axis))) != steps[axis])
          raise<usage_error>(
              message("weft: as_mdspan: the layout is not the array's; ask for an mdspan with "
                      "layout_stride"));
      }
    return made;
  }
}
template <class X> extents strides_of_array(X const& x) {
  extents r = row_major_strides(x.shape());
  if constexpr (requires { x.stride(0); })
    for (int i = 0; i < r.rank; ++i) r[i] = x.stride(i);
  return r;
}
template <class X>
concept viewable_array = requires(X const& x) {
  typename X::shape_type;
  x.data();
  x.shape();
};

} // namespace detail

// One extent for each axis: a number, which must be m's, or a name, which takes it. None of them
// where m has all of its extents in its type.
template <auto... E, mdspan_like M> auto from_mdspan(M const& m) {
  using T = std::remove_const_t<typename M::element_type>;
  if constexpr (sizeof...(E) > 0 || M::rank() == 0) {
    constexpr bool fits = detail::fits_mdspan<M>(shape<E...>::value);
    static_assert(fits, "weft: from_mdspan: the extents are not the mdspan's; write one for each "
                        "axis, the mdspan's number or a name");
    if constexpr (fits) return detail::borrow_mdspan<T, E...>(m);
    else return borrowed<T, E...>(nullptr, {}, {});
  } else {
    constexpr bool known = detail::knows_its_extents<M>();
    static_assert(known, "weft: from_mdspan: the mdspan has extents that only the run knows; write "
                         "one for each axis: from_mdspan<rows, 3>(m)");
    if constexpr (known)
      return [&]<std::size_t... I>(std::index_sequence<I...>) {
        return detail::borrow_mdspan<T, static_cast<int>(M::static_extent(I))...>(m);
      }(std::make_index_sequence<M::rank()>{});
  }
}

// An M of a tensor's elements, const ones, of a borrowed array's, or of a mutable view's.
template <mdspan_like M, detail::viewable_array X> M as_mdspan(X const& x WEFT_LIFETIME_BOUND) {
  static_assert(detail::fits_mdspan<M>(X::shape_type::value),
                "weft: as_mdspan: the mdspan's type has other extents than the array; give it the "
                "array's numbers, or std::dynamic_extent");
  if constexpr (detail::fits_mdspan<M>(X::shape_type::value))
    return detail::make_mdspan<M>(x.data(), x.shape(), detail::strides_of_array(x));
  else return M();
}
template <mdspan_like M, class T, auto... E> M as_mdspan(tensor<T, E...>&&) = delete;

#if defined(__cpp_lib_mdspan)
namespace detail {
constexpr std::size_t static_extent_of(extent e) {
  return is_named(e) ? std::dynamic_extent : static_cast<std::size_t>(e);
}
template <class T, class Layout, auto... E>
using mdspan_of =
    std::mdspan<T, std::extents<extent, static_extent_of(extent_value<E>())...>, Layout>;
} // namespace detail

template <class T, auto... E> auto as_mdspan(tensor<T, E...> const& x WEFT_LIFETIME_BOUND) {
  return as_mdspan<detail::mdspan_of<T const, std::layout_right, E...>>(x);
}
template <class T, auto... E> void as_mdspan(tensor<T, E...>&&) = delete;
template <class T, auto... E> auto as_mdspan(borrowed<T, E...> const& x) {
  return as_mdspan<detail::mdspan_of<T const, std::layout_stride, E...>>(x);
}
template <class T, auto... E> auto as_mdspan(mutable_view<T, E...> const& x WEFT_LIFETIME_BOUND) {
  return as_mdspan<detail::mdspan_of<T, std::layout_right, E...>>(x);
}
#endif

} // namespace weft::inline v0
