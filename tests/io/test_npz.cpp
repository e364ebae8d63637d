// SPDX-License-Identifier: BSL-1.0
// .npz archives: what numpy.savez and numpy.savez_compressed write is read, structs come back by
// name, and damaged archives are errors.
// needs: zip.h zip
#include "io/files.hpp"

#include <weft/io/npz.hpp>

#include <gtest/gtest.h>

namespace {

using files::error_of;
using weft::load_npz, weft::named, weft::npz_file, weft::save_npz, weft::sym, weft::tensor;
using names = std::vector<std::string>;

constexpr sym rows{"rows"};

// numpy.savez(f, a=numpy.array([[1.5, 2], [3, 4]], '>f4'), b=numpy.array(7, 'i8')), numpy 2.4.6
std::string const stored = files::from_hex(
    "504b03042d000000000000002100ce57477bffffffffffffffff05001400612e6e707901001000900000"
    "00000000009000000000000000934e554d5059010076007b276465736372273a20273e6634272c202766"
    "6f727472616e5f6f72646572273a2046616c73652c20277368617065273a2028322c2032292c207d2020"
    "202020202020202020202020202020202020202020202020202020202020202020202020202020202020"
    "20202020202020202020202020200a3fc00000400000004040000040800000504b03042d000000000000"
    "00210023b8f06cffffffffffffffff05001400622e6e7079010010008800000000000000880000000000"
    "0000934e554d5059010076007b276465736372273a20273c6938272c2027666f727472616e5f6f726465"
    "72273a2046616c73652c20277368617065273a2028292c207d2020202020202020202020202020202020"
    "202020202020202020202020202020202020202020202020202020202020202020202020202020202020"
    "2020200a0700000000000000504b01022d032d000000000000002100ce57477b90000000900000000500"
    "00000000000000000000800100000000612e6e7079504b01022d032d00000000000000210023b8f06c88"
    "000000880000000500000000000000000000008001c7000000622e6e7079504b05060000000002000200"
    "66000000860100000000");
// numpy.savez_compressed(f, a=numpy.asfortranarray([[0, 1, 2], [3, 4, 5]], 'u2'),
//                        z=numpy.zeros((0, 2), '?'))
std::string const deflated = files::from_hex(
    "504b03042d000000080000002100771d8f1fffffffffffffffff05001400612e6e7079010010008c0000"
    "000000000051000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e536aa4aea3a09e"
    "965f54529498179f5f94920a120f292a4d050a17672416a402b91a463a0ac69a3a0ab50ae4032e060666"
    "06460616062606560600504b03042d00000008000000210003330774ffffffffffffffff050014007a2e"
    "6e707901001000800000000000000046000000000000009bec17ea1b10c9c850c650ad9e925a9c5ca46e"
    "a5a05e9364a8aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402f91a063a0a46"
    "9a3a0ab50a64032e00504b01022d032d000000080000002100771d8f1f510000008c0000000500000000"
    "00000000000000800100000000612e6e7079504b01022d032d0000000800000021000333077446000000"
    "800000000500000000000000000000008001880000007a2e6e7079504b05060000000002000200660000"
    "00050100000000");

template <template <class, auto...> class array> struct layer {
  array<float, 2, 3> w;
  array<bool, rows> b;
  int n = 0;
};

TEST(npz, reads_what_numpy_stores) {
  files::folder const f;
  files::write(f / "x.npz", stored);
  npz_file const file(f / "x.npz");
  EXPECT_EQ(file.names(), (names{"a", "b"}));
  EXPECT_TRUE(file.contains("a"));
  EXPECT_FALSE(file.contains("a.npy"));
  EXPECT_EQ((file.load<float, 2, rows>("a")), (tensor<float, 2, rows>{{1.5f, 2}, {3, 4}}));
  EXPECT_EQ(file.load<std::int64_t>("b")(), 7);
  EXPECT_EQ((load_npz<float, 2, 2>(f / "x.npz", "a")(1, 0)), 3);
}

TEST(npz, reads_what_numpy_deflates) {
  files::folder const f;
  files::write(f / "x.npz", deflated);
  EXPECT_EQ((load_npz<std::uint16_t, 2, 3>(f / "x.npz", "a")),
            (tensor<std::uint16_t, 2, 3>{{0, 1, 2}, {3, 4, 5}}));
  EXPECT_EQ((load_npz<bool, rows, 2>(f / "x.npz", "z").shape()), (weft::extents{2, {0, 2}}));
}

TEST(npz, structs_and_arrays_come_back) {
  files::folder const f;
  layer<tensor> const p{{{1, 2, 3}, {4, 5, 6}}, {true, false, true}, 5};
  tensor<double, 300, 400> large;
  large.mutate()(299, 399) = 1;
  float const data[4] = {1, 2, 3, 4};
  save_npz(f / "x.npz", named("net", p), named("large", large), named("e", tensor<float, 0>{}),
           named("t", weft::borrow<2, 2>(data, weft::strides{1, 2})), p);
  npz_file const file(f / "x.npz");
  EXPECT_EQ(file.names(), (names{"b", "e", "large", "n", "net.b", "net.n", "net.w", "t", "w"}));
  for (std::string const prefix : {"net", ""}) {
    auto const q = file.load<layer<tensor>>(prefix);
    EXPECT_EQ(q.w, p.w);
    EXPECT_EQ(q.b, p.b);
    EXPECT_EQ(q.n, 5);
  }
  EXPECT_EQ((file.load<double, 300, 400>("large")), large);
  EXPECT_EQ((file.load<float, rows>("e").size()), 0);
  EXPECT_EQ((file.load<float, 2, 2>("t")), (tensor<float, 2, 2>{{1, 3}, {2, 4}}));
  EXPECT_EQ(f.count(), 1);
}

TEST(npz, the_same_arrays_are_the_same_bytes) {
  files::folder const f;
  save_npz(f / "x.npz", named("a", 1.0f));
  save_npz(f / "y.npz", named("a", 1.0f));
  EXPECT_EQ(files::read(f / "x.npz"), files::read(f / "y.npz"));
  EXPECT_EQ(files::read(f / "x.npz").substr(10, 4), std::string("\0\0\x21\0", 4)); // of 1980
  EXPECT_NE(files::read(f / "x.npz").find("'descr': '<f4'"), std::string::npos);   // stored
}

TEST(npz, archives_that_are_damaged) {
  files::folder const f;
  auto const says_of = [&](std::string const& bytes) {
    files::write(f / "x.npz", bytes);
    return error_of([&] { (void)load_npz<float, 2, 2>(f / "x.npz", "a"); });
  };
  EXPECT_EQ(says_of(stored), "");
  for (std::size_t length = 0; length < stored.size(); length += 7)
    EXPECT_NE(says_of(stored.substr(0, length)), "") << length;
  EXPECT_EQ(says_of("no zip"), "npz_file: Not a zip archive; give the path of an .npz archive");
  std::string changed = stored;
  changed[stored.find("\x3f\xc0")] = '\x40'; // an element: the checksum sees it
  EXPECT_EQ(says_of(changed), "npz_file: CRC error; copy it again");
  // Any byte replaced: an error or an array, never anything else.
  for (std::string const* const whole : {&stored, &deflated})
    for (std::size_t place = 0; place < whole->size(); place += 2) {
      std::string damaged = *whole;
      damaged[place] = static_cast<char>(~damaged[place]);
      (void)says_of(damaged);
    }
}

// The central directory says that a member is 4 GB long: nobody believes it.
TEST(npz, members_that_are_said_to_be_long) {
  files::folder const f;
  files::small_memory const memory;
  std::string changed = deflated;
  changed.replace(deflated.find("PK\1\2") + 24, 4, "\xfe\xff\xff\xff");
  files::write(f / "x.npz", changed);
  EXPECT_EQ((load_npz<std::uint16_t, 2, 3>(f / "x.npz", "a")(1, 2)), 5);
}

// 64 MiB of zeros in 64 KiB: no more is inflated than the header and the tensor account for.
TEST(npz, members_that_inflate_without_end) {
  files::folder const f;
  weft::extents const shape{2, {2, 3}}, large{2, {8192, 2048}};
  std::string bytes[2] = {weft::detail::npy_header(weft::dtype::f32, shape),
                          weft::detail::npy_header(weft::dtype::f32, large)};
  for (auto& b : bytes) b.resize(b.size() + (64 << 20));
  int code = 0;
  zip_t* const archive = ::zip_open((f / "x.npz").c_str(), ZIP_CREATE, &code);
  ASSERT_NE(archive, nullptr);
  for (auto const& [name, b] : {std::pair{"a.npy", &bytes[0]}, std::pair{"b.npy", &bytes[1]}})
    ::zip_file_add(archive, name, ::zip_source_buffer(archive, b->data(), b->size(), 0), 0);
  ASSERT_EQ(::zip_close(archive), 0);
  files::small_memory const memory;
  npz_file const file(f / "x.npz");
  EXPECT_EQ(error_of([&] { (void)file.load<float, 2, 3>("a"); }),
            "npz_file: more than 24 bytes of elements follow the header; an .npy file holds one "
            "array");
  EXPECT_EQ(error_of([&] { (void)file.load<float, 2, 3>("b"); }),
            "npz_file: array 'b' has shape (8192, 2048), the tensor (2, 3); declare the tensor "
            "with the file's shape");
}
// A dictionary of 16 MiB of blanks.
TEST(npz, headers_that_are_too_long) {
  files::folder const f;
  std::string bytes = std::string("\x93NUMPY\2\0\0\0\0\1", 12) + std::string(1 << 24, ' ');
  int code = 0;
  zip_t* const archive = ::zip_open((f / "x.npz").c_str(), ZIP_CREATE, &code);
  ASSERT_NE(archive, nullptr);
  ::zip_file_add(archive, "a.npy", ::zip_source_buffer(archive, bytes.data(), bytes.size(), 0), 0);
  ASSERT_EQ(::zip_close(archive), 0);
  EXPECT_EQ(error_of([&] { (void)load_npz<float>(f / "x.npz", "a"); }),
            "npz_file: the header of the .npy file is too long; write it again");
}

TEST(npz, arrays_that_are_asked_for_wrongly) {
  files::folder const f;
  files::write(f / "x.npz", stored);
  npz_file const file(f / "x.npz");
  EXPECT_EQ(error_of([&] { (void)file.load<float>("c"); }),
            "npz_file: there is no array 'c'; names() lists those there are");
  EXPECT_EQ(error_of([&] { (void)file.load<double, 2, 2>("a"); }),
            "npz_file: array 'a' has elements '>f4', the tensor f64; declare the tensor with the "
            "file's type");
  EXPECT_EQ(error_of([&] { (void)file.load<float, rows>("a"); }),
            "npz_file: array 'a' has shape (2, 2), the tensor (rows); declare the tensor with the "
            "file's shape");
}

TEST(npz, members_that_are_no_npy_or_have_one_name) {
  files::folder const f;
  std::string renamed = stored;
  for (std::size_t at = 0; (at = renamed.find("b.npy", at)) != std::string::npos;)
    renamed[at] = 'a';
  files::write(f / "x.npz", renamed);
  EXPECT_EQ(error_of([&] { npz_file{f / "x.npz"}; }),
            "npz_file: two arrays are named 'a'; names are unique");
  int code = 0;
  zip_t* const archive = ::zip_open((f / "y.npz").c_str(), ZIP_CREATE, &code);
  ASSERT_NE(archive, nullptr);
  ::zip_file_add(archive, "readme", ::zip_source_buffer(archive, "text", 4, 0), 0);
  ASSERT_EQ(::zip_close(archive), 0);
  EXPECT_EQ(error_of([&] { (void)load_npz<float>(f / "y.npz", "readme"); }),
            "npz_file: this is no .npy file; write it by numpy.save or save_npy");
}

TEST(npz, missing_files_and_folders) {
  files::folder const f;
  EXPECT_EQ(error_of([&] { npz_file{f / "none.npz"}; }),
            "npz_file: No such file or directory; give the path of a file that can be read");
  EXPECT_EQ(error_of([&] { npz_file{f.path.string()}; }),
            "npz_file: this is a directory; give the path of a file");
  EXPECT_EQ(error_of([&] { save_npz(f / "none/x.npz", named("a", 1.0f)); }),
            "save_npz: No such file or directory; the folder must exist and be writable");
}

TEST(npz, what_cannot_be_written) {
  files::folder const f;
  save_npz(f / "x.npz", named("a", 1.0f));
  EXPECT_EQ(error_of([&] { save_npz(f / "x.npz", named("a", 1.0f), named("a", 2.0f)); }),
            "save_npz: two arrays are named 'a'; give each a name of its own");
  EXPECT_EQ(error_of([&] { save_npz(f / "x.npz", weft::none); }),
            "save_npz: an archive needs an array; give it one");
  EXPECT_EQ(error_of([&] { save_npz(f / "x.npz", named("\xff", 1.0f)); }),
            "save_npz: Invalid argument; names are UTF-8; the file that was there is unchanged");
  EXPECT_EQ(load_npz<float>(f / "x.npz", "a")(), 1);
  EXPECT_EQ(f.count(), 1);
}

TEST(npz, a_full_disk_leaves_the_old_file) {
  files::folder const f;
  save_npz(f / "x.npz", named("a", 1.0f));
  std::string const text = error_of([&] {
    files::small_disk const disk;
    save_npz(f / "x.npz", named("a", tensor<float, 10000>{}));
  });
  EXPECT_EQ(text, "save_npz: Write error: File too large; the file that was there is unchanged");
  EXPECT_EQ(load_npz<float>(f / "x.npz", "a")(), 1);
  EXPECT_EQ(f.count(), 1);
}

} // namespace
