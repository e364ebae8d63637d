// SPDX-License-Identifier: BSL-1.0
// file_bytes: the bytes of a whole file, read-only: mapped into memory where the system can (POSIX),
// else read. Its owner may move; the bytes stay where they are.
// Needs: a regular file that nobody changes meanwhile (of a mapped file that somebody cuts off,
// reading the lost part is a SIGBUS; writers that rename, as atomic_file does, never cut off).
// Leaves: bytes() starts at a multiple of 64. Errors: io_error with the system's words.
#pragma once

#include <weft/array/buffer.hpp>
#include <weft/io/file_error.hpp>

#include <algorithm>
#include <cstdio>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#include <sys/stat.h>
#endif

namespace weft::inline v0 {

// mapped: pages are read when they are touched, and shared between processes. copied: now, whole.
enum class file_access { mapped, copied };

namespace detail {

// A FILE that is closed at the end of its scope.
class open_file {
public:
  explicit open_file(file_at const& at) : file_(std::fopen(at.path.c_str(), "rb")) {
    if (file_ == nullptr) raise_system(at, "give the path of a file that can be read");
  }
  open_file(open_file const&) = delete;
  open_file& operator=(open_file const&) = delete;
  ~open_file() { std::fclose(file_); }

  std::FILE* get() const { return file_; }

private:
  std::FILE* file_;
};

// Before it is opened: opening a pipe would wait for whoever writes to it.
inline void check_regular([[maybe_unused]] file_at const& at) {
#if __has_include(<sys/mman.h>)
  struct stat facts {};
  if (::stat(at.path.c_str(), &facts) != 0)
    raise_system(at, "give the path of a file that can be read");
  if (S_ISDIR(facts.st_mode)) raise_file(at, "give the path of a file", "this is a directory");
  if (!S_ISREG(facts.st_mode)) raise_file(at, "copy it into one first", "this is no regular file");
#endif
}

// All that read_some(place, room) gives, until it gives nothing: memory is taken for twice what has
// come so far, whatever a file says of its length. No more than `most` bytes are asked for.
template <class Read>
buffer<char> read_to_end(std::size_t& size, Read const& read_some,
                         std::size_t most = std::size_t(-1)) {
  std::size_t room = std::min<std::size_t>(most, 1 << 16);
  buffer<char> bytes(static_cast<extent>(room));
  size = 0;
  while (std::size_t const more = read_some(bytes.data() + size, room - size)) {
    size += more;
    if (size == most) break;
    if (size < room) continue;
    room = room > most / 2 ? most : 2 * room;
    buffer<char> larger(static_cast<extent>(room));
    std::memcpy(larger.data(), bytes.data(), size);
    bytes = std::move(larger);
  }
  return bytes;
}

class file_bytes {
public:
  explicit file_bytes(file_at const& at, file_access how = file_access::mapped) {
    check_regular(at);
    open_file const file(at);
    if (how == file_access::copied || !map(file.get())) read(at, file.get());
  }
  file_bytes(file_bytes const&) = delete;
  file_bytes& operator=(file_bytes const&) = delete;

  std::string_view bytes() const { return {first_, size_}; }
  bool is_mapped() const { return mapped_; }

#if __has_include(<sys/mman.h>)
  ~file_bytes() {
    if (mapped_) ::munmap(const_cast<char*>(first_), size_);
  }

private:
  // False where there is nothing to map (no bytes, or a file system that cannot).
  bool map(std::FILE* file) {
    struct stat facts {};
    if (::fstat(::fileno(file), &facts) != 0 || facts.st_size <= 0) return false;
    auto const size = static_cast<std::size_t>(facts.st_size);
    void* const place = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, ::fileno(file), 0);
    if (place == MAP_FAILED) return false;
    first_ = static_cast<char const*>(place);
    size_ = size;
    return mapped_ = true;
  }
#else
private:
  bool map(std::FILE*) { return false; }
#endif

  void read(file_at const& at, std::FILE* file) {
    copy_ = read_to_end(size_, [&](char* to, std::size_t room) {
      std::size_t const got = std::fread(to, 1, room, file);
      if (std::ferror(file) != 0) raise_system(at, "look at the disk");
      return got;
    });
    first_ = copy_.data();
  }

  char const* first_ = nullptr;
  std::size_t size_ = 0;
  bool mapped_ = false;
  buffer<char> copy_;
};

} // namespace detail
} // namespace weft::inline v0
