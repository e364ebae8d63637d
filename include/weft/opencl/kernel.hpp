// SPDX-License-Identifier: BSL-1.0
// kernel: a kernel of a program with arguments of its own. Two threads need two kernels: setting
// the arguments of one is not safe.
//   kernel k = d.build(source, "add");  k.set(0, a);  k.set(1, std::int32_t{n});  d.launch(k, ...);
// Needs: every argument set before the launch, and memory that lives until the launch is enqueued.
// Leaves: memory of another device is refused; transfers of a memory that were started before it is
// set are complete before the launch runs.
#pragma once

#include <weft/opencl/memory.hpp>

#include <cstdint>
#include <memory>
#include <string>

namespace weft::inline v0 {
namespace opencl {

namespace detail {

[[noreturn]] inline void raise_other_device(char const* what) {
  raise<usage_error>(
      message("weft: opencl: '")
          .add(what)
          .add("' is given memory or a kernel that another opened device made, or none; use what "
               "this device's allocate and build return"));
}

} // namespace detail

class kernel {
public:
  kernel() = default;
  kernel(std::shared_ptr<detail::device_core> const& core, cl_program program, std::string name,
         char const* build_advice)
      : core_(core), name_(std::move(name)) {
    cl_int code = 0;
    cl_kernel const made = detail::cl().clCreateKernel(program, name_.c_str(), &code);
    if (code != 0)
      detail::fail(code, detail::stage::build, "clCreateKernel of '" + name_ + "'", build_advice);
    kernel_ = detail::handle(made);
  }

  void set(int i, memory const& m) {
    if (m.empty())
      raise<usage_error>(message("weft: opencl: argument ")
                             .add(i)
                             .add(" of '")
                             .add(name_.c_str())
                             .add("' is an empty memory; give it what allocate returned"));
    detail::block& b = *m.held();
    if (b.core != core_.get()) detail::raise_other_device(name_.c_str());
    b.core->order(b);
    set_bytes(i, sizeof(cl_mem), &b.buffer.get());
  }
  void set(int i, std::int32_t number) { set_bytes(i, sizeof(number), &number); }
  void set(int i, std::int64_t number) { set_bytes(i, sizeof(number), &number); }
  // NVIDIA's driver takes more local memory than it says there is.
  void set_local(int i, extent bytes) {
    if (bytes <= 0 || (bytes > core_->info->local_bytes && !core_->info->is_nvidia))
      raise_long<launch_error>("weft: opencl: '" + name_ + "' is to have " + std::to_string(bytes) +
                               " bytes of local memory on " + core_->info->name +
                               "; it has from 1 to " + std::to_string(core_->info->local_bytes));
    set_bytes(i, static_cast<std::size_t>(bytes), nullptr);
  }

  // The items of a group that this kernel's registers allow.
  extent max_group() const {
    std::size_t items = 0;
    detail::check(detail::cl().clGetKernelWorkGroupInfo(kernel_.get(), core_->id,
                                                        CL_KERNEL_WORK_GROUP_SIZE, sizeof(items),
                                                        &items, nullptr),
                  detail::stage::prepare, "clGetKernelWorkGroupInfo");
    return static_cast<extent>(items);
  }
  std::string const& name() const { return name_; }
  bool empty() const { return !kernel_; }

  cl_kernel held() const { return kernel_.get(); } // for opencl/ alone
  bool is_of(detail::device_core const& core) const { return core_.get() == &core; }

private:
  void set_bytes(int i, std::size_t bytes, void const* value) {
    cl_int const code = detail::cl().clSetKernelArg(kernel_.get(), static_cast<cl_uint>(i), bytes,
                                                    value);
    if (code != 0) [[unlikely]]
      detail::fail(code, detail::stage::prepare,
                   "clSetKernelArg of argument " + std::to_string(i) + " of '" + name_ + "'");
  }

  std::shared_ptr<detail::device_core> core_;
  detail::handle<cl_kernel> kernel_;
  std::string name_;
};

namespace detail {

// Numbers of a launch, as the API takes them.
struct items {
  int dimensions;
  std::size_t of[3]{};

  items(int count, extent const* from) : dimensions(count) {
    if (count < 1 || count > 3)
      raise<value_error>(
          message("weft: opencl: a launch of ").add(count).add(" dimensions; give it 1 to 3"));
    for (int i = 0; i < count; ++i) {
      if (from[i] < 0)
        raise<value_error>(
            message("weft: opencl: a launch of ").add(from[i]).add(" items; give it 0 or more"));
      of[i] = static_cast<std::size_t>(from[i]);
    }
  }
  bool none() const {
    for (int i = 0; i < dimensions; ++i)
      if (of[i] == 0) return true;
    return false;
  }
  std::string text() const {
    std::string all = "(";
    for (int i = 0; i < dimensions; ++i) all += (i > 0 ? ", " : "") + std::to_string(of[i]);
    return all + ")";
  }
};

[[noreturn]] inline void does_not_launch(cl_int code, kernel const& k, items const& all,
                                         items const* group) {
  fail(code, stage::launch,
       "clEnqueueNDRangeKernel of '" + k.name() + "' with " + all.text() + " items" +
           (group != nullptr ? " in groups of " + group->text() : std::string()) + ", at most " +
           std::to_string(k.max_group()) + " in a group,");
}

} // namespace detail
} // namespace opencl
} // namespace weft::inline v0
