// SPDX-License-Identifier: BSL-1.0
// memory: a shared handle of device memory. Released by its last owner it goes to its device's
// pool, where the next one of its size class finds it: clCreateBuffer is too slow for every step.
//   memory m = d.allocate(1024);  m.size();  m.empty();  m.same_device(other);
// Needs: an opened device (device.hpp). Leaves: memory outlives the `device` it came from, and
// commands that use it may run when it is released: the pool's next owner comes after them.
#pragma once

#include <weft/opencl/devices.hpp>
#include <weft/opencl/queues.hpp>

#include <atomic>
#include <map>
#include <memory>
#include <mutex>

namespace weft::inline v0 {
namespace opencl {

// What a device did since it was opened.
struct counts {
  extent programs_built = 0, programs_loaded = 0; // from source; from the disk cache
  extent buffers_created = 0;
  extent buffers_alive = 0; // owned by somebody: not those in the pool
  extent launches = 0, bytes_written = 0, bytes_read = 0;
  extent waits = 0; // calls that waited for the device
};

namespace detail {

// Sixteen classes per doubling would waste 1/16; these are at most 1/8 above what was asked for.
constexpr extent size_class(extent bytes) {
  extent step = 256;
  while (step < bytes / 16) step *= 2;
  return bytes <= step ? step : (bytes + step - 1) / step * step;
}

class device_core;

struct block {
  device_core* core = nullptr;
  handle<cl_mem> buffer;
  extent bytes = 0;
  block* next = nullptr;          // in the pool
  extent used_until = 0;          // number of the last command that may use it, when it is fresh
  std::atomic<bool> fresh = true; // no command but transfers uses it since it was allocated
  last_transfer transfer;         // that later commands must come after
};

struct atomic_counts {
  std::atomic<extent> programs_built = 0, programs_loaded = 0, buffers_created = 0,
                      buffers_alive = 0, launches = 0, bytes_written = 0, bytes_read = 0, waits = 0;

  counts now() const {
    return {programs_built, programs_loaded, buffers_created, buffers_alive,
            launches,       bytes_written,   bytes_read,      waits};
  }
};

// Blocks that nobody uses, by size class.
class block_pool {
public:
  block_pool() = default;
  block_pool(block_pool const&) = delete;
  block_pool& operator=(block_pool const&) = delete;
  ~block_pool() { clear(); }

  // Null when there is none.
  block* take(extent bytes) {
    std::lock_guard lock(mutex_);
    block*& first = free_[bytes]; // makes the place that give_back needs
    block* const taken = first;
    if (taken != nullptr) first = taken->next;
    return taken;
  }
  void give_back(block* b) {
    std::lock_guard lock(mutex_);
    block*& first = free_.find(b->bytes)->second;
    b->next = first;
    first = b;
  }
  // Comes back: the bytes that went.
  extent clear() {
    std::lock_guard lock(mutex_);
    extent bytes = 0;
    for (auto& [size, first] : free_)
      while (first != nullptr) {
        bytes += size;
        delete std::exchange(first, first->next);
      }
    return bytes;
  }

private:
  std::mutex mutex_;
  std::map<extent, block*> free_;
};

// A context with its queues and its pool: what memory keeps alive.
class device_core {
public:
  explicit device_core(found_device const& found)
      : info(std::make_shared<device_info const>(found.info)), id(found.device),
        context(create_context(found)), queue(context.get(), id) {}
  device_core(device_core const&) = delete;
  device_core& operator=(device_core const&) = delete;

  block* allocate(extent bytes) {
    if (bytes > info->largest_buffer) out_of_size(bytes);
    extent const size = std::min(size_class(bytes), info->largest_buffer);
    block* b = pool_.take(size);
    if (b == nullptr) b = create(size);
    b->fresh = true;
    ++count.buffers_alive;
    return b;
  }
  void take_back(block* b) {
    --count.buffers_alive;
    if (process_ending) return; // no lock either
    b->used_until = queue.enqueued();
    pool_.give_back(b);
  }
  // Gives the pool's memory back to the driver.
  void trim() { bytes_ -= pool_.clear(); }

  // A command of the first queue is about to use `b`.
  void order(block& b) {
    b.fresh.store(false, std::memory_order_relaxed);
    queue.order_after(b.transfer);
  }

  std::shared_ptr<device_info const> const info;
  cl_device_id const id;
  handle<cl_context> const context;
  queues queue;
  atomic_counts count;

private:
  static handle<cl_context> create_context(found_device const& found) {
    cl_context_properties const properties[] = {
        CL_CONTEXT_PLATFORM, reinterpret_cast<cl_context_properties>(found.platform), 0};
    cl_int code = 0;
    cl_context const context = cl().clCreateContext(properties, 1, &found.device, nullptr, nullptr,
                                                    &code);
    check(code, stage::prepare, "clCreateContext");
    return handle(context);
  }

  block* create(extent size) {
    if (bytes_ + size > info->memory_bytes) trim();
    auto b = std::make_unique<block>();
    cl_int code = create_buffer(*b, size);
    if (code != 0) { // memory of the pool may be what is missing
      queue.finish();
      trim();
      code = create_buffer(*b, size);
    }
    if (code != 0) {
      std::string const what = "clCreateBuffer of " + std::to_string(size) + " bytes";
      fail(code, stage::allocate, what);
    }
    bytes_ += size;
    ++count.buffers_created;
    return b.release();
  }
  cl_int create_buffer(block& b, extent size) {
    cl_int code = 0;
    cl_mem const buffer = cl().clCreateBuffer(context.get(), CL_MEM_READ_WRITE,
                                              static_cast<std::size_t>(size), nullptr, &code);
    if (code != 0) return code;
    b.core = this;
    b.bytes = size;
    b.buffer = handle(buffer);
    return code;
  }
  [[noreturn]] void out_of_size(extent bytes) const {
    raise_long<out_of_memory>("weft: opencl: " + std::to_string(bytes) +
                              " bytes are more than one buffer of " + info->name + " can have, " +
                              std::to_string(info->largest_buffer) + "; split the array");
  }

  block_pool pool_;
  std::atomic<extent> bytes_ = 0; // of all buffers
};

struct block_return {
  std::shared_ptr<device_core> core;
  void operator()(block* b) const { core->take_back(b); }
};

} // namespace detail

class memory {
public:
  memory() = default;
  memory(std::shared_ptr<detail::device_core> const& core, extent bytes)
      : block_(core->allocate(bytes), detail::block_return{core}), size_(bytes) {}

  extent size() const { return size_; } // as asked for
  bool empty() const { return block_ == nullptr; }

  // Both were allocated by copies of one device.
  bool same_device(memory const& other) const {
    return !empty() && !other.empty() && block_->core == other.block_->core;
  }

  std::shared_ptr<detail::block> const& held() const { return block_; } // for opencl/ alone

private:
  std::shared_ptr<detail::block> block_;
  extent size_ = 0;
};

} // namespace opencl
} // namespace weft::inline v0
