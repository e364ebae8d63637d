// SPDX-License-Identifier: BSL-1.0
// save_png, load_png: pictures (h, w) and (h, w, channels); 1 channel is grey, 2 are grey and alpha,
// 3 red, green and blue, 4 these and alpha. Rows from the top.
// Needs: libpng (Debian: libpng-dev; link with -lpng), POSIX. Leaves: files are written as
// atomic_file does: whole or not at all.
#pragma once

#include <weft/io/file_bytes.hpp>
#include <weft/io/png_codec.hpp>

namespace weft::inline v0 {
namespace detail {

template <class X> inline constexpr bool is_picture = false;
template <class T, auto... E>
  requires(sizeof...(E) == 2 || sizeof...(E) == 3)
inline constexpr bool is_picture<tensor<T, E...>> = [] {
  extents const shape = tensor<T, E...>::pattern;
  bool const channels = shape.rank == 2 || is_named(shape[2]) || (shape[2] >= 1 && shape[2] <= 4);
  return channels && (std::is_same_v<T, bool> || dtype_of<T> == dtype::u8 ||
                      dtype_of<T> == dtype::u16 || is_float(dtype_of<T>));
}();
template <class T, auto... E>
inline constexpr bool is_picture<borrowed<T, E...>> = is_picture<tensor<T, E...>>;

// The nearest of 0 to 255; of NaN 0.
constexpr std::uint8_t png_sample(double x) {
  return x > 0 ? static_cast<std::uint8_t>(x < 1 ? x * 255 + 0.5 : 255) : 0;
}
// `count` samples from the element `first` on, a byte each.
template <class T>
void png_samples(stored_array const& x, extent first, std::size_t count, std::uint8_t* out) {
  char const* const from = x.data + first * extent{sizeof(T)};
  using wide = std::conditional_t<is_half(dtype_of<T>), float, double>;
  for (std::size_t i = 0; i < count; ++i)
    out[i] = png_sample(static_cast<wide>(element_from<T>(from + i * sizeof(T), false)));
}

inline png_size png_size_of(file_at const& at, extents const& shape) {
  png_size const r{shape[0], shape[1], shape.rank == 2 ? 1 : shape[2]};
  for (extent const side : {r.height, r.width})
    if (side < 1 || side > PNG_UINT_31_MAX)
      raise_file(at, "a PNG file has 1 to 2147483647 rows and columns", "the shape is ", shape);
  if (r.channels < 1 || r.channels > 4)
    raise_file(at, "1 to 4 channels are grey, with alpha, colours, with alpha", "the shape is ",
               shape);
  return r;
}

inline void write_png(file_at const& at, stored_array const& x) {
  png_size const size = png_size_of(at, x.shape);
  bool const bits = x.type == dtype::boolean && size.channels == 1;
  int const depth = bits ? 1 : x.type == dtype::u16 ? 16 : 8;
  auto const count = static_cast<std::size_t>(size.width * size.channels);
  buffer<std::uint8_t> row(static_cast<extent>(count));
  auto const row_of = [&](extent y) {
    extent const first = y * static_cast<extent>(count);
    if (bits || x.type == dtype::u8 || x.type == dtype::u16)
      return reinterpret_cast<std::uint8_t const*>(x.data) + first * size_of(x.type);
    with_dtype(x.type, [&]<dtype D>() { png_samples<storage_of<D>>(x, first, count, row.data()); });
    return static_cast<std::uint8_t const*>(row.data());
  };
  atomic_file file(at);
  png_writer(at, file).write(size, depth, row_of);
  file.commit();
}

} // namespace detail

// Writes a tensor or a borrowed array with any strides as a picture: uint8 as it is, uint16 with
// 16 bits a sample, bools (h, w) and (h, w, 1) with one bit, bools of colours as 0 and 255; floats
// with 8 bits, the nearest to 255 x (halves up), of what is beyond 0 and 1 these, of NaN 0. Neither
// gamma nor a profile is written: viewers take samples for sRGB's. Errors: io_error; the file there
// is then as it was.
//   save_png("gradient.png", image);                // tensor<float, 2, 256>
template <class X> void save_png(std::string const& path, X const& image) {
  static_assert(detail::is_picture<X>,
                "weft: save_png: not a picture; write an array (h, w) or (h, "
                "w, 1 to 4) of uint8_t, uint16_t, bool or floats, and "
                "eval(x) of an expression");
  if constexpr (detail::is_picture<X>)
    detail::write_png(detail::file_at{"save_png", path}, detail::stored(image));
}

// The picture of a PNG file: load_png<std::uint8_t, rows, cols, 3>(path). Numbers must be the
// file's, names take them; samples and channels do not convert: 8 bits a sample are uint8_t, 16
// uint16_t, and a grey picture has one channel, or is of rank 2. What the format only packs is
// unpacked: palettes are colours, a transparent colour is an alpha channel, 1 to 4 bits of grey are
// the like share of 255 (1 bit also bool, where that is asked for), interlaced rows are in order.
// Errors: io_error. What stands behind the picture in the file is not looked at.
//   auto x = load_png<std::uint8_t, rows, cols, 3>("photo.png");
template <class T, auto... E> detail::wanted_type<T, E...> load_png(std::string const& path) {
  using wanted = detail::wanted_type<T, E...>;
  constexpr bool sampled = [] {
    if constexpr (!detail::is_tensor<wanted>) return false;
    else return detail::is_picture<wanted> && !is_float(dtype_of<typename wanted::element_type>);
  }();
  static_assert(sampled,
                "weft: load_png: not the type of a PNG file's samples; write <uint8_t, rows, "
                "cols, 3>, with uint8_t, uint16_t or bool, rank 2 or 1 to 4 channels");
  if constexpr (!sampled) return detail::no_value<wanted>();
  else {
    using sample = typename wanted::element_type;
    detail::file_at const at{"load_png", path};
    detail::file_bytes const file(at);
    detail::png_reader reader(at, file.bytes());
    auto const found = reader.array(wanted::rank, std::is_same_v<sample, bool>);
    detail::check_found<sample>(at, found, wanted::pattern);
    reader.check_size();
    wanted r = wanted::uninitialised(found.shape);
    reader.read(reinterpret_cast<std::uint8_t*>(detail::writable(r)));
    return r;
  }
}

} // namespace weft::inline v0
