// SPDX-License-Identifier: BSL-1.0
// jit<f>(cpu::block, args…): the same function, traced when it is first called and run by the block
// executor: nothing is instantiated per op, so graphs of any size and debug builds work.
//   auto [next, loss] = jit<step>(cpu::block, p, x, labels, key(1));
//   auto [n2, l2] = jit<train_step>(cpu::block, pool, p, x, labels, key(1)); // named, on threads
// Needs: what jit needs. Leaves: the bits of jit<f>(args…).
// Errors: usage_error with jit's words for what types cannot see (an escaping value, a key used
// twice), value_error for a probability outside of [0, 1].
#pragma once

#include <weft/cpu/block.hpp>
#include <weft/run/checked_trace.hpp>
#include <weft/run/jit.hpp>

namespace weft::inline v0 {
namespace detail {

template <class Arguments> inline constexpr int leaves_in = 0;
template <class... Args>
inline constexpr int leaves_in<type_list<Args...>> = (leaf_count<Args> + ... + 0);

template <class Program, class Target> struct block_source {
  using result_type = typename Program::result_type;
  static constexpr int inputs = leaves_in<typename Program::arguments>;
  static constexpr int outputs = leaf_count<result_type>;
  static constexpr bool named = true; // bind_inputs decides at run time
  cpu::block_program<cpu::exact_target<Target>> program{
      graph_for<Target>(checked_trace(Program::make()))};
  cpu::program_code code() const { return program.code(); }
};

template <class Source, class Executor, class... Want, class... Args>
auto call_blocks(type_list<Want...>, Executor& executor, Args&&... args) {
  return runner<Source>::here()(executor, as_argument<Want>(std::forward<Args>(args))...);
}
template <class Program, class Target, class Executor, class... Args>
auto run_blocks(Executor& executor, Args&&... args) {
  return call_blocks<block_source<Program, Target>>(typename Program::arguments{}, executor,
                                                    std::forward<Args>(args)...);
}

} // namespace detail

template <auto F, class Target = cpu::native_target, class... Args>
  requires(detail::plain_argument<Args> && ...)
auto jit(cpu::block_t, Args&&... args) {
  cpu::serial here;
  return detail::run_blocks<program<F, argument_t<Args>...>, Target>(here,
                                                                     std::forward<Args>(args)...);
}
template <auto F, class Target = cpu::native_target, cpu::executor Executor, class... Args>
auto jit(cpu::block_t, Executor& executor, Args&&... args) {
  return detail::run_blocks<program<F, argument_t<Args>...>, Target>(executor,
                                                                     std::forward<Args>(args)...);
}
template <named_program Program, class Target = cpu::native_target, class... Args>
  requires(detail::plain_argument<Args> && ...)
auto jit(cpu::block_t, Args&&... args) {
  cpu::serial here;
  return detail::run_blocks<Program, Target>(here, std::forward<Args>(args)...);
}
template <named_program Program, class Target = cpu::native_target, cpu::executor Executor,
          class... Args>
auto jit(cpu::block_t, Executor& executor, Args&&... args) {
  return detail::run_blocks<Program, Target>(executor, std::forward<Args>(args)...);
}

} // namespace weft::inline v0
