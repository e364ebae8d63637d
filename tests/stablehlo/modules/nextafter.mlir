// inputs 00000000000000800000c07f0000807f000080ff0000c03f000020c09063730e9976967e0000e0c09063730e9976967e0000e0c000000000000000800000c07f0000807f000080ff0000c03f000020c0
// outputs 01000000010000000000c07fffff7f7fffff7fff0000c07fffff1fc08f63730e9876967effffdfc0
// tolerance 2e-05
module @jit_nextafter {
  func.func public @main(%arg0: tensor<10xf32>, %arg1: tensor<10xf32>) -> (tensor<10xf32>) {
    %0 = chlo.next_after %arg0, %arg1 : tensor<10xf32>, tensor<10xf32> -> tensor<10xf32>
    return %0 : tensor<10xf32>
  }
}
