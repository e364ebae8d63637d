// SPDX-License-Identifier: BSL-1.0
// build: alone long
// weft's own packs: the cases of pack_type_cases.hpp.
#include "support/targets.hpp"
#include <weft/cpu/target.hpp>

#include <gtest/gtest.h>

namespace {

using targets = testing::Types<test::narrow_target, weft::cpu::native_target>;

} // namespace

#include "pack_type_cases.hpp"
