// SPDX-License-Identifier: BSL-1.0
// What the generated golden tests are made of. Each of their files is one list of cases:
//   golden::listed const all = golden::list({{"views", "flip_6", golden::traced<...>(f), data}});
// `data` is a line per array, or the reason why the case is skipped:
//   in FILE OFFSET TYPE SHAPE            an input; SHAPE is 2x3, or - for a scalar
//   key HIGH LOW                         an input that is a random key
//   out FILE OFFSET TYPE SHAPE MEASURE   an output and its tolerance (read_tolerance in run.cpp)
//   any                                  an output that is not compared
//   ranks N                              inputs and outputs are those of N ranks, rank after rank
// Needs: run.cpp, which runs every traced program on the interpreter and on the block executor.
#pragma once

#include "golden/data.hpp"

#include <weft/lang/record.hpp>

namespace golden {

using arrays = std::vector<array>;

// One of these makes a case; none of them: it is skipped.
struct way {
  weft::graph (*trace)() = nullptr;        // a program
  arrays (*call)(arrays const&) = nullptr; // a call: outputs of inputs (doors.hpp)
  std::string (*holds)() = nullptr;        // "" or what is wrong; needs no data
  weft::graph (*ranks)() = nullptr;        // a program for several ranks
};
struct test_case {
  char const* family;
  char const* name;
  way run;
  char const* data;
};

// Adds the tests; a value, so that a file can do it while it is initialised.
struct listed {};
listed list(std::vector<test_case> const& cases);

// The program of f, a lambda without captures, for arguments of these types.
template <class... Args, class F> way traced(F) {
  return {.trace = [] { return weft::record<Args...>(F{}); }};
}

// The leaves of any structure as one tuple, and one of them.
template <class X> constexpr auto flatten(X const& x) {
  if constexpr (weft::is_leaf<X>) return std::tuple<X>(x);
  else
    return weft::detail::visit_parts(
        x, [](auto const&... part) { return std::tuple_cat(golden::flatten(part)...); });
}
template <int I, class X> constexpr auto leaf(X const& x) {
  return std::get<I>(golden::flatten(x));
}

// The data's name of an element type.
inline std::string type_name(weft::dtype d) {
  std::string const name = weft::name_of(d);
  if (name == "i1") return "bool";
  return name.starts_with("ui") ? "u" + name.substr(2) : name;
}

} // namespace golden
