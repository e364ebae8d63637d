// SPDX-License-Identifier: BSL-1.0
// .safetensors files: what the safetensors package writes is read, structs come back by name.
// needs: nlohmann/json.hpp
#include "io/files.hpp"

#include <weft/io/safetensors.hpp>
#include <weft/lang/key.hpp>

#include <gtest/gtest.h>

#include <cstdint>

namespace {

using weft::bf16, weft::borrowed, weft::f16, weft::file_access, weft::load_safetensors, weft::named;
using weft::safetensors_file, weft::save_safetensors, weft::sym, weft::tensor;
using names = std::vector<std::string>;

constexpr sym rows{"rows"};

std::string with_length(std::string const& header, std::string const& data) {
  std::string s(8, '\0');
  s[0] = static_cast<char>(header.size());
  return s + header + data;
}

template <template <class, auto...> class array> struct layer {
  array<float, 2, 3> w;
  array<bf16, 100> bias;
};
template <template <class, auto...> class array> struct model {
  array<std::int8_t, rows> first;
  std::array<layer<array>, 2> blocks;
  array<double> scale;
  int steps = 0;
};
model<tensor> a_model() {
  model<tensor> m{{1, -2, 3}, {}, 0.5, 7};
  m.blocks[0].w = tensor<float, 2, 3>{{1, 2, 3}, {4, 5, 6}};
  m.blocks[1].w = tensor<float, 2, 3>{{-1, -2, -3}, {-4, -5, -6}};
  m.blocks[1].bias.mutate()(99) = bf16(1.5f);
  return m;
}
void expect_same(model<tensor> const& got, model<tensor> const& want) {
  EXPECT_TRUE(got.first == want.first);
  for (std::size_t i = 0; i < 2; ++i) {
    EXPECT_TRUE(got.blocks[i].w == want.blocks[i].w);
    EXPECT_EQ(got.blocks[i].bias(99).bits, want.blocks[i].bias(99).bits);
  }
  EXPECT_EQ(got.scale(), want.scale());
  EXPECT_EQ(got.steps, want.steps);
}

// Written by safetensors 0.8.0.
std::string const of_the_package = with_length(
    R"({"__metadata__":{"k":"v"},"b":{"dtype":"F32","shape":[2],"data_offsets":[0,8]},)"
    R"("a":{"dtype":"I8","shape":[3],"data_offsets":[8,11]},)"
    R"("c":{"dtype":"BOOL","shape":[],"data_offsets":[11,12]}}     )",
    std::string("\0\0\x80\x3f\0\0\0\0\1\2\3\1", 12));

TEST(safetensors, reads_what_the_package_writes) {
  files::folder const f;
  files::write(f / "x", of_the_package);
  for (file_access const how : {file_access::mapped, file_access::copied}) {
    safetensors_file const file(f / "x", how);
    EXPECT_EQ(file.is_mapped(), how == file_access::mapped);
    EXPECT_EQ(file.names(), (names{"a", "b", "c"}));
    EXPECT_EQ(file.metadata().at("k"), "v");
    EXPECT_EQ(file.type("c"), "BOOL");
    EXPECT_EQ(file.shape("b"), (weft::extents{1, {2}}));
    EXPECT_TRUE(file.contains("a"));
    EXPECT_FALSE(file.contains("d"));
    EXPECT_EQ((file.load<float, 2>("b")), (tensor<float, 2>{1, 0}));
    EXPECT_EQ((file.load<std::int8_t, rows>("a")(2)), 3);
    EXPECT_TRUE((file.load<bool>("c")()));
    EXPECT_EQ((file.view<float, 2>("b")(0)), 1);
  }
}

TEST(safetensors, writes_what_the_package_reads) {
  files::folder const f;
  save_safetensors(f / "x", {{"k", "v"}}, named("b", tensor<float, 2>{1, 0}),
                   named("a", tensor<std::int8_t, 3>{1, 2, 3}), named("c", true));
  EXPECT_EQ(files::read(f / "x"), of_the_package);
}

TEST(safetensors, a_struct_by_the_names_of_its_fields) {
  files::folder const f;
  auto const m = a_model();
  save_safetensors(f / "x", m);
  safetensors_file const file(f / "x");
  EXPECT_EQ(file.names(), (names{"blocks.0.bias", "blocks.0.w", "blocks.1.bias", "blocks.1.w",
                                 "first", "scale", "steps"}));
  expect_same(file.load<model<tensor>>(), m);
  expect_same(load_safetensors<model<tensor>>(f / "x"), m);
  EXPECT_EQ((load_safetensors<float, 2, rows>(f / "x", "blocks.1.w")(1, 2)), -6);
  EXPECT_EQ((file.load<layer<tensor>>("blocks.0").w(1, 0)), 4);
}

TEST(safetensors, several_structs_in_one_file) {
  files::folder const f;
  auto const m = a_model();
  tensor<float, 2> const x = {1, 2};
  save_safetensors(f / "x", {{"format", "pt"}}, named("net", m), named("x", x), layer<tensor>{});
  safetensors_file const file(f / "x");
  EXPECT_EQ(file.names().size(), 10u);
  expect_same(file.load<model<tensor>>("net"), m);
  EXPECT_EQ((file.load<tensor<float, 2>>("x")), x);
  EXPECT_EQ(file.metadata(), (weft::safetensors_metadata{{"format", "pt"}}));
}

TEST(safetensors, views_are_the_files_own_bytes) {
  files::folder const f;
  save_safetensors(f / "x", a_model());
  for (file_access const how : {file_access::mapped, file_access::copied}) {
    auto file = std::make_unique<safetensors_file>(f / "x", how);
    auto const view = file->view<model<tensor>>();
    static_assert(std::is_same_v<decltype(view), model<borrowed> const>);
    auto const again = file->view<double>("scale");
    EXPECT_EQ(view.scale.data(), again.data());
    safetensors_file const copy = *file; // keeps the bytes
    file.reset();
    std::filesystem::remove(f / "x");
    EXPECT_EQ(view.blocks[1].w(1, 2), -6);
    EXPECT_EQ(view.blocks[1].bias(99).bits, 0x3fc0);
    EXPECT_EQ(view.first.shape(), (weft::extents{1, {3}}));
    EXPECT_EQ(view.steps, 7);
    EXPECT_EQ(copy.view<double>("scale").data(), again.data());
    save_safetensors(f / "x", view);
    expect_same(load_safetensors<model<tensor>>(f / "x"), a_model());
  }
}

// A file that is written over while it is read: readers keep the bytes they have.
TEST(safetensors, a_view_outlives_the_next_version) {
  files::folder const f;
  save_safetensors(f / "x", named("x", tensor<float, 2>{1, 2}));
  safetensors_file const file(f / "x");
  auto const view = file.view<float, 2>("x");
  save_safetensors(f / "x", named("x", tensor<float, 2>{3, 4}));
  EXPECT_EQ(view(0), 1);
  EXPECT_EQ((load_safetensors<float, 2>(f / "x", "x")(0)), 3);
}

template <class T> class safetensors_types : public testing::Test {};
using all = testing::Types<float, std::int32_t, std::uint32_t, bool, bf16, f16, double, std::int8_t,
                           std::int16_t, std::int64_t, std::uint8_t, std::uint16_t, std::uint64_t>;
TYPED_TEST_SUITE(safetensors_types, all);
TYPED_TEST(safetensors_types, come_back) {
  files::folder const f;
  tensor<TypeParam, 3> const x = {TypeParam(0), TypeParam(1), TypeParam(1)};
  save_safetensors(f / "x", named("one", std::int8_t{1}), named("x", x));
  safetensors_file const file(f / "x");
  auto const y = file.load<TypeParam, 3>("x");
  EXPECT_EQ(std::memcmp(y.data(), x.data(), sizeof(TypeParam) * 3), 0);
  EXPECT_EQ(std::memcmp(file.view<TypeParam, 3>("x").data(), x.data(), sizeof(TypeParam) * 3), 0);
}

TEST(safetensors, empty_arrays_empty_files_and_keys) {
  files::folder const f;
  save_safetensors(f / "x", named("e", tensor<float, rows, 3>(0)), named("k", weft::key(42)));
  safetensors_file const file(f / "x");
  EXPECT_EQ((file.load<float, rows, 3>("e").shape()), (weft::extents{2, {0, 3}}));
  EXPECT_EQ((file.view<float, 0, 3>("e").size()), 0);
  EXPECT_EQ(file.load<weft::key>("k"), weft::key(42));
  EXPECT_EQ(file.type("k"), "U32");
  EXPECT_EQ((file.load<std::uint32_t, 2>("k")), (tensor<std::uint32_t, 2>{0, 42}));
  save_safetensors(f / "x", weft::safetensors_metadata{{"only", "texts"}});
  EXPECT_EQ(safetensors_file(f / "x").metadata().at("only"), "texts");
  save_safetensors(f / "x");
  EXPECT_EQ(safetensors_file(f / "x").names(), names{});
}

TEST(safetensors, borrowed_arrays_with_gaps) {
  files::folder const f;
  float const data[6] = {1, 2, 3, 4, 5, 6};
  save_safetensors(f / "x", named("t", weft::borrow<3, 2>(data, weft::strides{1, 3})));
  EXPECT_EQ((load_safetensors<float, 3, 2>(f / "x", "t")),
            (tensor<float, 3, 2>{{1, 4}, {2, 5}, {3, 6}}));
}

TEST(safetensors, names_and_texts_of_any_characters) {
  files::folder const f;
  std::string const odd = "a \"b\"\\\n\t\x01 \xc3\xa9 \xf0\x9f\x8c\x8a";
  save_safetensors(f / "x", {{odd, odd}}, named(odd, 1.0f));
  safetensors_file const file(f / "x");
  EXPECT_EQ(file.names(), names{odd});
  EXPECT_EQ(file.metadata().at(odd), odd);
  EXPECT_EQ(file.load<float>(odd)(), 1);
}

} // namespace
