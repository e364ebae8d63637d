// SPDX-License-Identifier: BSL-1.0
// What programs of ranks send, and how often they wait: every kind of collective, loops, and what a
// partitioned program says of itself.
#include <weft/mesh.hpp>
#include <weft/partition.hpp>
#include <weft/pass/exchanges.hpp>

#include <gtest/gtest.h>

namespace {

using weft::axis, weft::exchanged, weft::exchanges_of, weft::graph, weft::tensor;

constexpr bool is(exchanged const& e, weft::extent bytes, weft::extent messages,
                  weft::extent waits) {
  return e.bytes == bytes && e.messages == messages && e.waits == waits;
}
constexpr auto m = weft::mesh<axis<"data", 4>>;
template <class... A, class F> constexpr exchanged sent_by(F const& f) {
  graph const g = weft::record<A...>(f);
  return exchanges_of(weft::graph_view(g));
}
using small = tensor<float, 8>;     // 32 bytes
using large = tensor<float, 40000>; // more than one round carries

static_assert(is(sent_by<small>([](auto x) { return weft::exp(x); }), 0, 0, 0));
static_assert(is(sent_by<small>([](auto x) { return weft::all_reduce<m>(x); }), 3 * 32, 3, 1));
static_assert(is(sent_by<large>([](auto x) { return weft::all_reduce<m>(x); }), 6 * 40000, 6, 2));
static_assert(is(sent_by<small>([](auto x) { return weft::all_gather<m, 0>(x); }), 3 * 32, 3, 1));
static_assert(is(sent_by<small>([](auto x) { return weft::reduce_scatter<m, 0>(x); }), 3 * 8, 3,
                 1));
static_assert(is(sent_by<small>([](auto x) { return weft::permute<m, 1>(x); }), 32, 1, 1));
// Of a loop every step counts.
static_assert(is(sent_by<tensor<float, 8>, tensor<float, 5, 8>>([](auto h, auto xs) {
                   return weft::scan(
                       [](auto c, auto x) {
                         auto next = weft::all_reduce<m>(c + x);
                         return std::pair(next, next);
                       },
                       h, xs);
                 }),
                 5 * 3 * 32, 5 * 3, 5));

TEST(exchanges, are_the_moves_of_a_partitioned_program) {
  graph const g = weft::record<tensor<float, 8, 6>, tensor<float, 6, 4>>(
      [](auto x, auto w) { return weft::sum(weft::einsum<"bi,io->bo">(x, w)); });
  weft::mesh_axes const mesh = weft::mesh_of("data=2, model=2");
  weft::sharding const in[] = {sharding_of("[data, model]", mesh), sharding_of("[model, -]", mesh)};
  weft::sharding const out[] = {{}};
  weft::partitioned const p = weft::checked_partition(g, mesh, {in, 2}, {out, 1});
  weft::extent bytes = 0;
  for (weft::partition_move const& move : p.moves) bytes += move.bytes * move.times;
  EXPECT_GT(bytes, 0);
  EXPECT_EQ(exchanges_of(weft::graph_view(p.program)).bytes, bytes);
}

} // namespace
