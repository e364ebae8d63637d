// SPDX-License-Identifier: BSL-1.0
// build: alone
// weft's own packs: the cases of pack_cases.hpp.
#include "support/targets.hpp"
#include <weft/cpu/pack.hpp>

#include <gtest/gtest.h>

#include <string>

namespace {

using targets = testing::Types<test::narrow_target, weft::cpu::native_target>;
struct target_names {
  template <class Target> static std::string GetName(int index) {
    return index == 0 ? "generic" : "native";
  }
};

} // namespace

#include "pack_cases.hpp"
