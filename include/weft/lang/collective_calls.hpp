// SPDX-License-Identifier: BSL-1.0
// Collectives as function objects, one per kind and words: what lang/collectives.hpp calls with a
// traced array. Needs: words and mesh that were checked. Leaves: the array itself after an error.
#pragma once

#include <weft/lang/both_doors.hpp>
#include <weft/lang/collective_rules.hpp>
#include <weft/lang/full_precision.hpp>

namespace weft::inline v0::detail {

template <class M, mesh_word... W> struct all_reduce_call : plain_call {
  static constexpr bool takes_keys = false;
  template <traced_array A> constexpr A operator()(A const& a) const {
    constexpr mesh_request q = request_of<M, W...>();
    if constexpr (!check_combine<q.how, typename A::element_type>()) return a;
    else return {combined_along(q, a, a.value, collective_kind::all_reduce)};
  }
};
template <class M, mesh_word... W> struct all_gather_call : plain_call {
  template <traced_array A> constexpr auto operator()(A const& a) const {
    using S = typename A::shape_type;
    constexpr mesh_request q = request_of<M, W...>();
    if constexpr (!check_axes<S, q.numbers[0]>()) return a;
    else if constexpr (!check_extent_names < q.name_count,
                       has_named_axis<S, q.numbers[0]> ? 1 : 0 > ())
      return a;
    else if constexpr (!check_room<S, q.name_count>()) return a;
    else {
      constexpr int axis = plain_axis(q.numbers[0], S::rank);
      constexpr bool named = q.name_count > 0;
      constexpr extents to = with_extent(S::value, axis,
                                         named ? q.names[0] : S::value[axis] * q.along.group());
      handle const x = named ? reshape(a.value, with_axis(S::value, axis, 1)) : a.value;
      handle const all = exchange_along(q.along, x, collective_kind::all_gather, q.how, axis);
      return traced_of<typename A::element_type, to>{named ? reshape(all, to) : all};
    }
  }
};
template <class M, mesh_word... W> struct reduce_scatter_call : plain_call {
  template <traced_array A> constexpr auto operator()(A const& a) const {
    using T = typename A::element_type;
    using S = typename A::shape_type;
    constexpr mesh_request q = request_of<M, W...>();
    if constexpr (!check_axes<S, q.numbers[0]>() || !check_combine<q.how, T>()) return a;
    else if constexpr (!check_extent_names < q.name_count,
                       has_named_axis<S, q.numbers[0]> ? 1 : 0 > ())
      return a;
    else if constexpr (!check_shared<S, q.numbers[0], q.along.group()>() ||
                       !check_room<S, q.name_count>())
      return a;
    else {
      constexpr int axis = plain_axis(q.numbers[0], S::rank);
      constexpr bool named = q.name_count > 0;
      constexpr extents to = with_extent(S::value, axis,
                                         named ? q.names[0] : S::value[axis] / q.along.group());
      handle const x = named ? reshape(a.value, with_axis(to, axis, q.along.group())) : a.value;
      handle const part = combined_along(q, a, x, collective_kind::reduce_scatter, axis);
      return traced_of<T, to>{named ? reshape(part, to) : part};
    }
  }
};

template <class M, mesh_word... W> struct all_to_all_call : plain_call {
  template <traced_array A> constexpr auto operator()(A const& a) const {
    using S = typename A::shape_type;
    constexpr mesh_request q = request_of<M, W...>();
    constexpr int from = q.numbers[0], to = q.numbers[1];
    if constexpr (!check_axes<S, from>() || !check_axes<S, to>()) return a;
    else {
      constexpr int wanted =
          (has_named_axis<S, from> ? 1 : 0) +
          (has_named_axis<S, to> && plain_axis(from, S::rank) != plain_axis(to, S::rank) ? 1 : 0);
      if constexpr (!check_extent_names<q.name_count, wanted>() ||
                    !check_shared<S, from, q.along.group()>() || !check_room<S, wanted>())
        return a;
      else {
        constexpr all_to_all_plan p = plan_all_to_all(q, S::value);
        handle const x = wanted > 0 ? reshape(a.value, p.given) : a.value;
        handle const all = exchange_along(q.along, x, collective_kind::all_to_all, q.how, p.split,
                                          p.join);
        return traced_of<typename A::element_type, p.result>{wanted > 0 ? reshape(all, p.result)
                                                                        : all};
      }
    }
  }
};

template <class M, mesh_word... W> struct broadcast_call : plain_call {
  static constexpr bool takes_keys = true;
  template <traced_leaf A> constexpr A operator()(A const& a) const {
    constexpr mesh_request q = request_of<M, W...>();
    constexpr extent n = q.along.group();
    constexpr bool known = 0 <= q.numbers[0] && q.numbers[0] < n;
    static_assert(
        known, "weft: broadcast: the root is no place along the mesh's axes; places count from 0");
    if constexpr (!known) return a;
    else {
      growing<extent> const ranks = ranks_by_group(q.along, [root = q.numbers[0]](auto put) {
        put(root); // a broadcast is of the first
        for (extent i = 0; i < n; ++i)
          if (i != root) put(i);
      });
      return {exchange_noted(a.value, {.kind = collective_kind::broadcast,
                                       .world = q.along.ranks,
                                       .group = n,
                                       .ranks = ranks})};
    }
  }
};

template <mesh_word... W> constexpr bool once_each(extent ranks) {
  growing<bool> sent(static_cast<int>(ranks), false), got(static_cast<int>(ranks), false);
  bool ok = true;
  auto const take = [&ok, ranks](growing<bool>& seen, extent place) {
    ok = ok && 0 <= place && place < ranks && !seen[static_cast<int>(place)];
    if (ok) seen[static_cast<int>(place)] = true;
  };
  ((W.kind == word_kind::sends ? (take(sent, W.first), take(got, W.second)) : void()), ...);
  return ok;
}
template <extent Ranks, mesh_word... W> concept sends_and_gets_once = once_each<W...>(Ranks);

template <class M, mesh_word... W> struct permute_call : plain_call {
  static constexpr bool takes_keys = true;
  template <traced_leaf A> constexpr A operator()(A const& a) const {
    constexpr mesh_request q = request_of<M, W...>();
    constexpr extent n = q.along.group();
    constexpr bool proper = sends_and_gets_once<n, W...>;
    static_assert(proper, "weft: permute: a place sends twice, gets twice, or is none along the "
                          "mesh's axes");
    if constexpr (!proper) return a;
    else {
      growing<extent> const ranks = ranks_by_group(q.along, [&q](auto put) {
        for (extent i = 0; q.number_count > 0 && i < n; ++i) {
          put(i);
          put(((i + q.numbers[0]) % n + n) % n);
        }
        ((W.kind == word_kind::sends ? (put(W.first), put(W.second)) : void()), ...);
      });
      return {exchange_noted(
          a.value,
          {.kind = collective_kind::permute, .world = q.along.ranks, .group = 2, .ranks = ranks})};
    }
  }
};

} // namespace weft::inline v0::detail
