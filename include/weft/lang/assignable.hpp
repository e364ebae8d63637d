// SPDX-License-Identifier: BSL-1.0
// Views that are assigned to in place, of a mutable_view (view_spec.hpp has the notation):
//   auto m = a.mutate();
//   at<"1:, ::2">(m) = exp(x);   at<"$">(m, i) += 1;   m.at<"::-1">() = at<"0">(m);
// Needs: the mutable_view alive. Leaves: the value is computed before the first element is written,
// so it may read what it overwrites; it broadcasts to the view; run-time indices count from the end
// when negative, then clamp. data() and stride() serve foreign kernels.
// Errors: shape_error where the value's extents, known to the run only, do not fit.
#pragma once

#include <weft/lang/expression_elementwise.hpp>
#include <weft/lang/view_spec.hpp>

namespace weft::inline v0 {

template <class T, class Shape> class assignable_view;

namespace detail {

// Elements somewhere: the first one's offset, extents that are numbers, strides in elements.
struct placement {
  extent offset = 0;
  extents shape, strides;
};
[[noreturn]] WEFT_NOINLINE inline void raise_empty_axis(int axis) {
  raise<index_error>(
      message("weft: take, at, set or pad: the axis has no element to take: axis ").add(axis));
}
constexpr extent clamped_index(extent i, extent n, int axis) {
  if (n == 0) raise_empty_axis(axis);
  return clip(i < 0 ? i + n : i, 0, n - 1);
}
// The plan's view of elements that lie as `whole` says.
constexpr placement place_view(view_plan const& p, placement const& whole, view<extent> indices) {
  placement r{.offset = whole.offset, .shape = {}, .strides = {}};
  extents lengths = whole.shape, steps = whole.strides;
  for (int i = 0; i < p.rank; ++i) {
    view_axis const& a = p.axis[i];
    extent const n = whole.shape[i];
    extent first = a.start, step = a.stride;
    if (a.windowed)
      first = clamped_index(a.run_time >= 0 ? indices[a.run_time] : a.start, whole.shape[i], i);
    else {
      if (!is_named(a.limit) && a.limit > n) raise_range(n, a.limit);
      lengths[i] = elements_between(a.start, limit_of(a.limit, n), step);
    }
    if (a.mirrored) first = n - 1 - first, step = -step;
    if (a.reversed && lengths[i] > 0) first += (lengths[i] - 1) * step, step = -step;
    r.offset += lengths[i] > 0 ? first * whole.strides[i] : 0;
    steps[i] = whole.strides[i] * step;
  }
  for (int k = 0; k < p.result.rank; ++k) {
    r.shape.push(p.source[k] < 0 ? 1 : lengths[p.source[k]]);
    r.strides.push(p.source[k] < 0 ? 0 : steps[p.source[k]]);
  }
  return r;
}

[[noreturn]] WEFT_NOINLINE inline void raise_assignment(extents const& value, extents const& view) {
  raise<shape_error>(message("weft: set: the value does not broadcast to the view: ")
                         .add(value)
                         .add(" to ")
                         .add(view));
}
// Strides that repeat a row-major value of shape `from` over `to`.
constexpr extents repeating_strides(extents const& from, extents const& to) {
  extents const own = row_major_strides(from);
  extents r = to;
  int const lead = to.rank - from.rank;
  for (int i = 0; i < to.rank; ++i) {
    bool const repeated = i < lead || (from[i - lead] == 1 && to[i] != 1);
    if (!repeated && from[i - lead] != to[i]) raise_assignment(from, to);
    r[i] = repeated ? 0 : own[i - lead];
  }
  return r;
}
// to[i] = from[i] for every index of the shape.
template <class T>
constexpr void copy_places(extents const& shape, T* to, extents const& to_strides, T const* from,
                           extents const& from_strides, int axis = 0) {
  if (axis == shape.rank) *to = *from;
  else
    for (extent i = 0; i < shape[axis]; ++i)
      copy_places(shape, to + i * to_strides[axis], to_strides, from + i * from_strides[axis],
                  from_strides, axis + 1);
}

template <class X> inline constexpr bool is_assignable = false;
template <class T, class S> inline constexpr bool is_assignable<assignable_view<T, S>> = true;
template <class I>
inline constexpr bool is_place_index = std::is_integral_v<I> && !std::is_same_v<I, bool>;

} // namespace detail

template <class T, class Shape> class [[nodiscard]] assignable_view {
public:
  using element_type = T;
  using shape_type = Shape;
  static constexpr int rank = Shape::rank;

  constexpr assignable_view(T* base, detail::placement const& where) : base_(base), at_(where) {}
  assignable_view(assignable_view const&) = default;

  // A number, a tensor, an expression, or another view.
  template <immediate_operand Y> constexpr assignable_view const& operator=(Y const& y) const {
    using from = detail::shape_of_operand<Y>;
    static_assert(detail::broadcasts_to<from, Shape>,
                  "weft: set: the value does not broadcast to the view");
    if constexpr (detail::broadcasts_to<from, Shape> && detail::check_elements<T, Y>()) {
      if constexpr (number_literal<Y>) store(tensor<T>(detail::filled_with<T>(y)));
      else store(eval(y));
    }
    return *this;
  }
  template <class S>
  constexpr assignable_view const& operator=(assignable_view<T, S> const& y) const {
    return *this = y.value();
  }
  // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): y.value() is a copy
  constexpr assignable_view const& operator=(assignable_view const& y) const {
    return *this = y.value();
  }
  template <class Y> constexpr assignable_view const& operator+=(Y const& y) const {
    return *this = value() + y;
  }
  template <class Y> constexpr assignable_view const& operator-=(Y const& y) const {
    return *this = value() - y;
  }
  template <class Y> constexpr assignable_view const& operator*=(Y const& y) const {
    return *this = value() * y;
  }
  template <class Y> constexpr assignable_view const& operator/=(Y const& y) const {
    return *this = value() / y;
  }

  // The elements now, as a tensor of their own.
  constexpr auto value() const {
    auto copy = array_of<tensor, T, Shape::value>::uninitialised(at_.shape);
    if (copy.size() > 0)
      detail::copy_places(at_.shape, detail::writable(copy), row_major_strides(at_.shape),
                          static_cast<T const*>(data()), at_.strides);
    return copy;
  }
  template <class... I> constexpr T& operator()(I... i) const {
    static_assert(sizeof...(I) == rank, "weft: an element needs one index per axis");
    weft::extent place = at_.offset;
    [[maybe_unused]] int axis = 0;
    bool inside = true;
    ((inside = inside && i >= 0 && static_cast<weft::extent>(i) < at_.shape[axis],
      place += static_cast<weft::extent>(i) * at_.strides[axis++]),
     ...);
    if (!inside) detail::raise_index(extents{rank, {static_cast<weft::extent>(i)...}}, at_.shape);
    return base_[place];
  }

  // The element at (0, ..., 0), and the distance between neighbours in elements.
  constexpr T* data() const { return base_ + at_.offset; }
  constexpr weft::extent stride(int axis) const { return at_.strides[plain_axis(axis, rank)]; }
  constexpr weft::extent extent(int axis) const { return at_.shape[plain_axis(axis, rank)]; }
  constexpr weft::extent size() const { return count_of(at_.shape); }
  constexpr extents shape() const { return at_.shape; }
  constexpr detail::placement const& placed() const { return at_; }

private:
  template <class Tensor> constexpr void store(Tensor const& y) const {
    extents const from = detail::repeating_strides(y.shape(), at_.shape);
    if (size() > 0) detail::copy_places(at_.shape, data(), at_.strides, y.data(), from);
  }

  T* base_;
  detail::placement at_;
};

namespace detail {
// Needs: check_view. (Doors check, for short errors.)
template <fixed_string Spec, class S, auto... Names, class T, class... I>
constexpr auto assignable_part(T* base, placement const& whole, I... i) {
  constexpr view_plan p = plan_of<Spec, S, Names...>;
  extent const indices[] = {static_cast<extent>(i)..., 0};
  return assignable_view<T, shape_of_value<p.result>>(
      base, place_view(p, whole, {indices, sizeof...(I)}));
}
template <class T, auto... E> constexpr placement whole_of(mutable_view<T, E...> const& m) {
  return {.offset = 0, .shape = m.shape(), .strides = row_major_strides(m.shape())};
}
} // namespace detail

// The view of a mutable_view; in place of each $ stands an int.
template <fixed_string Spec, auto... Names, class T, auto... E, class... I>
constexpr auto at(mutable_view<T, E...> const& m WEFT_LIFETIME_BOUND, I... i) {
  using S = shape<E...>;
  constexpr bool indices = (detail::is_place_index<I> && ...);
  static_assert(indices, "weft: view: a run-time index is one int");
  if constexpr (detail::check_view<Spec, S, static_cast<int>(sizeof...(I)), Names...>() && indices)
    return detail::assignable_part<Spec, S, Names...>(m.data(), detail::whole_of(m), i...);
  else return assignable_view<T, S>(m.data(), detail::whole_of(m));
}
// A view of a view.
template <fixed_string Spec, auto... Names, class T, class S, class... I>
constexpr auto at(assignable_view<T, S> const& v, I... i) {
  constexpr bool indices = (detail::is_place_index<I> && ...);
  static_assert(indices, "weft: view: a run-time index is one int");
  if constexpr (detail::check_view<Spec, S, static_cast<int>(sizeof...(I)), Names...>() && indices)
    return detail::assignable_part<Spec, S, Names...>(v.data() - v.placed().offset, v.placed(),
                                                      i...);
  else return v;
}
// What mutable_view::at calls.
template <fixed_string Spec, auto... Names, class T, auto... E, class... I>
constexpr auto view_in_place(mutable_view<T, E...> const& m WEFT_LIFETIME_BOUND, I... i) {
  return weft::at<Spec, Names...>(m, i...);
}

} // namespace weft::inline v0
