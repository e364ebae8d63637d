// SPDX-License-Identifier: BSL-1.0
// png_writer, png_reader: samples to and from PNG's bytes, by libpng. libpng ends what it cannot do
// by a longjmp; it stays within png_runs, whose functions make no objects that have destructors.
// Needs: libpng (Debian: libpng-dev; link with -lpng), a little-endian host.
// Leaves: text chunks, colour profiles and gamma unread: samples are what the file stores. Rows are
// given memory after their size was compared with that of the file. Errors: io_error.
#pragma once

#include <weft/io/array_bytes.hpp>
#include <weft/io/atomic_file.hpp>

#include <csetjmp>

#include <png.h>

namespace weft::inline v0 {
namespace detail {

struct png_trouble {
  char text[100] = "";
  bool system = false; // the file system's, not libpng's
  int error = 0;       // errno then
};
[[noreturn]] inline void png_gives_up(png_structp png, png_const_charp text) {
  auto* const trouble = static_cast<png_trouble*>(::png_get_error_ptr(png));
  std::snprintf(trouble->text, sizeof trouble->text, "%s", text);
  ::png_longjmp(png, 1);
}
inline void png_goes_on(png_structp, png_const_charp) {} // of chunks that are left out

// False where libpng gave up.
template <class F> WEFT_NOINLINE bool png_runs(png_structp png, F const& f) {
  if (setjmp(png_jmpbuf(png)) != 0) return false;
  f();
  return true;
}

inline int png_colour_type(extent channels) {
  int const types[4] = {PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB,
                        PNG_COLOR_TYPE_RGB_ALPHA};
  return types[channels - 1];
}

struct png_size {
  extent height, width, channels;
};

// libpng's structs, released although a constructor has thrown; no info where there is no memory.
template <bool Writes> struct png_handles {
  explicit png_handles(png_trouble& trouble)
      : png((Writes ? ::png_create_write_struct : ::png_create_read_struct)(
            PNG_LIBPNG_VER_STRING, &trouble, png_gives_up, png_goes_on)) {
    if (png != nullptr) info = ::png_create_info_struct(png);
  }
  png_handles(png_handles const&) = delete;
  png_handles& operator=(png_handles const&) = delete;
  ~png_handles() {
    if constexpr (Writes) ::png_destroy_write_struct(&png, &info);
    else ::png_destroy_read_struct(&png, &info, nullptr);
  }

  png_structp png;
  png_infop info = nullptr;
};

class png_writer {
public:
  png_writer(file_at const& at, atomic_file& file) : at_(at), file_(file) {
    if (open_.info == nullptr) raise_file(at, writing_advice, "libpng has no memory");
  }
  png_writer(png_writer const&) = delete;
  png_writer& operator=(png_writer const&) = delete;

  // row_of(y) are the samples of a row: bytes, or two bytes each of depth 16.
  template <class Row> void write(png_size const& size, int depth, Row const& row_of) {
    bool const whole = png_runs(open_.png, [&] {
      ::png_set_write_fn(open_.png, this, take, nullptr);
      ::png_set_user_limits(open_.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
      ::png_set_IHDR(open_.png, open_.info, static_cast<png_uint_32>(size.width),
                     static_cast<png_uint_32>(size.height), depth, png_colour_type(size.channels),
                     PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
      ::png_write_info(open_.png, open_.info);
      if (depth == 1) ::png_set_packing(open_.png);
      if (depth == 16) ::png_set_swap(open_.png);
      for (extent y = 0; y < size.height; ++y) ::png_write_row(open_.png, row_of(y));
      ::png_write_end(open_.png, open_.info);
    });
    if (whole) return;
    errno = trouble_.error;
    if (trouble_.system) raise_system(at_, writing_advice);
    char const* const words = trouble_.text;
    raise_file(at_, writing_advice, words);
  }

private:
  static void take(png_structp png, png_bytep bytes, std::size_t count) {
    auto* const self = static_cast<png_writer*>(::png_get_io_ptr(png));
    if (self->file_.put(bytes, count)) return;
    self->trouble_.system = true;
    self->trouble_.error = errno;
    ::png_error(png, "");
  }

  file_at const& at_;
  atomic_file& file_;
  png_trouble trouble_;
  png_handles<true> open_{trouble_};
};

class png_reader {
public:
  // Reads what stands before the samples.
  png_reader(file_at const& at, std::string_view bytes)
      : at_(at), size_(bytes.size()), rest_(bytes) {
    auto const* const first = reinterpret_cast<unsigned char const*>(bytes.data());
    if (bytes.size() < 8 || ::png_sig_cmp(first, 0, 8) != 0)
      raise_file(at, "give the path of one", "this is no PNG file");
    if (open_.info == nullptr) raise_file(at, "free some", "libpng has no memory");
    run([&] {
      ::png_set_read_fn(open_.png, this, give);
      ::png_set_user_limits(open_.png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
      ::png_set_keep_unknown_chunks(open_.png, PNG_HANDLE_CHUNK_NEVER, nullptr, -1);
      ::png_read_info(open_.png, open_.info);
    });
    height_ = ::png_get_image_height(open_.png, open_.info);
    width_ = ::png_get_image_width(open_.png, open_.info);
    depth_ = ::png_get_bit_depth(open_.png, open_.info);
    colour_ = ::png_get_color_type(open_.png, open_.info);
    transparent_ = ::png_get_valid(open_.png, open_.info, PNG_INFO_tRNS) != 0;
  }
  png_reader(png_reader const&) = delete;
  png_reader& operator=(png_reader const&) = delete;

  // What read() gives. Grey pictures are of rank 2, or of rank 3 with one channel, as is wanted;
  // of one bit, bools, where these are wanted.
  found_array array(int rank, bool bools) {
    bits_ = bools && depth_ == 1 && colour_ == PNG_COLOR_TYPE_GRAY && !transparent_;
    found_array r;
    extent const n = channels();
    bool const flat = n == 1 && rank != 3;
    r.shape = flat ? extents{2, {height_, width_}} : extents{3, {height_, width_, n}};
    r.type = static_cast<int>(bits_ ? dtype::boolean : depth_ == 16 ? dtype::u16 : dtype::u8);
    r.spelled = depth_ == 16 ? "of 16 bits" : depth_ == 1 && !bits_ ? "of 1 bit" : "of 8 bits";
    return r;
  }

  // Before memory is taken for array(): no more can come out of deflate than 1032 bytes for one.
  void check_size() const {
    auto const row = static_cast<extent>(
        ::png_get_rowbytes(open_.png, open_.info)); // as it is stored
    if (height_ > static_cast<extent>(size_) * 1032 / std::max<extent>(row, 1))
      raise_file(at_, "copy it again", "the file has ", static_cast<extent>(size_),
                 " bytes, too few for ", height_, " rows of ", row, " bytes");
  }
  // The samples of array(), row-major; all of the file's checksums are right then.
  void read(unsigned char* out) {
    extent const row = width_ * channels() * (depth_ == 16 ? 2 : 1);
    run([&] {
      if (bits_) ::png_set_packing(open_.png);
      else ::png_set_expand(open_.png); // palettes, fewer than 8 bits, transparent colours
      if (depth_ == 16) ::png_set_swap(open_.png);
      int const passes = ::png_set_interlace_handling(open_.png);
      ::png_read_update_info(open_.png, open_.info);
      if (::png_get_rowbytes(open_.png, open_.info) != static_cast<std::size_t>(row))
        ::png_error(open_.png, "rows are of another size");
      for (int pass = 0; pass < passes; ++pass)
        for (extent y = 0; y < height_; ++y) ::png_read_row(open_.png, out + y * row, nullptr);
      ::png_read_end(open_.png, nullptr);
    });
  }

private:
  extent channels() const {
    bool const alpha = transparent_ || (colour_ & PNG_COLOR_MASK_ALPHA) != 0;
    return ((colour_ & PNG_COLOR_MASK_COLOR) != 0 ? 3 : 1) + (alpha ? 1 : 0);
  }
  template <class F> void run(F const& f) {
    if (png_runs(open_.png, f)) return;
    char const* const words = trouble_.text;
    raise_file(at_, "copy it again", words);
  }
  static void give(png_structp png, png_bytep to, std::size_t count) {
    auto* const self = static_cast<png_reader*>(::png_get_io_ptr(png));
    if (count > self->rest_.size()) ::png_error(png, "the file ends too early");
    std::memcpy(to, self->rest_.data(), count);
    self->rest_.remove_prefix(count);
  }

  file_at const& at_;
  std::size_t size_;
  std::string_view rest_;
  png_trouble trouble_;
  png_handles<false> open_{trouble_};
  extent height_ = 0, width_ = 0;
  int depth_ = 0, colour_ = 0;
  bool transparent_ = false, bits_ = false;
};

} // namespace detail
} // namespace weft::inline v0
