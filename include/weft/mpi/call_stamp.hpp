// SPDX-License-Identifier: BSL-1.0
// call_stamp: what stands before the bytes of every message between ranks: where its sender is. A
// receiver that is elsewhere says so at once, instead of combining what does not belong together.
// Leaves: plain bytes; texts of a place,
// "all_reduce add of f32 (3, 2) along data (node 7 of call 2)".
#pragma once

#include <weft/core/fnv_hash.hpp>
#include <weft/graph/rank_transport.hpp>

#include <iterator>

namespace weft::inline v0::mpi {

// An axis of the mesh, for texts: a rank's place along it is rank / divisor % size.
struct named_axis {
  char name[16]{};
  extent size = 1, divisor = 1;
};

namespace detail {

inline constexpr std::uint64_t stamp_mark = 0x776566746d706932u; // "weftmpi2": 2 for this layout

// A node of a program; its start; texts_of_all; the end of the session.
enum class stamp_place : std::uint8_t { collective, start, texts, end };

struct call_stamp {
  std::uint64_t mark = 0;
  std::int64_t call = 0;     // runs of programs with collectives, counted by each rank
  std::int64_t failures = 0; // of these runs
  std::int64_t turn = 0;     // messages of this run from this sender to this receiver
  std::int64_t bytes = 0;    // that follow
  std::uint64_t program = 0; // fingerprint
  std::uint64_t meaning = 0;
  std::int64_t shape[max_rank]{};
  std::int32_t node = -1;
  std::int16_t rank_of_array = 0;
  std::uint8_t kind = 0, combine = 0, type = 0;
  stamp_place place{};
};

inline std::uint64_t meaning_of(collective const& c) {
  weft::detail::fnv_hash h;
  h.add_all(view<extent>(encode(c)));
  return h.sum();
}
inline call_stamp stamp_of(rank_call const& at) {
  call_stamp s;
  s.mark = stamp_mark;
  s.meaning = meaning_of(at.what);
  for (int i = 0; i < at.shape.rank; ++i) s.shape[i] = at.shape[i];
  s.node = at.node;
  s.rank_of_array = static_cast<std::int16_t>(at.shape.rank);
  s.kind = static_cast<std::uint8_t>(at.what.kind);
  s.combine = static_cast<std::uint8_t>(at.what.combine);
  s.type = static_cast<std::uint8_t>(at.type);
  return s;
}
inline bool same_place(call_stamp const& a, call_stamp const& b) {
  return a.mark == b.mark && a.call == b.call && a.failures == b.failures && a.turn == b.turn &&
         a.bytes == b.bytes && a.program == b.program && a.meaning == b.meaning &&
         a.node == b.node && a.place == b.place && a.type == b.type &&
         a.rank_of_array == b.rank_of_array &&
         view<std::int64_t>{a.shape, max_rank} == view<std::int64_t>{b.shape, max_rank};
}
inline extents shape_of(call_stamp const& s) {
  extents e;
  for (int i = 0; i < s.rank_of_array && i < max_rank; ++i) e.push(s.shape[i]);
  return e;
}
// Nothing that allocates: a signal handler says it, too.
inline void add_place(message& m, call_stamp const& s) {
  if (s.place != stamp_place::collective) {
    constexpr char const* names[] = {"", "the start of a program", "texts_of_all",
                                     "the end of its session"};
    auto const place = static_cast<std::size_t>(s.place);
    m.add(place < std::size(names) ? names[place] : "a place that is not known here");
    m.add(" (call ").add(s.call).add(")");
    return;
  }
  auto const kind = static_cast<collective_kind>(s.kind);
  m.add(name_of(kind));
  if (kind == collective_kind::all_reduce || kind == collective_kind::reduce_scatter)
    m.add(" ").add(name_of(static_cast<collective_combine>(s.combine)));
  m.add(" of ").add(name_of(static_cast<dtype>(s.type))).add(" ").add(shape_of(s));
  m.add(" (node ").add(s.node).add(" of call ").add(s.call).add(")");
}
// Along which axes do ranks of one group differ? " along data, model"; nothing for unknown meshes.
inline void add_axes(message& m, collective const& c, view<named_axis> axes) {
  bool any = false;
  int const group = static_cast<int>(c.group);
  for (named_axis const& a : axes) {
    bool differs = false;
    for (int i = 0; i < c.ranks.size(); ++i)
      differs = differs ||
                c.ranks[i] / a.divisor % a.size != c.ranks[i / group * group] / a.divisor % a.size;
    if (!differs) continue;
    m.add(any ? ", " : " along ").add(a.name);
    any = true;
  }
}

} // namespace detail
} // namespace weft::inline v0::mpi
