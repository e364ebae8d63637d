// inputs ba3e0e3d6b8e3ebf79aea4bf8010b63f5143e73e61c7bfbe03f561be4f8f07bf2be83bc01ce0ec3d990789bff65780bf3de823bf20783b3ff4d395bf8996b7bf58cd233f521e413fae7c75bf4bf90f3fd95095bef8429a3e2567a1bf9238553f64049a3f3b17233f5eef0e3ff56c71c04371853eb272d0bc199316be8f6d21bf62c6623d0d01d33e3e0f87bed238edbe93689d3fab7c8dbf20dc833f540e353efae64dbf827894beb3846bbf07d12c3f
// extents 1 1 4 2 5 4
// outputs 940406bc09a6febeb87ca0bfb4d69e3fa71f4dbeeb38ed3d46cb5ebfb04078be0c913bc0619eef3d070f89bfe06f80bf7882f1bf02e6bf3eeca78dbf863b92bff78c0c3ec2858e3e9b388bbf36d4183ff042aabef00716bca01097bfa60a273f29836ebd969b2dbf97fa99bfe214a53f57049a3f2a17233f4cef0e3fdf6c71c0f43e703f25d2c83e9f40ba3ee3c02ec0ba093f3f9adca83ecf9a493ecdc80fc0e590953f486d7dbfc7996d3f00f7a83cd5598abe243f00bf80f584bf58e9783f
// tolerance 2e-5
module @jit__lambda attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<1x1x4xf32>, %arg1: tensor<?x?x4xf32>) -> (tensor<?x?x4xf32> {jax.result_info = "result"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?x?x4xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg1, dim = 1 : (tensor<?x?x4xf32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "an extent", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %0, %1) {api_version = 2 : i32, error_message = "an extent", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4 = call @_wrapped_jax_export_main(%0, %1, %arg0, %arg1) : (tensor<i32>, tensor<i32>, tensor<1x1x4xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    return %4 : tensor<?x?x4xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<i32> {jax.global_constant = "t"}, %arg2: tensor<1x1x4xf32>, %arg3: tensor<?x?x4xf32>) -> (tensor<?x?x4xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %c = stablehlo.constant dense<4> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_1, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %arg2, %1, dims = [0, 1, 2] : (tensor<1x1x4xf32>, tensor<3xi32>) -> tensor<?x1x4xf32>
    %3 = stablehlo.concatenate %2, %arg3, dim = 1 : (tensor<?x1x4xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    %4 = stablehlo.transpose %3, dims = [0, 2, 1] : (tensor<?x?x4xf32>) -> tensor<?x4x?xf32>
    %5 = stablehlo.dot_general %3, %4, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x?x4xf32>, tensor<?x4x?xf32>) -> tensor<?x?x?xf32>
    %6 = stablehlo.reduce(%5 init: %cst_0) applies stablehlo.maximum across dimensions = [2] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
    %7 = stablehlo.convert %arg1 : tensor<i32>
    %8 = stablehlo.add %7, %c_2 : tensor<i32>
    %9 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.reshape %8 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.concatenate %9, %10, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %12 = stablehlo.dynamic_broadcast_in_dim %cst_0, %11, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x?xf32>
    %13 = stablehlo.maximum %12, %6 : tensor<?x?xf32>
    %14 = stablehlo.convert %arg1 : tensor<i32>
    %15 = stablehlo.add %14, %c_2 : tensor<i32>
    %16 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %17 = stablehlo.reshape %15 : (tensor<i32>) -> tensor<1xi32>
    %18 = stablehlo.concatenate %16, %17, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %19 = stablehlo.dynamic_broadcast_in_dim %13, %18, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %20 = stablehlo.convert %arg1 : tensor<i32>
    %21 = stablehlo.add %20, %c_2 : tensor<i32>
    %22 = stablehlo.convert %arg1 : tensor<i32>
    %23 = stablehlo.add %22, %c_2 : tensor<i32>
    %24 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %25 = stablehlo.reshape %21 : (tensor<i32>) -> tensor<1xi32>
    %26 = stablehlo.reshape %23 : (tensor<i32>) -> tensor<1xi32>
    %27 = stablehlo.concatenate %24, %25, %26, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %28 = stablehlo.dynamic_broadcast_in_dim %19, %27, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
    %29 = stablehlo.subtract %5, %28 : tensor<?x?x?xf32>
    %30 = stablehlo.exponential %29 : tensor<?x?x?xf32>
    %31 = stablehlo.reduce(%30 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<?x?x?xf32>, tensor<f32>) -> tensor<?x?xf32>
    %32 = stablehlo.convert %arg1 : tensor<i32>
    %33 = stablehlo.add %32, %c_2 : tensor<i32>
    %34 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %35 = stablehlo.reshape %33 : (tensor<i32>) -> tensor<1xi32>
    %36 = stablehlo.concatenate %34, %35, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %37 = stablehlo.dynamic_broadcast_in_dim %31, %36, dims = [0, 1] : (tensor<?x?xf32>, tensor<3xi32>) -> tensor<?x?x1xf32>
    %38 = stablehlo.convert %arg1 : tensor<i32>
    %39 = stablehlo.add %38, %c_2 : tensor<i32>
    %40 = stablehlo.convert %arg1 : tensor<i32>
    %41 = stablehlo.add %40, %c_2 : tensor<i32>
    %42 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %43 = stablehlo.reshape %39 : (tensor<i32>) -> tensor<1xi32>
    %44 = stablehlo.reshape %41 : (tensor<i32>) -> tensor<1xi32>
    %45 = stablehlo.concatenate %42, %43, %44, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %46 = stablehlo.dynamic_broadcast_in_dim %37, %45, dims = [0, 1, 2] : (tensor<?x?x1xf32>, tensor<3xi32>) -> tensor<?x?x?xf32>
    %47 = stablehlo.divide %30, %46 : tensor<?x?x?xf32>
    %48 = stablehlo.dot_general %47, %3, batching_dims = [0] x [0], contracting_dims = [2] x [1] : (tensor<?x?x?xf32>, tensor<?x?x4xf32>) -> tensor<?x?x4xf32>
    return %48 : tensor<?x?x4xf32>
  }
}
