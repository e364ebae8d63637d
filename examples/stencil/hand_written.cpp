// SPDX-License-Identifier: BSL-1.0
// Vectorised as well as the compiler can; products and sums are rounded one by one, as weft's are, so
// that the bits can be compared.
#if defined(__clang__)
#pragma clang fp contract(off)
#else
#pragma GCC optimize("O3", "fp-contract=off")
#endif

#include "hand_written.hpp"

namespace stencil {
namespace {

struct row {
  float const *above, *here, *below;
  float laplacian(int left, int j, int right) const {
    return (above[j] + below[j]) + (here[left] + here[right]) - 4 * here[j];
  }
};

struct rates {
  float feed, death;
};

void cell(row const& u, row const& v, rates r, int left, int j, int right, float* next_u,
          float* next_v) {
  float const a = u.here[j], b = v.here[j], reaction = a * b * b;
  next_u[j] = a + (spread_u * u.laplacian(left, j, right) - reaction + r.feed * (1 - a));
  next_v[j] = b + (spread_v * v.laplacian(left, j, right) + reaction - (r.feed + r.death) * b);
}

void one_step(float const* u, float const* v, float* next_u, float* next_v, rates r) {
  for (int i = 0; i < side; ++i) {
    int const above = (i + side - 1) % side * side, here = i * side, below = (i + 1) % side * side;
    row const of_u{u + above, u + here, u + below}, of_v{v + above, v + here, v + below};
    float *const out_u = next_u + here, *const out_v = next_v + here;
    cell(of_u, of_v, r, side - 1, 0, 1, out_u, out_v);
#if defined(__clang__)
#pragma clang loop vectorize(assume_safety)
#else
#pragma GCC ivdep
#endif
    for (int j = 1; j < side - 1; ++j) cell(of_u, of_v, r, j - 1, j, j + 1, out_u, out_v);
    cell(of_u, of_v, r, side - 2, side - 1, 0, out_u, out_v);
  }
}

} // namespace

fields hand_written(fields const& start, int steps, float feed, float death) {
  fields now = start, next;
  for (int n = 0; n < steps; ++n) {
    auto u = next.first.mutate();
    auto v = next.second.mutate();
    one_step(now.first.data(), now.second.data(), u.data(), v.data(), {feed, death});
    std::swap(now, next);
  }
  return now;
}

} // namespace stencil
