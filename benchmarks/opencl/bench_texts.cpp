// SPDX-License-Identifier: BSL-1.0
// The OpenCL texts of all ops, compiled once for the family.
#include <weft/opencl.hpp>

template struct weft::opencl::op_texts<>;
