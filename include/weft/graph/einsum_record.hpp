// SPDX-License-Identifier: BSL-1.0
// The nodes of an einsum. Per operand: axes that broadcast go (reshape), a label twice is the
// diagonal, labels that neither the output nor another operand has are summed (one canonical sum).
// Then one contraction per step of the path; a single operand is transposed.
//   diagonal   static extents: axes side by side (transpose), merged (reshape), taken with a stride
//              (slice): no arithmetic. Named ones: select(i == j, x, -0.0), summed, which is exact.
//   bool       or of ands: sums are maxima, products run on 0 and 1 in float, then != 0
//   16 bits    one rounding, at the end: sums before a product and the results of all steps but the
//              last are float; so it is under autocast (cast_rule), which leaves other types alone
// Needs: einsum_plan.hpp, graph. Leaves: every product a contract node whose order (chain or lanes)
// is fixed here for good; the bits depend on the text and the operands' types and shapes alone.
#pragma once

#include <weft/core/bits.hpp>
#include <weft/graph/einsum_plan.hpp>
#include <weft/graph/handle.hpp>

namespace weft::inline v0 {
namespace detail {

struct einsum_value {
  handle h;
  einsum_labels labels;
};

// or over bool, sum over numbers.
constexpr handle einsum_sum(handle x, extent axes) {
  return reduce(x.type() == dtype::boolean ? op::reduce_max : op::reduce_sum, x, axes);
}

// x without the axes that have no label: they are 1 and others broadcast them.
constexpr einsum_value drop_ones(einsum_value const& v) {
  einsum_value r;
  extents to;
  for (int i = 0; i < v.labels.rank; ++i)
    if (v.labels[i] != ' ') {
      r.labels.push(v.labels[i]);
      to.push(v.h.shape()[i]);
    }
  r.h = reshape(v.h, to);
  return r;
}

// Equal labels side by side, each where its first one was.
constexpr einsum_value gather_labels(einsum_value const& v) {
  einsum_value r;
  extent order[max_rank]{};
  for (int i = 0; i < v.labels.rank; ++i)
    if (!r.labels.has(v.labels[i]))
      for (int j = i; j < v.labels.rank; ++j)
        if (v.labels[j] == v.labels[i]) {
          order[r.labels.rank] = j;
          r.labels.push(v.labels[i]);
        }
  r.h = transpose(v.h, {order, r.labels.rank});
  return r;
}
// Runs of a static label become one axis. n^k elements, of which every (1 + n + ... + n^(k-1))th.
constexpr einsum_value stride_diagonals(einsum_value const& v) {
  einsum_value r;
  extents merged, stride;
  for (int i = 0; i < v.labels.rank; ++i) {
    extent const e = v.h.shape()[i];
    bool const again = i > 0 && v.labels[i] == v.labels[i - 1] && !is_named(e);
    if (again) {
      merged[merged.rank - 1] *= e;
      stride[stride.rank - 1] = stride[stride.rank - 1] * e + 1;
    } else {
      r.labels.push(v.labels[i]);
      merged.push(e);
      stride.push(1);
    }
  }
  int const rank = merged.rank;
  extent attributes[3 * max_rank]{};
  for (int i = 0; i < rank; ++i) {
    attributes[rank + i] = merged[i];
    attributes[2 * rank + i] = stride[i];
  }
  r.h = slice(reshape(v.h, merged), {attributes, 3 * rank});
  return r;
}
// x where the indices along axes i and i + 1 agree, else `filler`, summed over axis i + 1.
constexpr handle masked_diagonal(handle x, int i) {
  recorder& r = *x.where;
  extents const s = x.shape();
  handle const on = equal(iota(r, dtype::i32, s, i), iota(r, dtype::i32, s, i + 1));
  return einsum_sum(select(on, x, constant(r, -0.0, x.type(), s)), extent{1} << (i + 1));
}
constexpr einsum_value take_diagonals(einsum_value const& v) {
  if (popcount(v.labels.set()) == v.labels.rank) return v;
  einsum_value r = stride_diagonals(gather_labels(v));
  for (int i = r.labels.rank - 2; i >= 0; --i)
    if (r.labels[i] == r.labels[i + 1]) { // a name
      r.h = masked_diagonal(r.h, i);
      for (int k = i + 1; k + 1 < r.labels.rank; ++k) r.labels.label[k] = r.labels[k + 1];
      --r.labels.rank;
    }
  return r;
}
// The sum over labels outside of `kept`.
constexpr einsum_value sum_others(einsum_value const& v, std::uint64_t kept) {
  einsum_value r;
  extent axes = 0;
  for (int i = 0; i < v.labels.rank; ++i)
    if ((label_bit(v.labels[i]) & kept) != 0) r.labels.push(v.labels[i]);
    else axes |= extent{1} << i;
  r.h = einsum_sum(v.h, axes);
  return r;
}

constexpr contraction einsum_contraction(einsum_labels const& a, einsum_labels const& b,
                                         einsum_labels const& out) {
  contraction c{.rank_a = a.rank, .rank_b = b.rank, .rank_out = out.rank};
  for (int i = 0; i < a.rank; ++i) c.a[i] = a[i];
  for (int i = 0; i < b.rank; ++i) c.b[i] = b[i];
  for (int i = 0; i < out.rank; ++i) c.out[i] = out[i];
  return c;
}
constexpr dtype wider(dtype a, dtype b) { return size_of(a) >= size_of(b) ? a : b; }

// One product, `type` if its operands can give it, else what they accumulate in.
constexpr handle einsum_product(einsum_value const& a, einsum_value const& b,
                                einsum_labels const& out, dtype type, handle bias = {}) {
  bool const logic = a.h.type() == dtype::boolean;
  dtype const common = logic ? dtype::f32 : wider(a.h.type(), b.h.type());
  dtype const sums = accumulator_of(common);
  handle const x = convert(a.h, common), y = convert(b.h, common);
  contraction c = einsum_contraction(a.labels, b.labels, out);
  c.order = order_for(c, x.shape(), y.shape());
  c.has_bias = bias.valid();
  if (c.has_bias) bias = convert(bias, bias.type() == common ? common : sums);
  handle const product = contract(x, y, c, type == common ? common : sums, {}, bias);
  return logic ? convert(product, dtype::boolean) : product;
}

class einsum_writer {
public:
  // `type`: the result's: the operands', what they accumulate in, or one that holds both.
  constexpr einsum_writer(einsum_plan const& p, view<handle> operands, dtype type)
      : p_(p), type_(type), given_(operands) {}

  // `bias` has the result's shape; it is added before the last rounding.
  constexpr handle write(handle bias = {}) {
    for (int k = 0; k < p_.operands; ++k) values_.push(operand(k));
    if (p_.operands == 1) return convert(arranged(), type_);
    for (int s = 0; s < p_.path.steps; ++s) step(s, bias);
    return convert(values_.back().h, type_);
  }

private:
  // What autocast does with a sum or a step, unless a function around says otherwise.
  constexpr casting_as casting(view<handle> operands, bool last) const {
    recorder& r = place_of(operands).taker();
    return {r, r.casting == cast_rule::by_policy ? rule_for(last) : r.casting};
  }
  constexpr cast_rule rule_for(bool last) const {
    dtype const given = given_[0].type();
    if (is_float(given) && given != dtype::f32) return cast_rule::recorded;
    if (given != dtype::f32 || type_ != dtype::f32) return cast_rule::by_policy;
    if (p_.operands == 1) return cast_rule::low;
    return last ? cast_rule::by_policy : cast_rule::within_low;
  }
  constexpr std::uint64_t kept_beside(int k) const {
    std::uint64_t set = p_.out.set();
    for (int i = 0; i < p_.operands; ++i)
      if (i != k) set |= p_.in[i].set();
    return set;
  }
  constexpr einsum_value operand(int k) const {
    einsum_value v = take_diagonals(drop_ones({given_[k], p_.in[k]}));
    dtype const given = v.h.type(), sums = accumulator_of(given);
    bool const summed = (v.labels.set() & ~kept_beside(k)) != 0;
    if (type_ != given && type_ != sums) v.h = convert(v.h, type_);
    else if (summed && (p_.operands > 1 || type_ != given)) v.h = convert(v.h, sums);
    casting_as const rule = casting({&v.h, 1}, false);
    return sum_others(v, kept_beside(k));
  }
  constexpr handle arranged() const {
    extent order[max_rank]{};
    for (int i = 0; i < p_.out.rank; ++i) order[i] = values_[0].labels.find(p_.out[i]);
    return transpose(values_[0].h, {order, p_.out.rank});
  }
  constexpr void step(int s, handle bias) {
    einsum_value const a = taken(p_.path.step[s].a), b = taken(p_.path.step[s].b);
    bool const last = s + 1 == p_.path.steps;
    einsum_value r;
    r.labels = last ? p_.out : kept_of(a, b);
    dtype const type = last ? type_ : accumulator_of(a.h.type());
    handle const all[] = {a.h, b.h, bias};
    bool const adds = last && bias.valid();
    casting_as const rule = casting({all, adds ? 3 : 2}, last);
    r.h = einsum_product(a, b, r.labels, type, adds ? bias : handle{});
    values_.push(r);
  }
  // The value, which nothing uses again: its labels no longer count.
  constexpr einsum_value taken(int number) {
    einsum_value const v = values_[number];
    values_[number].labels = {};
    return v;
  }
  // The labels of a, then those of b, that the output or a value yet to come has.
  constexpr einsum_labels kept_of(einsum_value const& a, einsum_value const& b) const {
    std::uint64_t wanted = p_.out.set();
    for (einsum_value const& v : values_) wanted |= v.labels.set();
    einsum_labels r;
    for (einsum_labels const* l : {&a.labels, &b.labels})
      for (int i = 0; i < l->rank; ++i)
        if ((label_bit((*l)[i]) & wanted) != 0 && !r.has((*l)[i])) r.push((*l)[i]);
    return r;
  }

  einsum_plan const& p_;
  dtype type_;
  view<handle> given_;
  growing<einsum_value> values_;
};

constexpr handle record_einsum(einsum_plan const& p, view<handle> operands, dtype type,
                               handle bias = {}) {
  return einsum_writer(p, operands, type).write(bias);
}

} // namespace detail

// For programs that are put together at run time: handles of one element type, a text of the run.
// shape_error with the fault in words.
constexpr handle record_einsum(text spec, view<handle> operands, dtype type) {
  growing<extents> shapes;
  for (handle h : operands) shapes.push(h.shape());
  detail::einsum_plan const p = detail::plan_einsum(spec, shapes);
  if (p.fault.code != einsum_error::sound) raise<shape_error>(text_of(p.fault, spec));
  return detail::record_einsum(p, operands, type);
}

} // namespace weft::inline v0
