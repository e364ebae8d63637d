// SPDX-License-Identifier: BSL-1.0
// Pools as plain loops, for every layout and option; and pools by chance.
//   pool_case c(rng)      a layout, options and a shape, which plan_of_pool accepts
//   c.each_tap(o, f)      f(offset in x, or -1 for padding) of every tap of the window at place o
#pragma once

#include "random/random_source.hpp"

#include <weft/graph/dense.hpp>
#include <weft/lang/pooling.hpp>

#include <string>
#include <vector>

namespace test {

using weft::extent, weft::extents;

class pool_case {
public:
  std::string layout;
  weft::pool_options options;
  extents shape;
  weft::detail::pool_plan plan;

  explicit pool_case(random_source& rng, int most_spatial = 3) {
    int const spatial = rng.between(1, most_spatial);
    std::string const names = "DHWA";
    for (int i = 0; i < spatial; ++i) layout += names[static_cast<unsigned>(i)];
    if (rng.chance(70)) layout += 'N';
    if (rng.chance(70)) layout += 'C';
    for (unsigned i = 1; i < layout.size(); ++i)
      std::swap(layout[i], layout[static_cast<unsigned>(rng.below(static_cast<int>(i) + 1))]);
    for (char c : layout) shape.push(rng.chance(4) ? 0 : rng.between(1, c == 'N' ? 2 : 7));
    options.size = numbers(rng, spatial, 1, 3);
    options.strides = rng.chance(40) ? weft::per_axis(0) : numbers(rng, spatial, 1, 3);
    if (rng.chance(40)) options.dilation = numbers(rng, spatial, 1, 2);
    options.padding = padding(rng, spatial);
    options.count_padding = rng.chance(50);
    plan = weft::detail::plan_of_pool(text(), options, shape);
  }
  weft::text text() const { return {layout.c_str(), static_cast<int>(layout.size())}; }
  extents result() const { return plan.result; }
  extent taps() const {
    extent n = 1;
    for (int i = 0; i < plan.count; ++i) n *= plan.at[i].size;
    return n;
  }
  template <class F> void each_tap(weft::detail::position const& place, F const& f) const {
    extents sizes;
    for (int i = 0; i < plan.count; ++i) sizes.push(plan.at[i].size);
    for (extent t = 0; t < taps(); ++t) {
      weft::detail::position const k = weft::detail::position_of(t, sizes);
      weft::detail::position p = place;
      bool inside = true;
      for (int i = 0; i < plan.count; ++i) {
        weft::detail::pool_axis const& a = plan.at[i];
        extent& x = p[a.axis];
        x = x * a.stride + k[i] * a.dilation - a.padding.low;
        inside = inside && 0 <= x && x < shape[a.axis];
      }
      f(inside ? weft::detail::offset_of(p, shape) : -1);
    }
  }
  std::string describe() const {
    weft::message m(layout.c_str());
    m.add(" ").add(shape).add(" to ").add(plan.result).add(";");
    for (int i = 0; i < plan.count; ++i) {
      weft::detail::pool_axis const& a = plan.at[i];
      m.add(" size ").add(a.size).add(" stride ").add(a.stride).add(" dilation ").add(a.dilation);
      m.add(" pads ").add(a.padding.low).add(" ").add(a.padding.high);
    }
    return m.c_str();
  }

private:
  static weft::per_axis numbers(random_source& rng, int count, int least, int most) {
    weft::per_axis n = rng.between(least, most);
    if (rng.chance(50)) return n;
    n.count = count;
    for (int i = 0; i < count; ++i) n.value[i] = rng.between(least, most);
    return n;
  }
  static weft::window_padding padding(random_source& rng, int count) {
    using weft::pads;
    constexpr pads rules[] = {pads::valid, pads::same, pads::same_lower};
    if (rng.chance(50)) return rules[rng.below(3)];
    weft::window_padding p = 0;
    if (rng.chance(50)) p.count = count;
    for (weft::axis_pads& a : p.axis) a = {rng.between(-2, 3), rng.between(-2, 3)};
    return p;
  }
};

} // namespace test
