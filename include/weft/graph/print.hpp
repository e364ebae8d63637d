// SPDX-License-Identifier: BSL-1.0
// print: a graph as text, one line a node, a loop's body indented below it:
//   %3 = add %0 %2 : f32(rows, 3)
//   %9 = scan %3 %1 {carries 1, xs 1, ys 0, length rows, reverse}
//       %4 = parameter 0 : f32(3)
//       return %4
// Needs: a graph that verify accepts. Leaves: the same text for the same graph on every machine;
// numbers are the shortest that read back as the same value. For people, and not read back.
#pragma once

#include <weft/core/error.hpp>
#include <weft/graph/collective.hpp>
#include <weft/graph/convolution.hpp>
#include <weft/graph/custom_call.hpp>
#include <weft/graph/dense.hpp>
#include <weft/graph/gather_dims.hpp>
#include <weft/graph/observe.hpp>
#include <weft/graph/results.hpp>
#include <weft/graph/sharding.hpp>

#include <bit>
#include <charconv>
#include <string>

namespace weft::inline v0 {

// An element by value: 1.5, -0, inf, 7, true.
inline std::string print_element(word bits, dtype d) {
  char digits[32]{};
  auto write = [&](auto x) {
    return std::string(digits, std::to_chars(digits, digits + 32, x).ptr);
  };
  return detail::with_dtype(d, [&]<dtype D>() -> std::string {
    using T = storage_of<D>;
    if constexpr (D == dtype::boolean) return bits != 0 ? "true" : "false";
    else if constexpr (is_half(D)) return write(static_cast<float>(element_of_word<T>(bits)));
    else return write(element_of_word<T>(bits));
  });
}
inline std::string print_extent(extent e) {
  if (!is_named(e)) return std::to_string(e);
  char name[max_name + 1]{};
  unpack_name(e, name);
  return name;
}
inline std::string print_shape(extents const& s) { return message().add(s).c_str(); }

namespace detail {

class printer {
public:
  explicit printer(graph_view g) : g_(g), order_(nodes_by_region(g)) {}
  std::string text(int region, std::string const& indent) const {
    std::string t;
    for (int id : order_[region]) {
      t += indent + line(id) + "\n";
      if (g_[id].body >= 0) t += text(g_[id].body, indent + "    ");
    }
    return t + indent + "return" + operands(g_.outputs_of(region)) + "\n";
  }

private:
  static std::string operands(view<int> ids) {
    std::string t;
    for (int id : ids) t += " %" + std::to_string(id);
    return t;
  }
  std::string line(int id) const {
    node const& n = g_[id];
    std::string t = "%" + std::to_string(id) + " = " + name_of(n.code);
    t += operands(g_.operands_of(id));
    if (std::string const a = attributes(id); !a.empty()) t += " {" + a + "}";
    if (has_result_list(n.code)) return t; // its results say it where they are read
    return t + " : " + name_of(n.type) + print_shape(g_.shape(id));
  }

  std::string observed(int id) const {
    constexpr char const* what[] = {"print", "finite", "no nan"};
    view<extent> const a = g_.attributes_of(id);
    std::string const label = observed_label(a).text;
    return what[a[0]] + (label.empty() ? "" : " \"" + label + "\"");
  }
  std::string attributes(int id) const {
    view<extent> const a = g_.attributes_of(id);
    switch (g_[id].code) {
      case op::constant: return constant(id);
      case op::parameter: return parameter(id);
      case op::iota:
      case op::concat: return "axis " + std::to_string(a[0]);
      case op::get: return std::to_string(a[0]);
      case op::broadcast:
      case op::transpose: return "axes" + numbers(a);
      case op::reverse:
      case op::reduce_sum:
      case op::reduce_max:
      case op::reduce_min:
      case op::reduce_prod: return "axes" + axis_set(a[0]);
      case op::slice:
      case op::pad: return triples(id);
      case op::window:
      case op::overlap_add: return walks(a);
      case op::shard: return print_sharding(a).c_str();
      case op::arg_reduce: return (a[1] != 0 ? "smallest, axes" : "largest, axes") + axis_set(a[0]);
      case op::arg_sort:
        return "axis " + std::to_string(a[0]) + (a[1] == 0 ? "" : ", descending" + axis_set(a[1]));
      case op::gather:
      case op::scatter: return windows(id);
      case op::observe: return observed(id);
      case op::rank: return "of" + numbers(a);
      case op::collective: return exchanged(collective_of(a));
      case op::custom_call: return called(id);
      case op::contract: return labels(id);
      case op::convolve: return convolved(id);
      case op::while_loop: return "carries " + std::to_string(a[0]);
      case op::cond:
      case op::scan: return counts(loop_of(g_, id));
      default: return {};
    }
  }
  static std::string numbers(view<extent> a) {
    std::string t;
    for (extent x : a) t += " " + std::to_string(x);
    return t;
  }
  static std::string axis_set(extent set) {
    std::string t;
    for (int axis = 0; axis < max_rank; ++axis)
      if (has_axis(set, axis)) t += " " + std::to_string(axis);
    return t;
  }
  // start:limit:stride or low:high:interior, one per axis; of these, a slice's limit may be a name.
  std::string triples(int id) const {
    view<extent> const a = g_.attributes_of(id);
    int const rank = a.size() / 3;
    bool const sliced = g_[id].code == op::slice;
    std::string t;
    for (int i = 0; i < rank; ++i) {
      extent const second = a[rank + i];
      t += (i > 0 ? ", " : "") + std::to_string(a[i]) + ":";
      if (is_before_end(second)) t += "-" + std::to_string(distance_to_end(second)) + ":";
      else t += (sliced ? print_extent(second) : std::to_string(second)) + ":";
      t += std::to_string(a[2 * rank + i]);
    }
    return t;
  }
  // axis:size:stride:dilation, one per window.
  static std::string walks(view<extent> a) {
    std::string t;
    for (int w = 0, count = a.size() / 4; w < count; ++w)
      for (int k = 0; k < 4; ++k)
        t += (k > 0 ? ":" : w > 0 ? ", " : "") + std::to_string(a[k * count + w]);
    return t;
  }
  std::string parameter(int id) const {
    extent const i = g_.attribute(id, 0);
    bool const key = g_[id].region == 0 && g_.inputs[static_cast<int>(i)].key;
    return std::to_string(i) + (key ? ", key" : "");
  }
  std::string constant(int id) const {
    node const& n = g_[id];
    if (n.attribute_count == 1)
      return print_element(static_cast<word>(g_.attribute(id, 0)), n.type);
    constexpr int shown = 8;
    int const count = static_cast<int>(count_of(g_.shape(id)));
    int const first = static_cast<int>(g_.attribute(id, 0));
    std::string t = "table";
    for (int i = 0; i < count && i < shown; ++i)
      t += " " + print_element(g_.constants[first + i], n.type);
    return count > shown ? t + " ..." : t;
  }
  // Labels are letters in order of appearance: ab,bc->ac.
  class letters {
  public:
    char of(extent label) {
      int at = 0;
      while (at < seen_.size() && seen_[at] != label) ++at;
      if (at == seen_.size()) seen_.push(label);
      return static_cast<char>('a' + at);
    }
    std::string of(view<extent> labels) {
      std::string t;
      for (extent label : labels) t += of(label);
      return t;
    }

  private:
    growing<extent> seen_;
  };
  std::string labels(int id) const {
    contraction const c = contraction_of(g_, id);
    letters in;
    std::string t = in.of({c.a, c.rank_a}) + ",";
    t += in.of({c.b, c.rank_b}) + "->";
    t += in.of({c.out, c.rank_out});
    t += c.order == contract_order::chain ? ", chain" : ", lanes";
    return t + (c.has_start ? ", start" : "") + (c.has_bias ? ", bias" : "");
  }
  // abcd,efdg->ahig, 2b = h + e - 1, 2c = i + f, bias
  std::string convolved(int id) const {
    convolution const c = convolution_of(g_, id);
    letters in;
    std::string t = in.of({c.x, c.rank_x}) + ",";
    t += in.of({c.w, c.rank_w}) + "->";
    t += in.of({c.out, c.rank_out});
    for (convolution_window const& v : view<convolution_window>(c.window, c.windows)) {
      t += ", " + multiple(v.spread, in.of(v.x)) + " = " + multiple(v.stride, in.of(v.out));
      t += (v.dilation < 0 ? " - " : " + ");
      t += multiple(v.dilation < 0 ? -v.dilation : v.dilation, in.of(v.w));
      if (v.low != 0) t += (v.low > 0 ? " - " : " + ") + std::to_string(v.low > 0 ? v.low : -v.low);
    }
    return t + (c.has_bias ? ", bias" : "");
  }
  static std::string multiple(extent n, char letter) {
    std::string const sign = n == -1 ? "-" : n == 1 ? "" : std::to_string(n);
    return sign + letter;
  }
  // add, window (1, 3) at axes 1, collapsed 0, batches 0-0, starts along 0, index axis 1, dropped
  std::string windows(int id) const {
    gather_dims const d = gather_of(g_, id);
    char const* const how[scatter_combine_count] = {"set", "add", "mul", "min", "max"};
    std::string t = g_[id].code == op::scatter ? how[static_cast<int>(d.combine)] : "";
    t += t.empty() ? "window (" : ", window (";
    for (int i = 0; i < d.rank; ++i) t += (i > 0 ? ", " : "") + print_extent(d.window[i]);
    t += ")";
    if (d.window_axes != 0) t += " at axes" + axis_set(d.window_axes);
    if (d.collapsed != 0) t += ", collapsed" + axis_set(d.collapsed);
    for (int i = 0; i < d.batches; ++i)
      t += (i > 0 ? " " : ", batches ") + std::to_string(d.operand_batch[i]) + "-" +
           std::to_string(d.index_batch[i]);
    if (d.mapped > 0) t += ", starts along" + numbers({d.map, d.mapped});
    t += ", index axis " + std::to_string(d.index_axis);
    return d.drop ? t + ", dropped" : t;
  }
  // all_reduce add, 2 of 4 ranks: 0 1, 2 3
  static std::string exchanged(collective const& c) {
    std::string t = name_of(c.kind);
    if (c.reduces()) t += std::string(" ") + name_of(c.combine);
    if (c.has_axis()) t += ", axis " + std::to_string(c.axis);
    if (c.kind == collective_kind::all_to_all) t += " to " + std::to_string(c.to_axis);
    t += ", " + std::to_string(c.group) + " of " + std::to_string(c.world) + " ranks:";
    for (int i = 0; i < c.ranks.size(); ++i)
      t += (i > 0 && i % c.group == 0 ? ", " : " ") + std::to_string(c.ranks[i]);
    return t;
  }
  // row_norms, batch axes 1
  std::string called(int id) const {
    extent const batch = g_.attribute(id, 1);
    std::string const name = host_of(g_, id).name;
    return batch == 0 ? name : name + ", batch axes " + std::to_string(batch);
  }
  static std::string keeping(loop const& l) {
    constexpr char const *saves[] = {"products", "everything", "nothing"},
                         *roles[] = {"", ", region", ", region of the way back"};
    if (keeping_of(l) == 0) return "";
    return std::string(", save ") + saves[static_cast<int>(l.save)] +
           roles[static_cast<int>(l.role)];
  }
  static std::string counts(loop const& l) {
    return "carries " + std::to_string(l.carries) + ", xs " + std::to_string(l.xs) + ", ys " +
           std::to_string(l.ys) + ", length " + print_extent(l.length) +
           (l.reverse ? ", reverse" : "") +
           (l.unroll != 1 ? ", unroll " + print_extent(l.unroll) : "") + keeping(l);
  }

  graph_view g_;
  growing<growing<int>> order_; // nodes by region
};

} // namespace detail

inline std::string print(graph_view g) { return detail::printer(g).text(0, ""); }

} // namespace weft::inline v0
