// inputs d081803f282f1ebfab37e93fe203a9bfe75929bf705f6f3f
// outputs fc86813fae9571bef28dc140995713c0043994bec049513fd1fb7d3f7f9f2740c93a9a3ef0d3123fee3e12405566923f0000803f0000803f0000803f0000803f0000803f0000803f
// tolerance 2e-05
module @jit__lambda {
  func.func public @main(%arg0: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>, tensor<6xf32>) {
    %0 = stablehlo.multiply %arg0, %arg0 : tensor<6xf32>
    %1 = stablehlo.multiply %0, %arg0 : tensor<6xf32>
    %2 = stablehlo.multiply %arg0, %arg0 : tensor<6xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %4 = stablehlo.divide %3, %2 : tensor<6xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %5 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<6xf32>
    return %1, %4, %5 : tensor<6xf32>, tensor<6xf32>, tensor<6xf32>
  }
}
