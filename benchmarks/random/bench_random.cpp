// SPDX-License-Identifier: BSL-1.0
// ./dev bench random: a million draws, weft's by JAX's bits (Threefry), beside the standard library's
// generators, Eigen's and xtensor's. Peers draw other numbers: what is compared are moments.
#include "../common/arrays.hpp"
#include "../common/eigen_tensor.hpp"
#include "../common/limits.hpp"
#include "../common/weft_side.hpp"
#include "../common/xtensor.hpp"
#ifdef WEFT_HAS_XTENSOR
#include <xtensor/xrandom.hpp>
#endif

#include <random>

namespace {
using namespace bench;

constexpr int count = 1 << 20;
constexpr auto uniform_draws = [](auto key) { return weft::uniform<count>(key); };
constexpr auto normal_draws = [](auto key) { return weft::normal<count>(key); };
constexpr auto dropout = [](auto const& x, auto key) {
  return weft::where(weft::bernoulli<count>(key, 0.9f), x / 0.9f, 0.0f);
};

// The first two moments, of which those of a million draws are within a fraction of a percent.
constexpr double tolerance = 5e-3;
std::vector<double> moments(std::vector<double> const& x) {
  double mean = 0, square = 0;
  for (double const e : x) {
    mean += e / count;
    square += e * e / count;
  }
  return {mean, square};
}
template <auto F, class... Args> side ours(int threads, Args... args) {
  side s = weft_side<F>(threads, std::move(args)...);
  s.result = [all = s.result] { return moments(all()); };
  return s;
}
// `draw` writes all of x.result().
template <class Draw> side peer(std::string name, arrays const& x, Draw draw) {
  side s = x.peer(std::move(name), std::move(draw));
  s.result = [all = s.result] { return moments(all()); };
  return s;
}
// One by one.
template <class Generator, class Next> side each(std::string name, arrays const& x, Next next) {
  return peer(std::move(name), x, [to = x.result(), random = Generator(1), next]() mutable {
    for (int i = 0; i < count; ++i) to[i] = next(random, i);
  });
}

contest uniforms() {
  return {"uniform, 2^20", {0, 4.0 * count}, tolerance, [](int threads) {
            auto const next = [between = std::uniform_real_distribution<float>(0, 1)](
                                  auto& random, int) mutable { return between(random); };
            std::vector<side> all{ours<uniform_draws>(threads, weft::key(1)),
                                  memory_limit(0, 4.0 * count, threads),
                                  each<std::mt19937>("mt19937", arrays({}, count), next),
                                  each<std::minstd_rand>("minstd_rand", arrays({}, count), next)};
#ifdef WEFT_HAS_EIGEN
            arrays const x({}, count); // Eigen draws from (-1, 1)
            all.push_back(peer("Eigen", x, [to = x.result()] {
              Eigen::Map<Eigen::ArrayXf> out(to, count);
              out = Eigen::ArrayXf::Random(count).abs();
            }));
#endif
#ifdef WEFT_HAS_XTENSOR
            arrays const y({}, count);
            all.push_back(peer("xtensor", y, [to = y.result()] {
              auto out = xtensor_at(to, count);
              xt::noalias(out) = xt::random::rand<float>({count});
            }));
#endif
            return all;
          }};
}
contest normals() {
  return {"normal, 2^20", {0, 4.0 * count}, tolerance, [](int threads) {
            std::vector<side> all{
                ours<normal_draws>(threads, weft::key(1)), memory_limit(0, 4.0 * count, threads),
                each<std::mt19937>("mt19937", arrays({}, count),
                                   [normal = std::normal_distribution<float>()](
                                       auto& random, int) mutable { return normal(random); })};
#ifdef WEFT_HAS_XTENSOR
            arrays const y({}, count);
            all.push_back(peer("xtensor", y, [to = y.result()] {
              auto out = xtensor_at(to, count);
              xt::noalias(out) = xt::random::randn<float>({count});
            }));
#endif
            return all;
          }};
}
contest dropouts() {
  return {"dropout, 2^20", {0, 8.0 * count}, tolerance, [](int threads) {
            arrays const x({count}, count);
            return std::vector<side>{
                ours<dropout>(threads, tensor_of<float, count>(*x.in[0]), weft::key(1)),
                memory_limit(4.0 * count, 4.0 * count, threads),
                each<std::mt19937>("mt19937", x,
                                   [in = x[0], keeps = std::bernoulli_distribution(0.9)](
                                       auto& random, int i) mutable {
                                     return keeps(random) ? in[i] / 0.9f : 0.0f;
                                   })};
          }};
}

} // namespace

int main(int argc, char** argv) {
  return bench::compete("random", argc, argv, {uniforms(), normals(), dropouts()});
}
