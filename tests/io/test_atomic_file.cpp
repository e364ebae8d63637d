// SPDX-License-Identifier: BSL-1.0
// Files that are there whole or not at all, and what is left of those that fail.
#include "io/files.hpp"

#include <weft/io/atomic_file.hpp>

#include <gtest/gtest.h>

namespace {

using files::error_of;
using weft::atomic_file;

TEST(atomic_file, appears_when_it_is_committed) {
  files::folder const f;
  atomic_file file(f / "a");
  file.write("one ");
  file.write("two", 3);
  EXPECT_FALSE(std::filesystem::exists(f / "a"));
  file.commit();
  EXPECT_EQ(files::read(f / "a"), "one two");
  EXPECT_EQ(f.count(), 1);
}

TEST(atomic_file, the_old_file_is_there_until_then) {
  files::folder const f;
  files::write(f / "a", "old");
  {
    atomic_file file(f / "a");
    file.write("new");
    EXPECT_EQ(files::read(f / "a"), "old");
    EXPECT_EQ(f.count(), 2);
  } // never committed
  EXPECT_EQ(files::read(f / "a"), "old");
  EXPECT_EQ(f.count(), 1);
}

TEST(atomic_file, two_writers_do_not_meet) {
  files::folder const f;
  atomic_file one(f / "a"), two(f / "a");
  one.write("one");
  two.write("two");
  two.commit();
  EXPECT_EQ(files::read(f / "a"), "two");
  one.commit();
  EXPECT_EQ(files::read(f / "a"), "one");
  EXPECT_EQ(f.count(), 1);
}

TEST(atomic_file, a_full_disk) {
  files::folder const f;
  files::write(f / "a", "old");
  EXPECT_EQ(error_of([&] {
              files::small_disk const disk;
              atomic_file file(f / "a");
              file.write(std::string(5000, 'x'));
              file.commit();
            }),
            "atomic_file: File too large; the file that was there is unchanged");
  EXPECT_EQ(files::read(f / "a"), "old");
  EXPECT_EQ(f.count(), 1);
}

TEST(atomic_file, a_write_that_failed_is_not_committed) {
  files::folder const f;
  files::write(f / "a", "old");
  {
    atomic_file file(f / "a");
    {
      files::small_disk const disk;
      EXPECT_FALSE(file.put(std::string(5000, 'x').data(), 5000));
    }
    file.write("there is room again");
    EXPECT_EQ(error_of([&] { file.commit(); }),
              "atomic_file: not all could be written; the file that was there is unchanged");
  }
  EXPECT_EQ(files::read(f / "a"), "old");
  EXPECT_EQ(f.count(), 1);
}

TEST(atomic_file, a_place_that_is_taken_meanwhile) {
  files::folder const f;
  EXPECT_EQ(error_of([&] {
              atomic_file file(f / "a");
              file.write("new");
              std::filesystem::create_directory(f / "a");
              file.commit();
            }),
            "atomic_file: Is a directory; the file that was there is unchanged");
  EXPECT_EQ(f.count(), 1);
}

TEST(atomic_file, places_where_no_file_can_be) {
  files::folder const f;
  EXPECT_EQ(error_of([&] { atomic_file(f / "none/a"); }),
            "atomic_file: No such file or directory; the folder must exist and be writable");
  for (std::string const& path : {f.path.string(), std::string("/dev/null")})
    EXPECT_EQ(error_of([&] { atomic_file{path}; }),
              "atomic_file: what is there is no regular file; give the path of a file");
  EXPECT_EQ(f.count(), 0);
}

TEST(atomic_file, keeps_permissions_and_links) {
  using std::filesystem::perms;
  files::folder const f;
  files::write(f / "real", "old");
  std::filesystem::permissions(f / "real", perms::owner_read | perms::group_read);
  std::filesystem::create_symlink("real", f / "link");
  atomic_file file(f / "link");
  file.write("new");
  for (auto const& entry : std::filesystem::directory_iterator(f.path))
    if (entry.path().extension() == ".tmp") {
      EXPECT_EQ(entry.status().permissions(), perms::owner_read | perms::owner_write);
    }
  file.commit();
  EXPECT_EQ(files::read(f / "real"), "new");
  EXPECT_TRUE(std::filesystem::is_symlink(f / "link"));
  EXPECT_EQ(std::filesystem::status(f / "real").permissions(),
            perms::owner_read | perms::group_read);
}

TEST(atomic_file, links_to_files_that_are_not_there_yet) {
  files::folder const f;
  std::filesystem::create_directory(f / "below");
  std::filesystem::create_symlink("below/second", f / "first");
  std::filesystem::create_symlink(f / "real", f / "below/second");
  atomic_file file(f / "first");
  file.write("new");
  file.commit();
  EXPECT_TRUE(std::filesystem::is_symlink(f / "first"));
  EXPECT_TRUE(std::filesystem::is_symlink(f / "below/second"));
  EXPECT_FALSE(std::filesystem::is_symlink(f / "real"));
  EXPECT_EQ(files::read(f / "real"), "new");
  std::filesystem::create_symlink("circle", f / "circle");
  EXPECT_EQ(error_of([&] { atomic_file(f / "circle"); }),
            "atomic_file: Too many levels of symbolic links; a symbolic link must lead to a file");
}

TEST(atomic_file, names_as_long_as_the_system_allows) {
  files::folder const f;
  std::string characters; // of two bytes each
  for (int i = 0; i < 127; ++i) characters += "\xc3\xa4";
  for (std::string const& name : {std::string(255, 'a'), "b" + characters}) {
    atomic_file file(f / name);
    file.write(name);
    file.commit();
    EXPECT_EQ(files::read(f / name), name);
  }
  EXPECT_EQ(f.count(), 2);
}

TEST(atomic_file, in_the_working_folder) {
  files::folder const f;
  auto const before = std::filesystem::current_path();
  std::filesystem::current_path(f.path);
  atomic_file file("a");
  file.commit();
  std::filesystem::current_path(before);
  EXPECT_TRUE(std::filesystem::exists(f / "a"));
}

TEST(atomic_file, is_complete_after_commit) {
  files::folder const f;
  atomic_file file(f / "a");
  file.commit();
  EXPECT_EQ(error_of([&] { file.write("x"); }),
            "atomic_file: the file is complete; write before commit()");
  EXPECT_EQ(error_of([&] { file.commit(); }), "atomic_file: the file is complete; commit once");
}

} // namespace
