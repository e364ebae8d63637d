// SPDX-License-Identifier: BSL-1.0
// The options that say where a training runs, and how; open_machine.hpp opens it.
// Needs: of Options, the members seed, device, threads and precision.
#pragma once

#include <CLI/CLI.hpp>

namespace examples {

template <class Options> void declare_machine(CLI::App& app, Options& o) {
  app.add_option("--seed", o.seed, "of everything random");
  app.add_option("--device", o.device, "cpu, opencl, opencl:NUMBER or opencl:NAME");
  app.add_option("--threads", o.threads, "of the CPU; 0: as many as the machine has")
      ->check(CLI::Range(0, 1024));
  app.add_option("--precision", o.precision, "of products")->check(CLI::IsMember({"f32", "bf16"}));
}

} // namespace examples
