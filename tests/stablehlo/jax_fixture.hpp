// SPDX-License-Identifier: BSL-1.0
// Modules on their way through JAX, all in one run of run_in_jax.py. Skipped unless WEFT_JAX_PYTHON
// names a Python that has JAX.
#pragma once

#include "jax_folder.hpp"
#include "module_text.hpp"
#include "random/random_source.hpp"

#include <gtest/gtest.h>

#include <cstdlib>
#include <random>
#include <vector>

namespace test {

namespace files = std::filesystem;

class jax : public testing::Test {
protected:
  struct job {
    std::string name;
    weft::graph program;
    growing<dense> inputs;
  };
  void SetUp() override {
    python_ = std::getenv("WEFT_JAX_PYTHON");
    if (python_ == nullptr) GTEST_SKIP() << "WEFT_JAX_PYTHON names no Python with JAX";
    folder_ = files::temp_directory_path() / ("weft_jax_" + std::to_string(std::random_device{}()));
    files::create_directories(folder_);
  }
  void TearDown() override {
    if (!folder_.empty()) files::remove_all(folder_);
  }
  void add(std::string const& name, weft::graph const& g, growing<dense> const& inputs) {
    std::string const text = exported(g);
    files::path const at = folder_ / name;
    files::create_directories(at);
    std::ofstream(at / "m.mlir") << text;
    for (int i = 0; i < inputs.size(); ++i)
      write_npy(at / ("in_" + std::to_string(i) + ".npy"), inputs[i]);
    jobs_.push_back({name, g, inputs});
  }
  void run() {
    std::string const script = std::string(WEFT_SOURCE_DIR) + "/tests/stablehlo/run_in_jax.py";
    std::string const command = std::string(python_) + " " + script + " " + folder_.string();
    ASSERT_EQ(std::system(command.c_str()), 0) << command;
  }
  // What JAX gave; nothing and a failed test if it refused.
  growing<dense> results(job const& j, growing<dense> const& like) const {
    growing<dense> all;
    files::path const at = folder_ / j.name;
    if (std::ifstream error(at / "error.txt"); error) {
      std::string text;
      for (std::string line; std::getline(error, line) && text.size() < 2000;) text += line + "\n";
      ADD_FAILURE() << j.name << ": " << text;
      return all;
    }
    for (int k = 0; k < like.size(); ++k) {
      auto const x = read_npy(at / ("out_" + std::to_string(k) + ".npy"), like[k].type,
                              like[k].shape);
      EXPECT_TRUE(x) << j.name << ": result " << k << " has another type or shape";
      all.push(x ? *x : dense{});
    }
    return all;
  }

  char const* python_ = nullptr;
  files::path folder_;
  std::vector<job> jobs_;
};

} // namespace test
