// SPDX-License-Identifier: BSL-1.0
// .png files: every kind comes back, what other programs write is read, damaged files are errors.
// needs: png.h png z
#include "io/files.hpp"

#include <weft/io/png.hpp>

#include <gtest/gtest.h>

#include <limits>

#include <zlib.h>

namespace {

using files::error_of, files::from_hex;
using weft::load_png, weft::save_png, weft::sym, weft::tensor;
using u8 = std::uint8_t;
using u16 = std::uint16_t;

constexpr sym rows{"rows"}, cols{"cols"}, part{"part"};

// ---- PNG files made by hand, by the rules of the format
std::string big_endian(std::size_t n) {
  std::string s;
  for (int shift = 24; shift >= 0; shift -= 8) s += static_cast<char>(n >> shift);
  return s;
}
std::string chunk(std::string const& name, std::string const& data) {
  std::string const body = name + data;
  auto const* const bytes = reinterpret_cast<unsigned char const*>(body.data());
  return big_endian(data.size()) + body +
         big_endian(::crc32(0, bytes, static_cast<unsigned>(body.size())));
}
std::string deflated(std::string const& raw) {
  auto size = ::compressBound(raw.size());
  std::string out(size, '\0');
  ::compress(reinterpret_cast<unsigned char*>(out.data()), &size,
             reinterpret_cast<unsigned char const*>(raw.data()), raw.size());
  out.resize(size);
  return out;
}
struct header {
  std::size_t width, height;
  int depth, colour;
  int interlaced = 0;
};
// `raw` has a filter byte (00) in front of every row.
std::string png(header const& h, std::string const& raw, std::string const& before = "") {
  std::string const facts = {static_cast<char>(h.depth), static_cast<char>(h.colour), 0, 0,
                             static_cast<char>(h.interlaced)};
  return "\x89PNG\r\n\x1a\n" + chunk("IHDR", big_endian(h.width) + big_endian(h.height) + facts) +
         before + chunk("IDAT", deflated(raw)) + chunk("IEND", "");
}
template <class T, auto... E> tensor<T, E...> loaded(std::string const& bytes) {
  files::folder const f;
  files::write(f / "x.png", bytes);
  return load_png<T, E...>(f / "x.png");
}
template <class T, auto... E> std::string says_of(std::string const& bytes) {
  files::small_memory const memory;
  return error_of([&] { (void)loaded<T, E...>(bytes); });
}
template <class X> X returned(X const& x) {
  files::folder const f;
  save_png(f / "x.png", x);
  return
      [&]<class T, auto... E>(tensor<T, E...> const&) { return load_png<T, E...>(f / "x.png"); }(x);
}

// ---- both ways
TEST(png, every_kind_comes_back) {
  tensor<u8, 2, 3> const grey = {{0, 1, 127}, {128, 254, 255}};
  EXPECT_EQ(returned(grey), grey);
  tensor<u8, 2, 1, 1> const one = {{{7}}, {{9}}};
  EXPECT_EQ(returned(one), one);
  tensor<u8, 1, 2, 2> const with_alpha = {{{7, 0}, {9, 255}}};
  EXPECT_EQ(returned(with_alpha), with_alpha);
  tensor<u8, 1, 2, 3> const colours = {{{1, 2, 3}, {4, 5, 6}}};
  EXPECT_EQ(returned(colours), colours);
  tensor<u8, 1, 2, 4> const all = {{{1, 2, 3, 0}, {4, 5, 6, 7}}};
  EXPECT_EQ(returned(all), all);
  tensor<u16, 2, 2> const deep = {{0, 1}, {0x1234, 0xffff}};
  EXPECT_EQ(returned(deep), deep);
  tensor<u16, 1, 1, 4> const deep_colours = {{{0x0102, 0x0304, 0x0506, 0x0708}}};
  EXPECT_EQ(returned(deep_colours), deep_colours);
}
TEST(png, bools_are_one_bit) {
  files::folder const f;
  tensor<bool, 2, 11> const x = {
      {true, false, true, true, false, false, true, false, true, true, true},
      {false, false, true, false, true, true, true, false, false, true, false}};
  EXPECT_EQ(returned(x), x);
  save_png(f / "x.png", x);
  EXPECT_EQ(files::read(f / "x.png").substr(24, 2), from_hex("01 00"));
  EXPECT_EQ((load_png<u8, 2, 11>(f / "x.png")(0, 2)), 255); // white, as a viewer shows it
  save_png(f / "x.png", tensor<bool, 1, 2, 3>{{{true, false, true}, {false, true, false}}});
  EXPECT_EQ((load_png<u8, 1, 2, 3>(f / "x.png")),
            (tensor<u8, 1, 2, 3>{{{255, 0, 255}, {0, 255, 0}}}));
}
TEST(png, floats_are_rounded_to_8_bits) {
  files::folder const f;
  float const nan = std::numeric_limits<float>::quiet_NaN();
  float const inf = std::numeric_limits<float>::infinity();
  save_png(f / "x.png", tensor<float, 3, 4>{{0, 1, 0.5f, -0.0f},
                                            {-1, 2, inf, -inf},
                                            {nan, 1.0f / 255, 0.49f / 255, 254.51f / 255}});
  EXPECT_EQ((load_png<u8, 3, 4>(f / "x.png")),
            (tensor<u8, 3, 4>{{0, 255, 128, 0}, {0, 255, 255, 0}, {0, 1, 0, 255}}));
  save_png(f / "x.png", tensor<double, 1, 3>{{0.25, 1.0 - 1e-16, 0.999}});
  EXPECT_EQ((load_png<u8, 1, 3>(f / "x.png")), (tensor<u8, 1, 3>{{64, 255, 255}}));
  save_png(f / "x.png", tensor<weft::bf16, 1, 2, 1>{{{weft::bf16(0.5f)}, {weft::bf16(0.25f)}}});
  EXPECT_EQ((load_png<u8, 1, 2>(f / "x.png")), (tensor<u8, 1, 2>{{128, 64}}));
  save_png(f / "x.png", tensor<weft::f16, 1, 1>{{weft::f16(1)}});
  EXPECT_EQ((load_png<u8, 1, 1>(f / "x.png")(0, 0)), 255);
}
TEST(png, every_byte_is_its_own_share_of_255) {
  files::folder const f;
  tensor<float, 16, 16> x;
  auto m = x.mutate();
  for (int i = 0; i < 256; ++i) m(i / 16, i % 16) = static_cast<float>(i) / 255;
  save_png(f / "x.png", x);
  auto const bytes = load_png<u8, 16, 16>(f / "x.png");
  for (int i = 0; i < 256; ++i) EXPECT_EQ(bytes(i / 16, i % 16), i);
}
TEST(png, any_strides_and_names) {
  files::folder const f;
  u8 const data[6] = {1, 2, 3, 4, 5, 6};
  save_png(f / "x.png", weft::borrow<3, 2>(data, weft::strides{1, 3}));
  auto const x = load_png<u8, rows, cols>(f / "x.png");
  static_assert(std::is_same_v<decltype(x), tensor<u8, rows, cols> const>);
  EXPECT_EQ(x.shape(), (weft::extents{2, {3, 2}}));
  EXPECT_EQ(x(2, 1), 6);
  EXPECT_EQ(x(0, 1), 4);
  save_png(f / "x.png", weft::borrow<1, 2, 3>(data + 5, weft::strides{0, -3, -1}));
  EXPECT_EQ((load_png<u8, rows, cols, part>(f / "x.png").shape()), (weft::extents{3, {1, 2, 3}}));
  EXPECT_EQ((load_png<tensor<u8, 1, cols, 3>>(f / "x.png")(0, 1, 2)), 1);
}
TEST(png, large_pictures) {
  tensor<u8, 700, 900, 3> x;
  {
    auto m = x.mutate();
    unsigned state = 1; // noise, so that there are many IDAT chunks
    for (u8& sample : m) sample = static_cast<u8>((state = state * 1664525 + 1013904223) >> 24);
  }
  EXPECT_EQ(returned(x), x);
  tensor<u8, 3000, 4000> const zeros; // compressed as far as deflate can
  EXPECT_EQ(returned(zeros), zeros);
}

// ---- what others write
TEST(png, palettes_are_colours) {
  std::string const palette = chunk("PLTE", from_hex("000000 ff0000 00ff00 0000ff"));
  std::string const two_bits = png({3, 1, 2, 3}, from_hex("00 6c"), palette); // 1 2 3
  EXPECT_EQ((loaded<u8, 1, cols, 3>(two_bits)),
            (tensor<u8, 1, cols, 3>(tensor<u8, 1, 3, 3>{{{255, 0, 0}, {0, 255, 0}, {0, 0, 255}}})));
  std::string const clear = png({2, 1, 8, 3}, from_hex("00 0001"),
                                palette + chunk("tRNS", from_hex("40")));
  EXPECT_EQ((loaded<u8, 1, 2, 4>(clear)),
            (tensor<u8, 1, 2, 4>{{{0, 0, 0, 0x40}, {255, 0, 0, 255}}}));
}
TEST(png, few_bits_of_grey_are_shares_of_255) {
  EXPECT_EQ((loaded<u8, 1, 4>(png({4, 1, 2, 0}, from_hex("00 1b")))),
            (tensor<u8, 1, 4>{{0, 85, 170, 255}}));
  EXPECT_EQ((loaded<u8, 1, 2>(png({2, 1, 4, 0}, from_hex("00 1f")))),
            (tensor<u8, 1, 2>{{17, 255}}));
  EXPECT_EQ((loaded<u8, 1, 2>(png({2, 1, 1, 0}, from_hex("00 40")))), (tensor<u8, 1, 2>{{0, 255}}));
}
TEST(png, a_transparent_colour_is_a_channel) {
  EXPECT_EQ((loaded<u8, 1, 2, 2>(
                png({2, 1, 8, 0}, from_hex("00 0507"), chunk("tRNS", from_hex("0007"))))),
            (tensor<u8, 1, 2, 2>{{{5, 255}, {7, 0}}}));
  EXPECT_EQ((loaded<u8, 1, 1, 4>(png({1, 1, 8, 2}, from_hex("00 010203"),
                                     chunk("tRNS", from_hex("0001 0002 0003"))))),
            (tensor<u8, 1, 1, 4>{{{1, 2, 3, 0}}}));
  EXPECT_EQ((loaded<u16, 1, 1, 2>(
                png({1, 1, 16, 0}, from_hex("00 0102"), chunk("tRNS", from_hex("0102"))))),
            (tensor<u16, 1, 1, 2>{{{0x0102, 0}}}));
}
TEST(png, interlaced_rows_are_in_order) {
  // Adam7: of 3 x 3 points, passes 2 and 3 have none.
  std::string const raw = from_hex("00 01"         // pass 1: (0, 0)
                                   "00 03"         // pass 4: (0, 2)
                                   "00 07 09"      // pass 5: (2, 0) (2, 2)
                                   "00 02 00 08"   // pass 6: (0, 1), (2, 1)
                                   "00 04 05 06"); // pass 7: row 1
  EXPECT_EQ((loaded<u8, 3, 3>(png({3, 3, 8, 0, 1}, raw))),
            (tensor<u8, 3, 3>{{1, 2, 3}, {4, 5, 6}, {7, 8, 9}}));
}
TEST(png, gamma_and_texts_change_nothing) {
  std::string const extras = chunk("gAMA", from_hex("000186a0")) + chunk("tEXt", "Title\0x") +
                             chunk("zTXt",
                                   std::string("k\0\0", 3) + deflated(std::string(1 << 20, ' ')));
  EXPECT_EQ((loaded<u8, 1, 2>(png({2, 1, 8, 0}, from_hex("00 0a64"), extras) + "behind")),
            (tensor<u8, 1, 2>{{10, 100}}));
}

// ---- errors
TEST(png, types_that_are_asked_for_wrongly) {
  std::string const grey = png({2, 1, 8, 0}, from_hex("00 0102"));
  EXPECT_EQ(
      (says_of<u8, rows, cols, 3>(grey)),
      "load_png: the file has shape (1, 2, 1), the tensor (rows, cols, 3); declare the tensor "
      "with the file's shape");
  EXPECT_EQ(
      (says_of<u8, rows, 3>(grey)),
      "load_png: the file has shape (1, 2), the tensor (rows, 3); declare the tensor with the "
      "file's shape");
  EXPECT_EQ((says_of<u8, rows, rows>(grey)),
            "load_png: the file has shape (1, 2), the tensor (rows, rows); declare the tensor with "
            "the file's shape");
  EXPECT_EQ((says_of<u8, rows, cols>(png({1, 1, 8, 2}, from_hex("00 010203")))),
            "load_png: the file has shape (1, 1, 3), the tensor (rows, cols); declare the tensor "
            "with the file's shape");
  EXPECT_EQ((says_of<u16, rows, cols>(grey)),
            "load_png: the file has elements 'of 8 bits', the tensor ui16; declare the tensor with "
            "the file's type");
  EXPECT_EQ((says_of<u8, rows, cols>(png({1, 1, 16, 0}, from_hex("00 0102")))),
            "load_png: the file has elements 'of 16 bits', the tensor ui8; declare the tensor with "
            "the file's type");
  EXPECT_EQ(
      (says_of<bool, rows, cols>(grey)),
      "load_png: the file has elements 'of 8 bits', the tensor i1; declare the tensor with the "
      "file's type");
}
TEST(png, files_that_are_damaged) {
  EXPECT_EQ((says_of<u8, rows, cols>("no png")),
            "load_png: this is no PNG file; give the path of one");
  std::string const whole = png({5, 3, 8, 2}, std::string(48, '\0')); // fits in this memory
  EXPECT_EQ((says_of<u8, rows, cols, 3>(whole)), "");
  for (std::size_t length = 0; length < whole.size(); ++length)
    EXPECT_NE((says_of<u8, rows, cols, 3>(whole.substr(0, length))), "") << length;
  EXPECT_EQ((says_of<u8, rows, cols, 3>(whole.substr(0, 20))),
            "load_png: the file ends too early; copy it again");
  // Any byte replaced: an error or a picture, never anything else.
  for (std::size_t place = 0; place < whole.size(); ++place) {
    std::string changed = whole;
    changed[place] = static_cast<char>(~changed[place]);
    (void)says_of<u8, rows, cols, 3>(changed);
  }
  std::string changed = whole;
  changed[whole.find("IDAT") + 8] ^= 1;
  EXPECT_NE((says_of<u8, rows, cols, 3>(changed)), "");
  EXPECT_EQ((says_of<u8, rows, cols, 3>(png({5, 4, 8, 2}, std::string(48, '\0')))),
            "load_png: Not enough image data; copy it again");
}
// A header that says more than the file can hold: memory is taken neither for it nor for its rows.
TEST(png, headers_that_are_said_to_be_large) {
  EXPECT_EQ((says_of<u8, rows, cols>(png({0x7fffffff, 0x7fffffff, 8, 0}, ""))).substr(0, 30),
            "load_png: the file has 65 byte");
  EXPECT_NE((says_of<u16, rows, cols, 4>(png({0x7fffffff, 1, 16, 6}, ""))), "");
  EXPECT_NE((says_of<u8, rows, cols>(png({1, 0x7fffffff, 1, 0}, ""))), "");
  EXPECT_NE((says_of<u8, rows, cols>(png({0, 1, 8, 0}, ""))), "");
  EXPECT_NE((says_of<u8, rows, cols>(png({0x80000000, 1, 8, 0}, ""))), "");
}
TEST(png, what_no_picture_is) {
  files::folder const f;
  EXPECT_EQ(error_of([&] { save_png(f / "x.png", tensor<u8, 0, 3>{}); }),
            "save_png: the shape is (0, 3); a PNG file has 1 to 2147483647 rows and columns");
  EXPECT_EQ(error_of([&] { save_png(f / "x.png", tensor<float, 2, 2, part>(5)); }),
            "save_png: the shape is (2, 2, 5); 1 to 4 channels are grey, with alpha, colours, with "
            "alpha");
  EXPECT_EQ(f.count(), 0);
}
TEST(png, a_disk_that_is_full) {
  files::folder const f;
  save_png(f / "x.png", tensor<u8, 1, 1>{{7}});
  tensor<u8, 100, 100> noise;
  {
    auto m = noise.mutate();
    unsigned state = 1;
    for (u8& sample : m) sample = static_cast<u8>((state = state * 1664525 + 1013904223) >> 24);
  }
  {
    files::small_disk const disk;
    EXPECT_EQ(error_of([&] { save_png(f / "x.png", noise); }),
              "save_png: File too large; the file that was there is unchanged");
  }
  EXPECT_EQ((load_png<u8, 1, 1>(f / "x.png")(0, 0)), 7);
  EXPECT_EQ(f.count(), 1);
}

} // namespace
