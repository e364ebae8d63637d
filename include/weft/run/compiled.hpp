// SPDX-License-Identifier: BSL-1.0
// compiled: a program as an object that owns all its memory: the form for real-time code. Built
// once; calls then take no lock and allocate nothing (static shapes; named extents plan at the
// first call with new numbers).
//   compiled<filter, state<tensor>, tensor<float, 64>> f;       // or compiled_program<named>
//   compiled<filter, policy::fast, state<tensor>, tensor<float, 64>> q; // run/policy.hpp
//   auto const& [next, y] = f(s, x);       // valid until the next call, which writes over it
//   fixed_memory own(bytes, sizeof bytes);
//   compiled<filter, state<tensor>, tensor<float, 64>> g(1, own);      // all of it in there
// Needs: calls from one thread at a time; where memory is given, that it outlives the object and
// the results. Leaves: the same bits as jit.
#pragma once

#include <weft/run/jit.hpp>

namespace weft::inline v0 {

namespace detail {
// The heap, and how much a fixed_memory would have had to hold.
class counted_memory final : public memory_source {
public:
  std::size_t bytes = 0;
  void* allocate(std::size_t n, std::size_t alignment) override {
    bytes = (bytes + alignment - 1) / alignment * alignment + n;
    return heap_memory().allocate(n, alignment);
  }
  void release(void* memory, std::size_t n, std::size_t alignment) noexcept override {
    heap_memory().release(memory, n, alignment);
  }
};
} // namespace detail

template <named_program Program, class Target = cpu::native_target> class compiled_program {
  static_assert(detail::well_recorded<Program>());
  static constexpr bool named = has_names(stages<detail::program_for<Program, Target>>::optimised);

public:
  using result_type = typename Program::result_type;

  explicit compiled_program(int threads = 1) {
    if constexpr (!named) runner_.prepare(threads);
  }
  // Results, intermediates and scratch in `source`'s memory: memory_bytes(threads) of it, while
  // calls hold on to no more than one set of results.
  compiled_program(int threads, memory_source& source) {
    runner_.take_memory_from(source);
    if constexpr (!named) runner_.prepare(threads);
  }
  // What the other constructor takes of its source, for programs without names; 63 bytes more
  // where a fixed_memory does not begin at a multiple of 64.
  static std::size_t memory_bytes(int threads = 1)
    requires(!named)
  {
    detail::counted_memory counted;
    compiled_program const one(threads, counted);
    return counted.bytes;
  }
  template <class... Args>
    requires(!(cpu::executor<std::remove_reference_t<Args>> || ...))
  result_type const& operator()(Args&&... args) {
    cpu::serial here;
    return (*this)(here, std::forward<Args>(args)...);
  }
  template <cpu::executor Executor, class... Args>
  result_type const& operator()(Executor& executor, Args&&... args) {
    call(executor, typename Program::arguments{}, std::forward<Args>(args)...);
    return result_;
  }
  // Bytes of intermediate values; 0 before the first call of a program with names, and of a program
  // so small that they are on the stack (run/small_program.hpp).
  extent arena_bytes() const { return runner_.arena_bytes(); }

private:
  template <class Executor, class... Want, class... Args>
  void call(Executor& executor, type_list<Want...>, Args&&... args) {
    using stages_of = stages<detail::program_for<Program, Target>>;
    if constexpr (detail::may_throw(stages_of::optimised)) // then the last result stays
      result_ = runner_(executor, detail::as_argument<Want>(std::forward<Args>(args))...);
    else
      result_ = runner_.in_place_of(result_, executor,
                                    detail::as_argument<Want>(std::forward<Args>(args))...);
  }
  detail::program_runner<Program, Target> runner_;
  result_type result_{};
};

template <auto F, class... Args>
class compiled : public compiled_program<typename program<F, Args...>::itself> {
public:
  using compiled_program<program<F, Args...>>::compiled_program;
};
// Under a policy, or for a target.
template <auto F, cpu::target Target, class... Args>
class compiled<F, Target, Args...>
    : public compiled_program<typename program<F, Args...>::itself, Target> {
public:
  using compiled_program<program<F, Args...>, Target>::compiled_program;
};

} // namespace weft::inline v0
