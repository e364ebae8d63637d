// SPDX-License-Identifier: BSL-1.0
// Arrays as bytes and back: what files store (stored_array), and how a tensor is made from bytes of
// either byte order, in C or Fortran order.
// Needs: a little-endian host. Leaves: tensors whose shape and type were compared with the file's
// before any memory was taken; bools that are 0 or 1, whatever the file has.
#pragma once

#include <weft/array/access.hpp>
#include <weft/array/host_array.hpp>
#include <weft/array/members.hpp>
#include <weft/io/array_slice.hpp>
#include <weft/io/file_error.hpp>

#include <algorithm>

namespace weft::inline v0 {
namespace detail {

static_assert(std::endian::native == std::endian::little,
              "weft: io: files are read and written on little-endian hosts only");

// A random key, of lang: two words.
template <class X>
concept key_like = requires(X const& k) {
  { k.high } -> std::same_as<std::uint32_t const&>;
  { k.low } -> std::same_as<std::uint32_t const&>;
  X::of_words(k.high, k.low);
};
template <class X> inline constexpr bool is_tensor = false;
template <class T, auto... E> inline constexpr bool is_tensor<tensor<T, E...>> = true;
template <class X> inline constexpr bool is_borrowed = false;
template <class T, auto... E> inline constexpr bool is_borrowed<borrowed<T, E...>> = true;

// Whether files can hold what X is made of; Owning: and X be made from a file.
template <class X, bool Owning = false> constexpr bool storable();
template <bool Owning, class... X> constexpr bool storable_parts(type_list<X...>) {
  return (storable<X, Owning>() && ...);
}
template <class X, bool Owning> constexpr bool storable() {
  if constexpr (is_borrowed<X>) return !Owning;
  else if constexpr (is_leaf<X>) return is_tensor<X> || element<X> || key_like<X>;
  else if constexpr (is_array<X>) return storable<typename X::value_type, Owning>();
  else return storable_parts<Owning>(parts_of<X>{});
}
// One error for whatever is saved or loaded; no_value stands for a result then.
template <class X> constexpr bool assert_storable() {
  constexpr bool arrays = storable<X>();
  static_assert(arrays, "weft: io: not made of arrays; write eval(x) of an expression");
  return arrays;
}
template <class X> constexpr bool assert_loadable() {
  constexpr bool tensors = storable<X, true>();
  static_assert(tensors, "weft: io: not made of tensors; load tensors and structs of tensors, and "
                         "view structs of borrowed arrays in a safetensors_file");
  return tensors;
}
template <class X> X no_value();

// One array as files store it: row-major, little-endian. The bytes are the array's own, or, of a
// borrowed array with gaps, kept here.
struct stored_array {
  dtype type;
  extents shape;
  char const* data;
  std::size_t bytes;
  buffer<char> kept = {};

  std::string_view view() const { return {data, bytes}; }
};
template <class T> stored_array stored_elements(T const* data, extents const& shape, extent count) {
  return {dtype_of<T>, shape, reinterpret_cast<char const*>(data),
          static_cast<std::size_t>(count) * sizeof(T)};
}
template <class T, auto... E> stored_array stored(tensor<T, E...> const& x) {
  return stored_elements(x.data(), x.shape(), x.size());
}
template <class T, auto... E> stored_array stored(borrowed<T, E...> const& x) {
  stored_array r = stored_elements(x.data(), x.shape(), x.size());
  if (x.is_contiguous() || r.bytes == 0) return r;
  r.kept = buffer<char>(static_cast<extent>(r.bytes));
  tensor<T, E...> const copy = x;
  std::memcpy(r.kept.data(), copy.data(), r.bytes);
  r.data = r.kept.data();
  return r;
}
template <element T> stored_array stored(T const& x) { return stored_elements(&x, {}, 1); }
template <key_like X> stored_array stored(X const& x) {
  stored_array r{dtype::u32, {1, {2}}, nullptr, 8, buffer<char>(8)};
  std::uint32_t const words[2] = {x.high, x.low};
  std::memcpy(r.kept.data(), words, 8);
  r.data = r.kept.data();
  return r;
}

// The bytes of an array of a file's shape; -1 where an int64 cannot count them. No zero extent
// excuses the others: the tensor counts them so, too.
constexpr extent byte_count(extents const& shape, int element_size) {
  extent n = element_size;
  bool empty = false;
  for (int i = 0; i < shape.rank; ++i) {
    empty = empty || shape[i] == 0;
    if (shape[i] < 0 || __builtin_mul_overflow(n, shape[i] == 0 ? 1 : shape[i], &n)) return -1;
  }
  return empty ? 0 : n;
}

// An array in a file, which checks have found inside it. `name` is empty where the file holds one.
struct found_array {
  std::string_view name;
  std::string_view spelled; // its element type in the file's words
  int type = -1;            // a dtype, or -1: weft has no such elements
  extents shape;
  std::string_view bytes;
  bool big_endian = false, column_major = false;
};

template <class T>
void check_found(file_at const& at, found_array const& found, extents const& pattern) {
  char const* const before = found.name.empty() ? "the file" : "array ";
  auto const complain = [&](char const* advice, auto const&... wrong) {
    if (found.name.empty()) raise_file(at, advice, before, wrong...);
    else raise_file(at, advice, before, found.name, wrong...);
  };
  if (found.type != static_cast<int>(dtype_of<T>))
    complain("declare the tensor with the file's type", " has elements ", found.spelled,
             ", the tensor ", name_of(dtype_of<T>));
  if (!fits(found.shape, pattern))
    complain("declare the tensor with the file's shape", " has shape ", found.shape,
             ", the tensor ", pattern);
}

template <class T> T element_from(char const* from, bool reversed) {
  char raw[sizeof(T)];
  std::memcpy(raw, from, sizeof(T));
  if (reversed) std::reverse(raw, raw + sizeof(T));
  if constexpr (std::is_same_v<T, bool>) return raw[0] != 0;
  else {
    T x;
    std::memcpy(&x, raw, sizeof(T));
    return x;
  }
}
// Row-major out of any order: `step` are the strides of `from` in elements.
template <class T>
void copy_elements(found_array const& found, extents const& step, extent from, int axis, T*& out) {
  if (axis == found.shape.rank) {
    auto const offset = static_cast<std::size_t>(from) * sizeof(T);
    *out++ = element_from<T>(found.bytes.data() + offset, found.big_endian);
  } else
    for (extent i = 0; i < found.shape[axis]; ++i)
      copy_elements(found, step, from + i * step[axis], axis + 1, out);
}
inline extents strides_of(found_array const& found) {
  if (!found.column_major) return row_major_strides(found.shape);
  extents r = found.shape;
  extent step = 1;
  for (int i = 0; i < r.rank; ++i) {
    r[i] = step;
    step *= found.shape[i];
  }
  return r;
}
template <class T> void copy_found(found_array const& found, T* out) {
  if (found.bytes.empty()) return;
  bool const as_it_is = !found.big_endian && !found.column_major && !std::is_same_v<T, bool>;
  if (as_it_is) std::memcpy(static_cast<void*>(out), found.bytes.data(), found.bytes.size());
  else copy_elements(found, strides_of(found), 0, 0, out);
}

// What make_found would complain about, before the bytes are there.
template <class Leaf> void check_wanted(file_at const& at, found_array const& found) {
  if constexpr (key_like<Leaf>) check_found<std::uint32_t>(at, found, {1, {2}});
  else if constexpr (element<Leaf>) check_found<Leaf>(at, found, {});
  else check_found<typename Leaf::element_type>(at, found, Leaf::pattern);
}
// A leaf made from a file's array. Errors: io_error with the types or shapes of both.
template <class Leaf> Leaf make_found(file_at const& at, found_array const& found) {
  if constexpr (key_like<Leaf>) {
    check_found<std::uint32_t>(at, found, {1, {2}});
    std::uint32_t words[2];
    copy_found(found, words);
    return Leaf::of_words(words[0], words[1]);
  } else if constexpr (element<Leaf>) {
    return make_found<tensor<Leaf>>(at, found)();
  } else {
    using T = typename Leaf::element_type;
    check_found<T>(at, found, Leaf::pattern);
    Leaf r = Leaf::uninitialised(found.shape);
    copy_found(found, writable(r));
    return r;
  }
}

// The same, of whatever type and shape the file has.
inline host_array any_found(file_at const& at, found_array const& found) {
  if (found.type < 0)
    raise_file(at, "convert it to a type of weft's", "elements are ", found.spelled);
  host_array r(static_cast<dtype>(found.type), found.shape);
  with_dtype(r.type(),
             [&]<dtype D>() { copy_found(found, reinterpret_cast<storage_of<D>*>(r.data())); });
  return r;
}
// A slice of it, which lies in it. Needs: little-endian, row-major.
inline host_array slice_found(file_at const& at, found_array const& found,
                              array_slice const& slice) {
  if (found.type < 0)
    raise_file(at, "convert it to a type of weft's", "elements are ", found.spelled);
  auto const type = static_cast<dtype>(found.type);
  host_array r(type, slice.shape);
  extent const bytes = size_of(type);
  each_run(found.shape, slice, [&](extent from, extent to, extent count) {
    std::memcpy(r.data() + to * bytes, found.bytes.data() + from * bytes,
                static_cast<std::size_t>(count * bytes));
    return true;
  });
  if (type == dtype::boolean)
    for (extent i = 0; i < r.size(); ++i) r.data()[i] = std::byte(r.data()[i] != std::byte(0));
  return r;
}
inline stored_array stored_as(host_array const& x, dtype type) {
  return {type, x.shape(), reinterpret_cast<char const*>(x.data()),
          static_cast<std::size_t>(x.byte_count())};
}

// What <float, 2, 3> and <S> ask for: a tensor, or S itself.
template <class T, auto... E> constexpr auto wanted() {
  if constexpr (element<T>) return std::type_identity<tensor<T, E...>>{};
  else {
    static_assert(sizeof...(E) == 0, "weft: io: extents follow an element type; write "
                                     "<float, 2, 3>, or <S> for a struct of arrays");
    return std::type_identity<T>{};
  }
}
template <class T, auto... E> using wanted_type = typename decltype(wanted<T, E...>())::type;

} // namespace detail
} // namespace weft::inline v0
