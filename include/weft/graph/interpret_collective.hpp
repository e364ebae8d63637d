// SPDX-License-Identifier: BSL-1.0
// What a collective gives a rank, from the values of its group; an interpreter that is one of several
// ranks gets them by a rank_transport.
// Needs: attributes that verify accepts. Leaves: values that are the same whoever computes them.
// Errors: usage_error where a program for several ranks is run by one alone.
#pragma once

#include <weft/graph/interpret_gather.hpp>
#include <weft/graph/interpret_movement.hpp>
#include <weft/graph/rank_transport.hpp>

namespace weft::inline v0 {

namespace detail {

constexpr op combining_op(collective_combine c) {
  constexpr op codes[] = {op::add, op::mul, op::minimum, op::maximum, op::bit_and, op::bit_or};
  return codes[static_cast<int>(c)];
}
// Part `i` of `parts` along an axis.
constexpr dense part_of(dense const& x, int axis, extent i, extent parts) {
  extents shape = x.shape;
  shape[axis] /= parts;
  extent attributes[3 * max_rank]{};
  for (int k = 0; k < shape.rank; ++k) {
    attributes[k] = k == axis ? i * shape[axis] : 0;
    attributes[shape.rank + k] = attributes[k] + shape[k];
    attributes[2 * shape.rank + k] = 1;
  }
  return slice_dense(x, shape, {attributes, 3 * shape.rank});
}
constexpr dense joined(view<dense> parts, int axis) {
  extents shape = parts[0].shape;
  for (int k = 1; k < parts.size(); ++k) shape[axis] += parts[k].shape[axis];
  dense result(parts[0].type, shape);
  extent start = 0;
  for (dense const& part : parts) start = place_part(result, part, axis, start);
  return result;
}
template <class Table>
constexpr dense combined(collective const& c, view<dense> group, Table const& table) {
  dtype const type = group[0].type, wide = accumulator_of(type);
  word_function const combine = function_in(table, combining_op(c.combine), wide, wide);
  dense sum = converted_dense(dense(group[0]), wide, table);
  for (int k = 1; k < group.size(); ++k) {
    dense const more = converted_dense(dense(group[k]), wide, table);
    for (int i = 0; i < sum.size(); ++i) {
      word const both[2] = {sum[i], more[i]};
      combine(both, &sum[i]);
    }
  }
  return converted_dense(std::move(sum), type, table);
}
// What `rank` gets; `of(r)` is the value of rank r.
template <class Of, class Table>
constexpr dense collective_dense(collective const& c, extent rank, dense const& mine, Of const& of,
                                 Table const& table) {
  int const first = c.group_of(rank);
  if (first < 0) return dense(mine.type, mine.shape);
  if (c.kind == collective_kind::permute || c.kind == collective_kind::broadcast)
    return of(c.ranks[first]);
  growing<dense> group;
  int place = 0;
  for (int i = 0; i < c.group; ++i) {
    extent const r = c.ranks[first + i];
    if (r == rank) place = i;
    group.push(of(r));
  }
  int const axis = static_cast<int>(c.axis);
  switch (c.kind) {
    case collective_kind::all_gather: return joined(group, axis);
    case collective_kind::all_to_all:
      for (dense& x : group) x = part_of(x, axis, place, c.group);
      return joined(group, static_cast<int>(c.to_axis));
    case collective_kind::reduce_scatter:
      return part_of(combined(c, group, table), axis, place, c.group);
    default: return combined(c, group, table);
  }
}
// Everybody's values that `rank` gets, by rank; of others nothing.
inline growing<dense> values_given(collective const& c, dense const& mine, rank_transport& others) {
  extent const bytes = static_cast<extent>(sizeof(word)) * mine.size();
  growing<dense> all(static_cast<int>(c.world));
  growing<given_bytes> gives;
  growing<taken_bytes> takes;
  all[static_cast<int>(others.rank())] = mine;
  each_getter(c, others.rank(), [&](extent r) { gives.push({r, mine.words.data(), bytes}); });
  each_giver(c, others.rank(), [&](extent r) {
    dense& theirs = all[static_cast<int>(r)] = dense(mine.type, mine.shape);
    takes.push({r, theirs.words.data(), bytes});
  });
  others.exchange({c, mine.type, mine.shape}, gives, takes);
  return all;
}
// The same through a transport; without one, this rank is alone.
template <class Table>
constexpr dense exchanged(collective const& c, dense const& mine, rank_transport* others,
                          Table const& table) {
  extent const world = others == nullptr ? 1 : others->world();
  if (world != c.world) raise_world(name_of(c.kind), c.world, world);
  if (others == nullptr)
    return collective_dense(
        c, 0, mine, [&mine](extent) -> dense const& { return mine; }, table);
  growing<dense> const all = values_given(c, mine, *others);
  return collective_dense(
      c, others->rank(), mine,
      [&all](extent r) -> dense const& { return all[static_cast<int>(r)]; }, table);
}

} // namespace detail
} // namespace weft::inline v0
