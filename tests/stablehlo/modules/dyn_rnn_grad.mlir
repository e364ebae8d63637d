// inputs 4f86893fa47480bf199147bfcc65a23f3dca48beb1c9b7be4ade9e3de88230bf0e7daa3f90e49fbf5d361abecca3b13e58e8d5bdb7624dbfc14e5ebf4ccdd93ec9e683bf2970253f4b17c3bf5f130ebfa0b5143d8446a0bf2fea263fb6de97bc109e84bfee6ac2bf3c65c8bff808513d021394bf60b4aebf7ec66cbe92c21140c5198e3ea64e433fd7d2593e8571483f54eaabbf116cdcbec7cf853e49c692bcdf9944bedb762abfca4a84bed43146bf50ff1ac0a7e598bfc888f33e554ec73f6523e83fc725c63dcab4643f3e71683fe63731bf1856d9bf6707fd3ccd8fe1bfd0cda3be90ad1b3fd6c4b5bf2a48043deab89e3f2a18b93ee0b6053f2420683fbcd1dd3fa70e1b3e49609d3f266b83bdb8d10bbf3730a13e8d161bbf99b812bfe4941bbf3be812c01c10d83d5bc5a1bfeaafdbbd9498b93f476005bf1dc10abf9594ae3fb2da0b3f
// extents 3 5 5 5 2 7 3
// outputs 9c617dbea1f579bfe411a2c0ca33103f606f77bf03d7d8c0fe270bbf0c7f3fc086f94a3f576a653f44eaf1bf846d163d7b9f95c056c5f5beba7a9abf72828b3f9d6db6be5877c83e80b469bf12ad48bf4394c93eceb49fbe775a85bda02525beca20a3bfd95739c069a9333e84082040de743cbe344000c01d20e03f8ebb62be5608e7bfcb4c33beaa48873f225f06c01a2439bf42d4073fa7703abf8a95e2be4e09ccbeab6106c01e798fbdd9cf593f196a1dbf29974abe932004c0ebc61bbf8e11493f42f4923fc3363cbf57524dbfb7d5a3be7cbc15bfc693593e107486be7591dcbb0dc2083dc8d7503d44d78c3fa9ff443f5754b73f6f54f63fc70694be904a843f856bb83f84611f3fe910a9be05b0a6bfcda0ad3e22dacebed4b3203fa47de43e5ebdc9bfd1fcadbf4d4f6abef73733bf6c44343f88601b3e653984bed2488dbec762f5be
// tolerance 1e-4
module @jit__lambda attributes {jax.uses_shape_polymorphism = true, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<3x5xf32>, %arg1: tensor<5x5xf32>, %arg2: tensor<?x7x3xf32>) -> (tensor<3x5xf32> {jax.result_info = "result[0]"}, tensor<5x5xf32> {jax.result_info = "result[1]"}, tensor<?x7x3xf32> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<1> : tensor<i32>
    %0 = stablehlo.get_dimension_size %arg2, dim = 0 : (tensor<?x7x3xf32>) -> tensor<i32>
    %1 = stablehlo.compare GE, %0, %c, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    stablehlo.custom_call @shape_assertion(%1, %0) {api_version = 2 : i32, error_message = "an extent", has_side_effect = true} : (tensor<i1>, tensor<i32>) -> ()
    %2:3 = call @_wrapped_jax_export_main(%0, %arg0, %arg1, %arg2) : (tensor<i32>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<?x7x3xf32>) -> (tensor<3x5xf32>, tensor<5x5xf32>, tensor<?x7x3xf32>)
    return %2#0, %2#1, %2#2 : tensor<3x5xf32>, tensor<5x5xf32>, tensor<?x7x3xf32>
  }
  func.func private @_wrapped_jax_export_main(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<3x5xf32>, %arg2: tensor<5x5xf32>, %arg3: tensor<?x7x3xf32>) -> (tensor<3x5xf32> {jax.result_info = "result[0]"}, tensor<5x5xf32> {jax.result_info = "result[1]"}, tensor<?x7x3xf32> {jax.result_info = "result[2]"}) {
    %c = stablehlo.constant dense<3> : tensor<1xi32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<2.000000e+00> : tensor<f32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<7> : tensor<1xi32>
    %c_4 = stablehlo.constant dense<7> : tensor<i32>
    %c_5 = stablehlo.constant dense<5> : tensor<1xi32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %0, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %cst_6, %1, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x5xf32>
    %3 = stablehlo.transpose %arg3, dims = [1, 0, 2] : (tensor<?x7x3xf32>) -> tensor<7x?x3xf32>
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %c_3, %4, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %cst_6, %5, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<7x?x5xf32>
    %7 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.concatenate %c_3, %7, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %9 = stablehlo.dynamic_broadcast_in_dim %cst_6, %8, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<7x?x5xf32>
    %10 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.concatenate %c_3, %10, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %12 = stablehlo.dynamic_broadcast_in_dim %cst_6, %11, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<7x?x5xf32>
    %13 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %14 = stablehlo.concatenate %c_3, %13, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %15 = stablehlo.dynamic_broadcast_in_dim %cst_6, %14, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<7x?x5xf32>
    %16:9 = stablehlo.while(%iterArg = %3, %iterArg_7 = %arg1, %iterArg_8 = %arg2, %iterArg_9 = %c_2, %iterArg_10 = %2, %iterArg_11 = %6, %iterArg_12 = %9, %iterArg_13 = %12, %iterArg_14 = %15) : tensor<7x?x3xf32>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<i32>, tensor<?x5xf32>, tensor<7x?x5xf32>, tensor<7x?x5xf32>, tensor<7x?x5xf32>, tensor<7x?x5xf32>
    cond {
      %35 = stablehlo.compare LT, %iterArg_9, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %35 : tensor<i1>
    } do {
      %35 = func.call @dynamic_index_in_dim(%arg0, %iterArg, %iterArg_9) : (tensor<i32>, tensor<7x?x3xf32>, tensor<i32>) -> tensor<?x3xf32>
      %36:5 = func.call @closed_call(%arg0, %iterArg_7, %iterArg_8, %iterArg_10, %35) : (tensor<i32>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<?x5xf32>, tensor<?x3xf32>) -> (tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>)
      %37 = func.call @dynamic_update_index_in_dim(%arg0, %iterArg_11, %36#1, %iterArg_9) : (tensor<i32>, tensor<7x?x5xf32>, tensor<?x5xf32>, tensor<i32>) -> tensor<7x?x5xf32>
      %38 = func.call @dynamic_update_index_in_dim(%arg0, %iterArg_12, %36#2, %iterArg_9) : (tensor<i32>, tensor<7x?x5xf32>, tensor<?x5xf32>, tensor<i32>) -> tensor<7x?x5xf32>
      %39 = func.call @dynamic_update_index_in_dim(%arg0, %iterArg_13, %36#3, %iterArg_9) : (tensor<i32>, tensor<7x?x5xf32>, tensor<?x5xf32>, tensor<i32>) -> tensor<7x?x5xf32>
      %40 = func.call @dynamic_update_index_in_dim(%arg0, %iterArg_14, %36#4, %iterArg_9) : (tensor<i32>, tensor<7x?x5xf32>, tensor<?x5xf32>, tensor<i32>) -> tensor<7x?x5xf32>
      %41 = stablehlo.add %iterArg_9, %c_1 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_7, %iterArg_8, %41, %36#0, %37, %38, %39, %40 : tensor<7x?x3xf32>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<i32>, tensor<?x5xf32>, tensor<7x?x5xf32>, tensor<7x?x5xf32>, tensor<7x?x5xf32>, tensor<7x?x5xf32>
    }
    %17 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %18 = stablehlo.concatenate %c_3, %17, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %19 = stablehlo.dynamic_broadcast_in_dim %cst_0, %18, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<7x?x5xf32>
    %20 = stablehlo.multiply %19, %16#5 : tensor<7x?x5xf32>
    %21 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %22 = stablehlo.concatenate %c_3, %21, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %23 = stablehlo.dynamic_broadcast_in_dim %cst, %22, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<7x?x5xf32>
    %24 = stablehlo.multiply %23, %20 : tensor<7x?x5xf32>
    %25 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %26 = stablehlo.concatenate %25, %c_5, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %27 = stablehlo.dynamic_broadcast_in_dim %cst_6, %26, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x5xf32>
    %28 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<3x5xf32>
    %29 = stablehlo.broadcast_in_dim %cst_6, dims = [] : (tensor<f32>) -> tensor<5x5xf32>
    %30 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %31 = stablehlo.concatenate %c_3, %30, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %32 = stablehlo.dynamic_broadcast_in_dim %cst_6, %31, dims = [] : (tensor<f32>, tensor<3xi32>) -> tensor<7x?x3xf32>
    %33:12 = stablehlo.while(%iterArg = %24, %iterArg_7 = %3, %iterArg_8 = %16#6, %iterArg_9 = %16#7, %iterArg_10 = %16#8, %iterArg_11 = %arg1, %iterArg_12 = %arg2, %iterArg_13 = %c_2, %iterArg_14 = %28, %iterArg_15 = %29, %iterArg_16 = %27, %iterArg_17 = %32) : tensor<7x?x5xf32>, tensor<7x?x3xf32>, tensor<7x?x5xf32>, tensor<7x?x5xf32>, tensor<7x?x5xf32>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<i32>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<?x5xf32>, tensor<7x?x3xf32>
    cond {
      %35 = stablehlo.compare LT, %iterArg_13, %c_4, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %35 : tensor<i1>
    } do {
      %35 = stablehlo.subtract %c_4, %iterArg_13 : tensor<i32>
      %36 = stablehlo.subtract %35, %c_1 : tensor<i32>
      %37 = func.call @dynamic_index_in_dim_0(%arg0, %iterArg, %36) : (tensor<i32>, tensor<7x?x5xf32>, tensor<i32>) -> tensor<?x5xf32>
      %38 = func.call @dynamic_index_in_dim(%arg0, %iterArg_7, %36) : (tensor<i32>, tensor<7x?x3xf32>, tensor<i32>) -> tensor<?x3xf32>
      %39 = func.call @dynamic_index_in_dim_0(%arg0, %iterArg_8, %36) : (tensor<i32>, tensor<7x?x5xf32>, tensor<i32>) -> tensor<?x5xf32>
      %40 = func.call @dynamic_index_in_dim_0(%arg0, %iterArg_9, %36) : (tensor<i32>, tensor<7x?x5xf32>, tensor<i32>) -> tensor<?x5xf32>
      %41 = func.call @dynamic_index_in_dim_0(%arg0, %iterArg_10, %36) : (tensor<i32>, tensor<7x?x5xf32>, tensor<i32>) -> tensor<?x5xf32>
      %42:4 = func.call @closed_call_1(%arg0, %iterArg_11, %iterArg_12, %iterArg_14, %iterArg_15, %iterArg_16, %37, %38, %39, %40, %41) : (tensor<i32>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x3xf32>, tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>) -> (tensor<3x5xf32>, tensor<5x5xf32>, tensor<?x5xf32>, tensor<?x3xf32>)
      %43 = func.call @dynamic_update_index_in_dim_2(%arg0, %iterArg_17, %42#3, %36) : (tensor<i32>, tensor<7x?x3xf32>, tensor<?x3xf32>, tensor<i32>) -> tensor<7x?x3xf32>
      %44 = stablehlo.add %iterArg_13, %c_1 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_7, %iterArg_8, %iterArg_9, %iterArg_10, %iterArg_11, %iterArg_12, %44, %42#0, %42#1, %42#2, %43 : tensor<7x?x5xf32>, tensor<7x?x3xf32>, tensor<7x?x5xf32>, tensor<7x?x5xf32>, tensor<7x?x5xf32>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<i32>, tensor<3x5xf32>, tensor<5x5xf32>, tensor<?x5xf32>, tensor<7x?x3xf32>
    }
    %34 = stablehlo.transpose %33#11, dims = [1, 0, 2] : (tensor<7x?x3xf32>) -> tensor<?x7x3xf32>
    return %33#8, %33#9, %34 : tensor<3x5xf32>, tensor<5x5xf32>, tensor<?x7x3xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<7x?x3xf32>, %arg2: tensor<i32>) -> tensor<?x3xf32> {
    %c = stablehlo.constant dense<7> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %c_3, %0, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2 = stablehlo.concatenate %c_0, %c_0, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3 = stablehlo.reshape %arg2 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.reshape %c_2 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.reshape %c_2 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.concatenate %3, %4, %5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %7 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.concatenate %c, %7, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %9 = stablehlo.subtract %8, %1 : tensor<3xi32>
    %10 = stablehlo.clamp %2, %6, %9 : tensor<3xi32>
    %11 = stablehlo.add %10, %1 : tensor<3xi32>
    %12 = stablehlo.concatenate %c_3, %c_3, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %13 = stablehlo.real_dynamic_slice %arg1, %10, %11, %12 : (tensor<7x?x3xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x3xf32>
    %14 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.concatenate %14, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %16 = stablehlo.dynamic_reshape %13, %15 : (tensor<1x?x3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
    return %16 : tensor<?x3xf32>
  }
  func.func private @closed_call(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<3x5xf32>, %arg2: tensor<5x5xf32>, %arg3: tensor<?x5xf32>, %arg4: tensor<?x3xf32>) -> (tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>) {
    %c = stablehlo.constant dense<5> : tensor<1xi32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0 = stablehlo.dot_general %arg4, %arg1, contracting_dims = [1] x [0] : (tensor<?x3xf32>, tensor<3x5xf32>) -> tensor<?x5xf32>
    %1 = stablehlo.dot_general %arg3, %arg2, contracting_dims = [1] x [0] : (tensor<?x5xf32>, tensor<5x5xf32>) -> tensor<?x5xf32>
    %2 = stablehlo.add %0, %1 : tensor<?x5xf32>
    %3 = stablehlo.tanh %2 : tensor<?x5xf32>
    %4 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %4, %c, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %6 = stablehlo.dynamic_broadcast_in_dim %cst, %5, dims = [] : (tensor<f32>, tensor<2xi32>) -> tensor<?x5xf32>
    %7 = stablehlo.subtract %6, %3 : tensor<?x5xf32>
    return %3, %3, %arg3, %3, %7 : tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>, tensor<?x5xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<7x?x5xf32>, %arg2: tensor<?x5xf32>, %arg3: tensor<i32>) -> tensor<7x?x5xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<5> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %c_1, %0, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %arg2, %1, dims = [1, 2] : (tensor<?x5xf32>, tensor<3xi32>) -> tensor<1x?x5xf32>
    %3 = stablehlo.dynamic_update_slice %arg1, %2, %arg3, %c, %c : (tensor<7x?x5xf32>, tensor<1x?x5xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<7x?x5xf32>
    return %3 : tensor<7x?x5xf32>
  }
  func.func private @dynamic_index_in_dim_0(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<7x?x5xf32>, %arg2: tensor<i32>) -> tensor<?x5xf32> {
    %c = stablehlo.constant dense<7> : tensor<1xi32>
    %c_0 = stablehlo.constant dense<0> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<5> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<0> : tensor<i32>
    %c_3 = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %c_3, %0, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2 = stablehlo.concatenate %c_0, %c_0, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %3 = stablehlo.reshape %arg2 : (tensor<i32>) -> tensor<1xi32>
    %4 = stablehlo.reshape %c_2 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.reshape %c_2 : (tensor<i32>) -> tensor<1xi32>
    %6 = stablehlo.concatenate %3, %4, %5, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %7 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.concatenate %c, %7, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %9 = stablehlo.subtract %8, %1 : tensor<3xi32>
    %10 = stablehlo.clamp %2, %6, %9 : tensor<3xi32>
    %11 = stablehlo.add %10, %1 : tensor<3xi32>
    %12 = stablehlo.concatenate %c_3, %c_3, %c_3, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %13 = stablehlo.real_dynamic_slice %arg1, %10, %11, %12 : (tensor<7x?x5xf32>, tensor<3xi32>, tensor<3xi32>, tensor<3xi32>) -> tensor<1x?x5xf32>
    %14 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %15 = stablehlo.concatenate %14, %c_1, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %16 = stablehlo.dynamic_reshape %13, %15 : (tensor<1x?x5xf32>, tensor<2xi32>) -> tensor<?x5xf32>
    return %16 : tensor<?x5xf32>
  }
  func.func private @closed_call_1(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<3x5xf32>, %arg2: tensor<5x5xf32>, %arg3: tensor<3x5xf32>, %arg4: tensor<5x5xf32>, %arg5: tensor<?x5xf32>, %arg6: tensor<?x5xf32>, %arg7: tensor<?x3xf32>, %arg8: tensor<?x5xf32>, %arg9: tensor<?x5xf32>, %arg10: tensor<?x5xf32>) -> (tensor<3x5xf32>, tensor<5x5xf32>, tensor<?x5xf32>, tensor<?x3xf32>) {
    %0 = stablehlo.add %arg5, %arg6 : tensor<?x5xf32>
    %1 = stablehlo.multiply %0, %arg10 : tensor<?x5xf32>
    %2 = stablehlo.multiply %1, %arg9 : tensor<?x5xf32>
    %3 = stablehlo.add %1, %2 : tensor<?x5xf32>
    %4 = stablehlo.dot_general %3, %arg8, contracting_dims = [0] x [0] : (tensor<?x5xf32>, tensor<?x5xf32>) -> tensor<5x5xf32>
    %5 = stablehlo.transpose %4, dims = [1, 0] : (tensor<5x5xf32>) -> tensor<5x5xf32>
    %6 = stablehlo.add %arg4, %5 : tensor<5x5xf32>
    %7 = stablehlo.dot_general %3, %arg2, contracting_dims = [1] x [1] : (tensor<?x5xf32>, tensor<5x5xf32>) -> tensor<?x5xf32>
    %8 = stablehlo.dot_general %3, %arg7, contracting_dims = [0] x [0] : (tensor<?x5xf32>, tensor<?x3xf32>) -> tensor<5x3xf32>
    %9 = stablehlo.transpose %8, dims = [1, 0] : (tensor<5x3xf32>) -> tensor<3x5xf32>
    %10 = stablehlo.add %arg3, %9 : tensor<3x5xf32>
    %11 = stablehlo.dot_general %3, %arg1, contracting_dims = [1] x [1] : (tensor<?x5xf32>, tensor<3x5xf32>) -> tensor<?x3xf32>
    return %10, %6, %7, %11 : tensor<3x5xf32>, tensor<5x5xf32>, tensor<?x5xf32>, tensor<?x3xf32>
  }
  func.func private @dynamic_update_index_in_dim_2(%arg0: tensor<i32> {jax.global_constant = "b"}, %arg1: tensor<7x?x3xf32>, %arg2: tensor<?x3xf32>, %arg3: tensor<i32>) -> tensor<7x?x3xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_1 = stablehlo.constant dense<1> : tensor<1xi32>
    %0 = stablehlo.reshape %arg0 : (tensor<i32>) -> tensor<1xi32>
    %1 = stablehlo.concatenate %c_1, %0, %c_0, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<3xi32>
    %2 = stablehlo.dynamic_broadcast_in_dim %arg2, %1, dims = [1, 2] : (tensor<?x3xf32>, tensor<3xi32>) -> tensor<1x?x3xf32>
    %3 = stablehlo.dynamic_update_slice %arg1, %2, %arg3, %c, %c : (tensor<7x?x3xf32>, tensor<1x?x3xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<7x?x3xf32>
    return %3 : tensor<7x?x3xf32>
  }
}
