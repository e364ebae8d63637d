// SPDX-License-Identifier: BSL-1.0
// rank_member: one rank's side of every collective, on arrays in memory, over a rank_transport.
//   all_reduce, reduce_scatter   values of the group are combined in its order, element by element, in
//                                the accumulation type, and rounded once; of large arrays each rank
//                                combines its share, and shares are given to all
//   all_gather, all_to_all       parts are received where they belong, or beside it and moved there
//   broadcast                    of large arrays a share to each, and shares to all
//   permute                      one message; zeros where nothing is sent
// Needs: collective_scratch bytes of scratch. Leaves: the bits of graph/interpret_collective.hpp, NaN
// payloads aside, whatever the transport.
#pragma once

#include <weft/cpu/gather.hpp>
#include <weft/cpu/rank_group.hpp>
#include <weft/graph/rank_transport.hpp>

namespace weft::inline v0 {
namespace detail {

// Element i of `to` is element i of all values, combined in their order.
struct combined_values {
  view<std::byte const*> values;
  extent count;
  std::byte* to; // may be one of them
};
template <op O, dtype D> void combine_values(combined_values const& x) {
  constexpr auto size = sizeof(storage_of<D>);
  int const n = x.values.size();
  for (extent i = 0; i < x.count; ++i) {
    extent const at = i * static_cast<extent>(size);
    scalar_of<D> sum = load_scalar<D>(x.values[0] + at);
    for (int k = 1; k < n; ++k) sum = row<O>::meaning(sum, load_scalar<D>(x.values[k] + at));
    word const r = write_word<D>(sum);
    std::memcpy(x.to + at, &r, size);
  }
}
using combine_values_function = void (*)(combined_values const&);
template <dtype D> combine_values_function combining_values(collective_combine how) {
  if (how == collective_combine::min) return &combine_values<op::minimum, D>;
  if (how == collective_combine::max) return &combine_values<op::maximum, D>;
  if constexpr (!is_float(D)) {
    if (how == collective_combine::bit_and) return &combine_values<op::bit_and, D>;
    if (how == collective_combine::bit_or) return &combine_values<op::bit_or, D>;
  }
  if constexpr (D != dtype::boolean)
    return how == collective_combine::mul ? &combine_values<op::mul, D>
                                          : &combine_values<op::add, D>;
  else return nullptr; // rule collective_5
}

// One collective of one rank, while it runs.
class member_call {
public:
  member_call(rank_transport& others, collective const& c, int node, cpu::strided_array const& x,
              std::byte* out, cpu::scratch memory)
      : others_(others), c_(c), x_(x), out_(out), at_(memory.memory), node_(node),
        size_(x.element_bytes()), count_(count_of(x.shape)), first_(c.group_of(others.rank())),
        n_(c.kind == collective_kind::permute ? 1 : static_cast<int>(c.group)) {
    for (int k = 0; first_ >= 0 && k < n_; ++k)
      if (member(k) == others.rank()) place_ = k;
  }
  void run() {
    switch (c_.kind) {
      case collective_kind::all_reduce: return all_reduce();
      case collective_kind::all_gather: return all_gather();
      case collective_kind::reduce_scatter: return reduce_scatter();
      case collective_kind::all_to_all: return all_to_all();
      case collective_kind::broadcast: return broadcast();
      case collective_kind::permute: return permute();
    }
  }

private:
  extent member(int k) const { return c_.ranks[first_ + k]; }
  extent bytes() const { return count_ * size_; }
  extents dense_strides() const { return row_major_strides(x_.shape); }
  void copy_own(std::byte* to) const {
    cpu::copy(static_cast<int>(size_), x_.shape, x_.first, x_.strides, to, dense_strides());
  }
  std::byte* borrow(extent bytes) {
    std::byte* const here = at_;
    at_ += aligned_bytes(bytes);
    return here;
  }
  void give(int k, std::byte const* from, extent bytes) { gives_.push({member(k), from, bytes}); }
  void take(int k, std::byte* to, extent bytes) { takes_.push({member(k), to, bytes}); }
  void exchange() {
    others_.exchange({c_, x_.type, x_.shape, node_}, gives_, takes_);
    gives_.clear();
    takes_.clear();
  }
  // f(k) for every other place of the group.
  template <class F> void each_other(F const& f) const {
    for (int k = 0; k < n_; ++k)
      if (k != place_) f(k);
  }
  void combine(view<std::byte const*> values, extent count, std::byte* to) const {
    with_dtype(x_.type,
               [this]<dtype D>() { return combining_values<D>(c_.combine); })({values, count, to});
  }

  // Place k's share of all elements, in bytes from the first.
  extent share(int k) const { return share_start(count_, k, n_) * size_; }
  extent share_bytes(int k) const { return share(k + 1) - share(k); }

  void all_reduce() {
    copy_own(out_);
    growing<std::byte const*> values(n_, out_);
    bool const whole = in_one_round(c_, bytes());
    extent const mine = whole ? 0 : share(place_), length = whole ? bytes() : share_bytes(place_);
    each_other([&](int k) {
      std::byte* const theirs = borrow(length);
      values[k] = theirs;
      give(k, out_ + (whole ? 0 : share(k)), whole ? bytes() : share_bytes(k));
      take(k, theirs, length);
    });
    exchange();
    values[place_] = out_ + mine;
    combine(values, length / size_, out_ + mine);
    if (!whole) exchange_shares(0);
  }
  // Every place's share of `out`, to all from `first_to` on, by all that hold one.
  void exchange_shares(int first_to) {
    each_other([&](int k) {
      if (k >= first_to) give(k, out_ + share(place_), share_bytes(place_));
      if (place_ >= first_to) take(k, out_ + share(k), share_bytes(k));
    });
    exchange();
  }
  void all_gather() {
    int const axis = static_cast<int>(c_.axis);
    if (parts_are_whole(x_.shape, axis)) {
      std::byte* const own = out_ + place_ * bytes();
      copy_own(own);
      each_other([&](int k) {
        give(k, own, bytes());
        take(k, out_ + k * bytes(), bytes());
      });
      return exchange();
    }
    growing<std::byte*> parts(n_, nullptr);
    for (int k = 0; k < n_; ++k) parts[k] = borrow(bytes());
    copy_own(parts[place_]);
    each_other([&](int k) {
      give(k, parts[place_], bytes());
      take(k, parts[k], bytes());
    });
    exchange();
    join(parts, x_.shape, axis);
  }
  // Row-major parts of one shape, one after the other along an axis of `out`.
  void join(view<std::byte*> parts, extents const& part, int axis) const {
    extents whole = part;
    whole[axis] *= n_;
    extents const to = row_major_strides(whole), from = row_major_strides(part);
    for (int k = 0; k < n_; ++k)
      cpu::copy(static_cast<int>(size_), part, parts[k], from,
                out_ + k * part[axis] * to[axis] * size_, to);
  }
  // What goes to each place, along the axis that is shared out, in one piece each.
  struct shared_parts {
    extents shape;
    growing<std::byte*> own, from;
  };
  shared_parts exchange_parts() {
    int const axis = static_cast<int>(c_.axis);
    shared_parts p{x_.shape, growing<std::byte*>(n_, nullptr), growing<std::byte*>(n_, nullptr)};
    p.shape[axis] /= c_.group;
    extent const length = count_of(p.shape) * size_;
    for (int k = 0; k < n_; ++k) {
      p.own[k] = borrow(length);
      cpu::copy(static_cast<int>(size_), p.shape,
                x_.first + k * p.shape[axis] * x_.strides[axis] * size_, x_.strides, p.own[k],
                row_major_strides(p.shape));
    }
    p.from[place_] = p.own[place_];
    each_other([&](int k) {
      p.from[k] = borrow(length);
      give(k, p.own[k], length);
      take(k, p.from[k], length);
    });
    exchange();
    return p;
  }
  void reduce_scatter() {
    shared_parts const p = exchange_parts();
    growing<std::byte const*> values;
    for (std::byte* v : p.from) values.push(v);
    combine(values, count_of(p.shape), out_);
  }
  void all_to_all() {
    shared_parts const p = exchange_parts();
    join(p.from, p.shape, static_cast<int>(c_.to_axis));
  }

  void clear() const {
    if (bytes() > 0) std::memset(out_, 0, static_cast<std::size_t>(bytes()));
  }
  void broadcast() {
    if (first_ < 0) return clear();
    bool const root = place_ == 0, whole = in_one_round(c_, bytes());
    if (root) copy_own(out_);
    if (whole) {
      if (!root) take(0, out_, bytes());
      else each_other([&](int k) { give(k, out_, bytes()); });
      return exchange();
    }
    if (!root) take(0, out_ + share(place_), share_bytes(place_));
    else each_other([&](int k) { give(k, out_ + share(k), share_bytes(k)); });
    exchange();
    exchange_shares(1);
  }
  void permute() {
    bool const gets = first_ >= 0, own = gets && c_.ranks[first_] == others_.rank();
    if (own) copy_own(out_);
    else if (!gets) clear();
    if (gets && !own) takes_.push({c_.ranks[first_], out_, bytes()});
    each_getter(c_, others_.rank(), [&](extent to) {
      std::byte* const packed = borrow(bytes());
      copy_own(packed);
      gives_.push({to, packed, bytes()});
    });
    exchange();
  }

  rank_transport& others_;
  collective const& c_;
  cpu::strided_array const& x_;
  std::byte* out_;
  std::byte* at_; // what is left of the scratch
  int node_;
  extent size_, count_;
  int first_, n_, place_ = 0; // where the group stands, its ranks, this rank's place among them
  growing<given_bytes> gives_;
  growing<taken_bytes> takes_;
};

} // namespace detail

namespace cpu {

class rank_member : public rank_group {
public:
  explicit rank_member(rank_transport& others) : others_(others) {}
  extent rank() const override { return others_.rank(); }
  extent world() const override { return others_.world(); }
  void begin(graph_view, std::uint64_t&) override {}
  void failed(char const*) override {}
  void enters() override {}
  void exchange(collective const& c, int id, strided_array const& x, std::byte* out,
                scratch memory) override {
    weft::detail::member_call(others_, c, id, x, out, memory).run();
  }

private:
  rank_transport& others_;
};

} // namespace cpu
} // namespace weft::inline v0
