// SPDX-License-Identifier: BSL-1.0
// What partitioning did, as text: how every value stands on the ranks, what each has of it, every
// collective with the bytes that one rank sends, in all and in loops.
//   mesh data=2, model=2: 4 ranks
//   %0 = parameter : f32(8, 6) [data, -], here (4, 6)
//   %3 = contract %0 %2 : f32(8, 12) [data, model], here (4, 6)
//   %6 = contract %5 %4 : f32(8, 6) [data, -], here (4, 6)
//       all_reduce along model, 192 bytes, for the results
//   192 bytes in 1 collective
// Needs: the graph that was partitioned. Leaves: the words for faults, and usage_error with them.
#pragma once

#include <weft/graph/print.hpp>
#include <weft/pass/partition.hpp>

namespace weft::inline v0 {
namespace detail {

constexpr char const* name_of(reshard_kind k) {
  return k == reshard_kind::slice ? "slice" : weft::name_of(collective_of(k));
}

class partition_printer {
public:
  partition_printer(graph_view g, partitioned const& p, mesh_axes const& mesh)
      : g_(g), p_(p), mesh_(mesh), order_(nodes_by_region(g)), of_value_(g.size()) {
    for (int i = 0; i < p.moves.size(); ++i) of_value_[p.moves[i].value].push(i);
  }
  std::string text() const {
    std::string t = "mesh ";
    for (int m = 0; m < mesh_.count; ++m)
      t += std::string(m == 0 ? "" : ", ") + mesh_.d[m].name + "=" +
           std::to_string(mesh_.d[m].size);
    t += ": " + std::to_string(mesh_.ranks) + " ranks\n" + region(0, "");
    extent bytes = 0;
    for (partition_move const& m : p_.moves) bytes += m.bytes * m.times;
    return t + std::to_string(bytes) + " bytes in " + std::to_string(p_.moves.size()) +
           (p_.moves.size() == 1 ? " collective\n" : " collectives\n");
  }

private:
  std::string region(int r, std::string const& indent) const {
    std::string t;
    for (int id : order_[r]) {
      if (g_[id].body >= 0) t += loop(id, indent);
      else t += indent + line(id) + "\n";
      for (int i : of_value_[id]) t += indent + "    " + moved(p_.moves[i]) + "\n";
    }
    t += indent + "return";
    for (int id : g_.outputs_of(r)) t += " %" + std::to_string(id);
    if (r == 0)
      for (int i = 0; i < p_.out.size(); ++i)
        t += (i == 0 ? ": " : ", ") + sharding_text(p_.out[i], g_.shape(g_.outputs_of(0)[i]).rank);
    return t + "\n";
  }
  std::string sharding_text(sharding s, int rank) const {
    return print_sharding(s, rank, mesh_).c_str();
  }
  std::string head(int id) const {
    std::string t = "%" + std::to_string(id) + " = " + weft::name_of(g_[id].code);
    for (int x : g_.operands_of(id)) t += " %" + std::to_string(x);
    return t;
  }
  std::string line(int id) const {
    if (has_several_results(g_[id].code)) return head(id);
    extents const& shape = g_.shape(id);
    std::string t = head(id) + " : " + weft::name_of(g_[id].type) + print_shape(shape) + " " +
                    sharding_text(p_.stands[id], shape.rank);
    extents const here = local_shape(shape, p_.stands[id], mesh_);
    return here == shape ? t : t + ", here " + print_shape(here);
  }
  std::string loop(int id, std::string const& indent) const {
    weft::loop const l = loop_of(g_, id);
    std::string const times = g_[id].code == op::scan ? ", " + print_extent(l.length) + " times"
                                                      : "";
    return indent + head(id) + times + "\n" + region(g_[id].body, indent + "    ");
  }
  std::string moved(partition_move const& m) const {
    std::string t = name_of(m.step.kind);
    mesh_axes const along = along_of(m.step, m.before, mesh_);
    for (int k = 0; k < along.count; ++k)
      t += (k == 0 ? " along " : "*") + std::string(along.d[k].name);
    int const rank = g_.shape(m.value).rank;
    if (!(m.before == m.after))
      t += ", " + sharding_text(m.before, rank) + " to " + sharding_text(m.after, rank);
    t += ", " + std::to_string(m.bytes) + " bytes";
    if (m.times > 1)
      t += " " + std::to_string(m.times) + " times: " + std::to_string(m.bytes * m.times);
    return t + (m.user < 0 ? ", for the results" : ", for %" + std::to_string(m.user));
  }

  graph_view g_;
  partitioned const& p_;
  mesh_axes const& mesh_;
  growing<growing<int>> order_;
  growing<growing<int>> of_value_;
};

} // namespace detail

inline std::string print_partition(graph_view g, partitioned const& p, mesh_axes const& mesh) {
  return detail::partition_printer(g, p, mesh).text();
}

namespace detail {

constexpr message fault_text(partition_fault const& f) {
  switch (f.code) {
    case partition_error::counts:
      return message(
          "weft: partition: a sharding is wanted for every input, and for every output or "
          "none");
    case partition_error::collective:
      return message("weft: partition: the function has a collective or axis_index; it is of whole "
                     "arrays, and ranks exchange what that takes: node ")
          .add(f.number);
    case partition_error::input: return fault_text(f.what).add(" (input ").add(f.number).add(")");
    case partition_error::output: return fault_text(f.what).add(" (output ").add(f.number).add(")");
    default: return fault_text(f.what).add(" (shard, node ").add(f.number).add(")");
  }
}

} // namespace detail

// The same, or usage_error.
inline partitioned checked_partition(graph_view g, mesh_axes const& mesh, view<sharding> in,
                                     view<sharding> out = {}) {
  partitioned p = partition(g, mesh, in, out);
  if (p.fault) raise<usage_error>(detail::fault_text(p.fault));
  return p;
}

} // namespace weft::inline v0
