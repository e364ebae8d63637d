// SPDX-License-Identifier: BSL-1.0
// The text of a view, read and checked at compile time, for both doors: ":, 1:3, ::-1, new, $".
// Items, one per axis, separated by commas:
//   2 -1        an index: the axis goes                 start:stop:step   as in NumPy, ends clipped
//   $           an index that the run gives: int32, from the end when negative, then clamped
//   new         a new axis of extent 1                  ...               all axes in between
// Axes that are not mentioned are taken whole. A range of a named axis takes as many elements as it
// says (":3", "-3:": the run checks that they are there), or, where its end depends on the extent
// ("1:", ":-1", "::2"), the result takes the next of the names given; it is not clipped at the front
// or the end alone: "-3:2" is refused.
// Needs: shape_rules.hpp. Leaves: `view_plan`, what happens to each axis, in the order slice,
// reverse, dynamic slice, reshape; check_view<Spec, S, indices>() gives at most one error.
#pragma once

#include <weft/graph/attributes.hpp>
#include <weft/lang/shape_rules.hpp>

namespace weft::inline v0 {
namespace detail {

enum class view_kind : std::uint8_t { range, index, run_time, new_axis, ellipsis };

struct view_item {
  view_kind kind = view_kind::range;
  bool has_start = false, has_stop = false;
  extent start = 0, stop = 0, step = 1;

  constexpr bool whole() const { return !has_start && !has_stop && (step == 1 || step == -1); }
};

struct view_spec {
  static constexpr int capacity = 2 * max_rank;
  int count = 0;
  int error = -1; // position in the text
  view_item item[capacity]{};

  constexpr int count_of(view_kind k) const {
    int n = 0;
    for (int i = 0; i < count; ++i) n += item[i].kind == k;
    return n;
  }
  constexpr int run_time_indices() const { return count_of(view_kind::run_time); }
  constexpr bool has_ellipsis() const { return count_of(view_kind::ellipsis) > 0; }
  constexpr int axes() const {
    return count - count_of(view_kind::new_axis) - count_of(view_kind::ellipsis);
  }
};

class view_parser {
public:
  constexpr explicit view_parser(text t) : text_(t) {}

  constexpr view_spec parse() {
    view_spec r;
    blanks();
    if (at_ == text_.size()) return r;
    for (;;) {
      view_item item;
      if (!read(item) || r.count == view_spec::capacity ||
          (item.kind == view_kind::ellipsis && r.has_ellipsis()))
        return r.error = at_, r;
      r.item[r.count++] = item;
      blanks();
      if (at_ == text_.size()) return r;
      if (!take(',')) return r.error = at_, r;
      blanks();
    }
  }

private:
  constexpr bool read(view_item& item) {
    if (take('$')) item.kind = view_kind::run_time;
    else if (take_word("...")) item.kind = view_kind::ellipsis;
    else if (take_word("new")) item.kind = view_kind::new_axis;
    else return read_range(item);
    return true;
  }
  constexpr bool read_range(view_item& item) {
    item.has_start = number(item.start);
    blanks();
    if (!take(':')) {
      item.kind = view_kind::index;
      return item.has_start;
    }
    blanks();
    item.has_stop = number(item.stop);
    blanks();
    if (take(':')) {
      blanks();
      if (!number(item.step)) item.step = 1;
    }
    return item.step != 0;
  }
  constexpr bool number(extent& value) {
    bool negative = text_.peek(at_) == '-';
    int from = at_ + (negative ? 1 : 0), to = from;
    extent n = 0;
    for (; text_.peek(to) >= '0' && text_.peek(to) <= '9' && to - from < 12; ++to)
      n = 10 * n + (text_.peek(to) - '0');
    if (to == from) return false;
    at_ = to;
    value = negative ? -n : n;
    return true;
  }
  constexpr bool take(char c) { return text_.peek(at_) == c ? (++at_, true) : false; }
  constexpr bool take_word(char const (&word)[4]) {
    for (int i = 0; i < 3; ++i)
      if (text_.peek(at_ + i) != word[i]) return false;
    at_ += 3;
    return true;
  }
  constexpr void blanks() {
    while (text_.peek(at_) == ' ') ++at_;
  }

  text text_;
  int at_ = 0;
};

template <fixed_string Spec> inline constexpr view_spec view_of = view_parser(Spec).parse();

// One source axis: elements start, start + stride, ... below limit, then reversed, then dropped.
struct view_axis {
  extent start = 0, limit = 0, stride = 1;
  extent length = 0;     // after the slice; of a name: the name
  bool mirrored = false; // before the slice
  bool reversed = false; // after it
  bool windowed = false; // one element, at a place that the run knows
  bool dropped = false;
  int run_time = -1; // which of the run-time indices; -1: the index is `start`
};

struct view_plan {
  int rank = 0;
  view_axis axis[max_rank]{};
  extents result;         // at most max_rank, checked
  int too_many = 0;       // items beyond the axes
  int result_rank = 0;    // as asked for
  int source[max_rank]{}; // of each axis of the result: the axis it was, -1 if it is new
  int bad_axis = -1;      // its index is outside, or its range needs a number
  extent bad_index = 0;
  bool bad_range = false; // from the end to the front, or a name is missing
  int names = 0;          // how many of the given names are used
  bool lacks_name = false;

  // Shapes between the steps.
  constexpr extents sliced() const {
    extents r;
    for (int i = 0; i < rank; ++i) r.push(axis[i].length);
    return r;
  }
  constexpr extents window() const {
    extents r;
    for (int i = 0; i < rank; ++i) r.push(axis[i].windowed ? 1 : axis[i].length);
    return r;
  }
  constexpr extent reversed() const {
    extent set = 0;
    for (int i = 0; i < rank; ++i) set |= axis[i].reversed ? extent{1} << i : 0;
    return set;
  }
  constexpr extent mirrored() const {
    extent set = 0;
    for (int i = 0; i < rank; ++i) set |= axis[i].mirrored ? extent{1} << i : 0;
    return set;
  }
  // A part of a named axis, taken by a range. (An index is windowed.)
  constexpr bool partial(int i, extents const& whole) const {
    view_axis const& a = axis[i];
    return is_named(whole[i]) && !a.windowed &&
           (a.start != 0 || a.limit != whole[i] || a.stride != 1);
  }
  constexpr bool any_windowed() const {
    for (int i = 0; i < rank; ++i)
      if (axis[i].windowed) return true;
    return false;
  }
  constexpr bool strided() const {
    for (int i = 0; i < rank; ++i)
      if (axis[i].stride != 1) return true;
    return false;
  }
};

constexpr extent clip(extent x, extent low, extent high) {
  return x < low ? low : x > high ? high : x;
}
// NumPy's slice(start, stop, step).indices(n), as a positive slice and a reversal.
constexpr view_axis range_axis(view_item const& item, extent n) {
  view_axis a{.limit = n, .length = n};
  a.reversed = item.step < 0;
  if (item.whole()) return a;
  extent step = item.step < 0 ? -item.step : item.step;
  extent low = a.reversed ? -1 : 0, high = a.reversed ? n - 1 : n;
  extent start = item.has_start ? clip(item.start < 0 ? item.start + n : item.start, low, high)
                                : (a.reversed ? high : low);
  extent stop = item.has_stop ? clip(item.stop < 0 ? item.stop + n : item.stop, low, high)
                              : (a.reversed ? low : high);
  extent span = a.reversed ? start - stop : stop - start;
  a.length = span <= 0 ? 0 : (span + step - 1) / step;
  a.stride = a.length <= 1 ? 1 : step;
  extent first = a.length == 0 ? 0 : a.reversed ? start - (a.length - 1) * step : start;
  a.start = first;
  a.limit = a.length == 0 ? 0 : first + (a.length - 1) * a.stride + 1;
  return a;
}

// Part of a named axis. Places count from the front, or from the end when negative; backwards means
// forwards in the mirrored axis. False: from the end to the front, whose length nobody knows.
constexpr bool named_range(view_axis& a, view_item const& item, extent n, extent name) {
  bool const back = item.step < 0;
  extent const step = back ? -item.step : item.step;
  extent const start = item.has_start ? (back ? -item.start - 1 : item.start) : 0;
  extent const stop = !item.has_stop ? -1 : back ? -item.stop - 1 : item.stop;
  bool const to_end = !item.has_stop || stop < 0;
  extent const behind = !item.has_stop ? 0 : -stop; // where to_end
  if (start >= 0 && to_end) {
    a = {.start = start, .limit = behind == 0 ? n : before_end(behind), .stride = step};
    a.length = name;
    a.mirrored = back;
    return true;
  }
  if (start < 0 && !to_end) return false;
  // In the axis that is mirrored once more the last is the first.
  extent const count = elements_between(start, to_end ? -behind : stop, step);
  extent const last = (count - 1) * step;
  a.length = count;
  a.stride = count <= 1 ? 1 : step;
  a.mirrored = to_end != back;
  a.reversed = to_end;
  a.start = count == 0 ? 0 : to_end ? -start - 1 - last : start;
  a.limit = count == 0 ? 0 : a.start + last + 1;
  return true;
}
constexpr bool takes_a_name(view_item const& item) {
  view_axis a;
  return named_range(a, item, -1, -2) && is_named(a.length);
}
constexpr void plan_named_range(view_plan& p, view_item const& item, int axis, extent n,
                                view<extent> names) {
  bool const needs = takes_a_name(item), has = p.names < names.size();
  if (!named_range(p.axis[axis], item, n, needs && has ? names[p.names] : n) || (needs && !has)) {
    p.bad_axis = axis;
    p.bad_range = true;
    p.lacks_name = needs;
    p.axis[axis] = {.limit = n, .length = n};
  } else p.names += needs;
}

constexpr void plan_index(view_plan& p, view_item const& item, int axis, extent n) {
  view_axis& a = p.axis[axis];
  a = {.start = item.start, .limit = n, .length = n, .dropped = true};
  if (is_named(n)) {
    a.windowed = true;
    return;
  }
  if (item.start < -n || item.start >= n) {
    p.bad_axis = axis;
    p.bad_index = item.start;
    a = {.limit = 1, .length = 1, .dropped = true};
    return;
  }
  a.start = item.start < 0 ? item.start + n : item.start;
  a.limit = a.start + 1;
  a.length = 1;
}

constexpr view_plan plan_view(view_spec const& v, extents const& s, view<extent> names = {}) {
  view_plan p;
  p.rank = s.rank;
  int axis = 0, given = 0, wholes = s.rank - v.axes();
  if (wholes < 0) return p.too_many = -wholes, p;
  auto push = [&p](extent e, int from) {
    if (p.result_rank++ >= max_rank) return;
    p.source[p.result.rank] = from;
    p.result.push(e);
  };
  auto take_whole = [&](int count) {
    for (; count > 0; --count, ++axis) {
      p.axis[axis] = {.limit = s[axis], .length = s[axis]};
      push(s[axis], axis);
    }
  };
  for (int i = 0; i < v.count; ++i) {
    view_item const& item = v.item[i];
    if (item.kind == view_kind::new_axis) push(1, -1);
    else if (item.kind == view_kind::ellipsis) take_whole(wholes);
    else if (item.kind == view_kind::index) plan_index(p, item, axis, s[axis]), ++axis;
    else if (item.kind == view_kind::run_time) {
      p.axis[axis] = {.limit = s[axis],
                      .length = s[axis],
                      .windowed = true,
                      .dropped = true,
                      .run_time = given++};
      ++axis;
    } else {
      if (is_named(s[axis]) && !item.whole()) plan_named_range(p, item, axis, s[axis], names);
      else p.axis[axis] = range_axis(item, s[axis]);
      push(p.axis[axis].length, axis);
      ++axis;
    }
  }
  if (!v.has_ellipsis()) take_whole(wholes);
  return p;
}

// Names: one for each range that needs one.
template <fixed_string Spec, class S, auto... Names> consteval view_plan plan_with() {
  extent const names[] = {extent_value<Names>()..., 0};
  return plan_view(view_of<Spec>, S::value, {names, sizeof...(Names)});
}
template <fixed_string Spec, class S, auto... Names>
inline constexpr view_plan plan_of = plan_with<Spec, S, Names...>();

template <fixed_string Spec, int Position> concept readable_view = Position < 0;
template <fixed_string Spec, class S, int TooMany> concept axes_for_every_item = TooMany == 0;
template <fixed_string Spec, int Rank> concept at_most_8_axes = Rank <= max_rank;
template <fixed_string Spec, int Wanted, int Given> concept one_index_per_dollar = Wanted == Given;
// Axis is -1 where nothing is wrong. (Over a variable: compilers then print the numbers.)
template <int Axis, extent Index, class Extent> inline constexpr bool has_index = Axis < 0;
template <int Axis, extent Index, class Extent>
concept index_in_range = has_index<Axis, Index, Extent>;
template <int Axis, class Extent> inline constexpr bool has_number = Axis < 0;
template <int Axis, class Extent> concept range_of_a_number = has_number<Axis, Extent>;
template <int Wanted, int Given> concept one_name_per_range = Wanted == Given;

// At most one error; false after it.
template <fixed_string Spec, class S, int Given, auto... Names> consteval bool check_view() {
  constexpr int unreadable = view_of<Spec>.error, named = static_cast<int>(sizeof...(Names));
  constexpr view_plan p = unreadable < 0 ? plan_of<Spec, S, Names...> : view_plan{};
  constexpr int dollars = unreadable < 0 ? view_of<Spec>.run_time_indices() : Given;
  constexpr int axis = p.bad_axis;
  using length = shape_of_value<extents{1, {axis < 0 ? 0 : S::value[axis < 0 ? 0 : axis]}}>;
  static_assert(readable_view<Spec, unreadable>,
                "weft: view: cannot read this; write \":, 1:3, ::-1, new, $, ...\"");
  static_assert(axes_for_every_item<Spec, S, p.too_many>,
                "weft: view: more items than the array has axes");
  static_assert(at_most_8_axes<Spec, p.result_rank>, "weft: view: an array has at most 8 axes");
  static_assert(one_index_per_dollar<Spec, dollars, Given>,
                "weft: view: every $ needs one run-time index");
  if constexpr (p.lacks_name)
    static_assert(range_of_a_number<axis, length>,
                  "weft: view: the length of this range depends on a named extent; name it, "
                  "write at<\"1:\", rest>(x)");
  else if constexpr (p.bad_range)
    static_assert(
        range_of_a_number<axis, length>,
        "weft: view: a range from the end to the front of a named extent; write two views");
  else
    static_assert(index_in_range<axis, p.bad_index, length>,
                  "weft: view: the index is outside of its axis");
  constexpr int wanted = axis < 0 && unreadable < 0 ? p.names : named;
  static_assert(one_name_per_range<wanted, named>,
                "weft: view: more names than ranges whose length a named extent decides");
  return unreadable < 0 && p.too_many == 0 && p.result_rank <= max_rank && dollars == Given &&
         axis < 0 && wanted == named;
}

} // namespace detail
} // namespace weft::inline v0
