// inputs fc4d13405255e83f487d5b3f2faada3fe823013f5f07943f07e9e43fb826653f
// outputs fc4d934152556841487d5b412faa5a41e82381415f07944107e96441b8266541
// tolerance 2e-05
module @jit__lambda {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<8xf32>) {
    %0 = stablehlo.while(%iterArg = %arg0) : tensor<8xf32>
    cond {
      %cst = stablehlo.constant dense<1.000000e+01> : tensor<f32>
      %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %2 = stablehlo.compare LT, %iterArg, %1, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %c = stablehlo.constant dense<false> : tensor<i1>
      %3 = stablehlo.reduce(%2 init: %c) applies stablehlo.or across dimensions = [0] : (tensor<8xi1>, tensor<i1>) -> tensor<i1>
      stablehlo.return %3 : tensor<i1>
    } do {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %1 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %2 = stablehlo.multiply %iterArg, %1 : tensor<8xf32>
      %cst_0 = stablehlo.constant dense<1.000000e+01> : tensor<f32>
      %3 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %4 = stablehlo.compare LT, %iterArg, %3, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
      %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<8xi1>) -> tensor<8xi1>
      %6 = stablehlo.select %5, %2, %iterArg : tensor<8xi1>, tensor<8xf32>
      stablehlo.return %6 : tensor<8xf32>
    }
    return %0 : tensor<8xf32>
  }
}
