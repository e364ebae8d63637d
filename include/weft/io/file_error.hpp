// SPDX-License-Identifier: BSL-1.0
// Texts about files: "weft: <op>: <what is wrong>; <what to do> (<path>)".
// Needs: nothing. Leaves: what a file says (names, types) is quoted, clipped, and printable,
// whatever its bytes are.
#pragma once

#include <weft/core/error.hpp>

#include <cerrno>
#include <cstring>
#include <string>
#include <string_view>

namespace weft::inline v0 {
namespace detail {

// What is read or written, and by which function of weft.
struct file_at {
  char const* op;
  std::string path;
};

inline constexpr std::size_t most_quoted = 80, most_of_a_path = 200;

inline message& add_part(message& text, char const* part) { return text.add(part); }
inline message& add_part(message& text, extent part) { return text.add(part); }
inline message& add_part(message& text, extents const& part) { return text.add(part); }
// Of a shape or place that may have numbers below 0, which extents print as names.
struct plain_numbers {
  extents const& of;
};
inline message& add_part(message& text, plain_numbers part) {
  text.add("(");
  for (int i = 0; i < part.of.rank; ++i) text.add(i > 0 ? ", " : "").add(part.of[i]);
  return text.add(")");
}
inline message& add_printable(message& text, std::string_view part) {
  for (char const c : part) {
    char const one[2] = {c >= ' ' && c <= '~' ? c : '?', '\0'};
    text.add(one);
  }
  return text;
}
inline message& add_part(message& text, std::string_view part) {
  bool const clipped = part.size() > most_quoted;
  add_printable(text.add("'"), part.substr(0, most_quoted));
  return text.add(clipped ? "...'" : "'");
}
inline message& add_part(message& text, std::string const& part) {
  return add_part(text, std::string_view(part));
}
// Of a long path the end.
inline message& add_path(message& text, std::string const& path) {
  bool const clipped = path.size() > most_of_a_path;
  text.add(clipped ? " (..." : " (");
  std::string_view const end = path;
  add_printable(text, end.substr(clipped ? end.size() - most_of_a_path : 0));
  return text.add(")");
}

// An io_error; `wrong` is texts, numbers, shapes, and string_views, which are quoted.
template <class... Part>
[[noreturn]] WEFT_NOINLINE void raise_file(file_at const& at, char const* advice,
                                           Part const&... wrong) {
  message text("weft: ");
  text.add(at.op).add(": ");
  (add_part(text, wrong), ...);
  text.add("; ").add(advice);
  raise<io_error>(add_path(text, at.path));
}
// With the words of errno as the system call left it.
[[noreturn]] inline void raise_system(file_at const& at, char const* advice) {
  char const* words = std::strerror(errno);
  raise_file(at, advice, words);
}

} // namespace detail
} // namespace weft::inline v0
