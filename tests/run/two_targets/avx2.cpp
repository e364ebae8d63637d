// SPDX-License-Identifier: BSL-1.0
// Compiled with -mavx2 -mfma.
#include "sum_of_rows.hpp"

namespace two_targets {

static_assert(weft::cpu::native_target::lanes == 8);

outcome run_avx2(matrix const& x) { return run_here<weft::cpu::native_target>(x); }

} // namespace two_targets
