// SPDX-License-Identifier: BSL-1.0
#include "blas.hpp"

#include <dlfcn.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>

namespace bench {
namespace {

template <class Function> bool find(void* library, char const* name, Function& f) {
  return (f = reinterpret_cast<Function>(dlsym(library, name))) != nullptr;
}

void add(std::vector<blas>& all, char const* name, void* library) {
  blas one{name, nullptr, nullptr, nullptr};
  if (library != nullptr && find(library, "cblas_sgemm", one.sgemm) &&
      find(library, "cblas_dgemm", one.dgemm) &&
      find(library, "openblas_set_num_threads", one.set_threads))
    all.push_back(one);
}

std::vector<blas> load() {
  std::vector<blas> all;
  // Its threads would wait actively while the next side runs.
  setenv("OPENBLAS_THREAD_TIMEOUT", "4", 0);
  void* const first = dlopen("libopenblas.so.0", RTLD_NOW | RTLD_LOCAL);
  add(all, "OpenBLAS", first);
#ifdef __AVX512F__
  Dl_info where;
  if (all.empty() || dladdr(reinterpret_cast<void*>(all[0].sgemm), &where) == 0) return all;
  namespace fs = std::filesystem;
  fs::path const copy = fs::temp_directory_path() /
                        ("openblas-" + std::to_string(getpid()) + ".so");
  fs::copy_file(fs::canonical(where.dli_fname), copy, fs::copy_options::overwrite_existing);
  setenv("OPENBLAS_CORETYPE", "SkylakeX", 1);
  add(all, "OpenBLAS(SkylakeX)", dlopen(copy.c_str(), RTLD_NOW | RTLD_LOCAL));
  unsetenv("OPENBLAS_CORETYPE");
  fs::remove(copy);
#endif
  return all;
}

} // namespace

std::vector<blas> const& blas_libraries() {
  static std::vector<blas> const all = load();
  return all;
}

} // namespace bench
