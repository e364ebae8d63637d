// SPDX-License-Identifier: BSL-1.0
// Builders for gather, scatter, arg_reduce and arg_sort, and the derivative of scatter.
// Needs: handle.hpp, gather_dims.hpp. Leaves: nodes where handle.hpp's go.
#pragma once

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

namespace detail {

constexpr gather_dims combining(gather_dims d, scatter_combine how) {
  d.combine = how;
  return d;
}

// n: a scatter node as derivative rules see it. What was gathered from outside is 0, so updates
// that were dropped get nothing.
template <class Node> class scatter_cotangents {
public:
  constexpr explicit scatter_cotangents(Node& n)
      : n_(n), d_(gather_of(n.attributes())), ct_(n.ct()) {}

  constexpr void add() {
    switch (d_.combine) {
      case scatter_combine::add: n_.add(0, ct_); return n_.add(1, read(ct_));
      case scatter_combine::set:
        n_.add(0, written(ct_, n_.zeros_like(1), scatter_combine::set));
        return n_.add(1, select(is_last(), read(ct_), n_.zeros_like(1)));
      case scatter_combine::mul: return of_products();
      default: return of_extremes();
    }
  }

private:
  constexpr handle read(handle x) { return gather(x, n_.in(2), d_); }
  constexpr handle written(handle x, handle updates, scatter_combine how) {
    return scatter(x, updates, n_.in(2), combining(d_, how));
  }
  constexpr handle zeros(int i) { return n_.number_like(i, 0); }
  constexpr handle ones(int i) { return n_.number_like(i, 1); }
  constexpr handle ones_where(handle mask, int i) { return select(mask, ones(i), zeros(i)); }

  // Which updates stay, where several have one target: the last. Each writes its own indices, and
  // who reads them back was last.
  constexpr handle is_last() {
    extents const shape = n_.in(1).shape();
    recorder& r = *ct_.where;
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
  // Of each factor, the product of the others: the product of those that are not zero, divided by
  // the factor, if no other is zero.
  constexpr void of_products() {
    handle const x = n_.in(0), u = n_.in(1);
    handle const x_zero = equal(x, zeros(0)), u_zero = equal(u, zeros(1));
    handle const x_some = select(x_zero, ones(0), x), u_some = select(u_zero, ones(1), u);
    handle const product = written(x_some, u_some, scatter_combine::mul);
    handle const count = written(ones_where(x_zero, 0), ones_where(u_zero, 1),
                                 scatter_combine::add);
    n_.add(0, ct_ * others(product, count, x_zero, x_some, 0));
    n_.add(1, read(ct_) * others(read(product), read(count), u_zero, u_some, 1));
  }
  constexpr handle others(handle product, handle count, handle is_zero, handle some, int i) {
    handle const of_zero = select(equal(count, ones(i)), product, zeros(i));
    handle const of_number = select(equal(count, zeros(i)), product / some, zeros(i));
    return select(is_zero, of_zero, of_number);
  }
  // Equal parts to all that equal the result.
  constexpr void of_extremes() {
    handle const x_wins = equal(n_.in(0), n_.out()), u_wins = equal(n_.in(1), read(n_.out()));
    handle const count = written(ones_where(x_wins, 0), ones_where(u_wins, 1),
                                 scatter_combine::add);
    handle const share = ct_ / count;
    n_.add(0, select(x_wins, share, zeros(0)));
    n_.add(1, select(u_wins, read(share), zeros(1)));
  }

  Node& n_;
  gather_dims const d_;
  handle const ct_;
};
template <class Node> constexpr void add_scatter_cotangents(Node& n) {
  scatter_cotangents<Node>(n).add();
}
template <class Node> constexpr void add_gather_cotangent(Node& n) {
  gather_dims const d = combining(gather_of(n.attributes()), scatter_combine::add);
  n.add(0, scatter(n.zeros_like(0), n.ct(), n.in(1), d));
}

} // namespace detail
} // namespace weft::inline v0
