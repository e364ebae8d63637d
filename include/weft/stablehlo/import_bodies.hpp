// SPDX-License-Identifier: BSL-1.0
// What the bodies of reductions, windows, scatters and sorts are: one op that weft has over whole
// arrays, or any function of elements, which is recorded over arrays (halving, in order).
// Needs: import_elementwise.hpp, graph/reduce_windows.hpp. Leaves: reductions as the doors record
// them; of a body that is none of theirs, log2(n) copies of it over parts of the arrays.
#pragma once

#include <weft/graph/reduce_windows.hpp>
#include <weft/stablehlo/import_elementwise.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

// Reads a region's operations backwards from what it returns.
class body_reader {
public:
  constexpr body_reader(importing const& c, operation const& o, int k)
      : m_(c.m), r_(c.m.region_of(o, k)) {}

  constexpr int argument(int i) const { return r_.first_argument + i; }
  constexpr int arguments() const { return r_.argument_count; }
  constexpr bool is_argument(int v) const {
    return v >= r_.first_argument && v < r_.first_argument + r_.argument_count;
  }
  // The value that the region returns as number i; -1: none.
  constexpr int returned(int i) const {
    if (r_.operation_count == 0) return -1;
    operation const& last = m_.operations[m_.bodies[r_.first_operation + r_.operation_count - 1]];
    return i < last.operand_count ? m_.operand(last, i) : -1;
  }
  // The operation that gives v, alone; nullptr: v is an argument, or one of several.
  constexpr operation const* owner(int v) const {
    if (v < 0 || m_.values[v].owner < 0) return nullptr;
    operation const& o = m_.operations[m_.values[v].owner];
    return o.result_count == 1 ? &o : nullptr;
  }
  constexpr bool gives(int v, code what, int operands) const {
    operation const* const o = owner(v);
    return o != nullptr && o->what == what && o->operand_count == operands;
  }
  constexpr int operand(int v, int k) const { return m_.operand(*owner(v), k); }
  // total: by total order, in which -0 is below +0 and NaN equal to itself.
  constexpr bool is_compare(int v, char const* how, int a, int b, bool total = false) const {
    return gives(v, code::compare, 2) && operand(v, 0) == a && operand(v, 1) == b &&
           m_.is(text_in(m_.find(*owner(v), "comparison_direction")), how) &&
           m_.is(text_in(m_.find(*owner(v), "compare_type")), "TOTALORDER") == total;
  }

private:
  module_ir const& m_;
  module_region const& r_;
};

// Of a region over (a0 ... an, b0 ... bn): the operation that makes result i of ai and bi alone, in
// either order where it is commutative; stablehlo.return: bi itself; unknown: anything else.
constexpr code body_of(importing const& c, operation const& o, int k, int i, int n) {
  body_reader const body(c, o, k);
  int const v = body.returned(i);
  if (body.arguments() != 2 * n || v < 0) return code::unknown;
  int const a = body.argument(i), b = body.argument(n + i);
  if (v == b) return code::stablehlo_return;
  operation const* const owner = body.owner(v);
  if (owner == nullptr || owner->operand_count != 2) return code::unknown;
  int const x = body.operand(v, 0), y = body.operand(v, 1);
  return (x == a && y == b) || (x == b && y == a) ? owner->what : code::unknown;
}

// The reduction that combines elements of `type` by an operation; op::get: none.
constexpr op reduction_of(code what, dtype type) {
  bool const logic = type == dtype::boolean;
  switch (what) {
    case code::add: return logic ? op::reduce_max : op::reduce_sum;
    case code::multiply: return logic ? op::reduce_min : op::reduce_prod;
    case code::maximum: return op::reduce_max;
    case code::minimum: return op::reduce_min;
    case code::or_: return logic ? op::reduce_max : op::get;
    case code::and_: return logic ? op::reduce_min : op::get;
    default: return op::get;
  }
}
constexpr op combining_op_of(op reduction) {
  switch (reduction) {
    case op::reduce_sum: return op::add;
    case op::reduce_prod: return op::mul;
    case op::reduce_max: return op::maximum;
    default: return op::minimum;
  }
}
// Does a value that is everywhere these bits change nothing?
constexpr bool is_neutral(op reduction, handle init) {
  uniform_bits const u = uniform_of(init);
  dtype const type = init.type();
  if (!u.known) return false;
  switch (reduction) {
    case op::reduce_sum: return u.bits == 0 || (is_float(type) && u.bits == sign_bit_of(type));
    case op::reduce_prod: return u.bits == static_cast<word>(bits_of(1, type));
    case op::reduce_max: return u.bits == weft::detail::lowest_word(type);
    default: return u.bits == weft::detail::highest_word(type);
  }
}
// x, which has been reduced, with the initial value.
constexpr handle with_init(op reduction, handle init, handle x) {
  if (is_neutral(reduction, init)) return x;
  return binary(combining_op_of(reduction), x.type(), broadcast_to(init, x.shape()), x);
}

// Operands as the body takes them: n arrays of one shape and n scalars, in the body's types.
struct reduced_operands {
  growing<handle> x, init;
};
constexpr reduced_operands operands_of_body(importing& c, operation const& o, int n) {
  reduced_operands all;
  if (!c.takes(o, 2 * n, n, 1)) return all;
  if (n == 0) c.fail(o, "there is no operand");
  module_region const& body = c.m.region_of(o, 0);
  if (c.ok() && body.argument_count != 2 * n)
    c.fail(o, message("the body takes ").add(body.argument_count).add(" values, not ").add(2 * n));
  for (int k = 0; k < n && c.ok(); ++k) {
    value_type const& t = c.m.type_of(body.first_argument + k);
    handle const x = c.in(o, k), init = c.in(o, n + k);
    if (t.kind != type_kind::tensor || t.shape.rank != 0) c.fail(o, "the body takes scalars");
    else if (init.shape().rank != 0) c.fail(o, "the initial values are scalars");
    else if (x.type() != init.type())
      c.fail(o, "an operand and its initial value differ in element type");
    else if (k > 0 && !same_shapes(c, x.shape(), all.x[0].shape()))
      c.fail(o, "operands differ in shape");
    else {
      all.x.push(convert(x, t.element));
      all.init.push(convert(init, t.element));
    }
  }
  return all;
}

// ---- any function of elements, by halves
// The elements of the leading axis from `first` on, every second one.
constexpr handle every_second(handle x, extent first, extent count) {
  int const rank = x.shape().rank;
  extent all[3 * max_rank]{};
  for (int i = 0; i < rank; ++i) {
    all[rank + i] = x.shape()[i];
    all[2 * rank + i] = 1;
  }
  all[0] = first;
  all[rank] = first + 2 * (count - 1) + 1;
  all[2 * rank] = 2;
  return slice(x, {all, 3 * rank});
}
// Arrays whose leading axis has n > 0 elements, combined along it in order: neighbours, then those
// results, and so on. combine(a, b) takes and gives lists of arrays.
template <class Combine>
constexpr growing<handle> reduce_leading(importing& c, growing<handle> x, Combine const& combine) {
  growing<handle> tail;
  auto const taken = [&x](auto const& part) {
    growing<handle> parts;
    for (handle h : x) parts.push(part(h));
    return parts;
  };
  for (extent n = x[0].shape()[0]; n > 1 && c.ok(); n /= 2) {
    if (n % 2 != 0) {
      growing<handle> const last = taken([n](handle h) { return slice_axis(h, 0, n - 1, 1); });
      tail = tail.empty() ? last : combine(last, tail);
    }
    growing<handle> const a = taken([n](handle h) { return every_second(h, 0, n / 2); }),
                          b = taken([n](handle h) { return every_second(h, 1, n / 2); });
    if (c.ok()) x = combine(a, b);
  }
  if (c.ok() && !tail.empty()) x = combine(x, tail);
  for (handle& h : x)
    if (c.ok()) h = reshape(h, without_leading(h.shape()));
  return x;
}
// body(a..., b...), the last region of o.
constexpr growing<handle> combined(importing& c, operation const& o, view<handle> a,
                                   view<handle> b) {
  growing<handle> both(a);
  both.append(b);
  growing<handle> results = c.run_lifted(o, o.region_count - 1, both);
  if (c.ok() && results.size() != a.size()) c.fail(o, "the body gives another number of values");
  for (int k = 0; k < results.size() && c.ok(); ++k)
    if (results[k].type() != a[k].type()) c.fail(o, "the body gives another element type");
  return results;
}
constexpr growing<handle> combined_with_init(importing& c, operation const& o, view<handle> init,
                                             growing<handle> const& x) {
  growing<handle> first;
  for (int k = 0; k < x.size(); ++k) first.push(broadcast_to(init[k], x[k].shape()));
  return combined(c, o, first, x);
}
// Axis `axis` in front of the others.
constexpr handle with_first(handle x, int axis) {
  growing<extent> order(1, axis);
  for (int i = 0; i < x.shape().rank; ++i)
    if (i != axis) order.push(i);
  return transpose(x, order);
}

} // namespace detail
} // namespace weft::inline v0::stablehlo
