// SPDX-License-Identifier: BSL-1.0
// What tests of files share: a folder that is removed at the end, whole files as strings, disks and
// memory that are small, and the text of the io_error that a call ends with.
#pragma once

#include <weft/core/memory_source.hpp>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <sys/resource.h>

namespace files {

struct folder {
  folder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "weft-io-XXXXXX").string();
    if (::mkdtemp(pattern.data()) != nullptr) path = pattern;
  }
  folder(folder const&) = delete;
  folder& operator=(folder const&) = delete;
  ~folder() { std::filesystem::remove_all(path); }

  std::string operator/(std::string const& name) const { return (path / name).string(); }
  // How many files there are in it.
  long count() const { return std::distance(std::filesystem::directory_iterator(path), {}); }

  std::filesystem::path path;
};

inline void write(std::string const& path, std::string const& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}
inline std::string read(std::string const& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// What f says without "weft: " and without the path; "" where it says nothing.
template <class F> std::string error_of(F const& f) {
  try {
    f();
  } catch (weft::io_error const& e) {
    std::string const text = e.what();
    return text.substr(6, text.rfind(" (") - 6);
  }
  return "";
}

// Files may not grow beyond 1000 bytes while it lives: stands for a full disk.
struct small_disk {
  small_disk() : before(std::signal(SIGXFSZ, SIG_IGN)) {
    ::getrlimit(RLIMIT_FSIZE, &limit);
    rlimit const lower{1000, limit.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &lower);
  }
  small_disk(small_disk const&) = delete;
  small_disk& operator=(small_disk const&) = delete;
  ~small_disk() {
    ::setrlimit(RLIMIT_FSIZE, &limit);
    std::signal(SIGXFSZ, before);
  }

  void (*before)(int);
  rlimit limit{};
};

// Element memory is so little while it lives: taking it by what a hostile file says throws.
struct small_memory {
  small_memory() : before(weft::use_memory(own)) {}
  small_memory(small_memory const&) = delete;
  small_memory& operator=(small_memory const&) = delete;
  ~small_memory() { weft::use_memory(before); }

  alignas(64) std::byte memory[1 << 18];
  weft::fixed_memory own{memory, sizeof memory};
  weft::memory_source& before;
};

// The bytes of hexadecimal digits; blanks between them are left out.
inline std::string from_hex(std::string const& digits) {
  std::string bytes, pair;
  for (char const c : digits) {
    if (c == ' ') continue;
    pair += c;
    if (pair.size() < 2) continue;
    bytes += static_cast<char>(std::stoi(pair, nullptr, 16));
    pair.clear();
  }
  return bytes;
}

} // namespace files
