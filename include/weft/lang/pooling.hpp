// SPDX-License-Identifier: BSL-1.0
// Windows that slide over an array, and what becomes of each, at both doors. Spatial axes are
// numbers; all others may have names.
//   max_pool<"NHWC", pool_options{.size = 2}>(x)             min_pool sum_pool avg_pool
//   sliding_window<axis_list(0), window_options{.size = 5}>(x)      any reduction may follow
//   overlap_add<axis_list(0), window_options{.strides = 2}>(frames)
// Needs: both_doors.hpp, pooling_rules.hpp. Leaves: views (graph/window_list.hpp) that the reduction
// reads through; windows that tile their axes are a reshape, whose derivative adds nothing up. What
// pads an array copies it. The derivative of max_pool is that of max: equal parts among equals.
#pragma once

#include <weft/graph/reduce_windows.hpp>
#include <weft/lang/both_doors.hpp>
#include <weft/lang/full_precision.hpp>
#include <weft/lang/pooling_rules.hpp>
#include <weft/lang/product_rules.hpp>
#include <weft/lang/reductions.hpp>

namespace weft::inline v0 {
namespace detail {

// 16-bit floats are rounded once, however many steps there are.
constexpr handle sum_of_pool(handle x, pool_plan const& p) {
  dtype const type = x.type();
  bool const steps = x.shape().rank + p.count > max_rank;
  handle const wide = steps ? convert(x, accumulator_of(type)) : x;
  return convert(reduce_pool(op::reduce_sum, wide, p), type);
}
// How many elements of each window are no padding, as an array of `type`.
constexpr handle count_of_pool(recorder& r, extents const& s, dtype type, pool_plan const& p) {
  extents spatial = s;
  for (int i = 0; i < s.rank; ++i) spatial[i] = 1;
  for (pool_axis const& a : view<pool_axis>(p.at, p.count)) spatial[a.axis] = s[a.axis];
  return reduce_pool(op::reduce_sum, constant(r, 1, type, spatial), p);
}
constexpr handle mean_of_pool(handle x, pool_plan const& p, bool count_padding) {
  dtype const wide = accumulator_of(x.type());
  handle const total = reduce_pool(op::reduce_sum, convert(x, wide), p);
  extent size = 1;
  bool padded = false;
  for (pool_axis const& a : view<pool_axis>(p.at, p.count)) {
    size *= a.size;
    padded = padded || a.padding.low > 0 || a.padding.high > 0;
  }
  recorder& r = *total.where;
  handle const n = padded && !count_padding ? count_of_pool(r, x.shape(), wide, p)
                                            : constant(r, static_cast<double>(size), wide, {});
  return convert(total / broadcast_to(n, p.result), x.type());
}

template <op Reduction, fixed_string Layout, pool_options O> struct pool_call : plain_call {
  template <class X> constexpr auto operator()(X const& x) const {
    using T = typename X::element_type;
    using S = typename X::shape_type;
    if constexpr (check_op<Reduction, T>() && check_pool<S, Layout, O>()) {
      constexpr pool_plan p = plan_of_pool(Layout, O, S::value);
      if constexpr (Reduction == op::reduce_sum)
        return traced_of<T, p.result>{sum_of_pool(x.value, p)};
      else return traced_of<T, p.result>{reduce_pool(Reduction, x.value, p)};
    } else return x;
  }
};
template <fixed_string Layout, pool_options O> struct avg_pool_call : plain_call {
  template <class X> constexpr auto operator()(X const& x) const {
    using T = typename X::element_type;
    using S = typename X::shape_type;
    static_assert(floating<T>, "weft: avg_pool: not a float; write convert<float>(x)");
    if constexpr (!floating<T>) return x;
    else if constexpr (check_pool<S, Layout, O>()) {
      constexpr pool_plan p = plan_of_pool(Layout, O, S::value);
      full_precision const here(x);
      return traced_of<T, p.result>{mean_of_pool(x.value, p, O.count_padding)};
    } else return x;
  }
};

// The axes of a list, counted from 0.
constexpr extents plain_list(axis_list const& axes, int rank) {
  extents r;
  for (int i = 0; i < axes.count; ++i) r.push(plain_axis(axes.axis[i], rank));
  return r;
}
template <class S, axis_list Axes> consteval bool check_axis_list() {
  return []<int... I>(std::integer_sequence<int, I...>) {
    return check_axes<S, Axes.axis[I]...>();
  }(std::make_integer_sequence<int, Axes.count>{});
}
template <axis_list Axes, window_options O> struct sliding_window_call : plain_call {
  template <class X> constexpr auto operator()(X const& x) const {
    using S = typename X::shape_type;
    if constexpr (!check_axis_list<S, Axes>()) return x;
    else {
      constexpr window_plan p = plan_of_sliding(S::value, plain_list(Axes, S::rank), O);
      static_assert(p.numbers,
                    "weft: sliding_window: 1 to 4 axes; one number for all, or one each");
      static_assert(!p.numbers || !p.named,
                    "weft: sliding_window: windows run along numbers; this axis has a name");
      static_assert(!p.numbers || p.named || p.positive,
                    "weft: sliding_window: sizes, strides and dilations are at least 1");
      static_assert(!p.numbers || p.named || !p.positive || p.fits,
                    "weft: sliding_window: the array and its windows have more than 8 axes");
      if constexpr (p.sound())
        return traced_of<typename X::element_type, p.result>{window(x.value, p.attributes())};
      else return x;
    }
  }
};
template <axis_list Axes, window_options O> struct overlap_add_call : plain_call {
  template <class X> constexpr auto operator()(X const& x) const {
    using T = typename X::element_type;
    using S = typename X::shape_type;
    if constexpr (!check_op<op::overlap_add, T>() || !check_axis_list<S, Axes>()) return x;
    else {
      constexpr window_plan p = plan_of_overlap(S::value, plain_list(Axes, S::rank), O);
      static_assert(p.numbers, "weft: overlap_add: 1 to 4 axes; one number for all, or one each");
      static_assert(!p.numbers || p.fits,
                    "weft: overlap_add: the last axes are not the windows' sizes, in order");
      static_assert(!p.numbers || !p.fits || !p.named,
                    "weft: overlap_add: windows run along numbers; this axis has a name");
      static_assert(!p.numbers || !p.fits || p.named || p.positive,
                    "weft: overlap_add: sizes, strides and dilations are at least 1");
      if constexpr (p.sound())
        return traced_of<T, p.result>{weft::overlap_add(x.value, p.result, p.attributes())};
      else return x;
    }
  }
};

} // namespace detail

// The largest element of each window; NaN wins; padding is the lowest value.
// max_pool<"NHWC", pool_options{.size = 2}>(x) of (8, 28, 28, 3) is (8, 14, 14, 3).
template <fixed_string Layout, pool_options O = pool_options{}, any_array X>
constexpr auto max_pool(X const& x) {
  return detail::now_at_door<detail::pool_call<op::reduce_max, Layout, O>>(x);
}
// The smallest; padding is the highest value.
template <fixed_string Layout, pool_options O = pool_options{}, any_array X>
constexpr auto min_pool(X const& x) {
  return detail::now_at_door<detail::pool_call<op::reduce_min, Layout, O>>(x);
}
// Sums, in the canonical order of a reduction over the window's axes; padding is 0.
template <fixed_string Layout, pool_options O = pool_options{}, any_array X>
constexpr auto sum_pool(X const& x) {
  return detail::now_at_door<detail::pool_call<op::reduce_sum, Layout, O>>(x);
}
// Means, by one division, in the accumulation type; padding is 0 and counts, as in PyTorch and Flax,
// unless .count_padding = false (of padding alone: NaN).
template <fixed_string Layout, pool_options O = pool_options{}, any_array X>
constexpr auto avg_pool(X const& x) {
  return detail::now_at_door<detail::avg_pool_call<Layout, O>>(x);
}

// NumPy's sliding_window_view, with strides and dilation: each of the axes becomes the number of
// places, and the windows' own axes stand behind all others.
// sliding_window<axis_list(0), window_options{.size = 3}>(x) of (10) is (8, 3).
template <axis_list Axes, window_options O, any_array X> constexpr auto sliding_window(X const& x) {
  return detail::now_at_door<detail::sliding_window_call<Axes, O>>(x);
}
// Its adjoint: windows are added up where they stood; the last axes are theirs, in the order of Axes.
// overlap_add<axis_list(0), window_options{.strides = 2}>(frames) of (8, 4) is (18).
template <axis_list Axes, window_options O, any_array X> constexpr auto overlap_add(X const& x) {
  return detail::now_at_door<detail::overlap_add_call<Axes, O>>(x);
}

} // namespace weft::inline v0
