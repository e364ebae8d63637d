// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: dlfcn.h -rdynamic
// Programs behind C functions: a C99 client that is compiled against the header that c_header
// writes; state in and out, named extents, keys, every error a text, and no memory taken by runs.
#include "counted_memory.hpp"

#include <weft/c_api.hpp>
#include <weft/weft.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>

#include <dlfcn.h>

namespace {

using weft::sym, weft::tensor;

constexpr sym rows{"rows"};

template <template <class, auto...> class array> struct state {
  array<float, 40> level;
  array<int> steps;
};
// The state comes back, one result is an argument as it was.
constexpr auto follow = [](auto s, auto x, auto rate) {
  s.level = s.level + rate * (x - s.level);
  s.steps = s.steps + 1;
  return std::tuple(s, sum(s.level), x);
};
using follow_object = weft::compiled<follow, state<tensor>, tensor<float, 40>, float>;

constexpr auto scaled = [](auto x, auto w, auto k) {
  return std::pair(weft::einsum<"ij,j->i">(x, w), weft::normal<float, 3>(k));
};
using scaled_object = weft::compiled<scaled, tensor<float, rows, 3>, tensor<float, 3>, weft::key>;

constexpr auto chosen = [](auto flags, auto one, auto x) {
  return weft::select(weft::logical_and(flags, one), x, -x);
};

} // namespace

WEFT_C_API(choose, weft::compiled<chosen, tensor<bool, 3>, bool, tensor<float, 3>>)
WEFT_C_API(follow, follow_object)
WEFT_C_API(scaled, weft::compiled<scaled, tensor<float, rows, 3>, tensor<float, 3>, weft::key>)

namespace {

TEST(c_api, is_described) {
  int count = 0;
  weft::c_array const* const in = follow_inputs_list(&count);
  ASSERT_EQ(count, 4);
  EXPECT_STREQ(in[0].name, "arg0_level");
  EXPECT_STREQ(in[0].dtype, "float32");
  EXPECT_EQ(in[0].rank, 1);
  EXPECT_EQ(in[0].shape[0], 40);
  EXPECT_STREQ(in[1].name, "arg0_steps");
  EXPECT_STREQ(in[1].dtype, "int32");
  EXPECT_EQ(in[1].rank, 0);
  EXPECT_STREQ(in[3].name, "arg2");
  weft::c_array const* const out = follow_outputs_list(&count);
  ASSERT_EQ(count, 4);
  EXPECT_STREQ(out[0].name, "out_0_level");
  EXPECT_STREQ(out[2].name, "out_1");
  weft::c_array const* const named = scaled_inputs_list(&count);
  ASSERT_EQ(count, 3);
  EXPECT_EQ(named[0].shape[0], -1);
  EXPECT_STREQ(named[0].extents[0], "rows");
  EXPECT_STREQ(named[2].dtype, "uint32"); // a key
  EXPECT_EQ(named[2].shape[0], 2);
}

TEST(c_api, names_every_type) {
  struct {
    weft::dtype type;
    char const *numpy, *c;
  } const all[] = {
      {weft::dtype::boolean, "bool", "bool"},    {weft::dtype::bf16, "bfloat16", "uint16_t"},
      {weft::dtype::f16, "float16", "uint16_t"}, {weft::dtype::f32, "float32", "float"},
      {weft::dtype::f64, "float64", "double"},   {weft::dtype::i8, "int8", "int8_t"},
      {weft::dtype::i16, "int16", "int16_t"},    {weft::dtype::i32, "int32", "int32_t"},
      {weft::dtype::i64, "int64", "int64_t"},    {weft::dtype::u8, "uint8", "uint8_t"},
      {weft::dtype::u16, "uint16", "uint16_t"},  {weft::dtype::u32, "uint32", "uint32_t"},
      {weft::dtype::u64, "uint64", "uint64_t"}};
  EXPECT_EQ(std::size(all), static_cast<std::size_t>(weft::dtype_count));
  for (auto const& [type, numpy, c] : all) {
    EXPECT_EQ(weft::detail::c_dtype(type), numpy);
    EXPECT_EQ(weft::detail::c_type(type), c);
  }
}

TEST(c_api, has_jits_bits_and_takes_no_memory) {
  void* const f = follow_create();
  ASSERT_NE(f, nullptr);
  state<tensor> s{};
  float level[40] = {}, x[40], next[40], rate = 0.25f, total = 0, same[40];
  int steps = 0, next_steps = 0;
  for (int i = 0; i < 40; ++i) x[i] = static_cast<float>(i * i % 17);
  void const* const in[] = {level, &steps, x, &rate};
  void* const out[] = {next, &next_steps, &total, same};
  for (int call = 0; call < 8; ++call) {
    int code = 0;
    long const taken = test::memory_calls_of([&] { code = follow_run(f, in, out, nullptr); });
    ASSERT_EQ(code, 0) << follow_error(f);
    EXPECT_EQ(taken > 0, call == 0) << call;
    auto const [expected, sum,
                passed] = weft::jit<follow>(s, tensor<float, 40>(weft::borrow<40>(x)), rate);
    EXPECT_EQ(std::memcmp(next, expected.level.data(), sizeof next), 0);
    EXPECT_EQ(next_steps, call + 1);
    EXPECT_EQ(total, sum());
    EXPECT_EQ(std::memcmp(same, x, sizeof x), 0);
    s = expected;
    std::memcpy(level, next, sizeof level);
    steps = next_steps;
    x[call] += 1;
  }
  follow_destroy(f);
  follow_destroy(nullptr);
}

TEST(c_api, named_extents_and_keys) {
  void* const f = scaled_create();
  ASSERT_NE(f, nullptr);
  std::vector<float> x(300);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i);
  float const w[3] = {1, 10, 100};
  std::uint32_t const key[2] = {0, 42};
  void const* const in[] = {x.data(), w, key};
  for (std::int64_t const n : {2, 100, 100, 1, 0}) {
    std::vector<float> y(static_cast<std::size_t>(n) + 1);
    float drawn[3];
    void* const out[] = {y.data(), drawn};
    ASSERT_EQ(scaled_run(f, in, out, &n), 0) << scaled_error(f);
    for (std::size_t i = 0; i + 1 < y.size(); ++i)
      EXPECT_EQ(y[i], x[3 * i] + 10 * x[3 * i + 1] + 100 * x[3 * i + 2]);
    tensor<float, rows, 3> const some(0);
    auto const expected = weft::jit<scaled>(some, tensor<float, 3>{1, 10, 100},
                                            weft::key::of_words(0, 42));
    EXPECT_EQ(std::memcmp(drawn, expected.second.data(), sizeof drawn), 0);
    std::int64_t shape[8] = {};
    auto const* const there = static_cast<float const*>(scaled_output(f, 0, shape));
    EXPECT_EQ(shape[0], n);
    if (n > 0) {
      EXPECT_EQ(there[0], y[0]);
    }
  }
  EXPECT_EQ(scaled_output(f, 2, nullptr), nullptr);
  scaled_destroy(f);
}

TEST(c_api, errors_are_texts) {
  void* const f = scaled_create();
  float const w[3] = {};
  std::uint32_t const key[2] = {};
  void const* const in[] = {nullptr, w, key};
  std::int64_t n = 2;
  EXPECT_EQ(scaled_run(f, in, nullptr, nullptr), 1);
  EXPECT_STREQ(scaled_error(f), "weft: c_api: there are no extents; give one for each name");
  EXPECT_EQ(scaled_run(f, in, nullptr, &n), 1);
  EXPECT_STREQ(scaled_error(f), "weft: c_api: input 0 is null; give its elements");
  n = -1;
  EXPECT_EQ(scaled_run(f, in, nullptr, &n), 1);
  EXPECT_STREQ(scaled_error(f), "weft: array: shape (-1, 3) does not fit (rows, 3); equal names "
                                "need equal extents, at least 0");
  n = std::int64_t{1} << 61;
  EXPECT_EQ(scaled_run(f, in, nullptr, &n), 1);
  EXPECT_NE(std::strlen(scaled_error(f)), 0u);
  EXPECT_EQ(scaled_output(f, 0, nullptr), nullptr);
  n = 0; // no elements, no pointer
  EXPECT_EQ(scaled_run(f, in, nullptr, &n), 0) << scaled_error(f);
  EXPECT_STREQ(scaled_error(f), "");
  scaled_destroy(f);
  EXPECT_EQ(scaled_run(nullptr, in, nullptr, &n), 1);
  EXPECT_NE(std::strlen(scaled_error(nullptr)), 0u);
}

TEST(c_api, bools_are_0_or_1) {
  void* const f = choose_create();
  unsigned char flags[3] = {1, 0, 1}, one = 1;
  float const x[3] = {1, 2, 3};
  float y[3] = {};
  void const* const in[] = {flags, &one, x};
  void* const out[] = {y};
  EXPECT_EQ(choose_run(f, in, out, nullptr), 0) << choose_error(f);
  EXPECT_EQ(y[1], -2);
  EXPECT_EQ(y[2], 3);
  flags[2] = 7;
  EXPECT_EQ(choose_run(f, in, out, nullptr), 1);
  EXPECT_STREQ(choose_error(f), "weft: c_api: input 0 has a bool of 7; it is 0 or 1");
  flags[2] = 0;
  one = 255;
  EXPECT_EQ(choose_run(f, in, out, nullptr), 1);
  EXPECT_STREQ(choose_error(f), "weft: c_api: input 1 has a bool of 255; it is 0 or 1");
  EXPECT_EQ(y[2], 3); // as it was
  choose_destroy(f);
}

// As many names as the arguments have axes.
template <int I>
constexpr sym name{{static_cast<char>('a' + I / 8), static_cast<char>('a' + I % 8), '\0'}};
template <int First>
using eight = tensor<float, name<First>, name<First + 1>, name<First + 2>, name<First + 3>,
                     name<First + 4>, name<First + 5>, name<First + 6>, name<First + 7>>;
constexpr auto many = weft::detail::c_names_of(
    weft::type_list<eight<0>, eight<8>, eight<16>, eight<24>, eight<32>, eight<40>, eight<48>,
                    eight<56>, eight<64>, eight<72>, eight<0>>{});
static_assert(many.count == 80 && many.place(weft::extent_value<name<79>>()) == 79);
static_assert(weft::detail::c_names_of(weft::type_list<float, tensor<int, 3>>{}).count == 0);

// Compiled by a C compiler, in C99, against both headers.
char const* const client = R"(
#include "follow.h"
#include "scaled.h"
#include <string.h>
int client(float* total) {
  float level[40] = {0}, x[40] = {0}, rate = 0.5f, same[40];
  int32_t steps = 7;
  int i, bad;
  follow_inputs in;
  follow_outputs out;
  follow* f = follow_create();
  x[3] = 8;
  in.arg0_level = level; in.arg0_steps = &steps; in.arg1 = x; in.arg2 = &rate;
  out.out_0_level = level; out.out_0_steps = &steps; out.out_1 = total; out.out_2 = same;
  for (i = 0; i < 3; ++i)
    if (f == 0 || follow_run(f, &in, &out, 0) != 0) return 1;
  follow_destroy(f);
  if (steps != 10 || level[3] != 7 || memcmp(same, x, sizeof x) != 0) return 2;
  {
    scaled* s = scaled_create();
    float const v[6] = {1, 2, 3, 4, 5, 6}, w[3] = {1, 10, 100};
    uint32_t const k[2] = {0, 1};
    float y[2];
    scaled_inputs const si = {v, w, k};
    scaled_outputs const so = {y, 0};
    scaled_extents const se = {2};
    bad = s == 0 || scaled_run(s, &si, &so, &se) != 0 || y[1] != 654;
    scaled_destroy(s);
  }
  return bad ? 3 : 0;
}
)";
TEST(c_api, serves_c) {
  if (std::system("cc --version >/dev/null 2>&1") != 0) GTEST_SKIP() << "no C compiler";
  std::string folder = (std::filesystem::temp_directory_path() / "weft-c-XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  std::ofstream(folder + "/follow.h") << weft::c_header<follow_object>("follow");
  std::ofstream(folder + "/scaled.h") << weft::c_header<scaled_object>("scaled");
  std::ofstream(folder + "/client.c") << client;
  std::string const command = "cd " + folder +
                              " && cc -std=c99 -Wall -Wextra -pedantic -Werror "
                              "-shared -fPIC client.c -o client.so 2>errors";
  EXPECT_EQ(std::system(command.c_str()), 0) << std::ifstream(folder + "/errors").rdbuf();
  void* const library = ::dlopen((folder + "/client.so").c_str(), RTLD_NOW);
  ASSERT_NE(library, nullptr) << ::dlerror();
  auto* const run = reinterpret_cast<int (*)(float*)>(::dlsym(library, "client"));
  ASSERT_NE(run, nullptr);
  float total = 0;
  EXPECT_EQ(run(&total), 0);
  EXPECT_EQ(total, 7);
  std::filesystem::remove_all(folder);
}

} // namespace
