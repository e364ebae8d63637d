// SPDX-License-Identifier: BSL-1.0
// small_runner: a small program (small_program.hpp) between typed arguments and results, as runner
// (runner.hpp) is for others: of what a thread keeps there are only its results' blocks of memory.
//   program_runner<Program, Target>::here()(executor, args...)        one of the two
// Needs and leaves: what runner does; the executor has nothing to do.
#pragma once

#include <weft/run/leaf_memory.hpp>
#include <weft/run/runner.hpp>
#include <weft/run/small_program.hpp>

#include <cstring>

namespace weft::inline v0 {
namespace detail {

constexpr extent result_bytes(graph_view g) {
  extent bytes = 0;
  for (int id : g.outputs_of(0)) bytes += bytes_of(g, id);
  return bytes;
}
// Is a result larger than what tensors hold in themselves?
constexpr bool has_result_blocks(graph_view g) {
  for (int id : g.outputs_of(0))
    if (bytes_of(g, id) > inline_bytes) return true;
  return false;
}

template <class Program, class Target> class small_runner {
  using layout = small_layout<Program>;
  using program = small_program<Program, Target>;
  using result_type = typename Program::result_type;
  static constexpr int inputs = layout::inputs, outputs = layout::outputs;

public:
  template <cpu::executor Executor, class... Args>
  WEFT_INLINE result_type operator()(Executor&, Args&&... args) {
    call_arguments given{};
    int count = 0;
    (collect(given, count, std::forward<Args>(args)), ...);
    return results(given);
  }
  // As runner's. Results of a few lines come from two blocks in turn, which both stay in L1.
  static constexpr extent least_bytes_in_place = 2048;
  template <cpu::executor Executor, class... Args>
  WEFT_INLINE result_type in_place_of(result_type& last, Executor&, Args&&... args) {
    call_arguments given{};
    int count = 0;
    (collect(given, count, std::forward<Args>(args)), ...);
    if constexpr (result_bytes(layout::g) > least_bytes_in_place) {
      auto const data = [&given](int i) WEFT_LAMBDA { return given.in[i]; };
      if (!any_lies_in(last, inputs, data)) last = result_type{};
    }
    return results(given);
  }
  // The only result goes into `out`, which shares no buffer with an argument.
  template <class Out, class... Args> WEFT_INLINE static void into(Out& out, Args const&... args) {
    void const* in[inputs + 1]{};
    int i = 0;
    (for_each_leaf(args, [&](auto& leaf) WEFT_LAMBDA { in[i++] = data_of(leaf); }), ...);
    if constexpr (in_packs()) run_for_packs(in, out);
    else {
      void* const to[] = {writable(out)};
      program::run(in, to);
    }
  }

  void take_memory_from(memory_source& source) { source_memory_ = &source; }
  void prepare(int) {
    int k = 0;
    result_type none_yet{};
    for_each_leaf(none_yet, [&](auto& leaf) WEFT_LAMBDA { prepare_result(leaf, k++); });
  }
  WEFT_INLINE static small_runner& here() {
    thread_local small_runner r;
    return r;
  }
  static constexpr extent arena_bytes() { return 0; } // the stack's

private:
  static constexpr bool in_packs() {
    if constexpr (outputs == 1) return program::template room_bytes<0> > 0;
    else return false;
  }
  // The only result, a tensor in whose place packs are stored: in room of their own where it has
  // less.
  template <class Leaf> WEFT_INLINE static void run_for_packs(void const* const* in, Leaf& leaf) {
    static_assert(std::is_trivially_copyable_v<Leaf>);
    if constexpr (program::template room_bytes<0> <= sizeof(Leaf)) {
      void* const to[] = {writable(leaf)};
      program::run(in, to);
    } else {
      struct alignas(inline_bytes) room {
        std::byte bytes[inline_bytes];
      };
      room own{};
      void* const to[] = {own.bytes};
      program::run(in, to);
      std::memcpy(&leaf, own.bytes, sizeof leaf); // an assignment g++ 12 splits, and the store
    }
  }
  // Moved tensors, of which a result may take the memory.
  struct donor {
    void* tensor = nullptr;
    void* (*take)(void* tensor, result_pool& pool) = nullptr;
  };
  struct call_arguments {
    void const* in[inputs + 1];
    donor donors[inputs + 1];
  };

  WEFT_INLINE result_type results(call_arguments& given) {
    result_type result{};
    if constexpr (in_packs())
      for_each_leaf(result, [&](auto& leaf) WEFT_LAMBDA { run_for_packs(given.in, leaf); });
    else {
      void* out[outputs + 1]{};
      int k = 0;
      for_each_leaf(result, [&](auto& leaf) WEFT_LAMBDA {
        out[k] = place_result(leaf, given, k);
        ++k;
      });
      program::run(given.in, out);
    }
    return result;
  }
  template <class Arg> WEFT_INLINE static void collect(call_arguments& to, int& count, Arg&& arg) {
    constexpr bool moved = std::is_rvalue_reference_v<Arg&&>;
    for_each_leaf(arg, [&]<class Leaf>(Leaf& leaf) WEFT_LAMBDA {
      to.in[count] = data_of(leaf);
      if constexpr (moved && !std::is_const_v<Leaf>) offer(leaf, to.donors[count]);
      ++count;
    });
  }
  template <class Leaf> WEFT_INLINE static void offer(Leaf& leaf, donor& to) {
    if constexpr (requires { buffer_of(leaf); })
      if (!buffer_of(leaf).empty()) to = {&leaf, take_block_of(leaf)};
  }

  template <class Leaf> WEFT_INLINE void* place_result(Leaf& leaf, call_arguments& given, int k) {
    if constexpr (std::is_same_v<Leaf, key>) return &leaf.high;
    else if constexpr (Leaf::is_inline) return writable(leaf);
    else {
      void* const block = block_for(given, k,
                                    leaf.size() * static_cast<extent>(sizeof *leaf.data()));
      hold_block(leaf, block);
      return block;
    }
  }
  WEFT_INLINE void* block_for(call_arguments& given, int k, extent bytes) {
    for (int i = 0; i < inputs; ++i)
      if (layout::value.takes[k][i])
        if (void* const block = donated(given, i, k)) return block;
    return pools_[k].get(bytes, memory_from(source_memory_));
  }
  // jit<f>(std::move(x), x): the other argument reads it too.
  WEFT_INLINE void* donated(call_arguments& given, int i, int k) {
    donor& d = given.donors[i];
    if (d.tensor == nullptr) return nullptr;
    for (int j = 0; j < inputs; ++j)
      if (j != i && given.in[j] == given.in[i]) return nullptr;
    void* const block = d.take(d.tensor, pools_[k]);
    if (block != nullptr) d.tensor = nullptr;
    return block;
  }
  template <class Leaf> WEFT_INLINE void prepare_result(Leaf& leaf, int k) {
    if constexpr (requires { Leaf::is_inline; })
      if constexpr (!Leaf::is_inline)
        pools_[k].prepare(leaf.size() * static_cast<extent>(sizeof *leaf.data()),
                          memory_from(source_memory_));
  }

  // Without results in blocks nothing is kept, and a thread has nothing to tidy.
  memory_source* source_memory_ = nullptr;
  std::conditional_t<has_result_blocks(layout::g), result_pool[outputs + 1], none_t> pools_{};
};

template <class Program, class Target> constexpr auto find_runner() {
  using P = program_for<Program, Target>;
  if constexpr (is_small<P>)
    return std::type_identity<small_runner<P, cpu::exact_target<Target>>>{};
  else return std::type_identity<runner<source<Program, Target>>>{};
}
template <class Program, class Target>
using program_runner = typename decltype(find_runner<Program, Target>())::type;

} // namespace detail
} // namespace weft::inline v0
