// SPDX-License-Identifier: BSL-1.0
// library: the functions of OpenCL 1.2 that weft calls, found at run time: a program needs no
// OpenCL to link or to start. Looked for, in order: $WEFT_OPENCL_LIBRARY (where it is set and not
// empty: nothing else), the loader libOpenCL.so.1, a driver itself (those that /etc/OpenCL/vendors
// names, then NVIDIA's).
//   if (library const* l = library::opened()) l->call.clGetPlatformIDs(0, nullptr, &count);
// Needs: CL/cl.h, CL/cl_icd.h (types alone). Leaves: the library stays open until the process ends.
#pragma once

#include <weft/core/config.hpp>

#if !defined(CL_TARGET_OPENCL_VERSION)
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>
#include <CL/cl_icd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dirent.h>
#include <dlfcn.h>
#include <string>
#include <vector>

namespace weft::inline v0 {
namespace opencl::detail {

// The table that every driver hands to a loader has all functions with their types.
using functions = cl_icd_dispatch;

class library {
public:
  functions call{};

  // Null where there is none; why_not() then says what was looked for, and what to do.
  static library const* opened() {
    library const& l = the_one();
    return l.call.clGetPlatformIDs != nullptr ? &l : nullptr;
  }
  static std::string const& why_not() { return the_one().why_not_; }

private:
  // Never destroyed: handles of static objects are released after everything else.
  static library const& the_one() {
    static library const& l = *new library();
    return l;
  }

  library() {
    char const* const own = std::getenv("WEFT_OPENCL_LIBRARY");
    if (own != nullptr && *own != '\0') {
      if (!open(own))
        why_not_ = std::string("WEFT_OPENCL_LIBRARY (") + own + ") is no OpenCL" +
                   (failed_.empty() ? "" : ": " + failed_) + "; correct it, or unset it";
      return;
    }
    for (char const* name : {"libOpenCL.so.1", "libOpenCL.so"})
      if (open(name)) return;
    for (std::string const& name : drivers())
      if (open(name.c_str())) return;
    why_not_ =
        "neither libOpenCL.so.1 nor a driver can be opened; install the device's driver and a "
        "loader (Debian: ocl-icd-libopencl1; for CPUs pocl-opencl-icd), or name a library in "
        "WEFT_OPENCL_LIBRARY";
  }

  bool open(char const* name) {
    void* const handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      char const* const why = dlerror();
      failed_ = why != nullptr ? why : "";
      return false;
    }
    return from_loader(handle) || from_driver(handle);
  }

  // A loader exports every function.
  bool from_loader(void* handle) {
    bool all = true;
    auto const find = [&](char const* name, auto& function) {
      void* const found = dlsym(handle, name);
      static_assert(sizeof(found) == sizeof(function));
      std::memcpy(&function, &found, sizeof(found));
      all = all && found != nullptr;
    };
    functions t{};
    find("clGetPlatformIDs", t.clGetPlatformIDs);
    find("clGetPlatformInfo", t.clGetPlatformInfo);
    find("clGetDeviceIDs", t.clGetDeviceIDs);
    find("clGetDeviceInfo", t.clGetDeviceInfo);
    find("clCreateContext", t.clCreateContext);
    find("clReleaseContext", t.clReleaseContext);
    find("clCreateCommandQueue", t.clCreateCommandQueue);
    find("clReleaseCommandQueue", t.clReleaseCommandQueue);
    find("clFlush", t.clFlush);
    find("clFinish", t.clFinish);
    find("clCreateBuffer", t.clCreateBuffer);
    find("clReleaseMemObject", t.clReleaseMemObject);
    find("clEnqueueReadBuffer", t.clEnqueueReadBuffer);
    find("clEnqueueWriteBuffer", t.clEnqueueWriteBuffer);
    find("clEnqueueCopyBuffer", t.clEnqueueCopyBuffer);
    find("clEnqueueFillBuffer", t.clEnqueueFillBuffer);
    find("clCreateProgramWithSource", t.clCreateProgramWithSource);
    find("clCreateProgramWithBinary", t.clCreateProgramWithBinary);
    find("clBuildProgram", t.clBuildProgram);
    find("clGetProgramInfo", t.clGetProgramInfo);
    find("clGetProgramBuildInfo", t.clGetProgramBuildInfo);
    find("clReleaseProgram", t.clReleaseProgram);
    find("clCreateKernel", t.clCreateKernel);
    find("clSetKernelArg", t.clSetKernelArg);
    find("clGetKernelWorkGroupInfo", t.clGetKernelWorkGroupInfo);
    find("clReleaseKernel", t.clReleaseKernel);
    find("clEnqueueNDRangeKernel", t.clEnqueueNDRangeKernel);
    find("clEnqueueMarkerWithWaitList", t.clEnqueueMarkerWithWaitList);
    find("clEnqueueBarrierWithWaitList", t.clEnqueueBarrierWithWaitList);
    find("clWaitForEvents", t.clWaitForEvents);
    find("clGetEventProfilingInfo", t.clGetEventProfilingInfo);
    find("clReleaseEvent", t.clReleaseEvent);
    if (all) call = t;
    return all;
  }

  // A driver alone: its objects begin with a pointer to its own table.
  bool from_driver(void* handle) {
    using find = void*(CL_API_CALL*)(char const*);
    auto const extension = reinterpret_cast<find>(dlsym(handle, "clGetExtensionFunctionAddress"));
    if (extension == nullptr) return false;
    auto const platforms = reinterpret_cast<cl_api_clGetPlatformIDs>(
        extension("clIcdGetPlatformIDsKHR"));
    cl_platform_id first = nullptr;
    cl_uint count = 0;
    if (platforms == nullptr || platforms(1, &first, &count) != 0 || count == 0) return false;
    call = **reinterpret_cast<functions* const*>(first);
    call.clGetPlatformIDs = platforms;
    return true;
  }

  static std::vector<std::string> drivers() {
    std::vector<std::string> names;
    std::string const folder = "/etc/OpenCL/vendors";
    if (DIR* const listing = opendir(folder.c_str())) {
      while (dirent const* entry = readdir(listing))
        if (std::string const name = entry->d_name; name.size() > 4 && name.ends_with(".icd"))
          names.push_back(first_line(folder + "/" + name));
      closedir(listing);
    }
    names.emplace_back("libnvidia-opencl.so.1");
    return names;
  }
  static std::string first_line(std::string const& path) {
    char line[1024]{};
    if (std::FILE* const file = std::fopen(path.c_str(), "re")) {
      if (std::fgets(line, sizeof(line), file) == nullptr) line[0] = '\0';
      std::fclose(file);
    }
    line[std::strcspn(line, " \t\r\n")] = '\0';
    return line;
  }

  std::string why_not_, failed_; // what dlopen said last
};

// Of a library that is known to be there: whoever has a handle came through opened().
inline functions const& cl() { return library::opened()->call; }

} // namespace opencl::detail
} // namespace weft::inline v0
