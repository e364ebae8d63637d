// SPDX-License-Identifier: BSL-1.0
// A convolution with shapes: options, the labels and windows of its node, how axes are split for
// groups, the result's shape. Plain functions of values; the typed door makes the plan a constant.
// Groups are an axis of their own, in front of what they split:
//   feature groups   x: C -> (G, C/G)   filter: O -> (G, O/G)   result: F = (G, O/G)
//   batch groups     x: N -> (G, N/G)   filter: O -> (G, O/G)   result: F = (G, O/G), N/G
//   transposed       x: C -> (G, C/G)   filter: I -> (G, C/G)   result: F = (G, O)
// Window of spatial axis k: i * lhs_dilation = o * stride + j * rhs_dilation - low; transposed, the
// same with i and o in each other's place; reversed, with K - 1 - j for j.
// Needs: conv_spec.hpp, graph/convolution.hpp. Leaves: a conv_plan that conv.hpp can record, or a
// fault. Any extent may be 0.
#pragma once

#include <weft/graph/conv_spec.hpp>
#include <weft/graph/convolution.hpp>

namespace weft::inline v0 {

// Lists are in the order of the filter's spatial letters. reverse: 1 reads the filter from its end.
struct conv_options {
  per_axis strides = 1;
  window_padding padding = pads::valid;
  per_axis lhs_dilation = 1, rhs_dilation = 1;
  int feature_groups = 1, batch_groups = 1;
  per_axis reverse = 0;
};

// Padding counts against the result: low and high are what the forward convolution would have
// padded. pads::same: a result of n * stride places.
struct conv_transpose_options {
  per_axis strides = 1;
  window_padding padding = pads::valid;
  per_axis rhs_dilation = 1, output_padding = 0;
  int feature_groups = 1;
  per_axis reverse = 0;
};

namespace detail {

struct conv_rules : conv_options {
  per_axis output_padding = 0;
  bool transposed = false;
};
constexpr conv_rules rules_of(conv_options const& o) { return {o, 0, false}; }
constexpr conv_rules rules_of(conv_transpose_options const& o) {
  return {{.strides = o.strides,
           .padding = o.padding,
           .rhs_dilation = o.rhs_dilation,
           .feature_groups = o.feature_groups,
           .reverse = o.reverse},
          o.output_padding,
          true};
}

struct conv_plan {
  conv_fault fault;
  convolution labels;
  extents x, w, node;   // with groups split
  extents shape;        // the result's
  extents bias;         // (features), split
  extent bias_axis = 0; // where in the node, its groups first
};

// Labels: groups, then by role; three for a spatial axis.
inline constexpr extent group_label = 0;
constexpr extent role_label(int role) { return role + 1; }
constexpr extent window_label(int k, int array) { return spatial_role + 1 + 3 * k + array; }

class conv_planner {
public:
  constexpr conv_planner(conv_notation const& n, conv_rules const& rules, extents const& x,
                         extents const& w)
      : n_(n), o_(rules), x_(x), w_(w) {}

  constexpr conv_plan plan() {
    p_.fault = n_.fault;
    if (sound()) check_ranks();
    if (sound()) check_options();
    if (sound()) check_groups();
    if (sound()) check_channels();
    for (int k = 0; k < n_.spatial && sound(); ++k) place_window(k);
    if (sound()) label_arrays();
    return p_;
  }

private:
  constexpr bool sound() const { return p_.fault.code == conv_error::sound; }
  constexpr void fail(conv_error code, extent first, extent second, int operand = -1) {
    p_.fault = {.code = code, .operand = operand, .first = first, .second = second};
  }
  constexpr void check_ranks() {
    if (n_.x.rank != x_.rank) return fail(conv_error::rank, n_.x.rank, x_.rank, 0);
    if (n_.w.rank != w_.rank) fail(conv_error::rank, n_.w.rank, w_.rank, 1);
  }

  constexpr void check_options() {
    for (per_axis const* list :
         {&o_.strides, &o_.lhs_dilation, &o_.rhs_dilation, &o_.reverse, &o_.output_padding})
      if (!list->is_for(n_.spatial))
        return fail(conv_error::option_length, list->count, n_.spatial);
    if (!o_.padding.is_for(n_.spatial))
      return fail(conv_error::option_length, o_.padding.count, n_.spatial);
    for (int k = 0; k < n_.spatial && sound(); ++k) check_steps(k);
  }
  constexpr void check_steps(int k) {
    for (per_axis const* list : {&o_.strides, &o_.lhs_dilation, &o_.rhs_dilation})
      if ((*list)[k] < 1) return fail(conv_error::step_below_one, (*list)[k], 1);
    if (o_.output_padding[k] < 0) fail(conv_error::output_padding, o_.output_padding[k], 0);
  }

  // An axis that is not there has one element.
  static constexpr extent of_role(conv_text const& t, extents const& s, int role) {
    return t.has(role) ? s[t.find(role)] : 1;
  }
  constexpr int groups() const {
    return o_.batch_groups == 1 ? o_.feature_groups : o_.batch_groups;
  }
  static constexpr bool divides(int groups, extent e) {
    return groups == 1 || (groups > 1 && !is_named(e) && e % groups == 0);
  }
  constexpr int split_role_of_x() const { return o_.batch_groups == 1 ? channel_role : batch_role; }
  constexpr int split_role_of_w() const { return o_.transposed ? channel_role : feature_role; }
  constexpr void check_groups() {
    if (o_.batch_groups != 1 && o_.feature_groups != 1)
      return fail(conv_error::both_groups, o_.feature_groups, 1);
    auto const code = o_.batch_groups == 1 ? conv_error::feature_groups : conv_error::batch_groups;
    extent const e = of_role(n_.x, x_, split_role_of_x()), f = of_role(n_.w, w_, split_role_of_w());
    if (!divides(groups(), e)) return fail(code, groups(), e, 0);
    if (!divides(groups(), f)) return fail(code, groups(), f, 1);
    // Features of a transposed result are counted per group: an axis of a number.
    extent const o = of_role(n_.w, w_, feature_role);
    if (groups() != 1 && (!n_.w.has(feature_role) || is_named(o))) fail(code, groups(), o, 1);
  }
  constexpr void check_channels() {
    extent const c = of_role(n_.x, x_, channel_role), i = of_role(n_.w, w_, channel_role);
    int const each = o_.transposed ? 1 : o_.feature_groups;
    extent const wanted = each == 1 ? c : c / each;
    if (wanted != i) fail(conv_error::channels, wanted, i);
  }

  constexpr void place_window(int k) {
    extent const n = of_role(n_.x, x_, spatial_role + k),
                 size = of_role(n_.w, w_, spatial_role + k);
    if (is_named(size)) return fail(conv_error::named_window, size, k);
    extent const reach = dilated(size, o_.rhs_dilation[k]);
    axis_pads const p = pads_of(k, n, reach);
    if (is_named(n)) keep_name(k, n, reach, p);
    else result_[k] = size == 0 ? 0 : places(k, n, reach, p);
    bind(k, size, p);
  }
  // `same` of a name: any number of elements asks for these zeros, as stride is 1.
  constexpr axis_pads pads_of(int k, extent n, extent reach) const {
    extent const elements = is_named(n)     ? 1
                            : o_.transposed ? n * o_.strides[k]
                                            : dilated(n, o_.lhs_dilation[k]);
    return window_walk{elements, reach, o_.strides[k]}.resolved(o_.padding, k);
  }
  constexpr void keep_name(int k, extent n, extent reach, axis_pads const& p) {
    extent const more = p.low + p.high - (o_.transposed ? o_.output_padding[k] : 0);
    bool const dense = o_.strides[k] == 1 && o_.lhs_dilation[k] == 1;
    if (!dense || reach == 0 || more != reach - 1) fail(conv_error::named_spatial, n, k);
    result_[k] = n;
  }
  constexpr extent places(int k, extent n, extent reach, axis_pads const& p) const {
    extent const stride = o_.strides[k];
    if (!o_.transposed) return window_walk{dilated(n, o_.lhs_dilation[k]), reach, stride}.places(p);
    if (n == 0) return 0;
    bool const same = o_.padding.rule == pads::same || o_.padding.rule == pads::same_lower;
    extent const all = same ? n * stride : (n - 1) * stride + reach - p.low - p.high;
    return all + o_.output_padding[k] < 0 ? 0 : all + o_.output_padding[k];
  }
  constexpr void bind(int k, extent size, axis_pads const& p) {
    extent const stride = o_.strides[k], dilation = o_.rhs_dilation[k];
    convolution_window v{window_label(k, 0),
                         window_label(k, 1),
                         window_label(k, 2),
                         stride,
                         dilation,
                         o_.lhs_dilation[k],
                         p.low};
    if (o_.transposed) {
      v.spread = stride;
      v.stride = 1;
      v.dilation = -dilation;
      v.low = -v.low;
    }
    if (o_.reverse[k] != 0 && size > 0) {
      v.low -= (size - 1) * v.dilation;
      v.dilation = -v.dilation;
    }
    p_.labels.window[p_.labels.windows++] = v;
  }

  struct labelled {
    extents split;
    int rank = 0;
    extent label[max_rank]{};

    constexpr void push(extent l, extent e) {
      label[rank++] = l;
      split.push(e);
    }
  };
  // The axes of an array, that of `split` in two.
  constexpr labelled axes_of(conv_text const& t, extents const& s, int array, int split) const {
    labelled r;
    for (int i = 0; i < t.rank; ++i) {
      int const role = t.role[i];
      bool const in_two = groups() != 1 && role == split;
      if (in_two) r.push(group_label, groups());
      r.push(role >= spatial_role ? window_label(role - spatial_role, array) : role_label(role),
             in_two ? s[i] / groups() : s[i]);
    }
    return r;
  }
  constexpr void label_arrays() {
    convolution& c = p_.labels;
    for (int i = 0; i < n_.out.rank; ++i) p_.shape.push(result_extent(n_.out.role[i]));
    labelled const x = axes_of(n_.x, x_, 0, split_role_of_x()),
                   w = axes_of(n_.w, w_, 1, split_role_of_w()),
                   out = axes_of(n_.out, p_.shape, 2, feature_role);
    copy_labels(x.label, x.rank, c.x, c.rank_x);
    copy_labels(w.label, w.rank, c.w, c.rank_w);
    copy_labels(out.label, out.rank, c.out, c.rank_out);
    p_.x = x.split;
    p_.w = w.split;
    p_.node = out.split;
    place_bias();
  }
  constexpr extent result_extent(int role) const {
    if (role >= spatial_role) return result_[role - spatial_role];
    if (role == feature_role)
      return of_role(n_.w, w_, feature_role) * (o_.transposed ? groups() : 1);
    extent const n = of_role(n_.x, x_, batch_role);
    return o_.batch_groups == 1 ? n : n / o_.batch_groups;
  }
  constexpr void place_bias() {
    int const at = p_.labels.in_out(role_label(feature_role));
    if (at < 0) return;
    bool const two = groups() != 1;
    p_.bias_axis = two ? at - 1 : at;
    if (two) p_.bias.push(p_.node[at - 1]);
    p_.bias.push(p_.node[at]);
  }

  conv_notation const& n_;
  conv_rules const& o_;
  extents const &x_, &w_;
  extent result_[most_spatial_axes]{};
  conv_plan p_;
};

constexpr conv_plan plan_conv(text spec, conv_rules const& rules, extents const& x,
                              extents const& w) {
  conv_notation const n = parse_conv(spec);
  return conv_planner(n, rules, x, w).plan();
}

} // namespace detail

// What is wrong with a convolution of operands of these shapes, if anything.
constexpr conv_fault conv_check(text spec, conv_options const& o, extents const& x,
                                extents const& w) {
  return detail::plan_conv(spec, detail::rules_of(o), x, w).fault;
}
constexpr conv_fault conv_check(text spec, conv_transpose_options const& o, extents const& x,
                                extents const& w) {
  return detail::plan_conv(spec, detail::rules_of(o), x, w).fault;
}

} // namespace weft::inline v0
