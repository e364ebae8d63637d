// SPDX-License-Identifier: BSL-1.0
// runner: a program with what one thread keeps for it (kept.hpp), between typed arguments and
// results and the engine, which knows pointers only.
// Needs: arguments in the program's order; a moved tensor whose buffer is its own is written over
// where a result fits and nothing reads it later (donation). Leaves: in steady state no allocation.
// What depends on argument types is inlined into the caller: symbols of a named program stay short.
#pragma once

#include <weft/array/access.hpp>
#include <weft/run/kept.hpp>
#include <weft/run/leaf_memory.hpp>
#include <weft/run/policy.hpp>

namespace weft::inline v0 {
namespace detail {

// Where a runner's code comes from: a compiled program, or (run/block.hpp) a trace at run time.
template <class Program, class Target> struct source {
  using program = program_for<Program, Target>;
  using result_type = typename Program::result_type;
  static constexpr int inputs = stages<program>::optimised.inputs.size();
  static constexpr int outputs = stages<program>::optimised.outputs_of(0).size();
  static constexpr bool named = has_names(stages<program>::optimised);
  WEFT_INLINE static cpu::program_code const& code() {
    return program_functions<program, Target>::code;
  }
};

template <class Source> class runner {
  using result_type = typename Source::result_type;
  static constexpr int inputs = Source::inputs, outputs = Source::outputs;

public:
  template <cpu::executor Executor, class... Args>
  WEFT_INLINE result_type operator()(Executor& executor, Args&&... args) {
    int count = 0;
    (collect(count, std::forward<Args>(args)), ...);
    return results(engine_of(static_cast<int>(executor.threads())), executor);
  }
  // The same for a caller who needs `last`, its last call's result, no more: the memory is free
  // for this one's, warm in cache, unless an argument lies in it. An argument that does not fit is
  // an error before that.
  template <cpu::executor Executor, class... Args>
  WEFT_INLINE result_type in_place_of(result_type& last, Executor& executor, Args&&... args) {
    int count = 0;
    (collect(count, std::forward<Args>(args)), ...);
    kept_engine& e = engine_of(static_cast<int>(executor.threads()));
    auto const data = [this](int i) WEFT_LAMBDA { return arguments_[i].data; };
    if (!any_lies_in(last, inputs, data)) last = result_type{};
    return results(e, executor);
  }

  // The only result goes into `out`, a tensor of its extents that shares no buffer with an
  // argument.
  template <cpu::executor Executor, class Out, class... Args>
  WEFT_INLINE void into(Executor& executor, Out& out, Args const&... args) {
    int count = 0;
    (collect(count, args), ...);
    void* to[] = {writable(out)};
    run(engine_of(static_cast<int>(executor.threads())), {to, 1}, executor);
  }

  // Where its memory comes from, from its first call on; without this: what is in use then.
  void take_memory_from(memory_source& source) { source_memory_ = &source; }
  // Calls from now on are one rank's among these; null: of one that is alone.
  void join(cpu::rank_group* others) { others_ = others; }
  // Everything a call needs, made now: the engine and two blocks per result. For programs without
  // names.
  void prepare(int threads) {
    kept_engine& e = engine_of(threads);
    int k = 0;
    result_type none_yet{};
    for_each_leaf(none_yet, [&](auto& leaf) WEFT_LAMBDA { prepare_result(leaf, e, k++); });
  }

  WEFT_INLINE static runner& here() {
    thread_local runner r;
    return r;
  }
  // Of the engine that was made last.
  extent arena_bytes() const {
    return engines_.latest() == nullptr ? 0 : engines_.latest()->arena_bytes();
  }
  cpu::engine* engine() { return engines_.latest(); }
  graph_view program() const { return source_.code().graph; }

private:
  template <class Arg> WEFT_INLINE void collect(int& count, Arg&& arg) {
    constexpr bool moved = std::is_rvalue_reference_v<Arg&&>;
    for_each_leaf(arg,
                  [&](auto& leaf) WEFT_LAMBDA { describe_leaf<moved>(leaf, arguments_[count++]); });
  }
  template <bool Moved, class Leaf>
  WEFT_INLINE static void describe_leaf(Leaf& leaf, argument_leaf& to) {
    if constexpr (std::is_same_v<std::remove_const_t<Leaf>, key>)
      to = {&leaf.high, shape<2>::value};
    else if constexpr (requires { leaf.shape(); })
      describe<Moved && !std::is_const_v<Leaf>>(leaf, to);
    else to = {&leaf, {}};
  }

  kept_engine& engine_of(int threads) {
    kept_engine& e = engines_.get(source_.code(), binder_if<Source::named>(), {arguments_, inputs},
                                  threads, source_memory_);
    e.join(others_); // an error comes before anything is computed or donated
    return e;
  }
  template <class Executor> WEFT_INLINE result_type results(kept_engine& e, Executor& executor) {
    result_type result{};
    void* out[outputs + 1]{};
    int k = 0;
    for_each_leaf(result, [&](auto& leaf) WEFT_LAMBDA {
      out[k] = place_result(leaf, e, k);
      ++k;
    });
    run(e, {out, outputs}, executor);
    return result;
  }
  template <class Executor>
  WEFT_INLINE void run(kept_engine& e, view<void*> out, Executor& executor) {
    void const* in[inputs + 1]{};
    for (int i = 0; i < inputs; ++i) in[i] = arguments_[i].data;
    e.run({in, inputs}, out, executor);
  }

  template <class T, auto... E>
  WEFT_INLINE void* place_result(tensor<T, E...>& leaf, cpu::engine& e, int k) {
    if constexpr (tensor<T, E...>::is_inline) return writable(leaf);
    else {
      void* const block = result_block(e, source_.code().graph, arguments_, k, pools_[k],
                                       source_memory_);
      settle(leaf, block, result_shape(e, k));
      return leaf.size() == 0 ? nullptr : block;
    }
  }
  WEFT_INLINE void* place_result(key& leaf, cpu::engine&, int) { return &leaf.high; }
  template <class Leaf> WEFT_INLINE void prepare_result(Leaf&, cpu::engine& e, int k) {
    if constexpr (requires { Leaf::is_inline; })
      if constexpr (!Leaf::is_inline) {
        extent const bytes = bytes_of(e.bound(), e.bound().outputs_of(0)[k]);
        pools_[k].prepare(bytes, memory_from(source_memory_));
      }
  }

  [[no_unique_address]] Source source_;
  memory_source* source_memory_ = nullptr;
  cpu::rank_group* others_ = nullptr;
  argument_leaf arguments_[inputs + 1];
  kept_engines engines_;
  result_pool pools_[outputs + 1];
};

} // namespace detail
} // namespace weft::inline v0
