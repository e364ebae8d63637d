// SPDX-License-Identifier: BSL-1.0
// same_bits: are two lists of arrays equal bit for bit, NaN payloads aside? A failure shows the
// seed, the first element that differs, and the graph.
#pragma once

#include <weft/graph/interpret.hpp>
#include <weft/graph/print.hpp>

#include <gtest/gtest.h>

#include <string>

namespace test {

inline bool is_nan(weft::word bits, weft::dtype d) {
  return weft::detail::with_dtype(d, [&]<weft::dtype D>() {
    if constexpr (weft::is_float(D)) {
      auto const x = weft::element_of_word<weft::storage_of<D>>(bits);
      return !(x == x);
    } else return false;
  });
}
inline bool same_bits(weft::word a, weft::word b, weft::dtype d) {
  return a == b || (is_nan(a, d) && is_nan(b, d));
}
// The first element that differs: -1 if none, -2 if type or shape do.
inline int first_difference(weft::dense const& a, weft::dense const& b) {
  if (a.type != b.type || !(a.shape == b.shape) || a.size() != b.size()) return -2;
  for (int i = 0; i < a.size(); ++i)
    if (!same_bits(a[i], b[i], a.type)) return i;
  return -1;
}
inline std::string print_type(weft::dense const& x) {
  return weft::name_of(x.type) + weft::print_shape(x.shape);
}
inline std::string print_bits(weft::dense const& x, int i) {
  return weft::print_element(x[i], x.type) + " (bits " + std::to_string(x[i]) + ")";
}

inline testing::AssertionResult same_bits(weft::view<weft::dense> actual,
                                          weft::view<weft::dense> expected) {
  if (actual.size() != expected.size())
    return testing::AssertionFailure()
           << actual.size() << " outputs, expected " << expected.size() << "\n";
  for (int k = 0; k < actual.size(); ++k) {
    weft::dense const &a = actual[k], &e = expected[k];
    int const at = first_difference(a, e);
    if (at == -2)
      return testing::AssertionFailure()
             << "output " << k << " is " << print_type(a) << ", expected " << print_type(e) << "\n";
    if (at >= 0)
      return testing::AssertionFailure()
             << "output " << k << " of " << print_type(a) << " at "
             << weft::print_shape(weft::detail::position_of(at, a.shape)) << " is "
             << print_bits(a, at) << ", expected " << print_bits(e, at) << "\n";
  }
  return testing::AssertionSuccess();
}
// The same, of a graph's outputs for this seed; the graph is printed on failure.
inline testing::AssertionResult same_bits(std::uint64_t seed, weft::graph_view g,
                                          weft::view<weft::dense> actual,
                                          weft::view<weft::dense> expected) {
  testing::AssertionResult const r = same_bits(actual, expected);
  if (r) return r;
  return testing::AssertionFailure() << "seed " << seed << ": " << r.message() << weft::print(g);
}

} // namespace test
