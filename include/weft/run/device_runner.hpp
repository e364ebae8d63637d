// SPDX-License-Identifier: BSL-1.0
// device_runner: a program with what one thread keeps for it on one device, whatever the program's
// types: an engine per binding of names, a memory for small arguments, the host arrays that are
// still being copied. Runners are kept with the device and lent to threads (runner_on): a thread
// that ends gives its own back.
// Needs: arguments in the program's order. Leaves: in steady state no buffer is created and nothing
// waits, but a call for the host arrays of the call before the last.
#pragma once

#include <weft/graph/bind_inputs.hpp>
#include <weft/opencl/engine_code.hpp>
#include <weft/run/kept.hpp>
#include <weft/run/program.hpp>

#include <algorithm>
#include <cstring>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace weft::inline v0 {
namespace detail {

// A host array that a transfer reads: its block has one more owner until then.
class block_on_its_way {
public:
  explicit block_on_its_way(void* elements) : elements_(elements) {}
  void goes_by(opencl::transfer t) { transfer_ = std::move(t); }
  block_on_its_way(block_on_its_way&& other) noexcept
      : elements_(std::exchange(other.elements_, nullptr)), transfer_(std::move(other.transfer_)) {}
  block_on_its_way& operator=(block_on_its_way&&) = delete;
  ~block_on_its_way() {
    { opencl::transfer const ended = std::move(transfer_); }
    if (elements_ != nullptr) release_block(elements_);
  }

private:
  void* elements_;
  opencl::transfer transfer_;
};

class device_runner {
public:
  // `on` is unowned: whoever calls holds the device.
  device_runner(opencl::device const& on, opencl::program const& p)
      : device_(on), program_(p), named_(has_names(p.graph)) {}
  device_runner(device_runner const&) = delete;
  device_runner& operator=(device_runner const&) = delete;

  // ---- one call: begin, every leaf in order, run, every result in order
  // Until the call ends. Of one that throws, wherever, nothing stays on the device: its copies are
  // waited for.
  class [[nodiscard]] one_call {
  public:
    explicit one_call(device_runner& r) : r_(r) { r_.running_ = true; }
    one_call(one_call const&) = delete;
    ~one_call() {
      r_.running_ = false;
      r_.uploaded_.clear();
      if (!done_) r_.last_.clear(), r_.results_.clear();
    }
    void is_done() { done_ = true; }

  private:
    device_runner& r_;
    bool done_ = false;
  };
  one_call begin() {
    leaves_.clear();
    inputs_.clear();
    few_.clear();
    uploaded_.reserve(static_cast<std::size_t>(program_.graph.parameters_of(0).size()));
    before_last_ = std::move(last_);
    last_.clear();
    return one_call(*this);
  }
  // An array on a device; `donated`: the same memory, if the caller gives it away.
  void add(opencl::memory const& m, extents const& shape, opencl::memory* donated) {
    if (!device_.owns(m)) raise_elsewhere(m.empty());
    bool const free = donated != nullptr && m.held().use_count() == 1;
    leaves_.push_back({m.held().get(), shape, free ? donated : nullptr});
    inputs_.push_back({&m, 0});
  }
  // A few bytes of the host's.
  void add_few(void const* elements, extent bytes, extents const& shape) {
    extent const at = (static_cast<extent>(few_.size()) + 15) / 16 * 16;
    few_.resize(static_cast<std::size_t>(at + bytes));
    if (bytes > 0) std::memcpy(few_.data() + at, elements, static_cast<std::size_t>(bytes));
    leaves_.push_back({nullptr, shape});
    inputs_.push_back({&few_on_device_, at});
  }
  // An array of the host's. `owned`: its block, one owner of which is now the runner's, if it may
  // be kept for as long as the copy takes; null: the copy is waited for.
  void add_block(void const* elements, extent bytes, extents const& shape, void* owned) {
    if (owned != nullptr) last_.emplace_back(owned); // released, whatever fails from here on
    uploaded_.push_back(device_.allocate(bytes));
    opencl::memory const& m = uploaded_.back();
    leaves_.push_back({nullptr, shape});
    inputs_.push_back({&m, 0});
    if (owned == nullptr) device_.write(m, 0, elements, bytes);
    else last_.back().goes_by(device_.start_write(m, 0, elements, bytes));
  }
  opencl::engine& bind() {
    for (auto k = engines_.begin(); k != engines_.end(); ++k)
      if (!named_ || fits(*k)) {
        std::rotate(engines_.begin(), k, k + 1);
        return *engines_.front().engine;
      }
    return make_engine();
  }
  void run(opencl::engine& e) {
    send_few();
    int const count = e.bound().outputs_of(0).size();
    results_.clear();
    results_.reserve(static_cast<std::size_t>(count)); // inputs may point to them
    for (int k = 0; k < count; ++k) add_result(e, k);
    opencl::engine_code<>::run(e, {inputs_.data(), static_cast<int>(inputs_.size())},
                               {results_.data(), count});
  }
  bool is_running() const { return running_; }
  opencl::memory take_result(int k) { return std::move(results_[static_cast<std::size_t>(k)]); }
  opencl::program const& program() const { return program_; }

private:
  struct kept {
    growing<extents> shapes; // of the arguments, where there are names
    std::unique_ptr<opencl::engine> engine;
  };

  bool fits(kept const& k) const {
    for (int i = 0; i < k.shapes.size(); ++i)
      if (!(k.shapes[i] == leaves_[static_cast<std::size_t>(i)].shape)) return false;
    return true;
  }
  // At most eight are kept, the one used last first.
  opencl::engine& make_engine() {
    growing<extents> shapes;
    for (argument_leaf const& l : leaves_) shapes.push(l.shape);
    graph bound = named_ ? bind_to(program_.graph, shapes) : graph();
    auto e = opencl::engine_code<>::engine_of(device_, program_, std::move(bound));
    engines_.insert(engines_.begin(), kept{std::move(shapes), std::move(e)});
    if (engines_.size() > 8) engines_.pop_back();
    return *engines_.front().engine;
  }
  // Numbers and keys are often those of the call before.
  void send_few() {
    if (few_.size() > static_cast<std::size_t>(few_on_device_.size()) || few_on_device_.empty()) {
      few_on_device_ = device_.allocate(static_cast<extent>(few_.size() + 128));
      few_sent_.clear();
    }
    if (few_ == few_sent_) return;
    few_sent_.clear(); // should it fail halfway
    device_.put(few_on_device_, 0, few_.data(), static_cast<extent>(few_.size()));
    few_sent_ = few_;
  }
  // In a moved argument's memory that nobody else holds, or in the device's pool.
  void add_result(opencl::engine& e, int k) {
    view<argument_leaf> const all{leaves_.data(), static_cast<int>(leaves_.size())};
    int const donor = next_donor(e, program_.graph, all, k, 0);
    if (donor < 0) {
      results_.push_back(device_.allocate(bytes_of(e.bound(), e.bound().outputs_of(0)[k])));
      return;
    }
    auto const i = static_cast<std::size_t>(donor);
    void* const donated = std::exchange(leaves_[i].donated, nullptr);
    results_.push_back(std::move(*static_cast<opencl::memory*>(donated)));
    inputs_[i].where = &results_.back();
  }
  [[noreturn]] void raise_elsewhere(bool nowhere) const {
    message text = argument_text(program_.graph, static_cast<int>(leaves_.size()));
    raise<usage_error>(
        nowhere ? text.add(" is on no device (default-made or moved from); make it with to_device")
                : text.add(" is on another opened device; write to_device(device, to_host(x))"));
  }

  opencl::device device_;
  opencl::program const& program_;
  bool const named_;
  std::vector<kept> engines_;
  std::vector<argument_leaf> leaves_;
  std::vector<opencl::engine::input> inputs_;
  std::vector<opencl::memory> uploaded_, results_;
  std::vector<block_on_its_way> last_, before_last_; // by call
  std::vector<std::byte> few_, few_sent_;
  opencl::memory few_on_device_;
  bool running_ = false;
};

// The runners of one program on one device, which keeps them.
class device_runners {
public:
  device_runners(opencl::device const& on, graph_view g)
      : device_(on), program_(opencl::engine_code<>::program_of(g)) {}

  device_runner* take() {
    std::lock_guard lock(mutex_);
    if (free_.empty()) {
      all_.push_back(std::make_unique<device_runner>(device_, *program_));
      return all_.back().get();
    }
    device_runner* const taken = free_.back();
    free_.pop_back();
    return taken;
  }
  void give_back(device_runner* r) {
    std::lock_guard lock(mutex_);
    free_.push_back(r);
  }

private:
  opencl::device device_; // unowned
  std::unique_ptr<opencl::program> program_;
  std::mutex mutex_;
  std::vector<std::unique_ptr<device_runner>> all_;
  std::vector<device_runner*> free_;
};

// One thread's runners of one program, by device.
class lent_runners {
public:
  lent_runners() = default;
  lent_runners(lent_runners const&) = delete;
  lent_runners& operator=(lent_runners const&) = delete;
  ~lent_runners() {
    for (lent const& l : all_)
      if (auto const from = l.from.lock()) from->give_back(l.runner);
  }

  // `name` tells programs apart. One that does not run: a function that prints may call the program
  // that called it.
  device_runner& get(opencl::device& on, graph_view g, std::string (*name)()) {
    for (lent const& l : all_)
      if (l.device.same_as(on) && !l.from.expired() && !l.runner->is_running()) return *l.runner;
    std::erase_if(all_, [](lent const& l) { return l.from.expired(); });
    auto const from = on.kept<device_runners>(
        name(), [&] { return std::make_shared<device_runners>(on.unowned(), g); });
    all_.push_back({on.unowned(), from, from->take()});
    return *all_.back().runner;
  }

private:
  struct lent {
    opencl::device device; // unowned
    std::weak_ptr<device_runners> from;
    device_runner* runner;
  };
  std::vector<lent> all_;
};

template <class Program> struct program_id {
  static char const here;
  static std::string name() { return std::to_string(reinterpret_cast<std::uintptr_t>(&here)); }
};
template <class Program> char const program_id<Program>::here = 0;

// `on` stays open during the call.
template <class Program> device_runner& runner_on(opencl::device& on) {
  thread_local lent_runners lent;
  return lent.get(on, stages<Program>::optimised, &program_id<Program>::name);
}

} // namespace detail
} // namespace weft::inline v0
