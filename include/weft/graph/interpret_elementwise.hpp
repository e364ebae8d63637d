// SPDX-License-Identifier: BSL-1.0
// Elementwise ops on words: every row's meaning in the scalar world, behind one table of functions
// that is made from the op table.
// An op runs in few types: integers in 64 bits, since what wraps there and then wraps to the width
// is what wraps to the width at once, unless the op looks at the width (`looks_at_width`); bf16 and
// f16 in float, rounded once per node; and conversions start from f64, i64 or u64, which hold every
// value. Thirteen types cost the compiler as much as five.
// Needs: operand words of the types that the row accepts. Leaves: the values that executors give in
// the types themselves (tests/op/test_widths.cpp compares); select moves bits untouched.
#pragma once

#include <weft/core/bits.hpp>
#include <weft/graph/dense.hpp>
#include <weft/graph/results.hpp>
#include <weft/op/compute_type.hpp>
#include <weft/op/numeric_wide.hpp>

#include <utility>

namespace weft::inline v0 {
namespace detail {

// What elements of type D are computed as: scalar::f32 for bf16 too.
template <dtype D> using scalar_of = compute_type<scalar::f32, D>;

template <dtype D> constexpr scalar_of<D> read_word(word w) {
  using T = scalar_of<D>;
  if constexpr (is_half(D))
    return elementary::from_half_bits<D>(scalar::u32(static_cast<std::uint32_t>(w)));
  else return T(element_of_word<storage_of<D>>(w));
}
template <dtype D> constexpr word write_word(scalar_of<D> x) {
  if constexpr (is_half(D)) return elementary::half_bits<D>(x).value;
  else if constexpr (is_narrow_int<scalar_of<D>>)
    return word_of(static_cast<storage_of<D>>(x.value.value));
  else return word_of(x.value);
}

// The types that stand for others: f32, f64, i64, u64, boolean.
constexpr dtype widest_of(dtype d) {
  if (is_signed(d)) return dtype::i64;
  if (is_unsigned(d)) return dtype::u64;
  return is_half(d) ? dtype::f32 : d;
}
// The value of a word of type d in a type that holds all values of d; and back, rounded or wrapped.
template <dtype Wide> constexpr scalar_of<Wide> read_as(word w, dtype d) {
  if constexpr (Wide == dtype::f32) {
    if (d == dtype::f32) return read_word<dtype::f32>(w);
    return d == dtype::bf16 ? read_word<dtype::bf16>(w) : read_word<dtype::f16>(w);
  } else if constexpr (Wide == dtype::f64) {
    return d == dtype::f64 ? read_word<dtype::f64>(w) : widen(read_as<dtype::f32>(w, d));
  } else if constexpr (Wide == dtype::i64) {
    int const unused = 64 - 8 * size_of(d);
    return sar(scalar::i64(static_cast<std::int64_t>(w << unused)), unused);
  } else return read_word<Wide>(w);
}
template <dtype Wide> constexpr word write_as(scalar_of<Wide> x, dtype d) {
  if constexpr (Wide == dtype::f32) {
    if (d == dtype::bf16) return write_word<dtype::bf16>(x);
    if (d == dtype::f16) return write_word<dtype::f16>(x);
  }
  return write_word<Wide>(x) & storage_mask(d);
}
// Calls f.operator()<Wide>() for the type that stands for d.
template <class Function> constexpr auto with_widest(dtype d, Function const& f) {
  switch (widest_of(d)) {
    case dtype::f32: return f.template operator()<dtype::f32>();
    case dtype::f64: return f.template operator()<dtype::f64>();
    case dtype::i64: return f.template operator()<dtype::i64>();
    case dtype::u64: return f.template operator()<dtype::u64>();
    default: return f.template operator()<dtype::boolean>();
  }
}

// What an op on d is computed in. A logical shift to the right wants zeros above the value, an
// arithmetic one copies of its highest bit.
constexpr dtype interpreted_as(op o, dtype d) {
  if (!is_integer(d)) return widest_of(d);
  if (o == op::shift_right_logical) return dtype::u64;
  if (o == op::shift_right_arithmetic) return dtype::i64;
  return looks_at_width(o) ? d : widest_of(d);
}
// What conversions start from.
constexpr dtype converted_from(dtype d) {
  return is_float(d) ? dtype::f64 : is_signed(d) ? dtype::i64 : dtype::u64;
}

constexpr word infinity_word(dtype d) {
  switch (d) {
    case dtype::f64: return 0x7ff0000000000000u;
    case dtype::f32: return 0x7f800000u;
    case dtype::bf16: return 0x7f80u;
    default: return 0x7c00u;
  }
}
constexpr word sign_word(dtype d) { return (storage_mask(d) >> 1) + 1; }
// The bits in another type of the same size; a NaN has no payload there.
constexpr word bitcast_word(word w, dtype from, dtype to) {
  if (from == to || !is_float(from)) return w;
  word const sign = sign_word(from), infinite = infinity_word(from);
  word const quiet = (sign - infinite) >> 1;
  return (w & ~sign) > infinite ? infinite | quiet : w;
}

} // namespace detail

// One element: the op's operands as words, its result (threefry2x32: its two results) as words.
class word_function {
public:
  using code = void (*)(word const* operands, word* results, dtype in, dtype out);
  constexpr word_function(code run, dtype in, dtype out) : run_(run), in_(in), out_(out) {}
  constexpr void operator()(word const* operands, word* results) const {
    run_(operands, results, in_, out_);
  }
  constexpr explicit operator bool() const { return run_ != nullptr; }

private:
  code run_;
  dtype in_, out_;
};

namespace detail {

// In, of the operands, is what the row computes in.
template <op O, dtype In, int... I>
constexpr void apply_row(word const* x, word* results, dtype in, dtype out,
                         std::integer_sequence<int, I...>) {
  constexpr type_rule rule = row<O>::info.result;
  if constexpr (rule == type_rule::choose) {
    results[0] = x[0] != 0 ? x[1] : x[2];
  } else if constexpr (rule == type_rule::words) {
    auto const pair = row<O>::meaning(read_word<In>(x[I])...);
    results[0] = pair.first.value;
    results[1] = pair.second.value;
  } else if constexpr (rule == type_rule::compare) {
    results[0] = row<O>::meaning(read_as<In>(x[I], in)...).value;
  } else {
    results[0] = write_as<In>(row<O>::meaning(read_as<In>(x[I], in)...), out);
  }
}
template <op O, dtype In>
constexpr void apply_row(word const* x, word* results, dtype in, dtype out) {
  apply_row<O, In>(x, results, in, out, std::make_integer_sequence<int, row<O>::info.arity>{});
}
template <op O, dtype In> consteval word_function::code function_of() {
  constexpr op_info info = row<O>::info;
  if constexpr (!is_elementwise(O) || info.result == type_rule::chosen ||
                !accepts(info.accepts, In))
    return nullptr;
  else if constexpr (interpreted_as(O, In) != In ||
                     (info.result == type_rule::words && In != dtype::u32))
    return nullptr;
  else return &apply_row<O, In>;
}

template <dtype From, dtype To>
constexpr void convert_word(word const* x, word* result, dtype in, dtype) {
  result[0] = write_word<To>(row<op::convert>::meaning<From, To>(read_as<From>(x[0], in)));
}
constexpr void wrap_word(word const* x, word* result, dtype in, dtype out) {
  word const extended = is_signed(in) ? as_uint(read_as<dtype::i64>(x[0], in)).value : x[0];
  result[0] = extended & storage_mask(out);
}
constexpr void keep_word(word const* x, word* result, dtype, dtype) { result[0] = x[0]; }
constexpr void bitcast_words(word const* x, word* result, dtype in, dtype out) {
  result[0] = bitcast_word(x[0], in, out);
}

} // namespace detail

// Which ops a table of meanings has: a source compiles those that it runs, and no others.
struct op_set {
  std::uint64_t words[2] = {0, 0};

  static_assert(op_count <= 128);
  constexpr void add(op o) { words[index(o) / 64] |= std::uint64_t{1} << index(o) % 64; }
  constexpr bool has(op o) const { return (words[index(o) / 64] >> index(o) % 64 & 1) != 0; }
  constexpr int size() const { return detail::popcount(words[0]) + detail::popcount(words[1]); }
  // Member k in the order of the ops.
  constexpr op at(int k) const {
    int o = 0;
    for (int before = k; !has(static_cast<op>(o)) || before-- > 0;) ++o;
    return static_cast<op>(o);
  }

private:
  static constexpr int index(op o) { return static_cast<int>(o); }
};
constexpr op_set all_ops() {
  op_set all;
  for (int o = 0; o < op_count; ++o) all.add(static_cast<op>(o));
  return all;
}
// A few steps of arithmetic each. Others are hundreds of steps of soft float: programs compute them
// once, so fold leaves them.
constexpr op_set short_ops() {
  op_set all;
  for (int o = 0; o < op_count; ++o)
    if (op const code = static_cast<op>(o);
        is_elementwise(code) && info_of(code).ulp <= 0.5 && code != op::threefry2x32)
      all.add(code);
  return all;
}
// The ops of a graph, and what scatter combines with.
constexpr op_set ops_in(graph_view g) {
  op_set all;
  for (node const& n : g.nodes) {
    all.add(n.code);
    if (n.code != op::scatter) continue;
    for (op o : {op::add, op::mul, op::minimum, op::maximum}) all.add(o);
  }
  return all;
}

namespace detail {

struct conversion_table {
  word_function::code of[dtype_count][dtype_count]{};
};
struct elementwise_table {
  word_function::code of[op_count][dtype_count]{};
  conversion_table const* conversions = nullptr; // empty where no op converts
};
// iota counts in i32; scatter and collectives combine 16-bit floats in f32.
constexpr bool have_conversions(op_set ops) {
  return ops.has(op::convert) || ops.has(op::iota) || ops.has(op::scatter) ||
         ops.has(op::collective);
}
template <op O, int... D>
consteval void fill_row(elementwise_table& t, std::integer_sequence<int, D...>) {
  ((t.of[static_cast<int>(O)][D] = function_of<O, static_cast<dtype>(D)>()), ...);
}
template <dtype From, dtype To> consteval word_function::code convert_code() {
  if constexpr (is_float(From) || !is_integer(To)) return &convert_word<From, To>;
  else return &wrap_word;
}
template <dtype From, int... D>
consteval void fill_conversions(conversion_table& t, std::integer_sequence<int, D...>) {
  ((t.of[static_cast<int>(From)][D] = convert_code<From, static_cast<dtype>(D)>()), ...);
}
// Used: if not, the table is empty, and no conversion is compiled.
template <bool Used> consteval conversion_table all_conversions() {
  constexpr int count = Used ? dtype_count : 0;
  constexpr auto types = std::make_integer_sequence<int, count>{};
  conversion_table t;
  fill_conversions<dtype::f64>(t, types);
  fill_conversions<dtype::i64>(t, types);
  fill_conversions<dtype::u64>(t, types);
  return t;
}
template <bool Used> inline constexpr conversion_table conversions = all_conversions<Used>();

template <op_set Ops, int... I>
consteval elementwise_table functions_of(std::integer_sequence<int, I...>) {
  elementwise_table t;
  (fill_row<Ops.at(I)>(t, std::make_integer_sequence<int, dtype_count>{}), ...);
  t.conversions = &conversions<have_conversions(Ops)>;
  return t;
}
template <op_set Ops>
inline constexpr elementwise_table word_functions =
    functions_of<Ops>(std::make_integer_sequence<int, Ops.size()>{});

constexpr word_function conversion_in(conversion_table const& table, dtype in, dtype out) {
  word_function::code run = &keep_word;
  if (in != out) run = table.of[static_cast<int>(converted_from(in))][static_cast<int>(out)];
  return {run, in, out};
}
// In a table that has the op; false: no such op.
constexpr word_function function_in(elementwise_table const& table, op o, dtype in, dtype out) {
  word_function::code run = nullptr;
  if (!is_elementwise(o) || !is_typed(o, in, out)) return {run, in, out};
  if (o == op::convert) return conversion_in(*table.conversions, in, out);
  if (o == op::bitcast) run = &bitcast_words;
  else run = table.of[static_cast<int>(o)][static_cast<int>(interpreted_as(o, in))];
  return {run, in, out};
}

} // namespace detail

// The meaning of an elementwise op on elements of type `in`, giving `out`; false: no such op. A
// template, so that whoever calls it compiles every op, and nobody else.
template <op_set Ops = all_ops()>
constexpr word_function word_function_of(op o, dtype in, dtype out) {
  return detail::function_in(detail::word_functions<Ops>, o, in, out);
}
// Of convert alone.
template <bool Used = true> constexpr word_function conversion_of(dtype in, dtype out) {
  return detail::conversion_in(detail::conversions<Used>, in, out);
}
// One float as another, for passes, which have no table.
constexpr word converted_float(word x, dtype in, dtype out) {
  word result = 0;
  switch (out) {
    case dtype::f64: detail::convert_word<dtype::f64, dtype::f64>(&x, &result, in, out); break;
    case dtype::f32: detail::convert_word<dtype::f64, dtype::f32>(&x, &result, in, out); break;
    case dtype::bf16: detail::convert_word<dtype::f64, dtype::bf16>(&x, &result, in, out); break;
    default: detail::convert_word<dtype::f64, dtype::f16>(&x, &result, in, out); break;
  }
  return result;
}

} // namespace weft::inline v0
