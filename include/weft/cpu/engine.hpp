// SPDX-License-Identifier: BSL-1.0
// engine: one compiled program, ready to run for one binding of its named extents: numbers for
// every loop nest, product and memory block, an arena, and a table of addresses. Its constructor
// does all the planning; run() allocates nothing, takes no lock, and visits the schedule's steps in
// order.
// Needs: a program_code, whose kernels and contractions are functions of one target.
// Leaves: the bits of graph/interpret.hpp, whatever the executor. One engine serves one thread.
#pragma once

#include <weft/cpu/epilogue.hpp>
#include <weft/cpu/exchanges_under_way.hpp>
#include <weft/cpu/group_call.hpp>
#include <weft/cpu/held_operands.hpp>
#include <weft/cpu/host_call_step.hpp>
#include <weft/cpu/joined_steps.hpp>
#include <weft/cpu/program_code.hpp>
#include <weft/cpu/program_steps.hpp>
#include <weft/graph/bind.hpp>
#include <weft/pass/constant_memory.hpp>
#include <weft/pass/product.hpp>
#include <weft/pass/run_loop.hpp>

#include <cstring>

namespace weft::inline v0 {
namespace cpu {

class engine {
public:
  // `bound`: the program's graph with numbers for its names; empty if it has no names. Memory comes
  // from `source`; null: from what is in use.
  WEFT_COLD engine(program_code const& code, graph bound, int threads,
                   memory_source* source = nullptr)
      : code_(code), bound_(std::move(bound)),
        g_(bound_.nodes.empty() ? code.graph : graph_view(bound_)),
        reads_(accesses_of(g_, code_.plan.group_of)), threads_(threads), arena_memory_(source),
        constant_memory_(source), kept_(source), held_(source), ranks_(g_) {
    for (kernel const& k : code_.code.kernels) {
      nests_.push(make_loop_nest(g_, reads_, code_.plan, code_.code, k));
      count_in_bytes(g_, nests_.back(), code_.code.places_of(k));
      for (int& root : nests_.back().roots)
        if (g_[root].code == op::iota) root = g_.size(); // its numbers start at the offset
      if (k.place_count > places_.size()) places_.resize(k.place_count);
    }
    products_.resize(code_.plan.steps.size());
    loops_.resize(code_.plan.steps.size());
    for (int s = 0; s < code_.plan.steps.size(); ++s) {
      step_kind kind = code_.plan.steps[s].kind;
      if (kind == step_kind::contraction)
        products_[s] = product_of(g_, reads_, code_.plan.steps[s].node);
      if (kind == step_kind::convolution) add_convolution(s);
      if (kind == step_kind::loop) loops_[s] = {g_, code_.plan.steps[s].node};
      if (g_[code_.plan.steps[s].node].code == op::custom_call)
        host_calls_.push({g_, s, code_.plan.steps[s].node});
    }
    epilogues_ = {g_, reads_, code_.plan, code_.code, [this](int s) { return tells(s); }};
    joined_ = {g_, reads_, code_, nests_, epilogues_};
    shared_.begin(code_.sharing, steps_, joined_, threads_);
    growing<int> const runs_with = joined_.runs_with(epilogues_.runs_with(),
                                                     code_.plan.steps.size());
    schedule_view const plan = joined_.less_stored(code_.plan);
    exchanges_ = {g_, code_.plan, finished_before(g_, reads_, code_.plan, runs_with)};
    detail::planner planner{g_,        reads_, plan, &engine::step_scratch, this,
                            runs_with, true,   true, exchanges_.before(),   shared_.are_apart()};
    planner.run();
    memory_ = std::move(planner.out);
    memory_.may_wait = true;
    place_values();
    held_.find(g_, reads_, code_.plan, products_, code_.contractions);
  }
  engine(engine const&) = delete;
  engine& operator=(engine const&) = delete;

  // Runs from now on are one rank's among these; null: of one that is alone. Errors: as there.
  void join(rank_group* others) { ranks_.join(others); }

  // The first inputs are here in every run; those that are `constant` keep their elements, too. Steps
  // that `code` has other functions for use these, and what they want of constant arrays is laid out
  // anew, now.
  void keep(view<void const*> inputs, view<bool> constant, repeated_code const& code) {
    growing<bool> fixed(g_.size(), false);
    for (kept_inputs_ = 0; kept_inputs_ < inputs.size(); ++kept_inputs_) {
      int const parameter = g_.parameters_of(0)[kept_inputs_];
      fixed[parameter] = constant[kept_inputs_];
      address_[parameter] = address_or_nowhere(inputs[kept_inputs_]);
    }
    kept_.keep(values(), code_.plan.steps, products_, code.products, fixed);
    groups_ = code.groups;
  }

  // Addresses of the parameters and of the outputs of region 0; outputs do not overlap anything
  // that is still read (pass/donation.hpp).
  template <executor Executor>
  void run(view<void const*> inputs, view<void*> outputs, Executor& executor) {
    ranks_.begin(g_);
    executor_ref on(executor, code_.lanes);
    view<int> parameters = g_.parameters_of(0);
    for (int i = kept_inputs_; i < parameters.size(); ++i)
      address_[parameters[i]] = address_or_nowhere(inputs[i]);
    view<output_plan> plans = memory_.outputs_of(g_, 0);
    for (int k = 0; k < plans.size(); ++k)
      if (plans[k].written >= 0) address_[plans[k].written] = address_or_nowhere(outputs[k]);
    exchanges_under_way::scope const none_left(exchanges_, ranks_.others());
    run_region(0, on);
    for (int k = 0; k < plans.size(); ++k)
      if (plans[k].written < 0 && memory_of(plans[k].node) != outputs[k])
        copy_value(plans[k].node, outputs[k]);
  }

  // From now on, what each step takes is added up: clock() before and after it, a loop's step with
  // all that its body does. Null: no longer.
  void measure(std::int64_t (*clock)()) {
    clock_.now = clock;
    clock_.times.assign(code_.plan.steps.size(), {});
  }
  view<step_time> times() const { return clock_.times; } // by step

  graph_view bound() const { return g_; }
  accesses const& reads() const { return reads_; }
  memory_plan const& memory() const { return memory_; }
  schedule_view plan() const { return code_.plan; }
  extent arena_bytes() const { return memory_.region_bytes[0]; }
  int threads() const { return threads_; }
  // Which groups run as epilogues, memory permitting, and how many have, in all runs so far.
  epilogue_steps const& epilogues() const { return epilogues_; }
  // Which products read matrices that their loop packs once.
  held_operands const& held() const { return held_; }
  // Which steps run as one.
  joined_steps const& joined() const { return joined_; }
  // How many loops may be shared by rows.
  int shared_loops() const { return shared_.count(); }
  exchanges_under_way const& exchanges() const { return exchanges_; } // of its collectives
  extent epilogues_run() const { return epilogues_run_; }

private:
  strided_shape strided(int id) const { return {g_.shape(id), values().strides(id)}; }
  WEFT_COLD void add_convolution(int s) {
    int const id = code_.plan.steps[s].node;
    convolution const c = convolution_of(g_, id);
    extents bias;
    if (c.has_bias) bias = strided(g_.operand(id, 2)).strides;
    if (convolution_of_step_.empty()) convolution_of_step_.assign(code_.plan.steps.size(), -1);
    convolution_of_step_[s] = convolutions_.size();
    convolutions_.push(
        {c, strided(g_.operand(id, 0)), strided(g_.operand(id, 1)), strided(id), bias});
  }
  convolution_form const& convolution_at(int s) const {
    return convolutions_[convolution_of_step_[s]];
  }
  // Does the product of step s tell of its elements as they are finished?
  bool tells(int s) const {
    if (contraction_code const* c = code_.contractions[s])
      return c->tells != nullptr && c->tells(products_[s], threads_);
    convolution_code const* c = code_.convolutions[s];
    return c->tells != nullptr && c->tells(convolution_at(s), threads_);
  }
  static extent step_scratch(void const* self, int step) {
    auto const& e = *static_cast<engine const*>(self);
    if (e.joined_.place_of(step) >= 0) return e.joined_.scratch_bytes(step, e.threads_);
    if (move_code const* m = e.code_.moves[step])
      return m->scratch_bytes ? m->scratch_bytes(e.g_, e.code_.plan.steps[step].node, e.threads_)
                              : 0;
    if (contraction_code const* c = e.code_.contractions[step]) {
      extent const own = c->scratch_bytes(e.products_[step], e.threads_);
      extent const shared = e.shared_.scratch_bytes(step);
      return own > shared ? own : shared;
    }
    if (host_call_step const* c = e.host_call_at(step)) return c->unread_bytes;
    if (convolution_code const* c = e.code_.convolutions[step])
      return c->scratch_bytes(e.convolution_at(step), e.threads_);
    return 0;
  }

  // Arena blocks, and constants and iotas that something other than a kernel reads.
  WEFT_COLD void place_values() {
    growing<extent> base(g_.regions.size(), 0);
    for (int r = 1; r < g_.regions.size(); ++r) {
      int owner = g_.regions[r].owner;
      if (owner >= 0)
        base[r] = base[g_[owner].region] + memory_.steps[code_.plan.group_of[owner]].scratch;
    }
    base_ = std::move(base);
    arena_ = arena_memory_.get(memory_.region_bytes[0] + 1).memory;
    address_.assign(g_.size() + 1, address_or_nowhere(nullptr));
    address_[g_.size()] = 0; // of iotas in kernels
    for (int id = 0; id < g_.size(); ++id)
      if (memory_.offset[id] >= 0)
        address_[id] = reinterpret_cast<std::intptr_t>(
            steps_.arena_at(g_[id].region, memory_.offset[id]));
    std::byte* const at = constant_memory_.get(constants_bytes(g_)).memory;
    write_constants(g_, at, [&](int id, extent offset) {
      address_[id] = reinterpret_cast<std::intptr_t>(at + offset);
    });
  }
  value_reader values() const { return {g_, reads_, address_, ranks_.others()}; }
  std::byte* memory_of(int id) const { return values().memory_of(id); }
  void copy_value(int id, void* to) const { values().copy_value(id, to); }

  void run_region(int r, executor_ref const& on) {
    for (int s = code_.plan.first_step[r]; s < code_.plan.first_step[r + 1]; ++s)
      clock_.measure(s, [&] { run_step(s, on); });
    if (exchanges_.any()) exchanges_.expect_end_of(r, ranks_.others());
  }
  void run_step(int s, executor_ref const& on) {
    if (exchanges_.any()) exchanges_.expect_read_by(s, ranks_.others());
    if (joined_.place_of(s) >= 0)
      return joined_.run(s, values(), nests_, code_.kernels, scratch_of(s), on);
    switch (code_.plan.steps[s].kind) {
      case step_kind::group:
        if (epilogues_.product_of(s) < 0) run_group(s, on);
        break;
      case step_kind::contraction:
      case step_kind::convolution: run_product(s, on); break;
      case step_kind::loop: run_loop(s, on); break;
      case step_kind::move: run_move(s, on); break;
    }
  }

  void run_move(int s, executor_ref const& on) {
    if (host_call_step* const c = host_call_at(s)) return run_host_call(s, *c);
    int const id = code_.plan.steps[s].node;
    if (count_of(g_.shape(id)) == 0 && g_[id].code != op::observe) return;
    auto* out = reinterpret_cast<std::byte*>(address_[id]);
    code_.moves[s]->run(values(), id, out, scratch_of(s), on);
    if (exchanges_.any()) exchanges_.has_started(s, ranks_.others());
  }

  host_call_step const* host_call_at(int s) const {
    for (host_call_step const& c : host_calls_)
      if (c.step == s) return &c;
    return nullptr;
  }
  host_call_step* host_call_at(int s) {
    return const_cast<host_call_step*>(static_cast<engine const*>(this)->host_call_at(s));
  }
  WEFT_NOINLINE void run_host_call(int s, host_call_step& c) {
    copy_dense_operands(s);
    int const id = code_.plan.steps[s].node, axes = batch_axes_of(g_.attributes_of(id));
    for (int k = 0; k < c.operands.size(); ++k) {
      int const x = g_.operand(id, k);
      std::byte* const at = dense(s, x);
      extents step = at == memory_of(x) ? values().strides(x) : row_major_strides(g_.shape(x));
      step.rank = axes;
      c.operands[k] = {at, step};
    }
    for (int k = 0; k < c.results.size(); ++k)
      c.results[k] = c.reader[k] < 0 ? nullptr
                                     : reinterpret_cast<std::byte*>(address_[c.reader[k]]);
    detail::run_items(g_, id, c.operands, c.results, scratch_of(s).memory);
  }

  void run_group(int s, executor_ref const& on) {
    group_call const call = steps_.call_of(s, address_, places_);
    if (groups_ == nullptr || groups_[s] == nullptr) return call.run(on);
    groups_[s]({nullptr, call.nest, call.places, {}});
  }

  void copy_dense_operands(int s) {
    step_memory const& m = memory_.steps[s];
    for (dense_copy const& c : memory_.copies.part(m.first_copy, m.copy_count)) {
      copy_value(c.node, steps_.arena_at(code_.plan.steps[s].region, c.offset));
    }
  }
  std::byte* dense(int s, int id) const { return steps_.dense(s, id, values()); }
  scratch scratch_of(int s) const { return steps_.scratch_of(s); }

  // A contraction or convolution; then, or as it goes, its epilogue.
  void run_product(int s, executor_ref const& on) {
    if (kept_products::kept_step const* const k = kept_.of(s)) return k->run(address_);
    epilogue_steps::epilogue const* const e = epilogues_.of(s);
    if (e == nullptr) return compute_product(s, on, {});
    epilogues_run_ += steps_.with_epilogue(
        *e, address_, places_, [&](epilogue_ref after) { compute_product(s, on, after); },
        [&] { run_group(e->group, on); });
  }
  WEFT_NOINLINE void compute_product(int s, executor_ref const& on, epilogue_ref after) {
    copy_dense_operands(s);
    int const id = code_.plan.steps[s].node;
    if (code_.contractions[s] != nullptr)
      return steps_.multiply(s, products_[s], {}, values(), scratch_of(s), on, after);
    void const* bias = g_[id].operand_count > 2 ? memory_of(g_.operand(id, 2)) : nullptr;
    code_.convolutions[s]->run(convolution_at(s), memory_of(g_.operand(id, 0)),
                               memory_of(g_.operand(id, 1)), reinterpret_cast<void*>(address_[id]),
                               bias, scratch_of(s), on, after);
  }

  // What run_loop asks of an engine.
  struct loop_memory {
    using address = std::byte*;
    engine& e;
    executor_ref const& on;
    loop_rows const* done; // null: all is to be done

    address moved(address a, extent bytes) const { return a + bytes; }
    address dense(int s, int id) const { return e.dense(s, id); }
    address loop_scratch(int s) const { return e.steps_.loop_scratch(s); }
    address of(int id) const { return reinterpret_cast<address>(e.address_[id]); }
    void put(int id, address a) { e.address_[id] = reinterpret_cast<std::intptr_t>(a); }
    // Of no bytes, the addresses may be null.
    void copy_bytes(address to, address from, extent bytes) {
      if (bytes > 0) std::memcpy(to, from, static_cast<std::size_t>(bytes));
    }
    void fill_zeros(address to, extent bytes) {
      if (bytes > 0) std::memset(to, 0, static_cast<std::size_t>(bytes));
    }
    void copy_value(int id, address to) { e.copy_value(id, to); }
    bool is_true(address a) const { return *a != std::byte{0}; }
    bool takes(int output) const { return done == nullptr || done->output_in_rest[output]; }
    void run_region(int r) {
      if (done == nullptr) return e.run_region(r, on);
      for (int s : done->rest) e.clock_.measure(s, [&] { e.run_step(s, on); });
    }
  };
  void run_loop(int s, executor_ref const& on) {
    copy_dense_operands(s);
    held_.pack_for(
        s, values(), [this, s](int id) { return dense(s, id); }, on);
    loop_rows const* const by_rows = shared_.run(s, address_, clock_, epilogues_run_, on);
    if (by_rows != nullptr && !by_rows->any_rest()) return;
    loop_memory memory{*this, on, by_rows};
    weft::run_loop(memory, g_, memory_, s, code_.plan.steps[s].node, loops_[s]);
  }

  program_code const code_;
  graph const bound_;
  graph_view const g_;
  accesses const reads_;
  int threads_;
  growing<loop_nest> nests_;
  growing<product_form> products_; // per step
  growing<convolution_form> convolutions_;
  growing<int> convolution_of_step_; // if there is one
  epilogue_steps epilogues_;
  joined_steps joined_;
  loop_sharing shared_;
  exchanges_under_way exchanges_;
  extent epilogues_run_ = 0;
  growing<loop_state<std::byte*>> loops_; // per step
  growing<host_call_step> host_calls_;
  memory_plan memory_;
  growing<extent> base_; // per region: where its arena starts
  scratch_buffer arena_memory_, constant_memory_;
  kept_products kept_;
  held_operands held_;
  kernel_function const* groups_ = nullptr; // of repeated_code
  int kept_inputs_ = 0;
  std::byte* arena_ = nullptr;
  growing<std::intptr_t> address_; // per node: its first element
  growing<std::intptr_t> places_;
  program_steps const steps_{g_,         reads_, code_,   nests_, products_,
                             epilogues_, held_,  memory_, base_,  arena_};
  program_ranks ranks_;
  step_clock clock_;
};

} // namespace cpu
} // namespace weft::inline v0
