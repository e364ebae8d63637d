// SPDX-License-Identifier: BSL-1.0
// build: alone
// Quotients by a number of the line, which a kernel may compute without dividing (cpu/vector.hpp),
// against scalar division, bit for bit: edges of the range where it does, zeros, subnormals,
// infinities and NaN at every place of a pack, beside ordinary numbers and each other; random pairs.
#include "op/numbers.hpp"
#include "random/random_source.hpp"

#include <weft/run/jit.hpp>
#include <weft/weft.hpp>

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <cstdint>
#include <vector>

namespace {

using namespace weft;
constexpr sym lines{"lines"};
constexpr sym columns{"columns"};
using floats = std::vector<float>;

constexpr float inf = numbers::infinity, nan = numbers::nan;

// Line i of the result is all of x over by[i].
tensor<float, lines, columns> quotients(floats const& x, floats const& by) {
  constexpr auto divide = [](auto a, auto b) { return a / b; };
  auto const height = static_cast<int>(by.size()), width = static_cast<int>(x.size());
  tensor<float, lines, columns> a(height, width);
  tensor<float, lines, 1> b(height);
  auto to = a.mutate();
  auto divisors = b.mutate();
  for (int i = 0; i < height; ++i) {
    divisors(i, 0) = by[static_cast<std::size_t>(i)];
    for (int j = 0; j < width; ++j) to(i, j) = x[static_cast<std::size_t>(j)];
  }
  return jit<divide>(a, b);
}
void expect_quotients(floats const& x, floats const& by) {
  auto const found = quotients(x, by);
  for (std::size_t i = 0; i < by.size(); ++i)
    for (std::size_t j = 0; j < x.size(); ++j) {
      float const meant = x[j] / by[i], is = found(static_cast<int>(i), static_cast<int>(j));
      ASSERT_TRUE(numbers::same(is, meant))
          << x[j] << " / " << by[i] << ", column " << j << ": " << is << " instead of " << meant;
    }
}

// Each number, its neighbours, and all that negated.
floats with_neighbours(floats const& all) {
  floats r;
  for (float x : all)
    for (float y : {x, std::nextafter(x, inf), std::nextafter(x, -inf)}) {
      r.push_back(y);
      r.push_back(-y);
    }
  return r;
}
floats edge_dividends() {
  floats r = with_neighbours({0x1p-126f, 0x1p-127f, 0x1p-80f, 0x1p-79f, 0x1p-78f, 1, 3, 0x1p+48f,
                              0x1p+49f, 0x1p+50f, 0x1p+127f, 0x1.fffffep+127f});
  r.insert(r.end(), {0.0f, -0.0f, 0x1p-149f, -0x1p-149f, 0x1.8p-130f, inf, -inf, nan});
  return r;
}
floats edge_divisors() {
  floats r = with_neighbours({0x1p-126f, 0x1p-127f, 0x1p-41f, 0x1p-40f, 0x1p-39f, 1, 3, 0x1p+39f,
                              0x1p+40f, 0x1p+41f, 0x1p+127f});
  r.insert(r.end(), {0.0f, -0.0f, 0x1p-149f, -0x1p-149f, 0x1.fffffep+127f, inf, -inf, nan});
  return r;
}

class draws {
public:
  explicit draws(std::uint64_t seed) : rng_(seed) {}
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(rng_.next() >> 11) % n; }
  float any() { return std::bit_cast<float>(static_cast<std::uint32_t>(rng_.next() >> 32)); }
  // 2^low to 2^high, each exponent as often.
  float between(int low, int high) {
    auto const word = static_cast<std::uint32_t>(rng_.next() >> 32);
    std::uint32_t const significand = (word & 0x807fffffu) | 127u << 23;
    int const exponent = low + static_cast<int>(below(static_cast<std::size_t>(high - low)));
    return std::ldexp(std::bit_cast<float>(significand), exponent);
  }
  float ordinary() { return between(-70, 48); }
  float zero() { return below(2) == 0 ? 0.0f : -0.0f; }

private:
  test::random_source rng_;
};

constexpr std::size_t pack = 16; // of the widest target

TEST(line_quotient, one_edge_among_ordinary_numbers) {
  draws d(1);
  floats x;
  for (std::size_t k = 0; float edge : edge_dividends()) {
    for (std::size_t lane = 0; lane < pack; ++lane) x.push_back(d.ordinary());
    x[x.size() - pack + k++ % pack] = edge;
  }
  for (int k = 0; k < 7; ++k) x.push_back(d.ordinary()); // a part of a pack
  expect_quotients(x, edge_divisors());
}
TEST(line_quotient, zeros_among_ordinary_numbers) {
  draws d(2);
  floats x;
  for (std::size_t chance = 1; chance <= pack; ++chance)
    for (std::size_t lane = 0; lane < 4 * pack; ++lane)
      x.push_back(d.below(pack) < chance ? d.zero() : d.ordinary());
  x.insert(x.end(), {0.0f, -0.0f, 5.0f});
  expect_quotients(x, edge_divisors());
}
TEST(line_quotient, zeros_and_one_edge) {
  draws d(3);
  floats x;
  for (std::size_t k = 0; float edge : edge_dividends()) {
    for (std::size_t lane = 0; lane < pack; ++lane)
      x.push_back(lane % 3 == 0 ? d.ordinary() : d.zero());
    x[x.size() - pack + k++ % pack] = edge;
  }
  expect_quotients(x, edge_divisors());
}
TEST(line_quotient, edges_alone) {
  draws d(4);
  floats const edges = edge_dividends();
  floats x = edges;
  for (int k = 0; k < 1001; ++k) x.push_back(edges[d.below(edges.size())]);
  expect_quotients(x, edge_divisors());
}
TEST(line_quotient, random_pairs) {
  draws d(5);
  floats x, by;
  for (int k = 0; k < 4003; ++k) x.push_back(d.between(-82, 52));
  for (int k = 0; k < 150; ++k) by.push_back(d.between(-42, 42));
  expect_quotients(x, by);
}
TEST(line_quotient, random_words) {
  draws d(6);
  floats x, by;
  for (int k = 0; k < 4003; ++k) x.push_back(d.any());
  for (int k = 0; k < 100; ++k) by.push_back(d.any());
  expect_quotients(x, by);
}

} // namespace
