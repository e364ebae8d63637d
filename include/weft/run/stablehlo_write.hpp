// SPDX-License-Identifier: BSL-1.0
// Functions as StableHLO modules.
//   std::string text = stablehlo::write<step, params<tensor>, tensor<float, 32, 64>, key>();
//   auto const m = stablehlo::exported<step, params<tensor>&&, tensor<float, 32, 64>, key>(
//       {.names = {"params", "x", "key"}, .lift = 64});
//   m.text, m.about (a manifest), m.constants (what was lifted, in the manifest's order)
// Arguments stand in declared order, a struct's leaves by the names of its fields: "params.w1". An
// argument that is written T&& gives its memory to the result of its types, if there is one; it is
// state. A struct of arrays is parameters, a key a key, anything else an input.
// Needs: what jit needs. Leaves: text that JAX, IREE and MLIR's own tools read, the same for the same
// function whatever compiler it is.
#pragma once

#include <weft/array/field_names.hpp>
#include <weft/pass/canonical.hpp>
#include <weft/pass/dce.hpp>
#include <weft/run/program.hpp>
#include <weft/stablehlo/lift_constants.hpp>
#include <weft/stablehlo/manifest.hpp>
#include <weft/stablehlo/print.hpp>

#include <string>
#include <vector>

namespace weft::inline v0::stablehlo {

struct write_options {
  std::vector<std::string> names{}; // of the arguments; "arg0", "arg1", ... where there is none
  text_form form = text_form::generic;
  char const* module = "weft";
  extent lift = -1; // tables of constants of more elements become inputs; -1: none does
};
struct exported_module {
  std::string text;
  manifest about;
  growing<lifted_constant> constants;
};

// An argument of a graph that is written: its name, where it comes from, and the result whose memory
// it may become, or -1.
struct argument_info {
  std::string name;
  location where = location::input;
  int output = -1;
};

namespace detail {

// What the arguments of a call are called, and where they come from.
class argument_list {
public:
  argument_list(graph_view g, std::vector<std::string> const& names) : g_(g), names_(names) {}

  template <class Arg> void add() {
    using type = std::remove_cvref_t<Arg>;
    std::string const argument = static_cast<std::size_t>(count_) < names_.size()
                                     ? names_[static_cast<std::size_t>(count_)]
                                     : "arg" + std::to_string(count_);
    ++count_;
    std::size_t const first = leaves_.size();
    if constexpr (is_leaf<type> || element<type>)
      leaves_.push_back({argument, std::is_same_v<type, key> ? location::key : location::input});
    else
      for (std::string const& leaf : weft::leaf_names<type>(argument))
        leaves_.push_back({leaf, location::parameter});
    mark_keys(first);
    if (std::is_rvalue_reference_v<Arg>) donate(first);
  }
  std::vector<argument_info> const& leaves() const { return leaves_; }

private:
  int node_of(std::size_t i) const { return g_.parameters_of(0)[static_cast<int>(i)]; }
  void mark_keys(std::size_t first) {
    for (std::size_t i = first; i < leaves_.size(); ++i)
      if (g_.inputs[static_cast<int>(i)].key) leaves_[i].where = location::key;
  }
  // The first run of outputs of these types and shapes that nobody has.
  void donate(std::size_t first) {
    view<int> const outputs = g_.outputs_of(0);
    int const wanted = static_cast<int>(leaves_.size() - first);
    for (int at = 0; at + wanted <= outputs.size(); ++at) {
      if (!fits(first, at)) continue;
      for (std::size_t i = first; i < leaves_.size(); ++i) {
        leaves_[i].output = at + static_cast<int>(i - first);
        if (leaves_[i].where != location::key) leaves_[i].where = location::state;
      }
      return;
    }
  }
  bool fits(std::size_t first, int output) const {
    for (std::size_t i = first; i < leaves_.size(); ++i, ++output) {
      int const from = node_of(i), to = g_.outputs_of(0)[output];
      if (g_[from].type != g_[to].type || !(g_.shape(from) == g_.shape(to))) return false;
      for (argument_info const& other : leaves_)
        if (other.output == output) return false;
    }
    return true;
  }

  graph_view g_;
  std::vector<std::string> const& names_;
  std::vector<argument_info> leaves_;
  int count_ = 0;
};

template <class Result> std::vector<std::string> result_names() {
  std::vector<std::string> names;
  if constexpr (is_leaf<Result> || element<Result>) names.emplace_back("result");
  else
    for (std::string const& leaf : weft::leaf_names<Result>("result")) names.push_back(leaf);
  return names;
}

} // namespace detail

// A graph's module: it takes what the graph does, then the constants that were lifted.
inline exported_module exported(graph_view g, std::vector<argument_info> const& arguments,
                                std::vector<std::string> const& results = {},
                                write_options const& o = {}) {
  exported_module r;
  weft::graph program = thaw(g);
  if (o.lift >= 0) {
    lifted_graph lifted = lift_constants(g, o.lift);
    program = std::move(lifted.program);
    r.constants = std::move(lifted.constants);
  }
  export_names names{.module = o.module, .arguments = {}, .results = {}};
  growing<location> locations;
  for (argument_info const& leaf : arguments) {
    names.arguments.push({leaf.name.c_str(), leaf.output});
    locations.push(leaf.where);
  }
  for (lifted_constant const& c : r.constants) {
    names.arguments.push({c.name.c_str(), -1});
    locations.push(location::constant);
  }
  for (std::string const& name : results) names.results.push(name.c_str());
  growing<char> const text = print(to_module(program, names), o.form);
  r.text.assign(text.begin(), text.end());
  r.about = manifest_of(program, names, locations);
  return r;
}
// A function's module and what stands beside it.
template <auto F, class... Args> exported_module exported(write_options const& o = {}) {
  using traced_program = weft::program<F, argument_t<std::remove_reference_t<Args>>...>;
  if constexpr (!weft::detail::well_recorded<traced_program>()) return {};
  else {
    graph const g = dce(canonical(traced_program::make()));
    detail::argument_list arguments(g, o.names);
    (arguments.add<Args>(), ...);
    return exported(g, arguments.leaves(),
                    detail::result_names<typename traced_program::result_type>(), o);
  }
}
// Its text alone.
template <auto F, class... Args> std::string write(write_options const& o = {}) {
  return exported<F, Args...>(o).text;
}

} // namespace weft::inline v0::stablehlo
