// SPDX-License-Identifier: BSL-1.0
// build: alone long
// Products of the other element types: doubles, 64-bit integers, narrow integers and f16.
#include "contract_cases.hpp"
#include "support/targets.hpp"

namespace contract_test {
namespace {

struct spec {
  char const *a, *b, *out;
  extent i, j, k, l;
};
variant const variants[] = {
    {},
    {.b = {.transposed = true}, .out = {.transposed = true}, .has_start = true},
    {.a = {.reversed = 1},
     .b = {.reversed = 2},
     .out = {.reversed = 3},
     .has_start = true,
     .has_bias = true},
    {.a = {.broadcast = 1}, .b = {.spread = 2}, .bias = {.transposed = true}, .has_bias = true},
};
spec const chains[] = {{"ik", "kj", "ij", 1, 1, 1, 1},    {"ik", "kj", "ij", 7, 33, 20, 1},
                       {"ki", "jk", "ji", 15, 40, 17, 1}, {"ik", "kj", "ij", 5, 0, 0, 1},
                       {"ik", "kj", "ij", 4, 5, 0, 1},    {"ik", "kj", "ij", 31, 37, 600, 1},
                       {"xik", "kj", "xij", 5, 20, 7, 1}, {"ik", "kj", "ij", 150, 35, 30, 1},
                       {"kil", "lkj", "ij", 25, 33, 3, 4}};
spec const lines[] = {{"k", "k", "", 1, 1, 0, 1},          {"k", "k", "", 1, 1, 63, 1},
                      {"ik", "k", "i", 9, 1, 100, 1},      {"ki", "k", "i", 70, 1, 130, 1},
                      {"xik", "yk", "xyi", 9, 1, 20, 1},   {"ikl", "lk", "i", 7, 1, 11, 13},
                      {"kilx", "kl", "xi", 30, 1, 11, 13}, {"ki", "k", "i", 70, 1, 64, 1},
                      {"ki", "k", "i", 70, 1, 128, 1}};

template <class Target, class T, class Out = T, class Bias = Out>
void check_all(contract_order order) {
  auto const& specs = order == contract_order::chain ? view<spec>(chains, 9) : view<spec>(lines, 9);
  for (spec const& s : specs) {
    extent size[128]{};
    extent const of[] = {s.i, s.j, s.k, s.l, 2, 3};
    for (int n = 0; n < 6; ++n) size[static_cast<int>("ijklxy"[n])] = of[n];
    for (variant v : variants) {
      if (order == contract_order::lanes) v.has_start = false;
      SCOPED_TRACE(testing::Message() << s.a << "," << s.b << "->" << s.out << " i " << s.i << " j "
                                      << s.j << " k " << s.k << " of " << name_of(dtype_of<T>));
      check<Target, T, T, Out, Bias>(labels(s.a, s.b, s.out, order), size, v);
    }
  }
}
template <class Target> void check_types(contract_order order) {
  check_all<Target, double>(order);
  check_all<Target, std::int64_t>(order);
  check_all<Target, std::int8_t>(order);
  check_all<Target, std::uint16_t>(order);
  check_all<Target, f16>(order);
  check_all<Target, f16, float, f16>(order);
}

template <class Target> class contract_types : public testing::Test {};
using targets = testing::Types<test::narrow_target, cpu::native_target>;
TYPED_TEST_SUITE(contract_types, targets);

TYPED_TEST(contract_types, chain) { check_types<TypeParam>(contract_order::chain); }
TYPED_TEST(contract_types, lanes) { check_types<TypeParam>(contract_order::lanes); }

} // namespace
} // namespace contract_test
