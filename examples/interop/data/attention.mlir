module @jit_attention attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<64x32xf32> {weft.name = "down"}, %arg1: tensor<32x4x8xf32> {weft.name = "k"}, %arg2: tensor<4x8x32xf32> {weft.name = "out"}, %arg3: tensor<32x4x8xf32> {weft.name = "q"}, %arg4: tensor<32xf32> {weft.name = "scale1"}, %arg5: tensor<32xf32> {weft.name = "scale2"}, %arg6: tensor<32xf32> {weft.name = "shift1"}, %arg7: tensor<32xf32> {weft.name = "shift2"}, %arg8: tensor<32x64xf32> {weft.name = "up"}, %arg9: tensor<32x4x8xf32> {weft.name = "v"}, %arg10: tensor<1x16x32xf32> {weft.name = "x"}) -> (tensor<1x16x32xf32> {jax.result_info = "result"}) {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.reduce(%arg10 init: %cst) applies stablehlo.add across dimensions = [2] : (tensor<1x16x32xf32>, tensor<f32>) -> tensor<1x16xf32>
    %1 = stablehlo.broadcast_in_dim %0, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<1x16x1xf32>
    %cst_0 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %2 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1x16x1xf32>
    %3 = stablehlo.divide %1, %2 : tensor<1x16x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1, 2] : (tensor<1x16x1xf32>) -> tensor<1x16x32xf32>
    %5 = stablehlo.subtract %arg10, %4 : tensor<1x16x32xf32>
    %6 = stablehlo.multiply %5, %5 : tensor<1x16x32xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %7 = stablehlo.reduce(%6 init: %cst_1) applies stablehlo.add across dimensions = [2] : (tensor<1x16x32xf32>, tensor<f32>) -> tensor<1x16xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<1x16x1xf32>
    %cst_2 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %9 = stablehlo.broadcast_in_dim %cst_2, dims = [] : (tensor<f32>) -> tensor<1x16x1xf32>
    %10 = stablehlo.divide %8, %9 : tensor<1x16x1xf32>
    %cst_3 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %11 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<1x16x1xf32>
    %12 = stablehlo.add %10, %11 : tensor<1x16x1xf32>
    %13 = stablehlo.rsqrt %12 : tensor<1x16x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2] : (tensor<1x16x1xf32>) -> tensor<1x16x32xf32>
    %15 = stablehlo.multiply %5, %14 : tensor<1x16x32xf32>
    %16 = stablehlo.broadcast_in_dim %arg4, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<1x16x32xf32>
    %18 = stablehlo.multiply %15, %17 : tensor<1x16x32xf32>
    %19 = stablehlo.broadcast_in_dim %arg6, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %20 = stablehlo.broadcast_in_dim %19, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<1x16x32xf32>
    %21 = stablehlo.add %18, %20 : tensor<1x16x32xf32>
    %22 = stablehlo.dot_general %arg3, %21, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<32x4x8xf32>, tensor<1x16x32xf32>) -> tensor<4x8x1x16xf32>
    %23 = stablehlo.transpose %22, dims = [2, 0, 3, 1] : (tensor<4x8x1x16xf32>) -> tensor<1x4x16x8xf32>
    %24 = stablehlo.dot_general %arg1, %21, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<32x4x8xf32>, tensor<1x16x32xf32>) -> tensor<4x8x1x16xf32>
    %25 = stablehlo.transpose %24, dims = [2, 0, 3, 1] : (tensor<4x8x1x16xf32>) -> tensor<1x4x16x8xf32>
    %26 = stablehlo.dot_general %arg9, %21, contracting_dims = [0] x [2], precision = [DEFAULT, DEFAULT] : (tensor<32x4x8xf32>, tensor<1x16x32xf32>) -> tensor<4x8x1x16xf32>
    %27 = stablehlo.transpose %26, dims = [2, 0, 3, 1] : (tensor<4x8x1x16xf32>) -> tensor<1x4x16x8xf32>
    %28 = stablehlo.dot_general %23, %25, batching_dims = [0, 1] x [0, 1], contracting_dims = [3] x [3], precision = [DEFAULT, DEFAULT] : (tensor<1x4x16x8xf32>, tensor<1x4x16x8xf32>) -> tensor<1x4x16x16xf32>
    %cst_4 = stablehlo.constant dense<2.82842708> : tensor<f32>
    %29 = stablehlo.broadcast_in_dim %cst_4, dims = [] : (tensor<f32>) -> tensor<1x4x16x16xf32>
    %30 = stablehlo.divide %28, %29 : tensor<1x4x16x16xf32>
    %c = stablehlo.constant dense<true> : tensor<i1>
    %31 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %32 = call @tril(%31) : (tensor<16x16xi1>) -> tensor<16x16xi1>
    %cst_5 = stablehlo.constant dense<-1.000000e+30> : tensor<f32>
    %33 = call @_where(%32, %30, %cst_5) : (tensor<16x16xi1>, tensor<1x4x16x16xf32>, tensor<f32>) -> tensor<1x4x16x16xf32>
    %cst_6 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %34 = stablehlo.reduce(%33 init: %cst_6) applies stablehlo.maximum across dimensions = [3] : (tensor<1x4x16x16xf32>, tensor<f32>) -> tensor<1x4x16xf32>
    %cst_7 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %35 = stablehlo.broadcast_in_dim %cst_7, dims = [] : (tensor<f32>) -> tensor<1x4x16xf32>
    %36 = stablehlo.maximum %35, %34 : tensor<1x4x16xf32>
    %37 = stablehlo.broadcast_in_dim %36, dims = [0, 1, 2] : (tensor<1x4x16xf32>) -> tensor<1x4x16x1xf32>
    %38 = stablehlo.broadcast_in_dim %37, dims = [0, 1, 2, 3] : (tensor<1x4x16x1xf32>) -> tensor<1x4x16x16xf32>
    %39 = stablehlo.subtract %33, %38 : tensor<1x4x16x16xf32>
    %40 = stablehlo.exponential %39 : tensor<1x4x16x16xf32>
    %cst_8 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %41 = stablehlo.reduce(%40 init: %cst_8) applies stablehlo.add across dimensions = [3] : (tensor<1x4x16x16xf32>, tensor<f32>) -> tensor<1x4x16xf32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0, 1, 2] : (tensor<1x4x16xf32>) -> tensor<1x4x16x1xf32>
    %43 = stablehlo.broadcast_in_dim %42, dims = [0, 1, 2, 3] : (tensor<1x4x16x1xf32>) -> tensor<1x4x16x16xf32>
    %44 = stablehlo.divide %40, %43 : tensor<1x4x16x16xf32>
    %45 = stablehlo.reshape %44 : (tensor<1x4x16x16xf32>) -> tensor<4x16x16xf32>
    %46 = stablehlo.reshape %27 : (tensor<1x4x16x8xf32>) -> tensor<4x16x8xf32>
    %47 = stablehlo.dot_general %45, %46, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<4x16x16xf32>, tensor<4x16x8xf32>) -> tensor<4x16x8xf32>
    %48 = stablehlo.broadcast_in_dim %47, dims = [1, 2, 3] : (tensor<4x16x8xf32>) -> tensor<1x4x16x8xf32>
    %49 = stablehlo.dot_general %48, %arg2, contracting_dims = [3, 1] x [1, 0], precision = [DEFAULT, DEFAULT] : (tensor<1x4x16x8xf32>, tensor<4x8x32xf32>) -> tensor<1x16x32xf32>
    %50 = stablehlo.add %arg10, %49 : tensor<1x16x32xf32>
    %cst_9 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %51 = stablehlo.reduce(%50 init: %cst_9) applies stablehlo.add across dimensions = [2] : (tensor<1x16x32xf32>, tensor<f32>) -> tensor<1x16xf32>
    %52 = stablehlo.broadcast_in_dim %51, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<1x16x1xf32>
    %cst_10 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %53 = stablehlo.broadcast_in_dim %cst_10, dims = [] : (tensor<f32>) -> tensor<1x16x1xf32>
    %54 = stablehlo.divide %52, %53 : tensor<1x16x1xf32>
    %55 = stablehlo.broadcast_in_dim %54, dims = [0, 1, 2] : (tensor<1x16x1xf32>) -> tensor<1x16x32xf32>
    %56 = stablehlo.subtract %50, %55 : tensor<1x16x32xf32>
    %57 = stablehlo.multiply %56, %56 : tensor<1x16x32xf32>
    %cst_11 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %58 = stablehlo.reduce(%57 init: %cst_11) applies stablehlo.add across dimensions = [2] : (tensor<1x16x32xf32>, tensor<f32>) -> tensor<1x16xf32>
    %59 = stablehlo.broadcast_in_dim %58, dims = [0, 1] : (tensor<1x16xf32>) -> tensor<1x16x1xf32>
    %cst_12 = stablehlo.constant dense<3.200000e+01> : tensor<f32>
    %60 = stablehlo.broadcast_in_dim %cst_12, dims = [] : (tensor<f32>) -> tensor<1x16x1xf32>
    %61 = stablehlo.divide %59, %60 : tensor<1x16x1xf32>
    %cst_13 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %62 = stablehlo.broadcast_in_dim %cst_13, dims = [] : (tensor<f32>) -> tensor<1x16x1xf32>
    %63 = stablehlo.add %61, %62 : tensor<1x16x1xf32>
    %64 = stablehlo.rsqrt %63 : tensor<1x16x1xf32>
    %65 = stablehlo.broadcast_in_dim %64, dims = [0, 1, 2] : (tensor<1x16x1xf32>) -> tensor<1x16x32xf32>
    %66 = stablehlo.multiply %56, %65 : tensor<1x16x32xf32>
    %67 = stablehlo.broadcast_in_dim %arg5, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %68 = stablehlo.broadcast_in_dim %67, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<1x16x32xf32>
    %69 = stablehlo.multiply %66, %68 : tensor<1x16x32xf32>
    %70 = stablehlo.broadcast_in_dim %arg7, dims = [2] : (tensor<32xf32>) -> tensor<1x1x32xf32>
    %71 = stablehlo.broadcast_in_dim %70, dims = [0, 1, 2] : (tensor<1x1x32xf32>) -> tensor<1x16x32xf32>
    %72 = stablehlo.add %69, %71 : tensor<1x16x32xf32>
    %73 = stablehlo.dot_general %72, %arg8, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x16x32xf32>, tensor<32x64xf32>) -> tensor<1x16x64xf32>
    %74 = stablehlo.multiply %73, %73 : tensor<1x16x64xf32>
    %75 = stablehlo.multiply %74, %73 : tensor<1x16x64xf32>
    %cst_14 = stablehlo.constant dense<4.471500e-02> : tensor<f32>
    %76 = stablehlo.broadcast_in_dim %cst_14, dims = [] : (tensor<f32>) -> tensor<1x16x64xf32>
    %77 = stablehlo.multiply %76, %75 : tensor<1x16x64xf32>
    %78 = stablehlo.add %73, %77 : tensor<1x16x64xf32>
    %cst_15 = stablehlo.constant dense<0.797884583> : tensor<f32>
    %79 = stablehlo.broadcast_in_dim %cst_15, dims = [] : (tensor<f32>) -> tensor<1x16x64xf32>
    %80 = stablehlo.multiply %79, %78 : tensor<1x16x64xf32>
    %81 = stablehlo.tanh %80 : tensor<1x16x64xf32>
    %cst_16 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %82 = stablehlo.broadcast_in_dim %cst_16, dims = [] : (tensor<f32>) -> tensor<1x16x64xf32>
    %83 = stablehlo.add %82, %81 : tensor<1x16x64xf32>
    %cst_17 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %84 = stablehlo.broadcast_in_dim %cst_17, dims = [] : (tensor<f32>) -> tensor<1x16x64xf32>
    %85 = stablehlo.multiply %84, %83 : tensor<1x16x64xf32>
    %86 = stablehlo.multiply %73, %85 : tensor<1x16x64xf32>
    %87 = stablehlo.dot_general %86, %arg0, contracting_dims = [2] x [0], precision = [DEFAULT, DEFAULT] : (tensor<1x16x64xf32>, tensor<64x32xf32>) -> tensor<1x16x32xf32>
    %88 = stablehlo.add %50, %87 : tensor<1x16x32xf32>
    return %88 : tensor<1x16x32xf32>
  }
  func.func private @tril(%arg0: tensor<16x16xi1>) -> tensor<16x16xi1> {
    %0 = stablehlo.iota dim = 0 : tensor<16x16xi32>
    %c = stablehlo.constant dense<0> : tensor<i32>
    %1 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<16x16xi32>
    %2 = stablehlo.add %0, %1 : tensor<16x16xi32>
    %3 = stablehlo.iota dim = 1 : tensor<16x16xi32>
    %4 = stablehlo.compare GE, %2, %3, SIGNED : (tensor<16x16xi32>, tensor<16x16xi32>) -> tensor<16x16xi1>
    %c_0 = stablehlo.constant dense<false> : tensor<i1>
    %5 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i1>) -> tensor<16x16xi1>
    %6 = stablehlo.select %4, %arg0, %5 : tensor<16x16xi1>, tensor<16x16xi1>
    return %6 : tensor<16x16xi1>
  }
  func.func private @_where(%arg0: tensor<16x16xi1>, %arg1: tensor<1x4x16x16xf32>, %arg2: tensor<f32>) -> tensor<1x4x16x16xf32> {
    %0 = stablehlo.convert %arg2 : tensor<f32>
    %1 = stablehlo.broadcast_in_dim %arg0, dims = [2, 3] : (tensor<16x16xi1>) -> tensor<1x4x16x16xi1>
    %2 = stablehlo.broadcast_in_dim %0, dims = [] : (tensor<f32>) -> tensor<1x4x16x16xf32>
    %3 = stablehlo.select %1, %arg1, %2 : tensor<1x4x16x16xi1>, tensor<1x4x16x16xf32>
    return %3 : tensor<1x4x16x16xf32>
  }
}
