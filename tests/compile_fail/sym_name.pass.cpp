// SPDX-License-Identifier: BSL-1.0
#include <weft/core/extents.hpp>

constexpr weft::sym batch{"batch"};
