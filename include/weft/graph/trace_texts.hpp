// SPDX-License-Identifier: BSL-1.0
// The words for a trace's mistakes (trace_error), for traces at run time; run/program.hpp asserts in
// the same words.
#pragma once

#include <weft/core/config.hpp>

namespace weft::inline v0 {
namespace detail {

inline constexpr char const* escaping_value_text =
    "weft: a value made in the body of a loop or branch is used outside; return it";
inline constexpr char const* key_used_twice_text =
    "weft: key: one key is given to two draws or splits; use split(key) or fold_in";
inline constexpr char const* key_shared_text =
    "weft: key: a loop's steps share one key; give each fold_in(key, step)";
inline constexpr char const* not_elementwise_text =
    "weft: map: the function is not elementwise; write it over one element, or map(f, xs)";
inline constexpr char const* mapped_nine_axes_text =
    "weft: vmap: an array of the function has 8 axes, and examples need one; use scan";
inline constexpr char const* while_reversed_text =
    "weft: a loop of unknown length has no reverse derivative; use scan, or "
    "while_options{.most = n}";
inline constexpr char const* custom_forward_text =
    "weft: jvp: a function of custom_vjp has no forward derivative; use vjp or grad";
inline constexpr char const* host_reverse_text =
    "weft: custom_call: the function has no vjp(operands..., result, cotangent), and a gradient goes through it; give it one, or "
    "write stop_gradient";
inline constexpr char const* host_forward_text =
    "weft: custom_call: the function has no jvp(operands..., result, tangents...), and a forward derivative goes through it; give it "
    "one, or use vjp or grad";
inline constexpr char const* two_meshes_text =
    "weft: a function's collectives are over meshes of different numbers of ranks; use one mesh, its "
    "sub_mesh or split_axis";
inline constexpr char const* shard_axis_text =
    "weft: shard: the mesh that partitions the function has no axis of this name";
inline constexpr char const* shard_extent_text =
    "weft: shard: an extent is no multiple of the ranks along the axes that split it, or a name; pad it, or split another "
    "axis";
inline constexpr char const* partitioned_collective_text =
    "weft: partition: the function has a collective or axis_index; it is of whole arrays, and ranks exchange "
    "what that takes";
inline constexpr char const* partitioned_rule_text =
    "weft: grad: a function of custom_vjp inside of partition has lost its rules; take the "
    "gradient inside of the partitioned function";
inline constexpr char const* no_argument_picked_text =
    "weft: grad: the picking function returns no leaf of an argument; return leaves as they are";
inline constexpr char const* number_beyond_text =
    "weft: a number is beyond the integers of the array that it meets; convert one of them";
inline constexpr char const* bernoulli_text =
    "weft: bernoulli: the probability is not in [0, 1]; write clip(p, 0, 1)";
inline constexpr char const* dropout_text =
    "weft: dropout: the rate is not in [0, 1]; write the probability of dropping";

} // namespace detail
} // namespace weft::inline v0
