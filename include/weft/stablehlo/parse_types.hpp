// SPDX-License-Identifier: BSL-1.0
// Types: tensor<2x?xf32>, tuple<...>, !stablehlo.token, aliases, and the scalar types of numbers.
// Needs: a reader at the first character.
// Errors: element types weft has no arithmetic for, more than 8 axes, extents of 2^63.
#pragma once

#include <weft/stablehlo/reader.hpp>

namespace weft::inline v0::stablehlo::detail {

// -1: it is the name of no element type.
constexpr int element_named(view<char> name) {
  for (int i = 0; i < dtype_count; ++i)
    if (is_name(name, name_of(static_cast<dtype>(i)))) return i;
  return -1;
}

constexpr bool parse_element(reader& r, dtype& out) {
  r.peek();
  char const* const first = r.at;
  view<char> const name = r.at != r.end && *r.at == '!' ? r.sigil_name() : r.name();
  int const found = element_named(name);
  if (found >= 0) return out = static_cast<dtype>(found), true;
  if (name.empty() && r.at == first) r.missing("an element type");
  else {
    message m = r.start().add("no arithmetic for the element type ");
    add_text(m, r.since(first));
    r.fail(first, m.add("; weft reads f32, f16, bf16, f64, i1, i8 to i64, ui8 to ui64"));
  }
  return false;
}

constexpr int scalar_type(reader& r, dtype element) {
  return r.intern({type_kind::tensor, element, {}, 0, 0});
}

// Behind `tensor<`.
constexpr int parse_tensor(reader& r) {
  value_type t;
  for (;;) {
    char const c = r.peek();
    if (c != '?' && !is_digit(c)) break;
    extent e = dynamic_extent;
    if (c == '?') ++r.at;
    else if (!r.number(e)) return -1;
    if (t.shape.rank == max_rank) {
      r.fail(
          r.at,
          r.start().add("a tensor has more than ").add(max_rank).add(" axes; reshape it to fewer"));
      return -1;
    }
    t.shape.push(e);
    if (r.at == r.end || *r.at != 'x') return r.missing("'x' behind an extent"), -1;
    ++r.at;
  }
  if (r.peek() == '*') {
    r.fail("a tensor without rank is not supported; write its extents");
    return -1;
  }
  if (!parse_element(r, t.element)) return -1;
  // An encoding, #stablehlo.bounds<...>: says nothing that the run does not say.
  if (r.accept(',')) skip_term(r);
  if (!r.expect('>')) return -1;
  return r.intern(t);
}

constexpr int parse_type(reader& r);

constexpr int parse_tuple(reader& r) {
  nesting const level(r);
  char const* const first = r.at;
  int const mark = r.types.size();
  if (!r.accept('>')) {
    do r.types.push(parse_type(r));
    while (r.accept(','));
    r.expect('>');
  }
  if (r.failed) return r.types.resize(mark), -1;
  value_type t;
  t.kind = type_kind::tuple;
  t.first_member = r.m.members.size(), t.member_count = r.types.size() - mark;
  r.m.members.append(r.types.part(mark, t.member_count));
  r.types.resize(mark);
  int const known = r.m.types.size(), id = r.intern(t);
  if (id < known) r.m.members.resize(t.first_member);
  if (r.type_widths[id] > most_in_tuple + 1)
    r.fail(first, r.start()
                      .add("a tuple has more than ")
                      .add(most_in_tuple)
                      .add(" members, those of its members counted; write its tensors one by one"));
  return id;
}

constexpr int parse_type(reader& r) {
  if (r.peek() == '!') {
    char const* const first = r.at;
    view<char> const name = r.sigil_name();
    if (is_name(name, "stablehlo.token")) {
      value_type token;
      token.kind = type_kind::token;
      return r.intern(token);
    }
    if (named_values const* const known = r.type_names.find(name)) return known->first;
    message m = r.start().add("the type !");
    add_text(m, name);
    r.fail(first, m.add(" is not supported; weft reads tensor<...>, tuple<...>, !stablehlo.token"));
    return -1;
  }
  if (r.accept_name("tensor")) return r.expect('<') ? parse_tensor(r) : -1;
  if (r.accept_name("tuple")) return r.expect('<') ? parse_tuple(r) : -1;
  r.missing("a type: tensor<...>, tuple<...>, !stablehlo.token");
  return -1;
}

// Whether a type begins here.
constexpr bool at_type(reader& r) {
  if (r.peek() == '!') return true;
  char const* const before = r.at;
  bool const there = r.accept_name("tensor") || r.accept_name("tuple");
  r.at = before;
  return there;
}

// One type, or several in parentheses, onto the stack.
constexpr void parse_type_list(reader& r) {
  if (!r.accept('(')) {
    r.types.push(parse_type(r));
    return;
  }
  if (r.accept(')')) return;
  do r.types.push(parse_type(r));
  while (r.accept(','));
  r.expect(')');
}

// Appends "tensor<2x3xf32>".
constexpr message& add_type(message& to, module_ir const& m, int id) {
  value_type const& t = m.types[id];
  if (t.kind == type_kind::token) return to.add("!stablehlo.token");
  if (t.kind == type_kind::tuple) return to.add("a tuple");
  to.add("tensor<");
  for (int i = 0; i < t.shape.rank; ++i) {
    if (t.shape[i] == dynamic_extent) to.add("?");
    else to.add(t.shape[i]);
    to.add("x");
  }
  return to.add(name_of(t.element)).add(">");
}

} // namespace weft::inline v0::stablehlo::detail
