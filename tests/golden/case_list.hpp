// SPDX-License-Identifier: BSL-1.0
// Cases of a family's list, for tests that read it when they run:
//   for (json_case const& c : parts_of(text of the .json, "{\"name\""))
//     arrays_of(folder, c, "inputs")                what the case names, out of the folder's packs
// Needs: data.cpp. Leaves: "" and no arrays where the case says nothing of them.
// Errors: data_error of data.hpp.
#pragma once

#include "golden/data.hpp"

#include <sstream>

namespace golden {

// What the list of cases says of one: names to texts between the quotes or brackets behind them.
class json_case {
public:
  explicit json_case(std::string text) : text_(std::move(text)) {}

  std::string word(std::string const& name) const {
    std::size_t const at = text_.find("\"" + name + "\":\"");
    if (at == std::string::npos) return {};
    std::size_t const from = at + name.size() + 4;
    return text_.substr(from, text_.find('"', from) - from);
  }
  std::string list(std::string const& name) const {
    std::size_t const at = text_.find("\"" + name + "\":[");
    if (at == std::string::npos) return {};
    std::size_t const from = at + name.size() + 4;
    int depth = 1;
    std::size_t to = from;
    for (; depth > 0 && to < text_.size(); ++to)
      depth += text_[to] == '[' ? 1 : text_[to] == ']' ? -1 : 0;
    return text_.substr(from, to - from - 1);
  }
  double number(std::string const& name, double otherwise) const {
    std::size_t const at = text_.find("\"" + name + "\":");
    return at == std::string::npos ? otherwise : std::stod(text_.substr(at + name.size() + 3));
  }

private:
  std::string text_;
};
inline std::vector<json_case> parts_of(std::string const& text, std::string const& start) {
  std::vector<json_case> parts;
  std::size_t at = text.find(start);
  while (at != std::string::npos) {
    std::size_t const next = text.find(start, at + 1);
    parts.emplace_back(text.substr(at, next == std::string::npos ? next : next - at));
    at = next;
  }
  return parts;
}
inline array array_of(std::string const& folder, json_case const& c) {
  reference r{c.word("file"), static_cast<long>(c.number("offset", 0)), c.word("dtype"), {}};
  std::istringstream extents(c.list("shape"));
  for (std::string e; std::getline(extents, e, ',');) r.shape.push_back(std::stol(e));
  return read(folder, r);
}
inline std::vector<array> arrays_of(std::string const& folder, json_case const& c,
                                    std::string const& name) {
  std::vector<array> arrays;
  for (json_case const& part : parts_of(c.list(name), "{\"file\""))
    arrays.push_back(array_of(folder, part));
  return arrays;
}

} // namespace golden
