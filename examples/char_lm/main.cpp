// SPDX-License-Identifier: BSL-1.0
// char_lm: trains a character model on text, shows what it writes, and compares its bits per
// character on held-out text with those of an interpolated trigram model.
//   char_lm                         weft's own sources, about two minutes on two cores
//   char_lm --text FILE --steps N   any other text
//   char_lm --device opencl         on an OpenCL device, with the same results
//   char_lm --curve FILE            also a picture of the loss (.svg, .png) or its numbers (.csv)
//   char_lm --checkpoint FILE       and char_lm --resume FILE --checkpoint FILE after a stop
// Leaves: exit code 1 and one line on stderr when the text or the training is no good.
#include "checkpoint.hpp"
#include "corpus.hpp"
#include "curve.hpp"
#include "learner.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "streams.hpp"
#include "trigram.hpp"

#include "../shared/machine_options.hpp"

#include <CLI/CLI.hpp>

#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

namespace char_lm {
namespace {

void declare(CLI::App& app, options& o) {
  app.option_defaults()->always_capture_default();
  app.add_option("--text", o.text, "text to learn; its last twentieth is held out")
      ->type_name("FILE");
  app.add_option("--snapshot", o.snapshot,
                 "folder with train.txt and held_out.txt, without --text");
  app.add_option("--steps", o.steps, "training steps")->check(CLI::Range(1, 1'000'000));
  app.add_option("--rate", o.rate, "highest learning rate")->check(CLI::PositiveNumber);
  examples::declare_machine(app, o);
  app.add_option("--sample", o.sample, "characters to write at the end")
      ->check(CLI::Range(0, 100'000));
  app.add_option("--temperature", o.temperature, "of the sample: low is careful, 1 as learnt")
      ->check(CLI::Range(0.01, 10.0));
  auto* const checkpoint = app.add_option("--checkpoint", o.checkpoint,
                                          "file to write the training to")
                               ->type_name("FILE");
  app.add_option("--checkpoint-every", o.checkpoint_every, "steps; also after the last")
      ->needs(checkpoint)
      ->check(CLI::Range(1, 1'000'000));
  auto* const curve = app.add_option("--curve", o.curve, "file to draw the loss in")
                          ->type_name("FILE.svg|FILE.png|FILE.csv")
                          ->check(wrong_name_of_curve);
  app.add_option("--curve-every", o.curve_every, "steps between two of its points; also the last")
      ->needs(curve)
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--resume", o.resume, "checkpoint to go on from")->type_name("FILE");
}

// All steps that are left; seconds. The points of a picture are added to `points`.
double train(learner& l, streams const& text, streams const& held_out, options const& o,
             std::string const& training, curve& points) {
  checkpoint c;
  if (!o.resume.empty()) {
    c = load_checkpoint(o.resume, o, training);
    l.put(c.all);
  }
  progress shown(o.steps, text.block_size(), c.steps_done);
  for (int step = c.steps_done; step < o.steps;) {
    shown.step_done(l.train(text, step++));
    if (!o.curve.empty() && (step % o.curve_every == 0 || step == o.steps))
      points.add(step, shown.bits(), l.bits_per_character(held_out));
    if (!o.checkpoint.empty() && (step % o.checkpoint_every == 0 || step == o.steps))
      save_checkpoint(o.checkpoint, o, training, {step, l.get()});
  }
  return shown.seconds();
}

double bits_per_character(trigram_model const& model, streams const& text) {
  double bits = 0;
  text.for_each_target([&](int a, int b, int c) { bits += model.bits(a, b, c); });
  return bits / (1.0 * text.blocks() * text.block_size());
}

void show_sample(learner& l, alphabet const& letters, options const& o) {
  if (o.sample == 0) return;
  std::string text;
  for (int symbol : l.sample(letters.symbol('\n'), o.sample)) text += letters.character(symbol);
  std::printf("\nsample, temperature %.2f:\n----\n%s\n----\n", static_cast<double>(o.temperature),
              text.c_str());
}

void run(options const& o) {
  corpus const text = o.text.empty() ? read_snapshot(o.snapshot) : read_file(o.text);
  alphabet const letters(text.train, vocabulary);
  std::vector<int> const training = letters.encode(text.train);
  streams const to_learn("training", training, streams_at_once, steps_at_once);
  streams const held_out("held-out", letters.encode(text.held_out), streams_at_once, steps_at_once);
  double const trigram = bits_per_character(trigram_model(training, letters.symbols()), held_out);

  learner l(o);
  std::printf("%s: %zu characters to learn, %zu held out, %d symbols\n"
              "GRU of %d, %s products, %s, seed %llu; %d steps of %d characters\n",
              text.name.c_str(), text.train.size(), text.held_out.size(), letters.symbols(), hidden,
              o.precision.c_str(), l.machine_name().c_str(),
              static_cast<unsigned long long>(o.seed), o.steps, to_learn.block_size());
  std::fflush(stdout);

  curve points;
  double const seconds = train(l, to_learn, held_out, o, text.train, points);
  show_sample(l, letters, o);
  double const gru = l.bits_per_character(held_out);
  std::printf("\nheld-out bits per character, over the same %d characters\n"
              "  interpolated trigram  %.3f\n"
              "  GRU                   %.3f   (%+.3f)\n"
              "trained in %.0f s; parameters %08x (the same for every compiler, thread count, "
              "instruction set and device)\n",
              held_out.blocks() * held_out.block_size(), trigram, gru, gru - trigram, seconds,
              l.fingerprint());
  if (!o.curve.empty()) points.save(o.curve, trigram);
}

} // namespace
} // namespace char_lm

int main(int count, char** arguments) {
  char_lm::options o;
  CLI::App app("Trains a character-level GRU on text.", "char_lm");
  char_lm::declare(app, o);
  CLI11_PARSE(app, count, arguments);
  try {
    char_lm::run(o);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "char_lm: %s\n", e.what());
    return 1;
  }
}
