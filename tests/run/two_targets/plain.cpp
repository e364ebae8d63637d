// SPDX-License-Identifier: BSL-1.0
#include "sum_of_rows.hpp"

namespace two_targets {

outcome run_plain(matrix const& x) { return run_here<weft::cpu::native_target>(x); }

} // namespace two_targets
