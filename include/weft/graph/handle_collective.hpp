// SPDX-License-Identifier: BSL-1.0
// Building collective nodes over untyped handles, and their derivatives: of a program's results on
// all ranks together, by each rank's arguments.
// Needs: handle_gather.hpp. Leaves: nodes in the operand's recorder.
#pragma once

#include <weft/graph/collective.hpp>
#include <weft/graph/handle_gather.hpp>

namespace weft::inline v0 {

constexpr handle exchange(handle x, collective const& c) {
  return emit(op::collective, x.type(), collective_shape(c, x.shape()), {&x, 1}, encode(c));
}
// This rank's place along an axis, of a mesh of `world` ranks.
constexpr handle rank_of_mesh(recorder& r, extent divisor, extent modulus, extent world) {
  extent const attributes[] = {divisor, modulus, world};
  return r.emit(op::rank, dtype::u32, {}, {}, {attributes, 3});
}

namespace detail {

// n: a collective node as derivative rules see it.
template <class Node> class collective_derivatives {
public:
  constexpr explicit collective_derivatives(Node& n) : n_(n), c_(collective_of(n.attributes())) {}

  constexpr void add_cotangent() {
    handle const ct = n_.ct();
    if (c_.kind == collective_kind::all_gather)
      return n_.add(0, exchange(ct, as(collective_kind::reduce_scatter)));
    if (c_.kind == collective_kind::all_to_all) {
      collective back = c_;
      back.axis = c_.to_axis;
      back.to_axis = c_.axis;
      return n_.add(0, exchange(ct, back));
    }
    if (c_.kind == collective_kind::permute) return n_.add(0, sent_back(ct));
    if (c_.kind == collective_kind::broadcast) return n_.add(0, summed_at_root(ct));
    if (c_.combine == collective_combine::add) return n_.add(0, of_all(ct, true));
    if (c_.combine == collective_combine::mul) return n_.add(0, of_all(ct, true) * others());
    winners const w = find_winners();
    return n_.add(0, select(w.mine, of_all(ct, true) / w.count, n_.zeros_like(0)));
  }
  constexpr void set_tangent() {
    if (!c_.reduces() || c_.combine == collective_combine::add) return n_.again(1);
    handle const t = n_.t(0);
    if (c_.combine == collective_combine::mul) return n_.set(exchange(t * others(), adding()));
    winners const w = find_winners();
    handle const of_winners = select(w.mine, t, n_.zeros_like(0));
    handle const ones = select(w.mine, n_.number_like(0, 1), n_.zeros_like(0));
    return n_.set(exchange(of_winners, adding()) / exchange(ones, adding()));
  }

private:
  struct winners {
    handle mine, count; // of the operand's shape
  };

  constexpr collective as(collective_kind kind) const {
    collective c = c_;
    c.kind = kind;
    c.combine = collective_combine::add;
    if (!c.has_axis()) c.axis = 0;
    return c;
  }
  constexpr collective adding() const { return as(c_.kind); }
  constexpr handle sum(handle x) { return exchange(x, as(collective_kind::all_reduce)); }
  // A value of the result's shape at the operand's: of scattered parts the whole; else it is that
  // of every rank, to be summed where it is a cotangent.
  constexpr handle of_all(handle x, bool is_cotangent) {
    if (c_.kind == collective_kind::reduce_scatter)
      return exchange(x, as(collective_kind::all_gather));
    return is_cotangent ? sum(x) : x;
  }
  constexpr winners find_winners() {
    handle const mine = equal(n_.in(0), of_all(n_.out(), false));
    return {mine, sum(select(mine, n_.number_like(0, 1), n_.zeros_like(0)))};
  }
  // The product of the other ranks' values, as of reduce_prod.
  constexpr handle others() {
    handle const x = n_.in(0), none = n_.zeros_like(0), one = n_.number_like(0, 1);
    handle const is_zero = equal(x, none);
    handle const some = select(is_zero, one, x), zero = select(is_zero, x, none);
    handle const counted = select(is_zero, one, none);
    collective multiply = as(collective_kind::all_reduce);
    multiply.combine = collective_combine::mul;
    return product_with_zeros(exchange(some, multiply) / some, sum(counted) - counted,
                              sum(zero) - zero);
  }
  constexpr handle sent_back(handle ct) {
    growing<extent> pairs(c_.ranks);
    for (int i = 0; i + 1 < pairs.size(); i += 2) {
      extent const source = pairs[i];
      pairs[i] = pairs[i + 1];
      pairs[i + 1] = source;
    }
    collective back = c_;
    back.ranks = pairs;
    return exchange(ct, back);
  }
  // The roots get the cotangents of their groups, member after member; the others zeros.
  constexpr handle summed_at_root(handle ct) {
    handle total;
    for (int member = 0; member < c_.group; ++member) {
      growing<extent> pairs;
      for (int first = 0; first < c_.ranks.size(); first += static_cast<int>(c_.group)) {
        pairs.push(c_.ranks[first + member]);
        pairs.push(c_.ranks[first]);
      }
      handle const sent = exchange(
          ct, {.kind = collective_kind::permute, .world = c_.world, .group = 2, .ranks = pairs});
      total = total.valid() ? total + sent : sent;
    }
    return total;
  }

  Node& n_;
  collective const c_; // its ranks stand in the graph that is read
};
template <class Node> constexpr void add_collective_cotangent(Node& n) {
  collective_derivatives<Node>(n).add_cotangent();
}
template <class Node> constexpr void set_collective_tangent(Node& n) {
  collective_derivatives<Node>(n).set_tangent();
}

} // namespace detail
} // namespace weft::inline v0
