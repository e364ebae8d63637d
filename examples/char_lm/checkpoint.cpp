// SPDX-License-Identifier: BSL-1.0
#include "checkpoint.hpp"

#include <weft/io.hpp>

#include <charconv>
#include <cstdint>
#include <cstdio>
#include <stdexcept>

namespace char_lm {

namespace {

constexpr char const* steps_done = "steps done";

// FNV-1a.
std::string hash_of(std::string const& text) {
  std::uint64_t hash = 14695981039346656037u;
  for (char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211u;
  char digits[20];
  std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(hash));
  return digits;
}
std::string number(float x) {
  char digits[32];
  std::snprintf(digits, sizeof digits, "%.9g", static_cast<double>(x)); // one text per float
  return digits;
}

int read_steps_done(std::string const& path, std::string const& digits, options const& o) {
  int done = -1;
  char const* const end = digits.data() + digits.size();
  auto const [stop, error] = std::from_chars(digits.data(), end, done);
  if (error != std::errc() || stop != end || done < 0 || done > o.steps)
    throw std::runtime_error(path + " has no number of steps done between 0 and --steps");
  return done;
}

} // namespace

// What decides the results. The number of all steps does: the learning rate falls towards the last.
std::map<std::string, std::string> deciding(options const& o, std::string const& training) {
  return {{"model", "char_lm"},
          {"hash of the text", hash_of(training)},
          {"--rate", number(o.rate)},
          {"--seed", std::to_string(o.seed)},
          {"--steps", std::to_string(o.steps)},
          {"--precision", o.precision}};
}

void machine::save(std::string const& path, weft::safetensors_metadata const& texts) const {
  weft::save_safetensors(path, texts, get());
}
void machine::load(std::string const& path) { put(weft::load_safetensors<learnt<tensor>>(path)); }

void save_checkpoint(std::string const& path, options const& o, std::string const& training,
                     int done, learner const& l) {
  weft::safetensors_metadata facts = deciding(o, training);
  facts.emplace(steps_done, std::to_string(done));
  l.save(path, facts);
}

int load_checkpoint(std::string const& path, options const& o, std::string const& training,
                    learner& l) {
  weft::safetensors_file const file(path);
  auto const& there = file.metadata();
  auto const found = [&](std::string const& name) {
    auto const at = there.find(name);
    if (at == there.end())
      throw std::runtime_error(path + " is no checkpoint of char_lm: it has no '" + name + "'");
    return at->second;
  };
  for (auto const& [name, here] : deciding(o, training))
    if (std::string const other = found(name); other != here)
      throw std::runtime_error(path + " is of another training: " + name + " is " + other +
                               " there and " + here + " here");
  int const done = read_steps_done(path, found(steps_done), o);
  l.load(path);
  return done;
}

} // namespace char_lm
