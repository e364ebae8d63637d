// SPDX-License-Identifier: BSL-1.0
// .npy files of any type and shape, for tools.
//   host_array x = load_npy_any("x.npy");        save_npy("y.npy", y);
// Needs: npy.hpp. Errors: io_error.
#pragma once

#include <weft/array/host_array.hpp>
#include <weft/io/npy.hpp>

namespace weft::inline v0 {

// The array of an .npy file, of whatever type and shape it has.
inline host_array load_npy_any(std::string const& path) {
  detail::file_at const at{"load_npy", path};
  detail::file_bytes const file(at);
  detail::found_array const found = detail::read_npy(at, file.bytes());
  if (found.type < 0)
    detail::raise_file(at, "convert it to a type of weft's", "elements are ", found.spelled);
  host_array r(static_cast<dtype>(found.type), found.shape);
  detail::with_dtype(r.type(), [&]<dtype D>() {
    detail::copy_found(found, reinterpret_cast<storage_of<D>*>(r.data()));
  });
  return r;
}
// `as`: the type that the file states, of elements of the same size: dtype::u16 for bf16, which
// NumPy does not know.
inline void save_npy(std::string const& path, host_array const& x, dtype as) {
  atomic_file file(detail::file_at{"save_npy", path});
  file.write(detail::npy_header(as, x.shape()));
  file.write({reinterpret_cast<char const*>(x.data()), static_cast<std::size_t>(x.byte_count())});
  file.commit();
}
inline void save_npy(std::string const& path, host_array const& x) { save_npy(path, x, x.type()); }

} // namespace weft::inline v0
