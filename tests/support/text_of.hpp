// SPDX-License-Identifier: BSL-1.0
// text_of: what a call says when it throws one of weft's errors. Mistakes that types see, too, are
// expected in the words of tests/compile_fail.
#pragma once

#include <weft/core/error.hpp>

#include <string>

namespace test {

template <class F> std::string text_of(F const& f) {
  try {
    (void)f();
  } catch (weft::error const& e) {
    return e.what();
  }
  return "nothing thrown";
}

} // namespace test
