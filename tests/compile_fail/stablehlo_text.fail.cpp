// SPDX-License-Identifier: BSL-1.0
// expect: weft: stablehlo: the module is refused; line, column and reason are the arguments of module_is_read
#include <weft/stablehlo.hpp>
#include <weft/weft.hpp>

struct net : weft::stablehlo::program<[] {
  return R"(module {
    func.func public @main(%x: tensor<3xf32>) -> tensor<3xf32> {
      %y = stablehlo.nonsense %x : tensor<3xf32>
      return %y : tensor<3xf32>
    }
  })";
}> {};
