// SPDX-License-Identifier: BSL-1.0
// runner: a program with what one thread keeps for it (kept.hpp), between typed arguments and
// results and the engine, which knows pointers only.
// Needs: arguments in the program's order; a moved tensor whose buffer is its own is written over
// where a result fits and nothing reads it later (donation). Leaves: in steady state no allocation.
// What depends on argument types is inlined into the caller: symbols of a named program stay short.
#pragma once

#include <weft/array/access.hpp>
#include <weft/run/kept.hpp>
#include <weft/run/program.hpp>

namespace weft::inline v0 {
namespace detail {

// Where a runner's code comes from: a compiled program, or (run/block.hpp) a trace at run time.
template <class Program, class Target> struct source {
  using result_type = typename Program::result_type;
  static constexpr int inputs = stages<Program>::optimised.inputs.size();
  static constexpr int outputs = stages<Program>::optimised.outputs_of(0).size();
  static constexpr bool named = has_names(stages<Program>::optimised);
  WEFT_INLINE static cpu::program_code const& code() {
    return program_functions<Program, Target>::code;
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
    cpu::engine& e = engine_of(static_cast<int>(executor.threads()));
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

  // The only result goes into `out`, a tensor of its extents that shares no buffer with an
  // argument.
  template <cpu::executor Executor, class Out, class... Args>
  WEFT_INLINE void into(Executor& executor, Out& out, Args const&... args) {
    int count = 0;
    (collect(count, args), ...);
    void* to[] = {writable(out)};
    run(engine_of(static_cast<int>(executor.threads())), {to, 1}, executor);
  }

  // Everything a call needs, made now: the engine and two blocks per result (one that the caller
  // still holds, one to write). For programs without names.
  void prepare(int threads) {
    cpu::engine& e = engine_of(threads);
    int k = 0;
    result_type none_yet{};
    for_each_leaf(none_yet, [&](auto& leaf) WEFT_LAMBDA { prepare_result(leaf, e, k++); });
  }

  WEFT_INLINE static runner& here() {
    thread_local runner r;
    return r;
  }
  // The engine that was made last, or null: what compiled_program::arena_bytes reports on.
  cpu::engine const* engine() const { return engines_.latest(); }

private:
  template <class Arg> WEFT_INLINE void collect(int& count, Arg&& arg) {
    constexpr bool moved = std::is_rvalue_reference_v<Arg&&>;
    for_each_leaf(arg, [&](auto& leaf) WEFT_LAMBDA { arguments_[count++] = leaf_of<moved>(leaf); });
  }
  template <bool Moved, class T, auto... E>
  WEFT_INLINE static argument_leaf leaf_of(tensor<T, E...>& t) {
    bool given = false;
    if constexpr (Moved && !tensor<T, E...>::is_inline) given = !buffer_of(t).empty();
    return {t.data(), t.shape(), given ? &t : nullptr};
  }
  template <bool, class T, auto... E>
  WEFT_INLINE static argument_leaf leaf_of(tensor<T, E...> const& t) {
    return {t.data(), t.shape(), nullptr};
  }
  template <bool, class X> WEFT_INLINE static argument_leaf leaf_of(X& number) {
    if constexpr (std::is_same_v<std::remove_const_t<X>, key>)
      return {&number.high, shape<2>::value, nullptr};
    else return {&number, {}, nullptr};
  }

  cpu::engine& engine_of(int threads) {
    return engines_.get(source_.code(), Source::named, {arguments_, inputs}, threads);
  }
  template <class Executor>
  WEFT_INLINE void run(cpu::engine& e, view<void*> out, Executor& executor) {
    void const* in[inputs + 1]{};
    for (int i = 0; i < inputs; ++i) in[i] = arguments_[i].data;
    e.run({in, inputs}, out, executor);
  }

  template <class T, auto... E>
  WEFT_INLINE void* place_result(tensor<T, E...>& leaf, cpu::engine& e, int k) {
    using leaf_type = tensor<T, E...>;
    if constexpr (leaf_type::is_inline) return writable(leaf);
    else {
      extents const& shape = e.bound().shape(e.bound().outputs_of(0)[k]);
      if (leaf_type* from = donor<leaf_type>(e, k))
        leaf = adopt<leaf_type>(take_buffer(*from), shape);
      else leaf = adopt<leaf_type>(fresh<T>(count_of(shape), k), shape);
      return leaf.size() == 0 ? nullptr : buffer_of(leaf).data();
    }
  }
  WEFT_INLINE void* place_result(key& leaf, cpu::engine&, int) { return &leaf.high; }
  template <class T> WEFT_INLINE buffer<T> fresh(extent count, int k) {
    return buffer<T>::of_block(pools_[k].get(count * static_cast<extent>(sizeof(T))), count);
  }
  template <class Leaf> WEFT_INLINE void prepare_result(Leaf&, cpu::engine& e, int k) {
    if constexpr (requires { Leaf::is_inline; })
      if constexpr (!Leaf::is_inline) {
        using T = typename Leaf::element_type;
        extent const count = count_of(e.bound().shape(e.bound().outputs_of(0)[k]));
        buffer<T> const held = fresh<T>(count, k), next = fresh<T>(count, k);
      }
  }

  // A moved tensor of the same type whose memory output k may take, now its own alone.
  template <class Leaf> WEFT_INLINE Leaf* donor(cpu::engine& e, int k) {
    view<argument_leaf> const all{arguments_, inputs};
    graph_view const declared = source_.code().graph;
    for (int i = 0; (i = next_donor(e, declared, all, k, i)) >= 0; ++i) {
      auto* from = static_cast<Leaf*>(arguments_[i].donated);
      pools_[k].forget(buffer_of(*from).data());
      if (!is_unique(*from)) continue;
      arguments_[i].donated = nullptr;
      return from;
    }
    return nullptr;
  }

  [[no_unique_address]] Source source_;
  argument_leaf arguments_[inputs + 1];
  kept_engines engines_;
  result_pool pools_[outputs + 1];
};

} // namespace detail
} // namespace weft::inline v0
