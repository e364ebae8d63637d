// inputs 16adabbf0465b3bfd3af003fd55d7d3fd73c28beca8489bfa87126eeb10ad0bb2e9d8007edb84f0417c22683
// outputs 16adabbf0465b3bfd3af003fd55d7d3fd73c28beca8489bfa87126eeb10ad0bb2e9d8007edb84f0417c2268316adabbf0465b3bfd3af003fd55d7d3fd73c28beca8489bf
// tolerance 2e-05
module @jit__lambda {
  func.func public @main(%arg0: tensor<3x2xf32>, %arg1: tensor<5x4xui8>) -> (tensor<3x2x4xui8>, tensor<5xf32>, tensor<3x2xi32>) {
    %0 = stablehlo.bitcast_convert %arg0 : (tensor<3x2xf32>) -> tensor<3x2x4xui8>
    %1 = stablehlo.bitcast_convert %arg1 : (tensor<5x4xui8>) -> tensor<5xf32>
    %2 = stablehlo.bitcast_convert %arg0 : (tensor<3x2xf32>) -> tensor<3x2xi32>
    return %0, %1, %2 : tensor<3x2x4xui8>, tensor<5xf32>, tensor<3x2xi32>
  }
}
