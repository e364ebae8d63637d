// SPDX-License-Identifier: BSL-1.0
// Files that ranks write together, where something goes wrong: on the disk, on one rank, by another
// job, by a kill. Ranks are threads here.
// needs: nlohmann/json.hpp
#include "io/file_ranks.hpp"

#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <random>
#include <stdexcept>

#include <sys/stat.h>
#include <sys/wait.h>

namespace {

using namespace file_ranks;
using weft::save_safetensors;

// Saves as `ranks`; rank 0 does `then` when it has met the others `meeting` times: 1, the file is
// made; 2, all bytes are on the disk; 3, it has its name.
std::vector<std::string> save_and(std::string const& path, shared_arrays const& s, int meeting,
                                  std::function<void()> const& then) {
  return as_ranks(s.layouts[0].ranks(), [&](thread_rank& here) {
    if (here.own == 0)
      here.after = [&](int n) {
        if (n == meeting) then();
      };
    save_as(here, path, s);
  });
}

TEST(joint_file, names_as_long_as_the_system_allows) {
  files::folder const f;
  std::string const one = std::string(254, 'a') + "1", two = std::string(254, 'a') + "2";
  for (std::string const& said : save(f / one, rows_of(3, 1))) EXPECT_EQ(said, "");
  for (std::string const& said : save(f / two, rows_of(3, 2))) EXPECT_EQ(said, "");
  EXPECT_NE(files::read(f / one), files::read(f / two));
  EXPECT_EQ(f.count(), 2);
}

TEST(joint_file, a_full_disk_is_every_ranks_error) {
  files::folder const f;
  save(f / "x", rows_of(3, 1));
  std::string const before = files::read(f / "x");
  {
    files::small_disk const disk;
    for (std::string const& said : save(f / "x", rows_of(3, 2)))
      EXPECT_EQ(
          said,
          "save_safetensors: rank 0: File too large; all ranks end so, and the file that was there is "
          "unchanged");
  }
  EXPECT_EQ(files::read(f / "x"), before);
  EXPECT_EQ(f.count(), 1);
}
TEST(joint_file, one_ranks_trouble_is_everybodys) {
  files::folder const f;
  save(f / "x", rows_of(3, 1));
  std::string const before = files::read(f / "x");
  shared_arrays const s = rows_of(3, 2);
  for (std::string const& said : save_and(f / "x", s, 1, [&] { // before others have it open
         std::filesystem::rename(f / "x.ranks.tmp", f / "gone");
       }))
    EXPECT_EQ(
        said,
        "save_safetensors: rank 1: No such file or directory; all ranks end so, and the file that was there "
        "is unchanged");
  EXPECT_EQ(files::read(f / "x"), before);
}
TEST(joint_file, another_file_in_its_place_meanwhile) {
  files::folder const f;
  shared_arrays const s = rows_of(2, 2);
  for (std::string const& said : save_and(f / "x", s, 1, [&] {
         std::filesystem::rename(f / "x.ranks.tmp", f / "gone");
         files::write(f / "x.ranks.tmp", "of another job");
       }))
    EXPECT_NE(said.find("rank 1: Stale"), std::string::npos) << said;
  EXPECT_FALSE(std::filesystem::exists(f / "x"));
  EXPECT_EQ(files::read(f / "x.ranks.tmp"), "of another job");
}
TEST(joint_file, another_file_in_its_place_before_it_is_renamed) {
  files::folder const f;
  for (std::string const& said : save_and(f / "x", rows_of(2, 2), 2, [&] {
         std::filesystem::rename(f / "x.ranks.tmp", f / "gone");
         files::write(f / "x.ranks.tmp", "of another job");
       }))
    EXPECT_NE(said.find("rank 0: Stale"), std::string::npos) << said;
  EXPECT_FALSE(std::filesystem::exists(f / "x"));
  EXPECT_EQ(files::read(f / "x.ranks.tmp"), "of another job");
}
TEST(joint_file, a_place_that_is_taken_meanwhile) {
  files::folder const f;
  for (std::string const& said :
       save_and(f / "x", rows_of(3, 1), 2, [&] { std::filesystem::create_directory(f / "x"); }))
    EXPECT_EQ(said, "save_safetensors: rank 0: Is a directory; all ranks end so, and the file that "
                    "was there is unchanged");
  EXPECT_EQ(f.count(), 1);
}
TEST(joint_file, a_directory_in_its_place) {
  files::folder const f;
  std::filesystem::create_directory(f / "x");
  for (std::string const& said : save(f / "x", rows_of(3, 1)))
    EXPECT_EQ(said, "save_safetensors: what is there is no regular file; give the path of a file");
  EXPECT_EQ(f.count(), 1);
}
TEST(joint_file, no_folder) {
  files::folder const f;
  for (std::string const& said : save(f / "none/x", rows_of(3, 1)))
    EXPECT_EQ(said.find("save_safetensors: rank 0: No such file or directory; all ranks"), 0)
        << said;
}
TEST(joint_file, links_and_pipes_under_its_other_name) {
  files::folder const f;
  std::filesystem::create_symlink("elsewhere", f / "x.ranks.tmp");
  for (std::string const& said : save(f / "x", rows_of(2, 1)))
    EXPECT_NE(said.find("rank 0: Too many levels"), std::string::npos) << said;
  EXPECT_EQ(f.count(), 1);
  std::filesystem::remove(f / "x.ranks.tmp");
  ASSERT_EQ(::mkfifo((f / "x.ranks.tmp").c_str(), 0666), 0);
  for (std::string const& said : save(f / "x", rows_of(2, 1))) // and waits for no reader
    EXPECT_NE(said.find("rank 0: No such device"), std::string::npos) << said;
  EXPECT_EQ(f.count(), 1);
}
TEST(joint_file, keeps_permissions_and_links) {
  using std::filesystem::perms;
  files::folder const f;
  files::write(f / "real", "old");
  std::filesystem::permissions(f / "real", perms::owner_read | perms::group_read);
  std::filesystem::create_symlink("real", f / "link");
  for (std::string const& said : save(f / "link", rows_of(2, 1))) EXPECT_EQ(said, "");
  save_safetensors(f / "one", rows_of(2, 1).whole);
  EXPECT_EQ(files::read(f / "real"), files::read(f / "one"));
  EXPECT_TRUE(std::filesystem::is_symlink(f / "link"));
  EXPECT_EQ(std::filesystem::status(f / "real").permissions(),
            perms::owner_read | perms::group_read);
  EXPECT_EQ(f.count(), 3);
}
// What one rank alone throws before it meets the others.
TEST(joint_file, errors_of_one_rank_before_the_file_is_open) {
  files::folder const f;
  std::vector<char> const data(4);
  auto const says = [&](int failing, auto const& error) {
    std::vector<std::string> const said = as_ranks(3, [&](thread_rank& here) {
      auto const slice = [&, own = here.own](extent) {
        if (own == failing) error();
        return array_slice{{1, {0}}, {1, {4}}};
      };
      save_safetensors(here, f / "x", {}, {{"w", dtype::u8, {1, {4}}, slice, data.data()}});
    });
    EXPECT_EQ(said[0], said[1]);
    EXPECT_EQ(said[0], said[2]);
    EXPECT_EQ(f.count(), 0);
    return said[0];
  };
  std::string const end = "; all ranks end so, and the file that was there is unchanged";
  EXPECT_EQ(says(1, [] { throw std::out_of_range("no such rank"); }),
            "save_safetensors: rank 1: no such rank" + end);
  EXPECT_EQ(says(0, [] { throw 1; }),
            "save_safetensors: rank 0: an exception of an unknown type" + end);
  auto const refuses = [] {
    weft::detail::raise_file({"save_safetensors", "x"}, "let it", "this does not go");
  };
  EXPECT_EQ(says(0, refuses), "save_safetensors: this does not go; let it");
  EXPECT_EQ(says(2, refuses), "save_safetensors: rank 2: this does not go; let it");
  EXPECT_EQ(says(2, [] { weft::raise<weft::io_error>("weft: other: wrong (y)"); }),
            "save_safetensors: rank 2: weft: other: wrong");
}
TEST(joint_file, two_jobs_write_one_file) {
  files::folder const f;
  weft::detail::file_descriptor const other = weft::detail::open_locked(f / "x.ranks.tmp", O_CREAT);
  for (std::string const& said : save(f / "x", rows_of(2, 1)))
    EXPECT_EQ(said,
              "save_safetensors: another job writes this file; wait for it, or give another path");
  EXPECT_TRUE(std::filesystem::exists(f / "x.ranks.tmp")); // the other's
}
TEST(joint_file, a_lock_is_worth_nothing_when_its_file_has_lost_its_name) {
  files::folder const f;
  weft::detail::file_descriptor const file = weft::detail::open_first(f / "x.ranks.tmp");
  ASSERT_TRUE(file.is_open());
  EXPECT_TRUE(file.has_name(f / "x.ranks.tmp"));
  std::filesystem::rename(f / "x.ranks.tmp", f / "x");
  EXPECT_FALSE(file.has_name(f / "x.ranks.tmp"));
  files::write(f / "x.ranks.tmp", "");
  EXPECT_FALSE(file.has_name(f / "x.ranks.tmp"));
  EXPECT_TRUE(file.has_name(f / "x"));
}
// Who has it has it until it renames it, however many open, lock and remove it meanwhile.
TEST(joint_file, jobs_that_race_for_the_name) {
  files::folder const f;
  std::string const name = f / "x.ranks.tmp";
  std::atomic<int> had = 0, lost = 0;
  std::vector<std::thread> jobs;
  for (int job = 0; job < 3; ++job)
    jobs.emplace_back([&] {
      for (int turn = 0; turn < 3000; ++turn) {
        weft::detail::file_descriptor const file = weft::detail::open_first(name);
        if (!file.is_open()) continue;
        std::this_thread::yield();
        lost += file.has_name(name) ? 0 : 1;
        had += std::rename(name.c_str(), (f / "x").c_str()) == 0 ? 1 : 0;
      }
    });
  for (std::thread& t : jobs) t.join();
  EXPECT_GT(had, 0);
  EXPECT_EQ(lost, 0);
}
// Each waits for nobody: it writes the whole file, or says that another does.
TEST(joint_file, jobs_that_race) {
  files::folder const f;
  std::vector<std::string> meant;
  for (float value : {0.0f, 1.0f, 2.0f}) {
    save_safetensors(f / "x", rows_of(1, value).whole);
    meant.push_back(files::read(f / "x"));
  }
  std::vector<std::thread> jobs;
  for (int job = 0; job < 3; ++job)
    jobs.emplace_back([&, job] {
      for (int turn = 0; turn < 50; ++turn) {
        std::string const said = save(f / "x", rows_of(1, static_cast<float>(job)))[0];
        EXPECT_TRUE(said.empty() || said.find("another job writes") != std::string::npos) << said;
        std::string const there = files::read(f / "x");
        EXPECT_NE(std::find(meant.begin(), meant.end(), there), meant.end());
      }
    });
  for (std::thread& t : jobs) t.join();
  EXPECT_EQ(f.count(), 1);
}
TEST(joint_file, what_a_killed_job_left_is_replaced) {
  files::folder const f;
  files::write(f / "x.ranks.tmp", std::string(100000, 'x'));
  save(f / "x", rows_of(2, 1));
  save_safetensors(f / "one", rows_of(2, 1).whole);
  EXPECT_EQ(files::read(f / "x"), files::read(f / "one"));
  EXPECT_EQ(f.count(), 2);
}
TEST(joint_file, killed_between_two_meetings) {
  for (int meeting : {1, 2, 3}) {
    files::folder const f;
    save(f / "x", rows_of(2, 0));
    std::string const before = files::read(f / "x");
    ::pid_t const job = ::fork();
    ASSERT_GE(job, 0) << std::strerror(errno);
    if (job == 0) {
      save_and(f / "x", rows_of(2, 1), meeting, [] { ::raise(SIGKILL); });
      ::_exit(0);
    }
    int status = 0;
    ::waitpid(job, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    EXPECT_EQ(files::read(f / "x") == before, meeting < 3) << meeting;
    EXPECT_EQ(f.count(), meeting < 3 ? 2 : 1); // x.ranks.tmp
    for (std::string const& said : save(f / "x", rows_of(2, 1))) EXPECT_EQ(said, "");
    EXPECT_EQ(f.count(), 1);
  }
}
// A job of three ranks that writes one file after the other, killed wherever it is.
TEST(joint_file, whole_after_a_kill_at_any_moment) {
  files::folder const f;
  std::mt19937 r(3);
  std::vector<std::string> meant;
  for (float value : {0.0f, 1.0f}) {
    save_safetensors(f / "one", rows_of(3, value).whole);
    meant.push_back(files::read(f / "one"));
  }
  save(f / "x", rows_of(3, 0));
  for (int turn = 0; turn < 40; ++turn) {
    ::pid_t const job = ::fork();
    ASSERT_GE(job, 0) << std::strerror(errno); // kill(-1) would be everybody's
    if (job == 0)
      for (int i = 0;; ++i) save(f / "x", rows_of(3, static_cast<float>(i % 2)));
    std::this_thread::sleep_for(std::chrono::microseconds(1000 + r() % 4000));
    ::kill(job, SIGKILL);
    ::waitpid(job, nullptr, 0);
    std::string const there = files::read(f / "x");
    ASSERT_TRUE(there == meant[0] || there == meant[1]) << "turn " << turn;
    ASSERT_LE(f.count(), 3);
  }
  for (std::string const& said : save(f / "x", rows_of(3, 1))) EXPECT_EQ(said, "");
  EXPECT_EQ(files::read(f / "x"), meant[1]);
  EXPECT_EQ(f.count(), 2);
}

} // namespace
