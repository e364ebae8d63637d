// inputs 3bd3e13e3dc5b3bf52aa0ac002d0b03fc48ba4bf9b2f383e97c645bff6af2dbf99a1f73e3c2c86bf2acfbe3e20eac23ea10c953f2424acbe68f6853fb93fdc3f6818cb3f2409163f18f9e53e785d3640f9db0e40084144bfa4716c3f001a1a3ff600943de6fd1c3ef8bef93ebaf66f3f3505603e71f9ad3ea731b23f3aaca23e98860b3fb87f7d3fbe0ed13fad0f9d3f5122c13e93cd543e0b9f9cbf3989953efbc184bfb91383bfc187263f69fbcdbd71c5f13ea88020bf0ec1993f0439133e7b07983f99662c3f0b37293e8b01f5be170e013d7ff8533fb299323feb0899bf8d49833faf0a5bbe20b5503f978e32bf7c4a233f72ed4bbf1e76043e5d9798be913692bedd0b11bfd7431dbe1ecddebfd668603f1831763f42b3e2becd9bb0bfbd8e25bfda96723f2122203ff1c799becdb3653f3e4f85bfbcd51cbfb9fff23e356ec4bd7fd716bfb3c620c0d5d42b3fdebea53e1418dfbff2ae193ff9556bbc6fc38e3e2ff8713f
// extents 5 6 3
// outputs 000000702418f53f000000ec3c7af63f00000040708fdf3f000000103d1fd93f000000c0c40fd43f000000e4e9b2ffbf00000000dd2799bf000000e4af53eebf0000001e2ca2f73f000000385900fabf00000064b114f0bf000000302001ef3f000000facf500f4000000000fea006c000000096c7de09400000e024117009400000801f3ab30840000000900ca701400000000000000000000000000000008000000000000000800000000000000000000000000000008000000000000000000000000000000080000000000000008000000000000000000000000000000080000000000000000000000000000000000000000000000000000000000000008000000000000000000000000000000000000000000000000000000000000000000011e6ecb55bc93f00b33389fb0110c080f0f303685813c00042e07b85f1f0bf00b261793cfff2bf0080ef04d6b7bb3f80463556e395acbf00418d36dfa0babf0047a3f49c32ce3f00e672002771efbf40b696c924dfb43f00044f6cc48ec03fc0810326eceff93f000a1884ab58bbbf00702f3fce40e23f007ff2771b43fb3f00a639df53bb0440005552c03203e73f30c4da3ee27dd53f20992de6ff37d33f0068d946e686b4bf0087c0e228fbc63f0046c5bbde05d83f3000f121b49ee9bf109ac2d2b027ddbf20242dc8060bab3f1050c335b85bdd3f00b0243f5acbb13fe0a7a364f7bbe63f80e83a969a84ba3f0093dc55d14a084000689b9f728189bf80d754af2cd5d03f70ae15108bc1f4bf400d332acdf8b93f206882d53e05f83f8020df7db84bec3fc8438b91049effbf400633194a01f3bff047397104d4c8bf00d4c597f63ff2bf60515320ce9fc53f008632f64742a0bf50ca9f7ca4e6df3fc003b6324ae7c73f80431aae8625cc3f24b81368bd61e0bfe02c8c88e156dfbf50fcc9a5cc66e2bf00676a308a3df2bfc87b8d3d13a4f83f60afc06ac82c0140377811fad608f7bf909979b522270dc0407fbc666755f4bfe03a7c28cebadb3f006030b34033b5bf3008c2b45da3cabf40ded0554cc3e0bfe0822e225651ef3f400f962fb70ed7bf6ab9cb8ff799e5bf2834b33bc84fc3bf707582280788e33fa8d259c0a8490ec04083e12a1a93c93fbcc4a8cc3099f23f00fc9e32bb46fe3f5873af047d4bf93fc4340c8f757da7bf491338ce9f0fe93fd0123c396c13f33f
// tolerance 1e-5
module @jit__lambda attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x?x3xf32>) -> (tensor<?x3xf64> {jax.result_info = "result[0]"}, tensor<?x?x3xf64> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?x3xf32>) -> tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<i64>
    %2 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?x3xf32>) -> tensor<i32>
    %3 = stablehlo.convert %2 : (tensor<i32>) -> tensor<i64>
    %4 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%4, %1) {api_version = 2 : i32, error_message = "an extent", has_side_effect = true} : (tensor<i1>, tensor<i64>) -> ()
    %5 = stablehlo.compare GE, %3, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%5, %1, %3) {api_version = 2 : i32, error_message = "an extent", has_side_effect = true} : (tensor<i1>, tensor<i64>, tensor<i64>) -> ()
    %6:2 = call @_wrapped_jax_export_main(%3, %1, %arg0) : (tensor<i64>, tensor<i64>, tensor<?x?x3xf32>) -> (tensor<?x3xf64>, tensor<?x?x3xf64>)
    return %6#0, %6#1 : tensor<?x3xf64>, tensor<?x?x3xf64>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i64> {jax.global_constant = "b"}, %arg1: tensor<i64> {jax.global_constant = "t"}, %arg2: tensor<?x?x3xf32>) -> (tensor<?x3xf64> {jax.result_info = "result[0]"}, tensor<?x?x3xf64> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %c_1 = stablehlo.constant dense<3> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f64>
    %0 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %1, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %cst, %2, dims = [] : (tensor<f64>, tensor<2xi32>) -> tensor<?x3xf64>
    %4 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<i32>
    %5 = stablehlo.reshape %4 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %7 = stablehlo.reshape %6 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.concatenate %5, %7, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %cst, %8, dims = [] : (tensor<f64>, tensor<3xi32>) -> tensor<?x?x3xf64>
    %10:4 = stablehlo.while(%iterArg = %arg2, %iterArg_2 = %c_0, %iterArg_3 = %3, %iterArg_4 = %9) : tensor<?x?x3xf32>, tensor<i64>, tensor<?x3xf64>, tensor<?x?x3xf64>
    cond {
      %11 = stablehlo.compare LT, %iterArg_2, %arg1, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %11 : tensor<i1>
    } do {
      %11 = func.call @dynamic_index_in_dim(%arg0, %arg1, %iterArg, %iterArg_2) : (tensor<i64>, tensor<i64>, tensor<?x?x3xf32>, tensor<i64>) -> tensor<?x3xf32>
      %12:2 = func.call @closed_call(%arg0, %arg1, %iterArg_3, %11) : (tensor<i64>, tensor<i64>, tensor<?x3xf64>, tensor<?x3xf32>) -> (tensor<?x3xf64>, tensor<?x3xf64>)
      %13 = func.call @dynamic_update_index_in_dim(%arg0, %arg1, %iterArg_4, %12#1, %iterArg_2) : (tensor<i64>, tensor<i64>, tensor<?x?x3xf64>, tensor<?x3xf64>, tensor<i64>) -> tensor<?x?x3xf64>
      %14 = stablehlo.add %iterArg_2, %c : tensor<i64>
      stablehlo.return %iterArg, %14, %12#0, %13 : tensor<?x?x3xf32>, tensor<i64>, tensor<?x3xf64>, tensor<?x?x3xf64>
    }
    return %10#2, %10#3 : tensor<?x3xf64>, tensor<?x?x3xf64>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<i64> {jax.global_constant = "b"}, %arg1: tensor<i64> {jax.global_constant = "t"}, %arg2: tensor<?x?x3xf32>, %arg3: tensor<i64>) -> tensor<?x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i64>
    %c_2 = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %c_2, %1, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3 = stablehlo.concatenate %c, %c, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4 = stablehlo.convert %arg3 : (tensor<i64>) -> tensor<i32>
    %5 = stablehlo.reshape %4 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.convert %c_1 : (tensor<i64>) -> tensor<i32>
    %7 = stablehlo.reshape %6 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.convert %c_1 : (tensor<i64>) -> tensor<i32>
    %9 = stablehlo.reshape %8 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.concatenate %5, %7, %9, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %11 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<i32>
    %12 = stablehlo.reshape %11 : (tensor<i32>) -> tensor<1xi32>
    %13 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %14 = stablehlo.reshape %13 : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.concatenate %12, %14, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %16 = stablehlo.subtract %15, %2 : tensor<3xi32>
    %17 = stablehlo.clamp %3, %10, %16 : tensor<3xi32>
    %18 = stablehlo.add %17, %2 : tensor<3xi32>
    %19 = stablehlo.concatenate %c_2, %c_2, %c_2, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %20 = stablehlo.real_dynamic_slice %arg2, %17, %18, %19 : (tensor<?x?x3xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x3xf32>
    %21 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %22 = stablehlo.reshape %21 : (tensor<i32>) -> tensor<1xi32>
    %23 = stablehlo.concatenate %22, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %24 = stablehlo.dynamic_reshape %20, %23 : (tensor<1x?x3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
    return %24 : tensor<?x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<i64> {jax.global_constant = "b"}, %arg1: tensor<i64> {jax.global_constant = "t"}, %arg2: tensor<?x3xf64>, %arg3: tensor<?x3xf32>) -> (tensor<?x3xf64>, tensor<?x3xf64>) {
    %0 = stablehlo.convert %arg3 : (tensor<?x3xf32>) -> tensor<?x3xf64>
    %1 = stablehlo.add %arg2, %0 : tensor<?x3xf64>
    %2 = stablehlo.convert %arg3 : (tensor<?x3xf32>) -> tensor<?x3xf64>
    %3 = stablehlo.multiply %arg2, %2 : tensor<?x3xf64>
    return %1, %3 : tensor<?x3xf64>, tensor<?x3xf64>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<i64> {jax.global_constant = "b"}, %arg1: tensor<i64> {jax.global_constant = "t"}, %arg2: tensor<?x?x3xf64>, %arg3: tensor<?x3xf64>, %arg4: tensor<i64>) -> tensor<?x?x3xf64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %c_1, %1, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %arg3, %2, dims = [1, 2] : (tensor<?x3xf64>, tensor<3xi32>) -> tensor<1x?x3xf64>
    %4 = stablehlo.dynamic_update_slice %arg2, %3, %arg4, %c, %c : (tensor<?x?x3xf64>, tensor<1x?x3xf64>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<?x?x3xf64>
    return %4 : tensor<?x?x3xf64>
  }
}
