// SPDX-License-Identifier: BSL-1.0
#include <weft/core/extents.hpp>

int main() { return weft::shape<2, 3>::rank; }
