// SPDX-License-Identifier: BSL-1.0
// build: alone long -O2
// Scans in compiled programs: directions and lengths; several carries and ys; carries and ys that
// are each other, an x, the old carry, a constant or a view; captured values; loops in loops.
#include "run/compiled.hpp"

#include <weft/lang/at.hpp>
#include <weft/lang/einsum.hpp>
#include <weft/lang/makers.hpp>
#include <weft/lang/nn.hpp>
#include <weft/lang/reductions.hpp>
#include <weft/lang/scan.hpp>
#include <weft/lang/transforms.hpp>

namespace {

using namespace weft;
using test::check, test::filled;

constexpr sym n{"n"};
constexpr sym steps{"steps"};

constexpr auto forward = [](auto h0, auto xs, auto w) {
  return scan(
      [&](auto h, auto x) {
        auto next = tanh(einsum<"bi,ih->bh">(h, w) + x);
        return std::pair(next, next);
      },
      h0, xs);
};
constexpr auto backward = [](auto h0, auto xs) {
  return scan<scan_options{.reverse = true}>(
      [](auto h, auto x) {
        auto next = h * 0.5f + x;
        return std::pair(next, std::pair(sum<1>(next), next - h));
      },
      h0, xs);
};
// Seven steps in turns of three, their gradients too.
constexpr auto in_turns = [](auto h0, auto xs, auto w) {
  auto const loss = [](auto h, auto x, auto u) {
    auto r = scan<scan_options{.reverse = true, .unroll = 3}>(
        [u](auto c, auto v) {
          auto next = tanh(einsum<"bi,ih->bh">(c, u) + v);
          return std::pair(next, next * c);
        },
        h, x);
    return sum(r.first) + sum(r.second * r.second);
  };
  return value_and_grad<0, 1, 2>(loss)(h0, xs, w);
};
// A carry that is also a y, a y that is the x, a y that is the old carry, an unchanged carry.
constexpr auto passing = [](auto a, auto b, auto xs) {
  return scan(
      [](auto c, auto x) {
        auto next = c.first + x;
        return std::pair(std::pair(next, c.second), std::tuple(next, x, c.first, next, c.second));
      },
      std::pair(a, b), xs);
};
// Carries that change places, and two that become one value.
constexpr auto swapping = [](auto a, auto b, auto c, auto xs) {
  return scan(
      [](auto s, auto x) {
        auto [p, q, r] = s;
        auto both = p * r + x;
        return std::pair(std::tuple(q, both, both), p);
      },
      std::tuple(a, b, c), xs);
};
constexpr auto capturing = [](auto h0, auto xs, auto w) {
  auto turned = transpose(w);
  auto part = at<"0, ::-1">(w);
  auto splat = full<float, 4>(0.25f);
  return scan(
      [&](auto h, auto x) {
        auto next = einsum<"i,ij->j">(h, turned) * splat + part + x * at<"1">(w);
        return std::pair(next, std::tuple(part, transpose(turned), at<"::2">(next), ones_like(x)));
      },
      h0, xs);
};
constexpr auto counting = [](auto x) {
  auto counts = scan<scan_options{.length = 8}>(
      [](auto c, auto) { return std::pair(c + 1, c * c); }, sum(x) * 0, none);
  auto last = scan([](auto c, auto e) { return std::pair(c * 31 + e, none); }, full<int, 3>(7), x);
  return std::pair(counts, last.first);
};
constexpr auto in_a_loop = [](auto h0, auto xs, auto w) {
  return scan(
      [&](auto h, auto x) {
        auto inner = scan(
            [&](auto g, auto e) {
              auto next = tanh(g * e + at<"0">(w)) + h;
              return std::pair(next, sum(next * w));
            },
            h, x);
        return std::pair(inner.first, std::pair(inner.second, inner.first * 2));
      },
      h0, xs);
};
template <template <class, auto...> class array> struct layer {
  array<float, 6, 6> w;
  array<float, 6> b;
};
constexpr auto layers = [](auto blocks, auto x) {
  return scan([](auto h, auto p) { return std::pair(tanh(linear(h, p.w, p.b)), none); }, x, blocks)
      .first;
};
template <template <class, auto...> class array> using small_gru = gru_weights<array, 5, 9>;
constexpr auto recurrent = [](auto p, auto h0, auto xs) {
  return scan(
      [&](auto h, auto x) {
        auto next = gru(p, h, x);
        return std::pair(next, next);
      },
      h0, xs);
};
// The loop's results are read through views, its xs come from views and from computed values.
constexpr auto around = [](auto h0, auto xs) {
  auto r = scan([](auto h, auto x) { return std::pair(h + x, h * x); }, h0 * 2,
                flip<0>(transpose<1, 0, 2>(xs)));
  return std::tuple(transpose(r.first) + 1, sum<0>(r.second), at<"-1">(r.second) - r.first);
};

TEST(compiled_loops, directions_and_lengths) {
  for (int length : {5, 1, 0, 6})
    for (int rows : {4, 1}) {
      check<forward>(filled<float, n, 16>(2, rows), filled<float, steps, n, 16>(4, length, rows),
                     filled<float, 16, 16>(6));
      check<backward>(filled<float, n, 9>(2, rows), filled<float, steps, n, 9>(4, length, rows));
    }
}
TEST(compiled_loops, carries_and_ys) {
  for (int length : {1, 2, 7, 0}) {
    check<passing>(filled<float, 4, 5>(2), filled<float, 3>(4),
                   filled<float, steps, 4, 5>(6, length));
    check<swapping>(filled<float, 20>(2), filled<float, 20>(4), filled<float, 20>(6),
                    filled<float, steps, 20>(8, length));
    check<counting>(filled<int, steps, 3>(1, length));
  }
  check<passing>(filled<bf16, 4, 5>(2), filled<bf16, 3>(4), filled<bf16, steps, 4, 5>(6, 3));
  check<passing>(filled<int, 9>(2), filled<int, 3>(4), filled<int, 4, 9>(6));
}
TEST(compiled_loops, captured_values) {
  check<capturing>(filled<float, 4>(2), filled<float, 3, 4>(4), filled<float, 4, 4>(6));
  check<in_turns>(filled<float, 2, 5>(2), filled<float, 7, 2, 5>(4), filled<float, 5, 5>(6));
  check<in_a_loop>(filled<float, 6>(2), filled<float, 3, 4, 6>(4), filled<float, 2, 6>(6));
}
TEST(compiled_loops, networks) {
  stacked<layer, 4> blocks;
  blocks.w = filled<float, 4, 6, 6>(2);
  blocks.b = filled<float, 4, 6>(4);
  check<layers>(blocks, filled<float, 5, 6>(6));
  small_gru<tensor> const p{filled<float, 27, 5>(2), filled<float, 27, 9>(4), filled<float, 27>(6),
                            filled<float, 27>(8)};
  check<recurrent>(p, filled<float, 4, 9>(10), filled<float, 7, 4, 5>(12));
  check<around>(filled<float, 4, 4>(2), filled<float, 4, 5, 4>(4));
}

} // namespace
