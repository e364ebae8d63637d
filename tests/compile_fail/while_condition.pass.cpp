// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/reductions.hpp>
#include <weft/lang/while.hpp>

using weft::traced;

auto example(traced<float, 3> a) {
  return while_loop([](auto x) { return weft::all(x < 1); }, [](auto x) { return x + 1; }, a);
}
