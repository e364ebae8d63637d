// SPDX-License-Identifier: BSL-1.0
// op_texts: the meanings of all elementwise ops and reductions over the text world, by what the run
// knows of them. Values are handles of the innermost text::body (opencl/text.hpp).
//   int sum[2];  op_texts<>::compute(op::add, dtype::f32, dtype::f32, in, sum);
// Needs: a body that is alive; handles of what register_type (element_text.hpp) says. Leaves: one
// definition per op; bf16 and f16 rounded after every inexact op, as graph/interpret.hpp does.
//
// Meanings of every op and type take a compiler half a minute. Where several sources use them, one
// can compile them for all:
//   extern template struct weft::opencl::op_texts<>; // in a shared header
//   template struct weft::opencl::op_texts<>;        // in one source
#pragma once

#include <weft/graph/results.hpp>
#include <weft/op/compute_type.hpp>
#include <weft/op/reduction.hpp>
#include <weft/opencl/element_text.hpp>
#include <weft/opencl/text_wide.hpp>

namespace weft::inline v0 {
namespace detail::opencl_text {

template <dtype D> using value_of = compute_type<opencl::text::f32, D>;

template <class T> T value_at(int id) {
  if constexpr (is_narrow_int<T>) return T::extended(value_at<decltype(T::value)>(id));
  else return T(opencl::text::handle{id});
}
template <class T> int id_of(T const& x) {
  if constexpr (is_narrow_int<T>) return x.value.id;
  else return x.id;
}
// Of a 16-bit float: computed as float, rounded.
template <dtype D, bool Exact, class T> int rounded_id(T const& x) {
  if constexpr (is_half(D) && !Exact) return id_of(elementary::round_to<D>(x));
  else return id_of(x);
}

template <op O, dtype From> void compute(int const* in, int* out) {
  using T = value_of<From>;
  constexpr op_info info = info_of(O);
  auto const result = [&] {
    using m = row<O>;
    if constexpr (info.result == type_rule::choose)
      return m::meaning(value_at<opencl::text::mask>(in[0]), value_at<T>(in[1]),
                        value_at<T>(in[2]));
    else if constexpr (info.arity == 1) return m::meaning(value_at<T>(in[0]));
    else if constexpr (info.arity == 2) return m::meaning(value_at<T>(in[0]), value_at<T>(in[1]));
    else if constexpr (info.arity == 3)
      return m::meaning(value_at<T>(in[0]), value_at<T>(in[1]), value_at<T>(in[2]));
    else
      return m::meaning(value_at<T>(in[0]), value_at<T>(in[1]), value_at<T>(in[2]),
                        value_at<T>(in[3]));
  }();
  if constexpr (info.result == type_rule::words) {
    out[0] = result.first.id;
    out[1] = result.second.id;
  } else if constexpr (info.result == type_rule::compare) out[0] = id_of(result);
  else out[0] = rounded_id<From, info.ulp == 0>(result);
}
template <op O, dtype From, dtype To> void change(int const* in, int* out) {
  if constexpr (From == To) out[0] = in[0];
  else out[0] = id_of(row<O>::template meaning<From, To>(value_at<value_of<From>>(in[0])));
}

using writer = void (*)(int const* in, int* out);
template <op O, dtype From> constexpr writer writer_of() {
  constexpr type_rule rule = info_of(O).result;
  constexpr dtype to = rule == type_rule::compare ? dtype::boolean : From;
  if constexpr (!is_elementwise(O) || rule == type_rule::chosen) return nullptr;
  else if constexpr (!is_typed(O, From, to)) return nullptr;
  else return &compute<O, From>;
}
template <op O, dtype From, dtype To> constexpr writer change_writer() {
  if constexpr (is_typed(O, From, To)) return &change<O, From, To>;
  else return nullptr;
}
inline writer find_change(op code, dtype from, dtype to) {
  return with_dtype(from, [&]<dtype From>() {
    return with_dtype(to, [&]<dtype To>() {
      return code == op::convert ? change_writer<op::convert, From, To>()
                                 : change_writer<op::bitcast, From, To>();
    });
  });
}
struct writers {
  writer of[op_count][dtype_count];
};
template <int... O> constexpr writers all_writers(std::integer_sequence<int, O...>) {
  writers all{};
  auto const add = [&]<int One, int... D>(std::integral_constant<int, One>,
                                          std::integer_sequence<int, D...>) {
    ((all.of[One][D] = writer_of<static_cast<op>(One), static_cast<dtype>(D)>()), ...);
  };
  (add(std::integral_constant<int, O>{}, std::make_integer_sequence<int, dtype_count>{}), ...);
  return all;
}

// f.operator()<O, D>() for the reduction O of elements of type D.
template <class F> int with_reduction(op code, dtype d, F const& f) {
  return with_dtype(d, [&]<dtype D>() {
    auto const known = [&]<op O>(std::integral_constant<op, O>) {
      if constexpr (accepts(row<O>::info.accepts, D)) return f.template operator()<O, D>();
      else return -1;
    };
    switch (code) {
      case op::reduce_max: return known(std::integral_constant<op, op::reduce_max>{});
      case op::reduce_min: return known(std::integral_constant<op, op::reduce_min>{});
      case op::reduce_prod: return known(std::integral_constant<op, op::reduce_prod>{});
      default: return known(std::integral_constant<op, op::reduce_sum>{});
    }
  });
}
template <dtype D> int literal(storage_of<D> x) {
  if constexpr (is_half(D)) return value_of<D>(static_cast<float>(x)).id;
  else return id_of(value_of<D>(x));
}

} // namespace detail::opencl_text

namespace opencl {

template <class = void> struct op_texts {
  // Op `code` of handles `in`; `from`: the type of the last. out[1] is an op's second word.
  static void compute(op code, dtype from, dtype to, int const* in, int* out);
  // Two accumulators of a reduction of elements of type d.
  static int combine(op reduction, dtype d, int a, int b);
  // An accumulator's value as an element of type d.
  static int rounded(dtype d, int value);
  // What a reduction's accumulator starts as, and what it gives of nothing.
  static int lane_start(op reduction, dtype d);
  static int empty_result(op reduction, dtype d);
  // The element with these bits (graph constants).
  static int constant(dtype d, word bits);
};

template <class V>
void op_texts<V>::compute(op code, dtype from, dtype to, int const* in, int* out) {
  namespace impl = weft::detail::opencl_text;
  static constexpr impl::writers all = impl::all_writers(
      std::make_integer_sequence<int, op_count>{});
  if (info_of(code).result == type_rule::chosen) return impl::find_change(code, from, to)(in, out);
  all.of[static_cast<int>(code)][static_cast<int>(from)](in, out);
}
template <class V> int op_texts<V>::combine(op reduction, dtype d, int a, int b) {
  namespace impl = weft::detail::opencl_text;
  return impl::with_reduction(reduction, d, [&]<op O, dtype D>() {
    using T = impl::value_of<compute_of(D)>;
    return impl::id_of(row<O>::meaning(impl::value_at<T>(a), impl::value_at<T>(b)));
  });
}
template <class V> int op_texts<V>::rounded(dtype d, int value) {
  namespace impl = weft::detail::opencl_text;
  return weft::detail::with_dtype(d, [&]<dtype D>() {
    using T = impl::value_of<compute_of(D)>;
    if constexpr (is_half(D)) return impl::rounded_id<D, false>(impl::value_at<T>(value));
    else if constexpr (is_narrow_int<impl::value_of<D>>)
      return impl::id_of(impl::value_of<D>::wrapped(impl::value_at<T>(value)));
    else return value;
  });
}
template <class V> int op_texts<V>::lane_start(op reduction, dtype d) {
  namespace impl = weft::detail::opencl_text;
  return impl::with_reduction(reduction, d, []<op O, dtype D>() {
    return impl::literal<compute_of(D)>(weft::lane_start<O, storage_of<D>>());
  });
}
template <class V> int op_texts<V>::empty_result(op reduction, dtype d) {
  namespace impl = weft::detail::opencl_text;
  return impl::with_reduction(reduction, d, []<op O, dtype D>() {
    return impl::literal<compute_of(D)>(weft::empty_result<O, storage_of<D>>());
  });
}
template <class V> int op_texts<V>::constant(dtype d, word bits) {
  return weft::detail::with_dtype(d, [&]<dtype D>() {
    return weft::detail::opencl_text::literal<D>(element_of_word<storage_of<D>>(bits));
  });
}

} // namespace opencl
} // namespace weft::inline v0
