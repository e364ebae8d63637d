// inputs 00000000000000806042a20d9a99993e000020c00000f84000003841000044410000f0c1caf249710000807f000080ff0000c07f00000000000000000000000000000080a0c2ebfe4b48b439333333333333d33f00000000000004c00000000000001f40000000000000274000000000008028400000000000003ec0ea8ca039593e29469c7500883ce4377e9c7500883ce437fe000000000000f87f000000800000cd3400c1c047c049204a80cf537b537b53fb007e00000080a20d9a3e20c0f84038414441f0c14a71807f80ffc07f
// outputs 00000000000000806042220d3626e63dec8a53beff500b3e70d7e83d5518e23ddf4893bd7ef9e52500000000000000800000c07f00000000000000000000000000000080a1c2ebfe4b48a439f69ac09bc6c4bc3f24d4cba45d71cabf4806b7581f6ac13f54750903ee1abd3facf4569e0a43bc3f2732f8cf1b69b2bfed2f50a72fbfbc3ced393a04f1e4b420ed393a04f1e4b4a0000000000000f87f000000800000312f9cb25b30472f112f9aacac16ac16ac96007e00000080220de73d54be0b3ee93de23d93bde62500000080c07f
// tolerance 1e-6
module @jit__lambda attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<13xf32>, %arg1: tensor<13xf64>, %arg2: tensor<13xf16>, %arg3: tensor<13xbf16>) -> (tensor<13xf32> {jax.result_info = "result[0]"}, tensor<13xf64> {jax.result_info = "result[1]"}, tensor<13xf16> {jax.result_info = "result[2]"}, tensor<13xbf16> {jax.result_info = "result[3]"}) {
    %0 = chlo.bessel_i1e %arg0 : tensor<13xf32> -> tensor<13xf32>
    %1 = chlo.bessel_i1e %arg1 : tensor<13xf64> -> tensor<13xf64>
    %2 = chlo.bessel_i1e %arg2 : tensor<13xf16> -> tensor<13xf16>
    %3 = chlo.bessel_i1e %arg3 : tensor<13xbf16> -> tensor<13xbf16>
    return %0, %1, %2, %3 : tensor<13xf32>, tensor<13xf64>, tensor<13xf16>, tensor<13xbf16>
  }
}
