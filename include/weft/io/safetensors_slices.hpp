// SPDX-License-Identifier: BSL-1.0
// save_safetensors by many ranks: one plain .safetensors file of whole arrays, byte for byte what
// one process would write, of which each rank writes the slices that it has. safetensors_file reads
// any slice of it again (load_any(name, slice)), on any number of ranks, or by any other tool.
//   std::vector<sliced_array> arrays;
//   arrays.push_back({"w", dtype::f32, {2, {8, 4}}, [](extent r) { return slice_of(r); },
//                     mine.data()});
//   save_safetensors(job, "p.safetensors", {{"step", "100"}}, arrays);     // job: an mpi::session
// Slices of all ranks are the cells of a grid over the array, or empty where a rank has nothing of
// it; what several ranks have, the lowest writes. Called by all ranks with the same but for the
// data.
// Needs: io.hpp's, and of the ranks what io/joint_file.hpp says.
// Leaves: the file, whole, on all ranks' return; else the old one. Errors: io_error on all ranks,
// also where only some have it.
#pragma once

#include <weft/core/fnv_hash.hpp>
#include <weft/io/joint_file.hpp>
#include <weft/io/safetensors.hpp>
#include <weft/io/slice_grid.hpp>

#include <functional>

namespace weft::inline v0 {

struct sliced_array {
  std::string name;
  dtype type{};
  extents whole;
  std::function<array_slice(extent rank)> slice; // every rank's, known to all
  void const* data = nullptr;                    // of this rank's slice, row-major
};

namespace detail {

inline name_list name_wholes(file_at const& at, std::vector<sliced_array> const& arrays) {
  name_list list;
  extent all = 0;
  for (sliced_array const& x : arrays) {
    extent const bytes = byte_count(x.whole, size_of(x.type));
    if (bytes < 0 || __builtin_add_overflow(all, bytes, &all) || all > extent{1} << 62)
      raise_file(at, "look at its extents", "array ", x.name, " of shape ", x.whole,
                 " has more bytes than can be counted");
    list.push_back({x.name, {x.type, x.whole, nullptr, static_cast<std::size_t>(bytes)}});
  }
  check_names(at, list);
  return list;
}
// What this rank does about an array: which slice it has, and whether it is the one that writes it.
struct slice_here {
  array_slice slice;
  bool is_written = false;
};
inline void add_to(fnv_hash& h, extents const& e) { h.add_all(view<extent>{e.d, e.rank}); }
inline slice_here find_slice(file_at const& at, sliced_array const& x, extent rank, extent world,
                             fnv_hash& hash) {
  slice_grid grid(x.whole);
  for (extent r = 0; r < world; ++r) {
    array_slice const s = x.slice(r);
    add_to(hash, s.first);
    add_to(hash, s.shape);
    if (!grid.push(s))
      raise_file(at, "slices are the cells of a grid over the whole", "rank ", r, "'s slice ",
                 plain_numbers{s.shape}, " at ", plain_numbers{s.first}, " of array ", x.name,
                 " of shape ", x.whole, " lies outside, or across others");
  }
  if (!grid.is_whole())
    raise_file(at, "every element is some rank's", "no rank has some elements of array ", x.name);
  array_slice const mine = x.slice(rank);
  return {mine, count_of(mine.shape) > 0 && grid.writer_of(mine) == rank};
}

// The file that is to be, as this rank sees it.
struct file_plan {
  std::vector<int> order;       // in which arrays are written
  std::vector<slice_here> mine; // of each, in this order
  std::vector<extent> places;   // where each begins
  std::string header;
  extent size = 0;
  std::uint64_t hash = 0; // of the header and all slices
};
inline file_plan plan_file(file_at const& at, safetensors_metadata const& metadata,
                           std::vector<sliced_array> const& arrays, extent rank, extent world) {
  file_plan plan;
  name_list list = name_wholes(at, arrays), ordered;
  plan.order = widest_first(list);
  for (int const i : plan.order) ordered.push_back(std::move(list[static_cast<std::size_t>(i)]));
  plan.header = write_header(at, ordered, metadata);
  fnv_hash hash;
  for (char const c : plan.header) hash.add(static_cast<unsigned char>(c));
  plan.size = static_cast<extent>(plan.header.size());
  for (std::size_t k = 0; k < ordered.size(); ++k) {
    sliced_array const& x = arrays[static_cast<std::size_t>(plan.order[k])];
    plan.mine.push_back(find_slice(at, x, rank, world, hash));
    plan.places.push_back(plan.size);
    plan.size += static_cast<extent>(ordered[k].array.bytes);
  }
  plan.hash = hash.sum();
  return plan;
}

} // namespace detail

template <meeting_ranks Ranks>
void save_safetensors(Ranks& ranks, std::string const& path, safetensors_metadata const& metadata,
                      std::vector<sliced_array> const& arrays) {
  detail::file_at const at{"save_safetensors", path};
  detail::joint_file<Ranks> file(ranks, at);
  detail::file_plan plan;
  file.prepare(
      [&] { plan = detail::plan_file(at, metadata, arrays, ranks.rank(), ranks.world()); });
  file.open(plan.hash, plan.header, plan.size);
  for (std::size_t k = 0; k < plan.mine.size(); ++k) {
    if (!plan.mine[k].is_written) continue;
    sliced_array const& x = arrays[static_cast<std::size_t>(plan.order[k])];
    auto const* const data = static_cast<char const*>(x.data);
    extent const bytes = size_of(x.type);
    detail::each_run(x.whole, plan.mine[k].slice, [&](extent to, extent from, extent count) {
      return file.put(plan.places[k] + to * bytes, data + from * bytes,
                      static_cast<std::size_t>(count * bytes));
    });
  }
  file.commit();
}

} // namespace weft::inline v0
