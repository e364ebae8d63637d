// SPDX-License-Identifier: BSL-1.0
// build: alone
// Elementary functions on packs have the scalar world's bits, NaN payloads aside, on float32 bit
// patterns over the whole range and on random float64. (tests/conformance has every op on edges.)
// Packs that are computed beside each other, too.
#include <weft/cpu/elementwise.hpp>
#include <weft/op/table.hpp>

#include <op/numbers.hpp>

#include <gtest/gtest.h>

#include <random>
#include <vector>

namespace {

namespace cpu = weft::cpu;
using target = cpu::native_target;
using weft::op, weft::row;

template <class T> bool same(T a, T b) {
  return a == b ? std::signbit(a) == std::signbit(b) : a != a && b != b;
}

template <op O, class T> void check(std::vector<T> const& x, std::vector<T> const& y) {
  using pack = cpu::pack_for<target, T>;
  using scalar = std::conditional_t<sizeof(T) == 8, weft::scalar::f64, weft::scalar::f32>;
  constexpr auto lanes = static_cast<std::size_t>(pack::lanes);
  for (std::size_t i = 0; i + lanes <= x.size(); i += lanes) {
    auto const a = cpu::load<target>(&x[i]), b = cpu::load<target>(&y[i]);
    for (std::size_t k = 0; k < lanes; ++k) {
      T mine, one;
      if constexpr (row<O>::info.arity == 2) {
        mine = lane(row<O>::meaning(a, b), static_cast<int>(k));
        one = row<O>::meaning(scalar(x[i + k]), scalar(y[i + k])).value;
      } else {
        mine = lane(row<O>::meaning(a), static_cast<int>(k));
        one = row<O>::meaning(scalar(x[i + k])).value;
      }
      ASSERT_TRUE(same(mine, one))
          << weft::name_of(O) << '(' << x[i + k] << ", " << y[i + k] << ')';
    }
  }
}
template <class T> void check_all(std::vector<T> const& x, std::vector<T> const& y) {
  check<op::expm1>(x, y);
  check<op::log1p>(x, y);
  check<op::sin>(x, y);
  check<op::asin>(x, y);
  check<op::asinh>(x, y);
  check<op::cbrt>(x, y);
  check<op::gelu>(x, y);
  check<op::lgamma>(x, y);
  check<op::pow>(x, y);
  check<op::atan2>(x, y);
  check<op::remainder>(x, y);
  check<op::round_away>(x, y);
}

// `Packs` of them, which lie one behind the other.
template <int Packs, class Function>
void check_beside(std::vector<float> const& x, Function const& function) {
  using pack = cpu::pack_f32<target>;
  constexpr std::size_t lanes = target::lanes;
  for (std::size_t i = 0; i + Packs * lanes <= x.size(); i += Packs * lanes) {
    auto const all = cpu::beside_from<Packs>(
        [&](int k) { return cpu::load<target>(&x[i + static_cast<std::size_t>(k) * lanes]); });
    cpu::each_beside<Packs>(function(all), [&](pack const& mine, int k) {
      for (std::size_t l = 0; l < lanes; ++l) {
        float const at = x[i + static_cast<std::size_t>(k) * lanes + l];
        ASSERT_TRUE(same(lane(mine, static_cast<int>(l)), function(weft::scalar::f32(at)).value))
            << "pack " << k << " of " << Packs << ", " << at;
      }
    });
  }
}
template <class Function> void check_beside(std::vector<float> const& x, Function const& function) {
  check_beside<2>(x, function);
  check_beside<4>(x, function);
}
// Every op that a kernel computes so on any target.
template <int O> int check_op_beside(std::vector<float> const& x) {
  if constexpr (!weft::detail::gains_beside(op{O}, 16)) return 0;
  else return check_beside(x, [](auto const& a) { return row<op{O}>::meaning(a); }), 1;
}
template <int... O>
int check_ops_beside(std::vector<float> const& x, std::integer_sequence<int, O...>) {
  return (check_op_beside<O>(x) + ...);
}
TEST(pack_elementary, beside_each_other) {
  std::vector<float> x;
  for (std::uint32_t k = 0; k < (1u << 15); ++k)
    x.push_back(std::bit_cast<float>(k * 2654435761u)); // neighbours are of all sizes and signs
  check_beside(x, [](auto const& a) { return weft::elementary::exp_not_above_one(-abs(a)); });
  EXPECT_EQ(check_ops_beside(x, std::make_integer_sequence<int, weft::op_count>{}), 22);
}
template <int Packs> void check_threefry() {
  using pack = cpu::pack_u32<target>;
  auto const word = [](int seed) {
    return cpu::beside_from<Packs>([seed](int k) {
      auto const of_lane = cpu::lane_numbers<target>();
      return as_uint(of_lane) * pack(2654435761u) + pack(static_cast<std::uint32_t>(7 * k + seed));
    });
  };
  auto x = word(3), y = word(4);
  weft::elementary::threefry_rounds(word(1), word(2), x, y);
  auto const one = [](auto const& packs, int k, int l) {
    std::uint32_t found = 0;
    cpu::each_beside<Packs>(packs, [&](pack const& of, int at) {
      if (at == k) found = lane(of, l);
    });
    return weft::scalar::u32(found);
  };
  for (int k = 0; k < Packs; ++k)
    for (int l = 0; l < target::lanes; ++l) {
      auto const meant = weft::elementary::threefry2x32(one(word(1), k, l), one(word(2), k, l),
                                                        one(word(3), k, l), one(word(4), k, l));
      EXPECT_EQ(one(x, k, l).value, meant.first.value) << k << ", " << l;
      EXPECT_EQ(one(y, k, l).value, meant.second.value) << k << ", " << l;
    }
}
TEST(pack_elementary, random_words_beside_each_other) {
  check_threefry<2>();
  check_threefry<4>();
}

TEST(pack_elementary, of_float32) {
  std::vector<float> x, y;
  for (std::uint32_t k = 0; k < (1u << 15); ++k) {
    x.push_back(std::bit_cast<float>((k << 17) | ((k * 2654435761u) >> 15)));
    y.push_back(std::bit_cast<float>(k * 2246822519u));
  }
  check_all(x, y);
}
TEST(pack_elementary, of_float64) {
  std::vector<double> x, y;
  std::mt19937_64 bits(3);
  std::uniform_real_distribution<double> range(-20, 20);
  for (int k = 0; k < 8192; ++k) {
    x.push_back(k % 2 == 0 ? std::bit_cast<double>(bits()) : range(bits));
    y.push_back(k % 3 == 0 ? std::bit_cast<double>(bits()) : range(bits));
  }
  check_all(x, y);
}

} // namespace
