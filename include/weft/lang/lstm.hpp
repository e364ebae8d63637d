// SPDX-License-Identifier: BSL-1.0
// One step of a long short-term memory, as PyTorch's: gates in the order input, forget, cell,
// output; g = W_i x + b_i + W_h h + b_h in four gates;
// c' = sigmoid(f) c + sigmoid(i) tanh(cell), h' = sigmoid(o) tanh(c').
//   auto [h2, c2] = lstm(p, h, c, x);          // p: lstm_weights<tensor, in, hidden>
// x (..., in), h and c (..., hidden). Needs: nn.hpp.
#pragma once

#include <weft/lang/both_doors.hpp>
#include <weft/lang/expression_nn.hpp>

namespace weft::inline v0 {

template <template <class, auto...> class array, int In, int Hidden> struct lstm_weights {
  array<float, 4 * Hidden, In> input;
  array<float, 4 * Hidden, Hidden> hidden;
  array<float, 4 * Hidden> input_bias, hidden_bias;
};

namespace detail {
// (..., 4 H) -> (..., 4, H).
constexpr extents four_of(extents s) {
  extent each = s[s.rank - 1] / 4;
  s[s.rank - 1] = 4;
  s.push(each);
  return s;
}
struct lstm_call : plain_call {
  template <class H, class X>
  constexpr auto operator()(H const& h, auto const& c, X const& x, auto const& wi, auto const& wh,
                            auto const& bi, auto const& bh) const {
    // Gates are added apart, so that all of a step but its products is one loop over the states.
    auto const gates = [](auto const& both) {
      using S = typename std::remove_cvref_t<decltype(both)>::shape_type;
      return reshape_as(shape_of_value<four_of(S::value)>{}, both);
    };
    auto from_x = gates(linear<"...i,oi->...o">(x, wi, bi));
    auto from_h = gates(linear<"...i,oi->...o">(h, wh, bh));
    auto input = at<"..., 0, :">(from_x) + at<"..., 0, :">(from_h);
    auto forget = at<"..., 1, :">(from_x) + at<"..., 1, :">(from_h);
    auto cell = at<"..., 2, :">(from_x) + at<"..., 2, :">(from_h);
    auto out = at<"..., 3, :">(from_x) + at<"..., 3, :">(from_h);
    auto next = sigmoid(forget) * c + sigmoid(input) * tanh(cell);
    return std::pair(sigmoid(out) * tanh(next), next);
  }
};
} // namespace detail

template <class P, class H, class C, class X>
constexpr auto lstm(P const& p, H const& h, C const& c, X const& x) {
  return detail::now_at_door<detail::lstm_call>(h, c, x, p.input, p.hidden, p.input_bias,
                                                p.hidden_bias);
}

} // namespace weft::inline v0
