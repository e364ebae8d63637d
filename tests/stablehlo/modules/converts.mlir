// inputs 000000000000c03f00002040000000006666c942
// outputs 00000000010000000200000000000000640000000001020064000102006400010100010000003e004100004b560000c03f20400000c942000000000000803f00000040000000000000c842000000000000803f00000040000000000000c842
// tolerance 2e-05
module @jit__lambda {
  func.func public @main(%arg0: tensor<5xf32>) -> (tensor<5xi32>, tensor<5xui8>, tensor<5xi8>, tensor<5xi1>, tensor<5xf16>, tensor<5xbf16>, tensor<5xf32>, tensor<5xf32>) {
    %0 = stablehlo.convert %arg0 : (tensor<5xf32>) -> tensor<5xi32>
    %1 = stablehlo.convert %arg0 : (tensor<5xf32>) -> tensor<5xui8>
    %2 = stablehlo.convert %arg0 : (tensor<5xf32>) -> tensor<5xi8>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %3 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5xf32>
    %4 = stablehlo.compare NE, %arg0, %3, FLOAT : (tensor<5xf32>, tensor<5xf32>) -> tensor<5xi1>
    %5 = stablehlo.convert %4 : tensor<5xi1>
    %6 = stablehlo.convert %arg0 : (tensor<5xf32>) -> tensor<5xf16>
    %7 = stablehlo.convert %arg0 : (tensor<5xf32>) -> tensor<5xbf16>
    %8 = stablehlo.convert %arg0 : (tensor<5xf32>) -> tensor<5xi32>
    %9 = stablehlo.convert %8 : (tensor<5xi32>) -> tensor<5xf32>
    %10 = stablehlo.convert %arg0 : (tensor<5xf32>) -> tensor<5xui8>
    %11 = stablehlo.convert %10 : (tensor<5xui8>) -> tensor<5xf32>
    return %0, %1, %2, %5, %6, %7, %9, %11 : tensor<5xi32>, tensor<5xui8>, tensor<5xi8>, tensor<5xi1>, tensor<5xf16>, tensor<5xbf16>, tensor<5xf32>, tensor<5xf32>
  }
}
