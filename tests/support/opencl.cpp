// SPDX-License-Identifier: BSL-1.0
#include "support/opencl.hpp"

template struct weft::opencl::op_texts<>;
