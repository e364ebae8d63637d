// SPDX-License-Identifier: BSL-1.0
// Maps both ways, without a copy.
//   auto m = as_eigen(x);                        // reads: a tensor, a borrowed array
//   { auto w = y.mutate(); as_eigen(w).noalias() = m * m.transpose(); }   // writes
//   auto b = from_eigen(matrix);                 // borrowed<double, 3, 4>: static sizes
//   auto c = from_eigen<rows, 4>(matrix);        // sizes that the run knows get names
// An array of rank 2 is a matrix, row-major; of rank 1 a column vector; extents that are numbers up
// to 64 are static sizes (Eigen puts operands of static products on the stack). Borrowed arrays map
// with their strides, whatever these are. Types are Eigen's: float, double, bool, integers.
// Needs: Eigen 3.4. What is mapped outlives the map, and an array is not assigned meanwhile.
// Leaves: nothing copied, nothing allocated.
// Errors: an array of another rank; bf16 and f16; a matrix expression, which has no memory; sizes
// that are not the extents (shape_error).
#pragma once

#include <weft/array/borrowed.hpp>
#include <weft/array/tensor.hpp>
#include <weft/core/half.hpp>

#include <Eigen/Core>

namespace weft::inline v0 {
namespace detail {

// An extent as a size of Eigen's. A product whose sizes are all static copies its operands to the
// stack, which ends a program where they are large.
constexpr int eigen_size(extent e) {
  return is_named(e) || e > 64 ? Eigen::Dynamic : static_cast<int>(e);
}

template <class T, class Shape> struct eigen_matrix;
template <class T, class Shape>
  requires(Shape::rank == 1)
struct eigen_matrix<T, Shape> {
  using type = Eigen::Matrix<T, eigen_size(Shape::value[0]), 1>;
};
// (A column of Eigen's is column-major, which for one column is the same.)
template <class T, class Shape>
  requires(Shape::rank == 2)
struct eigen_matrix<T, Shape> {
  static constexpr int rows = eigen_size(Shape::value[0]), columns = eigen_size(Shape::value[1]);
  using type = Eigen::Matrix<T, rows, columns,
                             columns == 1 && rows != 1 ? Eigen::ColMajor : Eigen::RowMajor>;
};

template <class X>
concept mapped_array = requires(X const& x) {
  typename X::element_type;
  typename X::shape_type;
  x.data();
  x.shape();
};
template <class X>
concept is_vector_or_matrix = X::shape_type::rank == 1 || X::shape_type::rank == 2;
template <class X>
concept has_type_of_eigens = !std::is_same_v<typename X::element_type, bf16> &&
                             !std::is_same_v<typename X::element_type, f16>;
template <class X> consteval bool check_mapped_array() {
  constexpr bool ranked = is_vector_or_matrix<X>;
  static_assert(ranked, "weft: as_eigen: the array is no vector and no matrix; map parts of rank 1 "
                        "or 2");
  constexpr bool typed = has_type_of_eigens<X>;
  static_assert(typed,
                "weft: as_eigen: Eigen does not compute with bf16 or f16 as weft does; write "
                "convert<float>(x)");
  return ranked && typed;
}

template <class Data, class X> auto eigen_map(Data data, X const& x) {
  using M = typename eigen_matrix<typename X::element_type, typename X::shape_type>::type;
  using mapped = std::conditional_t<std::is_const_v<std::remove_pointer_t<Data>>, M const, M>;
  extents const s = x.shape();
  if constexpr (requires { x.stride(0); }) { // borrowed
    if constexpr (X::rank == 1)
      return Eigen::Map<mapped, 0, Eigen::InnerStride<Eigen::Dynamic>>(
          data, s[0], 1, Eigen::InnerStride<Eigen::Dynamic>(x.stride(0)));
    else {
      using steps = Eigen::Stride<Eigen::Dynamic, Eigen::Dynamic>;
      steps const by = M::IsRowMajor ? steps(x.stride(0), x.stride(1))
                                     : steps(x.stride(1), x.stride(0));
      return Eigen::Map<mapped, 0, steps>(data, s[0], s[1], by);
    }
  } else return Eigen::Map<mapped>(data, s[0], X::rank == 1 ? 1 : s[1]);
}

// A matrix of Eigen's whose elements lie in memory: Matrix, Map, Ref, a block of one.
template <class M>
concept has_memory = (Eigen::internal::traits<M>::Flags & Eigen::DirectAccessBit) != 0;
template <class M> concept is_one_vector = M::ColsAtCompileTime == 1 || M::RowsAtCompileTime == 1;

template <class M, auto... E> struct borrowed_from {
  using type = borrowed<typename M::Scalar, E...>;
};
template <class M> struct borrowed_from<M> {
  static constexpr int rows = M::RowsAtCompileTime, columns = M::ColsAtCompileTime;
  static constexpr bool has_sizes = rows != Eigen::Dynamic && columns != Eigen::Dynamic;
  static constexpr auto make() {
    if constexpr (!has_sizes) return std::type_identity<borrowed<typename M::Scalar>>{};
    else if constexpr (columns == 1)
      return std::type_identity<borrowed<typename M::Scalar, rows>>{};
    else return std::type_identity<borrowed<typename M::Scalar, rows, columns>>{};
  }
  using type = typename decltype(make())::type;
};
template <class M, auto... E>
concept sizes_are_named = sizeof...(E) > 0 || borrowed_from<M>::has_sizes;
template <class M, auto... E>
concept fits_vector_or_matrix = sizeof...(E) == 0 || sizeof...(E) == 2 ||
                                (sizeof...(E) == 1 && is_one_vector<M>);

template <auto... E, class M> auto borrow_matrix(M const& m) {
  using B = typename borrowed_from<M, E...>::type;
  extent const by_row = M::IsRowMajor ? m.outerStride() : m.innerStride();
  extent const by_column = M::IsRowMajor ? m.innerStride() : m.outerStride();
  return [&]<class T, auto... F>(std::type_identity<borrowed<T, F...>>) {
    if constexpr (sizeof...(F) == 1)
      return borrow<F...>(m.data(), extents{1, {m.size()}},
                          strides{M::ColsAtCompileTime == 1 ? by_row : by_column});
    else
      return borrow<F...>(m.data(), extents{2, {m.rows(), m.cols()}}, strides{by_row, by_column});
  }(std::type_identity<B>{});
}

} // namespace detail

// A map that reads a tensor or a borrowed array.
template <class T, auto... E> auto as_eigen(tensor<T, E...> const& x WEFT_LIFETIME_BOUND) {
  if constexpr (detail::check_mapped_array<tensor<T, E...>>())
    return detail::eigen_map(x.data(), x);
}
template <class T, auto... E> auto as_eigen(borrowed<T, E...> const& x) {
  if constexpr (detail::check_mapped_array<borrowed<T, E...>>())
    return detail::eigen_map(x.data(), x);
}
template <class T, auto... E> void as_eigen(tensor<T, E...> const&&) = delete; // it would dangle
// A map that writes: of t.mutate(), of a result in a host function (lang/custom_call.hpp).
template <detail::mapped_array X>
  requires std::is_pointer_v<decltype(std::declval<X const&>().data())> &&
           (!std::is_const_v<std::remove_pointer_t<decltype(std::declval<X const&>().data())>>)
auto as_eigen(X const& x WEFT_LIFETIME_BOUND) {
  if constexpr (detail::check_mapped_array<X>()) return detail::eigen_map(x.data(), x);
}

// The elements of a matrix or a vector, in place, with its strides. Extents E: needed where a size
// is none that the type knows; one for a vector, two for a matrix.
template <auto... E, class M>
auto from_eigen(Eigen::DenseBase<M> const& matrix WEFT_LIFETIME_BOUND) {
  constexpr bool there = detail::has_memory<M>;
  static_assert(there,
                "weft: from_eigen: an expression has no elements yet; write .eval() and keep "
                "what it gives");
  constexpr bool named = detail::sizes_are_named<M, E...>;
  static_assert(named, "weft: from_eigen: only the run knows a size; write from_eigen<rows, "
                       "columns>(m), a number or a name per axis");
  constexpr bool ranked = detail::fits_vector_or_matrix<M, E...>;
  static_assert(ranked, "weft: from_eigen: a matrix has two axes, a vector one or two");
  if constexpr (there && named && ranked) return detail::borrow_matrix<E...>(matrix.derived());
}
template <auto... E, class M> void from_eigen(Eigen::PlainObjectBase<M> const&&) = delete;

} // namespace weft::inline v0
