// SPDX-License-Identifier: BSL-1.0
// For tests of the immediate door: tensors of uneven numbers, and a function of tensors against the
// same function traced and interpreted.
#pragma once

#include "../lang/recorded.hpp"

#include <weft/run/evaluate.hpp>

namespace evaluated {

using weft::tensor;

template <class T, auto... E> tensor<T, E...> numbers(weft::extents const& shape, float scale) {
  auto t = tensor<T, E...>::uninitialised(shape);
  auto m = t.mutate();
  float x = -1.7f;
  for (T& e : m) e = weft::detail::element_from<T>((x = 0.8f * x + 0.37f) * scale);
  return t;
}
template <class T, auto... E> tensor<T, E...> numbers(float scale = 1) {
  return numbers<T, E...>(weft::shape<E...>::value, scale);
}
template <class T, auto... E> std::vector<T> listed(tensor<T, E...> const& t) {
  return {t.begin(), t.end()};
}
// f of tensors is f traced and interpreted: equal bits.
template <class F, class... Args> void expect_same(F const& f, Args const&... args) {
  auto const now = eval(f(args...));
  using T = typename decltype(now)::element_type;
  std::vector<weft::word> bits;
  for (T x : now) bits.push_back(recorded::word_of(x));
  auto const out = recorded::run(f, args...);
  EXPECT_EQ(bits, std::vector<weft::word>(out[0].words.begin(), out[0].words.end()));
  EXPECT_EQ(now.shape(), out[0].shape);
}

} // namespace evaluated
