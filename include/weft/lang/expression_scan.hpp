// SPDX-License-Identifier: BSL-1.0
// scan of tensors: a C++ loop that calls the body with tensors. For debugging: the compiled loop's
// bits, at the cost of a copy of every slice.
// Needs: scan.hpp, expression.hpp. Leaves: pair(last carry, stacked ys), all tensors; carry and ys
// may be numbers, makers and expressions, which are computed step by step; a name has one number in
// carry, xs and ys, at every step (shape_error). Where there is no step, ys have the extents that
// their names have in carry and xs; if one is in neither, the body is called once for it, with init
// and zeros.
// A loop that starts from makers and numbers alone may stand in a trace all the same: its body uses
// traced values of the enclosing function. So such a body is asked once, with makers, what it gives;
// where that is traced, the loop is recorded where it was. (What the question recorded is unused.)
#pragma once

#include <weft/lang/expression.hpp>
#include <weft/lang/scan.hpp>

namespace weft::inline v0 {

// A structure with every leaf a tensor (a key stays a key).
template <class X> using tensor_type = rebind<traced_type<X>, tensor>;

namespace detail {

template <class X> constexpr tensor_type<X> to_tensors(X const& x) {
  tensor_type<X> r{};
  for_each_leaf(r, x, []<class Out, class In>(Out& out, In const& in) {
    if constexpr (number_literal<In>) out = Out(element_from<typename Out::element_type>(in));
    else out = Out(in);
  });
  return r;
}

// Element t of the leading axis, and its inverse.
template <class Out, class T, auto... E>
constexpr void take_step(Out& out, tensor<T, E...> const& stack, extent t) {
  out = Out::uninitialised(without_leading(stack.shape()));
  T* to = writable(out);
  T const* from = stack.data() + t * out.size();
  for (extent i = 0, n = out.size(); i < n; ++i) to[i] = from[i];
}
template <class Stack, class T, auto... E>
constexpr void put_step(Stack& stack, tensor<T, E...> const& y, extent t) {
  T* to = writable(stack) + t * y.size();
  for (extent i = 0, n = y.size(); i < n; ++i) to[i] = y.data()[i];
}
// A key is its two words.
template <auto... E> constexpr void put_step(tensor<std::uint32_t, E...>& stack, key y, extent t) {
  std::uint32_t* to = writable(stack) + t * 2;
  to[0] = y.high;
  to[1] = y.low;
}

template <class Out, class T, auto... E>
constexpr void make_zeros(Out& out, tensor<T, E...> const& stack) {
  out = Out::uninitialised(without_leading(stack.shape()));
  T* to = writable(out);
  for (extent i = 0, n = out.size(); i < n; ++i) to[i] = T{};
}

// ys for so many steps of which one gives y.
template <class Ys, class Y> constexpr void make_stacks(Ys& ys, Y const& y, extent length) {
  for_each_leaf(ys, y, [length]<class S>(S& stack, auto const& one) {
    stack = S::uninitialised(weft::with_leading(length, extents_of(one).numbers));
  });
}
// ys of no step, with the numbers that names have in these arrays; whether there is one for each.
template <class Ys> constexpr bool make_empty(Ys& ys, view<leaf_extents> arrays) {
  bool known = true;
  for_each_leaf(ys, [&known, arrays]<class S>(S& stack) {
    extents numbers = weft::with_leading(0, without_leading(S::pattern));
    for (int i = 1; i < S::rank; ++i) numbers[i] = number_of(numbers[i], arrays);
    if (is_static(numbers)) stack = S::uninitialised(numbers);
    else known = false;
  });
  return known;
}
[[noreturn]] WEFT_NOINLINE inline void raise_loop_name(char const* op, extent name, extent one,
                                                       extent other) {
  char text[max_name + 1]{};
  unpack_name(name, text);
  raise<shape_error>(message("weft: ")
                         .add(op)
                         .add(": a name has two numbers; give all arrays the same: ")
                         .add(text)
                         .add(" is ")
                         .add(one)
                         .add(" and ")
                         .add(other));
}
// The arrays that go into a loop and come out of its steps: a name has one number in all of them.
class loop_extents {
public:
  constexpr explicit loop_extents(char const* op) : op_(op) {}

  constexpr view<leaf_extents> arrays() const { return arrays_; }
  // Of leaves with new names, too.
  template <class... X> constexpr void add(X const&... x) {
    auto const add_leaf = [this](auto const& leaf) {
      leaf_extents const is = extents_of(leaf);
      if (is_static(is.declared)) return;
      compare(is);
      arrays_.push(is);
    };
    (for_each_leaf(x, add_leaf), ...);
  }
  template <class... X> constexpr void check(X const&... x) const {
    (for_each_leaf(x, [this](auto const& leaf) { compare(extents_of(leaf)); }), ...);
  }

private:
  constexpr void compare(leaf_extents const& leaf) const {
    for (int i = 0; i < leaf.declared.rank; ++i) {
      extent const name = leaf.declared[i], known = number_of(name, arrays_);
      if (is_named(name) && known != name && known != leaf.numbers[i])
        raise_loop_name(op_, name, known, leaf.numbers[i]);
    }
  }

  char const* op_;
  growing<leaf_extents> arrays_;
};
template <scan_options O, class X> constexpr extent steps_of(X const& xs) {
  extent length = O.length;
  for_each_leaf(xs, [&length](auto const& x) {
    if (length < 0) length = x.extent(0);
    if (x.extent(0) != length)
      raise<shape_error>(message("weft: scan: the arrays of xs differ in their leading extent: ")
                             .add(length)
                             .add(" and ")
                             .add(x.extent(0)));
  });
  return length;
}

// A loop over tensors whose functions return traced arrays of their surroundings. State is what it
// goes over.
template <class State, class... R> consteval bool check_tensors() {
  constexpr bool tensors = !(traced_structure<R> || ...);
  static_assert(tensors,
                "weft: a tensor meets a traced array; make the tensor an argument of the function");
  return tensors;
}

// R is what a step gives.
template <scan_options O, class R, class Body, class C, class X>
constexpr auto run_scan(Body const& body, C carry, X const& xs) {
  if constexpr (!check_tensors<C, R>()) return std::pair(carry, none);
  else if constexpr (!check_room<traced_type<decltype(R::second)>>()) return std::pair(carry, none);
  else {
    using next = traced_type<decltype(R::first)>;
    using Y = traced_type<decltype(R::second)>;
    constexpr extent declared = length_of<O>(leaves_of<traced_type<X>>{});
    rebind<stacked_type<Y, extent_argument_of<declared>>, tensor> ys{};
    if constexpr (check_carry<traced_type<C>, next>()) {
      extent const length = steps_of<O>(xs);
      loop_extents named("scan");
      named.add(carry, xs);
      if (length == 0 && !make_empty(ys, named.arrays())) {
        slice_of<X> zeros{};
        for_each_leaf(zeros, xs, [](auto& one, auto const& all) { make_zeros(one, all); });
        C first = carry;
        auto const step = body(first, zeros);
        auto const y = to_tensors(step.second);
        named.add(to_tensors(step.first), y);
        make_stacks(ys, y, 0);
      }
      for (extent i = 0; i < length; ++i) {
        extent const t = O.reverse ? length - 1 - i : i;
        slice_of<X> x{};
        for_each_leaf(x, xs, [t](auto& one, auto const& all) { take_step(one, all, t); });
        auto step = body(carry, x);
        carry = to_tensors(step.first);
        auto const y = to_tensors(step.second);
        if (i == 0) {
          named.add(carry, y);
          make_stacks(ys, y, length);
        } else named.check(carry, y);
        for_each_leaf(ys, y, [t](auto& stack, auto const& one) { put_step(stack, one, t); });
      }
    }
    return std::pair(std::move(carry), std::move(ys));
  }
}

template <class L>
inline constexpr bool from_nothing = maker_like<L> || maker_expression<L> || number_literal<L>;
template <class... L> consteval bool all_from_nothing(type_list<L...>) {
  return (from_nothing<L> && ...);
}
// Numbers, makers and their expressions only.
template <class X> concept made_structure = all_from_nothing(leaves_of<X>{});
template <class X> concept starts_from_makers = made_structure<X> && (leaf_count<X> > 0);
// The same with a maker for every leaf, and a value of it.
template <class X> using maker_form = rebind<traced_type<X>, made>;
template <class M> constexpr M some_makers() {
  return make_like<M>([]<class L>(std::type_identity<L>) { return L(maker::full); });
}
template <class F, class... M>
concept traced_inside = requires(F const& f) {
  requires structure_of_arrays<decltype(f(some_makers<M>()...))> &&
               traced_structure<decltype(f(some_makers<M>()...))>;
};
template <class F, class C>
concept loop_traced_inside = starts_from_makers<C> && traced_inside<F, maker_form<C>>;
// Where a function that is traced inside records.
template <class F, class... M> constexpr recorder& recorder_inside(F const& f) {
  return recorder_in(f(some_makers<M>()...)).innermost();
}
template <class Body, class C, class X>
concept scan_traced_inside = made_structure<C> && made_structure<X> &&
                             traced_inside<Body, maker_form<C>, slice_of<maker_form<X>>>;

} // namespace detail

template <scan_options O = scan_options{}, class Body, class C, class X>
  requires(!traced_structure<C> && !traced_structure<X>)
constexpr auto scan(Body const& body, C const& init, X const& xs) {
  using T = traced_type<X>;
  if constexpr (detail::scan_traced_inside<Body, C, X>) {
    using detail::maker_form;
    recorder& r = detail::recorder_inside<Body, maker_form<C>, slice_of<maker_form<X>>>(body);
    auto const start = detail::to_traced(r, init);
    auto const traced_xs = detail::to_traced(r, xs);
    if constexpr (traced_structure<decltype(start)> || traced_structure<decltype(traced_xs)>)
      return weft::scan<O>(body, start, traced_xs);
    else return detail::record_scan<O>(r, body, start, traced_xs); // of nothing, for its ys
  } else if constexpr (!detail::check_length<O, T>() || !detail::check_unroll<O, T>())
    return std::pair(detail::to_tensors(init), none);
  else {
    using R = decltype(detail::asked<Body, 2>()(std::declval<tensor_type<C>&>(),
                                                std::declval<slice_of<tensor_type<X>>&>()));
    if constexpr (detail::check_body<R, Body, tensor_type<C>, slice_of<tensor_type<X>>>())
      return detail::run_scan<O, R>(body, detail::to_tensors(init), detail::to_tensors(xs));
    else return std::pair(detail::to_tensors(init), none);
  }
}

} // namespace weft::inline v0
