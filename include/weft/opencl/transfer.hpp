// SPDX-License-Identifier: BSL-1.0
// transfer: a copy between host and device under way.
//   transfer t = d.start_read(m, 0, to, bytes);  ...other work...  t.wait();
//   read(m, 0, to, bytes);  transfer t = start_read(m, 0, to, bytes);   // by the memory alone
// Needs: the host's memory until wait() or the destructor, which waits, too. Leaves: the device's
// memory alive as long as the copy runs; reading works when the `device` is gone, too.
#pragma once

#include <weft/opencl/memory.hpp>

#include <utility>

namespace weft::inline v0 {
namespace opencl {

class [[nodiscard]] transfer {
public:
  transfer() = default; // one that is complete
  // enqueue(queue, event)
  template <class Enqueue> transfer(memory const& m, Enqueue const& enqueue) : memory_(m) {
    detail::block& b = *m.held();
    detail::queues& queue = b.core->queue;
    extent const after = b.fresh ? b.used_until : queue.enqueued();
    event_ = queue.transfer(after, b.transfer, enqueue);
  }
  transfer(transfer&& other) noexcept
      : memory_(std::exchange(other.memory_, {})), event_(std::exchange(other.event_, {})) {}
  transfer& operator=(transfer&& other) noexcept {
    transfer old(std::move(*this));
    memory_ = std::exchange(other.memory_, {});
    event_ = std::exchange(other.event_, {});
    return *this;
  }
  ~transfer() {
    if (event_ != nullptr && !detail::process_ending)
      detail::cl().clWaitForEvents(1, &event_->get());
  }

  void wait() {
    if (event_ == nullptr) return;
    memory const copied = std::exchange(memory_, {});
    detail::block& b = *copied.held();
    ++b.core->count.waits;
    b.core->queue.wait(std::exchange(event_, {}), b.transfer);
  }

private:
  memory memory_;
  detail::shared_event event_;
};

namespace detail {

inline std::size_t size(extent bytes) { return static_cast<std::size_t>(bytes); }

// The block of bytes [at, at + bytes) of `m`; null when there are none.
inline block* place(memory const& m, extent at, extent bytes, char const* op) {
  if (at < 0 || bytes < 0 || at > m.size() || bytes > m.size() - at)
    raise<index_error>(message("weft: ")
                           .add(op)
                           .add(": ")
                           .add(bytes)
                           .add(" bytes from ")
                           .add(at)
                           .add(" of a device memory of ")
                           .add(m.size())
                           .add("; stay within it"));
  return bytes == 0 ? nullptr : m.held().get();
}

} // namespace detail

// Waits for everything before it.
inline void read(memory const& from, extent at, void* to, extent bytes) {
  detail::block* const b = detail::place(from, at, bytes, "read");
  if (b == nullptr) return;
  detail::device_core& core = *b->core;
  core.order(*b);
  core.queue.run_and_wait([&](cl_command_queue queue, cl_event* event) {
    detail::check(detail::cl().clEnqueueReadBuffer(queue, b->buffer.get(), CL_FALSE,
                                                   detail::size(at), detail::size(bytes), to, 0,
                                                   nullptr, event),
                  detail::stage::launch, "clEnqueueReadBuffer");
  });
  core.count.bytes_read += bytes;
  ++core.count.waits;
}
// Runs beside launches; the host's memory is the copy's until wait() returns.
[[nodiscard]] inline transfer start_read(memory const& from, extent at, void* to, extent bytes) {
  detail::block* const b = detail::place(from, at, bytes, "read");
  if (b == nullptr) return {};
  b->core->count.bytes_read += bytes;
  return transfer(from, [&](cl_command_queue queue, cl_event* event) {
    detail::check(detail::cl().clEnqueueReadBuffer(queue, b->buffer.get(), CL_FALSE,
                                                   detail::size(at), detail::size(bytes), to, 0,
                                                   nullptr, event),
                  detail::stage::launch, "clEnqueueReadBuffer");
  });
}

} // namespace opencl
} // namespace weft::inline v0
