// inputs 6cbf003e7f4607bebdf2233fdfd5d63da12109bffd22b93e79e9a63fe673723ffe2734bf55f9a1bfea8e1fbf6e45293d4ecd14c0ec0a60be037a9fbfe0753bbf8f540bbf18f2a1be3dc1d23e1471853f979e03be46e8ae3f334a2abf21f9b33ed249673f8589c03df8553ebf32f66bbf0a5beabed57a613e2b3b81bf1f3256bee20b23bedb740a3f9acf5b3e69f3b53e506127bf70b904be9eb2483fc028bf3f0f29a1bf41c8c13fa545ac3f0604483fba66873e7ebaa0be6ca0ba3fbfe9fa3f
// outputs 929b103fc69c99beee3dacc0823718409ba3f7bedac0d13f7708b8bf42bd06bfd49317c0b452e03e1b7c4d3f1283023bb610c93c78526f3e2eb3383e69cc6d3e000040408e0b2140367094408af7c73fb0501e40b5b0213f570a5c40
// tolerance 2e-05
module @jit__lambda {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xf32>) -> (tensor<4xf32>, tensor<6xf32>, tensor<6xf32>, tensor<f32>, tensor<6xf32>) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst) across dimensions = [1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<4xf32>
     reducer(%arg2: tensor<f32>, %arg3: tensor<f32>)  {
      %cst_4 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %4 = stablehlo.multiply %arg3, %cst_4 : tensor<f32>
      %5 = stablehlo.add %arg2, %4 : tensor<f32>
      %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %6 = stablehlo.multiply %arg2, %cst_5 : tensor<f32>
      %7 = stablehlo.add %5, %6 : tensor<f32>
      stablehlo.return %7 : tensor<f32>
    }
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %1:2 = stablehlo.reduce(%arg0 init: %cst_0), (%arg1 init: %cst_1) across dimensions = [0] : (tensor<4x6xf32>, tensor<4x6xf32>, tensor<f32>, tensor<f32>) -> (tensor<6xf32>, tensor<6xf32>)
     reducer(%arg2: tensor<f32>, %arg4: tensor<f32>) (%arg3: tensor<f32>, %arg5: tensor<f32>)  {
      %4 = stablehlo.add %arg2, %arg4 : tensor<f32>
      %5 = stablehlo.multiply %arg3, %arg5 : tensor<f32>
      stablehlo.return %4, %5 : tensor<f32>, tensor<f32>
    }
    %cst_2 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %2 = stablehlo.reduce(%arg0 init: %cst_2) applies stablehlo.maximum across dimensions = [0, 1] : (tensor<4x6xf32>, tensor<f32>) -> tensor<f32>
    %cst_3 = stablehlo.constant dense<3.000000e+00> : tensor<f32>
    %3 = stablehlo.reduce(%arg0 init: %cst_3) applies stablehlo.add across dimensions = [0] : (tensor<4x6xf32>, tensor<f32>) -> tensor<6xf32>
    return %0, %1#0, %1#1, %2, %3 : tensor<4xf32>, tensor<6xf32>, tensor<6xf32>, tensor<f32>, tensor<6xf32>
  }
}
