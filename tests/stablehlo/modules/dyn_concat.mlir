// inputs c620bebf66f3993e693cd9bdabc597bfa67c19c06257033fef5c98bea2ae07bf85d271be4982e83f1afc4bbd7165b13d6758bebf02dcd23f7ee06a3f5291883f7b44433de3a96a3f
// extents 2 3 4 3
// outputs c620bebf66f3993e693cd9bdabc597bfa67c19c06257033fef5c98bea2ae07bf85d271be4982e83f1afc4bbd7165b13d6758bebf02dcd23f7ee06a3f5291883f7b44433de3a96a3f
// tolerance 0.0001
module @jit__lambda {
  func.func public @main(%arg0: tensor<?x3xf32> loc(unknown), %arg1: tensor<?x3xf32> loc(unknown)) -> (tensor<?x3xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg1, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
    %2 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'n'. Using the following polymorphic shapes specifications: args[0].shape = (n, 3),args[1].shape = (m, 3). Obtained dimension variables: 'n' = {0} from specification 'n' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %3 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%3, %0, %1) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'm'. Using the following polymorphic shapes specifications: args[0].shape = (n, 3),args[1].shape = (m, 3). Obtained dimension variables: 'n' = {0} from specification 'n' for dimension args[0].shape[0] (= {0}), 'm' = {1} from specification 'm' for dimension args[1].shape[0] (= {1}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
    %4 = call @_wrapped_jax_export_main(%1, %0, %arg0, %arg1) : (tensor<i32>, tensor<i32>, tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    return %4 : tensor<?x3xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "m"} loc(unknown), %arg1: tensor<i32> {jax.global_constant = "n"} loc(unknown), %arg2: tensor<?x3xf32> loc("x"), %arg3: tensor<?x3xf32> loc("y")) -> (tensor<?x3xf32>) {
    %0 = stablehlo.concatenate %arg2, %arg3, dim = 0 : (tensor<?x3xf32>, tensor<?x3xf32>) -> tensor<?x3xf32>
    return %0 : tensor<?x3xf32>
  }
}
