// SPDX-License-Identifier: BSL-1.0
// libFuzzer over files: whatever an .npy, .npz, .safetensors or .png file has in it, an io_error or
// arrays, no crash, and no more memory than the file can mean. What is read is written and read as
// the same.
//   cmake --build build/clang-asan-ubsan --target fuzz_files
//   build/clang-asan-ubsan/bin/fuzz_files -max_total_time=3600 new tests/fuzz/files
#include <weft/io/host_arrays.hpp>
#include <weft/io/npz.hpp>
#include <weft/io/png.hpp>

#include <cstddef>
#include <string>

#include <sys/mman.h>
#include <zlib.h>

namespace {

using weft::host_array, weft::io_error, weft::sym;

constexpr sym rows{"rows"};
constexpr sym cols{"cols"};
constexpr sym part{"part"};

// A file in memory, with a path.
class memory_file {
public:
  memory_file() : file_(::memfd_create("fuzz", MFD_CLOEXEC)) {}
  memory_file(memory_file const&) = delete;
  memory_file& operator=(memory_file const&) = delete;
  ~memory_file() { ::close(file_); }

  void hold(unsigned char const* data, std::size_t size) const {
    if (::ftruncate(file_, 0) != 0 || ::pwrite(file_, data, size, 0) != static_cast<long>(size))
      __builtin_trap();
  }
  std::string path() const { return "/proc/self/fd/" + std::to_string(file_); }

private:
  int file_;
};
void expect(bool right) {
  if (!right) __builtin_trap();
}
bool same(host_array const& x, host_array const& y) {
  return x.type() == y.type() && x.shape() == y.shape() &&
         (x.byte_count() == 0 ||
          std::memcmp(x.data(), y.data(), static_cast<std::size_t>(x.byte_count())) == 0);
}
// Also when reading is not the end of it: f reads, and says what follows.
template <class F> void unless_refused(F const& f) {
  try {
    f();
  } catch (io_error const&) {
    return;
  }
}

void read_npy(std::string const& path) {
  host_array const x = weft::load_npy_any(path);
  std::string bytes = weft::detail::npy_header(x.type(), x.shape());
  bytes += weft::detail::stored_as(x, x.type()).view();
  weft::detail::file_at const at{"fuzz", ""};
  expect(same(x, weft::detail::any_found(at, weft::detail::read_npy(at, bytes))));
}
void read_npz(std::string const& path) {
  weft::npz_file const file(path);
  for (std::string const& name : file.names()) {
    unless_refused([&] { (void)file.load<float, rows>(name); });
    unless_refused([&] { (void)file.load<std::uint16_t, rows, cols>(name); });
  }
}
void read_safetensors(std::string const& path) {
  weft::safetensors_file const file(path);
  for (std::string const& name : file.names()) unless_refused([&] { (void)file.load_any(name); });
}
template <class T> void read_png(std::string const& path) {
  unless_refused([&] { (void)weft::load_png<T, rows, cols>(path); });
  unless_refused([&] { (void)weft::load_png<T, rows, cols, part>(path); });
}

} // namespace

// A PNG file's chunks with the checksums that they should have: without them hardly a mutation would
// come further than these.
extern "C" std::size_t LLVMFuzzerMutate(unsigned char* data, std::size_t size, std::size_t most);
extern "C" std::size_t LLVMFuzzerCustomMutator(unsigned char* data, std::size_t size,
                                               std::size_t most, unsigned) {
  std::size_t const now = LLVMFuzzerMutate(data, size, most);
  if (now < 8 || ::png_sig_cmp(data, 0, 8) != 0) return now;
  for (std::size_t at = 8; now - at >= 12;) {
    std::size_t const length = png_get_uint_32(data + at);
    if (length > now - at - 12) break;
    auto const sum = static_cast<png_uint_32>(
        ::crc32(0, data + at + 4, static_cast<unsigned>(length) + 4));
    ::png_save_uint_32(data + at + 8 + length, sum);
    at += length + 12;
  }
  return now;
}
extern "C" int LLVMFuzzerTestOneInput(unsigned char const* data, std::size_t size) {
  static memory_file const file;
  file.hold(data, size);
  std::string const path = file.path();
  unless_refused([&] { read_npy(path); });
  unless_refused([&] { read_npz(path); });
  unless_refused([&] { read_safetensors(path); });
  read_png<bool>(path);
  read_png<std::uint8_t>(path);
  read_png<std::uint16_t>(path);
  return 0;
}
