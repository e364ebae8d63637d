// inputs d08c6540db975341787c0ebec1b12641c45c6041c90638416d39bdc1e2964441575b5940599b8740e6956d40eff67440d46c4c405bb465c07e2198c12d698bbfdb9800c17ed32c4181cf38c069b2553fdcef07c13166a3c07632ecbdf8a86dc140704040c2c587bf16b73dc1d0dbbfc13a2da4402b743ec04a9aa9c0932317c06e51914120fbfebecdbe5d3f
// outputs c02589c3003a254390e484c2c04e56c2e06499c380706f43406b5b43d00e3fc3d0a6a54240e0cfc380d1154238b539c2fbfeffffae000000c9ffffffc8ffffff00ffffffdb000000cf00000057ffffff3e00000074feffff12000000e8ffffff89c3254385c256c299c36f435b433fc3a642d0c316423ac2bef288c37fcf2543a7b184c222b555c2a84499c3b0646f43b5985b4381cb3ec39c52a54253f9cfc3c37f1542651a3ac2
// tolerance 0.01
module @jit__lambda {
  func.func public @main(%arg0: tensor<3x5xf32>, %arg1: tensor<5x4xf32>) -> (tensor<3x4xf32>, tensor<3x4xi32>, tensor<3x4xbf16>, tensor<3x4xf32>) {
    %0 = stablehlo.convert %arg0 : (tensor<3x5xf32>) -> tensor<3x5xbf16>
    %1 = stablehlo.convert %arg1 : (tensor<5x4xf32>) -> tensor<5x4xbf16>
    %2 = stablehlo.dot_general %0, %1, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xbf16>, tensor<5x4xbf16>) -> tensor<3x4xf32>
    %3 = stablehlo.convert %arg0 : (tensor<3x5xf32>) -> tensor<3x5xi8>
    %4 = stablehlo.convert %arg1 : (tensor<5x4xf32>) -> tensor<5x4xi8>
    %5 = stablehlo.dot_general %3, %4, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xi8>, tensor<5x4xi8>) -> tensor<3x4xi32>
    %6 = stablehlo.convert %arg0 : (tensor<3x5xf32>) -> tensor<3x5xbf16>
    %7 = stablehlo.convert %arg1 : (tensor<5x4xf32>) -> tensor<5x4xbf16>
    %8 = stablehlo.dot_general %6, %7, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xbf16>, tensor<5x4xbf16>) -> tensor<3x4xbf16>
    %9 = stablehlo.convert %arg1 : (tensor<5x4xf32>) -> tensor<5x4xbf16>
    %10 = stablehlo.convert %arg0 : tensor<3x5xf32>
    %11 = stablehlo.convert %9 : (tensor<5x4xbf16>) -> tensor<5x4xf32>
    %12 = stablehlo.dot_general %10, %11, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<3x5xf32>, tensor<5x4xf32>) -> tensor<3x4xf32>
    return %2, %5, %8, %12 : tensor<3x4xf32>, tensor<3x4xi32>, tensor<3x4xbf16>, tensor<3x4xf32>
  }
}
