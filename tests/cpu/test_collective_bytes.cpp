// SPDX-License-Identifier: BSL-1.0
// The bytes that a collective is said to send are those that ranks send.
#include <weft/cpu/rank_member.hpp>
#include <weft/graph/collective_bytes.hpp>
#include <weft/testing/rank_threads.hpp>

#include <gtest/gtest.h>

#include <mutex>
#include <vector>

namespace {

using namespace weft;

class counting_transport : public rank_transport {
public:
  explicit counting_transport(rank_transport& others) : others_(others) {}
  extent rank() const override { return others_.rank(); }
  extent world() const override { return others_.world(); }
  int start(rank_call const& at, view<given_bytes> gives, view<taken_bytes> takes) override {
    for (given_bytes const& g : gives) sent += g.bytes;
    return others_.start(at, gives, takes);
  }
  void finish(int number) override { others_.finish(number); }
  void abandon() noexcept override { others_.abandon(); }
  extent sent = 0;

private:
  rank_transport& others_;
};
// The most that one of n ranks sends for an array of `count` floats, two groups side by side.
extent most_sent(collective_kind kind, extent n, extent count) {
  growing<extent> ranks;
  for (extent r = 0; r < 2 * n; ++r) ranks.push(r);
  if (kind == collective_kind::permute) {
    ranks.clear();
    for (extent r = 0; r < 2 * n; ++r) {
      ranks.push(r);
      ranks.push(r / n * n + (r + 1) % n);
    }
  }
  collective const c{.kind = kind,
                     .world = 2 * n,
                     .group = kind == collective_kind::permute ? 2 : n,
                     .ranks = ranks};
  extent most = 0;
  std::mutex one;
  weft::testing::on_rank_threads(static_cast<int>(2 * n), [&](rank_transport& here) {
    counting_transport t(here);
    std::vector<float> x(static_cast<unsigned>(count)), y(static_cast<unsigned>(count * n));
    extents const shape{1, {count}}, strides{1, {1}};
    std::vector<std::byte> memory(
        static_cast<unsigned>(weft::detail::collective_scratch(c, dtype::f32, shape) + 64));
    cpu::strided_array const a{dtype::f32, reinterpret_cast<std::byte*>(x.data()), shape, strides};
    cpu::rank_member member(t);
    member.start(c, 0, a, reinterpret_cast<std::byte*>(y.data()),
                 {memory.data(), static_cast<extent>(memory.size())});
    member.finish(member.started());
    std::lock_guard<std::mutex> const lock(one);
    most = t.sent > most ? t.sent : most;
  });
  return most;
}
TEST(collective_bytes, are_those_that_are_sent) {
  for (collective_kind kind :
       {collective_kind::all_reduce, collective_kind::all_gather, collective_kind::reduce_scatter,
        collective_kind::all_to_all, collective_kind::broadcast, collective_kind::permute})
    for (extent n : {2, 3, 4})
      for (extent count : {12, 12 * 1000, 12 * 10007})
        EXPECT_EQ(bytes_sent(kind, n, count, 4), most_sent(kind, n, count))
            << name_of(kind) << " of " << count << " on " << n;
}
// Around 64 KiB for all others, where one round becomes two; counts that are no multiple of n: shares
// differ by an element then, and are counted as the largest.
TEST(collective_bytes, are_at_least_those_that_are_sent) {
  for (collective_kind kind : {collective_kind::all_reduce, collective_kind::broadcast})
    for (extent n : {2, 3, 4})
      for (extent count : {1, 7, 5461, 5462, 8191, 8192, 8193, 16383, 16384, 16385, 100001}) {
        extent const said = bytes_sent(kind, n, count, 4), is = most_sent(kind, n, count);
        EXPECT_GE(said, is) << name_of(kind) << " of " << count << " on " << n;
        EXPECT_LT(said - is, (count % n == 0 ? 1 : 2 * n * 4))
            << name_of(kind) << " of " << count << " on " << n;
        if (n == 2 || count * 4 * (n - 1) <= 65536) { // whole arrays
          EXPECT_EQ(said, is) << name_of(kind) << " of " << count << " on " << n;
        }
      }
  for (collective_kind kind : {collective_kind::all_gather, collective_kind::permute})
    for (extent n : {2, 3, 4})
      for (extent count : {1, 7, 16383, 16385})
        EXPECT_EQ(bytes_sent(kind, n, count, 4), most_sent(kind, n, count))
            << name_of(kind) << " of " << count << " on " << n;
}
TEST(collective_bytes, one_rank_alone_sends_nothing) {
  for (collective_kind kind :
       {collective_kind::all_reduce, collective_kind::all_gather, collective_kind::reduce_scatter,
        collective_kind::all_to_all, collective_kind::broadcast, collective_kind::permute})
    for (extent count : {1, 16385}) {
      EXPECT_EQ(bytes_sent(kind, 1, count, 4), 0) << name_of(kind);
      EXPECT_EQ(most_sent(kind, 1, count), 0) << name_of(kind);
    }
}

} // namespace
