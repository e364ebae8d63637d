// SPDX-License-Identifier: BSL-1.0
// The characters of MLIR text: white space, comments, names, strings and punctuation, taken from
// the front one after the other, with lines counted on the way.
// Leaves: the first mistake is kept with its place and ends the text, so that whoever reads on
// finds nothing more and no loop goes round for ever.
#pragma once

#include <weft/core/error.hpp>
#include <weft/core/growing.hpp>

namespace weft::inline v0::stablehlo::detail {

constexpr bool is_digit(char c) { return c >= '0' && c <= '9'; }
constexpr bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }
constexpr bool is_name_character(char c) {
  return is_letter(c) || is_digit(c) || c == '_' || c == '.' || c == '$';
}
constexpr int hex_digit(char c) {
  if (is_digit(c)) return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Appends a part of the text to a message: printable characters only, at most 60 of them.
constexpr message& add_text(message& to, view<char> text) {
  int const shown = text.size() > 60 ? 57 : text.size();
  for (int i = 0; i < shown; ++i) {
    char const c = text[i];
    char const one[2] = {c >= ' ' && c <= '~' ? c : '?', '\0'};
    to.add(one);
  }
  return text.size() > 60 ? to.add("...") : to;
}

// A place in the text to come back to.
struct place {
  char const *at, *line_begin;
  int line;
};

struct scanner {
  char const* begin = nullptr;
  char const* at = nullptr;
  char const* end = nullptr;
  char const* line_begin = nullptr; // of the line that `at` is in
  int line = 1;
  bool failed = false;
  char const* mistake = nullptr; // the place of the first one
  message text;

  constexpr explicit scanner(view<char> all)
      : begin(all.begin()), at(begin), end(all.end()), line_begin(begin) {}

  constexpr place here() {
    peek();
    return {at, line_begin, line};
  }
  constexpr void go(place p) {
    if (!failed) at = p.at, line_begin = p.line_begin, line = p.line;
  }
  constexpr int column_of(char const* p) const { return static_cast<int>(p - line_begin) + 1; }
  // From the place on to here.
  constexpr view<char> since(char const* first) const {
    return {first, static_cast<int>(at - first)};
  }

  constexpr void fail(char const* where, message const& what) {
    if (failed) return;
    failed = true, mistake = where, text = what, at = end;
  }
  constexpr message start() const { return message("weft: stablehlo: "); }
  constexpr void fail(char const* what) { fail(at, start().add(what)); }

  // To the next character that is neither white space nor comment; '\0' at the end.
  constexpr char peek() {
    for (; at != end; ++at) {
      char const c = *at;
      if (c == '\n') ++line, line_begin = at + 1;
      else if (c == '/' && at + 1 != end && at[1] == '/') {
        while (at + 1 != end && at[1] != '\n') ++at;
      } else if (c != ' ' && c != '\t' && c != '\r') return c;
    }
    return '\0';
  }
  constexpr bool finished() { return peek() == '\0' && at == end; }
  constexpr bool accept(char c) {
    if (peek() != c || at == end) return false;
    ++at;
    return true;
  }
  constexpr bool expect(char c) {
    if (accept(c)) return true;
    char const wanted[2] = {c, '\0'};
    missing("'", wanted, "'");
    return false;
  }
  constexpr bool at_arrow() { return peek() == '-' && end - at > 1 && at[1] == '>'; }
  constexpr bool expect_arrow() {
    if (!at_arrow()) return missing("'->'"), false;
    at += 2;
    return true;
  }
  // "expected <what>; the text has <what is there>".
  constexpr void missing(char const* what, char const* more = "", char const* last = "") {
    if (failed) return;
    peek();
    message m = start().add("expected ").add(what).add(more).add(last).add("; the text ");
    if (at == end) m.add("ends here");
    else {
      char const* stop = at + 1;
      while (stop != end && stop - at < 24 && is_name_character(*stop) && is_name_character(*at))
        ++stop;
      m.add("has '"), add_text(m, {at, static_cast<int>(stop - at)}).add("'");
    }
    fail(at, m);
  }

  // Letters, digits, '_', '.' and '$', not beginning with a digit; empty where there is none.
  constexpr view<char> name() {
    char const c = peek();
    char const* const first = at;
    if (is_letter(c) || c == '_')
      while (at != end && is_name_character(*at)) ++at;
    return {first, static_cast<int>(at - first)};
  }
  constexpr bool accept_name(char const* wanted) {
    if (peek() != *wanted) return false;
    char const* p = at;
    for (; *wanted != '\0'; ++wanted, ++p)
      if (p == end || *p != *wanted) return false;
    if (p != end && is_name_character(*p)) return false;
    at = p;
    return true;
  }
  constexpr bool expect_name(char const* wanted) {
    if (accept_name(wanted)) return true;
    missing("'", wanted, "'");
    return false;
  }
  // What follows % @ # ! ^: letters, digits, '_', '.', '$', '-'; the sign is taken.
  constexpr view<char> sigil_name() {
    char const* const first = ++at;
    while (at != end && (is_name_character(*at) || (*at == '-' && !(end - at > 1 && at[1] == '>'))))
      ++at;
    return {first, static_cast<int>(at - first)};
  }
  // The inside of "...", as it stands.
  constexpr view<char> raw_string() {
    if (!expect('"')) return {};
    char const* const first = at;
    while (at != end && *at != '"' && *at != '\n') at += *at == '\\' && end - at > 1 ? 2 : 1;
    if (at == end || *at != '"') {
      fail(first - 1, start().add("a string does not end on its line; write \" at its end"));
      return {};
    }
    return {first, static_cast<int>(at++ - first)};
  }
  // An integer without sign below 2^63, in decimals.
  constexpr bool number(std::int64_t& out) {
    if (!is_digit(peek())) return missing("a number"), false;
    char const* const first = at;
    std::uint64_t n = 0;
    for (; at != end && is_digit(*at); ++at) {
      auto const digit = static_cast<std::uint64_t>(*at - '0');
      if (n > ((std::uint64_t{1} << 63) - 1 - digit) / 10) {
        fail(first, start().add("a number is 2^63 or more; write a smaller one"));
        return false;
      }
      n = n * 10 + digit;
    }
    out = static_cast<std::int64_t>(n);
    return true;
  }
  constexpr bool signed_number(std::int64_t& out) {
    bool const negative = accept('-');
    if (!number(out)) return false;
    if (negative) out = -out;
    return true;
  }

  // Passes over a bracket and all that is in it, strings whole.
  constexpr void skip_bracket() {
    char const* const first = (peek(), at);
    int depth = 0;
    while (peek() != '\0') {
      char const c = *at;
      if (c == '"') {
        raw_string();
        continue;
      }
      bool const arrow = at_arrow();
      if (c == '(' || c == '[' || c == '{' || c == '<') ++depth;
      if (c == ')' || c == ']' || c == '}' || (c == '>' && !arrow)) --depth;
      at += arrow ? 2 : 1;
      if (depth == 0) return;
    }
    fail(first, start().add("a bracket does not close; the text ends in it"));
  }
};

} // namespace weft::inline v0::stablehlo::detail
