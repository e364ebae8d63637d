// SPDX-License-Identifier: BSL-1.0
// queues: the order of a device's commands. Launches, copies and reads run one after another in one
// queue; copies that overlap them have a queue of their own, tied to the first one by events.
// Every enqueueing call holds one lock: drivers are known that hang without.
// Needs: a context. Leaves: commands numbered from 1 in their order; `done_` of them are complete.
#pragma once

#include <weft/opencl/error.hpp>
#include <weft/opencl/handle.hpp>

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace weft::inline v0 {
namespace opencl {

struct kernel_time {
  std::string name;
  std::int64_t nanoseconds = 0;
};

namespace detail {

using shared_event = std::shared_ptr<handle<cl_event> const>;

inline shared_event share(cl_event event) {
  return std::make_shared<handle<cl_event> const>(event);
}

// The last transfer of a memory. `moving` is read without the lock: once it is false the barrier
// behind the transfer is enqueued, or the transfer complete.
struct last_transfer {
  shared_event event; // guarded by the queues' lock
  std::atomic<bool> moving = false;
};

class queues;

// The end of the process: first all queues are finished, then nothing of OpenCL is called any more,
// and static objects that still hold handles drop them. What a driver needs is destroyed in the
// reverse order in which it was made, which for PoCL's compiler (LLVM 15) is partly when it first
// builds, and partly when its worker first runs a kernel, which it compiles to the end only then:
// `watch` is called again both times.
class at_exit {
public:
  static void watch() { std::atexit(end); }
  static void add(queues* q) {
    std::lock_guard lock(state().mutex);
    state().all.push_back(q);
  }
  static void remove(queues* q) {
    std::lock_guard lock(state().mutex);
    std::erase(state().all, q);
  }

private:
  struct open_queues {
    std::mutex mutex;
    std::vector<queues*> all;
  };
  static open_queues& state() {
    static open_queues& s = *new open_queues(); // never destroyed
    return s;
  }
  static void end();
};

class queues {
public:
  queues(cl_context context, cl_device_id device)
      : context_(context), device_(device), compute_(create(0)), transfers_(create(0)) {
    at_exit::watch();
    at_exit::add(this);
  }
  queues(queues const&) = delete;
  queues& operator=(queues const&) = delete;
  ~queues() {
    at_exit::remove(this);
    if (!process_ending) finish_quietly();
  }

  // The number of the last command.
  extent enqueued() const {
    std::lock_guard lock(mutex_);
    return last_;
  }

  // enqueue(queue, event): one command behind all others. Its code comes back; where it is not 0
  // nothing was enqueued.
  template <class Enqueue> cl_int run(Enqueue const& enqueue) {
    std::lock_guard lock(mutex_);
    cl_int const code = enqueue(compute_.get(), nullptr);
    if (code == 0) ++last_;
    return code;
  }
  // The same, waited for.
  template <class Enqueue> cl_int run_and_wait(Enqueue const& enqueue) {
    cl_event event = nullptr;
    extent number = 0;
    {
      std::lock_guard lock(mutex_);
      cl_int const code = enqueue(compute_.get(), &event);
      if (code != 0) return code;
      number = ++last_;
    }
    wait_for(handle(event), number);
    return 0;
  }
  // A launch; with its time, when times are taken.
  template <class Enqueue> cl_int launch(std::string const& name, Enqueue const& enqueue) {
    std::lock_guard lock(mutex_);
    cl_event event = nullptr;
    cl_int const code = enqueue(compute_.get(), profiling_ ? &event : nullptr);
    if (code != 0) return code;
    if (event != nullptr) timed_.push_back({name, handle(event)});
    ++last_;
    if (!launched_) watch_first_launch();
    return 0;
  }

  // A command that runs beside those after number `after`, in `slot` besides: what orders later
  // commands behind it. `started` is its event.
  template <class Enqueue>
  cl_int transfer(extent after, last_transfer& slot, shared_event& started,
                  Enqueue const& enqueue) {
    std::lock_guard lock(mutex_);
    shared_event const before = complete_after(after);
    if (marked_ < last_) mark(); // so that the next transfer need not wait for what comes now
    if (before != nullptr) barrier(transfers_.get(), *before);
    cl_event event = nullptr;
    cl_int const code = enqueue(transfers_.get(), &event);
    if (code != 0) return code;
    slot.event = started = share(event);
    slot.moving = true;
    cl().clFlush(transfers_.get());
    return 0;
  }
  // Commands from now on come after the transfer in `slot`, which is forgotten; those of a thread
  // that finds it forgotten, too.
  void order_after(last_transfer& slot) {
    if (!slot.moving) return;
    std::lock_guard lock(mutex_);
    if (!slot.moving) return;
    barrier(compute_.get(), *slot.event);
    forget(slot);
  }
  // Waits for a transfer; a slot that still holds it is forgotten.
  void wait(shared_event const& event, last_transfer& slot) {
    check(cl().clWaitForEvents(1, &event->get()), stage::wait, "clWaitForEvents of a copy");
    std::lock_guard lock(mutex_);
    if (slot.event == event) forget(slot);
  }

  void flush() {
    std::lock_guard lock(mutex_);
    check(cl().clFlush(compute_.get()), stage::wait, "clFlush");
  }
  void finish() {
    extent number = 0;
    cl_event event = nullptr;
    {
      std::lock_guard lock(mutex_);
      check(cl().clEnqueueMarkerWithWaitList(compute_.get(), 0, nullptr, &event), stage::launch,
            "clEnqueueMarkerWithWaitList");
      number = last_;
    }
    wait_for(handle(event), number);
    check(cl().clFinish(transfers_.get()), stage::wait, "clFinish");
  }
  void finish_quietly() const {
    cl().clFinish(compute_.get());
    cl().clFinish(transfers_.get());
  }

  // A queue that takes times costs each launch a little, so there is one for that alone.
  void start_profile() { change_queue(true); }
  std::vector<kernel_time> stop_profile() {
    change_queue(false);
    std::lock_guard lock(mutex_);
    std::vector<kernel_time> times;
    times.reserve(timed_.size());
    for (timed const& t : timed_) times.push_back({t.name, nanoseconds(t.event.get())});
    timed_.clear();
    return times;
  }

  // The same where the times are not wanted; raises nothing.
  void drop_profile() noexcept {
    std::lock_guard lock(mutex_);
    timed_.clear();
    profiling_ = false; // of a queue that still takes times, if there is no other
    if (cl().clFinish(compute_.get()) != 0) return;
    done_ = last_;
    cl_int code = 0;
    cl_command_queue const plain = cl().clCreateCommandQueue(context_, device_, 0, &code);
    if (code == 0) compute_ = handle(plain);
  }

private:
  struct timed {
    std::string name;
    handle<cl_event> event;
  };

  handle<cl_command_queue> create(cl_command_queue_properties properties) const {
    cl_int code = 0;
    cl_command_queue const queue = cl().clCreateCommandQueue(context_, device_, properties, &code);
    check(code, stage::prepare, "clCreateCommandQueue");
    return handle(queue);
  }

  static void forget(last_transfer& slot) {
    slot.event = nullptr;
    slot.moving = false;
  }
  static void barrier(cl_command_queue queue, handle<cl_event> const& event) {
    check(cl().clEnqueueBarrierWithWaitList(queue, 1, &event.get(), nullptr), stage::launch,
          "clEnqueueBarrierWithWaitList");
  }
  // Null when the first `number` commands are known to be complete.
  shared_event complete_after(extent number) {
    if (number <= done_) return nullptr;
    if (marked_ < number) mark();
    return marker_;
  }
  void mark() {
    cl_event event = nullptr;
    check(cl().clEnqueueMarkerWithWaitList(compute_.get(), 0, nullptr, &event), stage::launch,
          "clEnqueueMarkerWithWaitList");
    marker_ = share(event);
    marked_ = last_;
    cl().clFlush(compute_.get()); // another queue waits for it
  }
  void wait_for(handle<cl_event> const& event, extent number) {
    check(cl().clWaitForEvents(1, &event.get()), stage::wait, "clWaitForEvents");
    std::lock_guard lock(mutex_);
    done_ = std::max(done_, number);
  }

  void change_queue(bool profiling) {
    std::lock_guard lock(mutex_);
    check(cl().clFinish(compute_.get()), stage::wait, "clFinish");
    done_ = last_;
    compute_ = create(profiling ? CL_QUEUE_PROFILING_ENABLE : 0);
    profiling_ = profiling;
  }
  static std::int64_t nanoseconds(cl_event event) {
    cl_ulong start = 0, end = 0;
    auto const ask = [&](cl_profiling_info what, cl_ulong& to) {
      check(cl().clGetEventProfilingInfo(event, what, sizeof(to), &to, nullptr), stage::wait,
            "clGetEventProfilingInfo");
    };
    ask(CL_PROFILING_COMMAND_START, start);
    ask(CL_PROFILING_COMMAND_END, end);
    return static_cast<std::int64_t>(end - start);
  }

  // What the worker makes during the first launch must be there before the handler, which else would
  // come too late: the first launch is waited for.
  WEFT_NOINLINE void watch_first_launch() {
    cl().clFinish(compute_.get());
    at_exit::watch();
    launched_ = true;
  }

  cl_context context_;
  cl_device_id device_;
  mutable std::mutex mutex_;
  handle<cl_command_queue> compute_, transfers_;
  bool launched_ = false;
  extent last_ = 0, done_ = 0;
  shared_event marker_; // complete with the first marked_ commands
  extent marked_ = 0;
  bool profiling_ = false;
  std::vector<timed> timed_;
};

inline void at_exit::end() {
  if (process_ending) return;
  std::lock_guard lock(state().mutex);
  for (queues const* q : state().all) q->finish_quietly();
  process_ending = true;
}

} // namespace detail
} // namespace opencl
} // namespace weft::inline v0
