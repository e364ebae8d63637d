// SPDX-License-Identifier: BSL-1.0
// What tests of the OpenCL host layer share: a cache folder that is new and goes again, this
// program run again with another environment, kernels.
#pragma once

#include <weft/opencl/device.hpp>

#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <type_traits>
#include <vector>

namespace host_test {

namespace opencl = weft::opencl;
using weft::extent;

class fresh_folder {
public:
  fresh_folder() {
    std::string name = (std::filesystem::temp_directory_path() / "weft-test-XXXXXX").string();
    if (mkdtemp(name.data()) != nullptr) path = name;
  }
  fresh_folder(fresh_folder const&) = delete;
  fresh_folder& operator=(fresh_folder const&) = delete;
  ~fresh_folder() {
    std::error_code ignored;
    if (!path.empty()) remove_all(path, ignored);
  }
  std::filesystem::path path;
};

// A device and an empty cache; skipped where there is no device.
class host : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(folder_.path.empty());
    setenv("WEFT_CACHE_DIR", folder_.path.c_str(), 1);
    if (opencl::devices().empty()) GTEST_SKIP() << "no OpenCL device";
  }
  void TearDown() override { unsetenv("WEFT_CACHE_DIR"); }
  std::filesystem::path const& cache() const { return folder_.path; }

private:
  fresh_folder folder_;
};

struct outcome {
  int code = -1;
  std::string output;
};

inline outcome run(std::string const& command) {
  outcome o;
  std::FILE* const pipe = popen((command + " 2>&1").c_str(), "r");
  if (pipe == nullptr) return o;
  char part[4096];
  while (std::size_t const n = std::fread(part, 1, sizeof(part), pipe)) o.output.append(part, n);
  o.code = pclose(pipe);
  return o;
}
// The command that runs one test of this program with other variables ("A=x B=y").
inline std::string again(std::string const& variables, std::string const& test) {
  return "env " + variables + " '" + std::filesystem::read_symlink("/proc/self/exe").string() +
         "' --gtest_filter=" + test;
}

template <class Error, class Function> std::string text_of(Function const& function) {
  try {
    function();
  } catch (Error const& e) {
    return e.what();
  } catch (std::exception const& e) {
    ADD_FAILURE() << "another class of error: " << e.what();
    return {};
  }
  ADD_FAILURE() << "no error";
  return {};
}

inline bool has(std::string const& text, std::string const& part) {
  return text.find(part) != std::string::npos;
}

// One function of OpenCL is another while this lives: what a driver cannot be brought to do.
template <auto Function> class replaced {
  using type = std::remove_reference_t<decltype(opencl::detail::functions{}.*Function)>;

public:
  explicit replaced(type by) : own(table().*Function) { table().*Function = by; }
  replaced(replaced const&) = delete;
  replaced& operator=(replaced const&) = delete;
  ~replaced() { table().*Function = own; }

  type const own;

private:
  static opencl::detail::functions& table() {
    return const_cast<opencl::detail::functions&>(opencl::detail::cl());
  }
};

inline std::string const add_source =
    "__kernel void add(__global int* a, const int n) { a[get_global_id(0)] += n; }\n"
    "__kernel void slow_add(__global int* a, __global const int* b, const int turns) {\n"
    "  uint x = 1;\n"
    "  for (int i = 0; i < turns; ++i) { x ^= x << 13; x ^= x >> 17; x ^= x << 5; }\n"
    "  a[get_global_id(0)] += b[get_global_id(0)] + (x == 0 ? 1 : 0);\n"
    "}\n";

constexpr int turns = 40'000'000; // of slow_add: about a tenth of a second

inline void launch_one(opencl::device& d, opencl::kernel const& k, extent items) {
  d.launch(k, 1, &items, nullptr);
}

inline opencl::memory memory_of(opencl::device& d, std::vector<int> const& values) {
  auto const bytes = static_cast<extent>(values.size() * sizeof(int));
  opencl::memory m = d.allocate(bytes);
  d.write(m, 0, values.data(), bytes);
  return m;
}
inline std::vector<int> values_of(opencl::device& d, opencl::memory const& m) {
  std::vector<int> values(static_cast<std::size_t>(m.size()) / sizeof(int));
  d.read(m, 0, values.data(), m.size());
  return values;
}

} // namespace host_test
