// SPDX-License-Identifier: BSL-1.0
// expect: weft: from_mdspan: the mdspan has extents that only the run knows; write one for each axis: from_mdspan<rows, 3>(m)
#include <weft/mdspan.hpp>

#include "span_of_floats.hpp"

auto example(span_of_floats m) { return weft::from_mdspan(m); }
