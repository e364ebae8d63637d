// SPDX-License-Identifier: BSL-1.0
// The attributes of an operation as numbers, lists and words, with a failure where the text has
// another kind or numbers that no axis, window or index has.
// Needs: import_state.hpp. Leaves: numbers within 2^31, so that their sums and products with extents
// fit 64 bits.
#pragma once

#include <weft/stablehlo/import_state.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

inline constexpr int most_imported_numbers = 4096; // numbers in one attribute

constexpr void fail_attribute(importing& c, operation const& o, char const* name,
                              char const* what) {
  c.fail(o, message(name).add(" ").add(what));
}
// A word of a list as a number: signed types are extended.
constexpr extent number_of_word(word w, dtype type) {
  if (!is_signed(type) || is_wide(type)) return static_cast<extent>(w);
  int const unused = 64 - 8 * size_of(type);
  return static_cast<extent>(w << unused) >> unused;
}
constexpr bool is_modest(extent n) { return weft::detail::is_within(n, weft::detail::most_extent); }

// The numbers of attribute a; of what `o` is, for the failure.
constexpr growing<extent> numbers_in(importing& c, operation const& o, attribute const& a,
                                     char const* name) {
  growing<extent> list;
  if (a.kind == attribute_kind::numbers) {
    value_type const& t = c.m.types[a.type];
    extent const count = is_static(t.shape) ? weft::detail::elements_of(t.shape) : -1;
    bool const empty = is_static(t.shape) && count_of(t.shape) == 0;
    if (is_float(t.element) || (!empty && (count < 0 || count > most_imported_numbers)))
      fail_attribute(c, o, name, "is no short list of integers");
    else if (!empty && a.count != 1 && a.count != count)
      fail_attribute(c, o, name, "has another number of elements than its type");
    else if (!empty)
      for (int i = 0; i < static_cast<int>(count); ++i)
        list.push(number_of_word(c.m.element(a, i), t.element));
  } else if (a.kind == attribute_kind::list) {
    for (int i = 0; i < a.count && c.ok(); ++i) {
      attribute const& e = c.m.attributes[a.first + i];
      bool const integer = e.kind == attribute_kind::integer || e.kind == attribute_kind::boolean;
      if (!integer) fail_attribute(c, o, name, "is no list of integers");
      list.push(e.integer);
    }
  } else fail_attribute(c, o, name, "is no list of integers");
  for (extent n : list)
    if (c.ok() && !is_modest(n)) fail_attribute(c, o, name, "has a number beyond 2^31");
  return list;
}
// A list that must be there.
constexpr growing<extent> numbers_of(importing& c, operation const& o, char const* name) {
  if (attribute const* a = c.m.find(o, name)) return numbers_in(c, o, *a, name);
  fail_attribute(c, o, name, "is missing");
  return {};
}
// One that may be missing: then `count` times `otherwise`; else it has `count` numbers.
constexpr growing<extent> numbers_or(importing& c, operation const& o, char const* name, int count,
                                     extent otherwise) {
  attribute const* const a = c.m.find(o, name);
  if (a == nullptr) return growing<extent>(count, otherwise);
  growing<extent> list = numbers_in(c, o, *a, name);
  if (c.ok() && list.size() != count)
    c.fail(o, message(name).add(" has ").add(list.size()).add(" numbers, expected ").add(count));
  return list;
}
// A list in a record, empty where it is missing: #stablehlo.gather<offset_dims = [1], ...>
constexpr growing<extent> numbers_in_record(importing& c, operation const& o,
                                            attribute const& record, char const* name) {
  attribute const* const a = c.m.find(record, name);
  if (a == nullptr) return {}; // (g++ 12 loses what ?: gives in constant evaluation)
  return numbers_in(c, o, *a, name);
}
constexpr extent integer_in(importing& c, operation const& o, attribute const* a, char const* name,
                            extent otherwise) {
  if (a == nullptr) return otherwise;
  bool const one = a->kind == attribute_kind::integer || a->kind == attribute_kind::boolean;
  if (!one) fail_attribute(c, o, name, "is no integer");
  else if (!is_modest(a->integer)) fail_attribute(c, o, name, "is beyond 2^31");
  else return a->integer;
  return otherwise;
}
constexpr extent integer_or(importing& c, operation const& o, char const* name, extent otherwise) {
  return integer_in(c, o, c.m.find(o, name), name, otherwise);
}
constexpr extent integer_of(importing& c, operation const& o, char const* name) {
  attribute const* const a = c.m.find(o, name);
  if (a == nullptr) fail_attribute(c, o, name, "is missing");
  return integer_in(c, o, a, name, 0);
}
constexpr attribute const* record_of(importing& c, operation const& o, char const* name) {
  attribute const* const a = c.m.find(o, name);
  if (a != nullptr && a->kind == attribute_kind::record) return a;
  fail_attribute(c, o, name, "is missing");
  return nullptr;
}
// The text of a word, a string or a symbol; empty: it is missing.
constexpr text_span text_in(attribute const* a) { return a == nullptr ? text_span{} : a->text; }

// ---- axes
// Is every number an axis of `rank`, and none there twice?
constexpr bool are_axes(view<extent> list, int rank) {
  for (extent axis : list)
    if (axis < 0 || axis >= rank) return false;
  return weft::detail::all_distinct(list);
}
constexpr bool is_ascending(view<extent> list) {
  for (int i = 1; i < list.size(); ++i)
    if (list[i] <= list[i - 1]) return false;
  return true;
}
constexpr extent set_of(view<extent> axes) {
  extent set = 0;
  for (extent axis : axes) set |= extent{1} << axis;
  return set;
}
constexpr bool check_axes(importing& c, operation const& o, char const* name, view<extent> list,
                          int rank) {
  if (c.ok() && !are_axes(list, rank))
    c.fail(o, message(name).add(" are not different axes of ").add(rank));
  return c.ok();
}
constexpr int axis_of(importing& c, operation const& o, char const* name, int rank) {
  extent const axis = integer_of(c, o, name);
  if (c.ok() && (axis < 0 || axis >= rank))
    c.fail(o, message(name).add(" is ").add(axis).add(", the array has ").add(rank).add(" axes"));
  return c.ok() ? static_cast<int>(axis) : 0;
}

// ---- shapes that the text states: numbers that an array may have
constexpr bool is_buildable(importing& c, operation const& o, extents const& s) {
  if (!c.ok()) return false;
  for (int i = 0; i < s.rank; ++i)
    if (s[i] > weft::detail::most_extent) c.fail(o, "an extent is beyond 2^31 - 1");
  if (c.ok() && weft::detail::elements_of(s) < 0) c.fail(o, "an array has more than 2^42 elements");
  return c.ok();
}
// The shape of result k, of numbers.
constexpr extents written_shape(importing& c, operation const& o, int k = 0) {
  extents const s = c.result_type(o, k).shape;
  if (c.ok() && c.result_type(o, k).kind != type_kind::tensor) c.fail(o, "the result is no tensor");
  else if (c.ok() && !is_static(s)) c.fail(o, "the result's extents are numbers, not ?");
  return is_buildable(c, o, s) ? s : extents{};
}

// ---- shapes that must be equal
// Where they are not, their names may stand for one extent.
constexpr void note_equal(importing& c, extents const& a, extents const& b) {
  for (int i = 0; i < a.rank && a.rank == b.rank; ++i)
    if (a[i] != b[i] && c.could_be_equal(a[i], b[i])) return;
}
constexpr bool same_shapes(importing& c, extents const& a, extents const& b) {
  if (!(a == b)) note_equal(c, a, b);
  return a == b;
}

// ---- constants
// The bits of a node that has one number everywhere.
struct uniform_bits {
  bool known = false;
  word bits = 0;
};
constexpr uniform_bits uniform_of(handle h) {
  graph const& g = h.where->result;
  node const& n = g.nodes[h.id];
  if (n.code != op::constant || n.attribute_count != 1) return {};
  return {true, static_cast<word>(g.attributes[n.first_attribute])};
}

// ---- indices: int32, and what is outside of it becomes the nearest
constexpr handle as_index(handle i) {
  dtype const t = i.type();
  if (t == dtype::i32 || size_of(t) < 4) return convert(i, dtype::i32);
  handle const most = constant(*i.where, 0x7fffffff, t, i.shape());
  handle h = binary(op::minimum, t, i, most);
  if (is_signed(t)) h = binary(op::maximum, t, h, constant(*i.where, -0x80000000ll, t, i.shape()));
  return convert(h, dtype::i32);
}
constexpr bool check_index(importing& c, operation const& o, handle i) {
  if (c.ok() && !is_integer(i.type())) c.fail(o, "indices are integers");
  return c.ok();
}

} // namespace detail
} // namespace weft::inline v0::stablehlo
