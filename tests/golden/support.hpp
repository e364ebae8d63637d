// SPDX-License-Identifier: BSL-1.0
// What table.py writes and the public functions do not have: raw generator blocks, words of a key,
// operands of associative scans, a scan of layers, and whether the checkers behind the static_asserts of the doors
// refuse a text or shapes.
#pragma once

#include "golden/case.hpp"

#include <weft/weft.hpp>

#include <cstring>
#include <functional>

namespace golden {

// Row i: threefry2x32 of key i at counter i.
template <class Keys, class Counters>
constexpr auto threefry_blocks(Keys const& keys, Counters const& counters) {
  using namespace weft;
  recorder& r = *keys.value.where;
  handle words[] = {at<":, 0">(keys).value, at<":, 1">(keys).value, at<":, 0">(counters).value,
                    at<":, 1">(counters).value};
  extents const s = words[0].shape();
  handle h = r.emit(op::threefry2x32, dtype::u32, s, {words, 4});
  extents const column{2, {s[0], 1}};
  handle both[] = {reshape(get(h, 0, dtype::u32, s), column),
                   reshape(get(h, 1, dtype::u32, s), column)};
  return Keys{concat({both, 2}, 1)};
}

inline arrays words_of(weft::key const& k) {
  array a{"u32", {2}, std::vector<std::byte>(8)};
  std::memcpy(a.bytes.data(), &k.high, 4);
  std::memcpy(a.bytes.data() + 4, &k.low, 4);
  return {a};
}

// ---- what associative scans combine: elements of whole arrays, two structures at a time

template <class A> constexpr A second(A const&, A const& b) { return b; }

// (m, c): apply a, then b.
template <class A> constexpr auto affine(A const& a, A const& b) {
  auto [m, c] = b;
  return std::tuple(std::get<0>(a) * m, std::get<1>(a) * m + c);
}
// (flag, v): where b's flag starts a segment its v, else the sum.
template <class A> constexpr auto segment(A const& a, A const& b) {
  auto [flag, v] = b;
  return std::tuple(std::get<0>(a) | flag, where(flag, v, std::get<1>(a) + v));
}
// a @ b over the last two axes.
template <class A> constexpr auto matrix_product(A const& a, A const& b) {
  using namespace weft;
  if constexpr (rank_of<A> == 2) return einsum<"ij,jk->ik">(a, b);
  else if constexpr (rank_of<A> == 3) return einsum<"aij,ajk->aik">(a, b);
  else if constexpr (rank_of<A> == 4) return einsum<"abij,abjk->abik">(a, b);
  else return einsum<"...ij,...jk->...ik">(a, b);
}

// y less `off` in its first elements, row-major.
template <class Y, std::size_t N>
constexpr auto less_first_elements(Y const& y, double const (&off)[N]) {
  using namespace weft;
  using T = typename Y::element_type;
  auto flat = ravel(y);
  constexpr int count = static_cast<int>(count_of(Y::shape_type::value));
  for (int i = 0; i < static_cast<int>(N); ++i)
    flat = where(arange<int, count>() == i, flat - static_cast<T>(off[i]), flat);
  return weft::detail::reshape_as(typename Y::shape_type{}, flat);
}

// h = layer(h, w, b) over stacks of w and b, a scan whose carry is a T.
template <class T, class X, class W, class B, class Layer>
constexpr auto layers(X const& x, W const& w, B const& b, Layer const& layer) {
  using namespace weft;
  return scan(
             [&layer](auto h, auto p) {
               return std::pair(layer(convert<float>(h), p.first, p.second), none);
             },
             convert<T>(x), std::pair(w, b))
      .first;
}

// ---- "" where it is refused

inline std::string refuses_view(std::string const& spec, weft::extents const& shape) {
  weft::detail::view_spec const v =
      weft::detail::view_parser({spec.data(), static_cast<int>(spec.size())}).parse();
  if (v.error >= 0) return "";
  weft::detail::view_plan const p = weft::detail::plan_view(v, shape);
  return p.too_many > 0 || p.bad_axis >= 0 ? "" : "the view is accepted";
}
inline std::string refuses_einsum(std::string const& spec,
                                  std::vector<weft::extents> const& shapes) {
  weft::einsum_fault const f = weft::einsum_check({spec.data(), static_cast<int>(spec.size())},
                                                  {shapes.data(), static_cast<int>(shapes.size())});
  return f.code != weft::einsum_error::sound ? "" : "the einsum is accepted";
}
inline std::string refuses_broadcast(std::vector<weft::extents> const& shapes) {
  weft::extents joined = shapes[0];
  for (weft::extents const& s : shapes) {
    weft::detail::broadcast_result const b = weft::detail::broadcast_of(joined, s);
    if (!b.ok) return "";
    joined = b.shape;
  }
  return "the shapes broadcast";
}

} // namespace golden
