// SPDX-License-Identifier: BSL-1.0
// Operations whose shapes only the run knows.
#pragma once

#include <weft/stablehlo/import_shapes.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

constexpr bool import_dynamic(importing& c, operation const& o) {
  switch (o.what) {
    case code::get_dimension_size: return import_get_dimension_size(c, o), true;
    default: return false;
  }
}

} // namespace detail
} // namespace weft::inline v0::stablehlo
