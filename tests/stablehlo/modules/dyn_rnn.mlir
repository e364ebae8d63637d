// inputs 2ddd47bdbbdbe7be6a8a03bf47e007beee5459be07aeda3d94bbb53fdd69693fc37c593fd36e043fe2911abfc2c387bf6c0669be0bd4973f497f993f73a0babf3817e3bfd261d63fd866b63f5b6620bf4b249ebd1bc14c3d2a358d3f09d8f9be8f7f173fa82c8c3e58ec993e04ea863fb72d163e5b02a4bffe03673f575ef9befdd6653f348d873ef75f7abff295823ea19122bfe0598a3e72ffcebe5649813fbd3336bf5a3abcbe732b33bfe93c4bbf1a1d8abe44595b3e818b0f3fe90d513d7500e9be0d90c7bf4f2f713f57f301bfd32ccd3e715588bf06d2c13fc609313fbf7e63bf9935b23ec4deab3f1bdc34be3ec4d9bf6fe3e93ee877ec3f0572ccbf852d833fb0716ebe04b6babd2656443e7ed6493ca9df5c3f851095bfa335b0bd86826fbf07be02bfa83e3e40669058bf53d0e53e4cd69c3ef6c0f5bf04d892bf9a79e8bff58b1cbe
// extents 3 5 5 5 2 7 3
// outputs 77607e3f43e8733f64767fbffa4a7fbf862f6fbfb0cd54bf49916bbf9331493f1ede2bbf042f7dbf7763ca3ea772fd3e5408403edff247bf0fa434bf506f503fbddc7f3f19ba723f073cbcbe10cd48bf38a76abfa05d2dbde85a0e3f3ea9013fdc69103e30326abf5fa64fbf52db793fe58b073f730877bfe03c7a3f582c713f30c810bf77646fbf81b951bfd6bb603ff3e5583f252966bf0537263fd7c56dbf380f7abf007c6f3f4e187e3f4c175f3f07423f3fceda0ebfb5f9e8bd88b87c3fce59623e4e0a62bf240f6a3f45bc78bf464bc2bd1bc33bbfed55403f4a3a753febff7f3f6ff97e3f1c37633f03bf65bfcc5478bf6bb97fbf16335fbf66612e3f6a95823e2cc1fc3ef6b2483f13f77f3ff46adabebafc7fbf77607e3f43e8733f64767fbffa4a7fbf862f6fbfb0cd54bf49916bbf9331493f1ede2bbf042f7dbf
// tolerance 2e-5
module @jit__lambda attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5xf32>, %arg1: tensor<5x5xf32>, %arg2: tensor<?x7x3xf32>) -> (tensor<?x5xf32> {jax.result_info = "result[0]"}, tensor<7x?x5xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %0 = stablehlo.get_dimension_size %arg2, dim = 0 : (tensor<?x7x3xf32>) -> tensor<i32>
    %1 = stablehlo.convert %0 : (tensor<i32>) -> tensor<i64>
    %2 = stablehlo.compare GE, %1, %c, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%2, %1) {api_version = 2 : i32, error_message = "an extent", has_side_effect = true} : (tensor<i1>, tensor<i64>) -> ()
    %3:2 = call @_wrapped_jax_export_main(%1, %arg0, %arg1, %arg2) : (tensor<i64>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<?x7x3xf32>) -> (tensor<?x5xf32>, tensor<7x?x5xf32>)
    return %3#0, %3#1 : tensor<?x5xf32>, tensor<7x?x5xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i64> {jax.global_constant = "b"}, %arg1: tensor<3x5xf32>, %arg2: tensor<5x5xf32>, %arg3: tensor<?x7x3xf32>) -> (tensor<?x5xf32> {jax.result_info = "result[0]"}, tensor<7x?x5xf32> {jax.result_info = "result[1]"}) {
    %c = stablehlo.constant dense<1> : tensor<i64>
    %c_0 = stablehlo.constant dense<0> : tensor<i64>
    %c_1 = stablehlo.constant dense<7> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<7> : tensor<i64>
    %c_3 = stablehlo.constant dense<5> : tensor<1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %1, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %cst, %2, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x5xf32>
    %4 = stablehlo.transpose %arg3, dims = [1, 0, 2] : (tensor<?x7x3xf32>) -> tensor<7x?x3xf32>
    %5 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %6 = stablehlo.reshape %5 : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.concatenate %c_1, %6, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %8 = stablehlo.dynamic_broadcast_in_dim %cst, %7, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<7x?x5xf32>
    %9:6 = stablehlo.while(%iterArg = %4, %iterArg_4 = %arg1, %iterArg_5 = %arg2, %iterArg_6 = %c_0, %iterArg_7 = %3, %iterArg_8 = %8) : tensor<7x?x3xf32>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<i64>, tensor<?x5xf32>, tensor<7x?x5xf32>
    cond {
      %10 = stablehlo.compare LT, %iterArg_6, %c_2, SIGNED : (tensor<i64>, tensor<i64>) -> tensor<i1>
      stablehlo.return %10 : tensor<i1>
    } do {
      %10 = func.call @dynamic_index_in_dim(%arg0, %iterArg, %iterArg_6) : (tensor<i64>, tensor<7x?x3xf32>, tensor<i64>) -> tensor<?x3xf32>
      %11:2 = func.call @closed_call(%arg0, %iterArg_4, %iterArg_5, %iterArg_7, %10) : (tensor<i64>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<?x5xf32>, tensor<?x3xf32>) -> (tensor<?x5xf32>, tensor<?x5xf32>)
      %12 = func.call @dynamic_update_index_in_dim(%arg0, %iterArg_8, %11#1, %iterArg_6) : (tensor<i64>, tensor<7x?x5xf32>, tensor<?x5xf32>, tensor<i64>) -> tensor<7x?x5xf32>
      %13 = stablehlo.add %iterArg_6, %c : tensor<i64>
      stablehlo.return %iterArg, %iterArg_4, %iterArg_5, %13, %11#0, %12 : tensor<7x?x3xf32>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<i64>, tensor<?x5xf32>, tensor<7x?x5xf32>
    }
    return %9#4, %9#5 : tensor<?x5xf32>, tensor<7x?x5xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<i64> {jax.global_constant = "b"}, %arg1: tensor<7x?x3xf32>, %arg2: tensor<i64>) -> tensor<?x3xf32> {
    %c = stablehlo.constant dense<7> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i64>
    %c_3 = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %c_3, %1, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3 = stablehlo.concatenate %c_0, %c_0, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %4 = stablehlo.convert %arg2 : (tensor<i64>) -> tensor<i32>
    %5 = stablehlo.reshape %4 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.convert %c_2 : (tensor<i64>) -> tensor<i32>
    %7 = stablehlo.reshape %6 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.convert %c_2 : (tensor<i64>) -> tensor<i32>
    %9 = stablehlo.reshape %8 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.concatenate %5, %7, %9, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %11 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %12 = stablehlo.reshape %11 : (tensor<i32>) -> tensor<1xi32>
    %13 = stablehlo.concatenate %c, %12, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %14 = stablehlo.subtract %13, %2 : tensor<3xi32>
    %15 = stablehlo.clamp %3, %10, %14 : tensor<3xi32>
    %16 = stablehlo.add %15, %2 : tensor<3xi32>
    %17 = stablehlo.concatenate %c_3, %c_3, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %18 = stablehlo.real_dynamic_slice %arg1, %15, %16, %17 : (tensor<7x?x3xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x3xf32>
    %19 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %20 = stablehlo.reshape %19 : (tensor<i32>) -> tensor<1xi32>
    %21 = stablehlo.concatenate %20, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %22 = stablehlo.dynamic_reshape %18, %21 : (tensor<1x?x3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
    return %22 : tensor<?x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<i64> {jax.global_constant = "b"}, %arg1: tensor<3x5xf32>, %arg2: tensor<5x5xf32>, %arg3: tensor<?x5xf32>, %arg4: tensor<?x3xf32>) -> (tensor<?x5xf32>, tensor<?x5xf32>) {
    %0 = stablehlo.dot_general %arg4, %arg1, contracting_dims = [1] x [0] : (tensor<?x3xf32>, tensor<3x5xf32>) -> tensor<?x5xf32>
    %1 = stablehlo.dot_general %arg3, %arg2, contracting_dims = [1] x [0] : (tensor<?x5xf32>, tensor<5x5xf32>) -> tensor<?x5xf32>
    %2 = stablehlo.add %0, %1 : tensor<?x5xf32>
    %3 = stablehlo.tanh %2 : tensor<?x5xf32>
    %4 = stablehlo.tanh %2 : tensor<?x5xf32>
    return %3, %4 : tensor<?x5xf32>, tensor<?x5xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<i64> {jax.global_constant = "b"}, %arg1: tensor<7x?x5xf32>, %arg2: tensor<?x5xf32>, %arg3: tensor<i64>) -> tensor<7x?x5xf32> {
    %c = stablehlo.constant dense<0> : tensor<i64>
    %c_0 = stablehlo.constant dense<5> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.convert %arg0 : (tensor<i64>) -> tensor<i32>
    %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.concatenate %c_1, %1, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3 = stablehlo.dynamic_broadcast_in_dim %arg2, %2, dims = [1, 2] : (tensor<?x5xf32>, tensor<3xi32>) -> tensor<1x?x5xf32>
    %4 = stablehlo.dynamic_update_slice %arg1, %3, %arg3, %c, %c : (tensor<7x?x5xf32>, tensor<1x?x5xf32>, tensor<i64>, tensor<i64>, tensor<i64>) -> tensor<7x?x5xf32>
    return %4 : tensor<7x?x5xf32>
  }
}
