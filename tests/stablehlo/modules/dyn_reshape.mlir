// inputs 6ae614bf09cedf3d67099bbd13f74e3e41b5313f852442bfbde2b53f48e1393fddfe573f431a953f629f493f8a15583fd3d09a3d87a0b6bf43490abee9fe44bf671cb6bfed53843e758c11bfa2d083bf0f8185bff76d893edaa3b73e4946a93f5afa63bc015b853f6a7db33fa138933f246117c082459d3f
// extents 5 2 3
// outputs 2c33d63ee1fc8d3fd39e6c3fe2de993fa0dad83fec6d773e5ef11a40a4f0dc3f6effeb3f228d0a40b1cfe43fc50aec3f0dad893f1c82dabeaf6d5d3f5c046c3e9c71d8befb14a13f16e7dc3e8028f4bce02130bd7e5ba23ff6e8ad3f24a3144017707c3f80ad0240b5be1940509c094048c2aebfc1a20e40
// tolerance 0.0001
module @jit__lambda {
  func.func public @main(%arg0: tensor<?x2x3xf32> loc(unknown)) -> (tensor<?x6xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x2x3xf32>) -> tensor<i32>
    %1 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'n'. Using the following polymorphic shapes specifications: args[0].shape = (n, 2, 3). Obtained dimension variables: 'n' = {0} from specification 'n' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2 = call @_wrapped_jax_export_main(%0, %arg0) : (tensor<i32>, tensor<?x2x3xf32>) -> tensor<?x6xf32>
    return %2 : tensor<?x6xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "n"} loc(unknown), %arg1: tensor<?x2x3xf32> loc("x")) -> (tensor<?x6xf32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<6> : tensor<1xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_reshape %arg1, %1 : (tensor<?x2x3xf32>, tensor<2xi32>) -> tensor<?x6xf32>
    %3 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.concatenate %3, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %5 = stablehlo.dynamic_broadcast_in_dim %cst, %4, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x6xf32>
    %6 = stablehlo.add %2, %5 : tensor<?x6xf32>
    return %6 : tensor<?x6xf32>
  }
}
