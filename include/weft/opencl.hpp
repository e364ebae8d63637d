// SPDX-License-Identifier: BSL-1.0
// OpenCL devices: device_tensor, to_device, to_host, jit<f>(device, ...). docs/opencl.md.
//   #include <weft/weft.hpp>
//   #include <weft/opencl.hpp>
// One more include: weft/run/device_profile.hpp (explain and profile on a device).
// Needs: CL/cl.h; at run time an OpenCL library, which opencl::device looks for. Where several
// sources of a program include this, one may have `template struct weft::opencl::engine_code<>;` and
// the others the same with `extern`: the engine and the texts of all ops are then compiled once.
#pragma once

#include <weft/opencl/devices.hpp>
#include <weft/run/device.hpp>
