// SPDX-License-Identifier: BSL-1.0
// From one sharding of an array to another, step by step, each the cheapest that leads there:
//   slice           a mesh axis begins to split: each rank takes its part; nothing is sent
//   reduce_scatter, all_reduce   partial results are combined, scattered where the axis splits next
//   all_to_all      a mesh axis that splits one axis splits another
//   all_gather      a mesh axis splits no more
// The innermost mesh axis of a list is the first to leave, since parts lie side by side in its order.
// Needs: shardings that divide the shape. Leaves: reshard_step, and what all steps send, per rank.
#pragma once

#include <weft/graph/collective_bytes.hpp>
#include <weft/graph/sharding.hpp>

namespace weft::inline v0 {
namespace detail {

// How a value stands on the ranks. `partial`: a bit for each mesh axis along which ranks have partial
// results, which `how` combines.
struct standing {
  sharding split{};
  unsigned partial = 0;
  collective_combine how = collective_combine::add;

  friend constexpr bool operator==(standing const& a, standing const& b) {
    return a.split == b.split && a.partial == b.partial && (a.partial == 0 || a.how == b.how);
  }
};

enum class reshard_kind : std::uint8_t {
  done,
  slice,
  all_reduce,
  reduce_scatter,
  all_to_all,
  all_gather
};
struct reshard_step {
  reshard_kind kind = reshard_kind::done;
  unsigned along = 0;        // mesh axes, bits
  int axis = 0, to_axis = 0; // as a collective has them; of slice: axis
};
constexpr collective_kind collective_of(reshard_kind k) {
  switch (k) {
    case reshard_kind::all_reduce: return collective_kind::all_reduce;
    case reshard_kind::reduce_scatter: return collective_kind::reduce_scatter;
    case reshard_kind::all_to_all: return collective_kind::all_to_all;
    default: return collective_kind::all_gather;
  }
}

class reshard_walk {
public:
  standing at;

  constexpr reshard_walk(standing from, sharding target, mesh_axes const& mesh)
      : at(from), to_(target), count_(mesh.count) {}

  // The next step; `at` is what stands after it.
  constexpr reshard_step next() {
    if (at.partial == 0 && at.split == to_) return {};
    for (int m = 0; m < count_; ++m)
      if (begins(m) && !is_partial(m)) return begin(m, reshard_kind::slice);
    for (int m = 0; m < count_; ++m)
      if (begins(m)) return begin(m, reshard_kind::reduce_scatter);
    if (at.partial != 0) return reduce();
    for (int m = 0; m < count_; ++m)
      if (moves(m)) return move(m);
    return gather();
  }

private:
  constexpr bool is_partial(int m) const { return ((at.partial >> m) & 1) != 0; }
  // Is the list of this axis a beginning of the one that it shall have?
  constexpr bool on_the_way(int axis) const {
    for (int k = 0, m = 0; (m = at.split.split_by(axis, k)) >= 0; ++k)
      if (to_.split_by(axis, k) != m) return false;
    return true;
  }
  // Does m, which splits nothing, come next in a list?
  constexpr bool begins(int m) const {
    int const axis = to_.place(m);
    return axis >= 0 && !at.split.uses(m) && on_the_way(axis) &&
           at.split.depth(axis) == to_.order(m);
  }
  // The last of a list that is not on the way.
  constexpr bool leaves(int m) const {
    int const axis = at.split.place(m);
    return axis >= 0 && at.split.depth(axis) == at.split.order(m) + 1 && !on_the_way(axis);
  }
  constexpr bool moves(int m) const {
    int const axis = to_.place(m);
    return axis >= 0 && leaves(m) && axis != at.split.place(m) && on_the_way(axis) &&
           at.split.depth(axis) == to_.order(m);
  }
  constexpr reshard_step begin(int m, reshard_kind kind) {
    at.split = at.split.with(m, to_.place(m));
    at.partial &= ~(1u << m);
    return {kind, 1u << m, to_.place(m), 0};
  }
  constexpr reshard_step reduce() {
    reshard_step const s{reshard_kind::all_reduce, at.partial, 0, 0};
    at.partial = 0;
    return s;
  }
  constexpr reshard_step move(int m) {
    int const from = at.split.place(m), to = to_.place(m);
    at.split = at.split.without(m).with(m, to);
    return {reshard_kind::all_to_all, 1u << m, to, from};
  }
  // All that leaves one axis behind what stays.
  constexpr reshard_step gather() {
    reshard_step s{reshard_kind::all_gather, 0, -1, 0};
    for (int m = 0; m < count_; ++m) {
      if (!leaves(m) || (s.axis >= 0 && at.split.place(m) != s.axis)) continue;
      s.axis = at.split.place(m);
      s.along |= 1u << m;
      at.split = at.split.without(m);
      m = -1; // what stood before it may leave now
    }
    return s;
  }

  sharding to_;
  int count_;
};

constexpr mesh_axes along_of(unsigned bits, mesh_axes const& mesh) {
  mesh_axes along{.ranks = mesh.ranks};
  for (int m = 0; m < mesh.count; ++m)
    if (((bits >> m) & 1) != 0) along.push(mesh.d[m]);
  return along;
}
// The ranks of a step, in the order of their parts.
constexpr mesh_axes along_of(reshard_step const& s, sharding before, mesh_axes const& mesh) {
  if (s.kind != reshard_kind::all_gather) return along_of(s.along, mesh);
  mesh_axes along{.ranks = mesh.ranks};
  for (int k = 0, m = 0; (m = before.split_by(s.axis, k)) >= 0; ++k)
    if (((s.along >> m) & 1) != 0) along.push(mesh.d[m]);
  return along;
}
// What one rank sends in a step, of an array that stands so before it.
constexpr extent bytes_of_step(reshard_step const& s, extents const& shape, sharding before,
                               dtype type, mesh_axes const& mesh) {
  if (s.kind == reshard_kind::slice || s.kind == reshard_kind::done) return 0;
  extents const local = local_shape(shape, before, mesh);
  extent count = 1;
  for (int i = 0; i < local.rank; ++i) count *= is_named(local[i]) ? 128 : local[i];
  return bytes_sent(collective_of(s.kind), along_of(s.along, mesh).group(), count, size_of(type));
}
// From here to there.
constexpr extent bytes_between(standing from, sharding to, extents const& shape, dtype type,
                               mesh_axes const& mesh) {
  if (from.partial == 0 && from.split == to) return 0;
  reshard_walk walk(from, to, mesh);
  extent total = 0;
  for (;;) {
    sharding const before = walk.at.split;
    reshard_step const s = walk.next();
    if (s.kind == reshard_kind::done) return total;
    total += bytes_of_step(s, shape, before, type, mesh);
  }
}

} // namespace detail
} // namespace weft::inline v0
