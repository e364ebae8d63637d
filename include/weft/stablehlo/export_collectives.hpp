// SPDX-License-Identifier: BSL-1.0
// collective and rank as operations of a module whose partitions are the program's ranks: groups
// are ranks, stated with a channel. Values of 16 bits are summed in float, as weft does.
// Needs: a graph whose collectives are for one number of ranks. Leaves: what import_collectives.hpp
// reads as the same nodes.
#pragma once

#include <weft/graph/collective.hpp>
#include <weft/stablehlo/export_scope.hpp>
#include <weft/stablehlo/module_ops.hpp>

namespace weft::inline v0::stablehlo::detail {

// How many ranks run the program, as its collectives and ranks say.
constexpr extent world_of(graph_view g) {
  for (int id = 0; id < g.size(); ++id) {
    if (g[id].code == op::collective) return collective_of(g, id).world;
    if (g[id].code == op::rank) return g.attribute(id, 2);
  }
  return 1;
}

constexpr attribute channel(module_writer& w) {
  attribute const members[] = {w.integer("handle", 1), w.integer("type", 1)};
  return w.record("channel_handle", {members, 2});
}
constexpr code combining_code(collective_combine how) {
  constexpr code codes[] = {code::add,     code::multiply, code::minimum,
                            code::maximum, code::and_,     code::or_};
  return codes[static_cast<int>(how)];
}
constexpr code exchanging_code(collective_kind kind) {
  constexpr code codes[] = {code::all_reduce, code::all_gather,           code::reduce_scatter,
                            code::all_to_all, code::collective_broadcast, code::collective_permute};
  return codes[static_cast<int>(kind)];
}
constexpr int export_collective(export_scope& s, int id) {
  module_writer& w = s.w;
  collective const c = collective_of(s.g, id);
  bool const permutes = c.kind == collective_kind::permute,
             gathers = c.kind == collective_kind::all_gather;
  extents const rows{2, {c.ranks.size() / c.group, c.group}};
  growing<attribute> all;
  if (gathers) all.push(w.integer("all_gather_dim", c.axis));
  all.push(channel(w));
  if (c.kind == collective_kind::all_to_all) all.push(w.integer("concat_dimension", c.to_axis));
  if (!permutes) all.push(w.matrix("replica_groups", c.ranks, rows));
  if (c.kind == collective_kind::reduce_scatter) all.push(w.integer("scatter_dimension", c.axis));
  if (permutes) all.push(w.matrix("source_target_pairs", c.ranks, rows));
  if (c.kind == collective_kind::all_to_all) {
    all.push(w.integer("split_count", c.group));
    all.push(w.integer("split_dimension", c.axis));
  }
  if (c.reduces() || gathers) all.push(w.unit("use_global_device_ids"));
  dtype const type = s.g[id].type;
  dtype const d = c.reduces() && (c.combine == collective_combine::add ||
                                  c.combine == collective_combine::mul)
                      ? accumulator_of(type)
                      : type;
  int const x = convert(w, s.operand(id, 0), d);
  typed_shape const result{d, s.g.shape(id)};
  growing<int> bodies;
  if (c.reduces()) bodies.push(combiner(w, combining_code(c.combine), d));
  return convert(w, w.emit(exchanging_code(c.kind), {&x, 1}, {&result, 1}, all, bodies), type);
}
// partition_id / divisor mod modulus
constexpr int export_rank(export_scope& s, int id) {
  module_writer& w = s.w;
  extent const divisor = s.g.attribute(id, 0), modulus = s.g.attribute(id, 1);
  if (modulus == 1) return scalar(w, dtype::u32, 0);
  typed_shape const result{dtype::u32, {}};
  int rank = w.emit(code::partition_id, {}, {&result, 1}, {});
  if (divisor != 1)
    rank = binary(w, code::divide, rank, scalar(w, dtype::u32, static_cast<word>(divisor)));
  if (divisor * modulus != s.g.attribute(id, 2))
    rank = binary(w, code::remainder, rank, scalar(w, dtype::u32, static_cast<word>(modulus)));
  return rank;
}

} // namespace weft::inline v0::stablehlo::detail
