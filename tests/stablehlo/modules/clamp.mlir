// inputs 00000000000000800000c07f0000807f000080ff0000c03f000020c09063730e9976967e0000e0c0
// outputs 00000000000000800000c07f0000803f000080bf0000803f000080bf9063730e0000803f000080bf00000000000000000000c07f0000807f000000000000c03f000000009063730e9976967e00000000
// tolerance 2e-05
module @jit__lambda {
  func.func public @main(%arg0: tensor<10xf32>) -> (tensor<10xf32>, tensor<10xf32>) {
    %cst = stablehlo.constant dense<-1.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %2 = stablehlo.clamp %0, %arg0, %1 : tensor<10xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = call @clip(%arg0, %c) : (tensor<10xf32>, tensor<i32>) -> tensor<10xf32>
    return %2, %3 : tensor<10xf32>, tensor<10xf32>
  }
  func.func private @clip(%arg0: tensor<10xf32>, %arg1: tensor<i32>) -> tensor<10xf32> {
    %0 = stablehlo.convert %arg1 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %2 = stablehlo.maximum %1, %arg0 : tensor<10xf32>
    return %2 : tensor<10xf32>
  }
}
