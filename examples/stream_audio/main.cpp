// SPDX-License-Identifier: BSL-1.0
// Recurrent and convolutional networks on sound, sample by sample, as a plug-in runs them: stream<f>
// holds the state; a sample goes in, a sample comes out, and nothing is allocated on the way.
//   stream_audio --wav guitar.wav --out guitar      writes guitar_gru.wav, guitar_lstm.wav, ...
// Without a file it takes two seconds of a plucked string. --check: the same bits as scan.
#include "models.hpp"

#include "../shared/fingerprint.hpp"

#include <weft/run/stream.hpp>

#include <CLI/CLI.hpp>
#include <sndfile.hh>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

namespace stream_audio {
namespace {

struct options {
  std::string wav, out, model = "all";
  std::uint64_t seed = 1;
  bool check = false;
};
struct sound {
  std::vector<float> samples; // of the first channel
  int rate = 48000;           // samples per second
};

sound read_wav(std::string const& path) {
  SndfileHandle file(path);
  if (file.error() != 0) throw std::runtime_error(path + ": " + file.strError());
  std::vector<float> frames(static_cast<std::size_t>(file.frames() * file.channels()));
  sound s;
  s.rate = file.samplerate();
  sf_count_t const there = file.readf(frames.data(), file.frames());
  for (sf_count_t i = 0; i < there; ++i)
    s.samples.push_back(frames[static_cast<std::size_t>(i * file.channels())]);
  if (s.samples.empty()) throw std::runtime_error(path + ": there is no sound in it");
  return s;
}
void write_wav(std::string const& path, sound const& s) {
  SndfileHandle file(path, SFM_WRITE, SF_FORMAT_WAV | SF_FORMAT_FLOAT, 1, s.rate);
  auto const count = static_cast<sf_count_t>(s.samples.size());
  if (file.error() != 0 || file.writef(s.samples.data(), count) != count)
    throw std::runtime_error(path + ": " + file.strError());
}
// A string of 110 Hz: noise in a delay line that is averaged as it goes round.
sound plucked_string(std::uint64_t seed) {
  sound s;
  std::vector<float> line(436);
  auto const noise = weft::eval(weft::uniform<float, 436>(key(seed), -0.5f, 0.5f));
  std::copy(noise.begin(), noise.end(), line.begin());
  for (std::size_t i = 0; i < 96000; ++i) {
    float& here = line[i % line.size()];
    s.samples.push_back(here);
    here = 0.4985f * (here + line[(i + 1) % line.size()]);
  }
  return s;
}

// Sample by sample through `net`, and what that took.
template <class Net> sound processed(char const* name, Net& net, sound const& in) {
  using clock = std::chrono::steady_clock;
  sound out{std::vector<float>(in.samples.size()), in.rate};
  std::vector<float> took(in.samples.size()); // seconds
  for (int i = 0; i < 1000; ++i) net(0.0f);   // caches and clock rates settle
  net.reset();
  auto const allocations = weft::detail::allocation_count();
  for (std::size_t i = 0; i < in.samples.size(); ++i) {
    auto const before = clock::now();
    out.samples[i] = net(in.samples[i])();
    took[i] = std::chrono::duration<float>(clock::now() - before).count();
  }
  long const taken = static_cast<long>(weft::detail::allocation_count() - allocations);
  std::sort(took.begin(), took.end());
  double total = 0;
  for (float t : took) total += double{t};
  double const length = double(in.samples.size()) / in.rate;
  std::printf("%-5s %7.3f s of sound in %6.3f s, %6.1f times as fast as it sounds; a step takes "
              "%5.0f ns, the worst %7.0f ns of %.0f; allocations %ld\n",
              name, length, total, length / total, 1e9 * double{took[took.size() / 2]},
              1e9 * double{took.back()}, 1e9 / in.rate, taken);
  return out;
}

inline constexpr int checked = 2000; // samples
template <auto Step>
inline constexpr auto scanned = [](auto p, auto s, auto xs) {
  return weft::scan([&](auto now, auto x) { return Step(p, now, x); }, s, xs).second;
};
template <auto Step, class State, class Params>
void check(char const* name, Params const& p, sound const& in, sound const& out) {
  if (in.samples.size() < checked) throw std::runtime_error("--check wants 2,000 samples or more");
  tensor<float, checked> xs;
  std::copy_n(in.samples.begin(), checked, xs.mutate().data());
  auto const ys = weft::jit<scanned<Step>>(p, State{}, xs);
  int differ = 0;
  for (int i = 0; i < checked; ++i) differ += ys(i) != out.samples[static_cast<std::size_t>(i)];
  std::printf("%-5s %d of %d samples differ from scan, which gives %08x\n", name, differ, checked,
              examples::fingerprint(ys));
  if (differ > 0) throw std::runtime_error("scan gives other bits");
}

template <auto Step, class State, class Params>
void run(char const* name, Params const& p, options const& o, sound const& in) {
  if (o.model != "all" && o.model != name) return;
  weft::stream<Step, Params, State, float> net(p);
  sound const out = processed(name, net, in);
  if (o.check) check<Step, State>(name, p, in, out);
  if (!o.out.empty()) write_wav(o.out + "_" + name + ".wav", out);
}

void run_all(options const& o) {
  sound const in = o.wav.empty() ? plucked_string(o.seed) : read_wav(o.wav);
  auto const keys = weft::split<3>(key(o.seed));
  run<gru_step, tensor<float, hidden>>("gru", drawn_gru(keys[0]), o, in);
  run<lstm_step, lstm_state<tensor>>("lstm", drawn_lstm(keys[1]), o, in);
  run<conv_step, conv_state>("conv", drawn_conv(keys[2]), o, in);
}

} // namespace
} // namespace stream_audio

int main(int count, char** arguments) {
  stream_audio::options o;
  CLI::App app("Runs networks on sound, sample by sample.", "stream_audio");
  app.add_option("--wav", o.wav, "a sound file; its first channel is taken");
  app.add_option("--out", o.out, "what is heard goes to OUT_gru.wav, OUT_lstm.wav, OUT_conv.wav");
  app.add_option("--model", o.model, "one of them alone")
      ->check(CLI::IsMember({"all", "gru", "lstm", "conv"}));
  app.add_option("--seed", o.seed, "of the weights, and of the string");
  app.add_flag("--check", o.check, "compare the first 2,000 samples with scan");
  CLI11_PARSE(app, count, arguments);
  try {
    stream_audio::run_all(o);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "stream_audio: %s\n", e.what());
    return 1;
  }
}
