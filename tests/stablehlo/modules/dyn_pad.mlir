// inputs fb7d4b3f03fdf5be7c3d54be8dbe14bf1400083f0363b63d550dcc3f6d388cbfed99b93ed752e33e9d8bb8be7e62153f
// extents 4 3
// outputs 000000000000000000000000fb7d4b3f03fdf5be7c3d54be8dbe14bf1400083f0363b63d550dcc3f6d388cbfed99b93ed752e33e9d8bb8be7e62153f000000000000000000000000000000000000000000000000
// tolerance 0.0001
module @jit__lambda {
  func.func public @main(%arg0: tensor<?x3xf32> loc(unknown)) -> (tensor<?x3xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
    %1 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'n'. Using the following polymorphic shapes specifications: args[0].shape = (n, 3). Obtained dimension variables: 'n' = {0} from specification 'n' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2 = call @_wrapped_jax_export_main(%0, %arg0) : (tensor<i32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    return %2 : tensor<?x3xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "n"} loc(unknown), %arg1: tensor<?x3xf32> loc("x")) -> (tensor<?x3xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = call @_pad(%arg0, %arg1, %c) : (tensor<i32>, tensor<?x3xf32>, tensor<i32>) -> tensor<?x3xf32>
    return %0 : tensor<?x3xf32>
  }
  func.func private @_pad(%arg0: tensor<i32> {jax.global_constant = "n"} loc(unknown), %arg1: tensor<?x3xf32> loc(unknown), %arg2: tensor<i32> loc(unknown)) -> tensor<?x3xf32> {
    %0 = stablehlo.convert %arg2 : (tensor<i32>) -> tensor<f32>
    %1 = stablehlo.pad %arg1, %0, low = [1, 0], high = [2, 0], interior = [0, 0] : (tensor<?x3xf32>, tensor<f32>) -> tensor<?x3xf32>
    return %1 : tensor<?x3xf32>
  }
}
