// inputs aedcbc3dab65973f66de793f25cd49bd7b68f0be1328b1be7f6db6be8c0367be9d4cc9bf880decbee089d9bedc6941be9c3382bea9082c3f712d08bf428de0be80bc0a3f60f670be4fa65d3e96592b3f630cd83e4b15803efa2749be9d902e3f5dc3333e083e01bfb96d1abeaaeb9bbf882876bf2103f1bf
// extents 5 6
// outputs 01000000000000000500000000000000010000000000000005000000000000000000000000000000010000000000000004000000000000000100000000000000040000000000000004000000000000000400000000000000
// tolerance 0
module @jit__lambda attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x?xf32>) -> (tensor<?xi64> {jax.result_info = "result[0]"}, tensor<?xi64> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?xf32>) -> tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<i64>
    %2 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?xf32>) -> tensor<i32>
    %3 = stablehlo.convert %2 : (tensor<i32>) -> tensor<i64>
    %4 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%4, %1) {api_version = 2 : i32, error_message = "an extent", has_side_effect = true} : (tensor<i1>, tensor<i64>) -> ()
    %5 = stablehlo.compare GE, %3, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%5, %1, %3) {api_version = 2 : i32, error_message = "an extent", has_side_effect = true} : (tensor<i1>, tensor<i64>, tensor<i64>) -> ()
    %6:2 = call @_wrapped_jax_export_main(%1, %3, %arg0) : (tensor<i64>, tensor<i64>, tensor<?x?xf32>) -> (tensor<?xi64>, tensor<?xi64>)
    return %6#0, %6#1 : tensor<?xi64>, tensor<?xi64>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i64> {jax.global_constant = "a"}, %arg1: tensor<i64> {jax.global_constant = "n"}, %arg2: tensor<?x?xf32>) -> (tensor<?xi64> {jax.result_info = "result[0]"}, tensor<?xi64> {jax.result_info = "result[1]"}) {
    %0 = call @argmax(%arg0, %arg1, %arg2) : (tensor<i64>, tensor<i64>, tensor<?x?xf32>) -> tensor<?xi64>
    %1 = call @argmin(%arg0, %arg1, %arg2) : (tensor<i64>, tensor<i64>, tensor<?x?xf32>) -> tensor<?xi64>
    return %0, %1 : tensor<?xi64>, tensor<?xi64>
  }
  func.func private @argmax(%arg0: tensor<i64>, %arg1: tensor<i64>, %arg2: tensor<?x?xf32>) -> tensor<?xi64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %cst = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<i32>
    %3 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.concatenate %1, %3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %5 = stablehlo.dynamic_iota %4, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi64>
    %6:2 = stablehlo.reduce(%arg2 init: %cst), (%5 init: %c) across dimensions = [1] : (tensor<?x?xf32>, tensor<?x?xi64>, tensor<f32>, tensor<i64>) -> (tensor<?xf32>, tensor<?xi64>)
     reducer(%arg3: tensor<f32>, %arg5: tensor<f32>) (%arg4: tensor<i64>, %arg6: tensor<i64>)  {
      %7 = stablehlo.compare GT, %arg3, %arg5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %9 = stablehlo.or %7, %8 : tensor<i1>
      %10 = stablehlo.compare EQ, %arg3, %arg5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %11 = stablehlo.compare LT, %arg4, %arg6, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %12 = stablehlo.and %10, %11 : tensor<i1>
      %13 = stablehlo.or %9, %12 : tensor<i1>
      %14 = stablehlo.select %9, %arg3, %arg5 : tensor<i1>, tensor<f32>
      %15 = stablehlo.select %13, %arg4, %arg6 : tensor<i1>, tensor<i64>
      stablehlo.return %14, %15 : tensor<f32>, tensor<i64>
    }
    return %6#1 : tensor<?xi64>
  }
  func.func private @argmin(%arg0: tensor<i64>, %arg1: tensor<i64>, %arg2: tensor<?x?xf32>) -> tensor<?xi64> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %cst = stablehlo.constant dense<0x7F800000> : tensor<f32>
    %0 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.convert %arg1 : (tensor<i64>) -> tensor<i32>
    %3 = stablehlo.reshape %2 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.concatenate %1, %3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %5 = stablehlo.dynamic_iota %4, dim = 0 : (tensor<2xi32>) -> tensor<?x?xi64>
    %6:2 = stablehlo.reduce(%arg2 init: %cst), (%5 init: %c) across dimensions = [0] : (tensor<?x?xf32>, tensor<?x?xi64>, tensor<f32>, tensor<i64>) -> (tensor<?xf32>, tensor<?xi64>)
     reducer(%arg3: tensor<f32>, %arg5: tensor<f32>) (%arg4: tensor<i64>, %arg6: tensor<i64>)  {
      %7 = stablehlo.compare LT, %arg3, %arg5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %8 = stablehlo.compare NE, %arg3, %arg3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %9 = stablehlo.or %7, %8 : tensor<i1>
      %10 = stablehlo.compare EQ, %arg3, %arg5, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      %11 = stablehlo.compare LT, %arg4, %arg6, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      %12 = stablehlo.and %10, %11 : tensor<i1>
      %13 = stablehlo.or %9, %12 : tensor<i1>
      %14 = stablehlo.select %9, %arg3, %arg5 : tensor<i1>, tensor<f32>
      %15 = stablehlo.select %13, %arg4, %arg6 : tensor<i1>, tensor<i64>
      stablehlo.return %14, %15 : tensor<f32>, tensor<i64>
    }
    return %6#1 : tensor<?xi64>
  }
}
