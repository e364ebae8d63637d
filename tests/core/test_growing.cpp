// SPDX-License-Identifier: BSL-1.0
// growing: an array that is given its own elements where it has to grow. A constant expression does
// not read freed memory, so these are compile-time tests.
#include <weft/core/growing.hpp>

#include <gtest/gtest.h>

namespace {

using weft::growing;

constexpr growing<int> count_to(int n) {
  growing<int> a;
  for (int i = 0; i < n; ++i) a.push(i);
  return a;
}
constexpr bool appends_itself(int n) {
  growing<int> a = count_to(n);
  a.append(a);
  bool same = a.size() == 2 * n;
  for (int i = 0; i < a.size(); ++i) same &= a[i] == i % n;
  return same;
}
constexpr bool appends_its_end(int n) {
  growing<int> a = count_to(n);
  a.append(a.part(n - 1, 1));
  return a.size() == n + 1 && a[n] == n - 1 && a[0] == 0;
}
constexpr bool assigns_its_last(int n, int count) {
  growing<int> a = count_to(n);
  a.assign(count, a[n - 1]);
  bool same = a.size() == count;
  for (int element : a) same &= element == n - 1;
  return same;
}
constexpr bool pushes_its_first(int n) {
  growing<int> a = count_to(n);
  a[0] = 9;
  a.push(a[0]);
  return a.size() == n + 1 && a[n] == 9;
}
static_assert(appends_itself(1) && appends_itself(5) && appends_itself(8) && appends_itself(100));
static_assert(appends_its_end(8) && appends_its_end(9) && appends_its_end(16));
static_assert(assigns_its_last(8, 3) && assigns_its_last(8, 8) && assigns_its_last(8, 50));
static_assert(pushes_its_first(8) && pushes_its_first(16));

TEST(growing, is_given_its_own_elements) {
  for (int n = 1; n < 70; ++n) {
    EXPECT_TRUE(appends_itself(n) && appends_its_end(n)) << n;
    EXPECT_TRUE(assigns_its_last(n, 2 * n + 1) && pushes_its_first(n)) << n;
  }
}
TEST(growing, appends_nothing) {
  growing<int> a;
  a.append(a);
  a.append({});
  EXPECT_TRUE(a.empty());
}

} // namespace
