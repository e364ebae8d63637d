// SPDX-License-Identifier: BSL-1.0
#include <weft/io/named.hpp>

auto example(weft::tensor<float, 2> w) {
  return weft::detail::name_arrays({"save", "x"}, weft::named("w", w));
}
