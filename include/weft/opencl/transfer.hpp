// SPDX-License-Identifier: BSL-1.0
// transfer: a copy between host and device under way.
//   transfer t = d.start_read(m, 0, to, bytes);  ...other work...  t.wait();
// Needs: the host's memory until wait() or the destructor, which waits, too. Leaves: the device's
// memory alive as long as the copy runs.
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
    b.moving = true;
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

} // namespace opencl
} // namespace weft::inline v0
