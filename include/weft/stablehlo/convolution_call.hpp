// SPDX-License-Identifier: BSL-1.0
// The operation stablehlo.convolution: labels of a convolve node by their kinds, and the attributes.
// Needs: extents that are numbers, windows with positive strides and dilations. Leaves: attributes
// in the order of their names; what says the same as nothing does is left out.
#pragma once

#include <weft/graph/convolution.hpp>
#include <weft/stablehlo/export_products.hpp>

namespace weft::inline v0::stablehlo::detail {

// Labels by where they stand; windows' are none of them.
struct convolution_labels {
  growing<extent> groups, batch, output, feature;

  constexpr explicit convolution_labels(convolution const& c) {
    for (int i = 0; i < c.rank_x; ++i) {
      extent const l = c.x[i];
      bool const in_w = c.in_w(l) >= 0, in_out = c.in_out(l) >= 0;
      if (in_w && in_out) groups.push(l);
      else if (in_w) feature.push(l);
      else if (in_out) batch.push(l);
    }
    for (int i = 0; i < c.rank_w; ++i)
      if (c.in_x(c.w[i]) < 0 && c.in_out(c.w[i]) >= 0) output.push(c.w[i]);
  }
  constexpr bool is_single() const {
    return groups.empty() && batch.size() <= 1 && output.size() <= 1 && feature.size() <= 1;
  }
};

constexpr growing<extent> window_labels(convolution const& c, extent convolution_window::*which) {
  growing<extent> r;
  for (int i = 0; i < c.windows; ++i) r.push(c.window[i].*which);
  return r;
}
// What the operation's attributes are made of, beside the labels.
struct convolution_call {
  growing<convolution_window> windows;
  extent groups = 1;
  extents x, w, out; // batch feature windows; output feature windows; batch output windows
};
// The padding behind that gives `places` results.
constexpr extent high_of(convolution_window const& v, extent x, extent w, extent places) {
  extent const spread = x == 0 ? 0 : (x - 1) * v.spread + 1, reach = (w - 1) * v.dilation + 1;
  if (places == 0) return reach - 1 - v.low - spread;
  return (places - 1) * v.stride + reach - v.low - spread;
}
constexpr growing<attribute> convolution_attributes(module_writer& w, convolution_call const& c,
                                                    char const* dimensions) {
  growing<extent> strides, padding, spreads, dilations;
  for (int i = 0; i < c.windows.size(); ++i) {
    convolution_window const& v = c.windows[i];
    strides.push(v.stride);
    padding.push(v.low);
    padding.push(high_of(v, c.x[2 + i], c.w[2 + i], c.out[2 + i]));
    spreads.push(v.spread);
    dilations.push(v.dilation);
  }
  growing<attribute> all; // what says the same as nothing does is left out
  auto list = [&](char const* name, growing<extent> const& numbers) {
    bool ones = true;
    for (extent n : numbers) ones &= n == 1;
    if (!ones) all.push(w.integers(name, numbers));
  };
  bool padded = false;
  for (extent n : padding) padded |= n != 0;
  all.push(w.integer("batch_group_count", 1));
  all.push(w.text("dimension_numbers", attribute_kind::labels, dimensions));
  all.push(w.integer("feature_group_count", c.groups));
  list("lhs_dilation", spreads);
  extents const pairs{2, {c.windows.size(), 2}};
  if (padded) all.push(w.matrix("padding", padding, pairs));
  all.push(full_precision(w));
  list("rhs_dilation", dilations);
  list("window_strides", strides);
  return all;
}

// "[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]": arrays as form_of leaves them, or a node's own order.
class dimension_text {
public:
  message text;

  constexpr void list(view<char const*> names) {
    text.add("[");
    for (int i = 0; i < names.size(); ++i) text.add(i > 0 ? ", " : "").add(names[i]);
    text.add("]");
  }
};
inline constexpr char const* window_names[] = {"0", "1", "2", "3", "4", "5", "6", "7"};

} // namespace weft::inline v0::stablehlo::detail
