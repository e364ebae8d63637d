// SPDX-License-Identifier: BSL-1.0
// What tests of device_tensors share: expect_same(host, device) compares bits leaf by leaf;
// no_device() says that there is nothing to test on.
#pragma once

#include "support/opencl.hpp"

#include <weft/run/device.hpp>

#include <gtest/gtest.h>

#include <cstring>

extern template struct weft::opencl::engine_code<>; // support/opencl.cpp

namespace test {

inline bool no_device() { return weft::opencl::devices().empty(); }

template <class T, auto... E>
void expect_same_leaf(weft::tensor<T, E...> const& a, weft::tensor<T, E...> const& b) {
  ASSERT_TRUE(a.shape() == b.shape());
  std::size_t const bytes = static_cast<std::size_t>(a.size()) * sizeof(T);
  EXPECT_TRUE(bytes == 0 || std::memcmp(a.data(), b.data(), bytes) == 0);
}
inline void expect_same_leaf(weft::key a, weft::key b) { EXPECT_EQ(a, b); }

template <class Host, class Device> void expect_same(Host const& host, Device const& device) {
  static_assert(std::is_same_v<Host, weft::host_type<Device>>);
  weft::host_type<Device> const back = weft::to_host(device);
  weft::for_each_leaf(host, back, [](auto const& a, auto const& b) { expect_same_leaf(a, b); });
}

// ramp<T, E...>(step, names...): -1, -1 + step, ... below 1, again and again.
template <class T, auto... E, class... N> weft::tensor<T, E...> ramp(double step, N... names) {
  weft::tensor<T, E...> t(names...);
  auto m = t.mutate();
  double x = -1;
  for (auto it = m.data(), end = it + t.size(); it != end; ++it) {
    *it = static_cast<T>(x);
    if ((x += step) >= 1) x -= 2;
  }
  return t;
}

// What the device did between two moments that steady state forbids.
inline void expect_steady(weft::opencl::counts const& a, weft::opencl::counts const& b) {
  EXPECT_EQ(a.programs_built + a.programs_loaded, b.programs_built + b.programs_loaded);
  EXPECT_EQ(a.buffers_created, b.buffers_created);
  EXPECT_EQ(a.waits, b.waits);
  EXPECT_EQ(a.bytes_read, b.bytes_read);
}

} // namespace test
