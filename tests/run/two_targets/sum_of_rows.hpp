// SPDX-License-Identifier: BSL-1.0
// One program for both translation units: the same name, the same types.
#pragma once

#include <weft/lang/elementwise.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/run/jit.hpp>

namespace two_targets {

using matrix = weft::tensor<float, 40, 33>;
using column = weft::tensor<float, 40>;

inline constexpr auto rows = [](auto x) { return sum<1>(exp(x) * x + 0.5f); };
struct sum_of_rows : weft::program<rows, matrix> {};

// What a translation unit runs: its packs, its kernel, and what that gives, without an engine, as
// the program is small, and with one.
struct outcome {
  int lanes;
  weft::cpu::kernel_function kernel;
  column sums, planned;
};
outcome run_plain(matrix const& x);
outcome run_avx2(matrix const& x);

template <class Target> outcome run_here(matrix const& x) {
  constexpr auto const& code = weft::detail::program_functions<sum_of_rows, Target>::code;
  static_assert(weft::detail::is_small<sum_of_rows>);
  weft::cpu::serial here;
  return {Target::lanes, code.kernels[0].run, weft::jit<sum_of_rows>(x),
          weft::detail::runner<weft::detail::source<sum_of_rows, Target>>::here()(here, x)};
}

} // namespace two_targets
