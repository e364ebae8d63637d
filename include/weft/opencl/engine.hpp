// SPDX-License-Identifier: BSL-1.0
// engine: one program on one device, ready to run for one binding of its named extents: kernels
// built, arguments set, constants copied over, an arena. Its constructor does all the planning and
// building; run() creates no buffer, builds nothing and waits for nothing, but where a while_loop or
// a cond looks at its condition, or an observe node at its array.
//   opencl::program p(graph);  opencl::engine e(d, p, bound);  e.run({in, 2}, {out, 1});
// Needs: CL/cl.h. Leaves: the bits of graph/interpret.hpp. One engine serves one thread at a time.
#pragma once

#include <weft/graph/bind.hpp>
#include <weft/graph/observe.hpp>
#include <weft/opencl/convolution_text.hpp>
#include <weft/opencl/device.hpp>
#include <weft/opencl/expect_supported.hpp>
#include <weft/opencl/group_text.hpp>
#include <weft/opencl/move_text.hpp>
#include <weft/opencl/recurrence_text.hpp>
#include <weft/opencl/row_chain_text.hpp>
#include <weft/pass/constant_memory.hpp>
#include <weft/pass/epilogue.hpp>
#include <weft/pass/run_loop.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>

namespace weft::inline v0 {
namespace opencl {

// A graph made ready for engines: scheduled and lowered by the functions that every backend uses.
struct program {
  graph_view graph;     // optimised, with names; outlives the program
  fused_schedule fused; // groups that products compute
  schedule_view plan;
  lowered code;

  explicit program(graph_view g) : graph(g) {
    weft::graph const numbered = bind(g, placeholders(g));
    accesses const reads = accesses_of(numbered);
    fused = with_epilogues(numbered, reads, make_schedule(numbered, reads, most_buffers));
    plan = fused.plan;
    code = lower(numbered, reads, plan);
  }
  program(program const&) = delete;
  program& operator=(program const&) = delete;
};

constexpr device_traits traits_of(device_info const& d) {
  return {d.is_cpu, d.local_bytes, d.max_group, std::max(d.argument_bytes, extent{1024})};
}

class engine {
public:
  // `bound`: the program's graph with numbers for its names; empty if it has no names. `traits`: what
  // texts are written for, if not for what the device says of itself.
  engine(device const& on, program const& p, graph bound)
      : engine(on, p, std::move(bound), traits_of(on.info())) {}
  engine(device const& on, program const& p, graph bound, device_traits const& traits)
      : device_(on), traits_(traits), program_(p), bound_(std::move(bound)),
        g_(bound_.nodes.empty() ? p.graph : graph_view(bound_)),
        reads_(accesses_of(g_, p.plan.group_of)),
        chains_(find_row_chains(g_, reads_, p.plan, p.code, traits_, p.fused.product_of)) {
    detail::expect_supported(g_, device_.info());
    write_steps();
    growing<int> const runs_with = places_of_steps();
    weft::detail::planner planner{g_,   reads_,    plan(), &engine::step_scratch,
                                  this, runs_with, false};
    planner.run();
    memory_ = std::move(planner.out);
    place_values();
    prepare_copies();
  }
  engine(engine const&) = delete;
  engine& operator=(engine const&) = delete;

  // Where a parameter begins: small ones may share a memory.
  struct input {
    opencl::memory const* where = nullptr;
    extent offset = 0; // bytes
  };
  // Memory of the parameters and of the outputs of region 0; outputs do not overlap anything that is
  // still read (pass/donation.hpp).
  void run(view<input> inputs, view<opencl::memory> outputs) {
    ++runs_;
    step_ = -1; // after an exception, too
    view<int> const parameters = g_.parameters_of(0);
    for (int i = 0; i < parameters.size(); ++i)
      at_[parameters[i]] = {inputs[i].where, inputs[i].offset, runs_};
    view<output_plan> const plans = memory_.outputs_of(g_, 0);
    for (int k = 0; k < plans.size(); ++k)
      if (plans[k].written >= 0) at_[plans[k].written] = {&outputs[k], 0, runs_};
    run_region(0);
    for (int k = 0; k < plans.size(); ++k)
      if (plans[k].written < 0) copy_value(plans[k].node, {&outputs[k], 0, runs_});
    device_.flush();
  }
  void run(view<opencl::memory> inputs, view<opencl::memory> outputs) { // from their first byte on
    growing<input> places;
    for (opencl::memory const& m : inputs) places.push({&m, 0});
    run(places, outputs);
  }

  // From now on, until null: which step each timed launch (device::start_profile) belongs to; -1: a
  // copy after the last step.
  void note_launches(std::vector<int>* steps) { noted_ = steps; }

  graph_view bound() const { return g_; }
  accesses const& reads() const { return reads_; }
  weft::memory_plan const& memory() const { return memory_; }
  // Of the program, but that what stays inside one kernel is not stored.
  schedule_view plan() const {
    schedule_view plan = program_.plan;
    plan.stored = chains_.stored;
    return plan;
  }
  extent arena_bytes() const { return memory_.region_bytes[0]; }
  // By step; of steps that run at once, all is in the first one's. Loops have one if they are one
  // kernel.
  std::vector<step_text> const& texts() const { return texts_; }

private:
  struct location {
    opencl::memory const* where = nullptr;
    extent offset = 0; // bytes
    extent run = 0;    // of the caller's memory, which may be another at every run: its number
    friend bool operator==(location const&, location const&) = default;
  };
  // A launch whose kernel has its arguments, those aside that have moved since.
  struct prepared {
    kernel k;
    launch call;
    growing<location> set; // by buffer: what the kernel was given last
  };

  // ---- planning
  void expect_arguments(kernel_text const& k, launch const& l) const {
    extent const bytes = argument_bytes(k, l);
    if (bytes > traits_.argument_bytes)
      raise_long<launch_error>(
          "weft: opencl: '" + k.name + "' has " + std::to_string(bytes) +
          " bytes of arguments and may have " + std::to_string(traits_.argument_bytes) + " on " +
          device_.info().name + "; compute with fewer arrays in one step, or in several calls");
  }
  void write_steps() {
    int const count = program_.plan.steps.size();
    texts_.resize(static_cast<std::size_t>(count));
    steps_.resize(texts_.size());
    loops_.resize(count);
    in_one_kernel_.assign(g_.regions.size(), false);
    for (int s = 0; s < count; ++s)
      if (schedule_step const& st = program_.plan.steps[s]; st.kind == step_kind::loop)
        in_one_kernel_[g_[st.node].body] = is_recurrence(g_, reads_, program_.plan, program_.code,
                                                         st.node);
    for (int s = 0; s < count; ++s) {
      step_text& text = texts_[static_cast<std::size_t>(s)];
      if (!in_one_kernel_[program_.plan.steps[s].region]) text = write_step(s);
      steps_[static_cast<std::size_t>(s)] = prepare(text);
    }
  }
  step_text write_step(int s) {
    schedule_view const plan = program_.plan;
    lowered_view const code = program_.code;
    int const id = plan.steps[s].node;
    switch (plan.steps[s].kind) {
      case step_kind::group:
        if (program_.fused.product_of[s] >= 0) return {};
        if (chains_.runs_with[s] < 0)
          return group_text(g_, reads_, plan, code, code.kernels[code.kernel_of_step[s]], traits_);
        if (row_chain const* const chain = chains_.beginning_with(s))
          return row_chain_text(g_, reads_, plan, code, *chain, chains_.stored, traits_);
        return {};
      case step_kind::contraction: return product_text(s);
      case step_kind::convolution: return convolution_text(g_, reads_, id, traits_);
      case step_kind::loop:
        if (in_one_kernel_[g_[id].body]) return recurrence_text(g_, reads_, plan, code, id);
        loops_[s] = {g_, id};
        return {};
      default: return move_text(g_, reads_, id, traits_);
    }
  }
  step_text product_text(int s) const {
    auto w = weft::detail::contraction_writer(g_, reads_, plan().steps[s].node, traits_);
    int const group = program_.fused.epilogue_of[s];
    lowered_view const code = program_.code;
    if (group >= 0)
      w.add_epilogue(g_, reads_, plan(), code, code.kernels[code.kernel_of_step[group]],
                     program_.fused.product_kept[s]);
    return w.text();
  }
  // Per step: the one in whose place it runs, at once with others, or -1.
  growing<int> places_of_steps() const {
    growing<int> at = chains_.runs_with;
    for (int s = 0; s < plan().steps.size(); ++s)
      if (int const product = program_.fused.product_of[s]; product >= 0) at[s] = product;
    return at;
  }
  std::vector<prepared> prepare(step_text const& text) {
    std::vector<prepared> all;
    for (launch const& l : text.launches) {
      kernel_text const& k = text.kernels[static_cast<std::size_t>(l.kernel)];
      expect_arguments(k, l);
      prepared p{device_.build(k.source, k.name, detail::advice_on_own), l, {}};
      p.set.resize(l.buffers.size());
      for (int n = 0; n < l.numbers.size(); ++n) {
        int const at = 2 * l.buffers.size() + n;
        if (k.wide_numbers) p.k.set(at, static_cast<std::int64_t>(l.numbers[n]));
        else p.k.set(at, static_cast<std::int32_t>(l.numbers[n]));
      }
      all.push_back(std::move(p));
    }
    return all;
  }
  static extent step_scratch(void const* self, int step) {
    return static_cast<engine const*>(self)->texts_[static_cast<std::size_t>(step)].scratch_bytes;
  }
  void place_values() {
    growing<extent> base(g_.regions.size(), 0);
    for (int r = 1; r < g_.regions.size(); ++r) {
      int const owner = g_.regions[r].owner;
      if (owner >= 0)
        base[r] = base[g_[owner].region] + memory_.steps[plan().group_of[owner]].scratch;
    }
    base_ = std::move(base);
    arena_ = device_.allocate(memory_.region_bytes[0] + 1);
    at_.assign(g_.size(), {&arena_, 0}); // an array without elements is never read
    for (int id = 0; id < g_.size(); ++id)
      if (memory_.offset[id] >= 0) at_[id] = in_arena(g_[id].region, memory_.offset[id]);
    place_constants();
  }
  location in_arena(int region, extent offset) const { return {&arena_, base_[region] + offset}; }
  void place_constants() {
    extent const total = constants_bytes(g_);
    if (total == 0) return;
    constants_ = device_.allocate(total);
    std::vector<std::byte> all(static_cast<std::size_t>(total));
    write_constants(g_, all.data(), [&](int id, extent at) { at_[id] = {&constants_, at}; });
    device_.write(constants_, 0, all.data(), total);
  }
  // Values that are copied as they are read: outputs, and what must lie dense.
  void prepare_copies() {
    copies_.resize(static_cast<std::size_t>(g_.size()));
    for (dense_copy const& c : memory_.copies) prepare_copy(c.node);
    for (output_plan const& o : memory_.outputs)
      if (o.written < 0) prepare_copy(o.node);
  }
  void prepare_copy(int id) {
    std::vector<prepared>& copy = copies_[static_cast<std::size_t>(id)];
    if (copy.empty() && !is_dense(g_, reads_, id))
      copy = prepare(copy_text(g_, reads_, id, traits_));
  }

  // ---- running
  void run_region(int r) {
    for (int s = plan().first_step[r]; s < plan().first_step[r + 1]; ++s) run_step(s);
  }
  void run_step(int s) {
    int const outer = std::exchange(step_, s);
    run_commands(s);
    step_ = outer;
  }
  void run_commands(int s) {
    copy_dense_operands(s);
    schedule_step const& st = plan().steps[s];
    if (st.kind == step_kind::loop) {
      if (in_one_kernel_[g_[st.node].body]) return run_recurrence(s);
      loop_memory memory{*this};
      weft::run_loop(memory, g_, memory_, s, st.node, loops_[s]);
      return;
    }
    if (st.kind == step_kind::move) expect_elements(g_, st.node);
    for (prepared& p : steps_[static_cast<std::size_t>(s)]) run_launch(p, step_scratch_at(s));
    if (g_[st.node].code == op::observe && st.kind == step_kind::move) look_at(st.node);
  }
  void run_recurrence(int s) {
    loop_memory const memory{*this};
    int const id = plan().steps[s].node;
    view<int> const parameters = g_.parameters_of(g_[id].body);
    for (int k = 0; k < parameters.size(); ++k)
      at_[parameters[k]] = memory.dense(s, g_.operand(id, k));
    for (prepared& p : steps_[static_cast<std::size_t>(s)]) run_launch(p, step_scratch_at(s));
  }
  void run_launch(prepared& p, location scratch) {
    for (int b = 0; b < p.call.buffers.size(); ++b) {
      buffer_use const& use = p.call.buffers[b];
      location const at = use.node == buffer_use::scratch ? scratch : at_[use.node];
      if (p.set[b] == at) continue;
      if (p.set[b].where != at.where || p.set[b].run != at.run) p.k.set(2 * b, *at.where);
      p.k.set(2 * b + 1, static_cast<std::int64_t>(at.offset / use.element_bytes + use.offset));
      p.set[b] = at;
    }
    device_.launch(p.k, p.call.dimensions, p.call.global, p.call.local);
    if (noted_ != nullptr && has_items(p.call)) noted_->push_back(step_);
  }
  static bool has_items(launch const& l) {
    for (int i = 0; i < l.dimensions; ++i)
      if (l.global[i] == 0) return false;
    return true;
  }
  location step_scratch_at(int s) const {
    return in_arena(plan().steps[s].region, memory_.steps[s].scratch);
  }
  void copy_dense_operands(int s) {
    step_memory const& m = memory_.steps[s];
    for (dense_copy const& c : memory_.copies.part(m.first_copy, m.copy_count))
      copy_value(c.node, in_arena(plan().steps[s].region, c.offset));
  }
  void copy_value(int id, location to) {
    access const& a = reads_.of[id];
    extent const size = size_of(g_[id].type);
    if (is_dense(g_, reads_, id)) {
      location const from = at_[a.root];
      copy_bytes(to, {from.where, from.offset + a.offset * size, from.run}, bytes_of(g_, id));
    } else
      for (prepared& p : copies_[static_cast<std::size_t>(id)]) run_launch(p, to);
  }
  void copy_bytes(location to, location from, extent bytes) {
    bool const is_there = to.where->held() == from.where->held() && to.offset == from.offset;
    if (bytes > 0 && !is_there) device_.copy(*from.where, from.offset, *to.where, to.offset, bytes);
  }
  // An observed array, read back where the host may look at it.
  void look_at(int id) {
    extent const size = size_of(g_[id].type), bytes = bytes_of(g_, id);
    std::vector<std::byte> elements(static_cast<std::size_t>(bytes));
    device_.read(*at_[id].where, at_[id].offset, elements.data(), bytes);
    weft::detail::observe(g_.attributes_of(id), g_[id].type, g_.shape(id), [&](extent i) {
      word bits = 0; // little-endian: the low bytes
      std::memcpy(&bits, elements.data() + i * size, static_cast<std::size_t>(size));
      return bits;
    });
  }

  // What run_loop asks of an engine.
  struct loop_memory {
    using address = location;
    engine& e;

    address moved(address a, extent bytes) const { return {a.where, a.offset + bytes, a.run}; }
    address dense(int s, int id) const {
      step_memory const& m = e.memory_.steps[s];
      for (dense_copy const& c : e.memory_.copies.part(m.first_copy, m.copy_count))
        if (c.node == id) return e.in_arena(e.plan().steps[s].region, c.offset);
      access const& a = e.reads_.of[id];
      return moved(e.at_[a.root], a.offset * size_of(e.g_[id].type));
    }
    address loop_scratch(int s) const {
      extent const arena = e.memory_.region_bytes[e.g_[e.plan().steps[s].node].body];
      return moved(e.step_scratch_at(s), aligned_bytes(arena));
    }
    address of(int id) const { return e.at_[id]; }
    void put(int id, address a) { e.at_[id] = a; }
    void copy_bytes(address to, address from, extent bytes) { e.copy_bytes(to, from, bytes); }
    void copy_value(int id, address to) { e.copy_value(id, to); }
    void fill_zeros(address to, extent bytes) { e.device_.fill_zeros(*to.where, to.offset, bytes); }
    bool is_true(address a) const {
      std::byte value{};
      e.device_.read(*a.where, a.offset, &value, 1);
      return value != std::byte{0};
    }
    void run_region(int r) { e.run_region(r); }
  };

  device device_;
  device_traits const traits_;
  program const& program_;
  graph const bound_;
  graph_view const g_;
  accesses const reads_;
  row_chains const chains_;
  growing<bool> in_one_kernel_;               // per region: its loop is
  std::vector<step_text> texts_;              // by step
  std::vector<std::vector<prepared>> steps_;  // by step
  std::vector<std::vector<prepared>> copies_; // by node
  growing<loop_state<location>> loops_;       // by step
  memory_plan memory_;
  growing<extent> base_; // per region: where its arena starts
  opencl::memory arena_, constants_;
  growing<location> at_; // per node: its first element
  extent runs_ = 0;
  int step_ = -1; // that runs
  std::vector<int>* noted_ = nullptr;
};

} // namespace opencl
} // namespace weft::inline v0
