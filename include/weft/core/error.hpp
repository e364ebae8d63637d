// SPDX-License-Identifier: BSL-1.0
// What only the run can know: exceptions that carry their whole text, and a builder for texts.
// Needs: nothing. Leaves: with exceptions off, `on_error` is called with the text, then it is printed to
// stderr and the process aborts. Texts:
// "weft: <op>: <what is wrong>; <what to write>", the words of the static_assert that sees the same
// mistake in types, then the numbers of the run.
#pragma once

#include <weft/core/config.hpp>
#include <weft/core/extents.hpp>

#include <cstdio>
#include <cstdlib>
#include <exception>

namespace weft::inline v0 {

// A bounded text, grown by appending: error texts must not allocate.
class message {
public:
  constexpr message() = default;
  constexpr message(char const* start) { add(start); }
  constexpr message& add(char const* s) {
    while (*s != '\0' && size_ + 1 < capacity) characters_[size_++] = *s++;
    return *this;
  }
  constexpr message& add(extent n) {
    char digits[24]{};
    int count = 0;
    bool negative = n < 0;
    auto rest = negative ? 0 - static_cast<std::uint64_t>(n) : static_cast<std::uint64_t>(n);
    do digits[count++] = static_cast<char>('0' + rest % 10);
    while ((rest /= 10) != 0);
    if (negative) digits[count++] = '-';
    while (count > 0 && size_ + 1 < capacity) characters_[size_++] = digits[--count];
    return *this;
  }
  constexpr message& add(int n) { return add(static_cast<extent>(n)); }
  // A shape: (2, rows, 3).
  constexpr message& add(extents const& s) {
    add("(");
    for (int i = 0; i < s.rank; ++i) {
      if (i > 0) add(", ");
      if (is_named(s[i])) {
        char name[max_name + 1]{};
        unpack_name(s[i], name);
        add(name);
      } else add(s[i]);
    }
    return add(")");
  }
  constexpr char const* c_str() const { return characters_; }
  constexpr int size() const { return size_; }

private:
  static constexpr int capacity = 480;
  char characters_[capacity]{};
  int size_ = 0;
};

class error : public std::exception {
public:
  explicit error(message const& text) : text_(text) {}
  char const* what() const noexcept override { return text_.c_str(); }

private:
  message text_;
};
struct shape_error : error {
  using error::error;
}; // extents disagree at run time
struct index_error : error {
  using error::error;
}; // an element outside its array
struct value_error : error {
  using error::error;
}; // an argument outside its domain
struct usage_error : error {
  using error::error;
}; // a call that the object's state forbids
struct memory_error : error {
  using error::error;
}; // memory that the caller gave is too small
struct io_error : error {
  using error::error;
}; // a file that cannot be read or written, or that is not what it should be
struct rank_error : error {
  using error::error;
}; // another rank that failed, hangs, or runs something else

// Where exceptions are off (-fno-exceptions, in all sources of a program or in none) this is called
// with the text; it ends the program, or returns, and the text is printed and the process aborted.
//   weft::on_error = [](char const* text) { log(text); };
using error_handler = void (*)(char const*);
inline error_handler on_error = nullptr;

template <class Error> [[noreturn]] WEFT_NOINLINE void raise(message const& text) {
#if WEFT_EXCEPTIONS
  throw Error(text);
#else
  if (on_error != nullptr) on_error(text.c_str());
  std::fputs(text.c_str(), stderr);
  std::fputs("\n", stderr);
  std::abort();
#endif
}

} // namespace weft::inline v0
