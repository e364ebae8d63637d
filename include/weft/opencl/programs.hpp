// SPDX-License-Identifier: BSL-1.0
// programs: programs of one context, built once per source: from the disk cache where it has them,
// else from source, and then kept there. Those used last are held, kernels keep theirs besides.
//   shared_program p = programs.get(source, name, advice_to_callers);
// Needs: OpenCL C 1.2 text. Leaves: a program that does not build raises build_error with the
// compiler's log and the lines around the first error. Threads build different programs at once.
#pragma once

#include <weft/opencl/memory.hpp>
#include <weft/opencl/program_cache.hpp>

#include <algorithm>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>

namespace weft::inline v0 {
namespace opencl::detail {

// Nothing that relaxes arithmetic: results are the interpreter's, bit for bit. Without the last
// option a float division may be off by 2.5 ULP; devices that lack it (oclgrind) divide as C does.
// -w: PoCL 3.1 writes to stderr that there are warnings, those of loops it does not unroll, too.
inline char const* build_options(device_info const& d) {
  return d.divides_correctly ? "-cl-std=CL1.2 -w -cl-fp32-correctly-rounded-divide-sqrt"
                             : "-cl-std=CL1.2 -w";
}

// The line that the first error of a log names, as "x.cl:12:5: error: ..." or "error: x.cl:12:5:
// ..."; 0 where none does.
inline int line_of_error(std::string_view log) {
  while (!log.empty()) {
    std::string_view const line = log.substr(0, log.find('\n'));
    log.remove_prefix(std::min(line.size() + 1, log.size()));
    if (line.find("error") == std::string_view::npos) continue;
    for (std::size_t colon = line.find(':'); colon != std::string_view::npos;
         colon = line.find(':', colon + 1)) {
      int number = 0, column = 0;
      if (std::sscanf(std::string(line.substr(colon)).c_str(), ":%d:%d", &number, &column) == 2)
        return number;
    }
  }
  return 0;
}

// The lines around `line`, numbered, that one marked; the first ones where it is 0.
inline std::string lines_around(std::string_view source, int line) {
  int const first = line > 6 ? line - 6 : 1, last = (line > 0 ? line : 7) + 5;
  std::string text;
  for (int number = 1; number <= last && !source.empty(); ++number) {
    std::size_t const end = source.find('\n');
    if (number >= first) {
      text += (number == line ? "> " : "  ") + std::to_string(number) + " | ";
      text.append(source.substr(0, end)).append("\n");
    }
    source.remove_prefix(end == std::string_view::npos ? source.size() : end + 1);
  }
  return text;
}

using shared_program = std::shared_ptr<handle<cl_program> const>;

class programs {
public:
  static constexpr std::size_t default_most = 1024;

  explicit programs(device_core& core, std::size_t most = default_most)
      : core_(core), disk_(program_cache::folder()), most_(most) {}

  // `advice` is what an error says to do.
  shared_program get(std::string const& source, std::string const& name, char const* advice) {
    std::shared_ptr<entry> const e = entry_of(source);
    std::lock_guard lock(e->building);
    if (e->program == nullptr) {
      e->program = std::make_shared<handle<cl_program> const>(made(source, name, advice));
      std::call_once(first_build_, at_exit::watch); // compilers set themselves up then
    }
    return e->program;
  }
  std::string why_not_kept() const { return disk_.why_not(); }

private:
  struct entry {
    std::mutex building;
    shared_program program; // null until it is built
    extent used = 0;        // number of its last use; guarded by mutex_
  };

  std::shared_ptr<entry> entry_of(std::string const& source) {
    std::lock_guard lock(mutex_);
    if (entries_.size() >= most_ && !entries_.contains(source)) drop_oldest();
    std::shared_ptr<entry>& e = entries_[source];
    if (e == nullptr) e = std::make_shared<entry>();
    e->used = ++uses_;
    return e;
  }
  void drop_oldest() {
    entries_.erase(std::min_element(entries_.begin(), entries_.end(), [](auto& a, auto& b) {
      return a.second->used < b.second->used;
    }));
  }

  handle<cl_program> made(std::string const& source, std::string const& name, char const* advice) {
    std::string const key = key_of(source);
    if (std::optional<std::string> const binary = disk_.find(key))
      if (handle<cl_program> loaded = from_binary(*binary)) {
        ++core_.count.programs_loaded;
        return loaded;
      }
    handle<cl_program> built = from_source(source, name, advice);
    ++core_.count.programs_built;
    if (std::string const binary = binary_of(built.get()); !binary.empty()) disk_.keep(key, binary);
    return built;
  }

  // All that a binary depends on.
  std::string key_of(std::string const& source) const {
    device_info const& d = *core_.info;
    std::string key;
    for (std::string const& part : {std::string(build_options(d)), d.name, d.vendor, d.version,
                                    d.driver, d.platform, d.platform_version, source})
      key += std::to_string(part.size()) + ":" + part + "\n";
    return key;
  }

  handle<cl_program> from_source(std::string const& source, std::string const& name,
                                 char const* advice) const {
    char const* text = source.c_str();
    std::size_t const bytes = source.size();
    cl_int code = 0;
    handle program(cl().clCreateProgramWithSource(core_.context.get(), 1, &text, &bytes, &code));
    check(code, stage::build, "clCreateProgramWithSource");
    code = compile(program.get());
    if (code != 0) does_not_build(code, program.get(), source, name, advice);
    return program;
  }
  // None where the driver does not take it: it may have changed without a new version.
  handle<cl_program> from_binary(std::string const& binary) const {
    std::size_t const bytes = binary.size();
    auto const* start = reinterpret_cast<unsigned char const*>(binary.data());
    cl_int code = 0;
    handle program(cl().clCreateProgramWithBinary(core_.context.get(), 1, &core_.id, &bytes, &start,
                                                  nullptr, &code));
    if (code != 0 || compile(program.get()) != 0) return {};
    return program;
  }
  // A binary may be half compiled, so it gets the options, too.
  cl_int compile(cl_program program) const {
    return cl().clBuildProgram(program, 1, &core_.id, build_options(*core_.info), nullptr, nullptr);
  }
  // Empty where the driver has none to give.
  static std::string binary_of(cl_program program) {
    std::size_t bytes = 0;
    if (cl().clGetProgramInfo(program, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, nullptr) !=
        0)
      return {};
    std::string binary(bytes, '\0');
    auto* start = reinterpret_cast<unsigned char*>(binary.data());
    if (cl().clGetProgramInfo(program, CL_PROGRAM_BINARIES, sizeof(start), &start, nullptr) != 0)
      return {};
    return binary;
  }

  [[noreturn]] void does_not_build(cl_int code, cl_program program, std::string const& source,
                                   std::string const& name, char const* advice) const {
    std::string const log = text_of([&](std::size_t bytes, void* to, std::size_t* needed) {
      return cl().clGetProgramBuildInfo(program, core_.id, CL_PROGRAM_BUILD_LOG, bytes, to, needed);
    });
    raise_long<build_error>("weft: opencl: the program of '" + name + "' does not build on " +
                            core_.info->name + " (" + row_of(code).name + "); " + advice + "\n" +
                            log + (log.ends_with('\n') ? "" : "\n") +
                            lines_around(source, line_of_error(log)));
  }

  device_core& core_;
  program_cache disk_;
  std::size_t const most_;
  std::once_flag first_build_;
  std::mutex mutex_;
  std::unordered_map<std::string, std::shared_ptr<entry>> entries_; // by source
  extent uses_ = 0;
};

} // namespace opencl::detail
} // namespace weft::inline v0
