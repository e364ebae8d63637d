// SPDX-License-Identifier: BSL-1.0
// Texts as graphs, and graphs run on the interpreter over arrays as bytes.
#pragma once

#include "stablehlo/text.hpp"
#include "support/meaning.hpp"

#include <weft/graph/print.hpp>
#include <weft/graph/verify.hpp>
#include <weft/pass/dce.hpp>
#include <weft/stablehlo/import.hpp>

#include <cmath>
#include <cstring>

namespace imports {

using namespace weft;
using bytes = std::vector<unsigned char>;

inline stablehlo::imported read(std::string const& text) {
  return stablehlo::to_graph(texts::read(text));
}
// "3:7: weft: stablehlo.add: ...", or nothing.
inline std::string mistake(stablehlo::imported const& i) {
  if (!i.error.failed) return {};
  return std::to_string(i.error.line) + ":" + std::to_string(i.error.column) + ": " +
         i.error.text.c_str();
}
// Without what no result needs.
inline std::string graph_text(std::string const& text) {
  stablehlo::imported const i = read(text);
  return i.error.failed ? mistake(i) : print(dce(i.program));
}

inline dense array(dtype type, extents const& shape, unsigned char const* from) {
  dense d(type, shape);
  for (int i = 0; i < d.size(); ++i)
    std::memcpy(&d.words[i], from + i * size_of(type), static_cast<std::size_t>(size_of(type)));
  return d;
}
// An element of any type as a number.
inline double number(word w, dtype d) {
  return weft::detail::with_dtype(d, [w]<dtype D>() {
    auto const x = element_of_word<storage_of<D>>(w);
    if constexpr (is_half(D)) return static_cast<double>(static_cast<float>(x));
    else return static_cast<double>(x);
  });
}
// Integers and bools equal; floats within tolerance * (1 + |want|), NaN with NaN, and 16-bit ones
// within 1/50. "" or the first place where they differ.
inline std::string difference(dense const& got, dense const& want, double tolerance) {
  if (is_half(got.type)) tolerance = 0.02;
  for (int i = 0; i < got.size(); ++i) {
    double const a = number(got[i], got.type), b = number(want[i], want.type);
    bool const same = is_float(got.type) ? (a == b || (std::isnan(a) && std::isnan(b)) ||
                                            std::abs(a - b) <= tolerance * (1 + std::abs(b)))
                                         : got[i] == want[i];
    if (!same)
      return "element " + std::to_string(i) + " is " + std::to_string(a) + ", expected " +
             std::to_string(b);
  }
  return {};
}

// Floats in and out, for small programs.
inline std::vector<double> run(std::string const& text,
                               std::vector<std::vector<double>> const& inputs) {
  stablehlo::imported const i = read(text);
  if (i.error.failed) throw std::runtime_error(mistake(i));
  graph_view const g = i.program;
  growing<dense> arrays;
  for (int id : g.parameters_of(0)) {
    dense d(g[id].type, g.shape(id));
    auto const& from = inputs.at(static_cast<std::size_t>(arrays.size()));
    for (int k = 0; k < d.size(); ++k)
      d[k] = static_cast<word>(bits_of(from.at(static_cast<std::size_t>(k)), d.type));
    arrays.push(d);
  }
  std::vector<double> all;
  for (dense const& d : test::meaning_of(g, arrays))
    for (word w : d.words) all.push_back(number(w, d.type));
  return all;
}

} // namespace imports
