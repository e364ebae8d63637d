// SPDX-License-Identifier: BSL-1.0
// ./dev bench blocks: programs compiled region by region beside the same programs on the block
// executor (jit<f>(cpu::block, ...)), which runs an operation at a time over blocks that stay in the
// cache. Arrays of more than 4 KiB; results must be the same bits.
#include "../common/limits.hpp"
#include "../common/weft_side.hpp"

#include <weft/run/block.hpp>

namespace {
using namespace bench;

template <auto F, class... Args> side block_side(int threads, Args... args) {
  struct kept {
    weft::cpu::pool pool;
    std::tuple<Args...> args;
    bool alone;
    typename weft::program<F, Args...>::result_type last{};
    void run() {
      last = std::apply(
          [&](auto const&... a) {
            return alone ? weft::jit<F>(weft::cpu::block, a...)
                         : weft::jit<F>(weft::cpu::block, pool, a...);
          },
          args);
    }
  };
  std::shared_ptr<kept> const k(
      new kept{weft::cpu::pool(threads), std::tuple<Args...>(std::move(args)...), threads == 1});
  return {"blocks", [k] { k->run(); }, [k] { return leaves_as_doubles(k->last); }};
}

template <auto F, class... Args>
contest beside_blocks(std::string name, work amount, Args const&... args) {
  return {
      std::move(name), amount, 0, [=](int threads) {
        return std::vector<side>{weft_side<F>(threads, args...), block_side<F>(threads, args...)};
      }};
}
template <int... E> weft::tensor<float, E...> random_array(unsigned seed) {
  return tensor_of<float, E...>(uniform((static_cast<std::size_t>(E) * ...), seed));
}

constexpr auto twenty_operations = [](auto a, auto b) {
  auto x = a;
  for (int i = 0; i < 10; ++i) x = x * b + (a - static_cast<float>(i));
  return x;
};
constexpr auto axpy = [](auto a, auto b) { return a * 2.5f + b; };
constexpr auto activation = [](auto a) { return tanh(a) * weft::sigmoid(a); };
constexpr auto softmax_of_rows = [](auto a) { return weft::softmax(a); };
constexpr auto normalised_rows = [](auto a, auto b) { return layer_norm(a, b, b); };
constexpr auto column_sums = [](auto a) { return sum<0>(a); };
constexpr auto total = [](auto a) { return sum(a * a); };
constexpr auto dense = [](auto a, auto b, auto c) {
  return weft::relu(weft::linear<"bi,oi->bo">(a, b, c));
};
constexpr auto gru_step = [](auto p, auto h, auto x) { return weft::gru(p, h, x); };
constexpr auto gru_states = [](auto p, auto h, auto xs) {
  auto cell = [&](auto state, auto x) {
    auto next = weft::gru(p, state, x);
    return std::pair(next, next);
  };
  return scan(cell, h, xs).second;
};

template <int In, int Hidden> weft::gru_weights<weft::tensor, In, Hidden> cell_weights() {
  auto const small = [](auto x) { return weft::jit<[](auto y) { return y * 0.1f; }>(x); };
  return {small(random_array<3 * Hidden, In>(1)), small(random_array<3 * Hidden, Hidden>(2)),
          small(random_array<3 * Hidden>(3)), small(random_array<3 * Hidden>(4))};
}

template <int N> void add_elementwise(std::vector<contest>& all) {
  auto const a = random_array<N>(1), b = random_array<N>(2);
  std::string const of = " of " + std::to_string(N);
  all.push_back(beside_blocks<axpy>("a x + b" + of, {0, 12.0 * N}, a, b));
  all.push_back(beside_blocks<twenty_operations>("20 operations" + of, {0, 12.0 * N}, a, b));
  all.push_back(beside_blocks<activation>("tanh and sigmoid" + of, {0, 8.0 * N}, a));
  all.push_back(beside_blocks<total>("sum of squares" + of, {0, 4.0 * N}, a));
}
template <int M, int N> void add_rows(std::vector<contest>& all) {
  auto const a = random_array<M, N>(1);
  std::string const of = " of " + std::to_string(M) + "x" + std::to_string(N);
  double const bytes = 8.0 * M * N;
  all.push_back(beside_blocks<softmax_of_rows>("softmax" + of, {0, bytes}, a));
  all.push_back(
      beside_blocks<normalised_rows>("layer_norm" + of, {0, bytes}, a, random_array<N>(2)));
  all.push_back(beside_blocks<column_sums>("sums of columns" + of, {0, bytes / 2}, a));
}
template <int M, int N, int K> void add_product(std::vector<contest>& all) {
  all.push_back(beside_blocks<dense>(
      "dense " + std::to_string(M) + "x" + std::to_string(N) + "x" + std::to_string(K),
      {2.0 * M * N * K}, random_array<M, K>(1), random_array<N, K>(2), random_array<N>(3)));
}
template <int Batch, int In, int Hidden> void add_gru(std::vector<contest>& all) {
  auto const p = cell_weights<In, Hidden>();
  auto const h = random_array<Batch, Hidden>(5);
  double const step = 6.0 * Batch * Hidden * (In + Hidden);
  all.push_back(beside_blocks<gru_step>("GRU step of " + std::to_string(Hidden), {step}, p, h,
                                        random_array<Batch, In>(6)));
  all.push_back(beside_blocks<gru_states>("GRU of 32 steps of " + std::to_string(Hidden),
                                          {32 * step}, p, h, random_array<32, Batch, In>(7)));
}

} // namespace

int main(int argc, char** argv) {
  std::vector<contest> all;
  add_elementwise<1024>(all); // 4 KiB
  add_elementwise<16384>(all);
  add_elementwise<1'000'000>(all);
  add_rows<32, 64>(all);
  add_rows<512, 512>(all);
  add_product<32, 64, 64>(all);
  add_product<256, 256, 256>(all);
  add_gru<8, 32, 64>(all);
  add_gru<32, 64, 256>(all);
  return compete("blocks", argc, argv, all);
}
