// inputs 666666bfec5138bf713d0abfec51b8beec5138be000000a5ec51383eec51b83e713d0a3fec51383f6666663fcdcc8c3f52b8be3fd7a3f03fae471140713d2a4033334340f6285c40b81e75403d0a87401f8593400000a040
// outputs 9b548fbffec54dbf2b0812bf9c8dbcbe835439be000000a58354393e9c8dbc3e2b08123ffec54d3f9b548f3f3b322c406df91740f80909404133f83f6b3ae03fda0fc93f4ae5b13f74ec993fc50b803fb759443ffeece63ec6993bbffbbf1fbf1b82fdbeaaecb0beff5d36be000000a5ff5d363eaaecb03e1b82fd3efbbf1f3fc6993b3fe66483bfc4a948bf9f0e11bfc153bcbe235139be000000a52451393ec253bc3e9e0e113fc6a9483fe664833f606fb73fc9a2a23fce1e933f6662883f4714823f0000803f4714823f6662883fce1e933fc9a2a23f606fb73fe6114fbfe6412bbf704604bfed8db4bec45637be000000a5c456373eed8db43e7046043fe6412b3fe6114f3faf71bcbf6d5b68bff1a91abf31f7c0beac593abe000000a5ac593a3e31f7c03ef1a91a3f6d5b683faf71bc3f2d024cbfc20131bf7f100ebf3a56c7be20c24dbeba6e10a520c24d3e3a56c73e7f100e3fc201313f2d024c3f1601e63fe180d83f4008c73f8ed5b13f44b8993f0000803f788f4c3fe4541c3f00dfe33e7afc9d3e4ff74f3e09e094bf068f43bfdebe05bf3953a9be9bc224bec3dfe2a49bc2243e3953a93edebe053f068f433f09e0943fa8ea1640a49abf3fa7b7a23f7237ae3fa18bec3f7cf21242c956d13f54c3673fc0c5fe3ea0b6723e00f0873d930015c16afa17c061b4a5bea403b03f695794400000005a07d9bbc0186238c0c2a9e3bf771195bfe74241bf621be33eac13743f27539f3fcaefba3f622ad13f9adfe33faf11f43f5e2f0140c6970740c8660d4033b712404344eebf03d357bf65dbf0be443e98be24ee50be9ee417be987fe6bdbfb9b4bdd86c91bd19026fbdc4d747bd76dbab3fe64a1a3f8485863eb84be23d8688373defb98f3c0fc7d93b62f11f3b1d30643a68629e391249d638656666bfeb5138bf703d0abfeb51b8beeb5138beffffffa4ed51383eed51b83e723d0a3fed51383f6766663f
// tolerance 0.0001
module @jit__lambda {
  func.func public @main(%arg0: tensor<11xf32>, %arg1: tensor<11xf32>) -> (tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>) {
    %0 = chlo.asin %arg0 : tensor<11xf32> -> tensor<11xf32>
    %1 = chlo.acos %arg0 : tensor<11xf32> -> tensor<11xf32>
    %2 = chlo.atan %arg0 : tensor<11xf32> -> tensor<11xf32>
    %3 = chlo.sinh %arg0 : tensor<11xf32> -> tensor<11xf32>
    %4 = chlo.cosh %arg0 : tensor<11xf32> -> tensor<11xf32>
    %5 = chlo.asinh %arg0 : tensor<11xf32> -> tensor<11xf32>
    %6 = chlo.atanh %arg0 : tensor<11xf32> -> tensor<11xf32>
    %7 = chlo.erf %arg0 : tensor<11xf32> -> tensor<11xf32>
    %8 = chlo.erfc %arg0 : tensor<11xf32> -> tensor<11xf32>
    %9 = chlo.erf_inv %arg0 : tensor<11xf32> -> tensor<11xf32>
    %10 = chlo.lgamma %arg0 : tensor<11xf32> -> tensor<11xf32>
    %11 = chlo.digamma %arg0 : tensor<11xf32> -> tensor<11xf32>
    %12 = chlo.acosh %arg1 : tensor<11xf32> -> tensor<11xf32>
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %13 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<11xf32>
    %14 = chlo.polygamma %13, %arg1 : tensor<11xf32>, tensor<11xf32> -> tensor<11xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<11xf32>
    %16 = stablehlo.add %arg1, %15 : tensor<11xf32>
    %17 = chlo.zeta %16, %arg1 : tensor<11xf32>, tensor<11xf32> -> tensor<11xf32>
    %18 = chlo.next_after %arg0, %arg1 : tensor<11xf32>, tensor<11xf32> -> tensor<11xf32>
    return %0, %1, %2, %3, %4, %5, %6, %7, %8, %9, %10, %11, %12, %14, %17, %18 : tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>, tensor<11xf32>
  }
}
