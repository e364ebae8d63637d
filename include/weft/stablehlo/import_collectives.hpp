// SPDX-License-Identifier: BSL-1.0
// What ranks exchange: all_reduce all_gather reduce_scatter all_to_all collective_permute
// collective_broadcast, and partition_id replica_id.
// A module's processes are replicas times partitions; rank = replica * partitions + partition. Which
// of them the numbers of replica_groups mean depends on channel_handle and use_global_device_ids, as
// the specification of StableHLO says:
//   no channel               replicas, in each partition
//   a channel                partitions, in each replica (all_to_all, permute, broadcast);
//                            replicas, in all partitions together (the others)
//   ... and global ids       ranks
// Needs: import_bodies.hpp. Leaves: collective nodes whose groups have every rank once.
#pragma once

#include <weft/graph/handle_collective.hpp>
#include <weft/stablehlo/import_bodies.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

struct process_grid {
  extent replicas = 1, partitions = 1;

  constexpr extent count() const { return replicas * partitions; }
  constexpr extent rank(extent replica, extent partition) const {
    return replica * partitions + partition;
  }
};
constexpr extent module_count(importing& c, operation const& o, char const* name) {
  attribute const* const a = c.m.find(c.m.first_attribute, c.m.attribute_count, name);
  extent const n = integer_in(c, o, a, name, 1);
  if (c.ok() && (n < 1 || n > most_ranks)) fail_attribute(c, o, name, "is not 1 to 65536");
  return c.ok() ? n : 1;
}
constexpr process_grid grid_of(importing& c, operation const& o) {
  process_grid g;
  g.replicas = module_count(c, o, "mhlo.num_replicas");
  g.partitions = module_count(c, o, "mhlo.num_partitions");
  if (c.ok() && g.count() > most_ranks)
    c.fail(
        o,
        message("replicas times partitions are ").add(g.count()).add(", at most 65536 are read"));
  return g;
}

// What the numbers of a group are.
enum class grouping : std::uint8_t { replicas, partitions, replicas_of_all_partitions, ranks };
constexpr grouping grouping_of(importing& c, operation const& o, bool reduces_or_gathers) {
  attribute const* const channel = c.m.find(o, "channel_handle");
  bool const has_channel = channel != nullptr && channel->kind == attribute_kind::record &&
                           integer_in(c, o, c.m.find(*channel, "handle"), "channel_handle", 0) > 0;
  if (!has_channel) return grouping::replicas;
  if (!reduces_or_gathers) return grouping::partitions;
  attribute const* const global = c.m.find(o, "use_global_device_ids");
  bool const is_global = global != nullptr &&
                         (global->kind != attribute_kind::boolean || global->integer != 0);
  return is_global ? grouping::ranks : grouping::replicas_of_all_partitions;
}

// Groups of numbers as groups of ranks; size: numbers of one group. Pairs are groups of two.
class rank_groups {
public:
  constexpr rank_groups(process_grid grid, grouping how) : grid_(grid), how_(how) {}

  growing<extent> ranks;
  extent group = 0;

  // Of how many ids there are.
  constexpr extent ids() const {
    return how_ == grouping::ranks        ? grid_.count()
           : how_ == grouping::partitions ? grid_.partitions
                                          : grid_.replicas;
  }
  constexpr void add(view<extent> group_of_ids) {
    switch (how_) {
      case grouping::ranks: return push(group_of_ids, [](extent id) { return id; });
      case grouping::replicas:
        for (extent p = 0; p < grid_.partitions; ++p)
          push(group_of_ids, [this, p](extent id) { return grid_.rank(id, p); });
        return;
      case grouping::partitions:
        for (extent r = 0; r < grid_.replicas; ++r)
          push(group_of_ids, [this, r](extent id) { return grid_.rank(r, id); });
        return;
      default:
        for (extent p = 0; p < grid_.partitions; ++p)
          for (extent id : group_of_ids) ranks.push(grid_.rank(id, p));
        group = group_of_ids.size() * grid_.partitions;
    }
  }

private:
  template <class Of> constexpr void push(view<extent> ids_of_group, Of const& rank) {
    for (extent id : ids_of_group) ranks.push(rank(id));
    group = ids_of_group.size();
  }

  process_grid grid_;
  grouping how_;
};

// The rows of a matrix attribute; -1 fills a row up. An empty one: all ids in one group.
constexpr rank_groups groups_of(importing& c, operation const& o, char const* name, grouping how) {
  rank_groups all(grid_of(c, o), how);
  attribute const* const a = c.m.find(o, name);
  growing<extent> flat;
  if (a != nullptr) flat = numbers_in(c, o, *a, name);
  if (!c.ok()) return all;
  for (extent id : flat)
    if (c.ok() && (id < -1 || id >= all.ids()))
      c.fail(o, message(name)
                    .add(" has ")
                    .add(id)
                    .add(", the module has ")
                    .add(all.ids())
                    .add(" of them"));
  if (!c.ok()) return all;
  if (flat.empty()) {
    growing<extent> every;
    for (extent id = 0; id < all.ids(); ++id) every.push(id);
    all.add(every);
    return all;
  }
  extents const shape = a->kind == attribute_kind::numbers ? c.m.types[a->type].shape : extents{};
  if (shape.rank != 2) {
    fail_attribute(c, o, name, "is no matrix");
    return all;
  }
  int const width = static_cast<int>(shape[1]);
  int length = -1;
  for (int first = 0; first < flat.size() && c.ok(); first += width) {
    growing<extent> row;
    for (extent id : view<extent>(flat).part(first, width))
      if (id >= 0) row.push(id);
    if (length >= 0 && row.size() != length)
      c.fail(o, message(name)
                    .add(" has groups of ")
                    .add(length)
                    .add(" and of ")
                    .add(row.size())
                    .add("; give them one size"));
    length = row.size();
    if (c.ok()) all.add(row);
  }
  return all;
}

constexpr collective_combine combine_of(importing& c, operation const& o, bool& known) {
  known = true;
  switch (body_of(c, o, 0, 0, 1)) {
    case code::add: return collective_combine::add;
    case code::multiply: return collective_combine::mul;
    case code::minimum: return collective_combine::min;
    case code::maximum: return collective_combine::max;
    case code::and_: return collective_combine::bit_and;
    case code::or_: return collective_combine::bit_or;
    default: known = false; return {};
  }
}
// Sums of booleans are or, products and.
constexpr collective_combine of_type(collective_combine how, dtype type) {
  if (type != dtype::boolean) return how;
  if (how == collective_combine::add) return collective_combine::bit_or;
  return how == collective_combine::mul ? collective_combine::bit_and : how;
}
// Exchanges every operand. Needs: axes that an operand has.
constexpr void import_exchange(importing& c, operation const& o, collective how,
                               rank_groups const& groups) {
  how.world = grid_of(c, o).count();
  how.group = how.kind == collective_kind::permute ? 2 : groups.group;
  how.ranks = groups.ranks;
  collective_combine const written = how.combine;
  for (int k = 0; k < o.operand_count && c.ok(); ++k) {
    handle const x = c.in(o, k);
    how.combine = of_type(written, x.type());
    extents const s = x.shape();
    bool const divides = how.kind == collective_kind::reduce_scatter ||
                         how.kind == collective_kind::all_to_all;
    if (divides && (how.group < 1 || is_named(s[static_cast<int>(how.axis)]) ||
                    s[static_cast<int>(how.axis)] % how.group != 0))
      return c.fail(o, message("axis ")
                           .add(how.axis)
                           .add(" of ")
                           .add(s)
                           .add(" is no multiple of the group, ")
                           .add(how.group));
    c.give(o, k, exchange(x, how));
  }
}
constexpr extent checked_axis(importing& c, operation const& o, char const* name) {
  int rank = max_rank;
  for (int k = 0; k < o.operand_count; ++k)
    if (int const r = c.in(o, k).shape().rank; r < rank) rank = r;
  return axis_of(c, o, name, rank);
}
constexpr bool takes_exchanged(importing& c, operation const& o, int regions) {
  return c.takes(o, o.operand_count, o.operand_count, regions) &&
         c.takes_tensors(o, 0, o.operand_count);
}

constexpr void import_reducing(importing& c, operation const& o, collective_kind kind) {
  if (!takes_exchanged(c, o, 1)) return;
  collective how{.kind = kind};
  bool known = false;
  how.combine = combine_of(c, o, known);
  if (!known)
    return c.fail(o, "combines by a body that is not read; write one of add, multiply, minimum, "
                     "maximum, and, or of its two arguments");
  if (kind == collective_kind::reduce_scatter) how.axis = checked_axis(c, o, "scatter_dimension");
  rank_groups const groups = groups_of(c, o, "replica_groups", grouping_of(c, o, true));
  if (c.ok()) import_exchange(c, o, how, groups);
}
constexpr void import_all_gather(importing& c, operation const& o) {
  if (!takes_exchanged(c, o, 0)) return;
  collective how{.kind = collective_kind::all_gather};
  how.axis = checked_axis(c, o, "all_gather_dim");
  rank_groups const groups = groups_of(c, o, "replica_groups", grouping_of(c, o, true));
  if (c.ok()) import_exchange(c, o, how, groups);
}
constexpr void import_all_to_all(importing& c, operation const& o) {
  if (!takes_exchanged(c, o, 0)) return;
  collective how{.kind = collective_kind::all_to_all};
  how.axis = checked_axis(c, o, "split_dimension");
  how.to_axis = checked_axis(c, o, "concat_dimension");
  extent const parts = integer_of(c, o, "split_count");
  rank_groups const groups = groups_of(c, o, "replica_groups", grouping_of(c, o, false));
  if (c.ok() && parts != groups.group)
    c.fail(o, message("split_count is ").add(parts).add(", groups have ").add(groups.group));
  if (c.ok()) import_exchange(c, o, how, groups);
}
constexpr void import_permute(importing& c, operation const& o) {
  if (!takes_exchanged(c, o, 0)) return;
  if (attribute const* const pairs = c.m.find(o, "source_target_pairs");
      pairs == nullptr || pairs->kind != attribute_kind::numbers)
    return fail_attribute(c, o, "source_target_pairs", "is missing");
  growing<extent> const flat = numbers_of(c, o, "source_target_pairs");
  bool const nobody = c.ok() && flat.empty();
  rank_groups groups = nobody ? rank_groups(grid_of(c, o), grouping::ranks)
                              : groups_of(c, o, "source_target_pairs", grouping_of(c, o, false));
  if (c.ok() && !nobody && groups.group != 2)
    return fail_attribute(c, o, "source_target_pairs", "is no list of pairs");
  if (c.ok()) import_exchange(c, o, {.kind = collective_kind::permute}, groups);
}
constexpr void import_broadcast_of_rank(importing& c, operation const& o) {
  if (!takes_exchanged(c, o, 0)) return;
  rank_groups const groups = groups_of(c, o, "replica_groups", grouping_of(c, o, false));
  if (c.ok()) import_exchange(c, o, {.kind = collective_kind::broadcast}, groups);
}
constexpr void import_process(importing& c, operation const& o, bool partition) {
  if (!c.takes(o, 0, 1)) return;
  process_grid const g = grid_of(c, o);
  if (!c.ok()) return;
  c.give(o, partition ? rank_of_mesh(c.r, 1, g.partitions, g.count())
                      : rank_of_mesh(c.r, g.partitions, g.replicas, g.count()));
}
constexpr bool import_collective(importing& c, operation const& o) {
  switch (o.what) {
    case code::all_reduce: return import_reducing(c, o, collective_kind::all_reduce), true;
    case code::reduce_scatter: return import_reducing(c, o, collective_kind::reduce_scatter), true;
    case code::all_gather: return import_all_gather(c, o), true;
    case code::all_to_all: return import_all_to_all(c, o), true;
    case code::collective_permute: return import_permute(c, o), true;
    case code::collective_broadcast: return import_broadcast_of_rank(c, o), true;
    case code::partition_id: return import_process(c, o, true), true;
    case code::replica_id: return import_process(c, o, false), true;
    default: return false;
  }
}

} // namespace detail
} // namespace weft::inline v0::stablehlo
