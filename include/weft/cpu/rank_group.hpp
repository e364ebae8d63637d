// SPDX-License-Identifier: BSL-1.0
// rank_group: what an engine that is one rank of several asks of the others; and the scratch that a
// collective takes, which depends on the node alone. Who runs programs on ranks makes one
// (cpu/rank_member.hpp); an engine without one is alone.
// Needs: a bound graph, for the scratch. Leaves: no code of any collective in programs without ranks.
#pragma once

#include <weft/cpu/scratch.hpp>
#include <weft/cpu/strided.hpp>
#include <weft/graph/collective_bytes.hpp>

namespace weft::inline v0 {
namespace cpu {

class rank_group {
public:
  virtual ~rank_group() = default;
  virtual extent rank() const = 0;
  virtual extent world() const = 0;
  // A run of this program starts. `program`: 0 until all ranks have agreed on it; then its fingerprint.
  virtual void begin(graph_view bound, std::uint64_t& program) = 0;
  // A run ends with an error of this rank's own: the others need not wait for it.
  virtual void failed(char const* why) = 0;
  // Starts node `id` of x into `out`, row-major, which overlaps nothing. x has been read when this
  // returns; `out` and `memory` are the group's until the collective is finished.
  virtual void start(collective const& c, int id, strided_array const& x, std::byte* out,
                     scratch memory) = 0;
  // How many have been started so far: the number of the last one.
  virtual std::int64_t started() const = 0;
  // Finishes, in their order, those up to this number that are not finished yet.
  // Needs: none of them was given up.
  virtual void finish(std::int64_t number) = 0;
  // Those that are started are not finished: an exception is on its way. Their memory is let go of.
  virtual void abandon() noexcept = 0;
  // The number of the last one that was; 0: none.
  virtual std::int64_t given_up() const = 0;
  // Is called between steps while any is under way.
  virtual void progress() {}
  // A door is entered: `failed` is about what happens from here on.
  virtual void enters() = 0;
};

// f(), as one rank among others, if there are any: they are told of what it throws. Not for programs
// of one rank: who waits for this one waits for nothing of theirs.
template <class F> decltype(auto) telling(rank_group* others, F const& f) {
#if WEFT_EXCEPTIONS
  if (others == nullptr) return f();
  others->enters();
  try {
    return f();
  } catch (std::exception const& e) {
    others->failed(e.what());
    throw;
  } catch (...) {
    others->failed("an exception");
    throw;
  }
#else // raise ends the process
  (void)others;
  return f();
#endif
}

} // namespace cpu

namespace detail {

// Elements [share_start(k), share_start(k + 1)) of n are place k's.
constexpr extent share_start(extent count, extent place, extent group) {
  return count / group * place + (place < count % group ? place : count % group);
}
// Are parts of a result that are joined along this axis each in one piece?
constexpr bool parts_are_whole(extents const& s, int axis) {
  for (int i = 0; i < axis; ++i)
    if (s[i] != 1) return false;
  return true;
}
// Of a collective of an operand of this type and shape; places in it are multiples of 64 bytes.
constexpr extent collective_scratch(collective const& c, dtype type, extents const& s) {
  extent const count = count_of(s), bytes = count * size_of(type), n = c.group;
  switch (c.kind) {
    case collective_kind::all_reduce:
      return in_one_round(c, bytes) ? n * aligned_bytes(bytes)
                                    : n * aligned_bytes((count / n + 1) * size_of(type));
    case collective_kind::all_gather:
      return parts_are_whole(s, static_cast<int>(c.axis)) ? 0 : n * aligned_bytes(bytes);
    case collective_kind::reduce_scatter:
    case collective_kind::all_to_all: return 2 * n * aligned_bytes(bytes / n);
    case collective_kind::permute: return aligned_bytes(bytes);
    default: return 0;
  }
}

// What a program's ranks must be: `world` of them for the op that is named; 1: anybody.
struct ranks_wanted {
  char const* op = "";
  extent world = 1;
};
constexpr ranks_wanted ranks_wanted_by(graph_view g) {
  for (int id = 0; id < g.size(); ++id) {
    op const code = g[id].code;
    if (code == op::rank && g.attribute(id, 1) != 1) return {"rank", g.attribute(id, 2)};
    if (code != op::collective) continue;
    collective const c = collective_of(g, id);
    if (c.world != 1) return {name_of(c.kind), c.world};
  }
  return {};
}

} // namespace detail

namespace cpu {

// The ranks among which an engine runs its program.
class program_ranks {
public:
  explicit program_ranks(graph_view bound) : wanted_(detail::ranks_wanted_by(bound)) {}
  rank_group* others() const { return others_; }
  // Asked before anything is computed: are there as many as the program wants?
  void join(rank_group* others) {
    expect(others);
    others_ = others;
  }
  // A run begins.
  void begin(graph_view bound) {
    if (wanted_.world == 1) return;
    expect(others_);
    others_->begin(bound, program_);
  }

private:
  void expect(rank_group* others) const {
    extent const world = others == nullptr ? 1 : others->world();
    if (wanted_.world != 1 && wanted_.world != world)
      detail::raise_world(wanted_.op, wanted_.world, world);
  }
  detail::ranks_wanted wanted_;
  rank_group* others_ = nullptr;
  std::uint64_t program_ = 0; // agreed with all of them
};

} // namespace cpu
} // namespace weft::inline v0
