// SPDX-License-Identifier: BSL-1.0
#include "golden/modules.hpp"

#include <weft/graph/print.hpp>
#include <weft/stablehlo/export.hpp>
#include <weft/stablehlo/print.hpp>

#include <fstream>
#include <sstream>

namespace golden {
namespace {

using namespace weft;

std::string text_of(char const* name) {
  std::string const path = std::string(WEFT_GOLDEN_DIR) + "/stablehlo/" + name;
  std::ifstream file(path);
  if (!file) throw data_error("cannot read " + path);
  std::ostringstream text;
  text << file.rdbuf();
  return text.str();
}
stablehlo::module_ir parsed(std::string const& text) {
  return stablehlo::parse({text.data(), static_cast<int>(text.size())});
}
std::string printed(stablehlo::module_ir const& m, stablehlo::text_form form) {
  growing<char> const text = stablehlo::print(m, form);
  return {text.begin(), text.end()};
}
graph imported(stablehlo::module_ir const& m, std::string const& what) {
  stablehlo::imported in = stablehlo::to_graph(m);
  if (in.error.failed)
    throw data_error(what + ":" + std::to_string(in.error.line) + ":" +
                     std::to_string(in.error.column) + ": " + in.error.text.c_str());
  return std::move(in.program);
}
bool are_same(graph_view a, graph_view b) {
  return weft::print(a) == weft::print(b) && a.constants == b.constants;
}
// As it is printed and read again.
graph again(stablehlo::module_ir const& m, stablehlo::text_form form) {
  std::string const text = printed(m, form);
  return imported(parsed(text), "printed:\n" + text);
}
std::string exported(graph_view g) {
  return printed(stablehlo::to_module(g, {}), stablehlo::text_form::generic);
}

} // namespace

graph module_graph(char const* pretty, char const* generic) {
  stablehlo::module_ir const a = parsed(text_of(pretty)), b = parsed(text_of(generic));
  graph const g = imported(a, pretty);
  if (!are_same(g, imported(b, generic)))
    throw data_error("the generic form has another graph: " + weft::print(g) + "and " +
                     weft::print(imported(b, generic)));
  for (stablehlo::text_form form : {stablehlo::text_form::generic, stablehlo::text_form::pretty})
    if (!are_same(g, again(a, form)))
      throw data_error("printed, it has another graph: " + printed(a, form));
  return g;
}
graph written_graph(char const* pretty, char const* generic) {
  std::string const text = exported(module_graph(pretty, generic));
  graph g = imported(parsed(text), "exported:\n" + text);
  std::string const twice = exported(g);
  if (text != twice) throw data_error("exported twice: " + text + "and " + twice);
  return g;
}

} // namespace golden
