// SPDX-License-Identifier: BSL-1.0
// Softmax of a row that finds maximum and sum in one reading (Milakov, Gimelshein: Online normalizer
// calculation for softmax, 2018), by weft's packs and weft's exp: what policy::fast does not do, and
// why (docs/performance.md).
//   online_softmax<N, false>      exp once more in the second reading
//   online_softmax<N, true>       exp kept, by the maximum of then, and scaled in the second reading
#pragma once

#include <weft/cpu/pack.hpp>
#include <weft/op/table.hpp>

#include <algorithm>
#include <limits>

namespace bench {

template <int N, bool Keeps> void online_softmax(float const* row, float* out) {
  namespace cpu = weft::cpu;
  using target = cpu::native_target;
  using pack = cpu::pack_for<target, float>;
  constexpr int lanes = target::lanes, block = 4 * lanes;
  static_assert(N % block == 0);
  auto const larger = [](pack const& a, pack const& b) {
    return weft::row<weft::op::maximum>::meaning(a, b);
  };
  auto const exp = [](pack const& a) { return weft::row<weft::op::exp>::meaning(a); };
  pack most = cpu::splat<target>(std::numeric_limits<float>::lowest());
  pack sum = cpu::splat<target>(0.0f);
  alignas(64) float kept[N / 4 + lanes]; // of each block the maxima of then
  for (int j = 0; j < N; j += block) {
    pack x[4];
    for (int k = 0; k < 4; ++k) x[k] = cpu::load<target>(row + j + k * lanes);
    pack const next = larger(larger(most, larger(x[0], x[1])), larger(x[2], x[3]));
    sum = sum * exp(most - next);
    for (int k = 0; k < 4; ++k) {
      pack const e = exp(x[k] - next);
      sum = sum + e;
      if constexpr (Keeps) cpu::store(out + j + k * lanes, e);
    }
    most = next;
    if constexpr (Keeps) cpu::store(kept + j / 4, most);
  }
  float all = lane(most, 0), total = 0;
  for (int k = 1; k < lanes; ++k) all = std::max(all, lane(most, k));
  pack const top = cpu::splat<target>(all), scaled = sum * exp(most - top);
  for (int k = 0; k < lanes; ++k) total += lane(scaled, k);
  pack const by = cpu::splat<target>(1 / total);
  for (int j = 0; j < N; j += block)
    if constexpr (Keeps) {
      pack const factor = exp(cpu::load<target>(kept + j / 4) - top) * by;
      for (int k = 0; k < 4; ++k) {
        float* const at = out + j + k * lanes;
        cpu::store(at, cpu::load<target>(at) * factor);
      }
    } else
      for (int k = 0; k < 4; ++k) {
        int const at = j + k * lanes;
        cpu::store(out + at, exp(cpu::load<target>(row + at) - top) * by);
      }
}

} // namespace bench
