// SPDX-License-Identifier: BSL-1.0
// char_lm: trains a character model on text, shows what it writes, and compares its bits per
// character on held-out text with those of an interpolated trigram model.
//   char_lm                         weft's own sources, about two minutes on two cores
//   char_lm --text FILE --steps N   any other text
//   char_lm --device opencl         on an OpenCL device, with the same results
//   char_lm --curve FILE            also a picture of the loss (.svg, .png) or its numbers (.csv)
//   mpirun -n 4 char_lm --mesh data=4     processes, each with a part of the batch (and of the weights:
//                                         data=2,model=2); checkpoints as with one
//   char_lm --checkpoint FILE       and char_lm --resume FILE --checkpoint FILE after a stop
// Leaves: exit code 1 and one line on stderr when the text or the training is no good.
#include "checkpoint.hpp"
#include "corpus.hpp"
#include "curve.hpp"
#include "learner.hpp"
#include "options.hpp"
#include "progress.hpp"
#include "streams.hpp"
#include "team.hpp"
#include "trigram.hpp"

#include "../shared/finite.hpp"
#include "../shared/machine_options.hpp"
#include "../shared/open_machine.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>
#include <exception>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace char_lm {
namespace {

void declare(CLI::App& app, options& o) {
  app.option_defaults()->always_capture_default();
  app.add_option("--text", o.text, "text to learn; its last twentieth is held out")
      ->type_name("FILE");
  app.add_option("--snapshot", o.snapshot,
                 "folder with train.txt and held_out.txt, without --text");
  app.add_option("--steps", o.steps, "training steps")->check(CLI::Range(1, 1'000'000));
  app.add_option("--rate", o.rate, "highest learning rate")
      ->check(examples::finite(CLI::PositiveNumber));
  examples::declare_machine(app, o);
  app.add_option("--sample", o.sample, "characters to write at the end")
      ->check(CLI::Range(0, 100'000));
  app.add_option("--temperature", o.temperature, "of the sample: low is careful, 1 as learnt")
      ->check(examples::finite(CLI::Range(0.01, 10.0)));
  auto* const checkpoint = app.add_option("--checkpoint", o.checkpoint,
                                          "file to write the training to")
                               ->type_name("FILE");
  app.add_option("--checkpoint-every", o.checkpoint_every, "steps; also after the last")
      ->needs(checkpoint)
      ->check(CLI::Range(1, 1'000'000));
  auto* const curve = app.add_option("--curve", o.curve,
                                     "file to draw the loss of this run's steps in")
                          ->type_name("FILE.svg|FILE.png|FILE.csv")
                          ->check(wrong_name_of_curve);
  app.add_option("--curve-every", o.curve_every, "steps between two of its points; also the last")
      ->needs(curve)
      ->check(CLI::Range(1, 1'000'000));
  app.add_option("--resume", o.resume, "checkpoint to go on from")->type_name("FILE");
  auto* const mesh = app.add_option("--mesh", o.mesh,
                                    "of processes that mpirun has started: data=4,model=2");
  app.add_option("--limit", o.limit, "seconds that a process waits for another")
      ->needs(mesh)
      ->check(examples::finite(CLI::PositiveNumber));
  app.add_flag("--losses", o.losses, "also print the loss of every step");
}

double bits_per_character(trigram_model const& model, streams const& text) {
  double bits = 0;
  text.for_each_target([&](int a, int b, int c) { bits += model.bits(a, b, c); });
  return bits / (1.0 * text.blocks() * text.block_size());
}

// What all processes have to say; the first of them says it.
struct everybodys_error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

void show_sample(learner& l, alphabet const& letters, options const& o) {
  if (o.sample == 0) return;
  std::string text;
  for (int symbol : l.sample(letters.symbol('\n'), o.sample)) text += letters.character(symbol);
  std::printf("\nsample, temperature %.2f:\n----\n%s\n----\n", static_cast<double>(o.temperature),
              text.c_str());
}

// What there is before the first step.
struct setting {
  corpus text;
  alphabet letters;
  std::vector<int> symbols;
  streams to_learn, held_out;
  double trigram;
  learner l;
  int steps_done = 0;

  setting(options const& o, std::unique_ptr<machine> on)
      : text(o.text.empty() ? read_snapshot(o.snapshot) : read_file(o.text)),
        letters(text.train, vocabulary), symbols(letters.encode(text.train)),
        to_learn("training", symbols, streams_at_once, steps_at_once),
        held_out("held-out", letters.encode(text.held_out), streams_at_once, steps_at_once),
        trigram(bits_per_character(trigram_model(symbols, letters.symbols()), held_out)),
        l(o, std::move(on)) {
    if (!o.resume.empty()) steps_done = load_checkpoint(o.resume, o, text.train, l);
  }
  // What all processes must have in common.
  std::string must_agree(options const& o) const {
    std::string facts = "step " + std::to_string(steps_done);
    for (auto const& [name, is] : deciding(o, text.train)) facts += ", " + name + ' ' + is;
    return facts;
  }
};
// Of several processes one may not find a file that the others do: then all end, and one says why.
std::unique_ptr<setting> prepare(options const& o, team* together) {
  std::unique_ptr<setting> s;
  std::string error;
  try {
    s = std::make_unique<setting>(o, together != nullptr
                                         ? together->open_machine()
                                         : examples::open_machine(o, open_cpu, open_opencl));
  } catch (std::exception const& e) {
    error = e.what();
  }
  if (together != nullptr)
    error = together->first_error(error, s == nullptr ? "" : s->must_agree(o));
  if (!error.empty()) throw everybodys_error(error);
  return s;
}

// All steps that are left; seconds. The points of a picture are added to `points`.
double train(setting& s, options const& o, curve& points) {
  progress shown(o.steps, s.to_learn.block_size(), s.steps_done);
  for (int step = s.steps_done; step < o.steps;) {
    float const nats = s.l.train(s.to_learn, step++);
    if (o.losses) std::printf("step %d: %.9g nats\n", step, static_cast<double>(nats));
    shown.step_done(nats);
    if (!o.curve.empty() && (step % o.curve_every == 0 || step == o.steps))
      points.add(step, shown.bits(), s.l.bits_per_character(s.held_out));
    if (!o.checkpoint.empty() && (step % o.checkpoint_every == 0 || step == o.steps))
      save_checkpoint(o.checkpoint, o, s.text.train, step, s.l);
  }
  return shown.seconds();
}

void run(options const& o, team* together) {
  std::unique_ptr<setting> const of = prepare(o, together);
  setting& s = *of;
  std::printf("%s: %zu characters to learn, %zu held out, %d symbols\n"
              "GRU of %d, %s products, %s, seed %llu; %d steps of %d characters\n",
              s.text.name.c_str(), s.text.train.size(), s.text.held_out.size(), s.letters.symbols(),
              hidden, o.precision.c_str(), s.l.machine_name().c_str(),
              static_cast<unsigned long long>(o.seed), o.steps, s.to_learn.block_size());
  std::fflush(stdout);

  curve points;
  double const seconds = train(s, o, points);
  show_sample(s.l, s.letters, o);
  double const gru = s.l.bits_per_character(s.held_out);
  std::printf("\nheld-out bits per character, over the same %d characters\n"
              "  interpolated trigram  %.3f\n"
              "  GRU                   %.3f   (%+.3f)\n"
              "trained in %.0f s; parameters %08x (the same for every compiler, thread count, "
              "instruction set and device%s)\n",
              s.held_out.blocks() * s.held_out.block_size(), s.trigram, gru, gru - s.trigram,
              seconds, s.l.fingerprint(), together == nullptr ? "" : ", on this mesh");
  if (!o.curve.empty() && this_process() == 0) points.save(o.curve, s.trigram);
}

// As one of the processes that mpirun has started.
void run_together(options const& o, int& count, char**& arguments) {
  std::unique_ptr<team> together;
  try {
    if (open_team == nullptr)
      throw std::runtime_error(
          "this build has no MPI; install libboost-mpi-dev and build again, or "
          "leave --mesh out");
    if (o.device != "cpu")
      throw std::runtime_error("--device " + o.device +
                               " with --mesh: processes compute on CPUs; leave one of them out");
    together = open_team(o, count, arguments);
  } catch (std::exception const& e) {
    throw everybodys_error(e.what());
  }
  if (this_process() != 0 && std::freopen("/dev/null", "w", stdout) == nullptr)
    throw std::runtime_error("cannot open /dev/null");
  run(o, together.get());
}

} // namespace
} // namespace char_lm

int main(int count, char** arguments) {
  using namespace char_lm;
  options o;
  CLI::App app("Trains a character-level GRU on text.", "char_lm");
  declare(app, o);
  CLI11_PARSE(app, count, arguments);
  try {
    if (!o.mesh.empty()) run_together(o, count, arguments);
    else if (processes_started() > 1)
      throw everybodys_error("mpirun has started " + std::to_string(processes_started()) +
                             " processes; give --mesh data=" + std::to_string(processes_started()));
    else run(o, nullptr);
  } catch (everybodys_error const& e) {
    if (this_process() == 0) std::fprintf(stderr, "char_lm: %s\n", e.what());
    // Whoever ends first with an error ends the job: that is to be the one that has said why.
    else std::this_thread::sleep_for(std::chrono::seconds(5));
    return 1;
  } catch (std::exception const& e) {
    std::string const rank = o.mesh.empty() ? "" : "rank " + std::to_string(this_process()) + ": ";
    std::fprintf(stderr, "char_lm: %s%s\n", rank.c_str(), e.what());
    return 1;
  }
}
