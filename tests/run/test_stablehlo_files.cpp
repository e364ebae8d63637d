// SPDX-License-Identifier: BSL-1.0
// build: alone
// needs: nlohmann/json.hpp
// Functions written as modules with names, locations, lifted constants and donations, and loaded.
#include "support/block.hpp"
#include "support/text_of.hpp"

#include <weft/graph/handle_collective.hpp>
#include <weft/stablehlo_files.hpp>
#include <weft/weft.hpp>

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

using namespace weft;

template <template <class, auto...> class array> struct params {
  array<float, 4, 3> w;
  array<float, 3> b;
};
struct folder {
  std::string path;
  folder() {
    char name[] = "/tmp/weft_stablehlo_XXXXXX";
    path = ::mkdtemp(name);
  }
  ~folder() { std::filesystem::remove_all(path); }
};

constexpr auto train = [](auto p, auto x, auto k) {
  auto const h = tanh(linear(x, p.w, p.b)) * uniform<float, 2, 3>(k);
  return std::pair(params<traced>{p.w - 0.5f, p.b * 2.0f}, sum(h));
};

params<tensor> some_params() {
  params<tensor> p;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j) p.w.mutate()(i, j) = static_cast<float>(i - j) / 4;
  for (int j = 0; j < 3; ++j) p.b.mutate()(j) = static_cast<float>(j);
  return p;
}
tensor<float, 2, 4> some_x() {
  tensor<float, 2, 4> x;
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j) x.mutate()(i, j) = static_cast<float>(3 * i - j) / 8;
  return x;
}
host_array words(key k) {
  tensor<std::uint32_t, 2> w;
  w.mutate()(0) = k.high;
  w.mutate()(1) = k.low;
  return host_array(w);
}

stablehlo::exported_module exported() {
  return stablehlo::exported<train, params<tensor>&&, tensor<float, 2, 4>, key>(
      {.names = {"params", "x", "key"}});
}

TEST(stablehlo_files, arguments_have_names_places_and_locations) {
  stablehlo::manifest const m = exported().about;
  ASSERT_EQ(m.arguments.size(), 4u);
  char const* const names[] = {"params.w", "params.b", "x", "key"};
  using where_from = stablehlo::location;
  where_from const where[] = {where_from::state, where_from::state, where_from::input,
                              where_from::key};
  int const donated[] = {0, 1, -1, -1};
  for (std::size_t i = 0; i < 4; ++i) {
    EXPECT_EQ(m.arguments[i].name, names[i]);
    EXPECT_EQ(m.arguments[i].where, where[i]);
    EXPECT_EQ(m.arguments[i].donated_to, donated[i]);
  }
  ASSERT_EQ(m.results.size(), 3u);
  EXPECT_EQ(m.results[0].name, "result.0.w");
  EXPECT_EQ(m.results[2].name, "result.1");
}
TEST(stablehlo_files, what_is_loaded_gives_the_bits_of_the_function) {
  folder const f;
  stablehlo::save(f.path + "/train", exported());
  stablehlo::saved_module m(f.path + "/train");
  params<tensor> const p = some_params();
  auto const x = some_x();
  auto const [next, loss] = jit<train>(p, x, key(7));
  std::vector<host_array> const out = m.run(
      {host_array(p.w), host_array(p.b), host_array(x), words(key(7))});
  ASSERT_EQ(out.size(), 3u);
  auto const w = out[0].as<float, 4, 3>();
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 3; ++j) EXPECT_EQ(w(i, j), next.w(i, j));
  EXPECT_EQ(out[2].as<float>()(), loss());
  // Another key draws other numbers: none are frozen.
  EXPECT_NE(
      m.run({host_array(p.w), host_array(p.b), host_array(x), words(key(8))})[2].as<float>()(),
      loss());
}
TEST(stablehlo_files, the_manifest_is_checked) {
  folder const f;
  stablehlo::save(f.path + "/train", exported());
  stablehlo::saved_module m(f.path + "/train");
  params<tensor> const p = some_params();
  host_array const w(p.w), b(p.b), x(some_x()), k = words(key(7));
  EXPECT_EQ(test::text_of<usage_error>([&] {
              m.run({w, b, x});
            }),
            "weft: stablehlo: the module takes 4 arguments, 3 are given");
  EXPECT_EQ(test::text_of<usage_error>([&] {
              m.run({w, b, x, x});
            }),
            "weft: stablehlo: argument 3 'key' is f32, the manifest says ui32");
  EXPECT_EQ(test::text_of<shape_error>([&] {
              m.run({b, b, x, k});
            }),
            "weft: stablehlo: argument 0 'params.w' is (3), the manifest says (4, 3)");
  auto const replace = [&](std::string const& file, std::string const& a, std::string const& to) {
    std::ifstream in(file);
    std::string text((std::istreambuf_iterator<char>(in)), {});
    text.replace(text.find(a), a.size(), to);
    std::ofstream(file) << text;
  };
  replace(f.path + "/train.json", "\"state\"", "\"stale\"");
  EXPECT_THROW(stablehlo::saved_module(f.path + "/train"), io_error);
  replace(f.path + "/train.json", "\"stale\"", "\"state\"");
  replace(f.path + "/train.json", "4, 3", "4, 5");
  EXPECT_THROW(stablehlo::saved_module(f.path + "/train"), value_error);
}
// y = scale * (sum over all ranks of x) * table: a table that is lifted, an argument of every kind,
// and a scale that a program of one rank applies as well.
graph reduced_and_scaled() {
  recorder r;
  handle const x = r.input(dtype::f32, {2, {2, 4}}, {0, 0, false});
  handle const scale = r.input(dtype::f32, {}, {1, 0, false});
  extent const first = r.result.constants.size();
  for (int i = 0; i < 8; ++i) r.result.constants.push(word_of(static_cast<float>(i) / 4));
  extent const place[] = {first, 0}, alone[] = {0};
  handle const table = r.emit(op::constant, dtype::f32, {2, {2, 4}}, {}, {place, 2});
  handle const sum = exchange(x, {.ranks = {alone, 1}});
  handle const scaled = sum * broadcast_to(scale, {2, {2, 4}}) * table;
  r.finish({&scaled, 1});
  return std::move(r.result);
}
TEST(stablehlo_files, lifted_constants_locations_and_an_all_reduce_with_scale) {
  graph const g = reduced_and_scaled();
  ASSERT_FALSE(verify(g));
  stablehlo::exported_module const written = stablehlo::exported(
      g, {{"x"}, {"scale", stablehlo::location::parameter}}, {"y"}, {.lift = 4});
  EXPECT_NE(written.text.find("stablehlo.all_reduce"), std::string::npos);
  EXPECT_EQ(written.text.find("dense<["), std::string::npos) << "the table stands in the text";
  ASSERT_EQ(written.constants.size(), 1);
  ASSERT_EQ(written.about.arguments.size(), 3u);
  EXPECT_EQ(written.about.arguments[1].where, stablehlo::location::parameter);
  EXPECT_EQ(written.about.arguments[2].where, stablehlo::location::constant);
  folder const f;
  stablehlo::save(f.path + "/reduced", written);
  stablehlo::saved_module m(f.path + "/reduced");
  auto const x = some_x();
  auto const y = m.run({host_array(x), host_array(3.0f)})[0].as<float, 2, 4>();
  for (int i = 0; i < 2; ++i)
    for (int j = 0; j < 4; ++j)
      EXPECT_EQ(y(i, j), x(i, j) * 3 * (static_cast<float>(4 * i + j) / 4));
  // Another table than the one that was written.
  save_safetensors(f.path + "/reduced.safetensors",
                   {{"constant.0", host_array(dtype::f32, {1, {8}})}});
  EXPECT_THROW(stablehlo::saved_module(f.path + "/reduced"), shape_error);
  std::filesystem::remove(f.path + "/reduced.safetensors");
  EXPECT_THROW(stablehlo::saved_module(f.path + "/reduced"), io_error);
}
TEST(stablehlo_files, writing_twice_gives_the_same_text) {
  std::string const once = exported().text;
  EXPECT_EQ(once, exported().text);
  stablehlo::module_ir const m = stablehlo::parse({once.data(), static_cast<int>(once.size())});
  stablehlo::imported const in = stablehlo::to_graph(m);
  ASSERT_FALSE(in.error.failed) << in.error.text.c_str();
}

} // namespace
