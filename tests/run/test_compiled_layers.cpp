// SPDX-License-Identifier: BSL-1.0
// build: alone -O0
// Ten equal linear layers, forward and backward: a scan over the stacked layers, the layers one
// after the other, and vmap over the examples. Not one element may differ: in float32 and under
// autocast<bf16>, compiled and on the interpreter. (PyTorch/XLA's scan and eager modules differed in
// 9 of 7680 elements of such a stack, and the tolerance was widened.)
#include "run/compiled.hpp"
#include "transform/examples.hpp"

#include <weft/weft.hpp>

#include <cstdio>

namespace {

using namespace weft;

constexpr int layers = 10, width = 32, examples = 3, rows = 20;

template <template <class, auto...> class array> struct layer {
  array<float, width, width> w;
  array<float, width> b;
};
using many = std::array<layer<tensor>, layers>;
using stack = stacked<layer, layers>;
using one_input = tensor<float, rows, width>;
using all_inputs = tensor<float, examples, rows, width>;

// What vmap and scan collect of stacked layers has the new axis in front of the layers'.
template <template <class, auto...> class array, int N> struct sized {
  array<float, N> w;
};
template <class S, auto N> using collected = stacked_type<rebind<S, traced>, N>;
static_assert(std::is_same_v<decltype(collected<stack, examples>::w),
                             traced<float, examples, layers, width, width>>);
static_assert(std::is_same_v<slice_of<collected<stack, examples>>, rebind<stack, traced>>);
static_assert(std::is_same_v<decltype(collected<sized<tensor, 5>, 2>::w), traced<float, 2, 5>>);

constexpr auto apply = [](auto x, auto p) { return linear<"...i,oi->...o">(x, p.w, p.b); };
constexpr auto in_scan = [](auto p, auto x) {
  return scan([](auto h, auto one) { return std::pair(apply(h, one), none); }, x, p).first;
};
constexpr auto in_turn = [](auto p, auto x) {
  for (auto const& one : p) x = apply(x, one);
  return x;
};
// sum(y c), y, and the gradients of all weights and of x.
template <class Low, auto F>
constexpr auto step_of = [](auto p, auto x, auto c) {
  auto const loss = [](auto q, auto a, auto by) {
    auto const y = F(q, a);
    return std::pair(sum(y * by), y);
  };
  auto const [values, gradients] = value_and_grad<0, 1>(autocast<Low>(loss))(p, x, c);
  return std::tuple(values.second, std::get<0>(gradients), std::get<1>(gradients));
};
template <class Low> constexpr auto scanned = step_of<Low, in_scan>;
template <class Low> constexpr auto unrolled = step_of<Low, in_turn>;
template <class Low>
constexpr auto per_example =
    [](auto p, auto x, auto c) { return vmap<none, 0, 0>(scanned<Low>)(p, x, c); };

// ---- results as one list of words: y, every w, every b, gradient of x --------------------------

using words = growing<word>;
void append(words& to, dense const& x) {
  for (word w : x.words) to.push(w);
}
words list_of(view<dense> out) {
  words all;
  append(all, out[0]);
  for (int k = 1; k < out.size() - 1; k += 2) append(all, out[k]);
  for (int k = 2; k < out.size() - 1; k += 2) append(all, out[k]);
  append(all, out[out.size() - 1]);
  return all;
}
words list_of_examples(view<dense> out) {
  words all;
  for (int e = 0; e < examples; ++e) {
    growing<dense> one;
    for (dense const& x : out) one.push(test::example_of(x, 0, e));
    all.append(list_of(one));
  }
  return all;
}
int mismatches(char const* what, char const* low, words const& is, words const& should) {
  int count = is.size() == should.size() ? 0 : -1;
  for (int i = 0; i < is.size() && count >= 0; ++i) count += is[i] != should[i];
  std::printf("%-46s %-14s %d mismatches of %d elements\n", what, low, count, should.size());
  return count;
}

// ---- arguments ---------------------------------------------------------------------------------

template <class T> T numbers_from(int place, float scale) {
  T made{};
  auto m = made.mutate();
  for (auto it = m.data(), end = it + made.size(); it != end; ++it, ++place)
    *it = scale * (static_cast<float>(static_cast<std::uint32_t>(place) * 2654435761u >> 12) /
                       static_cast<float>(1 << 19) -
                   1.0f);
  return made;
}
struct arguments {
  stack together;
  many apart;
  all_inputs x = numbers_from<all_inputs>(1, 2), c = numbers_from<all_inputs>(70000, 1);

  arguments() {
    together.w = numbers_from<decltype(together.w)>(1000, 0.3f);
    together.b = numbers_from<decltype(together.b)>(50000, 0.2f);
    for (int l = 0; l < layers; ++l) {
      layer<tensor>& one = apart[static_cast<unsigned>(l)];
      one.w = at<"$">(together.w, l);
      one.b = at<"$">(together.b, l);
    }
  }
};

template <auto F, class... Args> words meant(Args const&... args) {
  return list_of(
      test::meaning_of(stages<program<F, Args...>>::recorded, test::dense_leaves(args...)));
}
template <auto F, class... Args> words compiled(Args const&... args) {
  return list_of(test::dense_leaves(jit<F>(args...)));
}

template <class Low> void expect_no_mismatch(char const* low) {
  arguments const a;
  words const reference = meant<unrolled<Low>>(a.apart, a.x, a.c);
  EXPECT_EQ(reference.size(), 2 * a.x.size() + layers * (width + 1) * width);
  EXPECT_EQ(
      mismatches("scan, interpreted", low, meant<scanned<Low>>(a.together, a.x, a.c), reference),
      0);
  EXPECT_EQ(
      mismatches("scan, compiled", low, compiled<scanned<Low>>(a.together, a.x, a.c), reference),
      0);
  EXPECT_EQ(
      mismatches("unrolled, compiled", low, compiled<unrolled<Low>>(a.apart, a.x, a.c), reference),
      0);

  words each, y_and_x, all_y_and_x;
  for (int e = 0; e < examples; ++e)
    each.append(
        meant<unrolled<Low>>(a.apart, one_input(at<"$">(a.x, e)), one_input(at<"$">(a.c, e))));
  graph_view const mapped =
      stages<program<per_example<Low>, stack, all_inputs, all_inputs>>::recorded;
  growing<dense> const out = test::meaning_of(mapped, test::dense_leaves(a.together, a.x, a.c));
  EXPECT_EQ(
      mismatches("vmap of scan, interpreted, against examples", low, list_of_examples(out), each),
      0);
  growing<dense> const run = test::dense_leaves(jit<per_example<Low>>(a.together, a.x, a.c));
  EXPECT_EQ(
      mismatches("vmap of scan, compiled, against examples", low, list_of_examples(run), each), 0);
  append(y_and_x, run[0]);
  append(y_and_x, run.back());
  int const size = static_cast<int>(a.x.size());
  all_y_and_x.append(view<word>(reference).part(0, size));
  all_y_and_x.append(view<word>(reference).part(reference.size() - size, size));
  EXPECT_EQ(mismatches("vmap's y and gradient of x against the batch's", low, y_and_x, all_y_and_x),
            0);
}
TEST(ten_linear_layers, in_float) { expect_no_mismatch<float>("float32"); }
TEST(ten_linear_layers, under_autocast) { expect_no_mismatch<bf16>("autocast<bf16>"); }

} // namespace
