// SPDX-License-Identifier: BSL-1.0
// expect: weft: an extent is an int or a sym
#include <weft/core/extents.hpp>

int main() { return weft::shape<2, 3u>::rank; }
