// inputs 9394eb3ded53843e758c11bfa2d083bf0f8185bff76d893edaa3b73e4946a93f5afa63bc015b853f6a7db33fa138933f246117c082459d3face2ad3e8ff8d83e8511be3ebff8c33e438aa33e7cc3b7bec968f3bfaf0edfbd5fc14dbfcb428a3f34d993be21f5aa3dc77f59bf27b802bf2bf53cbcc620bebf66f3993e693cd9bdabc597bfa67c19c06257033fef5c98bea2ae07bf85d271be4982e83f1afc4bbd7165b13d6758bebf02dcd23f7ee06a3f5291883f7b44433de3a96a3fbeecbd3ef6f91c3f79d81bbe5ca8bcbf80b1833fc2acf7bff5b175be586e51be717c85bfa3f51c3f3b234dbe35addfbe5914053f2b02f4be19cab13febf1b33ec6dbf2beadddf8bf7564a7bf451d8b3f35464fbdc5f590be1256d23fda2da4bfabed15bf03f7f1be331a163f71dd29bff4081dbf8975cdbfa4b63a3f
// extents 2 5 3 16 3
// outputs 8bd8d43ea6091c3ee68be0bff7645bc0bcaa07bf80efeebcd4722fbef80b8b3f54bae63f40f67d3fc193be3f187facbe8ccc37bfe05a0940fd09b43ffa75393f6bc2873ef68e4dbf5e0b05c090d61d3e02c00cc0789023bf001b85bf8a623940b758adbe492d2e3e258c15c0ee7f913fa9ec673fd03dd6be
// tolerance 0
module @jit__lambda attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x?x3xf32>, %arg1: tensor<16x3xf32>) -> (tensor<?x?x3xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<16> : tensor<i32>
    %c_1 = stablehlo.constant dense<-1> : tensor<i32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?x3xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?x3xf32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "an extent", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare GE, %1, %c_2, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %0, %1) {api_version = 2 : i32, error_message = "an extent", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4 = stablehlo.convert %1 : tensor<i32>
    %5 = stablehlo.multiply %4, %c_1 : tensor<i32>
    %6 = stablehlo.add %5, %c_0 : tensor<i32>
    %7 = stablehlo.compare GE, %6, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %8 = stablehlo.convert %1 : tensor<i32>
    %9 = stablehlo.multiply %8, %c_1 : tensor<i32>
    %10 = stablehlo.add %9, %c_0 : tensor<i32>
    stablehlo.custom_call @shape_assertion(%7, %10, %0, %1) {api_version = 2 : i32, error_message = "an extent", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>, tensor<i32>) -> ()
    %11 = call @_wrapped_jax_export_main(%0, %1, %arg0, %arg1) : (tensor<i32>, tensor<i32>, tensor<?x?x3xf32>, tensor<16x3xf32>) -> tensor<?x?x3xf32>
    return %11 : tensor<?x?x3xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "t"}, %arg2: tensor<?x?x3xf32>, %arg3: tensor<16x3xf32>) -> (tensor<?x?x3xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<1> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %1, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = "stablehlo.dynamic_gather"(%arg3, %0, %2) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0]>, indices_are_sorted = true}> : (tensor<16x3xf32>, tensor<1xi32>, tensor<2xi32>) -> tensor<?x3xf32>
    %4 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %c, %4, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %3, %5, dims = [1, 2] : (tensor<?x3xf32>, tensor<3xi32>) -> tensor<1x?x3xf32>
    %7 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.reshape %arg1 : (tensor<i32>) -> tensor<1xi32>
    %9 = stablehlo.concatenate %7, %8, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %10 = stablehlo.dynamic_broadcast_in_dim %6, %9, dims = [0, 1, 2] : (tensor<1x?x3xf32>, tensor<3xi32>) -> tensor<?x?x3xf32>
    %11 = stablehlo.add %arg2, %10 : tensor<?x?x3xf32>
    return %11 : tensor<?x?x3xf32>
  }
}
