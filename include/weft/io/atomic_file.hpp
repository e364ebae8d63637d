// SPDX-License-Identifier: BSL-1.0
// atomic_file: a file that is there whole or not at all. It is written beside its place under
// another name, forced to the disk, and renamed; readers see the old file or the new one.
//   atomic_file f("model.bin");
//   f.write(data, bytes);
//   f.commit();                       // until then nothing has changed
// Needs: POSIX, and leave to write into the folder. Leaves: the permissions of the file that was
// there; a symbolic link still points to the file it did. Without commit(), or after an error
// (io_error with the system's words), the old file is as it was and the temporary is gone.
#pragma once

#include <weft/core/fnv_hash.hpp>
#include <weft/io/file_descriptor.hpp>

namespace weft::inline v0 {
namespace detail {

inline constexpr char const* writing_advice = "the file that was there is unchanged";

inline std::string folder_of(std::string const& path) {
  std::size_t const slash = path.rfind('/');
  return slash == std::string::npos ? "." : path.substr(0, slash + 1);
}

// A path to whose name, of at most 255 bytes, a suffix can be added: of a longer one the start, and
// a hash of all.
inline std::string with_room(std::string const& path) {
  constexpr std::size_t most = 216, start = 190;
  std::size_t const name = path.rfind('/') + 1; // 0 where there is no folder
  if (path.size() - name <= most) return path;
  fnv_hash all;
  all.add_bytes(path);
  std::size_t end = name + start;
  while (end > name && (path[end] & 0xc0) == 0x80) --end; // not within a character of UTF-8
  return path.substr(0, end) + "-" + std::to_string(all.sum());
}

// The name beside a file's place under which it is written; removed unless it was published.
class temporary_file {
public:
  explicit temporary_file(file_at at) : at_(std::move(at)), target_(at_.path) {
    follow_links();
    struct stat facts {};
    exists_ = ::stat(target_.c_str(), &facts) == 0;
    if (exists_ && !S_ISREG(facts.st_mode))
      raise_file(at_, "give the path of a file", "what is there is no regular file");
    mode_ = facts.st_mode & 07777;
  }
  temporary_file(temporary_file const&) = delete;
  temporary_file& operator=(temporary_file const&) = delete;
  ~temporary_file() {
    if (made_) ::unlink(name_.c_str());
  }

  // Makes the file and opens it for writing; of a file that there is already others learn nothing
  // until it has its mode.
  file_descriptor open() {
    static int names = 0;
    file_descriptor file;
    do {
      int const number = __atomic_add_fetch(&names, 1, __ATOMIC_RELAXED);
      name_ = with_room(target_) + "." + std::to_string(::getpid()) + "-" + std::to_string(number) +
              ".tmp";
      file = file_descriptor(name_, O_WRONLY | O_CREAT | O_EXCL, exists_ ? 0600 : 0666);
    } while (!file.is_open() && errno == EEXIST);
    if (!file.is_open()) raise_system(at_, "the folder must exist and be writable");
    made_ = true;
    return file;
  }
  // Forces what somebody else wrote under the name to the disk.
  void synchronise() const {
    if (!synchronised(name_)) raise_system(at_, writing_advice);
  }
  // Renames the file, which is whole and on the disk; then forces the new name there, too. Some
  // file systems cannot do that; it is no error.
  void publish() {
    if (!try_publish(name_)) raise_system(at_, writing_advice);
    made_ = false;
  }
  // The same of any file beside the place; false where the system refuses, which errno tells.
  bool try_publish(std::string const& name) const {
    if (exists_ && ::chmod(name.c_str(), mode_) != 0) return false;
    if (::rename(name.c_str(), target_.c_str()) != 0) return false;
    synchronised(folder_of(target_));
    return true;
  }
  std::string const& name() const { return name_; }
  std::string const& target() const { return target_; } // the place, links followed
  file_at const& at() const { return at_; }

private:
  // Also those that point to a file that is not there yet.
  void follow_links() {
    char next[4096];
    for (int links = 0; links < 40; ++links) { // as many as Linux follows
      ::ssize_t const size = ::readlink(target_.c_str(), next, sizeof next);
      if (size < 0 || size == sizeof next) return;
      std::string const folder = next[0] == '/' ? "" : target_.substr(0, target_.rfind('/') + 1);
      target_ = folder + std::string(next, static_cast<std::size_t>(size));
    }
    errno = ELOOP;
    raise_system(at_, "a symbolic link must lead to a file");
  }
  static bool synchronised(std::string const& path) {
    file_descriptor const file(path, O_RDONLY);
    return file.is_open() && file.synchronise();
  }

  file_at at_;
  std::string target_, name_;
  bool exists_ = false, made_ = false;
  ::mode_t mode_ = 0;
};

} // namespace detail

class atomic_file {
public:
  explicit atomic_file(std::string path)
      : atomic_file(detail::file_at{"atomic_file", std::move(path)}) {}
  explicit atomic_file(detail::file_at at) : temporary_(std::move(at)), file_(temporary_.open()) {}
  atomic_file(atomic_file const&) = delete;
  atomic_file& operator=(atomic_file const&) = delete;

  void write(void const* data, std::size_t bytes) {
    if (!file_.is_open())
      detail::raise_file(temporary_.at(), "write before commit()", "the file is complete");
    if (!put(data, bytes)) detail::raise_system(temporary_.at(), detail::writing_advice);
  }
  void write(std::string_view bytes) { write(bytes.data(), bytes.size()); }
  // For callers that no exception may cross: false where the system refuses, which errno tells.
  bool put(void const* data, std::size_t bytes) noexcept {
    bool const all = detail::write_all(data, bytes,
                                       [&](char const* next, std::size_t left, std::size_t) {
                                         return ::write(file_.number(), next, left);
                                       });
    whole_ = whole_ && all;
    return all;
  }

  // The file takes its place.
  void commit() {
    if (!file_.is_open())
      detail::raise_file(temporary_.at(), "commit once", "the file is complete");
    if (!whole_)
      detail::raise_file(temporary_.at(), detail::writing_advice, "not all could be written");
    if (!file_.synchronise() || !file_.close())
      detail::raise_system(temporary_.at(), detail::writing_advice);
    temporary_.publish();
  }

private:
  detail::temporary_file temporary_;
  detail::file_descriptor file_;
  bool whole_ = true; // so far
};

} // namespace weft::inline v0
