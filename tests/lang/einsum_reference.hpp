// SPDX-License-Identifier: BSL-1.0
// What an einsum means, by its definition alone: the sum over all labels, one product at a time, in
// integers. Shares nothing with the library: a reader of its own, labels in a map.
#pragma once

#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace einsum_reference {

using shape = std::vector<int>;
using numbers = std::vector<long>;

inline std::vector<std::string> split(std::string const& s, char at) {
  std::vector<std::string> r(1);
  for (char c : s)
    if (c == at) r.emplace_back();
    else r.back() += c;
  return r;
}
// "2x3,-"
inline std::vector<shape> shapes_of(std::string const& s) {
  std::vector<shape> r;
  for (std::string const& one : split(s, ',')) {
    r.emplace_back();
    if (one != "-")
      for (std::string const& e : split(one, 'x')) r.back().push_back(std::stoi(e));
  }
  return r;
}
inline long size_of(shape const& s) {
  long n = 1;
  for (int e : s) n *= e;
  return n;
}

struct einsum {
  std::vector<std::string> in; // a label per axis, ellipsis axes '0', '1', ...
  std::string out;
  std::map<char, int> extent;
  std::vector<shape> shapes;

  einsum(std::string spec, std::vector<shape> const& operands) : shapes(operands) {
    std::erase(spec, ' ');
    auto const arrow = spec.find("->");
    in = split(spec.substr(0, arrow), ',');
    std::size_t dots = 0;
    for (std::size_t k = 0; k < in.size(); ++k)
      if (in[k].find('.') != std::string::npos)
        dots = std::max(dots, shapes[k].size() - (in[k].size() - 3));
    for (std::size_t k = 0; k < in.size(); ++k)
      in[k] = spelt(in[k], dots, shapes[k].size() + 3 - in[k].size());
    out = arrow == std::string::npos ? implicit(dots) : spelt(spec.substr(arrow + 2), dots, dots);
    for (std::size_t k = 0; k < in.size(); ++k)
      for (std::size_t i = 0; i < in[k].size(); ++i) {
        int& e = extent.try_emplace(in[k][i], 1).first->second;
        if (shapes[k][i] != 1) e = shapes[k][i];
      }
  }
  shape out_shape() const {
    shape s;
    for (char c : out) s.push_back(extent.at(c));
    return s;
  }
  numbers sum(std::vector<numbers> const& operands) const {
    std::string loop = out; // labels, the output's outermost
    for (auto const& [c, e] : extent)
      if (out.find(c) == std::string::npos) loop += c;
    numbers result(static_cast<std::size_t>(size_of(out_shape())), 0);
    std::map<char, int> at;
    add(loop, 0, at, operands, result);
    return result;
  }

private:
  static std::string spelt(std::string const& term, std::size_t all, std::size_t mine) {
    auto const dot = term.find('.');
    if (dot == std::string::npos) return term;
    std::string digits;
    for (std::size_t j = all - mine; j < all; ++j) digits += static_cast<char>('0' + j);
    return term.substr(0, dot) + digits + term.substr(dot + 3);
  }
  std::string implicit(std::size_t dots) const {
    std::map<char, int> count;
    for (std::string const& t : in)
      for (char c : t) ++count[c];
    std::string r;
    for (std::size_t j = 0; j < dots; ++j) r += static_cast<char>('0' + j);
    for (auto const& [c, n] : count)
      if (n == 1 && c > '9') r += c;
    return r;
  }
  long place(std::string const& labels, shape const& s, std::map<char, int> const& at) const {
    long p = 0;
    for (std::size_t i = 0; i < labels.size(); ++i)
      p = p * s[i] + (s[i] == 1 ? 0 : at.at(labels[i]));
    return p;
  }
  void add(std::string const& loop, std::size_t depth, std::map<char, int>& at,
           std::vector<numbers> const& operands, numbers& result) const {
    if (depth < loop.size()) {
      int& i = at[loop[depth]];
      for (i = 0; i < extent.at(loop[depth]); ++i) add(loop, depth + 1, at, operands, result);
      return;
    }
    long product = 1;
    for (std::size_t k = 0; k < in.size() && product != 0; ++k)
      product *= operands[k][static_cast<std::size_t>(place(in[k], shapes[k], at))];
    result[static_cast<std::size_t>(place(out, out_shape(), at))] += product;
  }
};

} // namespace einsum_reference
