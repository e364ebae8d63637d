// inputs f99be63f5255a83f91fab63e2faa9abffaf391bbbe0e283f07e9a4bf704dca3e
// outputs a635793f51ad773fc91bb33e178db53e5aff7f3f793e1c3f19b18e3e5814c53e
// tolerance 2e-05
module @jit__lambda {
  func.func public @main(%arg0: tensor<8xf32>) -> (tensor<8xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
    %1 = stablehlo.compare GT, %arg0, %0, FLOAT : (tensor<8xf32>, tensor<8xf32>) -> tensor<8xi1>
    %2 = stablehlo.convert %1 : (tensor<8xi1>) -> tensor<8xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %3 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %4 = stablehlo.compare EQ, %2, %3, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %5 = stablehlo.select %4, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %6 = stablehlo.cosine %5 : tensor<8xf32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %8 = stablehlo.compare EQ, %2, %7, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %9 = stablehlo.select %8, %arg0, %arg0 : tensor<8xi1>, tensor<8xf32>
    %10 = stablehlo.sine %9 : tensor<8xf32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %11 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<8xi32>
    %12 = stablehlo.compare LT, %2, %11, SIGNED : (tensor<8xi32>, tensor<8xi32>) -> tensor<8xi1>
    %13 = stablehlo.select %12, %6, %10 : tensor<8xi1>, tensor<8xf32>
    return %13 : tensor<8xf32>
  }
}
