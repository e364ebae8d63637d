// SPDX-License-Identifier: BSL-1.0
// arg_reduce as a launch, over keys (opencl/key_text.hpp): the first element of the largest key. An
// item looks through all elements of a result; or a group does, where there are many of them and the
// device has many items.
// Needs: a bound graph, its accesses; elements (expect_elements). Leaves: the interpreter's bits.
#pragma once

#include <weft/opencl/key_text.hpp>

namespace weft::inline v0 {
namespace detail::opencl_moves {

struct reduced_axes {
  nest kept, reduced; // places: 0 in the result, 1 in x
};
inline reduced_axes axes_of_reduction(graph_view g, accesses const& reads, int id) {
  int const x = g.operand(id, 0);
  extents const steps = strides_of(g, reads, x), to = row_major_strides(g.shape(id));
  nest kept, reduced;
  for (int i = 0, k = 0; i < steps.rank; ++i)
    if (has_axis(g.attribute(id, 0), i)) reduced.push({g.shape(x)[i], {0, steps[i], 0}, -1});
    else kept.push({g.shape(x)[i], {to[k++], steps[i], 0}, -1});
  return {merged(kept), merged(reduced)};
}
// The loop over an item's elements: every `step`th from `start` on. Leaves: best_key and best.
inline void write_search(launch_writer& w, dtype type, nest const& reduced, std::string const& x,
                         std::string const& start, std::string const& step,
                         std::string const& opposite) {
  w.line(std::string(key_type(type)) + " best_key = 0;");
  w.line("index best = " + start + ";");
  w.open("for (index q = " + start + "; q < " + w.number(count_of(reduced)) + "; q += " + step +
         ")");
  w.line("index s = q;");
  growing<std::string> const at = w.indices(reduced, "s", "j");
  w.line(std::string("const ") + key_type(type) +
         " key = " + key_of(type, x + "[from + " + w.place(reduced, at, 1) + "]", opposite) + ";");
  w.line("best = key > best_key ? q : best;");
  w.line("best_key = key > best_key ? key : best_key;");
  w.close();
}
// Of a group's items, the first of those with the largest key.
inline void write_group_search(launch_writer& w, dtype type, extent group) {
  std::string const size = std::to_string(group);
  w.line(std::string("__local ") + key_type(type) + " keys[" + size + "];");
  w.line("__local index places[" + size + "];");
  write_lines(w, "keys[me] = best_key;\n"
                 "places[me] = best;\n"
                 "barrier(CLK_LOCAL_MEM_FENCE);\n");
  w.open("for (int half_way = " + std::to_string(group / 2) + "; half_way > 0; half_way /= 2)");
  w.open("if (me < half_way)");
  w.line(std::string("const ") + key_type(type) + " other = keys[me + half_way];");
  write_lines(w, "const index place = places[me + half_way];\n"
                 "if (other > keys[me] || (other == keys[me] && place < places[me])) {\n"
                 "  keys[me] = other;\n"
                 "  places[me] = place;\n"
                 "}\n");
  w.close();
  w.line("barrier(CLK_LOCAL_MEM_FENCE);");
  w.close();
}
inline void add_arg_reduce(step_text& text, device_traits const& on, graph_view g,
                           accesses const& reads, int id) {
  int const x = g.operand(id, 0);
  dtype const type = g[x].type;
  bool const smallest = g.attribute(id, 1) != 0;
  auto const [kept, reduced] = axes_of_reduction(g, reads, id);
  constexpr extent worth_a_group = 64; // elements of one result
  bool const by_group = !on.is_cpu && count_of(reduced) >= worth_a_group;
  extent group = group_of(on);
  while (by_group && (group & (group - 1)) != 0) group &= group - 1; // a power of two
  launch_writer w("arg_reduce");
  define_key(w.functions(), type);
  std::string const y = w.output(dtype::i32, result_of(g, id)),
                    from = w.input(as_moved(size_of(type)), memory_of(g, reads, x)),
                    opposite = w.number(smallest ? 1 : 0);
  w.reaches(reach_of(kept, 0));
  w.reaches(reach_of(kept, 1) + reach_of(reduced, 1));
  if (!by_group) w.item(count_of(kept));
  else if (!kept.empty()) w.line("index r = (index)get_group_id(0);");
  growing<std::string> const at = w.indices(kept, "r", "i");
  w.line("const index from = " + w.place(kept, at, 1) + ";");
  std::string const to = y + "[" + w.place(kept, at, 0) + "] = (int)";
  if (!by_group) {
    write_search(w, type, reduced, from, "0", "1", opposite);
    w.line(to + "best;");
    return w.launch(text, count_of(kept) < group ? 1 : group);
  }
  w.line("const int me = (int)get_local_id(0);");
  w.reaches(count_of(reduced) + group);
  write_search(w, type, reduced, from, "me", std::to_string(group), opposite);
  write_group_search(w, type, group);
  w.line("if (me == 0) " + to + "places[0];");
  w.launch_groups(text, count_of(kept), group);
}

} // namespace detail::opencl_moves
} // namespace weft::inline v0
