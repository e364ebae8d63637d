// SPDX-License-Identifier: BSL-1.0
// Functions of OpenCL C that are written from meanings, and whether a compiler accepts them.
#pragma once

#include <weft/op/compute_type.hpp>
#include <weft/opencl/text_wide.hpp>

#include <gtest/gtest.h>

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <string>
#include <tuple>
#include <utility>

namespace test {

namespace text = weft::opencl::text;
using text::body, text::program;
using weft::dtype, weft::is_narrow_int;

template <dtype D> using text_of = weft::compute_type<text::f32, D>;

// A value of type T by expression, and the text's own value of a result.
template <class T> T operand(body& b, char const* name) {
  if constexpr (is_narrow_int<T>) return T::extended(operand<decltype(T::value)>(b, name));
  else return b.value<T>(name);
}
template <class T> auto plain(T x) {
  if constexpr (is_narrow_int<T>) return x.value;
  else return x;
}
template <class T> char const* type_of() { return decltype(plain(std::declval<T>()))::type; }

struct functions {
  program helpers;
  std::string text;
  int count = 0;

  template <class... T, class Function> void add(Function f) {
    body b(helpers);
    constexpr char const* names[] = {"a", "b", "c", "d"};
    std::string parameters;
    int next = 0;
    auto take = [&]<class X>(std::type_identity<X>) {
      parameters += (next > 0 ? ", " : "") + std::string(type_of<X>()) + ' ' + names[next];
      return operand<X>(b, names[next++]);
    };
    std::tuple<T...> const operands{take(std::type_identity<T>{})...};
    auto const result = plain(std::apply(f, operands));
    std::string const head = decltype(result)::type + std::string(" test_") +
                             std::to_string(count++) + '(' + parameters + ')';
    text += head + ";\n" + head + " {\n" + b.text() + "  return " + name(result) + ";\n}\n";
  }
};

inline bool has_opencl_compiler() {
  return std::system("clang-16 --version > /dev/null 2>&1") == 0;
}
inline bool compiles(std::string const& source, std::string const& options = "") {
  std::string const path = testing::TempDir() + "weft_functions_" + std::to_string(getpid()) +
                           ".cl";
  std::ofstream(path) << source;
  std::string const compiler = "clang-16 -x cl -cl-std=CL1.2 -fsyntax-only -Xclang "
                               "-finclude-default-header -Wall -Wextra -Werror " +
                               options + " ";
  bool const accepted = std::system((compiler + path).c_str()) == 0;
  std::remove(path.c_str());
  return accepted;
}
inline bool compiles(functions const& all, std::string const& options = "") {
  return compiles(std::string(text::no_contraction) + text::double_precision +
                      all.helpers.helpers() + all.text,
                  options);
}

} // namespace test
