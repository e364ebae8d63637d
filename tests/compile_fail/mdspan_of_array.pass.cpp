// SPDX-License-Identifier: BSL-1.0
#include <weft/mdspan.hpp>

#include "span_of_floats.hpp"

auto example(weft::tensor<float, 2, 3> const& x) { return weft::as_mdspan<span_of_floats>(x); }
