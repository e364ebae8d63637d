// SPDX-License-Identifier: BSL-1.0
// local_values: what one rank has of each value of the global graph, in which shardings, and how it
// gets another one: by slices of what it has and by collectives, each of which is noted with its bytes.
// Sources that cost nothing (numbers, iotas, broadcasts of what is there) are made as they are wanted;
// an iota that is split begins at the rank's own place, so that draws over it are the global ones.
// Needs: a recorder to write to. Leaves: nodes in its open region; `moves`.
#pragma once

#include <weft/graph/handle_collective.hpp>
#include <weft/pass/partition_plan.hpp>

namespace weft::inline v0 {

// A collective that partitioning put in: which value of the global graph, for which of its users (-1:
// an output), what is sent by each rank, and how many times a run of the program does it.
struct partition_move {
  int value = -1, user = -1;
  detail::reshard_step step{};
  sharding before{}, after{};
  extent bytes = 0; // each time
  extent times = 1; // lengths of the loops around it; of while loops one step
};

namespace detail {

class local_values {
public:
  graph_view const g;
  mesh_axes const& mesh;
  recorder& r;
  sharding_plan const& plan;
  growing<standing> stands; // by node: the form that was computed
  growing<partition_move> moves;
  extent times = 1; // of the loops that are written now
  int user = -1;    // for which node

  constexpr local_values(graph_view from, mesh_axes const& on, recorder& to, sharding_plan const& p)
      : g(from), mesh(on), r(to), plan(p), stands(p.forward.at), first_(from.size(), -1) {
    r.result.copy_tables(g);
  }

  constexpr extents local(int id, sharding s) const { return local_shape(g.shape(id), s, mesh); }
  constexpr bool is_known(int id) const { return first_[id] >= 0; }
  // Value id stands so.
  constexpr void give(int id, standing s, handle h) {
    if (first_[id] < 0) stands[id] = s;
    forms_.push({s, h, first_[id]});
    first_[id] = forms_.size() - 1;
  }
  // As it was computed, partial or not.
  constexpr handle as_computed(int id) const {
    int at = first_[id];
    while (forms_[at].next >= 0) at = forms_[at].next;
    return forms_[at].value;
  }
  // What this rank has of value id in this sharding.
  constexpr handle need(int id, sharding s) {
    for (int at = first_[id]; at >= 0; at = forms_[at].next)
      if (forms_[at].stands.partial == 0 && forms_[at].stands.split == s) return forms_[at].value;
    handle h = made(id, s);
    if (!h.valid()) h = resharded(id, s);
    give(id, {s}, h);
    return h;
  }
  // The same as a partial result: only on the ranks at place 0 along these mesh axes, else zeros.
  constexpr handle once(handle h, unsigned along) {
    handle place;
    for (int m = 0; m < mesh.count; ++m)
      if (((along >> m) & 1) != 0) {
        handle const p = rank_of_mesh(r, mesh.d[m].divisor, mesh.d[m].size, mesh.ranks);
        place = place.valid() ? place + p : p;
      }
    extents const shape = h.shape();
    handle const first = equal(place, weft::constant(r, 0, dtype::u32, {}));
    return select(weft::broadcast(first, shape, {}), h, weft::constant(r, 0, h.type(), shape));
  }

private:
  struct form {
    standing stands{};
    handle value{};
    int next = -1;
  };

  // ---- sources
  constexpr handle made(int id, sharding s) {
    if (is_one_number(g, id)) return constant_bits(r, g.attribute(id, 0), g[id].type, local(id, s));
    if (g[id].code == op::constant && first_[id] < 0) {
      handle const h = r.emit(op::constant, g[id].type, g.shape(id), {}, g.attributes_of(id));
      give(id, {}, h);
      return s.whole() ? h : handle{};
    }
    if (g[id].code == op::iota) return counted(id, s);
    if (g[id].code == op::broadcast) return spread(id, s);
    return {};
  }
  // Where a rank's part begins along an axis.
  constexpr handle start_of(sharding s, int axis, extent length) {
    handle place;
    for (int k = 0, m = 0; (m = s.split_by(axis, k)) >= 0; ++k) {
      handle const own = rank_of_mesh(r, mesh.d[m].divisor, mesh.d[m].size, mesh.ranks);
      place = place.valid()
                  ? place * weft::constant(r, static_cast<double>(mesh.d[m].size), dtype::u32, {}) +
                        own
                  : own;
    }
    handle const wide = weft::convert(place, dtype::i32);
    return wide * weft::constant(r, static_cast<double>(length), dtype::i32, {});
  }
  constexpr handle counted(int id, sharding s) {
    int const axis = static_cast<int>(g.attribute(id, 0));
    extents const shape = local(id, s);
    dtype const type = g[id].type;
    if (s.split_by(axis, 0) < 0) return weft::iota(r, type, shape, axis);
    // Counted as one machine does, and converted once: small integers wrap, floats round.
    handle const start = start_of(s, axis, shape[axis]);
    handle const all = weft::iota(r, dtype::i32, shape, axis) + weft::broadcast(start, shape, {});
    return weft::convert(all, type);
  }
  constexpr handle spread(int id, sharding s) {
    int const x = g.operand(id, 0);
    sharding const part = needed_to_spread(g, id, s);
    if (is_known(id) && cheapest(id, s).bytes < bytes_to(x, part)) return {};
    return weft::broadcast(need(x, part), local(id, s), g.attributes_of(id));
  }
  // What it costs to get value x so, from all forms that there are.
  constexpr extent bytes_to(int x, sharding s) const {
    if (is_known(x)) {
      extent const bytes = cheapest(x, s).bytes;
      if (g[x].code != op::broadcast || bytes == 0) return bytes;
      extent const again = bytes_to(g.operand(x, 0), needed_to_spread(g, x, s));
      return again < bytes ? again : bytes;
    }
    return 0; // numbers, iotas, tables
  }

  // ---- resharding
  struct cheapest_form {
    int at = -1;
    extent bytes = 0;
  };
  constexpr cheapest_form cheapest(int id, sharding s) const {
    cheapest_form best;
    for (int at = first_[id]; at >= 0; at = forms_[at].next) {
      extent const bytes = bytes_between(forms_[at].stands, s, g.shape(id), g[id].type, mesh);
      if (best.at < 0 || bytes <= best.bytes) best = {at, bytes};
    }
    return best;
  }
  constexpr handle resharded(int id, sharding s) {
    form const from = forms_[cheapest(id, s).at];
    reshard_walk walk(from.stands, s, mesh);
    handle h = from.value;
    for (;;) {
      standing const before = walk.at;
      reshard_step const step = walk.next();
      if (step.kind == reshard_kind::done) return weft::convert(h, g[id].type);
      h = step.kind == reshard_kind::slice ? own_part(h, step)
                                           : exchanged(id, h, step, before, walk.at);
      if (walk.at.partial == 0) h = weft::convert(h, g[id].type);
    }
  }
  constexpr handle own_part(handle h, reshard_step const& step) {
    int const axis = step.axis;
    extents shape = h.shape();
    sharding one; // of what is there now
    for (int m = 0; m < mesh.count; ++m)
      if (((step.along >> m) & 1) != 0) {
        one = one.with(m, axis);
        shape[axis] /= mesh.d[m].size;
      }
    growing<handle> starts(shape.rank, weft::constant(r, 0, dtype::i32, {}));
    starts[axis] = start_of(one, axis, shape[axis]);
    return weft::dynamic_slice(h, shape, starts);
  }
  constexpr handle exchanged(int id, handle h, reshard_step const& step, standing const& before,
                             standing const& after) {
    mesh_axes const along = along_of(step, before.split, mesh);
    growing<extent> const ranks = groups_of(along);
    collective const c{.kind = collective_of(step.kind),
                       .combine = before.partial != 0 ? before.how : collective_combine::add,
                       .axis = step.axis,
                       .to_axis = step.to_axis,
                       .world = mesh.ranks,
                       .group = along.group(),
                       .ranks = ranks};
    moves.push({id, user, step, before.split, after.split,
                bytes_of_step(step, g.shape(id), before.split, h.type(), mesh), times});
    return weft::exchange(h, c);
  }

  growing<form> forms_;
  growing<int> first_; // by node: the latest form
};

} // namespace detail
} // namespace weft::inline v0
