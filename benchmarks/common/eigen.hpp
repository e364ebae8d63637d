// SPDX-License-Identifier: BSL-1.0
// Eigen's matrices and arrays, for peers.
#pragma once

#ifdef WEFT_HAS_EIGEN
// g++ 12's own AVX-512 header warns when inlined (GCC bug 105593); can go with g++ 13.
#pragma GCC diagnostic ignored "-Wuninitialized"
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"
#include <Eigen/Core>
#endif
