// SPDX-License-Identifier: BSL-1.0
// rank_member: one rank's side of every collective, on arrays in memory, over a rank_transport: what
// is sent first is sent when it starts, what is made of what has come is made when it is finished.
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

#include <deque>

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

// One collective of one rank, from its start to its finish. It stays where it is meanwhile.
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
  member_call(member_call const&) = delete;
  member_call& operator=(member_call const&) = delete;

  // Reads x, and starts the messages of the first round.
  void start() {
    switch (c_.kind) {
      case collective_kind::all_reduce: start_all_reduce(); break;
      case collective_kind::all_gather: start_all_gather(); break;
      case collective_kind::reduce_scatter:
      case collective_kind::all_to_all: start_parts(); break;
      case collective_kind::broadcast: start_broadcast(); break;
      case collective_kind::permute: start_permute(); break;
    }
    if (exchanges_) number_ = others_.start({c_, x_.type, x_.shape, node_}, gives_, takes_);
  }
  void finish() {
    if (number_ < 0) return;
    others_.finish(number_);
    switch (c_.kind) {
      case collective_kind::all_reduce: return finish_all_reduce();
      case collective_kind::all_gather:
        return parts_.empty() ? void() : join(x_.shape, static_cast<int>(c_.axis));
      case collective_kind::reduce_scatter: return combine(count_of(part_), out_);
      case collective_kind::all_to_all: return join(part_, static_cast<int>(c_.to_axis));
      case collective_kind::broadcast: return whole() ? void() : exchange_shares(1);
      case collective_kind::permute: return;
    }
  }

private:
  extent member(int k) const { return c_.ranks[first_ + k]; }
  extent bytes() const { return count_ * size_; }
  bool whole() const { return in_one_round(c_, bytes()); }
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
  // f(k) for every other place of the group.
  template <class F> void each_other(F const& f) const {
    for (int k = 0; k < n_; ++k)
      if (k != place_) f(k);
  }
  // The parts, by place.
  void combine(extent count, std::byte* to) const {
    growing<std::byte const*> values;
    for (std::byte* p : parts_) values.push(p);
    with_dtype(x_.type,
               [this]<dtype D>() { return combining_values<D>(c_.combine); })({values, count, to});
  }

  // Place k's share of all elements, in bytes from the first.
  extent share(int k) const { return share_start(count_, k, n_) * size_; }
  extent share_bytes(int k) const { return share(k + 1) - share(k); }

  extent own_share() const { return whole() ? 0 : share(place_); }
  extent own_share_bytes() const { return whole() ? bytes() : share_bytes(place_); }
  void start_all_reduce() {
    copy_own(out_);
    parts_.assign(n_, out_ + own_share());
    each_other([&](int k) {
      parts_[k] = borrow(own_share_bytes());
      give(k, out_ + (whole() ? 0 : share(k)), whole() ? bytes() : share_bytes(k));
      take(k, parts_[k], own_share_bytes());
    });
  }
  void finish_all_reduce() {
    combine(own_share_bytes() / size_, out_ + own_share());
    if (!whole()) exchange_shares(0);
  }
  // The second round: every place's share of `out`, to all from `first_to` on, by all that hold one.
  void exchange_shares(int first_to) {
    gives_.clear();
    takes_.clear();
    each_other([&](int k) {
      if (k >= first_to) give(k, out_ + share(place_), share_bytes(place_));
      if (place_ >= first_to) take(k, out_ + share(k), share_bytes(k));
    });
    others_.exchange({c_, x_.type, x_.shape, node_, 1}, gives_, takes_);
  }
  // Received where they belong, or beside it.
  void start_all_gather() {
    bool const in_place = parts_are_whole(x_.shape, static_cast<int>(c_.axis));
    growing<std::byte*> to(n_, nullptr);
    for (int k = 0; k < n_; ++k) to[k] = in_place ? out_ + k * bytes() : borrow(bytes());
    copy_own(to[place_]);
    each_other([&](int k) {
      give(k, to[place_], bytes());
      take(k, to[k], bytes());
    });
    if (!in_place) parts_ = to;
  }
  // The parts, row-major and of one shape, one after the other along an axis of `out`.
  void join(extents const& part, int axis) const {
    extents whole = part;
    whole[axis] *= n_;
    extents const to = row_major_strides(whole), from = row_major_strides(part);
    for (int k = 0; k < n_; ++k)
      cpu::copy(static_cast<int>(size_), part, parts_[k], from,
                out_ + k * part[axis] * to[axis] * size_, to);
  }
  // What goes to each place, along the axis that is shared out, in one piece each.
  void start_parts() {
    int const axis = static_cast<int>(c_.axis);
    part_ = x_.shape;
    part_[axis] /= c_.group;
    extent const length = count_of(part_) * size_;
    growing<std::byte*> own(n_, nullptr);
    for (int k = 0; k < n_; ++k) {
      own[k] = borrow(length);
      cpu::copy(static_cast<int>(size_), part_,
                x_.first + k * part_[axis] * x_.strides[axis] * size_, x_.strides, own[k],
                row_major_strides(part_));
    }
    parts_.assign(n_, own[place_]);
    each_other([&](int k) {
      parts_[k] = borrow(length);
      give(k, own[k], length);
      take(k, parts_[k], length);
    });
  }

  void clear() const {
    if (bytes() > 0) std::memset(out_, 0, static_cast<std::size_t>(bytes()));
  }
  void start_broadcast() {
    exchanges_ = first_ >= 0;
    if (!exchanges_) return clear();
    bool const root = place_ == 0;
    if (root) copy_own(out_);
    if (!root) take(0, out_ + own_share(), own_share_bytes());
    else
      each_other([&](int k) {
        give(k, out_ + (whole() ? 0 : share(k)), whole() ? bytes() : share_bytes(k));
      });
  }
  void start_permute() {
    bool const gets = first_ >= 0, own = gets && c_.ranks[first_] == others_.rank();
    if (own) copy_own(out_);
    else if (!gets) clear();
    if (gets && !own) takes_.push({c_.ranks[first_], out_, bytes()});
    each_getter(c_, others_.rank(), [&](extent to) {
      std::byte* const packed = borrow(bytes());
      copy_own(packed);
      gives_.push({to, packed, bytes()});
    });
  }

  rank_transport& others_;
  collective const c_;
  cpu::strided_array const x_;
  std::byte* out_;
  std::byte* at_; // what is left of the scratch
  int node_;
  extent size_, count_;
  int first_, n_, place_ = 0; // where the group stands, its ranks, this rank's place among them
  bool exchanges_ = true;     // false: nothing that concerns this rank
  int number_ = -1;           // of the transport; -1: not started there
  growing<given_bytes> gives_;
  growing<taken_bytes> takes_;
  growing<std::byte*> parts_; // by place
  extents part_;              // their shape
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
  void start(collective const& c, int id, strided_array const& x, std::byte* out,
             scratch memory) override {
    calls_.emplace_back(others_, c, id, x, out, memory).start();
  }
  std::int64_t started() const override {
    return finished_ + static_cast<std::int64_t>(calls_.size());
  }
  void finish(std::int64_t number) override {
    for (; finished_ < number; ++finished_) {
      calls_.front().finish();
      calls_.pop_front();
    }
  }
  void abandon() noexcept override {
    others_.abandon();
    if (calls_.empty()) return;
    finished_ = given_up_ = started();
    calls_.clear();
  }
  std::int64_t given_up() const override { return given_up_; }
  void progress() override { others_.progress(); }

private:
  rank_transport& others_;
  std::deque<weft::detail::member_call> calls_; // that are under way, the first first
  std::int64_t finished_ = 0;                   // or given up
  std::int64_t given_up_ = 0;                   // the last of these
};

} // namespace cpu
} // namespace weft::inline v0
