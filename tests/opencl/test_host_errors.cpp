// SPDX-License-Identifier: BSL-1.0
// needs: CL/cl.h
// build: alone
// Every mistake and every failure of the host layer: its class of error and its text.
#include "host.hpp"

#include <limits>

namespace host_test {
namespace {

namespace detail = opencl::detail;

// The drivers of this process are what its first call finds, so these run in one of their own: the
// test calls itself, with `variables`, and wants `parts` in what opening a device says.
void expect_no_device(std::string const& test, std::string const& variables,
                      std::vector<std::string> const& parts) {
  if (std::getenv("WEFT_TEST_INNER") != nullptr) {
    std::size_t const found = opencl::devices().size();
    std::printf("found %zu: %s\n", found,
                text_of<opencl::no_device>([] { opencl::device d("gpu"); }).c_str());
    return;
  }
  outcome const o = run(again("WEFT_TEST_INNER=1 " + variables, test));
  EXPECT_EQ(o.code, 0) << o.output;
  for (std::string const& part : parts)
    EXPECT_TRUE(has(o.output, part)) << part << "\n" << o.output;
}

TEST(host_errors, no_library) {
  expect_no_device("host_errors.no_library", "WEFT_OPENCL_LIBRARY=/no/such.so",
                   {"found 0: weft: opencl: there is no device \"gpu\": WEFT_OPENCL_LIBRARY "
                    "(/no/such.so) is no OpenCL: /no/such.so: cannot open",
                    "; correct it, or unset it"});
}
TEST(host_errors, a_library_of_something_else) {
  expect_no_device("host_errors.a_library_of_something_else", "WEFT_OPENCL_LIBRARY=libc.so.6",
                   {"found 0: ", "(libc.so.6) is no OpenCL; correct it"});
}
TEST(host_errors, an_empty_name_of_a_library_is_none) {
  fresh_folder const vendors;
  expect_no_device("host_errors.an_empty_name_of_a_library_is_none",
                   "WEFT_OPENCL_LIBRARY= OCL_ICD_VENDORS=" + vendors.path.string(),
                   {"found 0: weft: opencl: there is no device \"gpu\", and no other"});
}
TEST(host_errors, no_platform) {
  fresh_folder const vendors;
  expect_no_device("host_errors.no_platform", "OCL_ICD_VENDORS=" + vendors.path.string(),
                   {"found 0: weft: opencl: there is no device \"gpu\"", "install"});
}

TEST(host_errors, devices_that_are_too_old) {
  for (char const* old : {"OpenCL 1.0 x", "OpenCL 1.1 CUDA", "OpenCL 0.9", "OpenCL 1", "", "1.2"})
    EXPECT_FALSE(detail::is_new_enough(old)) << old;
  for (char const* known : {"OpenCL 1.2 pocl", "OpenCL 2.0 x", "OpenCL 3.0 CUDA", "OpenCL 1.10"})
    EXPECT_TRUE(detail::is_new_enough(known)) << known;
}

struct host_errors_of_devices : host {};

TEST_F(host_errors_of_devices, no_such_device) {
  opencl::device_info const first = opencl::devices().front();
  std::string const named = text_of<opencl::no_device>([] { opencl::device d("no such thing"); });
  EXPECT_TRUE(named.starts_with(
      "weft: opencl: there is no device \"no such thing\"; name one of\n  0: " + first.name + " ("))
      << named;
  EXPECT_TRUE(has(named, first.driver));
  EXPECT_TRUE(has(text_of<opencl::no_device>([] { opencl::device d(1234); }), "device \"1234\""));
  EXPECT_TRUE(has(text_of<opencl::no_device>([] { opencl::device d(-1); }), "device \"-1\""));
  EXPECT_TRUE(has(text_of<opencl::no_device>([] { opencl::device d(""); }), "device \"\""));
}

TEST_F(host_errors_of_devices, a_program_that_does_not_build) {
  opencl::device d;
  std::string source = "// 1\n";
  for (int line = 2; line <= 20; ++line)
    source += line == 12 ? "__kernel void f(__global int* a) { a[0] = unknown_name; }\n"
                         : "// " + std::to_string(line) + "\n";
  std::string const text = text_of<opencl::build_error>([&] { d.build(source, "f"); });
  EXPECT_TRUE(text.starts_with("weft: opencl: the program of 'f' does not build on "));
  EXPECT_TRUE(
      has(text, "(CL_BUILD_PROGRAM_FAILURE); correct the source and the name of the kernel\n"))
      << text;
  EXPECT_TRUE(has(text, "use of undeclared identifier 'unknown_name'")) << text;
  EXPECT_TRUE(has(text, "\n> 12 | __kernel void f(")) << text;
  EXPECT_TRUE(has(text, "\n  6 | // 6\n") && !has(text, " 5 | // 5\n")) << text;
  EXPECT_TRUE(has(text, "\n  17 | // 17\n") && !has(text, " 18 | ")) << text;
  EXPECT_EQ(d.counted().programs_built, 0);
  std::string const twice = text_of<opencl::build_error>([&] { d.build(source, "f"); });
  EXPECT_TRUE(has(twice, "unknown_name"));
  std::string const name = text_of<opencl::build_error>([&] { d.build(add_source, "sub"); });
  EXPECT_TRUE(has(name, "clCreateKernel of 'sub' gives CL_INVALID_KERNEL_NAME (-46); correct the "))
      << name;
  char const* const own = opencl::detail::advice_on_own;
  for (auto const& [bad, called] : {std::pair(source, "f"), std::pair(add_source, "sub")})
    EXPECT_TRUE(has(text_of<opencl::build_error>([&] { d.build(bad, called, own); }),
                    "); this text is weft's: please report it with the log"));
}

TEST(host_errors, the_line_of_a_log) {
  EXPECT_EQ(detail::line_of_error("<kernel>:12:5: error: use of x\n"), 12);
  EXPECT_EQ(detail::line_of_error("a.cl:2:1: warning: x\n/tmp/a.cl:34:5: error: y\n"), 34);
  EXPECT_EQ(detail::line_of_error("error: /tmp/pocl/tempfile_x.cl:3:6: use of y\n"), 3);
  EXPECT_EQ(detail::line_of_error("error: something\n"), 0);
  EXPECT_EQ(detail::line_of_error(""), 0);
  EXPECT_EQ(detail::lines_around("a\nb\nc", 2), "  1 | a\n> 2 | b\n  3 | c\n");
  EXPECT_EQ(detail::lines_around("a\nb\n", 0), "  1 | a\n  2 | b\n");
  EXPECT_EQ(detail::lines_around("", 7), "");
}

TEST_F(host_errors_of_devices, groups_and_local_memory_that_are_too_large) {
  opencl::device d;
  opencl::memory const a = memory_of(d, {1});
  opencl::kernel k = d.build(add_source, "add");
  extent const many = 1 << 20, three = 3, two = 2, below = -1;
  std::string const unset = text_of<opencl::launch_error>([&] { d.launch(k, 1, &two, nullptr); });
  EXPECT_TRUE(has(unset, "of 'add' with (2) items, at most ")) << unset;
  EXPECT_TRUE(has(unset, "CL_INVALID_KERNEL_ARGS")) << unset;
  k.set(0, a);
  k.set(1, std::int32_t{1});
  std::string const large = text_of<opencl::launch_error>([&] { d.launch(k, 1, &many, &many); });
  EXPECT_TRUE(has(large, "with (1048576) items in groups of (1048576), at most " +
                             std::to_string(k.max_group()) + " in a group, gives CL_INVALID_WORK_"))
      << large;
  text_of<opencl::launch_error>([&] { d.launch(k, 1, &three, &two); });
  EXPECT_TRUE(has(text_of<weft::value_error>([&] { d.launch(k, 1, &below, nullptr); }),
                  "a launch of -1 items"));
  for (int dimensions : {0, 4, -1})
    EXPECT_TRUE(has(text_of<weft::value_error>([&] { d.launch(k, dimensions, &two, nullptr); }),
                    "a launch of " + std::to_string(dimensions) + " dimensions"));
  EXPECT_EQ(d.counted().launches, 0);
  EXPECT_EQ(values_of(d, a), std::vector<int>{1});

  opencl::kernel local = d.build("__kernel void f(__local int* s) { s[0] = 1; }", "f");
  for (extent bytes :
       {std::numeric_limits<extent>::max(), extent{1} << 30, extent{0}, extent{-4}}) {
    if (bytes > 0 && d.info().is_nvidia) continue; // its driver is asked, at the launch
    std::string const text = text_of<opencl::launch_error>([&] { local.set_local(0, bytes); });
    EXPECT_TRUE(has(text, "'f' is to have " + std::to_string(bytes) + " bytes of local memory"))
        << text;
    EXPECT_TRUE(has(text, "from 1 to " + std::to_string(d.info().local_bytes)));
  }
}

TEST_F(host_errors_of_devices, arguments_that_are_wrong) {
  opencl::device d;
  opencl::kernel k = d.build(add_source, "add");
  std::string const index = text_of<weft::usage_error>([&] { k.set(2, std::int32_t{1}); });
  EXPECT_TRUE(has(index, "clSetKernelArg of argument 2 of 'add' gives CL_INVALID_ARG_INDEX"))
      << index;
  std::string const size = text_of<weft::usage_error>([&] { k.set(1, std::int64_t{1}); });
  EXPECT_TRUE(has(size, "argument 1 of 'add' gives CL_INVALID_ARG_SIZE")) << size;
  EXPECT_TRUE(has(text_of<weft::usage_error>([&] { k.set(0, opencl::memory()); }),
                  "argument 0 of 'add' is an empty memory; "));
}

TEST_F(host_errors_of_devices, memory_that_there_is_not) {
  opencl::device d;
  extent const most = d.info().largest_buffer;
  for (extent bytes : {most + 1, std::numeric_limits<extent>::max()}) {
    std::string const text = text_of<opencl::out_of_memory>([&] { d.allocate(bytes); });
    EXPECT_TRUE(
        text.starts_with("weft: opencl: " + std::to_string(bytes) + " bytes are more than "))
        << text;
    EXPECT_TRUE(has(text, std::to_string(most) + "; split the array")) << text;
  }
  EXPECT_TRUE(has(text_of<weft::value_error>([&] { d.allocate(-1); }), "a memory of -1 bytes"));
  EXPECT_EQ(d.counted().buffers_alive, 0);
}

// A driver whose memory is used up for the next `failures` commands.
struct full {
  using table = opencl::detail::functions;
  inline static int failures = 0, code = 0;

  template <class T> struct command;
  template <class... Arguments> struct command<cl_int(CL_API_CALL*)(Arguments...)> {
    template <cl_int (CL_API_CALL* table::*Function)(Arguments...)> struct of {
      inline static cl_int(CL_API_CALL* own)(Arguments...) = nullptr;
      static cl_int CL_API_CALL call(Arguments... arguments) {
        return failures > 0 ? (--failures, code) : own(arguments...);
      }
    };
  };
  template <auto Function> struct replacing {
    using type = std::remove_reference_t<decltype(table{}.*Function)>;
    using calls = typename command<type>::template of<Function>;
    replaced<Function> const by{&calls::call};
    replacing() { calls::own = by.own; }
  };
};

TEST_F(host_errors_of_devices, commands_get_the_memory_of_the_pool) {
  opencl::device d;
  opencl::memory const a = memory_of(d, {1}), b = memory_of(d, {2});
  opencl::kernel k = d.build(add_source, "add");
  k.set(0, a);
  k.set(1, std::int32_t{10});
  full::replacing<&full::table::clEnqueueNDRangeKernel> const launches;
  full::replacing<&full::table::clEnqueueCopyBuffer> const copies;
  full::replacing<&full::table::clEnqueueWriteBuffer> const writes;
  full::replacing<&full::table::clEnqueueReadBuffer> const reads;
  full::replacing<&full::table::clEnqueueFillBuffer> const fills;
  auto const fails_and = [&](int failures, auto const& function) {
    for (int code : {CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_RESOURCES}) {
      extent const created = d.counted().buffers_created;
      d.allocate(1 << 20); // into the pool
      full::code = code;
      full::failures = failures;
      function();
      EXPECT_EQ(full::failures, 0);
      d.allocate(1 << 20);
      EXPECT_EQ(d.counted().buffers_created, created + 2); // it was gone
      d.trim();
    }
  };
  int value = 5;
  fails_and(1, [&] { launch_one(d, k, 1); });
  fails_and(1, [&] { d.copy(a, 0, b, 0, 4); });
  EXPECT_EQ(values_of(d, b), std::vector<int>{21});
  fails_and(1, [&] { d.put(b, 0, &value, 4); });
  fails_and(1, [&] { d.write(a, 0, &value, 4); });
  EXPECT_EQ(values_of(d, b), std::vector<int>{5});
  fails_and(1, [&] { d.read(a, 0, &value, 4); });
  fails_and(1, [&] { d.start_read(a, 0, &value, 4).wait(); });
  EXPECT_EQ(value, 5);
  EXPECT_EQ(d.counted().launches, 2);
  fails_and(2, [&] {
    bool const full_memory = full::code == CL_MEM_OBJECT_ALLOCATION_FAILURE;
    std::string const text = full_memory
                                 ? text_of<opencl::out_of_memory>([&] { launch_one(d, k, 1); })
                                 : text_of<opencl::launch_error>([&] { launch_one(d, k, 1); });
    EXPECT_TRUE(
        has(text, full_memory ? "or release results" : "memory is used up: release results"))
        << text;
  });
  EXPECT_EQ(d.counted().launches, 2);
}

TEST_F(host_errors_of_devices, places_outside_memory) {
  opencl::device d;
  opencl::memory const m = d.allocate(16), other = d.allocate(64), none;
  int x[4]{};
  EXPECT_EQ(text_of<weft::index_error>([&] { d.read(m, 12, x, 8); }),
            "weft: read: 8 bytes from 12 of a device memory of 16; stay within it");
  extent const huge = std::numeric_limits<extent>::max();
  for (auto [at, bytes] :
       {std::pair<extent, extent>{17, 0}, {0, 17}, {-1, 4}, {4, -1}, {4, huge}, {huge, huge}}) {
    text_of<weft::index_error>([&] { d.write(m, at, x, bytes); });
    text_of<weft::index_error>([&] { (void)d.start_write(m, at, x, bytes); });
    text_of<weft::index_error>([&] { (void)d.start_read(m, at, x, bytes); });
    text_of<weft::index_error>([&] { d.copy(m, at, other, 0, bytes); });
    text_of<weft::index_error>([&] { d.copy(other, 0, m, at, bytes); });
  }
  text_of<weft::index_error>([&] { d.read(none, 0, x, 4); });
  EXPECT_EQ(d.counted().bytes_written + d.counted().bytes_read, 0);
  EXPECT_TRUE(has(text_of<weft::usage_error>([&] { d.copy(other, 0, other, 4, 16); }),
                  "clEnqueueCopyBuffer gives CL_MEM_COPY_OVERLAP"));
}

TEST_F(host_errors_of_devices, memory_of_another_device) {
  opencl::device d, other;
  EXPECT_FALSE(d.same_as(other));
  opencl::memory const own = memory_of(d, {1}), foreign = memory_of(other, {2});
  EXPECT_FALSE(own.same_device(foreign));
  opencl::kernel k = d.build(add_source, "add");
  int x = 0;
  auto const refused = [](auto const& function) {
    EXPECT_TRUE(has(text_of<weft::usage_error>(function), "another opened device"));
  };
  refused([&] { k.set(0, foreign); });
  refused([&] { d.write(foreign, 0, &x, 4); });
  refused([&] { d.read(foreign, 0, &x, 4); });
  refused([&] { (void)d.start_read(foreign, 0, &x, 4); });
  refused([&] { (void)d.start_write(foreign, 0, &x, 4); });
  refused([&] { d.copy(foreign, 0, own, 0, 4); });
  refused([&] { d.copy(own, 0, foreign, 0, 4); });
  k.set(0, own);
  k.set(1, std::int32_t{1});
  refused([&] { launch_one(other, k, 1); });
  refused([&] { launch_one(d, opencl::kernel(), 1); });
  launch_one(d, k, 1);
  EXPECT_EQ(values_of(d, own), std::vector<int>{2});
  EXPECT_EQ(values_of(other, foreign), std::vector<int>{2});
}

template <class Error> void expect_fails(int code, detail::stage at) {
  std::string const text = text_of<Error>([&] { detail::fail(code, at, "clCall of 'x'"); });
  EXPECT_TRUE(text.starts_with("weft: opencl: clCall of 'x' gives " +
                               std::string(detail::row_of(code).name) + " (" +
                               std::to_string(code) + "); "))
      << text;
  EXPECT_FALSE(text.ends_with("; "));
}

TEST(host_errors, every_code_has_a_class) {
  using detail::failure, detail::stage;
  for (detail::error_code const& row : detail::error_codes) {
    switch (row.is) {
      case failure::device: expect_fails<opencl::no_device>(row.code, stage::prepare); break;
      case failure::lost: expect_fails<opencl::device_lost>(row.code, stage::launch); break;
      case failure::memory: expect_fails<opencl::out_of_memory>(row.code, stage::launch); break;
      case failure::build: expect_fails<opencl::build_error>(row.code, stage::build); break;
      case failure::launch: expect_fails<opencl::launch_error>(row.code, stage::launch); break;
      case failure::call: expect_fails<weft::usage_error>(row.code, stage::prepare); break;
      case failure::by_stage:
        expect_fails<opencl::out_of_memory>(row.code, stage::allocate);
        expect_fails<opencl::out_of_memory>(row.code, stage::prepare);
        expect_fails<opencl::build_error>(row.code, stage::build);
        expect_fails<opencl::launch_error>(row.code, stage::launch);
        expect_fails<opencl::device_lost>(row.code, stage::wait);
        break;
    }
  }
  expect_fails<opencl::device_lost>(-9999, stage::wait);
  // The names are CL/cl.h's: some of each end.
  EXPECT_STREQ(detail::row_of(CL_OUT_OF_RESOURCES).name, "CL_OUT_OF_RESOURCES");
  EXPECT_STREQ(detail::row_of(CL_INVALID_WORK_GROUP_SIZE).name, "CL_INVALID_WORK_GROUP_SIZE");
  EXPECT_STREQ(detail::row_of(CL_INVALID_BUFFER_SIZE).name, "CL_INVALID_BUFFER_SIZE");
  EXPECT_STREQ(detail::row_of(CL_INVALID_KERNEL_ARGS).name, "CL_INVALID_KERNEL_ARGS");
}

} // namespace
} // namespace host_test
