// SPDX-License-Identifier: BSL-1.0
#include "support/opencl.hpp"

#include <weft/opencl/engine_code.hpp>

template struct weft::opencl::op_texts<>;
template struct weft::opencl::engine_code<>;
