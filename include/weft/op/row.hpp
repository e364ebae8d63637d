// SPDX-License-Identifier: BSL-1.0
// What every part of the op table starts from: op/table.hpp says what a row has.
#pragma once

#include <weft/op/info.hpp>

namespace weft::inline v0 {

template <op O> struct row;

namespace detail {
// The rule of ops without a derivative: integers, booleans, and what is constant by definition.
struct no_derivative {
  static constexpr void derivative(auto&) {}
};
} // namespace detail

} // namespace weft::inline v0
