// SPDX-License-Identifier: BSL-1.0
// save_npy, load_npy: one array in an .npy file, as NumPy's save and load.
// Needs: nothing but POSIX. Leaves: files are written as atomic_file does: whole or not at all.
#pragma once

#include <weft/io/atomic_file.hpp>
#include <weft/io/file_bytes.hpp>
#include <weft/io/npy_header.hpp>

namespace weft::inline v0 {

// Writes an array of any element type and rank, row-major: a tensor, a borrowed array with any
// strides, or a number (rank 0). bf16 is written as '<V2', which ml_dtypes reads by
// numpy.load(path).view(ml_dtypes.bfloat16). Errors: io_error; the file there is then as it was.
//   save_npy("x.npy", x);
template <class X> void save_npy(std::string const& path, X const& x) {
  static_assert(is_leaf<X>, "weft: save_npy: not one array; write eval(x) of an expression, and "
                            "save_npz or save_safetensors of a struct");
  if constexpr (is_leaf<X>)
    if constexpr (detail::assert_storable<X>()) {
      detail::stored_array const array = detail::stored(x);
      atomic_file file(detail::file_at{"save_npy", path});
      file.write(detail::npy_header(array.type, array.shape));
      file.write(array.view());
      file.commit();
    }
}

// The array of an .npy file: load_npy<float, 2, rows>(path) is a tensor<float, 2, rows>. Types do
// not convert; an extent in the type must be the file's, a name takes it. Both byte orders, C and
// Fortran order, versions 1 to 3 of the format. Errors: io_error.
//   auto x = load_npy<float, rows, 3>("x.npy");
template <class T, auto... E> detail::wanted_type<T, E...> load_npy(std::string const& path) {
  using wanted = detail::wanted_type<T, E...>;
  static_assert(is_leaf<wanted>, "weft: load_npy: not one array; write <float, 2, 3>, and load_npz "
                                 "or load_safetensors of a struct");
  if constexpr (!is_leaf<wanted>) return detail::no_value<wanted>();
  else if constexpr (detail::assert_loadable<wanted>()) {
    detail::file_at const at{"load_npy", path};
    detail::file_bytes const file(at);
    return detail::make_found<wanted>(at, detail::read_npy(at, file.bytes()));
  } else return detail::no_value<wanted>();
}

} // namespace weft::inline v0
