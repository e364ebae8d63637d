// SPDX-License-Identifier: BSL-1.0
// file_descriptor: a file that is open for the system's calls, closed at the end of its scope.
//   file_descriptor file(path, O_WRONLY | O_CREAT);
//   if (!file.is_open()) puts(strerror(errno));
// Needs: POSIX. Leaves: errno as the call that failed has set it; what a signal interrupts is done
// again.
#pragma once

#include <weft/io/file_error.hpp>

#include <cstdint>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

namespace weft::inline v0::detail {

template <class Call> int uninterrupted(Call const& call) {
  while (true)
    if (int const result = call(); result >= 0 || errno != EINTR) return result;
}

class file_descriptor {
public:
  file_descriptor() = default;
  // mode: of a file that is made.
  file_descriptor(std::string const& path, int how, ::mode_t mode = 0666)
      : number_(uninterrupted([&] { return ::open(path.c_str(), how | O_CLOEXEC, mode); })) {}
  file_descriptor(file_descriptor const&) = delete;
  file_descriptor(file_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
  file_descriptor& operator=(file_descriptor other) noexcept {
    std::swap(number_, other.number_);
    return *this;
  }
  ~file_descriptor() {
    int const error = errno;
    close();
    errno = error;
  }
  bool is_open() const { return number_ >= 0; }
  int number() const { return number_; }
  bool close() { return number_ < 0 || ::close(std::exchange(number_, -1)) == 0; }
  // To the disk.
  bool synchronise() const {
    return uninterrupted([&] { return ::fsync(number_); }) == 0;
  }
  // 0: the system does not say.
  std::uint64_t inode() const {
    struct stat facts {};
    return ::fstat(number_, &facts) == 0 ? facts.st_ino : 0;
  }
  // Is this file what the name stands for now?
  bool has_name(std::string const& path) const {
    struct stat own {};
    struct stat named {};
    return ::fstat(number_, &own) == 0 && ::lstat(path.c_str(), &named) == 0 &&
           own.st_ino == named.st_ino && own.st_dev == named.st_dev;
  }

private:
  int number_ = -1;
};

// All bytes, by as many calls of write_some(data, bytes, how many are written) as it takes; false
// where the system refuses.
template <class Write>
bool write_all(void const* data, std::size_t bytes, Write const& write_some) noexcept {
  auto const* const first = static_cast<char const*>(data);
  for (std::size_t done = 0; done < bytes;) {
    ::ssize_t const written = write_some(first + done, bytes - done, done);
    if (written < 0 && errno == EINTR) continue;
    if (written == 0) errno = EIO;
    if (written <= 0) return false;
    done += static_cast<std::size_t>(written);
  }
  return true;
}

} // namespace weft::inline v0::detail
