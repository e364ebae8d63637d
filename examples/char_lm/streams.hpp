// SPDX-License-Identifier: BSL-1.0
// A text as parallel streams: cut into `count` equal parts that are read side by side, `steps`
// characters at a time, so that a recurrent state can be carried from one block to the next.
//   stream b, block number k, step t: input text[b L + k steps + t], target the character after it
// Needs: a text of at least `shortest` characters. Leaves: what does not fill a block is not read.
#pragma once

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace char_lm {

class streams {
public:
  streams(std::string const& name, std::vector<int> text, int count, int steps)
      : text_(std::move(text)), count_(count), steps_(steps) {
    int const shortest = count * steps + 1;
    if (static_cast<int>(text_.size()) < shortest)
      throw std::runtime_error("the " + name + " text has " + std::to_string(text_.size()) +
                               " characters; at least " + std::to_string(shortest) + " are needed");
    length_ = (static_cast<int>(text_.size()) - 1) / count;
  }

  int blocks() const { return length_ / steps_; }
  int block_size() const { return count_ * steps_; }

  // Inputs and targets of one block, (steps, streams) row-major.
  void read(int number, int* inputs, int* targets) const {
    for (int t = 0; t < steps_; ++t)
      for (int b = 0; b < count_; ++b) {
        auto const at = static_cast<unsigned>(b * length_ + number * steps_ + t);
        *inputs++ = text_[at];
        *targets++ = text_[at + 1];
      }
  }

  // f(before last, last, target): every target of every block with the two characters before it,
  // wherever a stream begins. The text is preceded by symbol 0.
  template <class F> void for_each_target(F&& f) const {
    for (int b = 0; b < count_; ++b)
      for (int i = 0; i < blocks() * steps_; ++i) {
        auto const at = static_cast<unsigned>(b * length_ + i);
        f(at == 0 ? 0 : text_[at - 1], text_[at], text_[at + 1]);
      }
  }

private:
  std::vector<int> text_;
  int count_, steps_;
  int length_; // of a stream: L
};

} // namespace char_lm
