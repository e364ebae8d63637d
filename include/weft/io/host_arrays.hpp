// SPDX-License-Identifier: BSL-1.0
// Files of arrays whose types and shapes only the run knows, for tools.
//   host_array x = load_npy_any("x.npy");        save_npy("y.npy", y);
//   save_safetensors("w.safetensors", {{"w", w}, {"b", b}});      file.load_any("w")
// Needs: io.hpp's nlohmann-json. Errors: io_error.
#pragma once

#include <weft/array/host_array.hpp>
#include <weft/io/npy.hpp>
#include <weft/io/safetensors.hpp>

namespace weft::inline v0 {

// The array of an .npy file, of whatever type and shape it has.
inline host_array load_npy_any(std::string const& path) {
  detail::file_at const at{"load_npy", path};
  detail::file_bytes const file(at);
  return detail::any_found(at, detail::read_npy(at, file.bytes()));
}
// `as`: the type that the file states, of elements of the same size: dtype::u16 for bf16, which
// NumPy does not know.
inline void save_npy(std::string const& path, host_array const& x, dtype as) {
  atomic_file file(detail::file_at{"save_npy", path});
  file.write(detail::npy_header(as, x.shape()));
  file.write(detail::stored_as(x, as).view());
  file.commit();
}
inline void save_npy(std::string const& path, host_array const& x) { save_npy(path, x, x.type()); }

// A copy of a slice of it. Errors: usage_error where it does not lie in the array.
inline host_array take_slice(host_array const& x, array_slice const& slice) {
  if (!detail::lies_in(slice, x.shape()))
    raise<usage_error>(message("weft: host_array: the slice ")
                           .add(slice.shape)
                           .add(" at ")
                           .add(slice.first)
                           .add(" is outside of ")
                           .add(x.shape())
                           .add("; give one that lies in it"));
  host_array r(x.type(), slice.shape);
  auto const bytes = static_cast<std::size_t>(size_of(x.type()));
  detail::each_run(x.shape(), slice, [&](extent from, extent to, extent count) {
    std::memcpy(r.data() + static_cast<std::size_t>(to) * bytes,
                x.data() + static_cast<std::size_t>(from) * bytes,
                static_cast<std::size_t>(count) * bytes);
    return true;
  });
  return r;
}

struct named_host_array {
  std::string name;
  host_array array;
};
// Two of one name: io_error, and nothing is written.
inline void save_safetensors(std::string const& path, std::vector<named_host_array> const& arrays) {
  detail::file_at const at{"save_safetensors", path};
  detail::name_list list;
  for (named_host_array const& x : arrays)
    list.push_back({x.name, detail::stored_as(x.array, x.array.type())});
  detail::check_names(at, list);
  detail::write_safetensors(at, std::move(list), {});
}

} // namespace weft::inline v0
