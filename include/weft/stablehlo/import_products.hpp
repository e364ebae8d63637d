// SPDX-License-Identifier: BSL-1.0
// Products: dot_general, dot, einsum, unary_einsum, convolution.
// Needs: graph/einsum_record.hpp, graph/conv_plan.hpp, import_attributes.hpp. Leaves: contract and
// convolve nodes as einsum and conv record them: labels, order, groups as an axis. Operands of
// different types meet in the wider one; a result that the operands' sums do not give is computed in
// its own type where that is wider, else rounded to it.
#pragma once

#include <weft/graph/einsum_record.hpp>
#include <weft/graph/handle_convolve.hpp>
#include <weft/stablehlo/import_attributes.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

using weft::detail::einsum_labels;

// How a product of a and b gives `out`: the type its operands have, and the node's own.
struct product_types {
  dtype operands{}, node{};
};
constexpr product_types types_of_product(dtype a, dtype b, dtype out) {
  dtype common = weft::detail::wider(a, b);
  // Floats of one size that differ, bf16 and f16: float holds both.
  if (a != b && size_of(a) == size_of(b)) common = is_float(a) ? dtype::f32 : out;
  if (is_float(out) && !is_float(common)) common = out;
  if (common == dtype::boolean && out == dtype::boolean) return {common, common};
  dtype const sums = accumulator_of(common);
  if (out == common || out == sums) return {common, out};
  bool const holds = is_float(common) == is_float(out) && size_of(out) <= size_of(sums) &&
                     common != dtype::boolean;
  return holds ? product_types{common, sums} : product_types{out, out};
}
constexpr handle product(handle a, einsum_labels const& la, handle b, einsum_labels const& lb,
                         einsum_labels const& out, dtype type) {
  product_types const t = types_of_product(a.type(), b.type(), type);
  handle const x = convert(a, t.operands), y = convert(b, t.operands);
  return convert(weft::detail::einsum_product({x, la}, {y, lb}, out, t.node), type);
}

// ---- dot_general
struct dot_axes {
  growing<extent> batch_a, batch_b, sum_a, sum_b;
};
constexpr bool is_in(view<extent> list, extent x) {
  for (extent e : list)
    if (e == x) return true;
  return false;
}
constexpr bool check_pairs(importing& c, operation const& o, view<extent> a, view<extent> b,
                           extents const& sa, extents const& sb) {
  if (c.ok() && a.size() != b.size()) c.fail(o, "as many axes of one operand as of the other");
  for (int i = 0; i < a.size() && c.ok(); ++i) {
    extent const x = sa[static_cast<int>(a[i])], y = sb[static_cast<int>(b[i])];
    if (x == y) continue;
    c.could_be_equal(x, y);
    message words("axis ");
    words.add(a[i]).add(" of ").add(sa).add(" meets axis ").add(b[i]).add(" of ").add(sb);
    c.fail(o, words);
  }
  return c.ok();
}
constexpr bool check_dot(importing& c, operation const& o, dot_axes const& d, extents const& a,
                         extents const& b) {
  growing<extent> all_a = d.batch_a, all_b = d.batch_b;
  all_a.append(d.sum_a);
  all_b.append(d.sum_b);
  if (!check_axes(c, o, "lhs dimensions", all_a, a.rank)) return false;
  if (!check_axes(c, o, "rhs dimensions", all_b, b.rank)) return false;
  check_pairs(c, o, d.batch_a, d.batch_b, a, b);
  check_pairs(c, o, d.sum_a, d.sum_b, a, b);
  if (c.ok() && a.rank + b.rank - 2 * d.sum_a.size() - d.batch_a.size() > max_rank)
    c.fail(o, "the result has more than 8 axes");
  return c.ok();
}
// A 16-bit float that was widened to float; not valid: anything else.
constexpr handle before_widening(handle h) {
  weft::graph const& g = h.where->result;
  node const& n = g[h.id];
  if (n.code != op::convert || n.type != dtype::f32) return {};
  handle const x{h.where, g.operands[n.first_operand]};
  return is_half(x.type()) ? x : handle{};
}
constexpr handle dot(handle a, handle b, dot_axes const& d, dtype type) {
  // What was widened for the product alone (export_products.hpp does it) is multiplied as it was:
  // the bits are the same.
  handle const narrow_a = before_widening(a), narrow_b = before_widening(b);
  if (narrow_a.valid() && narrow_b.valid() && type == dtype::f32 &&
      narrow_a.type() == narrow_b.type()) {
    a = narrow_a;
    b = narrow_b;
  }
  einsum_labels la, lb, out;
  la.rank = a.shape().rank;
  lb.rank = b.shape().rank;
  char next = 'a';
  for (int i = 0; i < d.batch_a.size(); ++i) {
    out.push(next);
    la.label[d.batch_a[i]] = lb.label[d.batch_b[i]] = next++;
  }
  for (int i = 0; i < d.sum_a.size(); ++i) la.label[d.sum_a[i]] = lb.label[d.sum_b[i]] = next++;
  for (einsum_labels* l : {&la, &lb})
    for (int i = 0; i < l->rank; ++i)
      if (l->label[i] == '\0') out.push(l->label[i] = next++);
  return product(a, la, b, lb, out, type);
}
// A type that an algorithm rounds operands to; false: one that weft has not.
constexpr bool named_type(view<char> name, dtype& type) {
  for (int d = 0; d < dtype_count; ++d)
    if (is_name(name, weft::name_of(static_cast<dtype>(d))))
      return type = static_cast<dtype>(d), true;
  return false;
}
constexpr handle rounded_for(importing& c, operation const& o, attribute const& algorithm,
                             char const* name, handle x) {
  attribute const* const a = c.m.find(algorithm, name);
  if (a == nullptr) return x;
  dtype type = x.type();
  if (a->kind == attribute_kind::type) type = c.m.types[a->type].element;
  else if (!named_type(c.m.text(a->text), type))
    c.fail(o, "the algorithm has a type that weft has not; leave it out");
  return c.ok() ? convert(convert(x, type), x.type()) : x;
}
// Several products of parts stand for a type with more digits: that of the operands, which is kept.
constexpr bool rounds_once(importing& c, attribute const& algorithm) {
  attribute const* const a = c.m.find(algorithm, "num_primitive_operations");
  return a == nullptr || a->kind != attribute_kind::integer || a->integer <= 1;
}
constexpr void import_dot_general(importing& c, operation const& o) {
  if (!c.takes(o, 2, 1)) return;
  attribute const* const n = record_of(c, o, "dot_dimension_numbers");
  if (n == nullptr) return;
  dot_axes const d{numbers_in_record(c, o, *n, "lhs_batching_dimensions"),
                   numbers_in_record(c, o, *n, "rhs_batching_dimensions"),
                   numbers_in_record(c, o, *n, "lhs_contracting_dimensions"),
                   numbers_in_record(c, o, *n, "rhs_contracting_dimensions")};
  handle a = c.in(o, 0), b = c.in(o, 1);
  attribute const* const how = c.m.find(o, "algorithm");
  if (how != nullptr && how->kind == attribute_kind::record && rounds_once(c, *how)) {
    a = rounded_for(c, o, *how, "lhs_precision_type", a);
    b = rounded_for(c, o, *how, "rhs_precision_type", b);
  }
  if (!c.ok() || !check_dot(c, o, d, a.shape(), b.shape())) return;
  c.give(o, dot(a, b, d, c.result_type(o).element));
}
// The last axis of a with the first of b.
constexpr void import_dot(importing& c, operation const& o) {
  if (!c.takes(o, 2, 1)) return;
  handle const a = c.in(o, 0), b = c.in(o, 1);
  int const rank_a = a.shape().rank, rank_b = b.shape().rank;
  if (rank_a < 1 || rank_a > 2 || rank_b < 1 || rank_b > 2)
    return c.fail(o, "operands have one or two axes");
  dot_axes d;
  d.sum_a.push(rank_a - 1);
  d.sum_b.push(0);
  if (check_dot(c, o, d, a.shape(), b.shape())) c.give(o, dot(a, b, d, c.result_type(o).element));
}
constexpr void import_einsum(importing& c, operation const& o, int operands) {
  if (!c.takes(o, operands, 1)) return;
  view<char> const spec = c.m.text(text_in(c.m.find(o, "einsum_config")));
  growing<handle> const x = c.ins(o, 0, operands);
  growing<extents> shapes;
  for (handle h : x) shapes.push(h.shape());
  weft::detail::einsum_plan const p = weft::detail::plan_einsum({spec.first, spec.length}, shapes);
  if (p.fault.code != einsum_error::sound)
    return c.fail(o, text_of(p.fault, {spec.first, spec.length}));
  dtype const type = c.result_type(o).element;
  for (handle h : x)
    if (h.type() != x[0].type()) return c.fail(o, "operands differ in element type");
  bool const own = type == x[0].type() || type == accumulator_of(x[0].type());
  c.give(o, own ? weft::detail::record_einsum(p, x, type)
                : convert(weft::detail::record_einsum(p, x, x[0].type()), type));
}

// ---- convolution
using weft::detail::conv_notation;
using weft::detail::conv_text;

// "[b, 0, 1, f]": letters of roles; a number is a spatial axis. False: something else.
class conv_labels {
public:
  constexpr explicit conv_labels(view<char> text) : text_(text) {}

  constexpr bool read(conv_notation& n) {
    if (!array(n.x, 'b', weft::detail::batch_role, 'f', weft::detail::channel_role)) return false;
    if (!skip("x")) return false;
    if (!array(n.w, 'i', weft::detail::channel_role, 'o', weft::detail::feature_role)) return false;
    if (!skip("->")) return false;
    if (!array(n.out, 'b', weft::detail::batch_role, 'f', weft::detail::feature_role)) return false;
    n.spatial = n.w.spatial;
    return at_ == text_.size() && n.x.spatial == n.spatial && n.out.spatial == n.spatial;
  }

private:
  constexpr void skip_spaces() {
    while (at_ < text_.size() && text_[at_] == ' ') ++at_;
  }
  constexpr bool skip(char const* word) {
    skip_spaces();
    for (; *word != '\0'; ++word, ++at_)
      if (at_ >= text_.size() || text_[at_] != *word) return false;
    skip_spaces();
    return true;
  }
  constexpr bool array(conv_text& t, char first, int first_role, char second, int second_role) {
    if (!skip("[")) return false;
    for (;;) {
      if (at_ >= text_.size() || t.rank == max_rank) return false;
      char const l = text_[at_++];
      bool const digit = l >= '0' && l < '0' + most_spatial_axes;
      if (!digit && l != first && l != second) return false;
      int const role = digit        ? weft::detail::spatial_role + (l - '0')
                       : l == first ? first_role
                                    : second_role;
      if (t.has(role)) return false;
      t.spatial += digit;
      t.role[t.rank++] = role;
      skip_spaces();
      if (at_ < text_.size() && text_[at_] == ']') break;
      if (!skip(",")) return false;
    }
    ++at_;
    for (int k = 0; k < t.spatial; ++k)
      if (!t.has(weft::detail::spatial_role + k)) return false;
    skip_spaces();
    return t.has(first_role) && t.has(second_role);
  }

  view<char> text_;
  int at_ = 0;
};

inline constexpr extent most_step = extent{1} << 30; // of strides, dilations and padding
constexpr bool are_steps(importing& c, operation const& o, char const* name, view<extent> list,
                         extent least) {
  for (extent n : list)
    if (c.ok() && (n < least || n > most_step))
      c.fail(o, message(name).add(" has the number ").add(n));
  return c.ok();
}
constexpr per_axis steps_of(importing& c, operation const& o, char const* name, int spatial) {
  growing<extent> const list = numbers_or(c, o, name, spatial, 1);
  per_axis r(1);
  if (!are_steps(c, o, name, list, 1)) return r;
  r.count = spatial;
  for (int k = 0; k < spatial; ++k) r.value[k] = static_cast<int>(list[k]);
  return r;
}
// [[low, high], ...], as a list of pairs.
constexpr growing<extent> pads_of(importing& c, operation const& o, int axes) {
  growing<extent> list = numbers_or(c, o, "padding", 2 * axes, 0);
  are_steps(c, o, "padding", list, -most_step);
  return list;
}
constexpr weft::detail::conv_rules conv_rules_of(importing& c, operation const& o, int spatial,
                                                 view<extent> pads) {
  conv_options r;
  r.strides = steps_of(c, o, "window_strides", spatial);
  r.lhs_dilation = steps_of(c, o, "lhs_dilation", spatial);
  r.rhs_dilation = steps_of(c, o, "rhs_dilation", spatial);
  r.padding = window_padding(pads::given);
  r.padding.count = spatial;
  for (int k = 0; k < spatial && c.ok(); ++k)
    r.padding.axis[k] = {static_cast<int>(pads[2 * k]), static_cast<int>(pads[2 * k + 1])};
  growing<extent> const reversed = numbers_or(c, o, "window_reversal", spatial, 0);
  r.reverse.count = spatial;
  for (int k = 0; k < spatial && c.ok(); ++k) r.reverse.value[k] = reversed[k] != 0;
  extent const groups = integer_or(c, o, "feature_group_count", 1),
               batches = integer_or(c, o, "batch_group_count", 1);
  r.feature_groups = static_cast<int>(groups);
  r.batch_groups = static_cast<int>(batches);
  if (c.ok() && (groups < 1 || batches < 1)) c.fail(o, "groups are at least 1");
  return weft::detail::rules_of(r);
}
constexpr void fail_conv(importing& c, operation const& o, weft::conv_fault const& f, handle x,
                         handle w) {
  message words;
  switch (f.code) {
    case conv_error::channels: words.add("the channels of operand and filter differ: "); break;
    case conv_error::feature_groups:
    case conv_error::batch_groups:
    case conv_error::both_groups: words.add("groups do not divide the axes: "); break;
    case conv_error::rank: words.add("dimension_numbers are for other ranks: "); break;
    case conv_error::named_spatial:
    case conv_error::named_window: words.add("windows run along numbers: "); break;
    default: words.add("operand, filter and windows do not fit: ");
  }
  add_type(words, x.type(), x.shape());
  add_type(words.add(" and "), w.type(), w.shape());
  c.fail(o, words);
}
constexpr void record_convolution(importing& c, operation const& o, view<extent> pads,
                                  conv_notation const& n) {
  handle const x = c.in(o, 0), w = c.in(o, 1);
  weft::detail::conv_rules const rules = conv_rules_of(c, o, n.spatial, pads);
  if (!c.ok()) return;
  weft::detail::conv_plan const p =
      weft::detail::conv_planner(n, rules, x.shape(), w.shape()).plan();
  if (p.fault.code != conv_error::sound) return fail_conv(c, o, p.fault, x, w);
  if (!is_buildable(c, o, p.shape)) return;
  dtype const type = c.result_type(o).element;
  product_types const t = types_of_product(x.type(), w.type(), type);
  if (t.operands == dtype::boolean) return c.fail(o, "there is no convolution of i1");
  handle const node = weft::detail::record_conv(p, convert(x, t.operands), convert(w, t.operands),
                                                t.node);
  c.give(o, convert(node, type));
}
constexpr bool conv_numbers(importing& c, operation const& o, conv_notation& n) {
  attribute const* const a = c.m.find(o, "dimension_numbers");
  if (a == nullptr || !conv_labels(c.m.text(text_in(a))).read(n))
    c.fail(o, "dimension_numbers are not [b, 0, f]x[0, i, o]->[b, 0, f] with at most 4 numbers");
  return c.ok();
}
constexpr void import_convolution(importing& c, operation const& o) {
  if (!c.takes(o, 2, 1)) return;
  conv_notation n;
  if (!conv_numbers(c, o, n)) return;
  growing<extent> const pads = pads_of(c, o, n.spatial);
  if (c.ok()) record_convolution(c, o, pads, n);
}

} // namespace detail
} // namespace weft::inline v0::stablehlo
