// SPDX-License-Identifier: BSL-1.0
// The attributes of a collective node, what its ranks give each other, and where its numbers stand.
// A program runs on `world` ranks, which are counted from 0 and have values of one shape each; a
// collective says which of them exchange values:
//   all_reduce      each rank gets the combination of its group's values
//   all_gather      ... the values of its group one after the other along `axis`
//   reduce_scatter  ... its share along `axis` of the combination: rank number i of a group, part i
//   all_to_all      value parts along `axis` go to the ranks of the group; what arrives is joined
//                   along `to_axis`, in the order of the group
//   broadcast       ... the value of the first rank of its group; zeros in no group
//   permute         ... the value of the one rank that sends to it; zeros if none does
// Combined in the order of the group, in the accumulation type, rounded once to the node's type: the
// result does not depend on who computes it. Order between collectives is data flow alone.
// Leaves: one encoding, written by `encode`, read by `collective_of`; `collective_shape`.
#pragma once

#include <weft/core/error.hpp>
#include <weft/graph/attributes.hpp>

namespace weft::inline v0 {

enum class collective_kind : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  all_to_all,
  broadcast,
  permute
};
inline constexpr int collective_kind_count = 6;
enum class collective_combine : std::uint8_t { add, mul, min, max, bit_and, bit_or };
inline constexpr int collective_combine_count = 6;

inline constexpr extent most_ranks = 65536;

struct collective {
  collective_kind kind{};
  collective_combine combine{};
  extent axis = 0, to_axis = 0; // 0 where the kind has none
  extent world = 1;             // ranks that run the program
  extent group = 1;             // ranks per group; of permute 2: source, target
  view<extent> ranks{};         // group after group

  constexpr bool reduces() const {
    return kind == collective_kind::all_reduce || kind == collective_kind::reduce_scatter;
  }
  constexpr bool has_axis() const {
    return kind != collective_kind::all_reduce && kind != collective_kind::broadcast &&
           kind != collective_kind::permute;
  }
  // The first entry of the group that has this rank; -1: none. Of permute: where it is a target.
  constexpr int group_of(extent rank) const {
    int const per = static_cast<int>(group);
    for (int i = kind == collective_kind::permute ? 1 : 0; i < ranks.size();
         i += kind == collective_kind::permute ? 2 : 1)
      if (ranks[i] == rank) return i / per * per;
    return -1;
  }
};

inline constexpr int collective_head = 6;

constexpr growing<extent> encode(collective const& c) {
  growing<extent> r;
  r.reserve(collective_head + c.ranks.size());
  for (extent n : {c.axis, c.to_axis, static_cast<extent>(c.kind), static_cast<extent>(c.combine),
                   c.world, c.group})
    r.push(n);
  r.append(c.ranks);
  return r;
}
// Its ranks stand where the attributes do.
constexpr collective collective_of(view<extent> a) {
  return {static_cast<collective_kind>(a[2]),
          static_cast<collective_combine>(a[3]),
          a[0],
          a[1],
          a[4],
          a[5],
          a.part(collective_head, a.size() - collective_head)};
}
constexpr collective collective_of(graph_view g, int id) {
  return collective_of(g.attributes_of(id));
}

// What it makes of a value of this shape. Needs: axes that there are, extents that divide.
constexpr extents collective_shape(collective const& c, extents s) {
  int const axis = static_cast<int>(c.axis), to = static_cast<int>(c.to_axis);
  switch (c.kind) {
    case collective_kind::all_gather: s[axis] *= c.group; break;
    case collective_kind::reduce_scatter: s[axis] /= c.group; break;
    case collective_kind::all_to_all:
      s[axis] /= c.group;
      s[to] *= c.group;
      break;
    default: break;
  }
  return s;
}

// rank: which part of a mesh this rank is, as ui32: rank / divisor mod modulus. Attributes {divisor,
// modulus, world}; (1, world, world) is the rank itself.
constexpr char const* name_of(collective_kind k) {
  constexpr char const* names[] = {"all_reduce", "all_gather", "reduce_scatter",
                                   "all_to_all", "broadcast",  "permute"};
  return names[static_cast<int>(k)];
}
constexpr char const* name_of(collective_combine k) {
  constexpr char const* names[] = {"add", "mul", "min", "max", "and", "or"};
  return names[static_cast<int>(k)];
}

namespace detail {
[[noreturn]] WEFT_NOINLINE inline void raise_world(char const* op, extent wanted, extent world) {
  raise<usage_error>(message("weft: ")
                         .add(op)
                         .add(": the program is for ")
                         .add(wanted)
                         .add(wanted == 1 ? " rank, and " : " ranks, and ")
                         .add(world)
                         .add(world == 1 ? " runs it" : " run it")
                         .add("; start as many (as threads: testing::run_ranks; under MPI: "
                              "jit<f>(job, ...)), or trace it for another mesh"));
}
// Of a rank node, {divisor, modulus, world}: place 0 of 1 is that of any rank.
constexpr void expect_world(view<extent> place, extent world) {
  if (place[1] != 1 && place[2] != world) raise_world("rank", place[2], world);
}
// An extent that only the run knows: of an array of this shape.
[[noreturn]] WEFT_NOINLINE inline void raise_share(extents const& shape, extent group) {
  raise<shape_error>(
      message("weft: the extent is no multiple of the ranks along the mesh's axes; pad the array, "
              "or choose other axes: ")
          .add(shape)
          .add(" and ")
          .add(group));
}
} // namespace detail

} // namespace weft::inline v0
