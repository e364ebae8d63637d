// SPDX-License-Identifier: BSL-1.0
// OpenCL texts of every op and type, compiled once for all tests (opencl.cpp).
#pragma once

#include <weft/opencl/op_text.hpp>

extern template struct weft::opencl::op_texts<>;
