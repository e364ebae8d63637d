// inputs 6cbf003e7f4607bebdf2233fdfd5d63da12109bffd22b93e79e9a63fe673723ffe2734bf55f9a1bfea8e1fbf6e45293d4ecd14c0ec0a60be037a9fbfe0753bbf8f540bbf18f2a1be3dc1d23e1471853f979e03be46e8ae3f334a2abf21f9b33ed249673f8589c03df8553ebf32f66bbf0a5beabed57a613e2b3b81bf1f3256bee20b23bedb740a3f9acf5b3e69f3b53e506127bf70b904be9eb2483fc028bf3f0f29a1bf41c8c13fa545ac3f0604483fba66873e7ebaa0be6ca0ba3fbfe9fa3f41b5313f852442bfbde2b53f48e1393fddfe573f431a953f629f493f8a15583fd3d09a3d87a0b6bf43490abee9fe44bf671cb6bfed53843e758c11bfa2d083bf0f8185bff76d893e
// outputs dc6116be452c06be1463e83f085d053ed2125040ba300dc0d87324c0ff6ef03ff649aebe73aefb3fe07ea1becc069ac0ead29fbeed24dd3da7f1394027f01f3fdc6116bed2125040f649aebeead29fbe452c06beba300dc073aefb3fed24dd3d1463e83fd87324c0e07ea1bea7f13940085d053eff6ef03fcc069ac027f01f3fb772863f24a9073dc479573ea12e0240207e923fec910640bc0c9c3f4bfd363e1ceb0640124c414081db753fd5d8773f8cda0f4013185a3fc0964b3fba502b404427d2be328fba3faaca02c0b642824013567e3fa3db963f97048940298aff3f9c773940195779403c516dbeb6326440b5a3e83d75a9413c9d72bfbd1257edbd84b96bbd09cce23c3d6ff4bd157b4bbc7f27c93d9d5ff93d17ad773dbc4beebc4f1f143f409c763d6dcaf3be7f1d17bf2e1696be0267103eef18c23dcf93213ce1ba9fbdef04c6bde4ab44bd0e39bd3cc7c9f7bec6454ebd05eacb3e80cbfc3e03137b3eb590f1bdf543a73eb23d0b3d24a689be2aa5aabed27b29be9510a33dda6116beba300dc0e17ea1be27f01f3f
// tolerance 2e-05
module @jit__lambda {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<4x6xf32>, %arg2: tensor<2x3x3xf32>) -> (tensor<4x4xf32>, tensor<4x4xf32>, tensor<2x3x3xf32>, tensor<f32>, tensor<3x3xf32>, tensor<6x6xf32>, tensor<4xf32>) {
    %0 = stablehlo.transpose %arg1, dims = [1, 0] : (tensor<4x6xf32>) -> tensor<6x4xf32>
    %1 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<6x4xf32>) -> tensor<4x4xf32>
    %2 = stablehlo.dot_general %arg1, %arg0, contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4x4xf32>
    %3 = stablehlo.dot_general %arg2, %arg2, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<2x3x3xf32>
    %4 = stablehlo.reshape %arg0 : (tensor<4x6xf32>) -> tensor<24xf32>
    %5 = stablehlo.reshape %arg1 : (tensor<4x6xf32>) -> tensor<24xf32>
    %6 = stablehlo.dot_general %4, %5, contracting_dims = [0] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24xf32>, tensor<24xf32>) -> tensor<f32>
    %7 = stablehlo.dot_general %arg2, %arg2, contracting_dims = [0, 2] x [0, 1], precision = [DEFAULT, DEFAULT] : (tensor<2x3x3xf32>, tensor<2x3x3xf32>) -> tensor<3x3xf32>
    %8 = stablehlo.slice %arg0 [0:1, 0:6] : (tensor<4x6xf32>) -> tensor<1x6xf32>
    %9 = stablehlo.reshape %8 : (tensor<1x6xf32>) -> tensor<6xf32>
    %10 = stablehlo.slice %arg1 [0:1, 0:6] : (tensor<4x6xf32>) -> tensor<1x6xf32>
    %11 = stablehlo.reshape %10 : (tensor<1x6xf32>) -> tensor<6xf32>
    %12 = stablehlo.broadcast_in_dim %9, dims = [0] : (tensor<6xf32>) -> tensor<6x1xf32>
    %13 = stablehlo.broadcast_in_dim %11, dims = [1] : (tensor<6xf32>) -> tensor<1x6xf32>
    %14 = stablehlo.broadcast_in_dim %12, dims = [0, 1] : (tensor<6x1xf32>) -> tensor<6x6xf32>
    %15 = stablehlo.broadcast_in_dim %13, dims = [0, 1] : (tensor<1x6xf32>) -> tensor<6x6xf32>
    %16 = stablehlo.multiply %14, %15 : tensor<6x6xf32>
    %17 = stablehlo.dot_general %arg0, %arg1, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x6xf32>, tensor<4x6xf32>) -> tensor<4xf32>
    return %1, %2, %3, %6, %7, %16, %17 : tensor<4x4xf32>, tensor<4x4xf32>, tensor<2x3x3xf32>, tensor<f32>, tensor<3x3xf32>, tensor<6x6xf32>, tensor<4xf32>
  }
}
