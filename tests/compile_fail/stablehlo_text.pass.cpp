// SPDX-License-Identifier: BSL-1.0
#include <weft/stablehlo.hpp>
#include <weft/weft.hpp>

struct net : weft::stablehlo::program<[] {
  return R"(module {
    func.func public @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %y = stablehlo.negate %x : tensor<3xf32>
      return %y : tensor<3xf32>
    }
  })";
}> {};
