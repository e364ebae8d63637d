// SPDX-License-Identifier: BSL-1.0
// devices: the OpenCL devices of this machine, of all platforms in order, and what they can do.
//   for (device_info const& d : opencl::devices()) std::puts(d.name.c_str());
// Needs: nothing; a machine without OpenCL has no devices. Leaves: platforms that have no device or
// fail, and devices that cannot compile or are older than OpenCL 1.2, are left out.
#pragma once

#include <weft/opencl/error.hpp>
#include <weft/opencl/library.hpp>

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace weft::inline v0 {
namespace opencl {

struct device_info {
  std::string name, vendor, platform, version, driver, platform_version;
  bool is_cpu = false, is_gpu = false;
  extent memory_bytes = 0, largest_buffer = 0;
  extent local_bytes = 0;    // of a group
  extent max_group = 0;      // items of a group
  extent argument_bytes = 0; // of a kernel
  int compute_units = 0;
  bool has_double = false;
  bool is_nvidia = false;
  bool keeps_subnormals = false, divides_correctly = false; // of float
};

// What this device does otherwise than docs/numerics.md promises; empty: nothing. Results that meet
// it differ from the CPU's.
inline std::string inexact(device_info const& d) {
  std::string what;
  if (!d.keeps_subnormals) what = "flushes subnormal floats to zero";
  if (!d.divides_correctly)
    what += (what.empty() ? "" : ", ") +
            std::string("does not round quotients and square roots correctly");
  return what;
}
// Its name, and what it does otherwise.
inline std::string described(device_info const& d) {
  std::string const what = inexact(d);
  return what.empty() ? d.name : d.name + " (which " + what + ")";
}

namespace detail {

struct found_device {
  cl_platform_id platform = nullptr;
  cl_device_id device = nullptr;
  device_info info;
};

template <class Get> std::string text_of(Get const& get) {
  std::size_t bytes = 0;
  if (get(0, nullptr, &bytes) != 0 || bytes == 0) return {};
  std::string text(bytes, '\0');
  if (get(bytes, text.data(), nullptr) != 0) return {};
  text.resize(std::strlen(text.c_str())); // up to the 0 at its end
  return text;
}
inline std::string text_of(cl_platform_id platform, cl_platform_info what) {
  return text_of([=](std::size_t bytes, void* to, std::size_t* needed) {
    return cl().clGetPlatformInfo(platform, what, bytes, to, needed);
  });
}
inline std::string text_of(cl_device_id device, cl_device_info what) {
  return text_of([=](std::size_t bytes, void* to, std::size_t* needed) {
    return cl().clGetDeviceInfo(device, what, bytes, to, needed);
  });
}

// A number of a device; 0 where the driver does not know the question.
template <class T> T number_of(cl_device_id device, cl_device_info what) {
  T value{};
  return cl().clGetDeviceInfo(device, what, sizeof(value), &value, nullptr) == 0 ? value : T{};
}

inline device_info info_of(cl_platform_id platform, cl_device_id device) {
  device_info d;
  d.name = text_of(device, CL_DEVICE_NAME);
  d.vendor = text_of(device, CL_DEVICE_VENDOR);
  d.platform = text_of(platform, CL_PLATFORM_NAME);
  d.version = text_of(device, CL_DEVICE_VERSION);
  d.driver = text_of(device, CL_DRIVER_VERSION);
  d.platform_version = text_of(platform, CL_PLATFORM_VERSION);
  auto const type = number_of<cl_device_type>(device, CL_DEVICE_TYPE);
  d.is_cpu = (type & CL_DEVICE_TYPE_CPU) != 0;
  d.is_gpu = (type & CL_DEVICE_TYPE_GPU) != 0;
  auto const bytes = [&](cl_device_info what) {
    return static_cast<extent>(number_of<cl_ulong>(device, what));
  };
  d.memory_bytes = bytes(CL_DEVICE_GLOBAL_MEM_SIZE);
  d.largest_buffer = bytes(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
  d.local_bytes = bytes(CL_DEVICE_LOCAL_MEM_SIZE);
  d.max_group = static_cast<extent>(number_of<std::size_t>(device, CL_DEVICE_MAX_WORK_GROUP_SIZE));
  d.argument_bytes = static_cast<extent>(
      number_of<std::size_t>(device, CL_DEVICE_MAX_PARAMETER_SIZE));
  d.compute_units = static_cast<int>(number_of<cl_uint>(device, CL_DEVICE_MAX_COMPUTE_UNITS));
  d.has_double = number_of<cl_device_fp_config>(device, CL_DEVICE_DOUBLE_FP_CONFIG) != 0;
  d.is_nvidia = d.vendor.find("NVIDIA") != std::string::npos &&
                text_of(device, CL_DEVICE_EXTENSIONS).find("cl_nv_") != std::string::npos;
  auto const single = number_of<cl_device_fp_config>(device, CL_DEVICE_SINGLE_FP_CONFIG);
  d.keeps_subnormals = (single & CL_FP_DENORM) != 0;
  d.divides_correctly = (single & CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT) != 0;
  return d;
}

inline std::vector<cl_device_id> devices_of(cl_platform_id platform) {
  cl_uint count = 0; // some drivers leave it alone when they fail
  if (cl().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 0, nullptr, &count) != 0) return {};
  std::vector<cl_device_id> ids(count);
  if (count == 0 ||
      cl().clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, count, ids.data(), nullptr) != 0)
    return {};
  return ids;
}

// "OpenCL major.minor ...", of 1.2 or later.
inline bool is_new_enough(std::string const& version) {
  int major = 0, minor = 0;
  return std::sscanf(version.c_str(), "OpenCL %d.%d", &major, &minor) == 2 &&
         (major > 1 || (major == 1 && minor >= 2));
}

inline std::vector<found_device> find_devices() {
  std::vector<found_device> found;
  if (library::opened() == nullptr) return found;
  cl_uint count = 0;
  if (cl().clGetPlatformIDs(0, nullptr, &count) != 0 || count == 0) return found;
  std::vector<cl_platform_id> platforms(count);
  if (cl().clGetPlatformIDs(count, platforms.data(), nullptr) != 0) return found;
  for (cl_platform_id platform : platforms)
    for (cl_device_id device : devices_of(platform))
      if (number_of<cl_bool>(device, CL_DEVICE_AVAILABLE) != 0 &&
          number_of<cl_bool>(device, CL_DEVICE_COMPILER_AVAILABLE) != 0 &&
          is_new_enough(text_of(device, CL_DEVICE_VERSION)))
        found.push_back({platform, device, info_of(platform, device)});
  return found;
}

inline std::string lower_case(std::string_view text) {
  std::string lower(text);
  for (char& c : lower)
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  return lower;
}

inline bool is_number(std::string_view text) {
  if (text.starts_with('-')) text.remove_prefix(1); // of no device, but no part of a name either
  return !text.empty() && text.size() < 9 &&
         std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}

// Is `d`, the device number `at`, what the user calls `which`?
inline bool is_called(device_info const& d, std::size_t at, std::string_view which) {
  if (is_number(which)) return std::to_string(at) == which;
  std::string const wanted = lower_case(which);
  if (wanted == "cpu") return d.is_cpu;
  if (wanted == "gpu") return d.is_gpu;
  return !wanted.empty() && (lower_case(d.name).find(wanted) != std::string::npos ||
                             lower_case(d.platform).find(wanted) != std::string::npos);
}

[[noreturn]] inline void raise_no_device(std::vector<found_device> const& found,
                                         std::string_view which) {
  std::string const wanted = "weft: opencl: there is no device \"" + std::string(which) + "\"";
  if (library::opened() == nullptr) raise_long<no_device>(wanted + ": " + library::why_not());
  if (found.empty())
    raise_long<no_device>(wanted + ", and no other; install the device's driver (Debian, for CPUs: "
                                   "pocl-opencl-icd) or look at OCL_ICD_VENDORS");
  std::string text = wanted + "; name one of";
  for (std::size_t i = 0; i < found.size(); ++i)
    text += "\n  " + std::to_string(i) + ": " + described(found[i].info) + " (" +
            found[i].info.platform + ", driver " + found[i].info.driver + ")";
  raise_long<no_device>(text);
}

inline found_device find_device(std::string_view which) {
  std::vector<found_device> found = find_devices();
  for (std::size_t i = 0; i < found.size(); ++i)
    if (is_called(found[i].info, i, which)) return found[i];
  raise_no_device(found, which);
}

} // namespace detail

inline std::vector<device_info> devices() {
  std::vector<device_info> infos;
  for (detail::found_device& d : detail::find_devices()) infos.push_back(std::move(d.info));
  return infos;
}

} // namespace opencl
} // namespace weft::inline v0
