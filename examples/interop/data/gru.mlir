module @jit_gru attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<96xf32> {weft.name = "b"}, %arg1: tensor<96xf32> {weft.name = "c"}, %arg2: tensor<32x8xf32> {weft.name = "out"}, %arg3: tensor<32x96xf32> {weft.name = "u"}, %arg4: tensor<16x96xf32> {weft.name = "w"}, %arg5: tensor<24x1x16xf32> {weft.name = "x"}) -> (tensor<24x1x8xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<24x1x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %2:8 = stablehlo.while(%iterArg = %arg5, %iterArg_1 = %arg4, %iterArg_2 = %arg0, %iterArg_3 = %arg3, %iterArg_4 = %arg1, %iterArg_5 = %c, %iterArg_6 = %0, %iterArg_7 = %1) : tensor<24x1x16xf32>, tensor<16x96xf32>, tensor<96xf32>, tensor<32x96xf32>, tensor<96xf32>, tensor<i32>, tensor<1x32xf32>, tensor<24x1x32xf32>
    cond {
      %c_8 = stablehlo.constant dense<24> : tensor<i32>
      %4 = stablehlo.compare LT, %iterArg_5, %c_8, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %4 : tensor<i1>
    } do {
      %4 = func.call @dynamic_index_in_dim(%iterArg, %iterArg_5) : (tensor<24x1x16xf32>, tensor<i32>) -> tensor<1x16xf32>
      %5:2 = func.call @closed_call(%iterArg_1, %iterArg_2, %iterArg_3, %iterArg_4, %iterArg_6, %4) : (tensor<16x96xf32>, tensor<96xf32>, tensor<32x96xf32>, tensor<96xf32>, tensor<1x32xf32>, tensor<1x16xf32>) -> (tensor<1x32xf32>, tensor<1x32xf32>)
      %6 = func.call @dynamic_update_index_in_dim(%iterArg_7, %5#1, %iterArg_5) : (tensor<24x1x32xf32>, tensor<1x32xf32>, tensor<i32>) -> tensor<24x1x32xf32>
      %c_8 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.add %iterArg_5, %c_8 : tensor<i32>
      stablehlo.return %iterArg, %iterArg_1, %iterArg_2, %iterArg_3, %iterArg_4, %7, %5#0, %6 : tensor<24x1x16xf32>, tensor<16x96xf32>, tensor<96xf32>, tensor<32x96xf32>, tensor<96xf32>, tensor<i32>, tensor<1x32xf32>, tensor<24x1x32xf32>
    }
    %3 = stablehlo.dot_general %2#7, %arg2, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<24x1x32xf32>, tensor<32x8xf32>) -> tensor<24x1x8xf32>
    return %3 : tensor<24x1x8xf32>
  }
  func.func private @dynamic_index_in_dim(%arg0: tensor<24x1x16xf32>, %arg1: tensor<i32>) -> tensor<1x16xf32> {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.dynamic_slice %arg0, %arg1, %c, %c_0, sizes = [1, 1, 16] : (tensor<24x1x16xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<1x1x16xf32>
    %1 = stablehlo.reshape %0 : (tensor<1x1x16xf32>) -> tensor<1x16xf32>
    return %1 : tensor<1x16xf32>
  }
  func.func private @closed_call(%arg0: tensor<16x96xf32>, %arg1: tensor<96xf32>, %arg2: tensor<32x96xf32>, %arg3: tensor<96xf32>, %arg4: tensor<1x32xf32>, %arg5: tensor<1x16xf32>) -> (tensor<1x32xf32>, tensor<1x32xf32>) {
    %0 = stablehlo.dot_general %arg5, %arg0, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x16xf32>, tensor<16x96xf32>) -> tensor<1x96xf32>
    %1 = stablehlo.broadcast_in_dim %arg1, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %2 = stablehlo.add %0, %1 : tensor<1x96xf32>
    %3 = stablehlo.slice %2 [0:1, 0:32] : (tensor<1x96xf32>) -> tensor<1x32xf32>
    %4 = stablehlo.slice %2 [0:1, 32:64] : (tensor<1x96xf32>) -> tensor<1x32xf32>
    %5 = stablehlo.slice %2 [0:1, 64:96] : (tensor<1x96xf32>) -> tensor<1x32xf32>
    %6 = stablehlo.dot_general %arg4, %arg2, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x32xf32>, tensor<32x96xf32>) -> tensor<1x96xf32>
    %7 = stablehlo.broadcast_in_dim %arg3, dims = [1] : (tensor<96xf32>) -> tensor<1x96xf32>
    %8 = stablehlo.add %6, %7 : tensor<1x96xf32>
    %9 = stablehlo.slice %8 [0:1, 0:32] : (tensor<1x96xf32>) -> tensor<1x32xf32>
    %10 = stablehlo.slice %8 [0:1, 32:64] : (tensor<1x96xf32>) -> tensor<1x32xf32>
    %11 = stablehlo.slice %8 [0:1, 64:96] : (tensor<1x96xf32>) -> tensor<1x32xf32>
    %12 = stablehlo.add %4, %10 : tensor<1x32xf32>
    %13 = stablehlo.negate %12 : tensor<1x32xf32>
    %14 = stablehlo.exponential %13 : tensor<1x32xf32>
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %15 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %16 = stablehlo.add %15, %14 : tensor<1x32xf32>
    %cst_0 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %17 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %18 = stablehlo.divide %17, %16 : tensor<1x32xf32>
    %19 = stablehlo.add %3, %9 : tensor<1x32xf32>
    %20 = stablehlo.negate %19 : tensor<1x32xf32>
    %21 = stablehlo.exponential %20 : tensor<1x32xf32>
    %cst_1 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %22 = stablehlo.broadcast_in_dim %cst_1, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %23 = stablehlo.add %22, %21 : tensor<1x32xf32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %24 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %25 = stablehlo.divide %24, %23 : tensor<1x32xf32>
    %26 = stablehlo.multiply %25, %11 : tensor<1x32xf32>
    %27 = stablehlo.add %5, %26 : tensor<1x32xf32>
    %28 = stablehlo.tanh %27 : tensor<1x32xf32>
    %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %30 = stablehlo.subtract %29, %18 : tensor<1x32xf32>
    %31 = stablehlo.multiply %30, %28 : tensor<1x32xf32>
    %32 = stablehlo.multiply %18, %arg4 : tensor<1x32xf32>
    %33 = stablehlo.add %31, %32 : tensor<1x32xf32>
    return %33, %33 : tensor<1x32xf32>, tensor<1x32xf32>
  }
  func.func private @dynamic_update_index_in_dim(%arg0: tensor<24x1x32xf32>, %arg1: tensor<1x32xf32>, %arg2: tensor<i32>) -> tensor<24x1x32xf32> {
    %0 = stablehlo.broadcast_in_dim %arg1, dims = [1, 2] : (tensor<1x32xf32>) -> tensor<1x1x32xf32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %c_0 = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.dynamic_update_slice %arg0, %0, %arg2, %c, %c_0 : (tensor<24x1x32xf32>, tensor<1x1x32xf32>, tensor<i32>, tensor<i32>, tensor<i32>) -> tensor<24x1x32xf32>
    return %1 : tensor<24x1x32xf32>
  }
}
