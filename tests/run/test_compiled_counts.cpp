// SPDX-License-Identifier: BSL-1.0
// build: alone
// What programs become: steps, distinct kernels, what stands inside a loop. Nothing here runs but
// the last test, so that it stays cheap to compile.
#include "run/compiled.hpp"

#include <weft/lang/lstm.hpp>
#include <weft/lang/makers.hpp>
#include <weft/lang/nn.hpp>
#include <weft/lang/optimise.hpp>
#include <weft/lang/random.hpp>
#include <weft/lang/scan.hpp>

namespace {

using namespace weft;
using test::check, test::filled;

struct counts {
  int groups = 0, products = 0, loops = 0, moves = 0;
  friend constexpr bool operator==(counts, counts) = default;
};
template <class Program> constexpr counts steps_of(int region) {
  counts c;
  for (schedule_step const& s : weft::stages<Program>::plan.steps_of(region)) {
    c.groups += s.kind == step_kind::group;
    c.products += s.kind == step_kind::contraction;
    c.loops += s.kind == step_kind::loop;
    c.moves += s.kind == step_kind::move;
  }
  return c;
}
template <class Program> constexpr int distinct_kernels() {
  int n = 0;
  for (int k = 0; k < weft::stages<Program>::code.kernels.size(); ++k)
    n += weft::stages<Program>::code.kernels[k].canonical == k;
  return n;
}
template <class Program> constexpr int stored_values() {
  int n = 0;
  for (bool s : weft::stages<Program>::plan.stored) n += s;
  return n;
}

using matrix = tensor<float, 32, 100>;
template <template <class, auto...> class array> using cell = gru_weights<array, 64, 256>;

// softmax: the maximum; exp and its sum, exp stored; the quotient.
constexpr auto rows = [](auto x) { return softmax(x); };
using softmax_rows = program<rows, matrix>;
static_assert(steps_of<softmax_rows>(0) == counts{.groups = 3});
static_assert(stored_values<softmax_rows>() == 4); // maximum, exp, sum, result

// One pass over the logits for both sums; exp is not stored.
constexpr auto cost = [](auto x, auto l) { return mean(softmax_cross_entropy(x, l)); };
using cross_entropy = program<cost, matrix, tensor<int, 32>>;
static_assert(steps_of<cross_entropy>(0) == counts{.groups = 4});
static_assert(stored_values<cross_entropy>() == 5); // maximum, two sums, their sum, result

// Bias in the product; the mask is drawn where it is used and costs no memory.
constexpr auto dropped = [](auto k, auto x, auto w, auto b) {
  return dropout(k, 0.25f, linear(x, w, b));
};
using dropped_linear = program<dropped, key, matrix, tensor<float, 100, 64>, tensor<float, 64>>;
static_assert(steps_of<dropped_linear>(0) == counts{.groups = 1, .products = 1});
static_assert(stored_values<dropped_linear>() == 2);

// A GRU step: two products, and one group for all its gates.
constexpr auto step_of_gru = [](auto p, auto h, auto x) { return gru(p, h, x); };
using gru_step = program<step_of_gru, cell<tensor>, tensor<float, 32, 256>, tensor<float, 32, 64>>;
static_assert(steps_of<gru_step>(0) == counts{.groups = 1, .products = 2});
static_assert(stored_values<gru_step>() == 3);

// In a loop: the input's product of all steps goes before it, one product a step is left.
constexpr auto recurrent = [](auto p, auto h0, auto xs) {
  return scan(
      [&](auto h, auto x) {
        auto next = gru(p, h, x);
        return std::pair(next, next);
      },
      h0, xs);
};
using gru_loop = program<recurrent, cell<tensor>, tensor<float, 32, 256>, tensor<float, 7, 32, 64>>;
static_assert(steps_of<gru_loop>(0) == counts{.products = 1, .loops = 1});
static_assert(steps_of<gru_loop>(1) == counts{.groups = 1, .products = 1});

// Likewise an LSTM, whose gates are one group with its two states.
constexpr auto long_memory = [](auto p, auto h0, auto c0, auto xs) {
  return scan(
      [&](auto s, auto x) {
        auto next = lstm(p, s.first, s.second, x);
        return std::pair(next, next.first);
      },
      std::pair(h0, c0), xs);
};
using lstm_loop = program<long_memory, lstm_weights<tensor, 64, 256>, tensor<float, 32, 256>,
                          tensor<float, 32, 256>, tensor<float, 7, 32, 64>>;
static_assert(steps_of<lstm_loop>(0) == counts{.products = 1, .loops = 1});
static_assert(steps_of<lstm_loop>(1) == counts{.groups = 1, .products = 1});

// Adam: one pass over each array of parameters with its moments, and a few numbers.
template <template <class, auto...> class array> struct two_arrays {
  array<float, 100, 64> w;
  array<float, 64> b;
};
constexpr auto update = [](auto p, auto grads, auto state, auto rate) {
  return adam(p, grads, state, rate);
};
using adam_update = program<update, two_arrays<tensor>, two_arrays<tensor>,
                            adam_for<two_arrays>::state<tensor>, float>;
static_assert(steps_of<adam_update>(0) == counts{.groups = 3});

// A cast of weights is made once, before the loop; constants of a loop are not stacked.
constexpr auto low_weights = [](auto h0, auto xs, auto w) {
  return scan(
             [&](auto h, auto x) {
               auto next = tanh(einsum<"bi,ih->bh">(h, convert<bf16>(w)) + x);
               return std::pair(next, none);
             },
             h0, xs)
      .first;
};
using casts =
    program<low_weights, tensor<bf16, 32, 256>, tensor<bf16, 7, 32, 256>, tensor<float, 256, 256>>;
static_assert(steps_of<casts>(0) == counts{.groups = 1, .loops = 1});
static_assert(steps_of<casts>(1) == counts{.groups = 1, .products = 1});
template <class Program> constexpr extent largest_value() {
  extent most = 0;
  for (int id = 0; id < weft::stages<Program>::optimised.size(); ++id)
    if (weft::stages<Program>::optimised[id].code != op::parameter &&
        weft::stages<Program>::plan.stored[id])
      if (extent const count = count_of(weft::stages<Program>::optimised.shape(id)); count > most)
        most = count;
  return most;
}
static_assert(largest_value<casts>() == 256 * 256); // not 7 of them

// Twelve equal layers: twelve groups, one kernel.
template <template <class, auto...> class array> struct layer {
  array<float, 16, 16> w;
  array<float, 16> b;
};
constexpr auto twelve_layers = [](auto layers, auto x) {
  for (auto const& p : layers) x = x + tanh(linear(x, p.w, p.b));
  return x;
};
using unrolled = program<twelve_layers, std::array<layer<tensor>, 12>, tensor<float, 8, 16>>;
static_assert(steps_of<unrolled>(0) == counts{.groups = 12, .products = 12});
static_assert(distinct_kernels<unrolled>() == 1);

TEST(compiled_counts, a_shared_kernel_serves_every_layer) {
  std::array<layer<tensor>, 12> layers;
  for (unsigned i = 0; i < 12; ++i)
    layers[i] = {filled<float, 16, 16>(2 * i), filled<float, 16>(100 + 2 * i)};
  check<twelve_layers>(layers, filled<float, 8, 16>(50));
}

} // namespace
