// SPDX-License-Identifier: BSL-1.0
#include <weft/mdspan.hpp>

#include "span_of_floats.hpp"

auto example(span_of_floats m) { return weft::from_mdspan<2, 3>(m); }
