// SPDX-License-Identifier: BSL-1.0
// The judge of the golden tests: packs are read as written, and every measure lets through what it
// should and nothing more.
#include "golden/data.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>

namespace {

using golden::array, golden::difference, golden::measure, golden::tolerance;

template <class T> array of(char const* type, std::vector<T> const& values) {
  array a{
      type, {static_cast<long>(values.size())}, std::vector<std::byte>(sizeof(T) * values.size())};
  if (!values.empty()) std::memcpy(a.bytes.data(), values.data(), a.bytes.size());
  return a;
}
bool near(float got, float want, tolerance const& t) {
  return difference(of<float>("f32", {got}), of<float>("f32", {want}), t).empty();
}
constexpr float nan = std::numeric_limits<float>::quiet_NaN();
constexpr float inf = std::numeric_limits<float>::infinity();

TEST(golden_data, exact) {
  tolerance const t;
  EXPECT_TRUE(near(1, 1, t));
  EXPECT_TRUE(near(-0.0f, 0.0f, t));
  EXPECT_TRUE(near(nan, -nan, t));
  EXPECT_FALSE(near(nan, 1, t));
  EXPECT_FALSE(near(1, nan, t));
  EXPECT_FALSE(near(1, std::nextafterf(1, 2), t));
  EXPECT_FALSE(near(inf, -inf, t));
}
TEST(golden_data, bits) {
  EXPECT_TRUE(near(nan, -nan, {.how = measure::bits}));
  EXPECT_FALSE(near(nan, -nan, {.how = measure::bits, .signs = true}));
  EXPECT_FALSE(near(-0.0f, 0.0f, {.how = measure::bits}));
}
TEST(golden_data, close) {
  tolerance const t{measure::close, 0.5, 0.25};
  EXPECT_TRUE(near(3.25f, 2, t));
  EXPECT_FALSE(near(3.26f, 2, t));
  EXPECT_TRUE(near(inf, inf, t));
  EXPECT_FALSE(near(inf, 2, t));
  EXPECT_FALSE(near(2, inf, t));
  EXPECT_FALSE(near(nan, 2, t));
}
TEST(golden_data, ulp) {
  tolerance const t{measure::ulp, 2, 1};
  float const two_up = std::nextafterf(std::nextafterf(1, 2), 2);
  EXPECT_TRUE(near(two_up, 1, t));
  EXPECT_FALSE(near(std::nextafterf(two_up, 2), 1, t));
  EXPECT_TRUE(near(-1e-45f, 1e-45f, t)); // one step on each side of zero
  EXPECT_FALSE(near(-1e-45f, 3e-45f, t));
  EXPECT_TRUE(near(-0.0f, 0.0f, t));
  EXPECT_FALSE(near(-0.0f, 0.0f, {measure::ulp, 2, 1, true}));
  EXPECT_TRUE(near(inf, std::numeric_limits<float>::max(), {measure::ulp, 1, 1}));
  array const want = of<float>("f32", {1, 1, 1, 1}), got = of<float>("f32", {1, two_up, 1, 1});
  EXPECT_EQ(difference(got, want, {measure::ulp, 2, 0.25}), "");
  EXPECT_EQ(difference(got, want, {measure::ulp, 2, 0.2}), "1 of 4 elements differ");
}
TEST(golden_data, scaled) {
  tolerance const t{.how = measure::scaled, .first = 0.125};
  array const want = of<float>("f32", {8, 0});
  EXPECT_EQ(difference(of<float>("f32", {8, 1}), want, t), "");
  EXPECT_EQ(difference(of<float>("f32", {8, 1.5f}), want, t),
            "at [1] is 1.5 (0x3fc00000), expected 0 (0x0)");
}
TEST(golden_data, types_and_shapes) {
  array a = of<float>("f32", {1, 2}), b = a;
  b.shape = {2, 1};
  EXPECT_EQ(difference(a, b, {}), "is f32(2), expected f32(2, 1)");
  EXPECT_EQ(difference(a, of<std::int32_t>("i32", {1, 2}), {}), "is f32(2), expected i32(2)");
  auto both = [](auto x, auto y, char const* type) {
    return difference(of<decltype(x)>(type, {x}), of<decltype(y)>(type, {y}), {});
  };
  EXPECT_EQ(both(std::int8_t{-1}, std::int8_t{1}, "i8"), "at [0] is -1 (0xff), expected 1 (0x1)");
  EXPECT_EQ(both(std::uint16_t{0x3c01}, std::uint16_t{0x3c00}, "f16"),
            "at [0] is 1.0009765625 (0x3c01), expected 1 (0x3c00)");
  EXPECT_EQ(both(std::uint16_t{1}, std::uint16_t{2}, "f16"),
            "at [0] is 5.9604644775390625e-08 (0x1), expected 1.1920928955078125e-07 (0x2)");
  EXPECT_EQ(both(std::uint16_t{0xff80}, std::uint16_t{0x3f80}, "bf16"),
            "at [0] is -inf (0xff80), expected 1 (0x3f80)");
  EXPECT_EQ(both(1.5, 2.5, "f64"),
            "at [0] is 1.5 (0x3ff8000000000000), expected 2.5 (0x4004000000000000)");
  EXPECT_NE(both(std::int64_t{1} << 62, (std::int64_t{1} << 62) + 1, "i64"), "");
}

class packs : public testing::Test {
protected:
  void SetUp() override { std::filesystem::create_directories(folder_); }
  void TearDown() override { std::filesystem::remove_all(folder_); }
  // A pack of these elements; the header's length is padded as numpy does.
  std::string write(char const* name, std::string const& descr, std::vector<float> const& values,
                    char version = 1) const {
    std::string header = "{'descr': '" + descr + "', 'fortran_order': False, 'shape': (4,), }";
    header.resize(118, ' ');
    std::ofstream file(folder_ / name, std::ios::binary);
    file << "\x93NUMPY" << version << '\0' << '\x76' << '\0' << header;
    file.write(reinterpret_cast<char const*>(values.data()),
               static_cast<std::streamsize>(4 * values.size()));
    return name;
  }
  std::string error(golden::reference const& r) const {
    try {
      golden::read(folder_.string(), r);
    } catch (golden::data_error const& e) {
      std::string const text = e.what();
      return text.substr(text.find_last_of('/') + 1);
    }
    return "";
  }
  std::filesystem::path folder_ = std::filesystem::path(testing::TempDir()) / "weft_golden_packs";
};

TEST_F(packs, are_read_from_their_offset) {
  std::string const name = write("f32.npy", "<f4", {1, 2, 3, 4});
  array const a = golden::read(folder_.string(), {name, 1, "f32", {1, 2}});
  EXPECT_EQ(a.shape, (std::vector<long>{1, 2}));
  array want = of<float>("f32", {2, 3});
  want.shape = {1, 2};
  EXPECT_EQ(difference(a, want, {}), "");
  EXPECT_EQ(golden::read(folder_.string(), {name, 4, "f32", {0, 3}}).bytes.size(), 0u);
}
TEST_F(packs, that_are_wrong_are_refused) {
  write("good.npy", "<f4", {1, 2, 3, 4});
  write("newer.npy", "<f4", {1}, 2);
  EXPECT_EQ(error({"none.npy", 0, "f32", {1}}), "none.npy");
  EXPECT_EQ(error({"newer.npy", 0, "f32", {1}}), "newer.npy is no .npy of version 1.0");
  EXPECT_EQ(error({"good.npy", 0, "i32", {1}}), "good.npy holds <f4, expected <i4");
  EXPECT_EQ(error({"good.npy", 2, "f32", {3}}), "good.npy ends before element 2 + 3");
  EXPECT_EQ(error({"good.npy", 0, "f8", {1}}), "no element type f8");
}

} // namespace
