// SPDX-License-Identifier: BSL-1.0
// checked_trace: a graph that was recorded at run time, if the trace went well.
// Errors: usage_error, or value_error for a number out of range, with the words that jit's
// static_asserts have.
#pragma once

#include <weft/core/error.hpp>
#include <weft/graph/graph.hpp>
#include <weft/graph/trace_texts.hpp>

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
    case trace_error::number_beyond_type: raise<value_error>(number_beyond_text);
    case trace_error::bernoulli_probability: raise<value_error>(bernoulli_text);
    case trace_error::dropout_rate: raise<value_error>(dropout_text);
    case trace_error::mapped_nine_axes: raise<usage_error>(mapped_nine_axes_text);
    case trace_error::no_argument_picked: raise<usage_error>(no_argument_picked_text);
    case trace_error::custom_forward: raise<usage_error>(custom_forward_text);
    case trace_error::host_reverse: raise<usage_error>(host_reverse_text);
    case trace_error::host_forward: raise<usage_error>(host_forward_text);
    case trace_error::two_meshes: raise<usage_error>(two_meshes_text);
    case trace_error::shard_axis: raise<usage_error>(shard_axis_text);
    case trace_error::shard_extent: raise<shape_error>(shard_extent_text);
    case trace_error::partitioned_collective: raise<usage_error>(partitioned_collective_text);
    case trace_error::partitioned_rule: raise<usage_error>(partitioned_rule_text);
  }
  return g;
}

} // namespace detail
} // namespace weft::inline v0
