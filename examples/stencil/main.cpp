// SPDX-License-Identifier: BSL-1.0
// stencil: a reaction that spreads, ten thousand steps of one program, beside a loop written by hand.
//   stencil                              coral
//   stencil --feed 0.03 --death 0.062    spots
//   stencil --picture FILE.png           also a picture
//   stencil --device opencl              on an OpenCL device, with the same bits
// Leaves: exit code 1 and one line on stderr when options are no good or bits differ.
#include "hand_written.hpp"
#include "machine.hpp"
#include "options.hpp"

#include "../shared/fingerprint.hpp"
#include "../shared/finite.hpp"
#include "../shared/open_machine.hpp"
#include "../shared/progress.hpp"

#include <weft/io/png.hpp>

#include <CLI/CLI.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>
#include <stdexcept>

namespace stencil {
namespace {

void declare(CLI::App& app, options& o) {
  app.option_defaults()->always_capture_default();
  app.add_option("--steps", o.steps, "of the simulation")->check(CLI::Range(1, 10'000'000));
  app.add_option("--feed", o.feed, "of u, per step")->check(examples::finite(CLI::Range(0.0, 0.1)));
  app.add_option("--death", o.death, "of v, per step")
      ->check(examples::finite(CLI::Range(0.0, 0.1)));
  app.add_option("--seed", o.seed, "of where the drops are");
  app.add_option("--device", o.device, "cpu, opencl, opencl:NUMBER or opencl:NAME");
  app.add_option("--threads", o.threads, "of the CPU; 0: as many as the machine has")
      ->check(CLI::Range(0, 1024));
  app.add_option("--picture", o.picture, "file to draw v in")->type_name("FILE.png");
  app.add_flag("--compare,!--no-compare", o.compare, "with the loop written by hand");
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}
double million_cells(int steps, double seconds) {
  return 1e-6 * side * side * steps / std::max(seconds, 1e-9);
}

double mean_of(field const& x) {
  double sum = 0;
  for (float element : x) sum += double(element);
  return sum / (side * side);
}

double simulate(machine& m, options const& o) {
  constexpr int at_once = 100; // steps of a call: a line is shown between them
  examples::progress shown((o.steps + at_once - 1) / at_once, 0);
  for (int done = 0; done < o.steps; done += at_once) {
    m.advance(std::min(at_once, o.steps - done), o.feed, o.death);
    shown.step_done([](double per_second) {
      char text[60];
      std::snprintf(text, sizeof text, "%.0f million cells/s",
                    million_cells(at_once, 1 / per_second));
      return std::string(text);
    });
  }
  return shown.seconds();
}

void compare(fields const& start, fields const& end, options const& o, double seconds) {
  auto const begin = std::chrono::steady_clock::now();
  fields const expected = hand_written(start, o.steps, o.feed, o.death);
  double const by_hand = seconds_since(begin);
  bool const same = examples::fingerprint(expected) == examples::fingerprint(end);
  std::printf("by hand, one thread: %.0f million cells/s, %.2f of the time, %s bits\n",
              million_cells(o.steps, by_hand), by_hand / seconds, same ? "the same" : "OTHER");
  if (!same) throw std::runtime_error("the loop written by hand gives other bits");
}

void run(options const& o) {
  auto const m = examples::open_machine(o, open_cpu, open_opencl);
  fields const start = weft::jit<first_fields>(weft::key(o.seed));
  std::printf("%d x %d cells, feed %g, death %g, seed %llu; %d steps on %s\n", side, side,
              double(o.feed), double(o.death), static_cast<unsigned long long>(o.seed), o.steps,
              m->name().c_str());
  std::fflush(stdout);
  m->put(start);
  double const seconds = simulate(*m, o);
  fields const end = m->get();
  std::printf("%.0f million cells/s; mean of v %.5f; fields %08x (the same for every compiler, "
              "thread count, instruction set and device)\n",
              million_cells(o.steps, seconds), mean_of(end.second), examples::fingerprint(end));
  if (o.compare) compare(start, end, o, seconds);
  if (o.picture.empty()) return;
  weft::save_png(o.picture, weft::jit<draw_field>(end.second));
  std::printf("drawn: %s\n", o.picture.c_str());
}

} // namespace
} // namespace stencil

int main(int count, char** arguments) {
  stencil::options o;
  CLI::App app("Simulates a reaction that spreads, and draws it.", "stencil");
  stencil::declare(app, o);
  CLI11_PARSE(app, count, arguments);
  try {
    stencil::run(o);
  } catch (std::exception const& e) {
    std::fprintf(stderr, "stencil: %s\n", e.what());
    return 1;
  }
}
