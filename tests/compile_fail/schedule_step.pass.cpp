// SPDX-License-Identifier: BSL-1.0
#include <weft/lang/schedules.hpp>

auto example() { return weft::linear_decay<weft::rate_schedule{.steps = 10}>(1); }
