// SPDX-License-Identifier: BSL-1.0
// For tests of the traced door: record a function for these arguments, verify the graph, and run it
// on the interpreter.
#pragma once

#include "support/meaning.hpp"
#include <weft/graph/verify.hpp>
#include <weft/lang/record.hpp>

#include <gtest/gtest.h>

#include <vector>

namespace recorded {

using weft::dense, weft::growing, weft::tensor, weft::word_of;

template <class T, auto... E> void push(growing<dense>& to, tensor<T, E...> const& t) {
  dense d(weft::dtype_of<T>, t.shape());
  int i = 0;
  for (T x : t) d[i++] = word_of(x);
  to.push(d);
}
inline void push(growing<dense>& to, weft::key k) {
  dense d(weft::dtype::u32, {1, {2}});
  d[0] = k.high;
  d[1] = k.low;
  to.push(d);
}
template <class T>
  requires std::is_arithmetic_v<T>
void push(growing<dense>& to, T x) {
  to.push(dense(weft::dtype_of<T>, {}, word_of(x)));
}

// The outputs of f on these arguments.
template <class F, class... Args> growing<dense> run(F const& f, Args const&... args) {
  weft::graph const g = weft::record<Args...>(f);
  EXPECT_EQ(g.error, weft::trace_error::clean);
  EXPECT_FALSE(weft::verify(g)) << "rule " << static_cast<int>(weft::verify(g).broken) << " node "
                                << weft::verify(g).node;
  growing<dense> inputs;
  (weft::for_each_leaf(args, [&inputs](auto const& leaf) { push(inputs, leaf); }), ...);
  return test::meaning_of(g, inputs);
}

template <class T> std::vector<T> numbers(dense const& d) {
  EXPECT_EQ(d.type, weft::dtype_of<T>);
  std::vector<T> r;
  for (weft::word w : d.words) r.push_back(weft::element_of_word<T>(w));
  return r;
}
// The only output, as numbers.
template <class T, class F, class... Args> std::vector<T> values(F const& f, Args const&... args) {
  growing<dense> const out = run(f, args...);
  EXPECT_EQ(out.size(), 1);
  return numbers<T>(out[0]);
}

template <class T> using list = std::vector<T>;

} // namespace recorded
