// SPDX-License-Identifier: BSL-1.0
// random_source: numbers that depend on a seed alone, the same on every machine; and arrays of them
// with everything that arithmetic trips over: NaN, infinities, subnormals, -0, integer extremes.
#pragma once

#include <weft/graph/bind.hpp>
#include <weft/graph/dense.hpp>

#include <bit>

namespace test {

using weft::dense;
using weft::dtype;
using weft::extent;
using weft::extents;
using weft::graph_view;
using weft::growing;
using weft::word;

class random_source {
public:
  explicit random_source(std::uint64_t seed) : state_(seed * 0x9e3779b97f4a7c15u + 1) {}

  // splitmix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, OOPSLA 2014)
  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  // 0 … n - 1
  int below(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }
  int between(int low, int high) { return low + below(high - low + 1); }
  bool chance(int percent) { return below(100) < percent; }

private:
  std::uint64_t state_;
};

// Half of the arrays are tame: small numbers that do not drown everything in NaN.
inline word random_float(random_source& rng, bool tame) {
  constexpr word special[] = {0x00000000, 0x80000000, 0x7f800000, 0xff800000, 0x7fc00000,
                              0x00000001, 0x80000001, 0x007fffff, 0x00800000, 0x7f7fffff,
                              0x3f800000, 0xbf800000, 0x4f000000, 0xcf000000, 0x42b20000};
  if (!tame && rng.chance(20)) return special[rng.below(15)];
  if (!tame && rng.chance(20)) return static_cast<std::uint32_t>(rng.next());
  float const eighths = static_cast<float>(rng.between(-40, 40)) / 8.0f;
  float const fine = static_cast<float>(rng.between(-1000000, 1000000)) / 333333.0f;
  return weft::word_of(rng.chance(50) ? eighths : fine);
}
inline word random_integer(random_source& rng, dtype d) {
  word const ones = weft::detail::storage_mask(d), sign = (ones >> 1) + 1;
  auto const bits = static_cast<word>(8 * weft::size_of(d));
  word const special[] = {sign, sign - 1, ones, sign + 1, bits - 1, bits, bits + 1, 0};
  if (rng.chance(15)) return special[rng.below(8)];
  if (rng.chance(15)) return rng.next() & ones;
  return static_cast<word>(rng.between(-3, 9)) & ones;
}
inline word random_double(random_source& rng, bool tame) {
  if (!tame && rng.chance(10)) return rng.next();
  double const x = weft::element_of_word<float>(random_float(rng, tame));
  return weft::word_of(rng.chance(50) ? x : x / 3.0);
}
inline word random_word(random_source& rng, dtype d, bool tame) {
  if (d == dtype::boolean) return static_cast<word>(rng.below(2));
  if (weft::is_integer(d)) return random_integer(rng, d);
  if (d == dtype::f64) return random_double(rng, tame);
  word const bits = random_float(rng, tame);
  if (d == dtype::f32) return bits;
  float const x = weft::element_of_word<float>(bits);
  return d == dtype::bf16 ? weft::bf16(x).bits : weft::f16(x).bits;
}
inline dense random_dense(random_source& rng, dtype d, extents const& shape, bool tame) {
  dense x(d, shape);
  for (word& w : x.words) w = random_word(rng, d, tame);
  return x;
}
inline dense random_dense(random_source& rng, dtype d, extents const& shape) {
  return random_dense(rng, d, shape, rng.chance(50));
}

// Inputs for any graph; names get numbers of their own, 0 and above 64 among them.
inline growing<dense> random_inputs(graph_view g, std::uint64_t seed) {
  random_source rng(seed);
  growing<weft::binding> numbers;
  for (extent name : weft::names_of(g))
    numbers.push({name, rng.chance(10)   ? 0
                        : rng.chance(10) ? rng.between(65, 70)
                                         : rng.between(1, 6)});
  growing<dense> inputs;
  for (int id : g.parameters_of(0)) {
    extents shape = g.shape(id);
    for (int i = 0; i < shape.rank; ++i) shape[i] = weft::bound(shape[i], numbers);
    inputs.push(random_dense(rng, g[id].type, shape));
  }
  return inputs;
}

} // namespace test
