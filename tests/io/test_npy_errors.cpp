// SPDX-License-Identifier: BSL-1.0
// .npy files that are not what they should be: an io_error each, and no memory by what they say.
#include "io/files.hpp"

#include <weft/io/npy.hpp>

#include <gtest/gtest.h>

namespace {

using files::error_of;
using weft::load_npy, weft::save_npy, weft::sym, weft::tensor;

constexpr sym rows{"rows"};
std::string const plain = "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }\n";

std::string file(std::string const& dictionary, std::size_t bytes) {
  std::string s("\x93NUMPY\1\0", 8);
  s += static_cast<char>(dictionary.size() & 255);
  s += static_cast<char>(dictionary.size() >> 8);
  return s + dictionary + std::string(bytes, '\0');
}
template <class T = float, auto... E> std::string says_of(std::string const& bytes) {
  files::folder const f;
  files::small_memory const memory;
  files::write(f / "x.npy", bytes);
  return error_of([&] { (void)load_npy<T, E...>(f / "x.npy"); });
}
// Of a dictionary: what the errors of all malformed ones start with.
bool malformed(std::string const& dictionary) {
  return says_of<float, 2>(file(dictionary, 8))
      .starts_with("load_npy: the header of the .npy file is malformed");
}

TEST(npy_errors, the_file_and_the_type_disagree) {
  EXPECT_EQ((says_of<float, 2>(file(plain, 8))), "");
  EXPECT_EQ((says_of<int, 2>(file(plain, 8))),
            "load_npy: the file has elements '<f4', the tensor i32; declare the tensor with the "
            "file's type");
  EXPECT_EQ((says_of<float, 3>(file(plain, 8))),
            "load_npy: the file has shape (2), the tensor (3); declare the tensor with the file's "
            "shape");
  EXPECT_EQ((says_of<float, rows, 1>(file(plain, 8))),
            "load_npy: the file has shape (2), the tensor (rows, 1); declare the tensor with the "
            "file's shape");
  std::string const square = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  EXPECT_EQ((says_of<float, rows, rows>(file(square, 24))),
            "load_npy: the file has shape (2, 3), the tensor (rows, rows); declare the tensor with "
            "the file's shape");
}

TEST(npy_errors, files_that_are_cut_off_or_too_long) {
  std::string const whole = file(plain, 8);
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE((says_of<float, 2>(whole.substr(0, length))), "") << length;
  EXPECT_EQ(says_of(whole.substr(0, 9)),
            "load_npy: this is no .npy file; write it by numpy.save or save_npy");
  EXPECT_EQ(says_of(whole.substr(0, 20)),
            "load_npy: the file ends inside its header; copy it again");
  EXPECT_EQ((says_of<float, 2>(file(plain, 7))),
            "load_npy: the elements of shape (2) take 8 bytes, 7 follow the header; copy it again");
  EXPECT_EQ((says_of<float, 2>(file(plain, 9))),
            "load_npy: the elements of shape (2) take 8 bytes, 9 follow the header; an .npy file "
            "holds one array");
  EXPECT_EQ(says_of(""), "load_npy: this is no .npy file; write it by numpy.save or save_npy");
}

TEST(npy_errors, other_formats) {
  std::string whole = file(plain, 8);
  whole[6] = 4;
  EXPECT_EQ(says_of(whole),
            "load_npy: the .npy file has version 4.0; versions 1.0 to 3.0 are read");
  whole[6] = 0;
  EXPECT_EQ(says_of(whole),
            "load_npy: the .npy file has version 0.0; versions 1.0 to 3.0 are read");
  whole[6] = 1;
  whole[7] = 1;
  EXPECT_EQ(says_of(whole),
            "load_npy: the .npy file has version 1.1; versions 1.0 to 3.0 are read");
  EXPECT_EQ(says_of(std::string(200, 'x')),
            "load_npy: this is no .npy file; write it by numpy.save or save_npy");
}

TEST(npy_errors, hostile_lengths) {
  std::string header("\x93NUMPY\2\0\xff\xff\xff\xff", 12);
  EXPECT_EQ(says_of(header + plain), "load_npy: the file ends inside its header; copy it again");
  EXPECT_EQ(says_of(header.substr(0, 11)),
            "load_npy: the file ends inside its header; copy it again");
}

TEST(npy_errors, hostile_shapes) {
  auto const of = [](std::string const& shape) {
    return says_of<float, rows>(
        file("{'descr': '<f4', 'fortran_order': False, 'shape': " + shape + "}", 8));
  };
  EXPECT_EQ(of("(4611686018427387904,)"),
            "load_npy: the elements of shape (4611686018427387904) are more than can be counted; "
            "look where it comes from");
  EXPECT_EQ(of("(0, 4294967296, 4294967296)"),
            "load_npy: the elements of shape (0, 4294967296, 4294967296) are more than can be "
            "counted; look where it comes from");
  EXPECT_EQ(of("(4294967296, 4294967296, 0)"),
            "load_npy: the elements of shape (4294967296, 4294967296, 0) are more than can be "
            "counted; look where it comes from");
  EXPECT_EQ(of("(99999999999999999999,)"),
            "load_npy: an extent is too large; look where it comes from");
  EXPECT_EQ(of("(2305843009213693951,)"),
            "load_npy: the elements of shape (2305843009213693951) take 9223372036854775804 bytes, "
            "8 follow the header; copy it again");
  EXPECT_EQ(of("(1, 1, 1, 1, 1, 1, 1, 1, 2)"),
            "load_npy: the file's array has more axes than 8; reshape it to at most 8 axes");
}

TEST(npy_errors, types_that_weft_has_not) {
  auto const of = [](std::string const& descr) {
    return says_of(file("{'descr': " + descr + ", 'fortran_order': False, 'shape': ()}", 8));
  };
  for (std::string const descr :
       {"<c8", "|O", "<U4", "|S4", "<m8[ns]", "<f3", "", "<", "<<f4", "|V3"})
    EXPECT_EQ(of("'" + descr + "'"),
              "load_npy: weft has no elements like '" + descr + "'; convert it with numpy first");
  EXPECT_EQ(of("[('x', '<f4'), ('y', '<f4')]"),
            "load_npy: the file has elements with fields; save its fields one by one");
  EXPECT_EQ(of("'\x01\xff'"), "load_npy: weft has no elements like '?"
                              "?'; convert it with numpy first");
  EXPECT_EQ(of("'" + std::string(500, 'q') + "'"), "load_npy: weft has no elements like '" +
                                                       std::string(80, 'q') +
                                                       "...'; convert it with numpy first");
}

TEST(npy_errors, malformed_dictionaries) {
  EXPECT_FALSE(malformed(plain));
  for (std::string const dictionary :
       {"",
        "{",
        "{}",
        "x",
        "{'descr': '<f4', 'fortran_order': False}",
        "{'descr': '<f4', 'shape': (2,)}",
        "{'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<f4', 'descr': '<f4', 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,), 'more': 1}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)} x",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2,)",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (-2,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (,)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': (2 2)}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': [2]}",
        "{'descr': '<f4', 'fortran_order': False, 'shape': 2}",
        "{'descr': '<f4', 'fortran_order': 0, 'shape': (2,)}",
        "{'descr': '<f4\", 'fortran_order': False, 'shape': (2,)}",
        "{'descr': '<f4' 'fortran_order': False, 'shape': (2,)}",
        "{'descr' '<f4', 'fortran_order': False, 'shape': (2,)}",
        "{descr: '<f4', 'fortran_order': False, 'shape': (2,)}"})
    EXPECT_TRUE(malformed(dictionary)) << dictionary;
}

// Every byte of a header replaced by some others: an error or an array, never anything else.
TEST(npy_errors, damaged_headers) {
  files::folder const f;
  std::string const whole = file(plain, 8);
  for (std::size_t place = 0; place < whole.size() - 8; ++place)
    for (char const other : {'\0', '9', '(', '\'', '\xff'}) {
      std::string damaged = whole;
      damaged[place] = other;
      files::write(f / "x.npy", damaged);
      (void)error_of([&] { (void)load_npy<float, rows>(f / "x.npy"); });
    }
}

TEST(npy_errors, missing_files_and_folders) {
  files::folder const f;
  EXPECT_EQ(error_of([&] { (void)load_npy<float>(f / "none.npy"); }),
            "load_npy: No such file or directory; give the path of a file that can be read");
  EXPECT_EQ(error_of([&] { (void)load_npy<float>(f.path); }),
            "load_npy: this is a directory; give the path of a file");
  EXPECT_EQ(error_of([&] { save_npy(f.path, 1.0f); }),
            "save_npy: what is there is no regular file; give the path of a file");
}

TEST(npy_errors, a_full_disk_leaves_the_old_file) {
  files::folder const f;
  save_npy(f / "x.npy", 1.0f);
  std::string const text = error_of([&] {
    files::small_disk const disk;
    save_npy(f / "x.npy", tensor<float, 1000>{});
  });
  EXPECT_EQ(text, "save_npy: File too large; the file that was there is unchanged");
  EXPECT_EQ(load_npy<float>(f / "x.npy")(), 1.0f);
  EXPECT_EQ(f.count(), 1);
}

} // namespace
