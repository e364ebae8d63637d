// SPDX-License-Identifier: BSL-1.0
// needs: boost/mpi.hpp boost_mpi boost_serialization MPI::MPI_CXX
// Files that ranks write together (io/safetensors_slices.hpp) as processes: what one process would
// write; a disk that is full for one rank; a rank that is killed amid it. test_mpi.cpp expects what
// the others say.
#include "io/files.hpp"
#include "rank_programs.hpp"

#include <weft/io/host_arrays.hpp>
#include <weft/io/safetensors_slices.hpp>

#include <filesystem>
#include <memory>

namespace {

using namespace weft;

std::string in_folder(char const* name) {
  return std::string(std::getenv("WEFT_TEST_FOLDER")) + "/" + name;
}
// 50 rows of 50 for each rank, element i of all is i + value; `v` is on all ranks.
void save(mpi::session& job, std::string const& path, float value) {
  extent const each = 50, columns = 50;
  host_array mine(dtype::f32, {2, {each, columns}});
  auto* const x = reinterpret_cast<float*>(mine.data());
  for (extent i = 0; i < mine.size(); ++i)
    x[i] = static_cast<float>(job.rank() * mine.size() + i) + value;
  save_safetensors(job, path, {},
                   {{"x",
                     dtype::f32,
                     {2, {each * job.world(), columns}},
                     [=](extent r) {
                       return array_slice{{2, {each * r, 0}}, mine.shape()};
                     },
                     mine.data()},
                    {"v", dtype::f32, {}, [](extent) { return array_slice{}; }, &value}});
}
bool holds(std::string const& path, extent ranks, float value) {
  safetensors_file const file(path);
  host_array const x = file.load_any("x");
  auto const* const d = reinterpret_cast<float const*>(x.data());
  bool right = x.size() == 2500 * ranks && file.load<float>("v")() == value;
  for (extent i = 0; i < x.size(); ++i) right = right && d[i] == static_cast<float>(i) + value;
  return right;
}

test::rank_program const together("files", [](int& argc, char**& argv) {
  test::with_session(argc, argv, [](mpi::session& job) {
    std::string const path = in_folder("x");
    for (float value : {1.0f, 2.0f}) {
      save(job, path, value);
      test::check(holds(path, job.world(), value), "what all ranks find");
    }
    std::string said;
    {
      // The last rank alone may write no more than 1000 bytes.
      std::unique_ptr<files::small_disk> const disk(
          job.rank() == job.world() - 1 ? new files::small_disk : nullptr);
      said = files::error_of([&] { save(job, path, 3); });
    }
    std::string const last = "rank " + std::to_string(job.world() - 1);
    test::check(said == "save_safetensors: " + last +
                            ": File too large; all ranks end so, and the file that was there is "
                            "unchanged",
                said);
    test::check(holds(path, job.world(), 2), "the old file");
    save(job, path, 4); // they go on
    test::check(holds(path, job.world(), 4), "the file after that");
    job.texts_of_all("read"); // before rank 0 counts
    auto const there = std::filesystem::directory_iterator(in_folder(""));
    if (job.rank() == 0) {
      test::check(std::distance(there, {}) == 1, "files that are left");
      if (test::rank_failures == 0) std::printf("right\n");
    }
  });
});
test::rank_program const killed("killed_amid_a_file", [](int& argc, char**& argv) {
  mpi::session job(mesh<axis<"data", 3>>, argc, argv, {.limit = 20});
  save(job, in_folder("x"), 1);
  if (job.rank() == 1) { // ends by SIGXFSZ at its first bytes
    rlimit const least{1000, 1000};
    ::setrlimit(RLIMIT_FSIZE, &least);
  }
  save(job, in_folder("x"), 2);
});

} // namespace
