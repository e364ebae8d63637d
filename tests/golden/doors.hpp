// SPDX-License-Identifier: BSL-1.0
// The other doors, for a few cases each: compiled programs (jit) and calls with tensors.
#pragma once

#include "golden/case.hpp"

#include <weft/weft.hpp>

#include <cstring>

namespace golden {

// An argument out of the arrays of its leaves, which are taken in order.
template <class X> X argument_of(arrays const& all, std::size_t& next) {
  X x{};
  weft::for_each_leaf(x, [&]<class L>(L& leaf) {
    array const& a = all.at(next++);
    if constexpr (std::is_same_v<L, weft::key>) {
      std::uint32_t words[2];
      std::memcpy(words, a.bytes.data(), sizeof words);
      leaf = weft::key::of_words(words[0], words[1]);
    } else if (!a.bytes.empty())
      std::memcpy(weft::detail::writable(leaf), a.bytes.data(), a.bytes.size());
  });
  return x;
}
// Arrays of every leaf; expressions are evaluated.
template <class X> arrays arrays_of(X const& result) {
  arrays all;
  weft::for_each_leaf(weft::detail::to_tensors(result), [&all]<class L>(L const& leaf) {
    using T = typename L::element_type;
    array a{type_name(weft::dtype_of<T>), {}, {}};
    for (int i = 0; i < L::rank; ++i) a.shape.push_back(static_cast<long>(leaf.extent(i)));
    a.bytes.resize(sizeof(T) * static_cast<std::size_t>(leaf.size()));
    if (!a.bytes.empty()) std::memcpy(a.bytes.data(), leaf.data(), a.bytes.size());
    all.push_back(a);
  });
  return all;
}

template <class... Args, class F> way compiled(F) {
  return {.call = [](arrays const& inputs) {
    std::size_t next = 0;
    std::tuple<Args...> arguments{argument_of<Args>(inputs, next)...}; // braces keep the order
    return std::apply([](auto const&... a) { return arrays_of(weft::jit<F{}>(a...)); }, arguments);
  }};
}
template <class... Args, class F> way immediate(F) {
  return {.call = [](arrays const& inputs) {
    std::size_t next = 0;
    std::tuple<Args...> arguments{argument_of<Args>(inputs, next)...};
    return std::apply([](auto const&... a) { return arrays_of(F{}(a...)); }, arguments);
  }};
}

} // namespace golden
