// SPDX-License-Identifier: BSL-1.0
// What stands beside a module: its calling convention, for whoever loads it. Every argument in its
// order with its name, where it comes from (a parameter, an input, a random key, state, a constant
// that was lifted), its type and shape, and the result whose memory it may become; every result.
//   std::string const text = stablehlo::to_json(stablehlo::manifest_of(g, names, locations));
//   stablehlo::check(m, arrays);     // as many as the manifest says, of its types and shapes
// Read back by manifest_read.hpp, which needs nlohmann-json; this header needs nothing.
// Errors: usage_error where the number or a type is another, shape_error where a shape is; a named
// extent is any number, the same wherever the name stands.
#pragma once

#include <weft/stablehlo/export.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace weft::inline v0::stablehlo {

inline constexpr char const* manifest_format = "weft-manifest-1";

enum class location : std::uint8_t { input, parameter, key, state, constant };
inline constexpr char const* location_names[] = {"input", "parameter", "key", "state", "constant"};
inline constexpr int location_count = 5;

struct manifest_entry {
  std::string name;
  location where = location::input;
  dtype type{};
  extents shape;       // numbers and names
  int donated_to = -1; // a result, or -1

  friend bool operator==(manifest_entry const&, manifest_entry const&) = default;
};
struct manifest {
  std::string module;
  std::vector<manifest_entry> arguments, results;

  friend bool operator==(manifest const&, manifest const&) = default;
};

// `locations` may be shorter than the arguments are: keys are keys, the rest inputs.
inline manifest manifest_of(graph_view g, export_names const& names,
                            view<location> locations = {}) {
  manifest m{names.module, {}, {}};
  view<int> const parameters = g.parameters_of(0), outputs = g.outputs_of(0);
  for (int i = 0; i < parameters.size(); ++i) {
    argument_name const own = i < names.arguments.size() ? names.arguments[i] : argument_name{};
    location const where = i < locations.size() ? locations[i]
                           : g.inputs[i].key    ? location::key
                                                : location::input;
    m.arguments.push_back(
        {own.name, where, g[parameters[i]].type, g.shape(parameters[i]), own.output});
  }
  for (int i = 0; i < outputs.size(); ++i) {
    std::string const name = i < names.results.size() ? names.results[i] : "";
    m.results.push_back({name, location::input, g[outputs[i]].type, g.shape(outputs[i]), -1});
  }
  return m;
}

namespace detail {

inline void add_json_string(std::string& to, std::string_view text) {
  constexpr char const* digits = "0123456789abcdef";
  to += '"';
  for (char const c : text) {
    auto const byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') (to += '\\') += c;
    else if (byte < 0x20) (((to += "\\u00") += digits[byte >> 4]) += digits[byte & 15]);
    else to += c;
  }
  to += '"';
}
inline void add_json_shape(std::string& to, extents const& s) {
  to += '[';
  for (int i = 0; i < s.rank; ++i) {
    if (i > 0) to += ", ";
    char name[max_name + 1]{};
    if (is_named(s[i])) unpack_name(s[i], name), add_json_string(to, name);
    else to += std::to_string(s[i]);
  }
  to += ']';
}
inline void add_json_entry(std::string& to, manifest_entry const& e, bool argument) {
  add_json_string(to += "    {\"name\": ", e.name);
  if (argument)
    add_json_string(to += ", \"location\": ", location_names[static_cast<int>(e.where)]);
  add_json_string(to += ", \"dtype\": ", weft::name_of(e.type));
  add_json_shape(to += ", \"shape\": ", e.shape);
  if (e.donated_to >= 0) to += ", \"donated_to\": " + std::to_string(e.donated_to);
  to += '}';
}
inline void add_json_entries(std::string& to, char const* key,
                             std::vector<manifest_entry> const& all, bool argument) {
  add_json_string(to += "  ", key);
  to += ": [";
  char const* between = "\n";
  for (manifest_entry const& e : all) {
    add_json_entry(to += between, e, argument);
    between = ",\n";
  }
  to += all.empty() ? "]" : "\n  ]";
}

} // namespace detail

// One line an array; the same text for the same manifest. Names are taken to be UTF-8.
inline std::string to_json(manifest const& m) {
  std::string text = "{\n";
  detail::add_json_string(text += "  \"format\": ", manifest_format);
  detail::add_json_string(text += ",\n  \"module\": ", m.module);
  detail::add_json_entries(text += ",\n", "arguments", m.arguments, true);
  detail::add_json_entries(text += ",\n", "results", m.results, false);
  return text + "\n}\n";
}

// What a caller has.
struct array_info {
  dtype type{};
  extents shape; // numbers
};

namespace detail {

inline message argument_message(manifest const& m, int i) {
  message text("weft: stablehlo: argument ");
  text.add(i).add(" '");
  std::string const& name = m.arguments[static_cast<std::size_t>(i)].name;
  for (char const c : std::string_view(name).substr(0, 80)) {
    char const one[2] = {c >= ' ' && c <= '~' ? c : '?', '\0'};
    text.add(one);
  }
  return text.add("' is ");
}
struct known_extent {
  extent name = 0, number = 0;
};
inline bool extent_fits(extent declared, extent is, std::vector<known_extent>& known) {
  if (!is_named(declared)) return declared == is;
  for (known_extent const& k : known)
    if (k.name == declared) return k.number == is;
  known.push_back({declared, is});
  return true;
}
inline bool shape_fits(extents const& declared, extents const& is,
                       std::vector<known_extent>& known) {
  bool fits = declared.rank == is.rank;
  for (int i = 0; i < is.rank && fits; ++i) fits = extent_fits(declared[i], is[i], known);
  return fits;
}

} // namespace detail

inline void check(manifest const& m, std::vector<array_info> const& arrays) {
  if (arrays.size() != m.arguments.size())
    raise<usage_error>(message("weft: stablehlo: the module takes ")
                           .add(static_cast<int>(m.arguments.size()))
                           .add(" arguments, ")
                           .add(static_cast<int>(arrays.size()))
                           .add(" are given"));
  std::vector<detail::known_extent> known;
  for (std::size_t i = 0; i < arrays.size(); ++i) {
    manifest_entry const& e = m.arguments[i];
    array_info const& x = arrays[i];
    if (x.type != e.type)
      raise<usage_error>(detail::argument_message(m, static_cast<int>(i))
                             .add(weft::name_of(x.type))
                             .add(", the manifest says ")
                             .add(weft::name_of(e.type)));
    if (!detail::shape_fits(e.shape, x.shape, known))
      raise<shape_error>(detail::argument_message(m, static_cast<int>(i))
                             .add(x.shape)
                             .add(", the manifest says ")
                             .add(e.shape));
  }
}

} // namespace weft::inline v0::stablehlo
