// SPDX-License-Identifier: BSL-1.0
// save_safetensors, load_safetensors: arrays by name in a .safetensors file, as Hugging Face's
// package reads and writes them; safetensors_file: such a file, arrays read in place.
// Needs: nlohmann-json (Debian: nlohmann-json3-dev), POSIX for writing.
// Leaves: files are written as atomic_file does: whole or not at all.
#pragma once

#include <weft/io/array_slice.hpp>
#include <weft/io/atomic_file.hpp>
#include <weft/io/file_bytes.hpp>
#include <weft/io/safetensors_header.hpp>

#include <memory>

namespace weft::inline v0 {
namespace detail {

// The order in which arrays are written: wide elements first, then each array starts at a multiple of
// its elements' size. Not by std::stable_sort: libstdc++ 12's calls what is deprecated, and clang 19
// says so to the user.
inline std::vector<int> widest_first(name_list const& list) {
  std::vector<int> order;
  for (extent size = 8; size > 0; size /= 2)
    for (std::size_t i = 0; i < list.size(); ++i)
      if (size_of(list[i].array.type) == size) order.push_back(static_cast<int>(i));
  return order;
}
inline void write_safetensors(file_at const& at, name_list list,
                              safetensors_metadata const& metadata) {
  name_list ordered;
  for (int const i : widest_first(list))
    ordered.push_back(std::move(list[static_cast<std::size_t>(i)]));
  std::string const header = write_header(at, ordered, metadata);
  atomic_file file(at);
  file.write(header);
  for (named_array const& one : ordered) file.write(one.array.view());
  file.commit();
}

} // namespace detail

// Writes structs of arrays and named(...) arrays or structs, with texts of the writer's. A struct's
// arrays have the names of its fields, joined by '.'. Errors: io_error, where two have one name, a
// text is not UTF-8, or the system refuses; the file there is then as it was.
//   save_safetensors("model.safetensors", params);
//   save_safetensors("all.safetensors", {{"step", "100"}}, named("net", params), named("x", x));
template <class... X>
void save_safetensors(std::string const& path, safetensors_metadata const& metadata,
                      X const&... x) {
  detail::file_at const at{"save_safetensors", path};
  detail::write_safetensors(at, detail::name_arrays(at, x...), metadata);
}
template <class... X>
  requires(!(std::is_same_v<X, safetensors_metadata> || ...))
void save_safetensors(std::string const& path, X const&... x) {
  save_safetensors(path, safetensors_metadata{}, x...);
}

// A file that is open: mapped into memory if the system can, so that views cost nothing and big
// files are read as far as they are used. Copies share it. Nobody may cut the file off meanwhile;
// to replace it by another is right. Errors of all: io_error.
//   safetensors_file file("model.safetensors");
//   auto p = file.load<params<tensor>>();            // the struct, copied
//   auto w = file.view<float, rows, 64>("net.w");    // borrowed from the file
class safetensors_file {
public:
  explicit safetensors_file(std::string path, file_access how = file_access::mapped)
      : at_{"safetensors_file", std::move(path)},
        file_(std::make_shared<detail::file_bytes const>(at_, how)) {
    data_ = detail::read_safetensors(at_, file_->bytes(), header_);
  }

  std::vector<std::string> names() const {
    std::vector<std::string> r;
    r.reserve(header_.arrays.size());
    for (auto const& item : header_.arrays) r.push_back(item.first);
    return r;
  }
  bool contains(std::string_view name) const { return header_.arrays.contains(name); }
  // Rank and extents of an array.
  extents shape(std::string_view name) const { return find(name).shape; }
  // Its type in the file's words: "F32", "BF16".
  std::string type(std::string_view name) const { return std::string(find(name).spelled); }
  safetensors_metadata const& metadata() const { return header_.metadata; }
  bool is_mapped() const { return file_->is_mapped(); }

  // A copy of an array, whatever its type and shape.
  host_array load_any(std::string_view name) const { return detail::any_found(at_, find(name)); }

  // A copy of a slice of it alone; of a mapped file only its pages are read.
  host_array load_any(std::string_view name, array_slice const& slice) const {
    detail::found_array const found = find(name);
    if (!detail::lies_in(slice, found.shape))
      detail::raise_file(at_, "give one that lies in it", "the slice ",
                         detail::plain_numbers{slice.shape}, " at ",
                         detail::plain_numbers{slice.first}, " is outside of array ", name,
                         " of shape ", found.shape);
    return detail::slice_found(at_, found, slice);
  }

  // A copy of one array, load<float, 2, rows>("w"), or of a struct's arrays: load<S>(), or
  // load<S>("net") for names that start with "net.". Types do not convert; extents in the type must
  // be the file's, names take them.
  template <class T, auto... E> auto load(std::string const& name = "") const {
    return detail::load_named<detail::wanted_type<T, E...>>(
        name, [this]<class Leaf>(std::string const& leaf) {
          return detail::make_found<Leaf>(at_, find(leaf));
        });
  }

  // The same in place, without a copy: borrowed<float, 2, rows>, or the struct with borrowed for
  // tensor. Valid while this file or a copy of it lives. In the file the elements must start at a
  // multiple of their size, and bools be 0 or 1.
  template <class T, auto... E> auto view(std::string const& name = "") const WEFT_LIFETIME_BOUND {
    using wanted = rebind<detail::wanted_type<T, E...>, borrowed>;
    return detail::make_named<wanted>(name, [this]<class Leaf>(std::string const& leaf) {
      if constexpr (detail::is_borrowed<Leaf>)
        return borrow_found(std::type_identity<Leaf>{}, leaf);
      else return detail::make_found<Leaf>(at_, find(leaf)); // a number of the struct
    });
  }

private:
  detail::found_array find(std::string_view name) const {
    auto const place = header_.arrays.find(name);
    if (place == header_.arrays.end())
      detail::raise_file(at_, "names() lists those there are", "there is no array ", name);
    detail::safetensors_entry const& entry = place->second;
    if (!entry.has_room)
      detail::raise_file(at_, "reshape it to at most 8 axes", "array ", name,
                         " has more axes than 8");
    return {place->first, entry.type, detail::dtype_of_safetensors(entry.type), entry.shape,
            file_->bytes().substr(data_ + entry.first, entry.last - entry.first)};
  }
  template <class T, auto... E>
  borrowed<T, E...> borrow_found(std::type_identity<borrowed<T, E...>>,
                                 std::string const& name) const {
    detail::found_array const found = find(name);
    detail::check_found<T>(at_, found, borrowed<T, E...>::pattern);
    if (!found.bytes.empty() &&
        reinterpret_cast<std::uintptr_t>(found.bytes.data()) % alignof(T) != 0)
      detail::raise_file(at_, "load it", "array ", name, " is not aligned in the file");
    if constexpr (std::is_same_v<T, bool>)
      if (found.bytes.find_first_not_of(std::string_view("\0\1", 2)) != std::string_view::npos)
        detail::raise_file(at_, "load it", "array ", name, " has bools that are neither 0 nor 1");
    auto const shape = detail::bound_shape<E...>::bind(found.shape);
    T const* const first = found.bytes.empty() ? nullptr
                                               : reinterpret_cast<T const*>(found.bytes.data());
    return {first, shape, detail::row_major(shape)};
  }

  detail::file_at at_;
  std::shared_ptr<detail::file_bytes const> file_;
  detail::safetensors_header header_;
  std::size_t data_ = 0;
};

// The struct whose arrays a file holds; other arrays in the file are left out.
//   auto p = load_safetensors<params<tensor>>("model.safetensors");
//   auto w = load_safetensors<float, rows, 64>("model.safetensors", "net.w");
template <class T, auto... E>
auto load_safetensors(std::string const& path, std::string const& name = "") {
  return safetensors_file(path).load<T, E...>(name);
}

} // namespace weft::inline v0
