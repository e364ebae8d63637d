// SPDX-License-Identifier: BSL-1.0
#include <weft/mdspan.hpp>

#include "span_of_floats.hpp"

constexpr weft::sym rows{"rows"};
auto example(span_of_floats m) { return weft::from_mdspan<rows, 3>(m); }
