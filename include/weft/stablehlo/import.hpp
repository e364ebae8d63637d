// SPDX-License-Identifier: BSL-1.0
// A StableHLO module as a graph.
//   constexpr auto program = stablehlo::to_graph(stablehlo::parse(text));
//   if (program.error.failed) ... error.line, error.column, error.text
// The entry is @main, or the only public function; functions are inlined. Inputs are main's arguments
// in order, a tuple's members as leaves; outputs its results. Every operation's result is inferred by
// the rules of weft's ops and compared with the type that the text states.
// Needs: nothing; a module that failed to parse fails here, too. Leaves: never throws, works in
// constant evaluation; the first mistake with its place in the text, or a graph that verify accepts,
// without what no result needs.
// Extents `?` of main's arguments become names, d0, d1, ...
#pragma once

#include <weft/graph/verify.hpp>
#include <weft/pass/dce.hpp>
#include <weft/pass/step_slices.hpp>
#include <weft/stablehlo/import_operation.hpp>
#include <weft/stablehlo/reader.hpp>

namespace weft::inline v0::stablehlo {

struct imported {
  graph program;
  failure error;
  growing<text_span> names; // of the inputs, in the module's characters; empty where none is given
};

namespace detail {

constexpr int entry_of(module_ir const& m) {
  int only = -1, publics = 0;
  for (int f = 0; f < m.functions.size(); ++f) {
    if (m.is(m.functions[f].name, "main")) return f;
    if (m.functions[f].is_public) only = f, ++publics;
  }
  return publics == 1 ? only : -1;
}
// What the text says of argument i under a name; nullptr: nothing.
constexpr attribute const* said_of_argument(module_ir const& m, function const& f, int i,
                                            char const* name) {
  if (f.argument_attributes < 0) return nullptr;
  return m.find(m.attributes[f.argument_attributes + i], name);
}
// Names of `?` that an import before this one found to be equal: the second is the first.
inline constexpr int most_equal_names = 64;
struct equal_names {
  growing<extent> first, second;

  constexpr extent of(extent name) const {
    for (int i = 0; i < first.size(); ++i)
      if (second[i] == name) name = first[i];
    return name;
  }
};
// Names for the `?` of arguments: one for what weft.extents, which the export writes, calls the same.
class argument_extents {
public:
  constexpr argument_extents(importing& c, equal_names const& equal) : c_(c), equal_(equal) {}

  // said: weft.extents, or nullptr.
  constexpr extent name(attribute const* said, int axis) {
    view<char> const text = spelling(said, axis);
    named_values const* const known = text.empty() ? nullptr : known_.find(text);
    if (known != nullptr) return equal_.of(names_[known->first]);
    names_.push(c_.fresh_name());
    if (!text.empty()) known_.add(text, names_.size() - 1, 1);
    return equal_.of(names_.back());
  }

private:
  constexpr view<char> spelling(attribute const* said, int axis) const {
    bool const lists = said != nullptr && said->kind == attribute_kind::list && axis < said->count;
    if (!lists) return {};
    attribute const& one = c_.m.attributes[said->first + axis];
    return one.kind == attribute_kind::string ? c_.m.text(one.text) : view<char>{};
  }

  importing& c_;
  equal_names const& equal_;
  value_names known_;
  growing<extent> names_;
};
constexpr void add_input(importing& c, operation const& o, value_type const& t,
                         argument_extents& names, attribute const* said, input_info& info,
                         growing<handle>& all) {
  if (t.kind == type_kind::tuple)
    for (int i = 0; i < t.member_count; ++i)
      add_input(c, o, c.m.types[c.m.members[t.first_member + i]], names, nullptr, info, all);
  if (t.kind != type_kind::tensor) return;
  extents s = t.shape;
  for (int i = 0; i < s.rank; ++i)
    if (s[i] == dynamic_extent) s[i] = names.name(said, i);
  if (!is_buildable(c, o, s)) return;
  all.push(c.r.input(t.element, s, info));
  ++info.leaf;
}
constexpr void record_function(importing& c, function const& f, equal_names const& equal,
                               growing<text_span>& names) {
  operation at; // failures of main itself
  at.what = code::func_call;
  at.line = f.line;
  at.column = f.column;
  if (f.region < 0) return c.fail(at, "the function has no body");
  module_region const& body = c.m.regions[f.region];
  growing<handle> arguments;
  argument_extents extents_of(c, equal);
  for (int i = 0; i < body.argument_count && c.ok(); ++i) {
    input_info info{i, 0, false};
    add_input(c, at, c.m.type_of(body.first_argument + i), extents_of,
              said_of_argument(c.m, f, i, "weft.extents"), info, arguments);
    attribute const* const name = said_of_argument(c.m, f, i, "weft.name");
    while (names.size() < arguments.size()) names.push(name == nullptr ? text_span{} : name->text);
  }
  growing<handle> const results = c.call(at, f.name, arguments);
  if (c.ok()) c.r.finish(results);
}
constexpr void fail_at(failure& e, function const* f, message const& words) {
  e.failed = true;
  e.line = f == nullptr ? 1 : f->line;
  e.column = f == nullptr ? 1 : f->column;
  e.text = words;
}

constexpr bool is_of_input(graph const& g, extent name) {
  for (node const& n : g.nodes)
    if (n.code == op::parameter && n.region == 0 &&
        weft::detail::times(g.shapes[n.shape], name) > 0)
      return is_named(name);
  return false;
}
// Loops that count over slices are scans over them; where there are none, the program as it is.
constexpr graph with_steps_sliced(graph g) {
  if (g.regions.size() == 1) return g;
  graph const needed = dce(g); // what nothing needs reads nothing
  if (!has_step_slices(needed)) return g;
  return dce(step_slices(needed));
}
// False: two names have turned out to be one; again, from the start.
constexpr bool import_entry(module_ir const& m, function const& entry, view<custom_call> calls,
                            equal_names& equal, imported& result) {
  recorder r;
  importing c(m, r, calls, import_operation);
  result.names.clear();
  record_function(c, entry, equal, result.names);
  result.error = c.error;
  if (!c.ok()) {
    // The later name is the other one's from now on.
    extent const a = c.same_as[0], b = c.same_as[1];
    if (!is_of_input(r.result, a) || !is_of_input(r.result, b) ||
        equal.first.size() >= most_equal_names)
      return true;
    equal.first.push(a > b ? a : b);
    equal.second.push(a > b ? b : a);
    return false;
  }
  verify_error const broken = verify(r.result);
  if (broken || r.result.error != trace_error::clean)
    fail_at(result.error, &entry,
            message("weft: stablehlo: the program is not sound: ")
                .add(text_of(broken ? broken.broken : rule::graph_3)));
  else result.program = with_steps_sliced(std::move(r.result));
  return true;
}

} // namespace detail

constexpr imported to_graph(module_ir const& m, view<custom_call> calls = {}) {
  imported result;
  result.error = m.error;
  if (m.error.failed) return result;
  int const entry = detail::entry_of(m);
  if (entry < 0) {
    detail::fail_at(result.error, nullptr,
                    "weft: stablehlo: there is no function @main, nor one public function");
    return result;
  }
  detail::equal_names equal;
  while (!detail::import_entry(m, m.functions[entry], calls, equal, result)) {
  }
  return result;
}

} // namespace weft::inline v0::stablehlo
