// SPDX-License-Identifier: BSL-1.0
// Functions of the host's for tests of custom_call; host_calls counts how often one has run.
#pragma once

#include <weft/lang/at.hpp>
#include <weft/lang/custom_call.hpp>
#include <weft/lang/elementwise.hpp>
#include <weft/lang/reductions.hpp>

#include <atomic>
#include <cmath>

namespace test {

using weft::extent, weft::tensor;

inline std::atomic<int> host_calls = 0;

// With both derivatives; the way back uses the result.
struct row_norms {
  static constexpr auto name = "row_norms";
  template <class T, auto N, auto M> static tensor<T, N> result(tensor<T, N, M>);
  static void run(auto x, auto y) {
    ++host_calls;
    for (extent i = 0; i < x.extent(0); ++i) {
      double sum = 0;
      for (extent j = 0; j < x.extent(1); ++j) sum += double{x(i, j)} * double{x(i, j)};
      y(i) = static_cast<typename decltype(y)::element_type>(std::sqrt(sum));
    }
  }
  static constexpr auto vjp(auto x, auto y, auto ct) { return x * weft::at<":, new">(ct / y); }
  static constexpr auto jvp(auto x, auto y, auto dx) { return weft::sum<1>(x * dx) / y; }
};

// Two operands, two results of two types.
struct split_sign {
  static constexpr auto name = "split_sign";
  template <class T, auto N>
  static std::pair<tensor<T, N>, tensor<std::int32_t, N>> result(tensor<T, N>, tensor<T>);
  static void run(auto x, auto scale, auto size, auto sign) {
    ++host_calls;
    for (extent i = 0; i < x.extent(0); ++i) {
      size(i) = std::abs(x(i)) * scale();
      sign(i) = x(i) < 0 ? -1 : 1;
    }
  }
  static constexpr auto vjp(auto x, auto scale, auto y, auto ct) {
    using T = typename decltype(x)::element_type;
    auto s = weft::convert<T>(y.second);
    return std::tuple(ct.first * s * scale, weft::sum(ct.first * x * s));
  }
  static constexpr auto jvp(auto x, auto scale, auto y, auto dx, auto ds) {
    using T = typename decltype(x)::element_type;
    return std::pair(weft::convert<T>(y.second) * (dx * scale + x * ds), y.second);
  }
};

// Throws at a negative element, and says in which item.
struct refusing {
  static constexpr auto name = "refusing";
  template <class T, auto... E> static tensor<T, E...> result(tensor<T, E...>);
  static void run(weft::host_call const& at, auto x, auto y) {
    for (extent i = 0; i < x.size(); ++i) {
      if (x.data()[i] < 0)
        weft::raise<weft::value_error>(weft::message("refusing: item ").add(at.item));
      y.data()[i] = x.data()[i];
    }
  }
};

} // namespace test
