// SPDX-License-Identifier: BSL-1.0
// partition: a program of one machine becomes the program that each rank of a mesh runs.
//   mesh_axes const m = mesh_of("data=2, model=2");
//   sharding const in[] = {sharding_of("[data, -]", m), sharding_of("[-, model]", m)};
//   partitioned const p = partition(g, m, {in, 2}, {out, 1});      // p.program: graph of one rank
// Inputs and outputs of p.program are the parts that `in` and `out` say; between them values stand as
// the inputs, `shard` nodes and the ops make them (pass/partition_plan.hpp), and change by the cheapest
// collectives (pass/partition_moves.hpp). Numbers: what no split contraction or reduction is part of
// has the bits of one machine, draws included; split ones combine partial results in the order of
// the ranks. Ops without a rule compute whole arrays on every rank.
// Needs: a verified graph. Leaves: a graph that verify accepts, or `fault` and no program.
// `out` may be empty: outputs stand as they are found, `p.out` says how.
#pragma once

#include <weft/pass/canonical.hpp>
#include <weft/pass/partition_write.hpp>

namespace weft::inline v0 {

// What cannot be partitioned, and why.
enum class partition_error : std::uint8_t {
  sound,
  input,      // a specification of input `number`: `what`
  output,     // of output `number`
  annotation, // of a `shard` node, `number`
  collective, // node `number` is of a program for ranks already
  counts      // not a specification per input, and per output
};
struct partition_fault {
  partition_error code = partition_error::sound;
  int number = -1;
  sharding_fault what{};

  constexpr explicit operator bool() const { return code != partition_error::sound; }
};

struct partitioned {
  graph program;
  growing<sharding> stands;  // by node of the global graph; of nodes with several results: by `get`
  growing<sharding> in, out; // of the program's inputs and outputs
  growing<partition_move> moves; // its collectives
  partition_fault fault;
};

namespace detail {

constexpr partition_fault partition_fault_of(graph_view g, mesh_axes const& mesh, view<sharding> in,
                                             view<sharding> out) {
  view<int> const inputs = g.parameters_of(0), outputs = g.outputs_of(0);
  if (in.size() != inputs.size() || (!out.empty() && out.size() != outputs.size()))
    return {partition_error::counts};
  for (int i = 0; i < in.size(); ++i)
    if (auto const f = fault_of(in[i], g.shape(inputs[i]), mesh))
      return {partition_error::input, i, f};
  for (int i = 0; i < out.size(); ++i)
    if (auto const f = fault_of(out[i], g.shape(outputs[i]), mesh))
      return {partition_error::output, i, f};
  for (int id = 0; id < g.size(); ++id) {
    if (g[id].code == op::collective || g[id].code == op::rank)
      return {partition_error::collective, id};
    if (g[id].code != op::shard) continue;
    read_sharding const s = weft::sharding_of(g.attributes_of(id), mesh);
    if (s.fault) return {partition_error::annotation, id, s.fault};
    if (auto const f = fault_of(s.of, g.shape(id), mesh))
      return {partition_error::annotation, id, f};
  }
  return {};
}

} // namespace detail

constexpr partitioned partition(graph_view g, mesh_axes const& mesh, view<sharding> in,
                                view<sharding> out = {}) {
  partitioned p;
  p.fault = detail::partition_fault_of(g, mesh, in, out);
  if (p.fault) return p;
  recorder r;
  detail::sharding_plan const plan(g, mesh, in, out);
  detail::partition_writer w(g, mesh, r, plan);
  w.write_inputs();
  w.write_region(0);
  w.v.user = -1;
  growing<handle> outputs;
  view<int> const ids = g.outputs_of(0);
  for (int i = 0; i < ids.size(); ++i) {
    p.out.push(out.empty() ? w.as_found(ids[i]) : out[i]);
    outputs.push(w.v.need(ids[i], p.out[i]));
  }
  r.finish(outputs);
  p.in = growing<sharding>(in);
  for (int id = 0; id < g.size(); ++id) p.stands.push(w.v.stands[id].split);
  p.moves = std::move(w.v.moves);
  p.program = canonical(r.result);
  return p;
}

} // namespace weft::inline v0
