// SPDX-License-Identifier: BSL-1.0
// handle: owns one OpenCL object (context, queue, buffer, program, kernel, event).
//   cl_event made = nullptr;  ...  handle done(made);  cl().clWaitForEvents(1, &done.get());
// Needs: the library open. Leaves: the object released once, except when the process is ending:
// what a driver needs may then be destroyed already (PoCL's compiler is).
#pragma once

#include <weft/core/extents.hpp>
#include <weft/opencl/library.hpp>

#include <atomic>
#include <utility>

namespace weft::inline v0 {
namespace opencl::detail {

inline void release(cl_context h) { cl().clReleaseContext(h); }
inline void release(cl_command_queue h) { cl().clReleaseCommandQueue(h); }
inline void release(cl_mem h) { cl().clReleaseMemObject(h); }
inline void release(cl_program h) { cl().clReleaseProgram(h); }
inline void release(cl_kernel h) { cl().clReleaseKernel(h); }
inline void release(cl_event h) { cl().clReleaseEvent(h); }

inline std::atomic<extent> handles_alive = 0;    // of the process: what a test of leaks looks at
inline std::atomic<bool> process_ending = false; // set by at_exit (queues.hpp)

template <class T> class handle {
public:
  handle() = default;
  explicit handle(T object) : object_(object) {
    if (object != nullptr) ++handles_alive;
  }
  handle(handle&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  handle& operator=(handle&& other) noexcept {
    handle old(std::move(*this));
    object_ = std::exchange(other.object_, nullptr);
    return *this;
  }
  ~handle() {
    if (object_ == nullptr) return;
    --handles_alive;
    if (!process_ending) release(object_);
  }

  T const& get() const { return object_; }
  explicit operator bool() const { return object_ != nullptr; }

private:
  T object_ = nullptr;
};

} // namespace opencl::detail
} // namespace weft::inline v0
