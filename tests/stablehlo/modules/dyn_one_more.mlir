// inputs ae599fbfb7c18b3f2cd5353f3650993d3d20843f22a39a3f866bb23f21f0263ed12ca1bee9a9f5bed827643f349333bfd9dc69bff5ec0d3f9ae3053febf4223f5b6659bf3afa993eeb506a3f78acf5be6e4989be6f8d98bebf75c23f659b663fcb97abbffca7c2bfa86d263fb2375abeab56083f3b09883e9a3a813f6e17d0bfc0400cbf
// extents 5 3 6 3
// outputs e2c4a8be32ad1c3fea60e23ec37264befe4a23406af8064060775a3df8c9adbf7faeab3ee16231bf423fb63f2d1ddfbed8c2c43df42089bfc0a4cbbc
// tolerance 1e-6
module @jit__lambda attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x3xf32>, %arg1: tensor<?x3xf32>) -> (tensor<?x3xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<i64>
    %2 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
    %3 = stablehlo.convert %2 : (tensor<i32>) -> tensor<i64>
    %4 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%4, %1) {api_version = 2 : i32, error_message = "an extent", has_side_effect = true} : (tensor<i1>, tensor<i64>) -> ()
    %5 = stablehlo.convert %1 : tensor<i64>
    %6 = stablehlo.add %5, %c : tensor<i64>
    %7 = stablehlo.compare EQ, %3, %6, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    %8 = stablehlo.convert %1 : tensor<i64>
    %9 = stablehlo.add %8, %c : tensor<i64>
    stablehlo.custom_call @shape_assertion(%7, %3, %9, %1) {api_version = 2 : i32, error_message = "an extent", has_side_effect = true} : (tensor<i1>, tensor<i64>, tensor<i64>, tensor<i64>) -> ()
    %10 = call @_wrapped_jax_export_main(%1, %arg0, %arg1) : (tensor<i64>, tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    return %10 : tensor<?x3xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i64> {jax.global_constant = "a"}, %arg1: tensor<?x3xf32>, %arg2: tensor<?x3xf32>) -> (tensor<?x3xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<3> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i64>) -> tensor<1xi64>
    %1 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %2 = stablehlo.reshape %1 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %2, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = "stablehlo.dynamic_gather"(%arg2, %0, %3) <{dimension_numbers = #stablehlo.gather<offset_dims = [0, 1], start_index_map = [0]>, indices_are_sorted = true}> : (tensor<?x3xf32>, tensor<1xi64>, tensor<2xi32>) -> tensor<?x3xf32>
    %5 = stablehlo.add %arg1, %4 : tensor<?x3xf32>
    return %5 : tensor<?x3xf32>
  }
}
