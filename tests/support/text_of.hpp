// SPDX-License-Identifier: BSL-1.0
// text_of: what a call says when it throws one of weft's errors, or an Error. Mistakes that types
// see, too, are expected in the words of tests/compile_fail. lines_of: what it prints.
#pragma once

#include <weft/graph/observe.hpp>

#include <string>

namespace test {

template <class Error = weft::error, class F> std::string text_of(F const& f) {
  try {
    (void)f();
  } catch (Error const& e) {
    return e.what();
  }
  return "nothing thrown";
}

inline std::string printed;
// What debug_print writes while f runs.
template <class F> std::string lines_of(F const& f) {
  printed.clear();
  weft::on_print = [](char const* line) { printed += line; };
  f();
  weft::on_print = nullptr;
  return printed;
}

} // namespace test
