// SPDX-License-Identifier: BSL-1.0
// weft-run: runs a StableHLO module on arrays in .npy files.
//   weft-run m.mlir --inputs a.npy --inputs b.npy --output PREFIX    writes PREFIX0.npy, PREFIX1.npy ...
// bf16 has no name in NumPy: it is read from, and written to, its 16 bits in a uint16 array.
#include "block_executor.hpp"

#include <weft/cpu/pool.hpp>
#include <weft/io/host_arrays.hpp>
#include <weft/stablehlo.hpp>

#include <CLI/CLI.hpp>

#include <chrono>
#include <cstdio>

#ifdef WEFT_TOOLS_DEVICE
#include <weft/opencl.hpp>
#include <weft/run/device_model.hpp>
#endif

namespace {

using weft::dtype;
using weft::extent;
using weft::host_array;

struct options {
  std::string module, output, device = "cpu";
  std::vector<std::string> inputs;
  int threads = 1, repeat = 0;
};

bool is_half_bits(dtype given, dtype wanted) {
  return given == dtype::u16 && wanted == dtype::bf16;
}
host_array read_input(std::string const& path, weft::value_info const& wanted) {
  host_array x = weft::load_npy_any(path);
  if (!is_half_bits(x.type(), wanted.type)) return x;
  host_array halves(dtype::bf16, x.shape());
  if (x.byte_count() > 0)
    std::memcpy(halves.data(), x.data(), static_cast<std::size_t>(x.byte_count()));
  return halves;
}
std::vector<host_array> read_inputs(weft::model const& m, options const& o) {
  std::vector<host_array> inputs;
  for (std::size_t i = 0; i < o.inputs.size(); ++i) {
    bool const known = static_cast<int>(i) < m.inputs();
    weft::value_info const wanted = known ? m.input(static_cast<int>(i)) : weft::value_info{};
    inputs.push_back(read_input(o.inputs[i], wanted));
  }
  return inputs;
}
void write_outputs(std::vector<host_array> const& outputs, std::string const& prefix) {
  for (std::size_t k = 0; k < outputs.size(); ++k) {
    dtype const type = outputs[k].type();
    weft::save_npy(prefix + std::to_string(k) + ".npy", outputs[k],
                   type == dtype::bf16 ? dtype::u16 : type);
  }
}
// The shortest of some calls, in microseconds.
template <class Call> double shortest(Call const& call, int times) {
  double best = 1e300;
  for (int i = 0; i < times; ++i) {
    auto const start = std::chrono::steady_clock::now();
    call();
    std::chrono::duration<double, std::micro> const took = std::chrono::steady_clock::now() - start;
    best = took.count() < best ? took.count() : best;
  }
  return best;
}
template <class Call> void run(options const& o, Call const& call) {
  std::vector<host_array> const outputs = call();
  if (!o.output.empty()) write_outputs(outputs, o.output);
  for (std::size_t k = 0; k < outputs.size(); ++k)
    std::printf("result %zu: %s %s\n", k, weft::name_of(outputs[k].type()),
                weft::message().add(outputs[k].shape()).c_str());
  if (o.repeat > 0)
    std::printf("%.2f us a call, the shortest of %d\n", shortest(call, o.repeat), o.repeat);
}
void run_module(options const& o) {
  weft::model m = weft::stablehlo::load(o.module);
  std::vector<host_array> const inputs = read_inputs(m, o);
#ifdef WEFT_TOOLS_DEVICE
  if (o.device != "cpu") {
    if (o.device != "opencl" && !o.device.starts_with("opencl:"))
      throw std::runtime_error("there is no --device " + o.device +
                               "; give cpu, opencl, opencl:NUMBER or opencl:NAME");
    std::size_t const colon = o.device.find(':');
    weft::opencl::device const on(colon == std::string::npos ? "0" : o.device.substr(colon + 1));
    weft::device_model there(on, m.recorded());
    return run(o, [&] { return there.run(inputs); });
  }
#endif
  weft::cpu::pool threads(o.threads);
  run(o, [&] { return m.run(threads, inputs); });
}

} // namespace

int main(int count, char** arguments) {
  CLI::App app("Runs a StableHLO module on arrays in .npy files.");
  options o;
  app.add_option("module", o.module, "the module's text, .mlir")->required();
  app.add_option("--inputs", o.inputs, "an .npy file per argument of main, in its order");
  app.add_option("--output", o.output, "results are written to OUTPUT0.npy, OUTPUT1.npy ...");
  app.add_option("--threads", o.threads, "of the CPU")->check(CLI::Range(1, 1024));
  app.add_option("--repeat", o.repeat, "run it so often again, and tell the shortest time")
      ->check(CLI::Range(0, 1'000'000));
#ifdef WEFT_TOOLS_DEVICE
  app.add_option("--device", o.device, "cpu, opencl, opencl:NUMBER or opencl:NAME");
#endif
  CLI11_PARSE(app, count, arguments);
  try {
    run_module(o);
    return 0;
  } catch (std::exception const& e) {
    std::fprintf(stderr, "weft-run: %s\n", e.what());
    return 1;
  }
}
