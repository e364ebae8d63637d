// SPDX-License-Identifier: BSL-1.0
// What can go wrong with a device: exceptions whose texts may be long (a build log, the devices
// there are), and the table of the OpenCL API's error codes.
//   weft: opencl: clEnqueueNDRangeKernel of 'sum' gives CL_INVALID_WORK_GROUP_SIZE; ...
// Needs: nothing of OpenCL. Leaves: every code becomes one of these classes or usage_error.
#pragma once

#include <weft/core/error.hpp>

#include <memory>
#include <string>

namespace weft::inline v0 {
namespace opencl {

// Copies share the text: copying an exception must not throw.
class device_error : public error {
public:
  explicit device_error(std::string const& text)
      : error(message(text.c_str())), text_(std::make_shared<std::string const>(text)) {}
  char const* what() const noexcept override { return text_->c_str(); }

private:
  std::shared_ptr<std::string const> text_;
};
struct no_device : device_error {
  using device_error::device_error;
}; // no library, no platform, no device that is wanted
struct build_error : device_error {
  using device_error::device_error;
}; // a program that the driver's compiler refuses
struct device_lost : device_error {
  using device_error::device_error;
}; // the driver gave up: nothing of this device works any more
struct out_of_memory : device_error {
  using device_error::device_error;
}; // of the device, or of the host for the device's sake
struct launch_error : device_error {
  using device_error::device_error;
}; // groups, local memory or arguments that the device cannot run

// Where exceptions are off the handler gets as much of the text as error holds.
template <class Error> [[noreturn]] WEFT_NOINLINE void raise_long(std::string const& text) {
#if WEFT_EXCEPTIONS
  throw Error(text);
#else
  raise<error>(message(text.c_str()));
#endif
}

namespace detail {

// What was under way: drivers give CL_OUT_OF_RESOURCES for a group that is too large, for memory
// that is used up and for a kernel that faulted.
enum class stage { prepare, allocate, build, launch, wait };

enum class failure { device, lost, memory, build, launch, call, by_stage };

struct error_code {
  int code;
  char const* name;
  failure is;
};

inline constexpr error_code error_codes[] = {
    {-1, "CL_DEVICE_NOT_FOUND", failure::device},
    {-2, "CL_DEVICE_NOT_AVAILABLE", failure::device},
    {-3, "CL_COMPILER_NOT_AVAILABLE", failure::device},
    {-4, "CL_MEM_OBJECT_ALLOCATION_FAILURE", failure::memory},
    {-5, "CL_OUT_OF_RESOURCES", failure::by_stage},
    {-6, "CL_OUT_OF_HOST_MEMORY", failure::memory},
    {-7, "CL_PROFILING_INFO_NOT_AVAILABLE", failure::call},
    {-8, "CL_MEM_COPY_OVERLAP", failure::call},
    {-9, "CL_IMAGE_FORMAT_MISMATCH", failure::call},
    {-10, "CL_IMAGE_FORMAT_NOT_SUPPORTED", failure::call},
    {-11, "CL_BUILD_PROGRAM_FAILURE", failure::build},
    {-12, "CL_MAP_FAILURE", failure::memory},
    {-13, "CL_MISALIGNED_SUB_BUFFER_OFFSET", failure::call},
    {-14, "CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST", failure::lost},
    {-15, "CL_COMPILE_PROGRAM_FAILURE", failure::build},
    {-16, "CL_LINKER_NOT_AVAILABLE", failure::build},
    {-17, "CL_LINK_PROGRAM_FAILURE", failure::build},
    {-18, "CL_DEVICE_PARTITION_FAILED", failure::call},
    {-19, "CL_KERNEL_ARG_INFO_NOT_AVAILABLE", failure::call},
    {-30, "CL_INVALID_VALUE", failure::call},
    {-31, "CL_INVALID_DEVICE_TYPE", failure::call},
    {-32, "CL_INVALID_PLATFORM", failure::device},
    {-33, "CL_INVALID_DEVICE", failure::device},
    {-34, "CL_INVALID_CONTEXT", failure::lost},
    {-35, "CL_INVALID_QUEUE_PROPERTIES", failure::call},
    {-36, "CL_INVALID_COMMAND_QUEUE", failure::lost},
    {-37, "CL_INVALID_HOST_PTR", failure::call},
    {-38, "CL_INVALID_MEM_OBJECT", failure::call},
    {-39, "CL_INVALID_IMAGE_FORMAT_DESCRIPTOR", failure::call},
    {-40, "CL_INVALID_IMAGE_SIZE", failure::call},
    {-41, "CL_INVALID_SAMPLER", failure::call},
    {-42, "CL_INVALID_BINARY", failure::build},
    {-43, "CL_INVALID_BUILD_OPTIONS", failure::build},
    {-44, "CL_INVALID_PROGRAM", failure::build},
    {-45, "CL_INVALID_PROGRAM_EXECUTABLE", failure::build},
    {-46, "CL_INVALID_KERNEL_NAME", failure::build},
    {-47, "CL_INVALID_KERNEL_DEFINITION", failure::build},
    {-48, "CL_INVALID_KERNEL", failure::call},
    {-49, "CL_INVALID_ARG_INDEX", failure::call},
    {-50, "CL_INVALID_ARG_VALUE", failure::call},
    {-51, "CL_INVALID_ARG_SIZE", failure::call},
    {-52, "CL_INVALID_KERNEL_ARGS", failure::launch},
    {-53, "CL_INVALID_WORK_DIMENSION", failure::launch},
    {-54, "CL_INVALID_WORK_GROUP_SIZE", failure::launch},
    {-55, "CL_INVALID_WORK_ITEM_SIZE", failure::launch},
    {-56, "CL_INVALID_GLOBAL_OFFSET", failure::launch},
    {-57, "CL_INVALID_EVENT_WAIT_LIST", failure::call},
    {-58, "CL_INVALID_EVENT", failure::call},
    {-59, "CL_INVALID_OPERATION", failure::call},
    {-60, "CL_INVALID_GL_OBJECT", failure::call},
    {-61, "CL_INVALID_BUFFER_SIZE", failure::memory},
    {-62, "CL_INVALID_MIP_LEVEL", failure::call},
    {-63, "CL_INVALID_GLOBAL_WORK_SIZE", failure::launch},
    {-64, "CL_INVALID_PROPERTY", failure::call},
    {-65, "CL_INVALID_IMAGE_DESCRIPTOR", failure::call},
    {-66, "CL_INVALID_COMPILER_OPTIONS", failure::build},
    {-67, "CL_INVALID_LINKER_OPTIONS", failure::build},
    {-68, "CL_INVALID_DEVICE_PARTITION_COUNT", failure::call},
    {-1001, "CL_PLATFORM_NOT_FOUND_KHR", failure::device},
};

// A code that is in no table is a driver's own, such as NVIDIA's -9999 for an illegal access.
inline error_code row_of(int code) {
  for (error_code const& row : error_codes)
    if (row.code == code) return row;
  return {code, "an error code of the driver's own", failure::lost};
}

inline failure failure_at(error_code const& row, stage at) {
  if (row.is != failure::by_stage) return row.is;
  switch (at) {
    case stage::launch: return failure::launch;
    case stage::wait: return failure::lost;
    case stage::build: return failure::build;
    case stage::prepare:
    case stage::allocate: break;
  }
  return failure::memory;
}

// What to do about a program that does not build: whoever wrote it knows.
inline constexpr char const* advice_to_callers = "correct the source and the name of the kernel";
inline constexpr char const* advice_on_own = "this text is weft's: please report it with the log";

// `what` says the call and its subject: "clEnqueueNDRangeKernel of 'sum'".
[[noreturn]] inline void fail(int code, stage at, std::string const& what,
                              char const* build_advice = advice_to_callers) {
  error_code const row = row_of(code);
  std::string const text = "weft: opencl: " + what + " gives " + row.name + " (" +
                           std::to_string(code) + "); ";
  switch (failure_at(row, at)) {
    case failure::device: raise_long<no_device>(text + "look whether `clinfo` shows the device");
    case failure::memory:
      raise_long<out_of_memory>(text + "work on less at a time, or release results");
    case failure::build: raise_long<build_error>(text + build_advice);
    case failure::launch:
      raise_long<launch_error>(
          text + "use smaller groups, fewer items or less local memory, and set every argument" +
          (row.is == failure::by_stage ? "; or memory is used up: release results" : ""));
    case failure::call:
      raise<usage_error>(message(text.c_str()).add("look at the arguments of this call"));
    case failure::lost:
    case failure::by_stage: break;
  }
  raise_long<device_lost>(text + "open the device again; if it happens again, restart the driver");
}

inline void check(int code, stage at, char const* what) {
  if (code != 0) [[unlikely]]
    fail(code, at, what);
}

} // namespace detail
} // namespace opencl
} // namespace weft::inline v0
