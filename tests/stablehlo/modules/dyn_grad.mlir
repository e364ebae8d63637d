// inputs a7e598bfc888f33e554ec73f6523e83fc725c63dcab4643f3e71683fe63731bf1856d9bf6707fd3ccd8fe1bfd0cda3be90ad1b3fd6c4b5bf2a48043deab89e3f2a18b93ee0b6053f2420683fbcd1dd3fa70e1b3e49609d3f266b83bdb8d10bbf3730a13e8d161bbf99b812bfe4941bbf3be812c01c10d83d5bc5a1bfeaafdbbd
// extents 5 4 4 3
// outputs f5391fbd57b7903de0c7f33c4cbc0ebe6f01aa3dc7949dbd43d168beabaa033eba2f8cbb8620b5bd2abf8cbd24c4763d
// tolerance 0.0001
module @jit__lambda {
  func.func public @main(%arg0: tensor<?x4xf32> loc(unknown), %arg1: tensor<4x3xf32> loc(unknown)) -> (tensor<4x3xf32>) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
    %1 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "Input shapes do not match the polymorphic shapes specification. Expected value >= 1 for dimension variable 'n'. Using the following polymorphic shapes specifications: args[0].shape = (n, 4). Obtained dimension variables: 'n' = {0} from specification 'n' for dimension args[0].shape[0] (= {0}), . Please see https://docs.jax.dev/en/latest/export/shape_poly.html#shape-assertion-errors for more details.", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2 = call @_wrapped_jax_export_main(%0, %arg0, %arg1) : (tensor<i32>, tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<4x3xf32>
    return %2 : tensor<4x3xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "n"} loc(unknown), %arg1: tensor<?x4xf32> loc("x"), %arg2: tensor<4x3xf32> loc("w")) -> (tensor<4x3xf32>) {
    %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %c = stablehlo.constant dense<3> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.dot_general %arg1, %arg2, contracting_dims = [1] x [0] : (tensor<?x4xf32>, tensor<4x3xf32>) -> tensor<?x3xf32>
    %1 = stablehlo.tanh %0 : tensor<?x3xf32>
    %2 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %3 = stablehlo.concatenate %2, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %4 = stablehlo.dynamic_broadcast_in_dim %cst_1, %3, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3xf32>
    %5 = stablehlo.subtract %4, %1 : tensor<?x3xf32>
    %6 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.concatenate %6, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %8 = stablehlo.dynamic_broadcast_in_dim %cst, %7, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3xf32>
    %9 = stablehlo.multiply %8, %1 : tensor<?x3xf32>
    %10 = stablehlo.convert %arg0 : tensor<i32>
    %11 = stablehlo.multiply %10, %c_0 : tensor<i32>
    %12 = stablehlo.convert %11 : (tensor<i32>) -> tensor<f32>
    %13 = stablehlo.divide %cst_1, %12 : tensor<f32>
    %14 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.concatenate %14, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %16 = stablehlo.dynamic_broadcast_in_dim %13, %15, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x3xf32>
    %17 = stablehlo.multiply %16, %9 : tensor<?x3xf32>
    %18 = stablehlo.multiply %17, %5 : tensor<?x3xf32>
    %19 = stablehlo.multiply %18, %1 : tensor<?x3xf32>
    %20 = stablehlo.add %18, %19 : tensor<?x3xf32>
    %21 = stablehlo.dot_general %20, %arg1, contracting_dims = [0] x [0] : (tensor<?x3xf32>, tensor<?x4xf32>) -> tensor<3x4xf32>
    %22 = stablehlo.transpose %21, dims = [1, 0] : (tensor<3x4xf32>) -> tensor<4x3xf32>
    return %22 : tensor<4x3xf32>
  }
}
