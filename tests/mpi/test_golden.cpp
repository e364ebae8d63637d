// SPDX-License-Identifier: BSL-1.0
// needs: boost/mpi.hpp boost_mpi boost_serialization MPI::MPI_CXX
// Ranks: the golden modules of several devices, in both forms of their text. A rank is a device: it gets
// that one's inputs and must have its outputs, which are JAX's.
#include "golden/case_list.hpp"
#include "rank_programs.hpp"

#include <weft/stablehlo.hpp>

#include <cstring>
#include <fstream>
#include <iterator>

namespace {

using namespace weft;

std::string const folder = WEFT_SHARED_DIR "/golden/stablehlo";

std::string text_of(std::string const& name) {
  std::ifstream file(folder + "/" + name);
  return {std::istreambuf_iterator<char>(file), {}};
}
extents shape_of(golden::array const& a) {
  extents s;
  for (long n : a.shape) s.push(n);
  return s;
}
// The case's arrays of one device.
std::vector<golden::array> of_device(golden::json_case const& c, char const* name, extent device,
                                     extent devices) {
  std::vector<golden::array> const all = golden::arrays_of(folder, c, name);
  auto const each = static_cast<std::ptrdiff_t>(all.size()) / devices;
  return {all.begin() + each * device, all.begin() + each * (device + 1)};
}
void run(mpi::session& job, golden::json_case const& c, std::string const& text) {
  std::vector<host_array> given;
  model program = stablehlo::read(text);
  program.join(&job);
  for (golden::array const& a : of_device(c, "device_inputs", job.rank(), job.world())) {
    host_array x(program.input(static_cast<int>(given.size())).type, shape_of(a));
    std::memcpy(x.data(), a.bytes.data(), a.bytes.size());
    given.push_back(std::move(x));
  }
  std::vector<host_array> const results = program.run(given);
  std::vector<golden::array> const want = of_device(c, "device_outputs", job.rank(), job.world());
  std::string const who = c.word("name") + ", rank " + std::to_string(job.rank()) + ": ";
  test::check(!want.empty() && results.size() == want.size(), who + "number of results");
  for (std::size_t k = 0; k < want.size() && k < results.size(); ++k) {
    golden::array found = want[k];
    test::check(results[k].shape() == shape_of(want[k]), who + "shape");
    auto const* const first = reinterpret_cast<std::byte const*>(results[k].data());
    found.bytes.assign(first, first + results[k].size() * size_of(results[k].type()));
    std::string const apart = golden::difference(found, want[k], {});
    test::check(apart.empty(), who + apart);
  }
}
test::rank_program const golden_modules("golden", [](int& argc, char**& argv) {
  test::with_session(argc, argv, [](mpi::session& job) {
    int cases = 0;
    for (golden::json_case const& c : golden::parts_of(text_of("stablehlo.json"), "{\"name\"")) {
      if (c.word("kind") != "collective") continue;
      test::check(c.number("devices", 0) == static_cast<double>(job.world()), "other devices");
      for (char const* form : {"file", "generic"}) run(job, c, text_of(c.word(form)));
      ++cases;
    }
    test::check(cases >= 10, std::to_string(cases) + " cases");
    if (job.rank() == 0 && test::rank_failures == 0) std::printf("right: %d cases\n", cases);
  });
});

} // namespace
