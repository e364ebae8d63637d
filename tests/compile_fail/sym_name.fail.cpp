// SPDX-License-Identifier: BSL-1.0
// expect: a sym has 1 to 10 characters
#include <weft/core/extents.hpp>

constexpr weft::sym batch{"batch_number"};
