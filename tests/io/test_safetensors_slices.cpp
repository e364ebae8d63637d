// SPDX-License-Identifier: BSL-1.0
// One .safetensors file that many ranks write and read, each its slices. Ranks are threads here.
// needs: nlohmann/json.hpp
#include "io/file_ranks.hpp"

#include <gtest/gtest.h>

#include <cstring>
#include <random>

namespace {

using namespace file_ranks;
using files::error_of;
using weft::safetensors_file, weft::save_safetensors;

using random = std::mt19937;
int draw(random& r, int below) { return static_cast<int>(r() % static_cast<unsigned>(below)); }

layout some_layout(random& r, int ranks, extents const& whole) {
  layout l;
  for (int rest = ranks; rest > 1 || l.mesh.empty();) { // factors of the number of ranks
    int size = draw(r, rest) + 1;
    while (rest % size != 0) ++size;
    l.mesh.push_back(size);
    rest /= size;
  }
  l.of_axis.resize(static_cast<std::size_t>(whole.rank));
  for (int a = 0; a < static_cast<int>(l.mesh.size()); ++a)
    if (int const i = draw(r, whole.rank + 1); i < whole.rank)
      l.of_axis[static_cast<std::size_t>(i)].push_back(a);
  return l;
}
host_array some_array(random& r, int type) {
  extents shape;
  for (int i = draw(r, 5); i > 0; --i) shape.push(draw(r, 12));
  host_array x(static_cast<dtype>(type), shape);
  bool const is_bool = x.type() == dtype::boolean;
  for (extent i = 0; i < x.byte_count(); ++i) x.data()[i] = std::byte(r() & (is_bool ? 1 : 0xff));
  return x;
}
bool same(host_array const& x, host_array const& y) {
  return x.type() == y.type() && x.shape() == y.shape() &&
         (x.byte_count() == 0 ||
          std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.byte_count())) == 0);
}

shared_arrays some_arrays(random& r, int ranks) {
  shared_arrays s;
  for (int type = 0; type < weft::dtype_count; ++type) {
    s.whole.push_back({"a" + std::to_string(type), some_array(r, type)});
    s.layouts.push_back(some_layout(r, ranks, s.whole.back().array.shape()));
  }
  return s;
}
TEST(safetensors_slices, random_meshes_write_what_one_process_writes) {
  files::folder const f;
  random r(1);
  for (int turn = 0; turn < 25; ++turn) {
    int const ranks = draw(r, 8) + 1;
    shared_arrays const s = some_arrays(r, ranks);
    save_safetensors(f / "one", s.whole);
    for (std::string const& said : save(f / "many", s)) ASSERT_EQ(said, "");
    ASSERT_EQ(files::read(f / "one"), files::read(f / "many")) << ranks << " ranks, turn " << turn;
    ASSERT_EQ(f.count(), 2);
  }
}
TEST(safetensors_slices, other_meshes_read_their_slices) {
  files::folder const f;
  random r(2);
  for (int turn = 0; turn < 25; ++turn) {
    shared_arrays const s = some_arrays(r, draw(r, 6) + 1);
    save(f / "x", s);
    safetensors_file const file(f / "x");
    int const ranks = draw(r, 8) + 1;
    for (auto const& [name, whole] : s.whole) {
      layout const other = some_layout(r, ranks, whole.shape());
      for (int rank = 0; rank < ranks; ++rank) {
        array_slice const part = other.slice(whole.shape(), rank);
        ASSERT_TRUE(same(file.load_any(name, part), slice_of(whole, part))) << name;
      }
    }
  }
}

TEST(safetensors_slices, ranks_that_mean_different_files) {
  files::folder const f;
  for (std::string const& said : as_ranks(3, [&](thread_rank& here) {
         shared_arrays s = rows_of(3, 1);
         if (here.own == 1) s.whole[0].name = "y";
         save_as(here, f / "x", s);
       }))
    EXPECT_EQ(said, "save_safetensors: rank 0 and rank 1 mean different files; give the same "
                    "arrays, slices and metadata on all ranks");
  EXPECT_EQ(f.count(), 0);
}
std::string says_of(extents const& whole, std::function<array_slice(extent)> slice) {
  files::folder const f;
  std::vector<char> const data(1000);
  std::vector<std::string> const said = as_ranks(2, [&](thread_rank& here) {
    save_safetensors(here, f / "x", {}, {{"w", dtype::u8, whole, slice, data.data()}});
  });
  EXPECT_EQ(f.count(), said[0].empty() ? 1 : 0);
  EXPECT_EQ(said[0], said[1]);
  return said[0];
}
TEST(safetensors_slices, slices_that_are_no_grid) {
  extents const whole{2, {4, 6}};
  auto const rows = [](extent first, extent count) {
    return array_slice{{2, {first, 0}}, {2, {count, 6}}};
  };
  EXPECT_EQ(says_of(whole, [&](extent r) { return rows(2 * r, 2); }), "");
  EXPECT_EQ(says_of(whole, [&](extent) { return rows(0, 4); }), "");
  EXPECT_EQ(says_of(whole, [&](extent r) { return rows(3 * r, r == 0 ? 3 : 1); }), "");
  EXPECT_EQ(says_of(whole, [&](extent r) { return rows(3 * r, 2); }),
            "save_safetensors: rank 1's slice (2, 6) at (3, 0) of array 'w' of shape (4, 6) lies "
            "outside, or across others; slices are the cells of a grid over the whole");
  std::string const across = "across others", missing = "no rank has some elements of array 'w'";
  auto const finds = [&](std::string const& text, auto slice) {
    std::string const said = says_of(whole, slice);
    EXPECT_NE(said.find(text), std::string::npos) << said;
  };
  finds(across, [&](extent r) { return rows(0, r + 2); });
  finds(across, [&](extent r) { return rows(-r, 4); });
  finds("slice (4, 6) at (-1, 0) of", [&](extent r) { return rows(-r, 4); });
  finds(across, [&](extent) { return array_slice{{1, {0}}, {1, {4}}}; });
  finds(across, [&](extent) { return rows(weft::extent{1} << 62, weft::extent{1} << 62); });
  finds(missing, [&](extent r) { return rows(2 * r, r == 0 ? 2 : 1); });
  finds(missing, [&](extent r) { return rows(r, 3 - r); }); // two meet
  finds(missing, [&](extent r) {                            // cells of a diagonal
    return array_slice{{2, {2 * r, 3 * r}}, {2, {2, 3}}};
  });
}
// Ranks have other bytes of the same slice, which none should: then it shows who writes.
TEST(safetensors_slices, the_lowest_rank_writes_what_several_have) {
  files::folder const f;
  auto const bytes_of_ranks = [&](int ranks, extents const& whole, auto slice) {
    for (std::string const& said : as_ranks(ranks, [&](thread_rank& here) {
           std::vector<char> const mine(100, static_cast<char>('0' + here.own));
           save_safetensors(here, f / "x", {}, {{"w", dtype::u8, whole, slice, mine.data()}});
         }))
      EXPECT_EQ(said, "");
    std::string const file = files::read(f / "x");
    return file.substr(file.size() - static_cast<std::size_t>(weft::count_of(whole)));
  };
  auto const columns = [](extent first, extent count) {
    return array_slice{{2, {0, first}}, {2, {2, count}}};
  };
  extents const whole{2, {2, 4}};
  EXPECT_EQ(bytes_of_ranks(3, whole, [&](extent) { return columns(0, 4); }), "00000000");
  EXPECT_EQ(bytes_of_ranks(4, whole, [&](extent r) { return columns(r / 2 * 2, 2); }), "00220022");
  EXPECT_EQ(bytes_of_ranks(4, whole, [&](extent r) { return columns(r % 2 * 2, 2); }), "00110011");
  EXPECT_EQ(bytes_of_ranks(3, whole, [&](extent r) { return columns(2 * (r < 1), 2); }),
            "11001100");
  // Ranks without a part of it.
  EXPECT_EQ(bytes_of_ranks(3, whole, [&](extent r) { return columns(0, r == 2 ? 4 : 0); }),
            "22222222");
  EXPECT_EQ(
      bytes_of_ranks(3, whole, [&](extent r) { return columns(r == 1, r == 1 ? 3 : r == 2); }),
      "21112111");
  EXPECT_EQ(bytes_of_ranks(2, {2, {2, 0}}, [&](extent) { return columns(0, 0); }), "");
}
TEST(safetensors_slices, arrays_that_cannot_be_counted) {
  extent const large = extent{1} << 40;
  EXPECT_NE(says_of({2, {large, large}},
                    [&](extent) {
                      return array_slice{{2, {0, 0}}, {2, {large, large}}};
                    })
                .find("more bytes than can be counted"),
            std::string::npos);
}
TEST(safetensors_slices, slices_that_a_file_does_not_have) {
  files::folder const f;
  save(f / "x", rows_of(2, 1));
  safetensors_file const file(f / "x");
  EXPECT_EQ(error_of([&] {
              file.load_any("x", {{2, {3, 0}}, {2, {2, 200}}});
            }),
            "safetensors_file: the slice (2, 200) at (3, 0) is outside of array 'x' of shape "
            "(4, 200); give one that lies in it");
  EXPECT_NE(error_of([&] { file.load_any("x", {{1, {0}}, {1, {4}}}); }), "");
  EXPECT_NE(error_of([&] { file.load_any("y", {{1, {0}}, {1, {4}}}); }), "");
  std::string header = R"({"y":{"dtype":"F8_E4M3","shape":[2],"data_offsets":[0,2]}})";
  header.insert(0, std::string("\0\0\0\0\0\0\0\0", 8));
  header[0] = static_cast<char>(header.size() - 8);
  files::write(f / "y", header + "ab");
  EXPECT_NE(error_of([&] {
              safetensors_file(f / "y").load_any("y", {{1, {0}}, {1, {1}}});
            }).find("elements are 'F8_E4M3'"),
            std::string::npos);
}
TEST(safetensors_slices, bools_are_0_or_1) {
  files::folder const f;
  std::string header = R"({"b":{"dtype":"BOOL","shape":[3],"data_offsets":[0,3]}})";
  header.insert(0, std::string("\0\0\0\0\0\0\0\0", 8));
  header[0] = static_cast<char>(header.size() - 8);
  files::write(f / "b", header + std::string("\0\7\1", 3));
  host_array const b = safetensors_file(f / "b").load_any("b", {{1, {1}}, {1, {2}}});
  EXPECT_EQ(b.data()[0], std::byte(1));
  EXPECT_EQ(b.data()[1], std::byte(1));
}

} // namespace
