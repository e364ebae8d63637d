// SPDX-License-Identifier: BSL-1.0
// check<F>(args...): the compiled program gives the interpreter's bits (NaN payloads aside), as jit
// runs it, on an engine with two threads, for the build's target and for the generic one, and again
// when it runs again. (A small program has no engine in jit: run/small_program.hpp.)
// filled<T, E...>(seed, names...): an argument; every second seed has special values in it.
#pragma once

#include "random/random_source.hpp"
#include "random/same_bits.hpp"
#include "support/meaning.hpp"
#include "support/targets.hpp"

#include <weft/cpu/pool.hpp>
#include <weft/run/jit.hpp>

#include <gtest/gtest.h>

namespace test {

template <class T, auto... E> growing<dense> dense_leaf(weft::tensor<T, E...> const& t) {
  dense d(weft::dtype_of<T>, t.shape());
  int i = 0;
  for (T x : t) d[i++] = weft::word_of(x);
  return growing<dense>(1, d);
}
inline growing<dense> dense_leaf(weft::key const& k) {
  dense d(dtype::u32, {1, {2}});
  d[0] = k.high;
  d[1] = k.low;
  return growing<dense>(1, d);
}
template <class T>
  requires std::is_arithmetic_v<T>
growing<dense> dense_leaf(T x) {
  return growing<dense>(1, dense(weft::dtype_of<T>, {}, weft::word_of(x)));
}
template <class... X> growing<dense> dense_leaves(X const&... x) {
  growing<dense> all;
  (weft::for_each_leaf(x, [&all](auto const& leaf) { all.append(dense_leaf(leaf)); }), ...);
  return all;
}

template <class T, auto... E, class... N>
weft::tensor<T, E...> filled(std::uint64_t seed, N... names) {
  weft::tensor<T, E...> t(names...);
  random_source rng(seed);
  auto m = t.mutate();
  for (auto it = m.data(), end = it + t.size(); it != end; ++it)
    *it = weft::element_of_word<T>(random_word(rng, weft::dtype_of<T>, seed % 2 == 0));
  return t;
}

inline weft::cpu::pool& two_threads() {
  static weft::cpu::pool pool(2, 0);
  return pool;
}

// On an engine, however small the program is.
template <class Program, class Target, class Executor, class... Want, class... Args>
auto planned(weft::type_list<Want...>, Executor& executor, Args const&... args) {
  using runner = weft::detail::runner<weft::detail::source<Program, Target>>;
  return runner::here()(executor, weft::detail::as_argument<Want>(args)...);
}
template <class Program, class Target = weft::cpu::native_target, class Executor, class... Args>
auto planned(Executor& executor, Args const&... args) {
  return planned<Program, Target>(typename Program::arguments{}, executor, args...);
}

template <class Program, class... Args> void check_program(Args const&... args) {
  growing<dense> const meant = test::meaning_of(weft::stages<Program>::recorded,
                                                dense_leaves(args...));
  weft::graph_view const g = weft::stages<Program>::optimised;
  for (int turn = 0; turn < 2; ++turn) {
    EXPECT_TRUE(same_bits(0, g, dense_leaves(weft::jit<Program>(args...)), meant)) << "one thread";
    EXPECT_TRUE(same_bits(0, g, dense_leaves(planned<Program>(two_threads(), args...)), meant))
        << "two threads";
    weft::cpu::serial here;
    EXPECT_TRUE(
        same_bits(0, g, dense_leaves(planned<Program, test::narrow_target>(here, args...)), meant))
        << "narrow";
  }
}
template <auto F, class... Args> void check(Args const&... args) {
  check_program<weft::program<F, weft::argument_t<Args>...>>(args...);
}

// Extents around the widths of packs, of two packs, and of the 64 lanes of a sum.
inline constexpr int tails[] = {0, 1, 3, 7, 8, 9, 15, 16, 17, 31, 33, 64, 65, 130};

} // namespace test
