module @jit_func attributes {jax.uses_shape_polymorphism = false, mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<8x1x3x3xf32> {weft.name = "conv.weight"}, %arg1: tensor<8xf32> {weft.name = "conv.bias"}, %arg2: tensor<8xf32> {weft.name = "norm.weight"}, %arg3: tensor<8xf32> {weft.name = "norm.bias"}, %arg4: tensor<32x288xf32> {weft.name = "hidden.weight"}, %arg5: tensor<32xf32> {weft.name = "hidden.bias"}, %arg6: tensor<10x32xf32> {weft.name = "out.weight"}, %arg7: tensor<10xf32> {weft.name = "out.bias"}, %arg8: tensor<8xf32> {weft.name = "norm.running_mean"}, %arg9: tensor<8xf32> {weft.name = "norm.running_var"}, %arg10: tensor<1x1x12x12xf32> {weft.name = "x"}) -> (tensor<1x10xf32> {jax.result_info = "result[0]"}) {
    %cst = stablehlo.constant dense<1.12837911> : tensor<1x32xf32>
    %cst_0 = stablehlo.constant dense<-0.37612626> : tensor<1x32xf32>
    %cst_1 = stablehlo.constant dense<0.112835854> : tensor<1x32xf32>
    %cst_2 = stablehlo.constant dense<-0.0268538129> : tensor<1x32xf32>
    %cst_3 = stablehlo.constant dense<0.00518832775> : tensor<1x32xf32>
    %cst_4 = stablehlo.constant dense<-8.0101937E-4> : tensor<1x32xf32>
    %cst_5 = stablehlo.constant dense<7.85386146E-5> : tensor<1x32xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<1x32xf32>
    %cst_7 = stablehlo.constant dense<-88.7228394> : tensor<1x32xf32>
    %cst_8 = stablehlo.constant dense<0.564189494> : tensor<1x32xf32>
    %cst_9 = stablehlo.constant dense<-0.282076746> : tensor<1x32xf32>
    %cst_10 = stablehlo.constant dense<0.42184633> : tensor<1x32xf32>
    %cst_11 = stablehlo.constant dense<-1.01526523> : tensor<1x32xf32>
    %cst_12 = stablehlo.constant dense<2.92101908> : tensor<1x32xf32>
    %cst_13 = stablehlo.constant dense<-7.49551868> : tensor<1x32xf32>
    %cst_14 = stablehlo.constant dense<1.297720e+01> : tensor<1x32xf32>
    %cst_15 = stablehlo.constant dense<-10.477664> : tensor<1x32xf32>
    %cst_16 = stablehlo.constant dense<0.563825965> : tensor<1x32xf32>
    %cst_17 = stablehlo.constant dense<-0.274112701> : tensor<1x32xf32>
    %cst_18 = stablehlo.constant dense<3.404880e-01> : tensor<1x32xf32>
    %cst_19 = stablehlo.constant dense<-0.494451523> : tensor<1x32xf32>
    %cst_20 = stablehlo.constant dense<0.621000468> : tensor<1x32xf32>
    %cst_21 = stablehlo.constant dense<-0.582473278> : tensor<1x32xf32>
    %cst_22 = stablehlo.constant dense<0.368742466> : tensor<1x32xf32>
    %cst_23 = stablehlo.constant dense<-0.138703942> : tensor<1x32xf32>
    %cst_24 = stablehlo.constant dense<2.326820e-02> : tensor<1x32xf32>
    %cst_25 = stablehlo.constant dense<2.000000e+00> : tensor<1x32xf32>
    %cst_26 = stablehlo.constant dense<1.000000e+00> : tensor<1x32xf32>
    %cst_27 = stablehlo.constant dense<0.707106769> : tensor<f32>
    %cst_28 = stablehlo.constant dense<5.000000e-01> : tensor<f32>
    %cst_29 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_30 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %cst_31 = stablehlo.constant dense<9.99999974E-6> : tensor<f32>
    %0 = stablehlo.convolution(%arg10, %arg0) dim_numbers = [b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1], window = {pad = [[1, 1], [1, 1]]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x1x12x12xf32>, tensor<8x1x3x3xf32>) -> tensor<1x8x12x12xf32>
    %1 = stablehlo.reshape %arg1 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %2 = stablehlo.broadcast_in_dim %1, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<1x8x12x12xf32>
    %3 = stablehlo.add %0, %2 : tensor<1x8x12x12xf32>
    %4 = stablehlo.reshape %arg9 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %5 = stablehlo.broadcast_in_dim %cst_31, dims = [] : (tensor<f32>) -> tensor<1x8x1x1xf32>
    %6 = stablehlo.add %4, %5 : tensor<1x8x1x1xf32>
    %7 = stablehlo.rsqrt %6 : tensor<1x8x1x1xf32>
    %8 = stablehlo.reshape %arg8 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %9 = stablehlo.broadcast_in_dim %8, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<1x8x12x12xf32>
    %10 = stablehlo.subtract %3, %9 : tensor<1x8x12x12xf32>
    %11 = stablehlo.broadcast_in_dim %7, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<1x8x12x12xf32>
    %12 = stablehlo.multiply %10, %11 : tensor<1x8x12x12xf32>
    %13 = stablehlo.reshape %arg2 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %14 = stablehlo.broadcast_in_dim %13, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<1x8x12x12xf32>
    %15 = stablehlo.multiply %12, %14 : tensor<1x8x12x12xf32>
    %16 = stablehlo.reshape %arg3 : (tensor<8xf32>) -> tensor<1x8x1x1xf32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0, 1, 2, 3] : (tensor<1x8x1x1xf32>) -> tensor<1x8x12x12xf32>
    %18 = stablehlo.add %15, %17 : tensor<1x8x12x12xf32>
    %19 = call @relu(%18) : (tensor<1x8x12x12xf32>) -> tensor<1x8x12x12xf32>
    %20 = stablehlo.broadcast_in_dim %cst_30, dims = [] : (tensor<f32>) -> tensor<f32>
    %21 = "stablehlo.reduce_window"(%19, %20) <{window_dimensions = array<i64: 1, 1, 2, 2>, window_strides = array<i64: 1, 1, 2, 2>}> ({
    ^bb0(%arg11: tensor<f32>, %arg12: tensor<f32>):
      %109 = stablehlo.maximum %arg11, %arg12 : tensor<f32>
      stablehlo.return %109 : tensor<f32>
    }) : (tensor<1x8x12x12xf32>, tensor<f32>) -> tensor<1x8x6x6xf32>
    %22 = stablehlo.reshape %21 : (tensor<1x8x6x6xf32>) -> tensor<1x288xf32>
    %23 = stablehlo.transpose %arg4, dims = [1, 0] : (tensor<32x288xf32>) -> tensor<288x32xf32>
    %24 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<32xf32>
    %25 = stablehlo.multiply %arg5, %24 : tensor<32xf32>
    %26 = stablehlo.dot_general %22, %23, contracting_dims = [1] x [0] : (tensor<1x288xf32>, tensor<288x32xf32>) -> tensor<1x32xf32>
    %27 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %28 = stablehlo.multiply %27, %26 : tensor<1x32xf32>
    %29 = stablehlo.broadcast_in_dim %25, dims = [1] : (tensor<32xf32>) -> tensor<1x32xf32>
    %30 = stablehlo.add %29, %28 : tensor<1x32xf32>
    %31 = stablehlo.broadcast_in_dim %cst_28, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %32 = stablehlo.multiply %31, %30 : tensor<1x32xf32>
    %33 = stablehlo.negate %30 : tensor<1x32xf32>
    %34 = stablehlo.broadcast_in_dim %cst_27, dims = [] : (tensor<f32>) -> tensor<1x32xf32>
    %35 = stablehlo.multiply %33, %34 : tensor<1x32xf32>
    %36 = stablehlo.multiply %35, %35 : tensor<1x32xf32>
    %37 = stablehlo.negate %36 : tensor<1x32xf32>
    %38 = stablehlo.abs %35 : tensor<1x32xf32>
    %39 = stablehlo.divide %cst_26, %36 : tensor<1x32xf32>
    %40 = stablehlo.exponential %37 : tensor<1x32xf32>
    %41 = stablehlo.divide %cst_26, %38 : tensor<1x32xf32>
    %42 = stablehlo.multiply %40, %41 : tensor<1x32xf32>
    %43 = stablehlo.compare LT, %38, %cst_25 : (tensor<1x32xf32>, tensor<1x32xf32>) -> tensor<1x32xi1>
    %44 = stablehlo.multiply %cst_24, %39 : tensor<1x32xf32>
    %45 = stablehlo.add %44, %cst_23 : tensor<1x32xf32>
    %46 = stablehlo.multiply %45, %39 : tensor<1x32xf32>
    %47 = stablehlo.add %46, %cst_22 : tensor<1x32xf32>
    %48 = stablehlo.multiply %47, %39 : tensor<1x32xf32>
    %49 = stablehlo.add %48, %cst_21 : tensor<1x32xf32>
    %50 = stablehlo.multiply %49, %39 : tensor<1x32xf32>
    %51 = stablehlo.add %50, %cst_20 : tensor<1x32xf32>
    %52 = stablehlo.multiply %51, %39 : tensor<1x32xf32>
    %53 = stablehlo.add %52, %cst_19 : tensor<1x32xf32>
    %54 = stablehlo.multiply %53, %39 : tensor<1x32xf32>
    %55 = stablehlo.add %54, %cst_18 : tensor<1x32xf32>
    %56 = stablehlo.multiply %55, %39 : tensor<1x32xf32>
    %57 = stablehlo.add %56, %cst_17 : tensor<1x32xf32>
    %58 = stablehlo.multiply %57, %39 : tensor<1x32xf32>
    %59 = stablehlo.add %58, %cst_16 : tensor<1x32xf32>
    %60 = stablehlo.multiply %cst_15, %39 : tensor<1x32xf32>
    %61 = stablehlo.add %60, %cst_14 : tensor<1x32xf32>
    %62 = stablehlo.multiply %61, %39 : tensor<1x32xf32>
    %63 = stablehlo.add %62, %cst_13 : tensor<1x32xf32>
    %64 = stablehlo.multiply %63, %39 : tensor<1x32xf32>
    %65 = stablehlo.add %64, %cst_12 : tensor<1x32xf32>
    %66 = stablehlo.multiply %65, %39 : tensor<1x32xf32>
    %67 = stablehlo.add %66, %cst_11 : tensor<1x32xf32>
    %68 = stablehlo.multiply %67, %39 : tensor<1x32xf32>
    %69 = stablehlo.add %68, %cst_10 : tensor<1x32xf32>
    %70 = stablehlo.multiply %69, %39 : tensor<1x32xf32>
    %71 = stablehlo.add %70, %cst_9 : tensor<1x32xf32>
    %72 = stablehlo.multiply %71, %39 : tensor<1x32xf32>
    %73 = stablehlo.add %72, %cst_8 : tensor<1x32xf32>
    %74 = stablehlo.select %43, %59, %73 : tensor<1x32xi1>, tensor<1x32xf32>
    %75 = stablehlo.multiply %42, %74 : tensor<1x32xf32>
    %76 = stablehlo.compare LT, %37, %cst_7 : (tensor<1x32xf32>, tensor<1x32xf32>) -> tensor<1x32xi1>
    %77 = stablehlo.select %76, %cst_6, %75 : tensor<1x32xi1>, tensor<1x32xf32>
    %78 = stablehlo.compare LT, %35, %cst_6 : (tensor<1x32xf32>, tensor<1x32xf32>) -> tensor<1x32xi1>
    %79 = stablehlo.subtract %cst_25, %77 : tensor<1x32xf32>
    %80 = stablehlo.select %78, %79, %77 : tensor<1x32xi1>, tensor<1x32xf32>
    %81 = stablehlo.multiply %35, %35 : tensor<1x32xf32>
    %82 = stablehlo.multiply %cst_5, %81 : tensor<1x32xf32>
    %83 = stablehlo.add %82, %cst_4 : tensor<1x32xf32>
    %84 = stablehlo.multiply %83, %81 : tensor<1x32xf32>
    %85 = stablehlo.add %84, %cst_3 : tensor<1x32xf32>
    %86 = stablehlo.multiply %85, %81 : tensor<1x32xf32>
    %87 = stablehlo.add %86, %cst_2 : tensor<1x32xf32>
    %88 = stablehlo.multiply %87, %81 : tensor<1x32xf32>
    %89 = stablehlo.add %88, %cst_1 : tensor<1x32xf32>
    %90 = stablehlo.multiply %89, %81 : tensor<1x32xf32>
    %91 = stablehlo.add %90, %cst_0 : tensor<1x32xf32>
    %92 = stablehlo.multiply %91, %81 : tensor<1x32xf32>
    %93 = stablehlo.add %92, %cst : tensor<1x32xf32>
    %94 = stablehlo.multiply %35, %93 : tensor<1x32xf32>
    %95 = stablehlo.subtract %cst_26, %94 : tensor<1x32xf32>
    %96 = stablehlo.abs %35 : tensor<1x32xf32>
    %97 = stablehlo.compare LT, %96, %cst_26 : (tensor<1x32xf32>, tensor<1x32xf32>) -> tensor<1x32xi1>
    %98 = stablehlo.select %97, %95, %80 : tensor<1x32xi1>, tensor<1x32xf32>
    %99 = stablehlo.multiply %32, %98 : tensor<1x32xf32>
    %100 = stablehlo.transpose %arg6, dims = [1, 0] : (tensor<10x32xf32>) -> tensor<32x10xf32>
    %101 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<10xf32>
    %102 = stablehlo.multiply %arg7, %101 : tensor<10xf32>
    %103 = stablehlo.dot_general %99, %100, contracting_dims = [1] x [0] : (tensor<1x32xf32>, tensor<32x10xf32>) -> tensor<1x10xf32>
    %104 = stablehlo.broadcast_in_dim %cst_29, dims = [] : (tensor<f32>) -> tensor<1x10xf32>
    %105 = stablehlo.multiply %104, %103 : tensor<1x10xf32>
    %106 = stablehlo.broadcast_in_dim %102, dims = [1] : (tensor<10xf32>) -> tensor<1x10xf32>
    %107 = stablehlo.add %106, %105 : tensor<1x10xf32>
    %108 = call @log_softmax(%107) : (tensor<1x10xf32>) -> tensor<1x10xf32>
    return %108 : tensor<1x10xf32>
  }
  func.func private @relu(%arg0: tensor<1x8x12x12xf32>) -> tensor<1x8x12x12xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %0 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<1x8x12x12xf32>
    %1 = stablehlo.maximum %arg0, %0 : tensor<1x8x12x12xf32>
    return %1 : tensor<1x8x12x12xf32>
  }
  func.func private @log_softmax(%arg0: tensor<1x10xf32>) -> tensor<1x10xf32> {
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0xFF800000> : tensor<f32>
    %0 = stablehlo.reduce(%arg0 init: %cst_0) applies stablehlo.maximum across dimensions = [1] : (tensor<1x10xf32>, tensor<f32>) -> tensor<1xf32>
    %1 = stablehlo.broadcast_in_dim %cst_0, dims = [] : (tensor<f32>) -> tensor<1xf32>
    %2 = stablehlo.maximum %1, %0 : tensor<1xf32>
    %3 = stablehlo.broadcast_in_dim %2, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %4 = stablehlo.broadcast_in_dim %3, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x10xf32>
    %5 = stablehlo.subtract %arg0, %4 : tensor<1x10xf32>
    %6 = stablehlo.exponential %5 : tensor<1x10xf32>
    %7 = stablehlo.reduce(%6 init: %cst) applies stablehlo.add across dimensions = [1] : (tensor<1x10xf32>, tensor<f32>) -> tensor<1xf32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [0] : (tensor<1xf32>) -> tensor<1x1xf32>
    %9 = stablehlo.log %8 : tensor<1x1xf32>
    %10 = stablehlo.broadcast_in_dim %9, dims = [0, 1] : (tensor<1x1xf32>) -> tensor<1x10xf32>
    %11 = stablehlo.subtract %5, %10 : tensor<1x10xf32>
    return %11 : tensor<1x10xf32>
  }
}
