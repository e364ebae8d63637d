// inputs 1a000000e1ffffff0e000000610000002e000000dbffffffa9ffffffc1ffffffd2ffffff4b000000d2ffffff3d000000d3ffffff2100000005000000
// outputs fbffffffffffffffffffffff00000000000000000000000088ffffff
// tolerance 2e-05
module @jit__lambda {
  func.func public @main(%arg0: tensor<5x3xi32>) -> (tensor<3xi32>, tensor<3xi32>, tensor<i32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.reduce(%arg0 init: %c) applies stablehlo.or across dimensions = [0] : (tensor<5x3xi32>, tensor<i32>) -> tensor<3xi32>
    %c_0 = stablehlo.constant dense<-1> : tensor<i32>
    %1 = stablehlo.reduce(%arg0 init: %c_0) applies stablehlo.and across dimensions = [0] : (tensor<5x3xi32>, tensor<i32>) -> tensor<3xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %2 = stablehlo.reduce(%arg0 init: %c_1) applies stablehlo.xor across dimensions = [0, 1] : (tensor<5x3xi32>, tensor<i32>) -> tensor<i32>
    return %0, %1, %2 : tensor<3xi32>, tensor<3xi32>, tensor<i32>
  }
}
