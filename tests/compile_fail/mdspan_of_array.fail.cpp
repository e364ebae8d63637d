// SPDX-License-Identifier: BSL-1.0
// expect: weft: as_mdspan: the mdspan's type has other extents than the array; give it the array's numbers, or std::dynamic_extent
#include <weft/mdspan.hpp>

#include "span_of_floats.hpp"

auto example(weft::tensor<float, 2, 4> const& x) { return weft::as_mdspan<span_of_floats>(x); }
