// SPDX-License-Identifier: BSL-1.0
// With Eigen: maps both ways (as_eigen, from_eigen), linear algebra (linalg::cholesky, solve, qr, svd,
// eigh, inverse, determinant), Eigen's thread pool as an executor (eigen_pool). docs/linalg.md.
// Needs: Eigen 3.4. Not part of weft.hpp.
#pragma once

#include <weft/eigen/map.hpp>
#include <weft/eigen/pool.hpp>
#include <weft/linalg/cholesky.hpp>
#include <weft/linalg/eigh.hpp>
#include <weft/linalg/qr.hpp>
#include <weft/linalg/solve.hpp>
#include <weft/linalg/svd.hpp>
#include <weft/run/jit.hpp>
