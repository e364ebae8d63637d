// SPDX-License-Identifier: BSL-1.0
// needs: CL/cl.h
// build: alone
// Programs kept on disk: a second process builds nothing; entries that are not whole, not of this
// program or not a program at all are never trusted; the folder stays within its bound.
#include "host.hpp"

#include <fstream>
#include <iterator>
#include <sys/stat.h>

namespace host_test {
namespace {

using cache = opencl::detail::program_cache;
using std::filesystem::path;

std::string contents(path const& name) {
  std::ifstream file(name, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}
void replace(path const& name, std::string const& text) {
  std::ofstream(name, std::ios::binary | std::ios::trunc) << text;
}
std::vector<path> files_of(path const& folder) {
  std::vector<path> names;
  for (auto const& entry : std::filesystem::directory_iterator(folder)) names.push_back(entry);
  return names;
}
extent bytes_of(path const& folder) {
  extent bytes = 0;
  for (path const& name : files_of(folder)) bytes += static_cast<extent>(file_size(name));
  return bytes;
}

TEST(host_cache, finds_what_was_kept) {
  fresh_folder const f;
  cache const c(f.path / "new" / "folder");
  EXPECT_FALSE(c.find("key"));
  c.keep("key", std::string("bin\0ary", 7));
  EXPECT_EQ(c.find("key"), std::string("bin\0ary", 7));
  EXPECT_FALSE(c.find("kez"));
  c.keep("key", "");
  EXPECT_EQ(c.find("key"), "");
  EXPECT_EQ(files_of(f.path / "new" / "folder").size(), 1u); // nothing temporary
  auto const mode = status(f.path / "new" / "folder").permissions();
  EXPECT_EQ(mode, std::filesystem::perms::owner_all);
}

TEST(host_cache, trusts_no_entry_that_is_not_whole) {
  fresh_folder const f;
  cache const c(f.path);
  c.keep("a key", "a binary");
  path const name = files_of(f.path).at(0);
  std::string const whole = contents(name);
  ASSERT_TRUE(c.find("a key"));
  for (std::size_t size = 0; size < whole.size(); ++size) {
    replace(name, whole.substr(0, size));
    EXPECT_FALSE(c.find("a key")) << size;
  }
  for (std::size_t i = 0; i < whole.size(); ++i) {
    std::string changed = whole;
    changed[i] = static_cast<char>(changed[i] ^ 4);
    replace(name, changed);
    EXPECT_FALSE(c.find("a key")) << i;
  }
  replace(name, whole + "x");
  EXPECT_FALSE(c.find("a key"));
  // Another key's entry where the hash says that this one's is.
  c.keep("another key", "a binary");
  std::string const foreign = [&] {
    for (path const& other : files_of(f.path))
      if (other != name) return contents(other);
    return std::string();
  }();
  ASSERT_FALSE(foreign.empty());
  replace(name, foreign);
  EXPECT_FALSE(c.find("a key"));
  c.keep("a key", "a binary");
  EXPECT_EQ(c.find("a key"), "a binary");
}

TEST(host_cache, the_least_recently_used_entries_go) {
  fresh_folder const f;
  cache const c(f.path, 5000);
  std::string const binary(900, 'b');
  using namespace std::chrono_literals;
  auto const age = [](path const& name, std::chrono::seconds by) {
    last_write_time(name, std::filesystem::file_time_type::clock::now() - by);
  };
  for (int i = 0; i < 5; ++i) {
    std::vector<path> const before = files_of(f.path);
    c.keep("key " + std::to_string(i), binary);
    for (path const& name : files_of(f.path))
      if (std::find(before.begin(), before.end(), name) == before.end()) age(name, 100s - i * 10s);
  }
  EXPECT_TRUE(c.find("key 0")); // used now
  path const left = f.path / "new-1-0.tmp", fresh = f.path / "new-2-0.tmp", other = f.path / "mine";
  for (path const& name : {left, fresh, other}) replace(name, "x");
  age(left, 2h);
  age(other, 2h);
  c.keep("key 5", binary);
  EXPECT_TRUE(c.find("key 0"));
  EXPECT_FALSE(c.find("key 1"));
  EXPECT_TRUE(c.find("key 2") && c.find("key 5"));
  EXPECT_FALSE(exists(left));
  EXPECT_TRUE(exists(fresh) && exists(other));
  for (int i = 6; i < 40; ++i) c.keep("key " + std::to_string(i), binary);
  EXPECT_LE(bytes_of(f.path), 5000 + 2);
  EXPECT_TRUE(c.find("key 39"));
}

// Binaries are run: what another user could have written is not read, and nothing is put there.
TEST(host_cache, trusts_no_folder_that_others_may_write) {
  using std::filesystem::perms, std::filesystem::perm_options;
  fresh_folder const f;
  cache const c(f.path);
  c.keep("key", "binary");
  EXPECT_EQ(c.why_not(), "");
  for (perms const by : {perms::group_write, perms::others_write}) {
    permissions(f.path, by, perm_options::add);
    EXPECT_FALSE(c.find("key"));
    c.keep("other key", "binary");
    EXPECT_EQ(files_of(f.path).size(), 1u);
    EXPECT_TRUE(has(c.why_not(), "the cache folder " + f.path.string() +
                                     " may be written by others; chmod go-w it"))
        << c.why_not();
    permissions(f.path, by, perm_options::remove);
    EXPECT_TRUE(c.find("key"));
  }
}
TEST(host_cache, trusts_no_folder_of_another_user) {
  if (geteuid() != 0) GTEST_SKIP() << "only root can give a folder away";
  fresh_folder const f;
  cache const c(f.path);
  c.keep("key", "binary");
  path const name = files_of(f.path).at(0);
  ASSERT_EQ(chown(name.c_str(), 12345, 12345), 0);
  EXPECT_FALSE(c.find("key"));
  ASSERT_EQ(chown(name.c_str(), 0, 0), 0);
  EXPECT_TRUE(c.find("key"));
  ASSERT_EQ(chown(f.path.c_str(), 12345, 12345), 0);
  EXPECT_FALSE(c.find("key"));
  EXPECT_TRUE(has(c.why_not(), "is another user's; set WEFT_CACHE_DIR")) << c.why_not();
}

// What lies where an entry should: read by nobody, waited for by nobody.
TEST(host_cache, trusts_no_file_that_is_not_its_own) {
  fresh_folder const f, elsewhere;
  cache const c(f.path);
  c.keep("key", "binary");
  path const name = files_of(f.path).at(0), moved = elsewhere.path / "entry";
  EXPECT_EQ(status(name).permissions(),
            std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
  permissions(name, std::filesystem::perms::others_write, std::filesystem::perm_options::add);
  EXPECT_FALSE(c.find("key"));
  rename(name, moved);
  permissions(moved, std::filesystem::perms::others_write, std::filesystem::perm_options::remove);
  create_symlink(moved, name);
  EXPECT_FALSE(c.find("key"));
  remove(name);
  ASSERT_EQ(mkfifo(name.c_str(), 0600), 0);
  EXPECT_FALSE(c.find("key"));
  c.keep("key", "binary");
  EXPECT_TRUE(c.find("key"));
  remove(name);
  create_directory(name);
  EXPECT_FALSE(c.find("key"));
  c.keep("key", "binary");
  EXPECT_FALSE(c.find("key"));
  EXPECT_EQ(files_of(f.path).size(), 1u); // nothing temporary
}

TEST(host_cache, works_without_a_folder) {
  fresh_folder const f;
  replace(f.path / "file", "x");
  for (path const& folder :
       {path(), f.path / "file", f.path / "file" / "below", path("/proc/none")}) {
    cache const c(folder);
    c.keep("key", "binary");
    EXPECT_FALSE(c.find("key"));
    EXPECT_TRUE(has(c.why_not(), "set WEFT_CACHE_DIR")) << c.why_not();
  }
  EXPECT_EQ(files_of(f.path).size(), 1u);
}

TEST(host_cache, the_folder_is_the_users) {
  struct restored {
    std::string name, before;
    explicit restored(char const* n) : name(n), before(std::getenv(n) ? std::getenv(n) : "") {}
    ~restored() {
      before.empty() ? unsetenv(name.c_str()) : setenv(name.c_str(), before.c_str(), 1);
    }
  };
  restored const own("WEFT_CACHE_DIR"), xdg("XDG_CACHE_HOME"), home("HOME");
  setenv("HOME", "/home/x", 1);
  setenv("XDG_CACHE_HOME", "/xdg", 1);
  setenv("WEFT_CACHE_DIR", "/own", 1);
  EXPECT_EQ(cache::folder(), "/own");
  setenv("WEFT_CACHE_DIR", "", 1);
  EXPECT_EQ(cache::folder(), "");
  unsetenv("WEFT_CACHE_DIR");
  EXPECT_EQ(cache::folder(), "/xdg/weft");
  setenv("XDG_CACHE_HOME", "relative", 1); // the specification: ignored
  EXPECT_EQ(cache::folder(), "/home/x/.cache/weft");
  unsetenv("XDG_CACHE_HOME");
  unsetenv("HOME");
  EXPECT_EQ(cache::folder(), "");
}

struct host_programs : host {
  // The sum that a kernel makes, and where its program came from.
  static opencl::counts add_one() {
    opencl::device d;
    opencl::memory const a = memory_of(d, {41});
    opencl::kernel k = d.build(add_source, "add");
    k.set(0, a);
    k.set(1, std::int32_t{1});
    launch_one(d, k, 1);
    EXPECT_EQ(values_of(d, a), std::vector<int>{42});
    return d.counted();
  }
  static void expect_built() {
    opencl::counts const c = add_one();
    EXPECT_EQ(c.programs_built, 1);
    EXPECT_EQ(c.programs_loaded, 0);
  }
  static void expect_loaded() {
    opencl::counts const c = add_one();
    EXPECT_EQ(c.programs_built, 0);
    EXPECT_EQ(c.programs_loaded, 1);
  }
};

TEST_F(host_programs, are_loaded_by_another_device) {
  expect_built();
  EXPECT_EQ(files_of(cache()).size(), 1u);
  expect_loaded();
  setenv("WEFT_CACHE_DIR", "", 1);
  expect_built();
  setenv("WEFT_CACHE_DIR", (cache() / "other").c_str(), 1);
  expect_built();
}

TEST_F(host_programs, are_built_where_the_folder_cannot_be_written) {
  replace(cache() / "file", "x");
  setenv("WEFT_CACHE_DIR", (cache() / "file" / "below").c_str(), 1);
  expect_built();
  expect_built();
  EXPECT_TRUE(has(opencl::device().why_not_kept(), "cannot be written"));
}
TEST_F(host_programs, are_built_where_others_may_write_the_folder) {
  expect_built();
  EXPECT_EQ(opencl::device().why_not_kept(), "");
  permissions(cache(), std::filesystem::perms::others_write, std::filesystem::perm_options::add);
  expect_built();
  EXPECT_TRUE(has(opencl::device().why_not_kept(), "may be written by others"));
}

TEST_F(host_programs, are_built_again_when_an_entry_is_no_use) {
  expect_built();
  path const name = files_of(cache()).at(0);
  std::string const whole = contents(name);
  for (std::string const& bad : {std::string("x"), whole.substr(0, whole.size() / 2),
                                 whole.substr(0, whole.size() - 1) + '?'}) {
    replace(name, bad);
    expect_built();
    EXPECT_EQ(contents(name).size(), whole.size());
    expect_loaded();
  }
}

// Quotients and roots of numbers whose last bits tell a correctly rounded result.
std::vector<int> quotients_and_roots(opencl::device& d) {
  constexpr extent count = 4096;
  opencl::memory const m = d.allocate(8 * count);
  opencl::kernel k = d.build("__kernel void divide(__global float* to) {\n"
                             "  size_t i = get_global_id(0);\n"
                             "  float x = 1.0f + (float)i / 1048576.0f;\n"
                             "  to[2 * i] = x / (3.0f + (float)i);\n"
                             "  to[2 * i + 1] = sqrt(x);\n"
                             "}\n",
                             "divide");
  k.set(0, m);
  launch_one(d, k, count);
  return values_of(d, m);
}

struct options_given {
  using table = opencl::detail::functions;
  inline static decltype(table::clBuildProgram) own = nullptr;
  inline static std::vector<std::string> all;

  static cl_int CL_API_CALL build(cl_program program, cl_uint count, cl_device_id const* devices,
                                  char const* options, void(CL_CALLBACK* done)(cl_program, void*),
                                  void* data) {
    all.push_back(options != nullptr ? options : "none");
    return own(program, count, devices, options, done, data);
  }
};

TEST_F(host_programs, have_the_same_bits_when_they_are_loaded) {
  replaced<&options_given::table::clBuildProgram> const noted(&options_given::build);
  options_given::own = noted.own;
  options_given::all.clear();
  opencl::device built, loaded;
  std::vector<int> const bits = quotients_and_roots(built);
  EXPECT_EQ(quotients_and_roots(loaded), bits);
  EXPECT_EQ(built.counted().programs_built, 1);
  EXPECT_EQ(loaded.counted().programs_loaded, 1);
  std::string const options = opencl::detail::build_options(built.info());
  EXPECT_EQ(options_given::all, std::vector<std::string>(2, options));
}

// A whole entry whose binary the driver does not take.
TEST_F(host_programs, are_built_again_when_the_driver_refuses_the_binary) {
  expect_built();
  path const name = files_of(cache()).at(0);
  std::string const whole = contents(name);
  std::size_t const key_end = whole.find(add_source) + add_source.size() + 1;
  std::string const head = whole.substr(0, key_end);
  std::size_t const key = head.find("\n") + 1 + 24;
  std::filesystem::remove(name);
  opencl::detail::program_cache(cache()).keep(head.substr(key), "no program");
  ASSERT_EQ(files_of(cache()).at(0), name);
  expect_built();
  expect_loaded();
}

// Run by itself this is a first start; the outer test runs it in processes of its own.
TEST_F(host_programs, of_one_start) {
  if (char const* const folder = std::getenv("WEFT_TEST_CACHE"))
    setenv("WEFT_CACHE_DIR", folder, 1);
  opencl::counts const c = add_one();
  EXPECT_EQ(c.programs_built + c.programs_loaded, 1);
  std::printf("built %d loaded %d\n", static_cast<int>(c.programs_built),
              static_cast<int>(c.programs_loaded));
}

TEST_F(host_programs, of_a_second_start_are_all_loaded) {
  std::string const start = again("WEFT_TEST_CACHE=" + cache().string(),
                                  "host_programs.of_one_start");
  outcome const first = run(start), second = run(start);
  EXPECT_EQ(first.code, 0) << first.output;
  EXPECT_TRUE(has(first.output, "built 1 loaded 0")) << first.output;
  EXPECT_EQ(second.code, 0) << second.output;
  EXPECT_TRUE(has(second.output, "built 0 loaded 1")) << second.output;
}

TEST_F(host_programs, of_several_starts_at_once) {
  std::string const start = again("WEFT_TEST_CACHE=" + cache().string(),
                                  "host_programs.of_one_start");
  std::string all;
  for (int i = 0; i < 4; ++i) all += start + " & p" + std::to_string(i) + "=$!; ";
  for (int i = 0; i < 4; ++i) all += "wait $p" + std::to_string(i) + " || exit 1; ";
  outcome const o = run("( " + all + ")");
  EXPECT_EQ(o.code, 0) << o.output;
  EXPECT_TRUE(has(o.output, "built 1 loaded 0")) << o.output;
  EXPECT_EQ(files_of(cache()).size(), 1u);
  EXPECT_TRUE(has(run(start).output, "built 0 loaded 1"));
}

} // namespace
} // namespace host_test
