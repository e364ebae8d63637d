// SPDX-License-Identifier: BSL-1.0
// custom_call: the attributes of a node that calls a host function, and the node's builder.
//   {host function, batch axes, results, then type, rank and extents of each result}
// Operands and results have the batch axes in front; names are among their extents.
//   growing<handle> y = call_host(row_norms, {x, 1}, {{dtype::f32, {1, {rows}}}, 1});
// Needs: attributes.hpp. Leaves: one encoding, which verify checks (custom_call_1).
#pragma once

#include <weft/graph/attributes.hpp>
#include <weft/graph/handle.hpp>
#include <weft/graph/host_function.hpp>

namespace weft::inline v0 {

struct result_info {
  dtype type{};
  extents shape;
};

inline constexpr int custom_call_head = 3;

constexpr int batch_axes_of(view<extent> custom_call) { return static_cast<int>(custom_call[1]); }
constexpr int custom_result_count(view<extent> custom_call) {
  return static_cast<int>(custom_call[2]);
}
namespace detail {
// Where result i is told of.
constexpr int place_of_custom_result(view<extent> a, int i) {
  int at = custom_call_head;
  for (; i > 0; --i) at += 2 + static_cast<int>(a[at + 1]);
  return at;
}
} // namespace detail
constexpr result_info custom_result(view<extent> a, int i) {
  int const at = detail::place_of_custom_result(a, i);
  result_info r{static_cast<dtype>(a[at]), {}};
  for (int k = 0; k < static_cast<int>(a[at + 1]); ++k) r.shape.push(a[at + 2 + k]);
  return r;
}
constexpr growing<extent> encode_custom_call(extent host, int batch_axes,
                                             view<result_info> results) {
  growing<extent> a;
  a.push(host);
  a.push(batch_axes);
  a.push(results.size());
  for (result_info const& r : results) {
    a.push(static_cast<extent>(r.type));
    a.push(r.shape.rank);
    for (int i = 0; i < r.shape.rank; ++i) a.push(r.shape[i]);
  }
  return a;
}
// The same with one more batch axis in front.
constexpr growing<extent> custom_call_led(view<extent> a, extent length) {
  growing<result_info> results;
  for (int i = 0; i < custom_result_count(a); ++i) {
    result_info const r = custom_result(a, i);
    results.push({r.type, with_leading(length, r.shape)});
  }
  return encode_custom_call(a[0], batch_axes_of(a) + 1, results);
}
// Calls f.operator()(extent&) for each extent among the attributes.
template <class F> constexpr void for_each_custom_extent(extent* a, F const& f) {
  int at = custom_call_head;
  for (extent i = 0; i < a[2]; ++i) {
    int const rank = static_cast<int>(a[at + 1]);
    for (int k = 0; k < rank; ++k) f(a[at + 2 + k]);
    at += 2 + rank;
  }
}

constexpr host_function const& host_of(graph_view g, int id) {
  return *g.hosts[static_cast<int>(g.attribute(id, 0))];
}

// Records a call of f: one handle per result.
constexpr growing<handle> call_host(host_function const& f, view<handle> operands,
                                    view<result_info> results, int batch_axes = 0) {
  recorder& r = place_of(operands).taker();
  growing<extent> const a = encode_custom_call(r.result.add_host(&f), batch_axes, results);
  dtype const type = results.empty() ? dtype::boolean : results[0].type;
  handle const call = r.emit(op::custom_call, type, {}, operands, a);
  growing<handle> all;
  for (int i = 0; i < results.size(); ++i)
    all.push(get(call, i, results[i].type, results[i].shape));
  return all;
}

} // namespace weft::inline v0
