// SPDX-License-Identifier: BSL-1.0
// digits: trains a small convolutional network on 1,437 scans of handwritten digits, and counts how
// many of 360 others it reads.
//   digits                      half a minute on two cores
//   digits --precision bf16     products of bf16 operands (autocast)
//   digits --pictures FOLDER    also filters.png and misread.png
// Leaves: exit code 1 and one line on stderr when the scans or the training are no good.
#include "data.hpp"
#include "machine.hpp"
#include "options.hpp"
#include "pictures.hpp"
#include "readings.hpp"

#include "../shared/fingerprint.hpp"
#include "../shared/finite.hpp"
#include "../shared/machine_options.hpp"
#include "../shared/open_machine.hpp"
#include "../shared/progress.hpp"

#include <CLI/CLI.hpp>

#include <cmath>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

namespace digits {
namespace {

// What the seed is used for; each use has a key of its own.
enum use : int { for_start, for_training };

weft::key key_of(options const& o, use u) { return weft::fold_in(weft::key(o.seed), int{u}); }

void declare(CLI::App& app, options& o) {
  app.option_defaults()->always_capture_default();
  app.add_option("--data", o.data, "the scans, an .npy file")->type_name("FILE");
  app.add_option("--epochs", o.epochs, "times that every scan is learnt")
      ->check(CLI::Range(1, 100'000));
  app.add_option("--rate", o.rate, "the first learning rate")
      ->check(examples::finite(CLI::PositiveNumber));
  app.add_option("--pictures", o.pictures, "folder to draw filters.png and misread.png in")
      ->type_name("FOLDER")
      ->check(CLI::ExistingDirectory);
  examples::declare_machine(app, o);
}

std::string line(float nats, double epochs_per_second) {
  char text[80];
  std::snprintf(text, sizeof text, "%.4f nats  %.0f scans/s", static_cast<double>(nats),
                epochs_per_second * batches * batch);
  return text;
}

// All epochs; seconds.
double train(machine& m, training_scans const& scans, options const& o) {
  examples::progress shown(o.epochs, 0);
  for (int epoch = 0; epoch < o.epochs; ++epoch) {
    float const left = static_cast<float>(o.epochs - epoch) / static_cast<float>(o.epochs);
    weft::key const key = weft::fold_in(key_of(o, for_training), epoch);
    float const nats = m.train(scans, key, o.rate * left);
    if (!std::isfinite(nats))
      throw std::runtime_error("the loss is not a number in epoch " + std::to_string(epoch + 1) +
                               "; give a smaller --rate");
    shown.step_done([nats](double epochs_per_second) { return line(nats, epochs_per_second); });
  }
  return shown.seconds();
}

void draw(options const& o, parameters const& weights, held_out_scans const& scans,
          std::vector<reading> const& mistakes) {
  if (o.pictures.empty()) return;
  std::string const filters = o.pictures + "/filters.png", misread = o.pictures + "/misread.png";
  draw_filters(filters, weights);
  draw_mistakes(misread, scans, mistakes);
  std::printf("\ndrawn: %s %s\n", filters.c_str(), misread.c_str());
}

void run(options const& o) {
  data const d = read_data(o.data);
  auto const m = examples::open_machine(o, open_cpu, open_opencl);
  m->put({starting_point(key_of(o, for_start)), {}});
  std::printf("%s: %d scans to learn, %d held out\n%s products, %s, seed %llu; %d epochs\n",
              o.data.c_str(), to_learn, held_out, o.precision.c_str(), m->name().c_str(),
              static_cast<unsigned long long>(o.seed), o.epochs);
  std::fflush(stdout);

  double const seconds = train(*m, d.training, o);
  std::vector<reading> const all = readings_of(d.last, m->predict(d.last));
  std::vector<reading> const mistakes = mistakes_in(all);
  parameters const weights = m->get().weights;
  show_confusion(all);
  show_mistakes(mistakes);
  draw(o, weights, d.last, mistakes);
  int const right = held_out - static_cast<int>(mistakes.size());
  std::printf(
      "\nread %d of %d held-out scans: %.2f %%\ntrained in %.0f s; parameters %08x (the same "
      "for every compiler, device, thread count and instruction set)\n",
      right, held_out, 100.0 * right / held_out, seconds, examples::fingerprint(weights));
}

} // namespace
} // namespace digits

int main(int count, char** arguments) {
  digits::options o;
  CLI::App app("Trains a convolutional network to read handwritten digits.", "digits");
  digits::declare(app, o);
  CLI11_PARSE(app, count, arguments);
  try {
    digits::run(o);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "digits: %s\n", e.what());
    return 1;
  }
}
