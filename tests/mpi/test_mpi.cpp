// SPDX-License-Identifier: BSL-1.0
// needs: boost/mpi.hpp boost_mpi boost_serialization MPI::MPI_CXX
// The executable's main, which is a rank under mpirun and the tests otherwise; and the tests that start
// ranks. What ranks do stands beside it: test_collectives.cpp, test_programs.cpp, test_partitioned.cpp,
// test_meshes.cpp, test_faults.cpp, test_modules.cpp, test_golden.cpp, test_files.cpp.
#include "io/files.hpp"
#include "rank_programs.hpp"

#include <weft/io/safetensors.hpp>

#include <gtest/gtest.h>

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>

#ifdef WEFT_PROJECT_VERSION
static_assert(std::string_view(WEFT_VERSION) == WEFT_PROJECT_VERSION,
              "core/config.hpp and CMakeLists.txt have different versions");
#endif

namespace test {

bool has_mpirun() {
  static bool const has = std::system("command -v mpirun >/dev/null 2>&1") == 0;
  return has;
}
ranks_ended start_ranks(int ranks, std::string const& name, std::string const& set) {
  char self[4096]{};
  if (readlink("/proc/self/exe", self, sizeof self - 1) < 0) return {};
  // mpirun knows no root, and no machine with fewer CPUs than ranks, unless it is told.
  std::string const command = set + " timeout 240 mpirun --oversubscribe --allow-run-as-root -n " +
                              std::to_string(ranks) + " '" + self + "' --rank " + name + " 2>&1";
  auto const start = std::chrono::steady_clock::now();
  ranks_ended r;
  std::FILE* const out = popen(command.c_str(), "r");
  if (out == nullptr) return r;
  char line[512];
  while (std::fgets(line, sizeof line, out) != nullptr) r.output += line;
  int const status = pclose(out);
  r.code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  r.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return r;
}

} // namespace test

namespace {

void expect_right(int ranks, char const* name, std::string const& set = "") {
  if (!test::has_mpirun()) GTEST_SKIP() << "there is no mpirun";
  test::ranks_ended const r = test::start_ranks(ranks, name, set);
  EXPECT_EQ(r.code, 0) << name << " on " << ranks << " ranks, " << r.seconds << " s:\n" << r.output;
  EXPECT_NE(r.output.find("right"), std::string::npos) << r.output; // it ran at all
}
TEST(mpi, every_collective_on_1_rank) { expect_right(1, "collectives"); }
TEST(mpi, every_collective_on_2_ranks) { expect_right(2, "collectives"); }
TEST(mpi, every_collective_on_3_ranks) { expect_right(3, "collectives"); }
TEST(mpi, every_collective_on_4_ranks) { expect_right(4, "collectives"); }
TEST(mpi, every_collective_on_8_ranks) { expect_right(8, "collectives"); }
TEST(mpi, programs_on_1_rank) { expect_right(1, "programs"); }
TEST(mpi, programs_on_2_ranks) { expect_right(2, "programs"); }
TEST(mpi, programs_on_4_ranks) { expect_right(4, "programs"); }
TEST(mpi, partitioned_programs_on_1_rank) { expect_right(1, "partitioned"); }
TEST(mpi, partitioned_programs_on_2_ranks) { expect_right(2, "partitioned"); }
TEST(mpi, partitioned_programs_on_4_ranks) { expect_right(4, "partitioned"); }
TEST(mpi, workloads_on_every_mesh_of_1_rank) { expect_right(1, "meshes"); }
TEST(mpi, workloads_on_every_mesh_of_2_ranks) { expect_right(2, "meshes"); }
TEST(mpi, workloads_on_every_mesh_of_3_ranks) { expect_right(3, "meshes"); }
TEST(mpi, workloads_on_every_mesh_of_4_ranks) { expect_right(4, "meshes"); }
TEST(mpi, workloads_on_every_mesh_of_8_ranks) { expect_right(8, "meshes"); }
TEST(mpi, modules_with_a_scale_on_1_to_8_ranks) {
  for (int ranks : {1, 2, 3, 4, 8}) expect_right(ranks, "module");
}
TEST(mpi, golden_modules_on_4_ranks) {
  if (!std::filesystem::exists(WEFT_SHARED_DIR "/golden/stablehlo/stablehlo.json"))
    GTEST_SKIP() << "no golden data";
  expect_right(4, "golden");
}

std::string in(files::folder const& f) { return "WEFT_TEST_FOLDER='" + f.path.string() + "'"; }
TEST(mpi, files_of_1_rank) {
  files::folder const f;
  expect_right(1, "files", in(f));
}
TEST(mpi, files_of_4_ranks) {
  files::folder const f;
  expect_right(4, "files", in(f));
}

TEST(mpi, extents_that_do_not_divide) { expect_right(2, "uneven"); }

// The job ends, in time, and says this.
void expect_end(int ranks, char const* name, std::initializer_list<char const*> texts,
                std::string const& set = "") {
  if (!test::has_mpirun()) GTEST_SKIP() << "there is no mpirun";
  test::ranks_ended const r = test::start_ranks(ranks, name, set);
  EXPECT_NE(r.code, 0) << r.output;
  EXPECT_LT(r.seconds, 90) << r.output; // on a machine that has other work
  EXPECT_EQ(r.output.find("wrong"), std::string::npos) << r.output;
  EXPECT_NE(r.code, 124) << "it went on for " << r.seconds << " s:\n" << r.output;
  for (char const* text : texts)
    EXPECT_NE(r.output.find(text), std::string::npos) << text << "\nis not in:\n" << r.output;
}
TEST(mpi, another_number_of_processes) {
  expect_end(3, "four_ranks",
             {"weft: mpi: the mesh has 4 ranks, and 3 processes run; write mpirun -n 4"});
}
TEST(mpi, more_processes_than_one) {
  expect_end(2, "one_rank",
             {"weft: mpi: the mesh has 1 rank, and 2 processes run; write mpirun -n 1"});
}
TEST(mpi, a_rank_that_hangs) {
  expect_end(3, "hangs",
             {"waits for rank 1 in all_reduce add of f32 (3) (node ", " of call 2) along data, and "
                                                                      "nothing has come for "});
}
TEST(mpi, a_rank_that_is_killed) {
  expect_end(3, "killed", {"waits for rank 1 in all_reduce add of f32 (3) (node ", " of call 2)"});
}
TEST(mpi, a_rank_that_is_killed_amid_a_file) {
  files::folder const f;
  expect_end(3, "killed_amid_a_file", {"waits for rank 1 in texts_of_all (call 5)"}, in(f));
  if (!test::has_mpirun()) return;
  weft::safetensors_file const last(f / "x"); // whole, and the first
  EXPECT_EQ(last.load<float>("v")(), 1);
  EXPECT_EQ(last.shape("x"), (weft::extents{2, {150, 50}}));
}
TEST(mpi, a_rank_that_throws) {
  expect_end(2, "throws",
             {"weft: mpi: rank 0 waits for rank 1 in all_reduce add of f32 (3) (node ",
              " of call 1) along data; rank 1 has failed: refusing: item 0"});
}
TEST(mpi, ranks_that_throw_while_a_sum_is_under_way) { expect_right(3, "fail_meanwhile"); }
TEST(mpi, a_rank_that_throws_while_a_sum_is_under_way) {
  expect_end(3, "throws_meanwhile",
             {"waits for rank ", " in all_reduce add of f32 (100000) (node ",
              " of call 1) along data; rank 1 has failed: refusing: item 0"});
}
TEST(mpi, types_of_messages_that_are_not_started) { expect_right(1, "types"); }
TEST(mpi, ranks_that_throw_inside_of_a_run) { expect_right(3, "fail_inside"); }
TEST(mpi, other_programs) {
  expect_end(3, "disagree",
             {"rank 0: weft: mpi: ranks start different programs: rank 0: weft ", "; rank 2: weft ",
              " nodes, arguments f32 (3)"});
}
TEST(mpi, other_extents) {
  expect_end(2, "extents",
             {"ranks start programs of different arguments: rank 0: weft ", "arguments f32 (3, 2)",
              "arguments f32 (4, 2)"});
}
TEST(mpi, ranks_that_part) {
  expect_end(2, "parts", {"ranks come to different collectives: rank "});
}
TEST(mpi, ranks_that_part_before_the_same_collective) {
  expect_end(2, "parts_alike", {"ranks come to different collectives: rank "});
}
TEST(mpi, known_programs_in_another_order) {
  expect_end(3, "swapped", {"ranks come to different collectives: rank ", " of another program; "});
}
TEST(mpi, a_failure_of_a_program_of_its_own) { expect_right(2, "alone"); }
TEST(mpi, a_failure_on_one_rank_that_tries_again) {
  expect_end(2, "tries_again", {"; rank 1 has failed: weft: the extent is no multiple"});
}
TEST(mpi, a_rank_that_leaves_early) {
  expect_end(3, "leaves",
             {"ranks come to different collectives: rank ", "to all_reduce add of f32",
              "rank 1 to the end of its session (call 2)"});
}
// Without the kernel's help, by which one process reads another's memory.
TEST(mpi, a_rank_that_is_stopped) {
  expect_end(2, "stops",
             {"rank 0: weft: mpi: rank 0 waits for rank 1 in all_reduce add of f32 (2000, 1000)",
              "so the job ends"},
             "OMPI_MCA_btl_vader_single_copy_mechanism=none");
}
// With session_options::throws a rank can save what it has.
TEST(mpi, others_errors_can_be_caught) {
  expect_end(2, "catches",
             {"rank 0 saved: weft: mpi: rank 0 waits for rank 1 in all_reduce add of f32 (3)",
              "; rank 1 has failed: refusing: item 0",
              "and again: weft: mpi: another rank has failed"});
}

} // namespace

int main(int argc, char** argv) {
  if (argc == 3 && std::string(argv[1]) == "--rank") {
    test::rank_program const* const p = test::rank_program::find(argv[2]);
    if (p == nullptr) return std::printf("no program %s\n", argv[2]), 2;
    p->run(argc, argv);
    return test::rank_failures == 0 ? 0 : 1;
  }
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
