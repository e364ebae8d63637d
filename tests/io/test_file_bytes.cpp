// SPDX-License-Identifier: BSL-1.0
// Whole files, mapped and read.
#include "io/files.hpp"

#include <weft/io/file_bytes.hpp>

#include <gtest/gtest.h>

#include <sys/stat.h>

namespace {

using files::error_of;
using weft::file_access;
using weft::detail::file_bytes;

weft::detail::file_at at(std::string const& path) { return {"load", path}; }

TEST(file_bytes, maps_or_reads) {
  files::folder const f;
  std::string const text = "some\0bytes" + std::string(200'000, 'x') + "end";
  files::write(f / "a", text);
  file_bytes const mapped(at(f / "a")), copied(at(f / "a"), file_access::copied);
  EXPECT_TRUE(mapped.is_mapped());
  EXPECT_FALSE(copied.is_mapped());
  EXPECT_TRUE(mapped.bytes() == text);
  EXPECT_TRUE(copied.bytes() == text);
  EXPECT_EQ(reinterpret_cast<std::uintptr_t>(copied.bytes().data()) % 64, 0u);
}

TEST(file_bytes, length_at_the_edge_of_a_read) {
  files::folder const f;
  for (std::size_t const size : {65535u, 65536u, 65537u, 131072u}) {
    std::string const text(size, 'y');
    files::write(f / "a", text);
    EXPECT_TRUE(file_bytes(at(f / "a"), file_access::copied).bytes() == text) << size;
  }
}

TEST(file_bytes, no_bytes) {
  files::folder const f;
  files::write(f / "a", "");
  file_bytes const empty(at(f / "a"));
  EXPECT_EQ(empty.bytes().size(), 0u);
  EXPECT_FALSE(empty.is_mapped());
}

TEST(file_bytes, says_what_is_no_file) {
  files::folder const f;
  EXPECT_EQ(error_of([&] { file_bytes(at(f / "none")); }),
            "load: No such file or directory; give the path of a file that can be read");
  EXPECT_EQ(error_of([&] { file_bytes(at(f.path.string())); }),
            "load: this is a directory; give the path of a file");
  ASSERT_EQ(::mkfifo((f / "pipe").c_str(), 0600), 0);
  EXPECT_EQ(error_of([&] { file_bytes(at(f / "pipe")); }),
            "load: this is no regular file; copy it into one first");
}

TEST(file_bytes, names_the_file) {
  try {
    file_bytes(at(std::string(300, 'd') + "/end\n"));
  } catch (weft::io_error const& e) {
    std::string const text = e.what();
    EXPECT_EQ(text.substr(text.size() - 12), "dddddd/end?)") << text;
    EXPECT_NE(text.find("(...d"), std::string::npos) << text;
    return;
  }
  FAIL();
}

} // namespace
