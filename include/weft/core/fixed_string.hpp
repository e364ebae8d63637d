// SPDX-License-Identifier: BSL-1.0
// fixed_string<N>: a string literal as a template argument (einsum and view specs); text: a
// pointer and a length, what parsers read. Leaves: exact size, so diagnostics print the literal.
#pragma once

#include <weft/core/config.hpp>

namespace weft::inline v0 {

struct text {
  char const* first = nullptr;
  int length = 0;

  constexpr text() = default;
  constexpr text(char const* characters, int count) : first(characters), length(count) {}
  template <unsigned long N>
  constexpr text(char const (&literal)[N]) : first(literal), length(static_cast<int>(N) - 1) {}

  constexpr int size() const { return length; }
  constexpr char operator[](int i) const { return first[i]; }
  // The character at i, or '\0' past the end: parsers need no bounds of their own.
  constexpr char peek(int i) const { return i < length ? first[i] : '\0'; }
};

template <unsigned long N> struct fixed_string {
  char characters[N]{};

  constexpr fixed_string(char const (&literal)[N]) {
    for (unsigned long i = 0; i < N; ++i) characters[i] = literal[i];
  }
  constexpr operator text() const { return {characters, static_cast<int>(N) - 1}; }
};

} // namespace weft::inline v0
