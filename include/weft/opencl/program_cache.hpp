// SPDX-License-Identifier: BSL-1.0
// program_cache: built programs on disk, so that a second process builds nothing.
//   program_cache c(program_cache::folder());  c.keep(key, built);  if (auto b = c.find(key)) ...
// One file per key: a line that says what it is, three numbers (bytes of the key, bytes of the
// binary, checksum of both), key, binary. The file's name is a hash; the key in it is what counts.
// Needs: a POSIX file system; any error of it means that nothing is kept. Leaves: entries complete
// or absent, whichever processes write at once; the oldest go when they are more than `most_bytes`.
// Binaries are run, so a folder or a file that others may write is not used: why_not() says so.
#pragma once

#include <weft/core/fnv_hash.hpp>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <sys/stat.h>
#include <system_error>
#include <unistd.h>
#include <utility>
#include <vector>

namespace weft::inline v0 {
namespace opencl::detail {

class program_cache {
public:
  using path = std::filesystem::path;
  static constexpr extent default_bytes = extent{256} << 20;

  // An empty folder: nothing is found and nothing kept.
  explicit program_cache(path folder, extent most_bytes = default_bytes)
      : folder_(std::move(folder)), most_bytes_(most_bytes) {}

  // $WEFT_CACHE_DIR (set and empty: no cache), $XDG_CACHE_HOME/weft, ~/.cache/weft.
  static path folder() {
    if (char const* const own = std::getenv("WEFT_CACHE_DIR")) return own;
    char const* const xdg = std::getenv("XDG_CACHE_HOME");
    if (xdg != nullptr && *xdg == '/') return path(xdg) / "weft";
    char const* const home = std::getenv("HOME");
    return home != nullptr && *home == '/' ? path(home) / ".cache" / "weft" : path();
  }

  std::optional<std::string> find(std::string_view key) const {
    if (folder_.empty() || !why_not_used().empty()) return {};
    path const name = file_of(key);
    auto binary = binary_in(contents_of(name), key);
    std::error_code ignored;
    if (binary) last_write_time(name, clock::now(), ignored); // the oldest go
    return binary;
  }

  // Beside first, then renamed: nobody sees half an entry.
  void keep(std::string_view key, std::string_view binary) const {
    if (folder_.empty() || !make_folder() || !why_not_used().empty()) return;
    std::string beside = (folder_ / "new-XXXXXX").string() + temporary;
    std::error_code failed;
    if (!write(beside, entry(key, binary))) failed = std::make_error_code(std::errc::io_error);
    else rename(path(beside), file_of(key), failed);
    if (failed) remove(path(beside), failed);
    else drop_oldest();
  }

  // Why nothing is kept; empty where it is. Makes the folder, if it can.
  std::string why_not() const {
    if (folder_.empty()) return "there is no cache folder; set WEFT_CACHE_DIR";
    bool const made = make_folder();
    if (made && ::access(folder_.c_str(), W_OK | X_OK) == 0) return why_not_used();
    return said("cannot be written; set WEFT_CACHE_DIR to one that can");
  }

private:
  using clock = std::filesystem::file_time_type::clock;
  static constexpr char const* kind = ".clbin";
  static constexpr char const* temporary = ".tmp";
  static constexpr std::string_view first_line = "weft opencl program 1\n";

  struct head {
    std::uint64_t key_bytes = 0, binary_bytes = 0, checksum = 0;
  };
  struct closing {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using open_file = std::unique_ptr<std::FILE, closing>;

  static std::uint64_t hash(std::string_view text, std::string_view more = {}) {
    weft::detail::fnv_hash h;
    h.add_bytes(text);
    h.add_bytes(more);
    return h.sum();
  }

  path file_of(std::string_view key) const {
    char name[24]{};
    std::snprintf(name, sizeof(name), "%016llx", static_cast<unsigned long long>(hash(key)));
    return folder_ / (std::string(name) + kind);
  }
  bool make_folder() const {
    std::error_code failed;
    create_directories(folder_.parent_path(), failed);
    return mkdir(folder_.c_str(), S_IRWXU) == 0 || is_directory(folder_, failed);
  }

  // Only this user may put programs there.
  static bool is_own(struct stat const& s) {
    return s.st_uid == geteuid() && (s.st_mode & (S_IWGRP | S_IWOTH)) == 0;
  }
  std::string said(char const* what) const {
    return "the cache folder " + folder_.string() + " " + what;
  }
  std::string why_not_used() const {
    struct stat s {};
    if (stat(folder_.c_str(), &s) != 0 || is_own(s)) return {};
    return s.st_uid != geteuid()
               ? said("is another user's; set WEFT_CACHE_DIR to one of your own")
               : said("may be written by others; chmod go-w it, or set WEFT_CACHE_DIR to another");
  }

  static std::string entry(std::string_view key, std::string_view binary) {
    head const h{key.size(), binary.size(), hash(key, binary)};
    std::string text(first_line);
    text.append(reinterpret_cast<char const*>(&h), sizeof(h));
    return text.append(key).append(binary);
  }
  // What `file` holds when it is a whole entry of this key.
  static std::optional<std::string> binary_in(std::string const& file, std::string_view key) {
    std::string_view rest = file;
    head h;
    if (!rest.starts_with(first_line) || rest.size() < first_line.size() + sizeof(h)) return {};
    rest.remove_prefix(first_line.size());
    rest.copy(reinterpret_cast<char*>(&h), sizeof(h));
    rest.remove_prefix(sizeof(h));
    if (h.key_bytes != key.size() || !rest.starts_with(key)) return {};
    rest.remove_prefix(key.size());
    if (h.binary_bytes != rest.size() || h.checksum != hash(key, rest)) return {};
    return std::string(rest);
  }

  // Of a file of this user's that is one, not a link, a pipe or more than the folder may hold.
  std::string contents_of(path const& name) const {
    open_file const file = opened(
        open(name.c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK), "rb");
    struct stat s {};
    std::string text;
    if (file == nullptr || fstat(fileno(file.get()), &s) != 0) return text;
    if (!S_ISREG(s.st_mode) || !is_own(s) || s.st_size > most_bytes_) return text;
    char part[16384];
    while (std::size_t const n = std::fread(part, 1, sizeof(part), file.get()))
      text.append(part, n);
    return text;
  }
  // `name` has six X before its ending, which become a name that there was not; for this user alone.
  static bool write(std::string& name, std::string const& text) {
    int const ending = static_cast<int>(std::strlen(temporary));
    open_file file = opened(mkostemps(name.data(), ending, O_CLOEXEC), "wb");
    if (file == nullptr) return false;
    bool const whole = std::fwrite(text.data(), 1, text.size(), file.get()) == text.size();
    return std::fclose(file.release()) == 0 && whole;
  }
  static open_file opened(int number, char const* mode) {
    std::FILE* const file = number >= 0 ? fdopen(number, mode) : nullptr;
    if (file == nullptr && number >= 0) close(number);
    return open_file(file);
  }

  struct listed {
    clock::time_point written;
    extent bytes;
    path name;
  };
  // What a process left that died while it wrote goes after an hour.
  std::vector<listed> entries() const {
    std::vector<listed> found;
    std::error_code failed;
    for (std::filesystem::directory_iterator i(folder_, failed), end; !failed && i != end;
         i.increment(failed)) {
      path const& name = i->path();
      std::error_code gone;
      auto const written = i->last_write_time(gone);
      auto const bytes = static_cast<extent>(i->file_size(gone));
      if (gone) continue;
      if (name.extension() == kind) found.push_back({written, bytes, name});
      else if (name.extension() == temporary && clock::now() - written > std::chrono::hours(1))
        remove(name, gone);
    }
    return found;
  }
  void drop_oldest() const {
    std::vector<listed> all = entries();
    extent bytes = 0;
    for (listed const& e : all) bytes += e.bytes;
    std::sort(all.begin(), all.end(),
              [](listed const& a, listed const& b) { return a.written < b.written; });
    for (listed const& e : all) {
      if (bytes <= most_bytes_) return;
      std::error_code ignored;
      remove(e.name, ignored);
      bytes -= e.bytes;
    }
  }

  path folder_;
  extent most_bytes_;
};

} // namespace opencl::detail
} // namespace weft::inline v0
