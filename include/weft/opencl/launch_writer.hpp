// SPDX-License-Identifier: BSL-1.0
// launch_writer: one kernel of a move and the arguments of its launch, written together; nest, the
// loops that an item's number stands for.
//   launch_writer w("zeros");
//   std::string const y = w.output(dtype::f32, to);      // g0
//   w.item(count);                                       // r
//   w.line(y + "[r] = 0;");
//   w.launch(text, group);
// Needs: every place that is computed in `index` is passed to `reaches`. Leaves: equal texts of a
// step are one kernel; text depends on numbers only where the caller made it.
#pragma once

#include <weft/opencl/kernel_writer.hpp>
#include <weft/opencl/text_wide.hpp>

#include <utility>

namespace weft::inline v0 {
namespace detail::opencl_moves {

using opencl::buffer_use, opencl::step_text, opencl::device_traits;

// An axis of a nest: how far, and how a step along it moves each of three places. A tagged axis is
// never merged: its index is asked for.
struct nest_axis {
  extent length = 1;
  extent step[3]{};
  int tag = -1;
};
using nest = growing<nest_axis>;

constexpr extent count_of(nest const& axes) {
  extent n = 1;
  for (nest_axis const& a : axes) n *= a.length;
  return n;
}
constexpr bool continues(nest_axis const& outside, nest_axis const& inside) {
  bool even = outside.tag < 0 && inside.tag < 0;
  for (int k = 0; k < 3; ++k) even = even && outside.step[k] == inside.step[k] * inside.length;
  return even;
}
// Axes of one element go, and neighbours that every place walks evenly become one.
constexpr nest merged(nest const& all) {
  nest r;
  for (nest_axis const& a : all) {
    if (a.length == 1) continue;
    if (r.empty() || !continues(r.back(), a)) r.push(a);
    else r.back() = {r.back().length * a.length, {a.step[0], a.step[1], a.step[2]}, -1};
  }
  return r;
}
// The largest steps of place 0 outermost: for moves whose order is free.
constexpr nest sorted(nest all) {
  auto size = [](nest_axis const& a) { return a.step[0] < 0 ? -a.step[0] : a.step[0]; };
  for (int i = 1; i < all.size(); ++i)
    for (int k = i; k > 0 && size(all[k - 1]) < size(all[k]); --k) std::swap(all[k - 1], all[k]);
  return all;
}
// How far place k gets from where it starts.
constexpr extent reach_of(nest const& axes, int k) {
  extent reach = 0;
  for (nest_axis const& a : axes)
    reach += (a.length - 1) * (a.step[k] < 0 ? -a.step[k] : a.step[k]);
  return reach;
}

// Items of a group: few distinct sizes, since PoCL compiles a kernel for each.
constexpr extent group_of(device_traits const& on) {
  extent const wanted = on.is_cpu ? 64 : 256;
  return wanted < on.max_group ? wanted : on.max_group;
}

class launch_writer {
public:
  explicit launch_writer(std::string const& name) : out_("weft_" + name, false) {}

  std::string output(dtype type, buffer_use const& use) {
    return out_.buffer(type, true, use.node, use.offset);
  }
  std::string input(dtype type, buffer_use const& use) {
    return out_.buffer(type, false, use.node, use.offset);
  }
  // A parameter of its own, whatever other numbers are.
  std::string number(extent value) {
    reaches(value < 0 ? -value : value);
    return out_.number("n", value, std::to_string(out_.call.numbers.size()));
  }
  // Some value of `index` gets this large.
  void reaches(extent n) { reach_ = n > reach_ ? n : reach_; }
  void reaches(nest const& axes) {
    for (int k = 0; k < 3; ++k) reaches(reach_of(axes, k));
  }
  void line(std::string const& statement) { out_.line(statement); }
  void open(std::string const& head) { out_.open(head); }
  void close() { out_.close(); }
  // Lines of the text world, whose functions stand before the kernel.
  void text(std::string const& lines) { out_.text(lines); }
  opencl::text::program& functions() { return functions_; }
  int depth() const { return out_.depth(); }
  void use_doubles() { uses_doubles_ = true; }

  // `prefix` with 0, 1, ...: the indices, along each axis, of the number that is in variable
  // `number`, which is used up.
  growing<std::string> indices(nest const& axes, std::string const& number,
                               std::string const& prefix) {
    growing<std::string> names(axes.size());
    for (int a = axes.size() - 1; a >= 0; --a) {
      names[a] = prefix + std::to_string(a);
      std::string const head = "const index " + names[a] + " = " + number;
      if (a == 0) line(head + ";");
      else {
        std::string const n = this->number(axes[a].length);
        line(head + " % " + n + ";");
        line(number + " /= " + n + ";");
      }
    }
    return names;
  }
  // Place k at these indices; steps of 0 are left out, and the last axis' of 1 as well.
  std::string place(nest const& axes, growing<std::string> const& at, int k) {
    std::string sum;
    for (int a = 0; a < axes.size(); ++a) {
      extent const step = axes[a].step[k];
      if (step == 0) continue;
      sum += (sum.empty() ? "" : " + ") + at[a];
      if (step != 1 || a + 1 < axes.size()) sum += " * " + number(step);
    }
    return sum.empty() ? "0" : sum;
  }
  // The number of an item, `r`; there are items of no work behind the last.
  void item(extent items) {
    items_ = items;
    line("index r = (index)get_global_id(0);");
    line("if (r >= " + number(items) + ") return;");
  }

  // Of as many items as `item` was told.
  void launch(step_text& to, extent group) { launch_groups(to, share_count(items_, group), group); }
  void launch_groups(step_text& to, extent groups, extent group) {
    if (reach_ > opencl::most_narrow) out_.widen();
    std::string const pragmas = std::string(opencl::text::no_contraction) +
                                (uses_doubles_ ? opencl::text::double_precision : "");
    opencl::launch_items(out_.call, groups * group, group);
    out_.call.kernel = opencl::kernel_number(to, out_.kernel(pragmas + functions_.helpers()));
    to.launches.push_back(out_.call);
  }

private:
  opencl::kernel_writer out_;
  opencl::text::program functions_;
  extent reach_ = 0, items_ = 1;
  bool uses_doubles_ = false;
};

} // namespace detail::opencl_moves
} // namespace weft::inline v0
