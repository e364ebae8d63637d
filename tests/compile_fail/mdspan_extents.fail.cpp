// SPDX-License-Identifier: BSL-1.0
// expect: weft: from_mdspan: the extents are not the mdspan's; write one for each axis, the mdspan's number or a name
#include <weft/mdspan.hpp>

#include "span_of_floats.hpp"

auto example(span_of_floats m) { return weft::from_mdspan<2, 4>(m); }
