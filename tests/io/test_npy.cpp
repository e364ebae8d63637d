// SPDX-License-Identifier: BSL-1.0
// .npy files: what NumPy writes is read, what we write is what NumPy writes.
#include "io/files.hpp"

#include <weft/io/npy.hpp>

#include <gtest/gtest.h>

#include <cstdint>
#include <limits>

namespace {

using weft::bf16, weft::f16, weft::load_npy, weft::save_npy, weft::sym, weft::tensor;

constexpr sym rows{"rows"}, cols{"cols"};

// A file with this dictionary, as version 1, 2 or 3 has it.
std::string npy(std::string const& dictionary, std::string const& elements, int version = 1) {
  std::string s = "\x93NUMPY";
  s += static_cast<char>(version);
  s += '\0';
  s += static_cast<char>(dictionary.size() & 255);
  s += static_cast<char>(dictionary.size() >> 8);
  if (version > 1) s += std::string(2, '\0');
  return s + dictionary + elements;
}
std::string with_type(std::string const& descr, std::string const& shape,
                      std::string const& order) {
  return "{'descr': '" + descr + "', 'fortran_order': " + order + ", 'shape': " + shape + ", }\n";
}
// The array of a file with this type, C order, and elements in hexadecimal.
template <class T, auto... E>
auto loaded(std::string const& descr, std::string const& shape, std::string const& hex,
            std::string const& order = "False") {
  files::folder const f;
  files::write(f / "x.npy", npy(with_type(descr, shape, order), files::from_hex(hex)));
  return load_npy<T, E...>(f / "x.npy");
}

TEST(npy, writes_what_numpy_writes) {
  files::folder const f;
  save_npy(f / "x.npy", tensor<float, 2, 3>{{0, 1, 2}, {3, 4, 5}});
  std::string want = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }";
  want.resize(117, ' ');
  EXPECT_EQ(files::read(f / "x.npy"),
            npy(want + '\n', files::from_hex("00000000 0000803f 00000040 00004040 00008040"
                                             "0000a040")));
}
TEST(npy, writes_shapes_of_every_rank) {
  using weft::detail::npy_header, weft::dtype;
  auto const shape = [](std::string const& header) {
    std::size_t const first = header.find('('), last = header.find(')');
    return header.substr(first, last - first + 1);
  };
  EXPECT_EQ(shape(npy_header(dtype::f32, {})), "()");
  EXPECT_EQ(shape(npy_header(dtype::f32, {1, {7}})), "(7,)");
  EXPECT_EQ(shape(npy_header(dtype::f32, {3, {7, 0, 1}})), "(7, 0, 1)");
  weft::extent const most = std::numeric_limits<weft::extent>::max();
  std::string const longest = npy_header(dtype::f32,
                                         {8, {most, most, most, most, most, most, most, most}});
  EXPECT_EQ(longest.size() % 64, 0u);
  EXPECT_EQ(longest.back(), '\n');
}

template <class T> tensor<T, 2, 3> edges() {
  using limits = std::numeric_limits<T>;
  return {{T(0), T(1), limits::lowest()}, {limits::max(), limits::min(), T(100)}};
}
template <> tensor<bool, 2, 3> edges() { return {{false, true, true}, {true, false, false}}; }
template <class Half> tensor<Half, 2, 3> half_edges() {
  auto const of = [](int bits) { return Half::from_bits(static_cast<std::uint16_t>(bits)); };
  return {{of(0), of(0x8000), of(1)}, {of(0x7bff), of(0x3c00), of(0xfc01)}};
}
template <> tensor<bf16, 2, 3> edges() { return half_edges<bf16>(); }
template <> tensor<f16, 2, 3> edges() { return half_edges<f16>(); }

template <class T> class npy_types : public testing::Test {};
using all = testing::Types<float, std::int32_t, std::uint32_t, bool, bf16, f16, double, std::int8_t,
                           std::int16_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint64_t>;
TYPED_TEST_SUITE(npy_types, all);

TYPED_TEST(npy_types, come_back) {
  files::folder const f;
  auto const x = edges<TypeParam>();
  save_npy(f / "x.npy", x);
  tensor<TypeParam, 2, 3> const y = load_npy<TypeParam, 2, 3>(f / "x.npy");
  EXPECT_EQ(std::memcmp(x.data(), y.data(), 6 * sizeof(TypeParam)), 0);
}

TEST(npy, floats_of_every_kind_keep_their_bits) {
  files::folder const f;
  float const inf = std::numeric_limits<float>::infinity();
  float const nan = std::bit_cast<float>(0x7fc12345u);
  tensor<float, 4> const x = {-0.0f, inf, nan, 1e-45f};
  save_npy(f / "x.npy", x);
  EXPECT_EQ(std::memcmp(x.data(), load_npy<float, 4>(f / "x.npy").data(), 16), 0);
}

TEST(npy, spellings_of_types) {
  EXPECT_EQ((loaded<float>("<f4", "()", "0000c03f")()), 1.5f);
  EXPECT_EQ((loaded<float>(">f4", "()", "3fc00000")()), 1.5f);
  EXPECT_EQ((loaded<float>("=f4", "()", "0000c03f")()), 1.5f);
  EXPECT_EQ((loaded<float>("f4", "()", "0000c03f")()), 1.5f);
  EXPECT_EQ((loaded<double>(">f8", "()", "3ff8000000000000")()), 1.5);
  EXPECT_EQ((loaded<std::int16_t>(">i2", "()", "fffe")()), -2);
  EXPECT_EQ((loaded<std::uint64_t>(">u8", "()", "0102030405060708")()), 0x0102030405060708u);
  EXPECT_EQ((loaded<std::int8_t>("|i1", "()", "ff")()), -1);
  EXPECT_EQ((loaded<std::int8_t>(">i1", "()", "ff")()), -1);
  EXPECT_EQ((loaded<bf16>("<V2", "()", "c03f")().bits), 0x3fc0);
  EXPECT_EQ((loaded<bf16>("|V2", "()", "c03f")().bits), 0x3fc0);
  EXPECT_EQ((loaded<bf16>(">V2", "()", "3fc0")().bits), 0x3fc0);
  EXPECT_EQ((loaded<bf16>("bfloat16", "()", "c03f")().bits), 0x3fc0);
  EXPECT_EQ((loaded<f16>(">f2", "()", "3e00")().bits), 0x3e00);
}
TEST(npy, bools_are_0_or_1) {
  tensor<bool, 4> const x = loaded<bool, 4>("|b1", "(4,)", "00010280");
  char bytes[4];
  std::memcpy(bytes, x.data(), 4);
  EXPECT_EQ(std::string(bytes, 4), std::string("\0\1\1\1", 4));
  EXPECT_TRUE((loaded<bool>("?", "()", "01")()));
}

TEST(npy, both_orders) {
  tensor<std::uint8_t, 2, 3> const want = {{1, 2, 3}, {4, 5, 6}};
  EXPECT_EQ((loaded<std::uint8_t, 2, 3>("|u1", "(2, 3)", "010203040506")), want);
  EXPECT_EQ((loaded<std::uint8_t, 2, 3>("|u1", "(2, 3)", "010402050306", "True")), want);
  tensor<std::int16_t, 2, 2, 2> const cube = {{{1, 2}, {3, 4}}, {{5, 6}, {7, 8}}};
  EXPECT_EQ((loaded<std::int16_t, 2, 2, 2>(">i2", "(2, 2, 2)",
                                           "0001 0005 0003 0007 0002 0006 0004 0008", "True")),
            cube);
}

TEST(npy, every_version) {
  files::folder const f;
  std::string const dictionary = with_type("|u1", "(2,)", "False");
  for (int const version : {1, 2, 3}) {
    files::write(f / "x.npy", npy(dictionary, "\x05\x06", version));
    EXPECT_EQ((load_npy<std::uint8_t, 2>(f / "x.npy")), (tensor<std::uint8_t, 2>{5, 6}));
  }
  // A header of more than 65535 bytes needs 32 bits for its length.
  std::string large = npy(dictionary + std::string(70'000, ' '), "\x05\x06", 2);
  std::size_t const length = dictionary.size() + 70'000;
  for (int i = 0; i < 4; ++i)
    large[8 + static_cast<std::size_t>(i)] = static_cast<char>(length >> 8 * i);
  files::write(f / "x.npy", large);
  EXPECT_EQ((load_npy<std::uint8_t, rows>(f / "x.npy")(1)), 6);
}
TEST(npy, layouts_of_the_dictionary) {
  files::folder const f;
  for (std::string const dictionary :
       {"{\"shape\":(2,),\"descr\":\"|u1\",\"fortran_order\":False}",
        "  { 'shape' : ( 2 ) , 'fortran_order' :\tFalse,\n 'descr': '|u1' ,}  \n",
        "{'fortran_order': False, 'descr': 'u1', 'shape': (2L,)}"}) {
    files::write(f / "x.npy", npy(dictionary, "\x05\x06"));
    EXPECT_EQ((load_npy<std::uint8_t, 2>(f / "x.npy")), (tensor<std::uint8_t, 2>{5, 6}))
        << dictionary;
  }
}

TEST(npy, names_take_the_extents) {
  files::folder const f;
  save_npy(f / "x.npy", tensor<int, 2, 2, 3>{{{1, 2, 3}, {4, 5, 6}}, {{7, 8, 9}, {10, 11, 12}}});
  auto const x = load_npy<int, rows, rows, cols>(f / "x.npy");
  static_assert(std::is_same_v<decltype(x), tensor<int, rows, rows, cols> const>);
  EXPECT_EQ(x.shape(), (weft::extents{3, {2, 2, 3}}));
  EXPECT_EQ(x(1, 0, 2), 9);
  EXPECT_EQ((load_npy<tensor<int, 2, rows, 3>>(f / "x.npy")(0, 1, 0)), 4);
}

TEST(npy, empty_arrays_and_numbers) {
  files::folder const f;
  save_npy(f / "x.npy", tensor<float, rows, 3>(0));
  EXPECT_EQ((load_npy<float, rows, 3>(f / "x.npy").shape()), (weft::extents{2, {0, 3}}));
  EXPECT_EQ((load_npy<float, 0, cols>(f / "x.npy").extent(1)), 3);
  save_npy(f / "x.npy", 2.5);
  EXPECT_EQ(load_npy<double>(f / "x.npy")(), 2.5);
  save_npy(f / "x.npy", bf16(1.5f));
  EXPECT_EQ(load_npy<bf16>(f / "x.npy")().bits, 0x3fc0);
}

TEST(npy, borrowed_arrays_and_large_ones) {
  files::folder const f;
  int const data[6] = {1, 2, 3, 4, 5, 6};
  save_npy(f / "x.npy", weft::borrow<3, 2>(data, weft::strides{1, 3}));
  EXPECT_EQ((load_npy<int, 3, 2>(f / "x.npy")), (tensor<int, 3, 2>{{1, 4}, {2, 5}, {3, 6}}));
  save_npy(f / "x.npy", weft::borrow<2, 3>(data));
  EXPECT_EQ((load_npy<int, 2, 3>(f / "x.npy")), (tensor<int, 2, 3>{{1, 2, 3}, {4, 5, 6}}));

  tensor<float, 300, 400> large;
  save_npy(f / "x.npy", large); // zeros that nobody wrote
  {
    auto m = large.mutate();
    for (int i = 0; i < 300; ++i) m(i, i) = static_cast<float>(i);
  }
  EXPECT_EQ((load_npy<float, 300, 400>(f / "x.npy")), (tensor<float, 300, 400>{}));
  save_npy(f / "x.npy", large);
  EXPECT_EQ((load_npy<float, 300, 400>(f / "x.npy")), large);
}

// Packs that numpy wrote.
TEST(npy, golden_packs) {
  std::string const golden = std::string(WEFT_SHARED_DIR) + "/golden/";
  if (!std::filesystem::exists(golden + "ops/f32.npy")) GTEST_SKIP() << "no golden data";
  auto const f32 = load_npy<float, rows>(golden + "ops/f32.npy");
  std::string const bytes = files::read(golden + "ops/f32.npy");
  std::size_t const count = static_cast<std::size_t>(f32.size()) * 4;
  ASSERT_GT(count, 0u);
  EXPECT_EQ(bytes.substr(bytes.size() - count),
            std::string(reinterpret_cast<char const*>(f32.data()), count));
  EXPECT_GT((load_npy<std::uint16_t, rows>(golden + "ops/bf16.npy").size()), 0);
  EXPECT_GT((load_npy<bool, rows>(golden + "ops/bool.npy").size()), 0);
}

} // namespace
