// SPDX-License-Identifier: BSL-1.0
// How training went: bits per character of the text that is learnt (a mean over about fifty steps) and
// of the held-out text, at some steps. A file for numbers (.csv) or a picture (.svg, .png).
// Leaves: nothing that a result depends on. Errors: std::runtime_error, a line with the file's path.
#pragma once

#include "../shared/plot.hpp"

#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace char_lm {

// What is wrong with a name for one, or nothing: told before the training, not after it.
inline std::string wrong_name_of_curve(std::string const& path) {
  for (char const* end : {".csv", ".svg", ".png"})
    if (path.ends_with(end)) return {};
  return path + " is no name of a curve; give one with .svg, .png or .csv";
}

class curve {
public:
  void add(int steps_done, double training, double held_out) {
    steps_.push_back(steps_done);
    training_.push_back(training);
    held_out_.push_back(held_out);
  }
  // `trigram`: what the picture compares with, a level line. Without a step an older file stays.
  void save(std::string const& path, double trigram) const {
    if (steps_.empty()) {
      std::printf("no step was taken: %s stays as it is\n", path.c_str());
      return;
    }
    if (path.ends_with(".csv")) return save_numbers(path);
    std::vector<double> const level(steps_.size(), trigram);
    examples::plot(path, {"Learning to write", "steps", "bits per character"},
                   {{.name = "trigram, held-out text", .x = steps_, .y = level},
                    {.name = "GRU, text to learn", .x = steps_, .y = training_},
                    {.name = "GRU, held-out text", .x = steps_, .y = held_out_}});
  }

private:
  void save_numbers(std::string const& path) const {
    std::FILE* const file = std::fopen(path.c_str(), "w");
    if (file == nullptr) throw std::runtime_error("cannot write " + path);
    std::fputs("steps,training bits,held-out bits\n", file);
    for (std::size_t k = 0; k < steps_.size(); ++k)
      std::fprintf(file, "%.0f,%.4f,%.4f\n", steps_[k], training_[k], held_out_[k]);
    bool const failed = std::ferror(file) != 0;
    if (std::fclose(file) != 0 || failed) throw std::runtime_error("cannot write " + path);
    std::printf("written: %s\n", path.c_str());
  }

  std::vector<double> steps_, training_, held_out_;
};

} // namespace char_lm
