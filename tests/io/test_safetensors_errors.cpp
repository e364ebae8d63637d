// SPDX-License-Identifier: BSL-1.0
// .safetensors files that are not what they should be, and what cannot be written.
// needs: nlohmann/json.hpp
#include "io/files.hpp"

#include <weft/io/host_arrays.hpp>
#include <weft/io/safetensors.hpp>

#include <gtest/gtest.h>

namespace {

using files::error_of;
using weft::named, weft::safetensors_file, weft::save_safetensors, weft::sym, weft::tensor;

constexpr sym rows{"rows"};

std::string file(std::string const& header, std::size_t data) {
  std::string s(8, '\0');
  for (std::size_t i = 0; i < 8; ++i) s[i] = static_cast<char>(header.size() >> 8 * i);
  return s + header + std::string(data, '\1');
}
std::string says_of(std::string const& bytes) {
  files::folder const f;
  files::small_memory const memory;
  files::write(f / "x", bytes);
  std::string const text = error_of([&] { safetensors_file{f / "x"}; });
  return text.empty() ? text : text.substr(std::string("safetensors_file: ").size());
}
std::string entry(std::string const& name, std::string const& type, std::string const& shape,
                  std::string const& offsets) {
  return '"' + name + R"(":{"dtype":")" + type + R"(","shape":[)" + shape +
         R"(],"data_offsets":[)" + offsets + "]}";
}
std::string const one = "{" + entry("x", "F32", "2", "0,8") + "}";

TEST(safetensors_errors, files_that_are_cut_off_or_too_long) {
  std::string const whole = file(one, 8);
  EXPECT_EQ(says_of(whole), "");
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE(says_of(whole.substr(0, length)), "") << length;
  EXPECT_EQ(says_of(whole.substr(0, 7)),
            "this is no .safetensors file, or it ends inside its header; copy it again");
  EXPECT_EQ(says_of(file(one, 7)),
            "the file is cut off before the end of array 'x'; copy it again");
  EXPECT_EQ(says_of(file(one, 9)), "the arrays end at byte 8 of 9; copy it again");
}

TEST(safetensors_errors, hostile_lengths) {
  std::string whole = file(one, 8);
  for (std::size_t i = 0; i < 8; ++i) whole[i] = '\xff';
  EXPECT_EQ(says_of(whole),
            "this is no .safetensors file, or it ends inside its header; copy it again");
  // A file that is long enough, sparse: refused before anything of it is read.
  files::folder const f;
  files::write(f / "x", file(std::string(1, '{'), 0));
  std::string const length("\1\xe1\xf5\5\0\0\0\0", 8); // 100,000,001
  std::fstream(f / "x", std::ios::in | std::ios::out | std::ios::binary) << length;
  std::filesystem::resize_file(f / "x", 100'000'009);
  EXPECT_EQ(
      error_of([&] { safetensors_file{f / "x"}; }),
      "safetensors_file: the header is longer than the format allows; look where it comes from");
}

TEST(safetensors_errors, places_in_the_data) {
  auto const two = [](std::string const& a, std::string const& b) {
    return says_of(file("{" + entry("a", "U8", "4", a) + "," + entry("b", "U8", "4", b) + "}", 8));
  };
  EXPECT_EQ(two("0,4", "4,8"), "");
  EXPECT_EQ(two("4,8", "0,4"), "");
  std::string const wrong = " overlaps another, or leaves a gap; copy it again";
  EXPECT_EQ(two("0,4", "0,4"), "array 'b'" + wrong);
  EXPECT_EQ(two("0,4", "3,7"), "array 'b'" + wrong);
  EXPECT_EQ(two("0,4", "5,9"), "array 'b'" + wrong);
  EXPECT_EQ(two("1,5", "5,9"), "array 'a'" + wrong);
  std::string const cut = "the file is cut off before the end of array 'b'; copy it again";
  EXPECT_EQ(two("0,4", "4,9"), cut);
  EXPECT_EQ(two("4,0", "4,8"), "array 'a'" + wrong);
  EXPECT_EQ(two("0,4", "8,4"), "array 'b'" + wrong);
  EXPECT_EQ(two("0,4", "4,2"), "array 'b'" + wrong);
  EXPECT_EQ(two("0,4", "4,18446744073709551615"), cut);
  EXPECT_EQ(two("0,5", "5,8"), "array 'a' of 'U8' and shape (4) has 5 bytes; copy it again");
}

TEST(safetensors_errors, hostile_shapes) {
  auto const of = [](std::string const& shape) {
    return says_of(file("{" + entry("x", "F32", shape, "0,8") + "}", 8));
  };
  EXPECT_EQ(of("1,2"), "");
  EXPECT_EQ(of("3"), "array 'x' of 'F32' and shape (3) has 8 bytes; copy it again");
  EXPECT_EQ(of("4611686018427387906"),
            "array 'x' of 'F32' and shape (4611686018427387906) has 8 bytes; copy it again");
  EXPECT_EQ(of("4294967298,4294967296"),
            "array 'x' of 'F32' and shape (4294967298, 4294967296) has 8 bytes; copy it again");
  EXPECT_EQ(of("9223372036854775808"), "an extent is too large; look where it comes from");
}
TEST(safetensors_errors, more_axes_than_arrays_have) {
  files::folder const f;
  files::write(f / "x", file("{" + entry("x", "F32", "1,1,1,1,1,1,1,1,1,1,2", "0,8") + "," +
                                 entry("y", "F32", "1", "8,12") + "}",
                             12));
  safetensors_file const s(f / "x");
  EXPECT_EQ(s.names(), (std::vector<std::string>{"x", "y"}));
  EXPECT_EQ((s.load<float, 1>("y").shape()), (weft::extents{1, {1}}));
  EXPECT_EQ(error_of([&] { (void)s.load_any("x"); }),
            "safetensors_file: array 'x' has more axes than 8; reshape it to at most 8 axes");
}

TEST(safetensors_errors, names_are_unique) {
  EXPECT_EQ(says_of(file(
                "{" + entry("x", "U8", "4", "0,4") + "," + entry("x", "U8", "4", "4,8") + "}", 8)),
            "the header has two items named 'x'; names are unique");
  EXPECT_EQ(says_of(file(R"({"__metadata__":{"a":"b","a":"c"}})", 0)),
            "the header has two items named 'a'; names are unique");
  EXPECT_EQ(says_of(file(R"({"__metadata__":{},"__metadata__":{}})", 0)),
            "the header has two items named '__metadata__'; names are unique");
  EXPECT_EQ(
      says_of(file(R"({"x":{"dtype":"U8","dtype":"U8","shape":[0],"data_offsets":[0,0]}})", 0)),
      "the header has two items named 'dtype'; names are unique");
}

TEST(safetensors_errors, headers_of_another_grammar) {
  EXPECT_EQ(says_of(file("{}", 0)), "");
  EXPECT_EQ(says_of(file("{}  ", 0)), "");
  for (std::string const header :
       {R"({"x":1})",
        R"({"x":"y"})",
        R"({"x":[]})",
        R"({"x":null})",
        R"({"x":{}})",
        R"({"x":true})",
        R"({"x":{"dtype":"U8","shape":[0]}})",
        R"({"x":{"dtype":"U8","data_offsets":[0,0]}})",
        R"({"x":{"shape":[0],"data_offsets":[0,0]}})",
        R"({"x":{"dtype":8,"shape":[0],"data_offsets":[0,0]}})",
        R"({"x":{"dtype":["U8"],"shape":[0],"data_offsets":[0,0]}})",
        R"({"x":{"dtype":"U8","shape":0,"data_offsets":[0,0]}})",
        R"({"x":{"dtype":"U8","shape":"0","data_offsets":[0,0]}})",
        R"({"x":{"dtype":"U8","shape":[-1],"data_offsets":[0,0]}})",
        R"({"x":{"dtype":"U8","shape":[0.0],"data_offsets":[0,0]}})",
        R"({"x":{"dtype":"U8","shape":[[0]],"data_offsets":[0,0]}})",
        R"({"x":{"dtype":"U8","shape":["0"],"data_offsets":[0,0]}})",
        R"({"x":{"dtype":"U8","shape":[0],"data_offsets":[0]}})",
        R"({"x":{"dtype":"U8","shape":[0],"data_offsets":[0,0,0]}})",
        R"({"x":{"dtype":"U8","shape":[0],"data_offsets":[]}})",
        R"({"x":{"dtype":"U8","shape":[0],"data_offsets":[0,0],"more":1}})",
        R"({"x":{"dtype":{"U":8},"shape":[0],"data_offsets":[0,0]}})",
        R"({"__metadata__":"x"})",
        R"({"__metadata__":{"a":1}})",
        R"({"__metadata__":{"a":["b"]}})",
        R"({"__metadata__":{"a":{}}})"})
    EXPECT_EQ(says_of(file(header, 0)).substr(0, 36), "the header is not as the format says")
        << header;
}

TEST(safetensors_errors, headers_that_are_no_json) {
  for (std::string const header :
       {"{", "{\"x\"}", "{} x", "{\"\xff\":{}}", "{\"\\ud800\":{}}", "{,}"})
    EXPECT_EQ(says_of(file(header, 0)).substr(0, 41),
              "the header is no JSON in UTF-8, at byte " +
                  std::string(1, says_of(file(header, 0))[40]))
        << header;
  for (std::string const header : {"", "[]", " {}", "null"})
    EXPECT_EQ(says_of(file(header, 0)),
              "this is no .safetensors file: its header starts with no {; copy it again");
  // Deep nesting costs nothing.
  EXPECT_NE(says_of(file("{\"x\":" + std::string(1'000'000, '['), 0)), "");
}

TEST(safetensors_errors, arrays_that_are_asked_for_wrongly) {
  files::folder const f;
  std::string const header = "{" + entry("x", "F32", "2", "0,8") + "," +
                             entry("f8", "F8_E4M3", "2", "8,10") + "," +
                             entry("b", "BOOL", "2", "10,12") + "," +
                             entry("far", "I16", "1", "12,14") + "}";
  std::string bytes = file(header + std::string(8 - header.size() % 8, ' '), 13);
  bytes += '\2';
  bytes[bytes.size() - 3] = '\2';
  files::write(f / "x", bytes);
  safetensors_file const s(f / "x");
  auto const says = [](auto const& g) { return error_of([&] { (void)g(); }); };
  EXPECT_EQ(says([&] { return s.load<float, 2>("y"); }),
            "safetensors_file: there is no array 'y'; names() lists those there are");
  EXPECT_EQ(says([&] { return s.shape("y"); }),
            "safetensors_file: there is no array 'y'; names() lists those there are");
  EXPECT_EQ(says([&] { return s.load<int, 2>("x"); }),
            "safetensors_file: array 'x' has elements 'F32', the tensor i32; declare the tensor "
            "with the file's type");
  EXPECT_EQ(says([&] { return s.view<float, rows, 1>("x"); }),
            "safetensors_file: array 'x' has shape (2), the tensor (rows, 1); declare the tensor "
            "with the file's shape");
  EXPECT_EQ(says([&] { return s.load<std::uint8_t, 2>("f8"); }),
            "safetensors_file: array 'f8' has elements 'F8_E4M3', the tensor ui8; declare the "
            "tensor with the file's type");
  EXPECT_EQ(says([&] { return s.view<bool, 2>("b"); }),
            "safetensors_file: array 'b' has bools that are neither 0 nor 1; load it");
  EXPECT_EQ((s.load<bool, 2>("b")), (tensor<bool, 2>{true, true}));
  EXPECT_EQ((s.view<std::int16_t, 1>("far")(0)), 0x201);
}

TEST(safetensors_errors, a_view_of_what_is_not_aligned) {
  files::folder const f;
  std::string header = "{" + entry("a", "U8", "1", "0,1") + "," + entry("x", "F32", "1", "1,5") +
                       "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  files::write(f / "x", file(header, 5));
  safetensors_file const s(f / "x");
  EXPECT_EQ(error_of([&] { (void)s.view<float, 1>("x"); }),
            "safetensors_file: array 'x' is not aligned in the file; load it");
  EXPECT_EQ((s.load<float, 1>("x")(0)), std::bit_cast<float>(0x01010101));
}

TEST(safetensors_errors, a_view_of_nothing_lies_anywhere) {
  files::folder const f;
  std::string header = "{" + entry("a", "U8", "1", "0,1") + "," + entry("x", "F32", "0", "1,1") +
                       "}";
  header.resize((header.size() + 7) / 8 * 8, ' ');
  files::write(f / "x", file(header, 1));
  EXPECT_EQ((safetensors_file(f / "x").view<float, 0>("x").size()), 0);
}

TEST(safetensors_errors, what_cannot_be_written) {
  files::folder const f;
  save_safetensors(f / "x", named("x", 1.0f));
  std::string const before = files::read(f / "x");
  auto const says = [&](auto const&... x) {
    return error_of([&] { save_safetensors(f / "x", x...); });
  };
  EXPECT_EQ(says(named("w", 1.0f), named("w", 2.0f)),
            "save_safetensors: two arrays are named 'w'; give each a name of its own");
  weft::host_array const scalar(weft::dtype::f32, {});
  EXPECT_EQ(error_of([&] {
              save_safetensors(f / "x",
                               std::vector<weft::named_host_array>{{"w", scalar}, {"w", scalar}});
            }),
            "save_safetensors: two arrays are named 'w'; give each a name of its own");
  EXPECT_EQ(says(named("\xff", 1.0f)),
            "save_safetensors: this text is not: '?'; names and metadata are UTF-8");
  EXPECT_EQ(says(weft::safetensors_metadata{{"a", "\xc3"}}),
            "save_safetensors: this text is not: '?'; names and metadata are UTF-8");
  EXPECT_EQ(says(named("__metadata__", 1.0f)),
            "save_safetensors: an array is named '__metadata__'; name it otherwise");
  EXPECT_EQ(files::read(f / "x"), before);
  EXPECT_EQ(f.count(), 1);
}

TEST(safetensors_errors, a_full_disk_leaves_the_old_file) {
  files::folder const f;
  save_safetensors(f / "x", named("x", 1.0f));
  std::string const old = files::read(f / "x");
  std::string const text = error_of([&] {
    files::small_disk const disk;
    save_safetensors(f / "x", named("x", tensor<float, 1000>{}));
  });
  EXPECT_EQ(text, "save_safetensors: File too large; the file that was there is unchanged");
  EXPECT_EQ(files::read(f / "x"), old);
  EXPECT_EQ(f.count(), 1);
}

} // namespace
