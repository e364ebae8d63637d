// SPDX-License-Identifier: BSL-1.0
// What one thread keeps for a program from call to call, whatever the program's types: an engine
// per binding of names and number of threads, and per result leaf a few blocks of memory.
// Needs: arguments in the program's order. Leaves: in steady state no allocation; nothing here is
// instantiated per program.
#pragma once

#include <weft/array/access.hpp>
#include <weft/cpu/engine.hpp>
#include <weft/graph/bind_inputs.hpp>
#include <weft/pass/donation.hpp>

namespace weft::inline v0 {
namespace detail {

// Memory of one result leaf. Four blocks: a caller that keeps a few results costs no allocation.
class result_pool {
public:
  result_pool() = default;
  result_pool(result_pool const&) = delete;
  result_pool& operator=(result_pool const&) = delete;
  ~result_pool() {
    for (kept_block& b : kept_) drop(b);
  }

  // A block that nobody else holds; the caller is its second owner, or its only one.
  void* get(extent bytes, memory_source& source) {
    for (kept_block& b : kept_)
      if (b.elements != nullptr && b.bytes >= bytes && owners_of(b) == 1) return shared(b);
    for (kept_block& b : kept_)
      if (b.elements == nullptr || b.bytes < bytes) {
        renew(b, bytes, source);
        return shared(b);
      }
    return new_block(static_cast<std::uint64_t>(bytes), source);
  }
  // Two blocks: a result that the caller still holds, and the next; or more, at most 4.
  void prepare(extent bytes, memory_source& source, int count = 2) {
    for (int b = 0; b < count; ++b)
      if (kept_[b].elements == nullptr || kept_[b].bytes < bytes) renew(kept_[b], bytes, source);
  }
  // An earlier result that comes back as a donation, and that nobody else holds, belongs to the
  // caller alone again.
  void forget(void const* elements) {
    for (kept_block& b : kept_)
      if (b.elements == elements && owners_of(b) == 2) drop(b);
  }

private:
  struct kept_block {
    void* elements = nullptr;
    extent bytes = 0;
  };
  static std::int64_t owners_of(kept_block const& b) {
    return atomic_load(header_of(b.elements).owners);
  }
  static void* shared(kept_block const& b) {
    atomic_increment(header_of(b.elements).owners);
    return b.elements;
  }
  static void drop(kept_block& b) {
    if (b.elements != nullptr) release_block(b.elements);
    b = {};
  }
  static void renew(kept_block& b, extent bytes, memory_source& source) {
    drop(b);
    b = {new_block(static_cast<std::uint64_t>(bytes), source), bytes};
  }
  kept_block kept_[4];
};

// Once it runs: by functions of the host, which may also call it again, and by checks; what is
// printed goes to a function of the user's, too.
constexpr bool may_throw(graph_view g) {
  for (node const& n : g.nodes)
    if (n.code == op::observe) return true;
  return !g.hosts.empty();
}

// What a call knows of one leaf of an argument. A moved tensor's memory may become a result's: take
// moves its block out, or gives null where somebody else holds it too, a pool aside.
struct argument_leaf {
  void const* data = nullptr;
  extents shape;
  void* donated = nullptr; // the moved tensor
  void* (*take)(void* donated, result_pool& pool) = nullptr;
};

// bind_to of a program with names; without any, null, and nothing of it is compiled.
template <bool Named> constexpr auto binder_if() -> graph (*)(graph_view, view<extents>) {
  if constexpr (Named) return &bind_to;
  else return nullptr;
}

// An engine that says whether it runs: what it has in memory then is of that run alone.
class kept_engine : public cpu::engine {
public:
  using engine::engine;
  bool is_running() const { return running_; }
  template <class Executor>
  void run(view<void const*> inputs, view<void*> outputs, Executor& executor) {
    struct at_the_end {
      bool& running;
      ~at_the_end() { running = false; }
    };
    running_ = true;
    at_the_end const ends{running_};
    engine::run(inputs, outputs, executor);
  }

private:
  bool running_ = false;
};

class kept_engines {
public:
  kept_engines() = default;
  kept_engines(kept_engines const&) = delete;
  kept_engines& operator=(kept_engines const&) = delete;
  ~kept_engines() { release(latest_); }

  // The engine for these arguments, `binder` from above; equal shapes bind names equally, and were
  // checked when it was made. Engines are few; at most eight are kept, the latest first, and those
  // that run: a function of the host may call the program that called it.
  kept_engine& get(cpu::program_code const& code, graph (*binder)(graph_view, view<extents>),
                   view<argument_leaf> arguments, int threads, memory_source* source) {
    bool const named = binder != nullptr;
    for (kept* k = latest_; k != nullptr; k = k->next)
      if (k->engine.threads() == threads && !k->engine.is_running() &&
          (!named || fits(*k, arguments)))
        return k->engine;
    growing<extents> shapes;
    if (named)
      for (argument_leaf const& a : arguments) shapes.push(a.shape);
    latest_ = new kept(code, named ? binder(code.graph, shapes) : graph(), threads, source, shapes,
                       latest_);
    int count = 1;
    for (kept* k = latest_; k->next != nullptr;)
      if (count < 8 || k->next->engine.is_running()) k = k->next, ++count;
      else k->next = without_first(k->next);
    return latest_->engine;
  }
  // The engine that was made last, or null.
  cpu::engine* latest() const { return latest_ == nullptr ? nullptr : &latest_->engine; }

private:
  struct kept {
    kept_engine engine;
    growing<extents> shapes; // of the arguments, where there are names
    kept* next;
    kept(cpu::program_code const& code, graph bound, int threads, memory_source* source,
         growing<extents> s, kept* older)
        : engine(code, std::move(bound), threads, source), shapes(std::move(s)), next(older) {}
  };
  static bool fits(kept const& k, view<argument_leaf> arguments) {
    for (int i = 0; i < arguments.size(); ++i)
      if (!(k.shapes[i] == arguments[i].shape)) return false;
    return true;
  }
  static kept* without_first(kept* k) {
    kept* const rest = k->next;
    delete k;
    return rest;
  }
  static void release(kept* k) {
    while (k != nullptr) k = without_first(k);
  }
  kept* latest_ = nullptr;
};

// jit<f>(std::move(x), x): the other argument reads it too.
inline bool given_twice(view<argument_leaf> arguments, int i) {
  for (int j = 0; j < arguments.size(); ++j)
    if (j != i && arguments[j].data == arguments[i].data) return true;
  return false;
}
inline extents const& result_shape(cpu::engine const& e, int k) {
  return e.bound().shape(e.bound().outputs_of(0)[k]);
}
// Of an engine of any backend: the first moved argument from `first` on, of output k's type and
// shape, whose memory the output may take; -1: none.
template <class Engine>
int next_donor(Engine const& e, graph_view const& declared, view<argument_leaf> arguments, int k,
               int first) {
  graph_view const g = e.bound();
  int const node = g.outputs_of(0)[k], declared_node = declared.outputs_of(0)[k];
  for (int i = first; i < arguments.size(); ++i) {
    if (arguments[i].donated == nullptr || given_twice(arguments, i)) continue;
    int const parameter = g.parameters_of(0)[i], written = declared.parameters_of(0)[i];
    if (g[parameter].type == g[node].type && arguments[i].shape == g.shape(node) &&
        declared.shape(written) == declared.shape(declared_node) &&
        may_overwrite(g, e.reads(), e.plan(), e.memory(), i, k))
      return i;
  }
  return -1;
}
// Memory for output k: a moved argument's, or a block of the pool.
WEFT_NOINLINE inline void* result_block(cpu::engine& e, graph_view const& declared,
                                        argument_leaf* arguments, int k, result_pool& pool,
                                        memory_source* source) {
  view<argument_leaf> const all{arguments, declared.parameters_of(0).size()};
  for (int i = 0; (i = next_donor(e, declared, all, k, i)) >= 0; ++i)
    if (void* block = arguments[i].take(arguments[i].donated, pool)) {
      arguments[i].donated = nullptr;
      return block;
    }
  extent const bytes = bytes_of(e.bound(), e.bound().outputs_of(0)[k]);
  return pool.get(bytes, memory_from(source));
}

// What follows is compiled once per type of tensor, not once per leaf of every program.
template <class T, auto... E> WEFT_NOINLINE void* take_block(void* donated, result_pool& pool) {
  auto& from = *static_cast<tensor<T, E...>*>(donated);
  pool.forget(buffer_of(from).data());
  return is_unique(from) ? buffer<T>::to_block(take_buffer(from)) : nullptr;
}
template <class T, auto... E> auto take_block_of(tensor<T, E...>&) { return &take_block<T, E...>; }
template <bool Moved, class Tensor> WEFT_NOINLINE void describe(Tensor& t, argument_leaf& leaf) {
  leaf = {t.data(), t.shape()};
  if constexpr (Moved && !Tensor::is_inline)
    if (!buffer_of(t).empty()) leaf.donated = &t, leaf.take = take_block_of(t);
}
template <class T, auto... E>
WEFT_NOINLINE void settle(tensor<T, E...>& leaf, void* block, extents const& shape) {
  leaf = adopt<tensor<T, E...>>(buffer<T>::of_block(block, count_of(shape)), shape);
}

} // namespace detail
} // namespace weft::inline v0
