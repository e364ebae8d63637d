// SPDX-License-Identifier: BSL-1.0
// Builders for gather, scatter, arg_reduce and arg_sort, and the derivatives of scatter.
// Needs: handle.hpp, gather_dims.hpp. Leaves: nodes where handle.hpp's go.
#pragma once

#include <weft/core/number_limits.hpp>
#include <weft/graph/gather_dims.hpp>
#include <weft/graph/handle.hpp>

namespace weft::inline v0 {

constexpr handle gather(handle x, handle indices, gather_dims d) {
  d.combine = scatter_combine::set;
  handle both[] = {x, indices};
  return emit(op::gather, x.type(), gather_shape(d, indices.shape()), {both, 2}, encode(d));
}
// x with updates, whose shape gather(x, indices, d) would have.
constexpr handle scatter(handle x, handle updates, handle indices, gather_dims const& d) {
  handle all[] = {x, updates, indices};
  return emit(op::scatter, x.type(), x.shape(), {all, 3}, encode(d));
}
// Over an axis set that is not empty.
constexpr handle arg_reduce(handle x, extent axes, bool smallest) {
  extent const attributes[] = {axes, smallest ? 1 : 0};
  return emit(op::arg_reduce, dtype::i32, without_axes(x.shape(), axes), {&x, 1}, {attributes, 2});
}
// Bit k of `descending` is key k.
constexpr handle arg_sort(view<handle> keys, int axis, extent descending) {
  extent const attributes[] = {axis, descending};
  return emit(op::arg_sort, dtype::i32, keys[0].shape(), keys, {attributes, 2});
}

// The product of a factor's others, for derivative rules (reduce_prod's, too): `some` is the product
// of those that are not zero, `zeros` how many are, `total` their sum. With one zero it is +0, with
// the derivative of some * total, or none where `some` is infinite; with two it has none.
constexpr handle product_with_zeros(handle some, handle zeros, handle total) {
  auto const number = [&some](double x) {
    return constant(*some.where, x, some.type(), some.shape());
  };
  handle const bounded = less(unary(op::abs, some), number(detail::infinity_f64));
  handle const of_one = select(bounded, some, number(0)) * total + number(0); // -0 + 0 = 0
  return select(equal(zeros, number(0)), some, select(equal(zeros, number(1)), of_one, number(0)));
}

namespace detail {

constexpr gather_dims combining(gather_dims d, scatter_combine how) {
  d.combine = how;
  return d;
}

// n: a scatter node as derivative rules see it. What is gathered from outside is 0, so updates that
// are dropped get nothing.
template <class Node> class scatter_rules {
public:
  constexpr explicit scatter_rules(Node& n) : n_(n), d_(gather_of(n.attributes())) {}

  constexpr void add_cotangents() {
    handle const ct = n_.ct();
    switch (d_.combine) {
      case scatter_combine::add: n_.add(0, ct); return n_.add(1, read(ct));
      case scatter_combine::set:
        n_.add(0, written(ct, n_.zeros_like(1), scatter_combine::set));
        return n_.add(1, select(is_last(), read(ct), n_.zeros_like(1)));
      case scatter_combine::mul: {
        factors const f = others();
        n_.add(0, ct * f.of_x);
        return n_.add(1, read(ct) * f.of_updates);
      }
      default: {
        winners const w = find_winners();
        handle const count = sum_of(w, ones(0), ones(1));
        handle const share = convert(convert(ct, count.type()) / count, ct.type());
        n_.add(0, select(w.x, share, zeros(0)));
        return n_.add(1, select(w.updates, read(share), zeros(1)));
      }
    }
  }
  constexpr void set_tangent() {
    switch (d_.combine) {
      case scatter_combine::add:
      case scatter_combine::set: return n_.again(2);
      case scatter_combine::mul: {
        factors const f = others();
        return n_.set(sum(n_.t(0) * f.of_x, n_.t(1) * f.of_updates));
      }
      default: {
        winners const w = find_winners();
        handle const count = sum_of(w, ones(0), ones(1)), total = sum_of(w, n_.t(0), n_.t(1));
        return n_.set(convert(total / count, n_.out().type()));
      }
    }
  }

private:
  struct factors {
    handle of_x, of_updates;
  };
  struct winners {
    handle x, updates;
  };

  constexpr handle read(handle x) { return gather(x, n_.in(2), d_); }
  constexpr handle written(handle x, handle updates, scatter_combine how) {
    return scatter(x, updates, n_.in(2), combining(d_, how));
  }
  constexpr handle sum(handle x, handle updates) {
    return written(x, updates, scatter_combine::add);
  }
  constexpr handle zeros(int i) { return n_.number_like(i, 0); }
  constexpr handle ones(int i) { return n_.number_like(i, 1); }
  constexpr handle ones_where(handle mask, int i) { return select(mask, ones(i), zeros(i)); }

  // Which updates stay, where several have one target: the last. Each writes its own indices, and
  // who reads them back was last.
  constexpr handle is_last() {
    extents const shape = n_.in(1).shape();
    recorder& r = *n_.in(1).where;
    handle last = constant(r, 1, dtype::boolean, shape);
    for (int axis = 0; axis < shape.rank; ++axis) {
      handle const number = iota(r, dtype::i32, shape, axis);
      handle const none = constant(r, -1, dtype::i32, n_.in(0).shape());
      handle const same = equal(read(written(none, number, scatter_combine::set)), number);
      handle const both[] = {last, same};
      last = emit(op::bit_and, dtype::boolean, shape, {both, 2});
    }
    return last;
  }
  // Of each factor, the product of the others, as of reduce_prod.
  constexpr factors others() {
    handle const x = n_.in(0), u = n_.in(1);
    handle const x_zero = equal(x, zeros(0)), u_zero = equal(u, zeros(1));
    handle const x_some = select(x_zero, ones(0), x), u_some = select(u_zero, ones(1), u);
    handle const x_none = select(x_zero, x, zeros(0)), u_none = select(u_zero, u, zeros(1));
    handle const product = written(x_some, u_some, scatter_combine::mul);
    handle const x_count = ones_where(x_zero, 0), u_count = ones_where(u_zero, 1);
    handle const count = sum(x_count, u_count), total = sum(x_none, u_none);
    return {
        product_with_zeros(product / x_some, count - x_count, total - x_none),
        product_with_zeros(read(product) / u_some, read(count) - u_count, read(total) - u_none)};
  }
  // All that equal the result, which get equal parts.
  constexpr winners find_winners() {
    return {equal(n_.in(0), n_.out()), equal(n_.in(1), read(n_.out()))};
  }
  // Of what the winners have, in what the type accumulates in: counts need more than 16 bits.
  constexpr handle sum_of(winners const& w, handle x, handle updates) {
    dtype const sums = accumulator_of(x.type());
    handle const of_x = convert(select(w.x, x, zeros(0)), sums);
    return sum(of_x, convert(select(w.updates, updates, zeros(1)), sums));
  }

  Node& n_;
  gather_dims const d_;
};
template <class Node> constexpr void add_scatter_cotangents(Node& n) {
  scatter_rules<Node>(n).add_cotangents();
}
template <class Node> constexpr void set_scatter_tangent(Node& n) {
  scatter_rules<Node>(n).set_tangent();
}
template <class Node> constexpr void add_gather_cotangent(Node& n) {
  gather_dims const d = combining(gather_of(n.attributes()), scatter_combine::add);
  n.add(0, scatter(n.zeros_like(0), n.ct(), n.in(1), d));
}

} // namespace detail
} // namespace weft::inline v0
