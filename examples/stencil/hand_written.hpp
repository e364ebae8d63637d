// SPDX-License-Identifier: BSL-1.0
// The same steps as loops over pointers, on one thread.
#pragma once

#include "model.hpp"

namespace stencil {

fields hand_written(fields const& start, int steps, float feed, float death);

} // namespace stencil
