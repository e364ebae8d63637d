// SPDX-License-Identifier: BSL-1.0
// runner: a program with what one thread keeps for it: engines (one per binding of names and number
// of threads), and result buffers that are used again when nobody else holds them.
// Needs: arguments in the program's order; a moved tensor whose buffer is its own is written over
// where a result fits and nothing reads it later (donation). Leaves: in steady state no allocation.
#pragma once

#include <weft/array/access.hpp>
#include <weft/cpu/donation.hpp>
#include <weft/graph/bind_inputs.hpp>
#include <weft/run/program.hpp>

namespace weft::inline v0 {
namespace detail {

// Buffers of one result leaf. Four: a caller that keeps a few results costs no allocation either.
template <class Leaf> struct result_pool {};
template <class T, auto... E>
  requires(!tensor<T, E...>::is_inline)
struct result_pool<tensor<T, E...>> {
  buffer<T> kept[4];

  buffer<T> get(extent count) {
    for (buffer<T>& b : kept) {
      if (b.empty() || b.count() < count) b = buffer<T>(count);
      if (b.unique()) return b;
    }
    return buffer<T>(count);
  }
  // An earlier result that comes back as a donation belongs to the caller alone again.
  void forget(T const* data) {
    for (buffer<T>& b : kept)
      if (b.data() == data) b = {};
  }
};
template <class List> struct result_pools;
template <class... Leaf> struct result_pools<type_list<Leaf...>> {
  static constexpr int count = sizeof...(Leaf);
  std::tuple<result_pool<Leaf>...> all;

  template <class L> result_pool<L>& at(int n) {
    void* found = nullptr;
    int i = 0;
    std::apply(
        [&](auto&... pool) { ((found = i++ == n ? static_cast<void*>(&pool) : found), ...); }, all);
    return *static_cast<result_pool<L>*>(found);
  }
};

// What a call knows of one leaf of an argument.
struct argument_leaf {
  void const* data = nullptr;
  extents shape;
  void* donated = nullptr; // the tensor, if it was moved: its memory may become a result's
};

// Where a runner's code comes from: a compiled program, or (run/block.hpp) a trace at run time.
template <class Program, class Target> struct compiled_source {
  using result_type = typename Program::result_type;
  static constexpr int inputs = Program::optimised.inputs.size();
  static constexpr int outputs = Program::optimised.outputs_of(0).size();
  static constexpr bool named = has_names(Program::optimised);
  static constexpr cpu::program_code code() { return program_functions<Program, Target>::code; }
};

template <class Source> class runner {
  using result_type = typename Source::result_type;
  static constexpr int inputs = Source::inputs, outputs = Source::outputs;

public:
  template <cpu::executor Executor, class... Args>
  result_type operator()(Executor& executor, Args&&... args) {
    leaves_ = 0;
    (collect(std::forward<Args>(args)), ...);
    cpu::engine& e = engine_for(static_cast<int>(executor.threads()));
    result_type result{};
    void* out[outputs + 1]{};
    int k = 0;
    for_each_leaf(result, [&](auto& leaf) {
      out[k] = place_result(leaf, e, k);
      ++k;
    });
    void const* in[inputs + 1]{};
    for (int i = 0; i < inputs; ++i) in[i] = arguments_[i].data;
    e.run({in, inputs}, {out, outputs}, executor);
    return result;
  }

  // The only result goes into `out`, a tensor of its extents that shares no buffer with an
  // argument.
  template <cpu::executor Executor, class Out, class... Args>
  void into(Executor& executor, Out& out, Args const&... args) {
    leaves_ = 0;
    (collect(args), ...);
    cpu::engine& e = engine_for(static_cast<int>(executor.threads()));
    void const* in[inputs + 1]{};
    for (int i = 0; i < inputs; ++i) in[i] = arguments_[i].data;
    void* to[] = {writable(out)};
    e.run({in, inputs}, {to, 1}, executor);
  }

  // Everything a call needs, made now: the engine and two buffers per result (one that the caller
  // still holds, one to write). For programs without names.
  void prepare(int threads) {
    cpu::engine& e = engine_for(threads);
    int k = 0;
    result_type none_yet{};
    for_each_leaf(none_yet, [&](auto& leaf) { prepare_result(leaf, e, k++); });
  }

  static runner& of_this_thread() {
    thread_local runner r;
    return r;
  }
  // The engine that was made last, or null: what compiled_program::arena_bytes reports on.
  cpu::engine const* engine() const { return engines_ == nullptr ? nullptr : &engines_->value; }

private:
  template <class Arg> void collect(Arg&& arg) {
    constexpr bool moved = std::is_rvalue_reference_v<Arg&&>;
    for_each_leaf(arg, [&](auto& leaf) { collect_leaf<moved>(leaf); });
  }
  template <bool Moved, class T, auto... E> void collect_leaf(tensor<T, E...>& t) {
    argument_leaf& a = arguments_[leaves_++];
    a = {t.data(), t.shape(), nullptr};
    if constexpr (Moved && !tensor<T, E...>::is_inline)
      if (!buffer_of(t).empty()) a.donated = &t;
  }
  template <bool, class T, auto... E> void collect_leaf(tensor<T, E...> const& t) {
    arguments_[leaves_++] = {t.data(), t.shape(), nullptr};
  }
  template <bool, class X> void collect_leaf(X& number) {
    if constexpr (std::is_same_v<std::remove_const_t<X>, key>)
      arguments_[leaves_++] = {&number.high, shape<2>::value, nullptr};
    else arguments_[leaves_++] = {&number, {}, nullptr};
  }

  struct kept_engine {
    extents shapes[inputs + 1]; // of the arguments, where there are names
    cpu::engine value;
    kept_engine* next;
    kept_engine(cpu::program_code const& code, view<binding> names, int threads, kept_engine* older)
        : value(code, names, threads), next(older) {}
  };
  cpu::engine& engine_for(int threads) {
    for (kept_engine* k = engines_; k != nullptr; k = k->next)
      if (k->value.threads() == threads && fits(*k)) return k->value;
    if constexpr (!Source::named) return make_engine({}, threads);
    else {
      extents shapes[inputs + 1];
      for (int i = 0; i < inputs; ++i) shapes[i] = arguments_[i].shape;
      cpu::engine& made = make_engine(bind_inputs(source_.code().graph, {shapes, inputs}), threads);
      for (int i = 0; i < inputs; ++i) engines_->shapes[i] = shapes[i];
      return made;
    }
  }
  // Equal shapes bind names equally, and were checked when the engine was made.
  bool fits(kept_engine const& k) const {
    if constexpr (Source::named)
      for (int i = 0; i < inputs; ++i)
        if (!(k.shapes[i] == arguments_[i].shape)) return false;
    return true;
  }
  // Engines are few; at most eight are kept, the latest first.
  cpu::engine& make_engine(view<binding> names, int threads) {
    engines_ = new kept_engine(source_.code(), names, threads, engines_);
    int depth = 1;
    for (kept_engine* k = engines_; k != nullptr; k = k->next)
      if (depth++ == 8) release(std::exchange(k->next, nullptr));
    return engines_->value;
  }
  static void release(kept_engine* k) {
    while (k != nullptr) delete std::exchange(k, k->next);
  }

  template <class T, auto... E> void* place_result(tensor<T, E...>& leaf, cpu::engine& e, int k) {
    using leaf_type = tensor<T, E...>;
    if constexpr (leaf_type::is_inline) return writable(leaf);
    else {
      extents shape = e.bound().shape(e.bound().outputs_of(0)[k]);
      if (tensor<T, E...>* from = donor<leaf_type>(e, shape, k))
        leaf = adopt<leaf_type>(take_buffer(*from), shape);
      else leaf = adopt<leaf_type>(pools_.template at<leaf_type>(k).get(count_of(shape)), shape);
      return leaf.size() == 0 ? nullptr : buffer_of(leaf).data();
    }
  }
  void* place_result(key& leaf, cpu::engine&, int) { return &leaf.high; }
  template <class Leaf> void prepare_result(Leaf&, cpu::engine& e, int k) {
    if constexpr (requires { Leaf::is_inline; })
      if constexpr (!Leaf::is_inline) {
        extent count = count_of(e.bound().shape(e.bound().outputs_of(0)[k]));
        auto& pool = pools_.template at<Leaf>(k);
        auto held = pool.get(count);
        auto next = pool.get(count);
      }
  }

  // jit<f>(std::move(x), x): the other argument reads it too.
  bool given_twice(int i) const {
    for (int j = 0; j < inputs; ++j)
      if (j != i && arguments_[j].data == arguments_[i].data) return true;
    return false;
  }
  // A moved tensor of the same type whose memory output k may take.
  template <class Leaf> Leaf* donor(cpu::engine& e, extents const& shape, int k) {
    graph_view g = e.bound();
    int node = g.outputs_of(0)[k];
    for (int i = 0; i < inputs; ++i) {
      argument_leaf& a = arguments_[i];
      if (a.donated == nullptr || !(a.shape == shape) || given_twice(i)) continue;
      if (g[g.parameters_of(0)[i]].type != g[node].type) continue;
      graph_view declared = source_.code().graph;
      if (!(declared.shape(declared.parameters_of(0)[i]) ==
            declared.shape(declared.outputs_of(0)[k])))
        continue;
      if (!cpu::may_overwrite(g, e.reads(), e.plan(), e.memory(), i, k)) continue;
      auto* from = static_cast<Leaf*>(a.donated);
      pools_.template at<Leaf>(k).forget(buffer_of(*from).data());
      if (!is_unique(*from)) continue;
      a.donated = nullptr;
      return from;
    }
    return nullptr;
  }

public:
  runner() = default;
  runner(runner const&) = delete;
  runner& operator=(runner const&) = delete;
  ~runner() { release(engines_); }

private:
  [[no_unique_address]] Source source_;
  argument_leaf arguments_[inputs + 1];
  int leaves_ = 0;
  kept_engine* engines_ = nullptr;
  result_pools<leaves_of<result_type>> pools_;
};

} // namespace detail
} // namespace weft::inline v0
