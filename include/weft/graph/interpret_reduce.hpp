// SPDX-License-Identifier: BSL-1.0
// The interpreter's reductions and contractions, in the canonical order of additions.
//   sum    element i (row-major over the reduced axes) goes to lane i mod 64; lanes start at -0 and
//          add in sequence; a halving tree combines them; above 16384 elements, blocks of 16384 are
//          summed so and their results again. Empty: +0. bf16 and f16 accumulate in float, round once.
//   prod   the same with 1 for -0 and +0
//   max    maximum is associative and commutative, and so is minimum: any order. Empty: the lowest
//          value, the highest.
//   chain  acc = start or +0; acc = fma(a, b, acc) over the contracted labels, row-major
//   lanes  64 accumulators from +0, index i to lane i mod 64, sum's tree; no blocks
// Needs: attributes that verify accepts, shapes that are numbers. Leaves: the bits that every
// backend must give.
#pragma once

#include <weft/graph/attributes.hpp>
#include <weft/graph/interpret_elementwise.hpp>

namespace weft::inline v0 {
namespace detail {

inline constexpr int canonical_lanes = 64, canonical_block = 16384;

// lanes[i] += lanes[i + half] for half = 32, 16, ... 1 (of a product: *=)
template <op O = op::reduce_sum, class T> constexpr T halving_tree(growing<T> lanes) {
  for (int half = canonical_lanes / 2; half > 0; half /= 2)
    for (int i = 0; i < half; ++i) lanes[i] = row<O>::meaning(lanes[i], lanes[i + half]);
  return lanes[0];
}
// x + no_term is x, for x = -0 too; x * no_term is x.
template <op O, class T> constexpr T no_term() {
  if constexpr (O == op::reduce_prod) return T(1);
  else if constexpr (world_float<T>) return T(-0.0f);
  else return T(0);
}
template <op O, class T> constexpr T reduced_block(view<T> x) {
  growing<T> lanes(canonical_lanes, no_term<O, T>());
  for (int i = 0; i < x.size(); ++i)
    lanes[i % canonical_lanes] = row<O>::meaning(lanes[i % canonical_lanes], x[i]);
  return halving_tree<O>(std::move(lanes));
}
template <op O, class T> constexpr T canonically_reduced(view<T> x) {
  if (x.empty()) return O == op::reduce_prod ? T(1) : T(0);
  if (x.size() <= canonical_block) return reduced_block<O>(x);
  growing<T> blocks;
  for (int i = 0; i < x.size(); i += canonical_block)
    blocks.push(reduced_block<O>(
        x.part(i, x.size() - i < canonical_block ? x.size() - i : canonical_block)));
  return canonically_reduced<O, T>(blocks);
}

// The lowest element of a type: -inf, false.
constexpr word lowest_word(dtype d) {
  if (is_float(d)) return sign_word(d) | infinity_word(d);
  return is_signed(d) ? sign_word(d) : 0;
}
// The highest: inf, true.
constexpr word highest_word(dtype d) {
  if (is_float(d)) return infinity_word(d);
  return is_signed(d) ? sign_word(d) - 1 : storage_mask(d);
}
// `result`: of no element.
template <op O, class T> constexpr T extreme(view<T> x, T result) {
  for (T const& element : x) result = row<O>::meaning(result, element);
  return result;
}

constexpr extents only_axes(extents const& s, extent set) {
  extents r;
  for (int i = 0; i < s.rank; ++i)
    if (has_axis(set, i)) r.push(s[i]);
  return r;
}
// The position in x of element `inner` of those that make result element `outer`.
constexpr int reduced_offset(extents const& x, extent axes, position const& outer,
                             position const& inner) {
  position p = x;
  for (int i = 0, o = 0, k = 0; i < x.rank; ++i) p[i] = has_axis(axes, i) ? inner[k++] : outer[o++];
  return offset_of(p, x);
}
// D stands for the type of x.
template <op O, dtype D> constexpr dense reduce_typed(dense const& x, extent axes) {
  using T = scalar_of<D>;
  extents const inner = only_axes(x.shape, axes);
  dense result(x.type, without_axes(x.shape, axes));
  growing<T> elements;
  for (int o = 0; o < result.size(); ++o) {
    position const outer = position_of(o, result.shape);
    elements.clear();
    for (int k = 0; k < count_of(inner); ++k)
      elements.push(
          read_as<D>(x[reduced_offset(x.shape, axes, outer, position_of(k, inner))], x.type));
    if constexpr (O == op::reduce_sum || O == op::reduce_prod)
      result[o] = write_as<D>(canonically_reduced<O, T>(elements), x.type);
    else {
      word const none = O == op::reduce_max ? lowest_word(x.type) : highest_word(x.type);
      result[o] = write_as<D>(extreme<O, T>(elements, read_as<D>(none, x.type)), x.type);
    }
  }
  return result;
}
template <op O> constexpr dense reduce_dense(dense const& x, extent axes) {
  return with_widest(x.type, [&]<dtype D>() {
    if constexpr (accepts(row<O>::info.accepts, D)) return reduce_typed<O, D>(x, axes);
    else return dense();
  });
}

// A contraction with numbers: what is summed, and where elements of a and b stand.
struct contraction_loop {
  contraction labels;
  extent inner_label[max_rank]{};
  extents inner; // extents of the contracted labels, first appearance outermost

  constexpr contraction_loop(contraction const& c, extents const& a) : labels(c) {
    for (int i = 0; i < c.rank_a; ++i)
      if (c.contracted(c.a[i])) {
        inner_label[inner.rank] = c.a[i];
        inner.push(a[i]);
      }
  }
  // The offset in an operand with these labels, at result position `out` and inner position `k`.
  constexpr int offset(extent const (&operand)[max_rank], extents const& shape, position const& out,
                       position const& k) const {
    position p = shape;
    for (int i = 0; i < shape.rank; ++i) {
      int const at = contraction::find(labels.out, labels.rank_out, operand[i]);
      p[i] = at >= 0 ? out[at] : k[contraction::find(inner_label, inner.rank, operand[i])];
    }
    return offset_of(p, shape);
  }
};

template <class T> constexpr T multiply_add(T a, T b, T sum) {
  if constexpr (world_float<T>) return fma(a, b, sum);
  else return a * b + sum;
}
// One result element; `start` is +0 unless the node has one.
template <dtype D>
constexpr scalar_of<D> contract_element(contraction_loop const& c, dense const& a, dense const& b,
                                        position const& out, scalar_of<D> start) {
  using T = scalar_of<D>;
  bool const chain = c.labels.order == contract_order::chain;
  growing<T> sums(chain ? 1 : canonical_lanes, start);
  for (int i = 0; i < count_of(c.inner); ++i) {
    position const k = position_of(i, c.inner);
    T& sum = sums[i % sums.size()];
    sum = multiply_add(read_as<D>(a[c.offset(c.labels.a, a.shape, out, k)], a.type),
                       read_as<D>(b[c.offset(c.labels.b, b.shape, out, k)], b.type), sum);
  }
  return chain ? sums[0] : halving_tree(std::move(sums));
}
// D stands for the operands' type; start and bias are null where the node has none.
template <dtype D>
constexpr dense contract_typed(contraction const& labels, dense const& a, dense const& b,
                               dense const* start, dense const* bias, dense result) {
  using T = scalar_of<D>;
  contraction_loop const c(labels, a.shape);
  for (int i = 0; i < result.size(); ++i) {
    T const from = start ? read_as<D>((*start)[i], start->type) : T(0);
    T sum = contract_element<D>(c, a, b, position_of(i, result.shape), from);
    if (bias) sum = sum + read_as<D>((*bias)[i], bias->type);
    result[i] = write_as<D>(sum, result.type);
  }
  return result;
}

} // namespace detail
} // namespace weft::inline v0
