// SPDX-License-Identifier: BSL-1.0
// Programs of one collective each, of every kind, type, combination, group and size, also without
// elements, and some of several, as graphs that only the run knows; and inputs for them.
// rank_cases(world, f): f(case) with inputs[r] of rank r.
#pragma once

#include "random/random_source.hpp"

#include <weft/graph/dense.hpp>
#include <weft/graph/handle.hpp>
#include <weft/graph/handle_collective.hpp>

#include <string>
#include <vector>

namespace test {

// Groups of one size that have all ranks once, in an order of their own.
inline std::vector<std::vector<weft::extent>> groupings(int world) {
  std::vector<std::vector<weft::extent>> all;
  for (int group = 1; group <= world; ++group) {
    if (world % group != 0) continue;
    std::vector<weft::extent> near, far;
    for (int i = 0; i < world; ++i) near.push_back(i);
    for (int first = 0; first < world / group; ++first)
      for (int k = group; k-- > 0;) far.push_back(first + k * (world / group));
    near.insert(near.begin(), group);
    far.insert(far.begin(), group);
    all.push_back(near);
    if (world > 1) all.push_back(far);
  }
  return all;
}
struct rank_case {
  std::string name;
  weft::graph program;
  std::vector<weft::growing<weft::dense>> inputs; // by rank
};

inline rank_case make_rank_case(weft::collective const& c, weft::dtype type,
                                weft::extents const& shape, bool transposed) {
  using namespace weft;
  recorder r;
  handle in = r.input(type, shape, {0, 0, false});
  if (transposed && shape.rank == 2) { // strides that are not row-major reach the collective
    extent const turned[] = {1, 0};
    in = transpose(in, view<extent>{turned, 2});
  }
  handle const out = exchange(in, c);
  r.finish({&out, 1});
  rank_case one{std::string(name_of(c.kind)) + " " + name_of(c.combine) + " " + name_of(type) +
                    " group " + std::to_string(c.group) + " of " + std::to_string(c.world) +
                    " axis " + std::to_string(c.axis) + " count " +
                    std::to_string(count_of(shape)) + (transposed ? " transposed" : ""),
                std::move(r.result),
                {}};
  for (extent rank = 0; rank < c.world; ++rank) {
    random_source rng(static_cast<std::uint64_t>(rank * 7919 + static_cast<int>(type) * 31 +
                                                 static_cast<int>(c.kind)));
    dense x(type, shape);
    bool const tame = count_of(shape) > 100;
    for (int i = 0; i < x.size(); ++i) x[i] = random_word(rng, type, tame);
    one.inputs.emplace_back(1, x);
  }
  return one;
}

inline weft::extents shape_of(std::initializer_list<weft::extent> n) {
  weft::extents s;
  for (weft::extent e : n) s.push(e);
  return s;
}
inline weft::growing<weft::extent> rank_list(std::vector<weft::extent> const& v, std::size_t from) {
  weft::growing<weft::extent> r;
  for (std::size_t i = from; i < v.size(); ++i) r.push(v[i]);
  return r;
}

// Ranks that are in no group of a broadcast have less to exchange, then all meet.
template <class F> void meeting_cases(int world, F const& f) {
  using namespace weft;
  growing<extent> everybody, last_to_first;
  for (extent r = 0; r < world; ++r) everybody.push(r);
  last_to_first.push(world - 1);
  if (world > 1) last_to_first.push(0);
  collective const some{.kind = collective_kind::broadcast,
                        .world = world,
                        .group = last_to_first.size(),
                        .ranks = last_to_first};
  rank_case one = make_rank_case(some, dtype::f32, shape_of({5}), false);
  recorder r;
  handle const in = r.input(dtype::f32, shape_of({5}), {0, 0, false});
  handle sum = in;
  for (int turn = 0; turn < 2; ++turn)
    sum = exchange(exchange(sum, some) + in, {.world = world, .group = world, .ranks = everybody});
  r.finish({&sum, 1});
  one.name = "broadcasts among some, then sums of all";
  one.program = std::move(r.result);
  f(one);
}
template <class F> void rank_cases(int world, F const& f) {
  using namespace weft;
  using kind = collective_kind;
  for (int d = 0; d < dtype_count; ++d) {
    auto const type = static_cast<dtype>(d);
    for (auto const& grouping : groupings(world)) {
      extent const group = grouping[0];
      growing<extent> const ranks = rank_list(grouping, 1);
      auto const one = [&](kind k, collective_combine how, extents const& s, extent axis = 0,
                           extent to = 0, bool transposed = false) {
        f(make_rank_case({k, how, axis, to, world, group, ranks}, type, s, transposed));
      };
      extents const both = shape_of({2 * group, 3 * group});
      // Enough to go in shares, which differ in length.
      bool const large = group > 2 && (type == dtype::f32 || type == dtype::bf16 ||
                                       type == dtype::i8 || type == dtype::f64);
      extents const many = shape_of({large ? 65536 / (size_of(type) * (group - 1)) + 7 : 4});
      for (int h = 0; h < collective_combine_count; ++h) {
        auto const how = static_cast<collective_combine>(h);
        bool const bits = how == collective_combine::bit_and || how == collective_combine::bit_or;
        bool const sums = how == collective_combine::add || how == collective_combine::mul;
        if ((bits && is_float(type)) || (sums && type == dtype::boolean)) continue;
        one(kind::all_reduce, how, shape_of({5}));
        one(kind::reduce_scatter, how, both, 0);
        one(kind::reduce_scatter, how, both, 1);
        if (large && how == collective_combine::add) one(kind::all_reduce, how, many);
      }
      auto const add = collective_combine::add;
      one(kind::all_gather, add, both, 0);
      one(kind::all_gather, add, both, 1);
      one(kind::all_gather, add, both, 0, 0, true);
      one(kind::all_to_all, add, both, 0, 1);
      one(kind::all_to_all, add, both, 1, 0);
      one(kind::all_to_all, add, shape_of({group, group}), 1, 1, true);
      one(kind::broadcast, add, both);
      one(kind::broadcast, add, both, 0, 0, true);
      if (large) one(kind::broadcast, add, many);
      one(kind::all_reduce, type == dtype::boolean ? collective_combine::max : add, both, 0, 0,
          true);
      if (type != dtype::f32) continue;
      for (extents const& none : {shape_of({0, 3 * group}), shape_of({2 * group, 0})}) {
        for (kind k : {kind::all_reduce, kind::all_gather, kind::reduce_scatter, kind::all_to_all,
                       kind::broadcast})
          one(k, add, none, 0, k == kind::all_to_all ? 1 : 0);
        one(kind::all_gather, add, none, 1);
      }
    }
    // Permutations: a ring, a chain, a rank to itself, nobody.
    growing<extent> ring, chain, itself, nobody;
    for (extent r = 0; r < world; ++r) {
      ring.push(r);
      ring.push((r + 1) % world);
      if (r + 1 < world) chain.push(r), chain.push(r + 1);
    }
    itself.push(world - 1), itself.push(world - 1);
    for (growing<extent> const* pairs : {&ring, &chain, &itself, &nobody})
      for (bool transposed : {false, true})
        f(make_rank_case({kind::permute, {}, 0, 0, world, 2, *pairs}, type, shape_of({3, 4}),
                         transposed));
    // Broadcasts in some groups only.
    growing<extent> some;
    some.push(world - 1);
    f(make_rank_case({kind::broadcast, {}, 0, 0, world, 1, some}, type, shape_of({3}), false));
  }
  f(make_rank_case({kind::permute, {}, 0, 0, world, 2, {}}, dtype::f32, shape_of({0}), false));
  meeting_cases(world, f);
}

} // namespace test
