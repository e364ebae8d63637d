// SPDX-License-Identifier: BSL-1.0
// Text for the character model: a training part, a held-out part, and an alphabet that numbers bytes.
// Leaves: std::runtime_error, saying which file and what to do, for text that cannot be used.
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace char_lm {

struct corpus {
  std::string name;
  std::string train, held_out;
};

inline std::string read_text(std::string const& path) {
  if (std::filesystem::is_directory(path))
    throw std::runtime_error(path + " is a folder, not a text");
  std::ifstream file(path, std::ios::binary);
  if (!file) throw std::runtime_error("cannot open " + path);
  std::string text(std::istreambuf_iterator<char>(file), {});
  if (file.bad()) throw std::runtime_error("cannot read " + path);
  if (text.empty()) throw std::runtime_error(path + " is empty");
  return text;
}

// weft's own sources and documents; which files are held out is told in the folder's README.
inline corpus read_snapshot(std::string const& folder) {
  try {
    return {folder, read_text(folder + "/train.txt"), read_text(folder + "/held_out.txt")};
  } catch (std::runtime_error const& e) {
    throw std::runtime_error(std::string(e.what()) +
                             "; run this in the top folder of the checkout, or give --text FILE");
  }
}
// Any other text: its last twentieth is held out.
inline corpus read_file(std::string const& path) {
  std::string text = read_text(path);
  std::size_t const cut = text.size() - text.size() / 20;
  return {path, text.substr(0, cut), text.substr(cut)};
}

// The size - 1 most frequent bytes of the training text, 1, 2, ... in the order of their frequency
// (of their values where that is equal). 0 stands for all other bytes.
class alphabet {
public:
  alphabet(std::string_view training, int size) {
    std::array<long, 256> count{};
    for (char c : training) ++count[index(c)];
    std::vector<int> bytes;
    for (int b = 0; b < 256; ++b)
      if (count[static_cast<unsigned>(b)] > 0) bytes.push_back(b);
    std::stable_sort(bytes.begin(), bytes.end(), [&](int a, int b) {
      return count[static_cast<unsigned>(a)] > count[static_cast<unsigned>(b)];
    });
    for (int b : bytes) {
      if (symbols() == size) break;
      symbol_[static_cast<unsigned>(b)] = symbols();
      characters_ += static_cast<char>(b);
    }
  }

  // In use, the one for all other bytes included.
  int symbols() const { return static_cast<int>(characters_.size()); }
  int symbol(char c) const { return symbol_[index(c)]; }
  // A symbol that no byte has, which a model may draw all the same, is shown as 0 is.
  char character(int symbol) const {
    return characters_[static_cast<unsigned>(symbol < symbols() ? symbol : 0)];
  }

  std::vector<int> encode(std::string_view text) const {
    std::vector<int> symbols(text.size());
    std::transform(text.begin(), text.end(), symbols.begin(), [this](char c) { return symbol(c); });
    return symbols;
  }

private:
  static unsigned index(char c) { return static_cast<unsigned char>(c); }

  std::array<int, 256> symbol_{};
  std::string characters_ = "?"; // how symbol 0 is shown
};

} // namespace char_lm
