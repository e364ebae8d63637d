// SPDX-License-Identifier: BSL-1.0
// Modules as programs. At run time:
//   model m = stablehlo::read(text);                     // or load(path): weft/stablehlo.hpp
// At compile time, compiled like any function of weft's:
//   struct net : stablehlo::program<[] { return R"(module { func.func public @main ...)"; }> {};
//   tensor<float, 10> y = jit<net>(x);
// Arguments are main's, as tensors, in its order; one result is a tensor, several a std::tuple.
// Needs: texts of some kilobytes at compile time (compilers limit constant evaluation); larger ones
// by weft_add_model in CMake. Leaves: the graph that to_graph makes, no other rules.
// Errors: value_error with line and column at run time; at compile time one static_assert that has
// them, and the words, as template arguments.
#pragma once

#include <weft/run/model.hpp>
#include <weft/run/typed_graph.hpp>
#include <weft/stablehlo/import.hpp>
#include <weft/stablehlo/parse.hpp>

namespace weft::inline v0::stablehlo {

[[noreturn]] inline void raise_refused(char const* where, failure const& e) {
  raise<value_error>(
      message(where).add(":").add(e.line).add(":").add(e.column).add(": ").add(e.text.c_str()));
}
// The program of a module's text; `where` names it in errors.
inline model read(view<char> text, view<custom_call> calls = {}, char const* where = "module") {
  module_ir const m = parse(text);
  imported const in = to_graph(m, calls);
  if (in.error.failed) raise_refused(where, in.error);
  std::vector<std::string> names;
  for (text_span s : in.names) {
    view<char> const name = m.text(s);
    names.emplace_back(name.begin(), name.end());
  }
  return model(in.program, std::move(names));
}
inline model read(std::string const& text, view<custom_call> calls = {},
                  char const* where = "module") {
  return read(view<char>{text.data(), static_cast<int>(text.size())}, calls, where);
}

namespace detail {

constexpr view<char> whole(char const* text) {
  int length = 0;
  while (text[length] != '\0') ++length;
  return {text, length};
}

// Read once; larger programs once more, for their exact size.
template <auto Text> struct text_import {
  struct first_look {
    weft::detail::roomy_graph<weft::detail::usual_sizes> program;
    failure error;
    constexpr explicit first_look(imported const& in) : program(in.program), error(in.error) {}
  };
  static constexpr imported again() { return to_graph(parse(whole(Text()))); }
  static constexpr first_look first{again()};
  static constexpr auto choose() {
    if constexpr (first.program.fits) return first.program;
    else return freeze<first.program.sizes>(again().program);
  }
  static constexpr auto value = choose();
  static constexpr graph_view graph() { return value; }

  static constexpr int words = first.error.text.size() + 1;
  struct reason {
    char text[words]{};
  };
  static constexpr reason why() {
    reason r;
    for (int i = 0; i + 1 < words; ++i) r.text[i] = first.error.text.c_str()[i];
    return r;
  }
};
// The compiler's message has the place and the reason as the arguments of this template.
template <int Line, int Column, auto Reason> consteval bool module_is_read() {
  static_assert(Line == 0,
                "weft: stablehlo: the module is refused; line, column and reason are the "
                "arguments of module_is_read");
  return Line == 0;
}
template <class Import> consteval bool check_text() {
  if constexpr (Import::first.error.failed)
    return module_is_read<Import::first.error.line, Import::first.error.column, Import::why()>();
  else return true;
}

template <class Import, bool Read> struct imported_program : weft::detail::graph_program<Import> {};
template <class Import> struct imported_program<Import, false> {}; // the error was told

} // namespace detail

// A module at compile time. Text: a function object without state that gives a string literal.
// Derive from it to name the program: symbols of kernels then carry that name only.
template <auto Text>
struct program : detail::imported_program<detail::text_import<Text>,
                                          detail::check_text<detail::text_import<Text>>()> {};

} // namespace weft::inline v0::stablehlo
