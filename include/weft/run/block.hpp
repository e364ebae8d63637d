// SPDX-License-Identifier: BSL-1.0
// jit<f>(cpu::block, args…): the same function, traced when it is first called and run by the block
// executor: nothing is instantiated per op, so graphs of any size and debug builds work.
//   auto [next, loss] = jit<step>(cpu::block, p, x, labels, key(1));
// Needs: what jit needs. Leaves: the bits of jit<f>(args…).
// Errors: usage_error with jit's words for what types cannot see (an escaping value, a key used
// twice).
#pragma once

#include <weft/cpu/block.hpp>
#include <weft/run/jit.hpp>

namespace weft::inline v0 {
namespace detail {

inline graph checked_trace(graph g) {
  switch (g.error) {
    case trace_error::clean: break;
    case trace_error::escaping_value: raise<usage_error>(escaping_value_text);
    case trace_error::key_used_twice: raise<usage_error>(key_used_twice_text);
    case trace_error::while_reversed: raise<usage_error>(while_reversed_text);
    case trace_error::key_shared_by_steps: raise<usage_error>(key_shared_text);
    case trace_error::not_elementwise: raise<usage_error>(not_elementwise_text);
  }
  return g;
}

template <auto F, class Target, class... Args> struct block_source {
  using result_type = rebind<traced_result<std::remove_cv_t<decltype(F)>, Args...>, tensor>;
  static constexpr int inputs = (leaf_count<Args> + ... + 0);
  static constexpr int outputs = leaf_count<result_type>;
  static constexpr bool named = true; // bind_inputs decides at run time
  cpu::block_program<Target> program{checked_trace(record<Args...>(F))};
  cpu::program_code code() const { return program.code(); }
};

template <class Source, class... Want, class... Args>
auto call_blocks(type_list<Want...>, Args&&... args) {
  cpu::serial here;
  return runner<Source>::here()(here, as_argument<Want>(std::forward<Args>(args))...);
}

} // namespace detail

template <auto F, class Target = cpu::native_target, class... Args>
auto jit(cpu::block_t, Args&&... args) {
  using source = detail::block_source<F, Target, argument_t<Args>...>;
  return detail::call_blocks<source>(type_list<argument_t<Args>...>{}, std::forward<Args>(args)...);
}

} // namespace weft::inline v0
