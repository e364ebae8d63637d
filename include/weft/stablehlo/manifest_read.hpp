// SPDX-License-Identifier: BSL-1.0
// manifest_from_json: a manifest as to_json (manifest.hpp) wrote it. No other header of weft
// includes this one.
// Needs: nlohmann-json. Errors: io_error where the text is no JSON, or not what to_json writes:
// a key that is missing, unknown or of another kind, a type or a location that there is not.
#pragma once

#include <weft/stablehlo/manifest.hpp>

#include <nlohmann/json.hpp>

namespace weft::inline v0::stablehlo {
namespace detail {

using json = nlohmann::json;

[[noreturn]] inline void raise_manifest(char const* wrong, std::string_view near = {}) {
  message text("weft: stablehlo: a manifest ");
  text.add(wrong);
  if (!near.empty()) text.add(" '");
  for (char const c : near.substr(0, 80)) {
    char const one[2] = {c >= ' ' && c <= '~' ? c : '?', '\0'};
    text.add(one);
  }
  raise<io_error>(text.add(near.empty() ? "" : "'").add("; write it with to_json"));
}
inline json const& member(json const& object, char const* key) {
  auto const at = object.find(key);
  if (at == object.end()) raise_manifest("lacks the key", key);
  return *at;
}
inline std::string string_member(json const& object, char const* key) {
  json const& value = member(object, key);
  if (!value.is_string()) raise_manifest("has no text under the key", key);
  return value.get<std::string>();
}
inline void expect_keys(json const& object, std::initializer_list<std::string_view> known) {
  if (!object.is_object()) raise_manifest("has something else where an object belongs");
  for (auto const& item : object.items()) {
    bool found = false;
    for (std::string_view k : known) found = found || k == item.key();
    if (!found) raise_manifest("has an unknown key", item.key());
  }
}
inline extent extent_from(json const& value) {
  if (value.is_number_unsigned() && value.get<std::uint64_t>() <= 0x7fffffffu)
    return static_cast<extent>(value.get<std::uint64_t>());
  if (!value.is_string()) raise_manifest("has an extent that is neither a number nor a name");
  std::string const name = value.get<std::string>();
  bool right = !name.empty() && name.size() <= max_name;
  for (char const c : name) right = right && weft::detail::name_code(c) != 0;
  if (!right) raise_manifest("has an extent that is no name", name);
  return pack_name(name.c_str());
}
inline dtype dtype_from(std::string const& name) {
  for (int i = 0; i < dtype_count; ++i)
    if (name == weft::name_of(static_cast<dtype>(i))) return static_cast<dtype>(i);
  raise_manifest("has an unknown dtype", name);
}
inline location location_from(std::string const& name) {
  for (int i = 0; i < location_count; ++i)
    if (name == location_names[i]) return static_cast<location>(i);
  raise_manifest("has an unknown location", name);
}
inline manifest_entry entry_from(json const& object, bool argument) {
  expect_keys(object, {"name", "location", "dtype", "shape", "donated_to"});
  manifest_entry e;
  e.name = string_member(object, "name");
  e.type = dtype_from(string_member(object, "dtype"));
  if (argument) e.where = location_from(string_member(object, "location"));
  json const& shape = member(object, "shape");
  if (!shape.is_array() || shape.size() > max_rank)
    raise_manifest("has a shape that is no list of at most 8 extents");
  for (json const& one : shape) e.shape.push(extent_from(one));
  if (auto const at = object.find("donated_to"); at != object.end()) {
    if (!at->is_number_unsigned() || at->get<std::uint64_t>() > 0x7fffffffu)
      raise_manifest("has no number under the key", "donated_to");
    e.donated_to = at->get<int>();
  }
  return e;
}
inline std::vector<manifest_entry> entries_from(json const& object, char const* key,
                                                bool argument) {
  json const& list = member(object, key);
  if (!list.is_array()) raise_manifest("has no list under the key", key);
  std::vector<manifest_entry> all;
  for (json const& one : list) all.push_back(entry_from(one, argument));
  return all;
}

} // namespace detail

inline manifest manifest_from_json(std::string_view text) {
  using namespace detail;
  json const all = json::parse(text.begin(), text.end(), nullptr, false);
  if (all.is_discarded()) raise_manifest("is no JSON");
  expect_keys(all, {"format", "module", "arguments", "results"});
  if (std::string const format = string_member(all, "format"); format != manifest_format)
    raise_manifest("has an unknown format", format);
  manifest m{string_member(all, "module"), entries_from(all, "arguments", true),
             entries_from(all, "results", false)};
  for (manifest_entry const& e : m.arguments)
    if (e.donated_to >= static_cast<int>(m.results.size()))
      raise_manifest("donates to a result that there is not", e.name);
  return m;
}

} // namespace weft::inline v0::stablehlo
