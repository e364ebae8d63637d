// SPDX-License-Identifier: BSL-1.0
// device: an opened OpenCL device: memory, copies, kernels, launches. Copies of a `device` share
// all of it and may be used by several threads; what was opened twice shares nothing.
//   device d("gpu");  memory m = d.allocate(64);  d.write(m, 0, host, 64);
//   kernel k = d.build(source, "twice");  k.set(0, m);  extent const items[] = {16};
//   d.launch(k, 1, items, nullptr);  d.read(m, 0, host, 64);
// Needs: CL/cl.h and CL/cl_icd.h to compile, nothing to link; no_device where there is none.
// Leaves: commands run in the order of the calls; nothing waits but read, write, finish,
// start_profile, stop_profile, drop_profile and transfer::wait, and every command where memory is
// used up.
#pragma once

#include <weft/opencl/kernel.hpp>
#include <weft/opencl/programs.hpp>
#include <weft/opencl/transfer.hpp>

#include <algorithm>
#include <cstddef>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::inline v0 {
namespace opencl {

class device {
public:
  explicit device(int index = 0) : device(std::string_view(std::to_string(index))) {}
  // "cpu", "gpu", a number of devices(), or a part of a device's or platform's name.
  explicit device(std::string_view which)
      : shared_(std::make_shared<state>(detail::find_device(which))) {}

  device_info const& info() const { return *core().info; }

  // Contents are undefined. 0 bytes are a memory, too.
  memory allocate(extent bytes) {
    if (bytes < 0)
      raise<value_error>(
          message("weft: opencl: a memory of ").add(bytes).add(" bytes; its size is 0 or more"));
    return memory(shared_->core, bytes);
  }
  // Back to the driver with what the pool holds.
  void trim() { core().trim(); }

  // The source may be changed on return. Waits for the copy, and for earlier commands only when
  // they may use the memory.
  void write(memory const& to, extent at, void const* from, extent bytes) {
    start_write(to, at, from, bytes).wait();
  }
  // Waits for everything before it.
  void read(memory const& from, extent at, void* to, extent bytes) {
    if (place(from, at, bytes, "read") != nullptr) opencl::read(from, at, to, bytes);
  }
  // A few bytes, in order with the launches: the source may be changed on return, and nothing waits.
  // (A pattern of up to 128 bytes is the command's own.)
  void put(memory const& to, extent at, void const* from, extent bytes) {
    detail::block* const b = place(to, at, bytes, "write");
    if (b == nullptr) return;
    core().order(*b);
    core().count.bytes_written += bytes;
    auto const* source = static_cast<std::byte const*>(from);
    for (extent part = 0; bytes > 0; source += part, at += part, bytes -= part) {
      for (part = 128; part > bytes || at % part != 0;) part /= 2;
      run("clEnqueueFillBuffer", [&](cl_command_queue queue, cl_event* event) {
        return detail::cl().clEnqueueFillBuffer(queue, b->buffer.get(), source, size(part),
                                                size(at), size(part), 0, nullptr, event);
      });
    }
  }

  // As put: in order with the launches, and nothing waits. In parts whose bytes fit in 32 bits.
  void fill_zeros(memory const& to, extent at, extent bytes) {
    detail::block* const b = place(to, at, bytes, "write");
    if (b == nullptr) return;
    core().order(*b);
    static constexpr std::byte zeros[16]{};
    for (extent part = 0; bytes > 0; at += part, bytes -= part) {
      extent const pattern = at % 16 == 0 && bytes >= 16 ? 16 : 1;
      part = std::min(bytes / pattern * pattern, most_filled);
      run("clEnqueueFillBuffer", [&](cl_command_queue queue, cl_event* event) {
        return detail::cl().clEnqueueFillBuffer(queue, b->buffer.get(), zeros, size(pattern),
                                                size(at), size(part), 0, nullptr, event);
      });
    }
  }
  static constexpr extent most_filled = extent{1} << 30; // by one command

  // Copies that run beside launches. The host's memory stays as it is until wait() returns; kernels
  // that are given the device's memory from now on come after the copy.
  [[nodiscard]] transfer start_write(memory const& to, extent at, void const* from, extent bytes) {
    detail::block* const b = place(to, at, bytes, "write");
    if (b == nullptr) return {};
    core().count.bytes_written += bytes;
    return transfer(to, "clEnqueueWriteBuffer", [&](cl_command_queue queue, cl_event* event) {
      return detail::cl().clEnqueueWriteBuffer(queue, b->buffer.get(), CL_FALSE, size(at),
                                               size(bytes), from, 0, nullptr, event);
    });
  }
  [[nodiscard]] transfer start_read(memory const& from, extent at, void* to, extent bytes) {
    if (place(from, at, bytes, "read") == nullptr) return {};
    return opencl::start_read(from, at, to, bytes);
  }

  // On the device, in order. Parts of one memory must not overlap.
  void copy(memory const& from, extent from_at, memory const& to, extent to_at, extent bytes) {
    detail::block* const source = place(from, from_at, bytes, "copy");
    detail::block* const target = place(to, to_at, bytes, "copy");
    if (source == nullptr || target == nullptr) return;
    core().order(*source);
    core().order(*target);
    run("clEnqueueCopyBuffer", [&](cl_command_queue queue, cl_event* event) {
      return detail::cl().clEnqueueCopyBuffer(queue, source->buffer.get(), target->buffer.get(),
                                              size(from_at), size(to_at), size(bytes), 0, nullptr,
                                              event);
    });
  }

  // A kernel of the caller's own; its program is built once and kept on disk (program_cache.hpp).
  // `build_advice` is what an error says to do about a text that does not build.
  kernel build(std::string const& source, std::string const& name,
               char const* build_advice = detail::advice_to_callers) {
    detail::shared_program const program = shared_->built.get(source, name, build_advice);
    return kernel(shared_->core, program->get(), name, build_advice);
  }

  // Why built programs are not kept on disk; empty where they are.
  std::string why_not_kept() const { return shared_->built.why_not_kept(); }

  // `global` and `local` have `dimensions` numbers; a null `local` leaves groups to the driver.
  // Nothing runs where a number of items is 0.
  void launch(kernel const& k, int dimensions, extent const* global, extent const* local) {
    if (k.empty() || !k.is_of(core())) detail::raise_other_device(k.name().c_str());
    bool const grouped = local != nullptr;
    detail::items const all(dimensions, global), group(dimensions, grouped ? local : global);
    if (all.none()) return;
    auto const enqueue = [&](cl_command_queue queue, cl_event* event) {
      return detail::cl().clEnqueueNDRangeKernel(queue, k.held(), static_cast<cl_uint>(dimensions),
                                                 nullptr, all.of, grouped ? group.of : nullptr, 0,
                                                 nullptr, event);
    };
    cl_int const code = core().with_room([&] { return core().queue.launch(k.name(), enqueue); });
    if (code != 0) [[unlikely]]
      detail::does_not_launch(code, k, all, grouped ? &group : nullptr);
    ++core().count.launches;
  }

  void flush() { core().queue.flush(); }
  void finish() {
    core().queue.finish();
    ++core().count.waits;
  }

  counts counted() const { return core().count.now(); }

  // Times of the launches between the two, in order.
  void start_profile() { core().queue.start_profile(); }
  std::vector<kernel_time> stop_profile() { return core().queue.stop_profile(); }
  void drop_profile() noexcept { core().queue.drop_profile(); }

  // What layers above keep with the device: one T per name, made when it is first asked for, gone
  // with the last copy of the device. It may hold memory, kernels and `unowned` devices, but no other.
  template <class T, class Make>
  std::shared_ptr<T> kept(std::string const& name, Make const& make) {
    static char const type = 0; // its address tells types apart
    return std::static_pointer_cast<T>(
        kept_as({&type, name}, [&]() -> std::shared_ptr<void> { return make(); }));
  }

  bool same_as(device const& other) const { return shared_ == other.shared_; }
  bool owns(memory const& m) const { return !m.empty() && m.held()->core == &core(); }
  // The same device, which this handle does not keep open: for what `kept` keeps.
  device unowned() const {
    device d(*this);
    d.shared_ = std::shared_ptr<state>(std::shared_ptr<void>(), shared_.get());
    return d;
  }

private:
  using kept_name = std::pair<void const*, std::string>;

  struct state {
    explicit state(detail::found_device const& found)
        : core(std::make_shared<detail::device_core>(found)), built(*core) {}
    std::shared_ptr<detail::device_core> const core;
    detail::programs built;
    std::mutex mutex;
    std::map<kept_name, std::shared_ptr<void>> kept;
  };

  detail::device_core& core() const { return *shared_->core; }
  static std::size_t size(extent bytes) { return detail::size(bytes); }

  // enqueue(queue, event), a call of `name`: a command behind all others.
  template <class Enqueue> void run(char const* name, Enqueue const& enqueue) {
    detail::check(core().with_room([&] { return core().queue.run(enqueue); }),
                  detail::stage::launch, name);
  }

  // The block of these bytes of this device's memory; null when there are none.
  detail::block* place(memory const& m, extent at, extent bytes, char const* op) const {
    detail::block* const b = detail::place(m, at, bytes, op);
    if (b != nullptr && !owns(m)) detail::raise_other_device(op);
    return b;
  }

  // `make` runs without the lock: it may use the device. The first one made stays.
  std::shared_ptr<void> kept_as(kept_name const& name,
                                std::function<std::shared_ptr<void>()> const& make) {
    {
      std::lock_guard lock(shared_->mutex);
      auto const found = shared_->kept.find(name);
      if (found != shared_->kept.end()) return found->second;
    }
    std::shared_ptr<void> made = make();
    std::lock_guard lock(shared_->mutex);
    return shared_->kept.emplace(name, std::move(made)).first->second;
  }

  std::shared_ptr<state> shared_;
};

} // namespace opencl
} // namespace weft::inline v0
