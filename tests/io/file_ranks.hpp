// SPDX-License-Identifier: BSL-1.0
// Ranks that are threads of the test and write one file together: as_ranks(n, f); and arrays that
// are shared out among them.
//   for (std::string const& said : save(path, rows_of(3, 1))) EXPECT_EQ(said, "");
#pragma once

#include "io/files.hpp"

#include <weft/io/host_arrays.hpp>
#include <weft/io/safetensors_slices.hpp>

#include <barrier>
#include <cstring>
#include <functional>
#include <thread>

namespace file_ranks {

using weft::array_slice, weft::dtype, weft::extent, weft::extents, weft::host_array, weft::message;
using weft::sliced_array;

struct meeting {
  explicit meeting(int ranks) : texts(static_cast<std::size_t>(ranks)), all(ranks) {}
  std::vector<message> texts;
  std::barrier<> all;
};
struct thread_rank {
  meeting& with;
  int own;
  std::function<void(int)> after = [](int) {}; // this rank's n-th meeting
  int meetings = 0;

  extent rank() const { return own; }
  extent world() const { return static_cast<extent>(with.texts.size()); }
  std::vector<message> texts_of_all(message const& mine) {
    with.texts[static_cast<std::size_t>(own)] = mine;
    with.all.arrive_and_wait();
    std::vector<message> r = with.texts;
    with.all.arrive_and_wait();
    after(++meetings);
    with.all.arrive_and_wait();
    return r;
  }
};
// f(rank) as each rank; what each says.
template <class F> std::vector<std::string> as_ranks(int ranks, F const& f) {
  meeting with(ranks);
  std::vector<std::string> said(static_cast<std::size_t>(ranks));
  std::vector<std::thread> threads;
  for (int r = 0; r < ranks; ++r)
    threads.emplace_back([&, r] {
      thread_rank here{with, r};
      said[static_cast<std::size_t>(r)] = files::error_of([&] { f(here); });
      with.all.arrive_and_drop(); // nobody waits for one that has left the others
    });
  for (std::thread& t : threads) t.join();
  return said;
}

// How an array is shared out: axis i of it over mesh axes of_axis[i], others not at all.
struct layout {
  std::vector<int> mesh;
  std::vector<std::vector<int>> of_axis;

  int ranks() const {
    int n = 1;
    for (int size : mesh) n *= size;
    return n;
  }
  array_slice slice(extents const& whole, extent rank) const {
    std::vector<extent> place(mesh.size());
    for (std::size_t a = mesh.size(); a-- > 0; rank /= mesh[a]) place[a] = rank % mesh[a];
    array_slice s{whole, whole};
    for (int i = 0; i < whole.rank; ++i) {
      extent parts = 1, part = 0;
      for (int a : of_axis[static_cast<std::size_t>(i)]) {
        part = part * mesh[static_cast<std::size_t>(a)] + place[static_cast<std::size_t>(a)];
        parts *= mesh[static_cast<std::size_t>(a)];
      }
      extent const each = (whole[i] + parts - 1) / parts; // the last ones may have fewer
      s.first[i] = std::min(whole[i], part * each);
      s.shape[i] = std::min(whole[i], (part + 1) * each) - s.first[i];
    }
    return s;
  }
};
inline host_array slice_of(host_array const& x, array_slice const& s) {
  host_array r(x.type(), s.shape);
  extent const size = weft::size_of(x.type());
  extents const steps = weft::row_major_strides(x.shape());
  for (extent i = 0; i < r.size(); ++i) { // element by element
    extent from = 0, rest = i;
    for (int a = s.shape.rank; a-- > 0; rest /= s.shape[a])
      from += (s.first[a] + rest % s.shape[a]) * steps[a];
    std::memcpy(r.data() + i * size, x.data() + from * size, static_cast<std::size_t>(size));
  }
  return r;
}
struct shared_arrays {
  std::vector<weft::named_host_array> whole;
  std::vector<layout> layouts;
};
inline void save_as(thread_rank& here, std::string const& path, shared_arrays const& s) {
  std::vector<host_array> mine;
  std::vector<sliced_array> arrays;
  for (std::size_t i = 0; i < s.whole.size(); ++i)
    mine.push_back(
        slice_of(s.whole[i].array, s.layouts[i].slice(s.whole[i].array.shape(), here.own)));
  for (std::size_t i = 0; i < s.whole.size(); ++i) {
    extents const whole = s.whole[i].array.shape();
    arrays.push_back({s.whole[i].name, s.whole[i].array.type(), whole,
                      [&l = s.layouts[i], whole](extent rank) { return l.slice(whole, rank); },
                      mine[i].data()});
  }
  save_safetensors(here, path, {}, arrays);
}
inline std::vector<std::string> save(std::string const& path, shared_arrays const& s) {
  return as_ranks(s.layouts[0].ranks(), [&](thread_rank& here) { save_as(here, path, s); });
}

// Two rows for each of `ranks`, all equal to `value`.
inline shared_arrays rows_of(int ranks, float value) {
  shared_arrays s;
  host_array x(dtype::f32, {2, {2 * ranks, 200}});
  for (extent i = 0; i < x.size(); ++i) std::memcpy(x.data() + 4 * i, &value, 4);
  s.whole.push_back({"x", x});
  s.layouts.push_back({{ranks}, {{0}, {}}});
  return s;
}

} // namespace file_ranks
