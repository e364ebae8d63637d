// inputs 732eed3f8a7bdbbf64a4ae3f468598be324afbbf6995ba3f5f5ca43fe0d400bfdd055e3fcf37b6be1298503d8d422a3e088e6cbe493d063fe580c53e
// extents 5 3
// outputs 732eed3f8a7bdbbf64a4ae3f468598be324afbbf6995ba3f5f5ca43fe0d400bfdd055e3fcf37b6be1298503d8d422a3e088e6cbe493d063fe580c53e732eed3f8a7bdbbf64a4ae3f468598be324afbbf6995ba3f5f5ca43fe0d400bfdd055e3fcf37b6be1298503d8d422a3e088e6cbe493d063fe580c53e
// tolerance 0
module @weft attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x3xf32> {weft.extents = ["d0", ""]}) -> tensor<?x3xf32> {
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x3xf32>) -> tensor<i32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %1 = stablehlo.reshape %c : (tensor<i32>) -> tensor<1xi32>
    %2 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %c_0 = stablehlo.constant dense<1> : tensor<i32>
    %3 = stablehlo.reshape %c_0 : (tensor<i32>) -> tensor<1xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<i32>
    %4 = stablehlo.reshape %c_1 : (tensor<i32>) -> tensor<1xi32>
    %5 = stablehlo.concatenate %1, %2, %3, %4, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %6 = stablehlo.dynamic_reshape %arg0, %5 : (tensor<?x3xf32>, tensor<4xi32>) -> tensor<1x?x1x3xf32>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %7 = stablehlo.reshape %c_2 : (tensor<i32>) -> tensor<1xi32>
    %8 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %9 = stablehlo.reshape %c_3 : (tensor<i32>) -> tensor<1xi32>
    %c_4 = stablehlo.constant dense<3> : tensor<i32>
    %10 = stablehlo.reshape %c_4 : (tensor<i32>) -> tensor<1xi32>
    %11 = stablehlo.concatenate %7, %8, %9, %10, dim = 0 : (tensor<1xi32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xi32>
    %12 = stablehlo.dynamic_broadcast_in_dim %6, %11, dims = [0, 1, 2, 3] : (tensor<1x?x1x3xf32>, tensor<4xi32>) -> tensor<2x?x1x3xf32>
    %c_5 = stablehlo.constant dense<1> : tensor<i32>
    %c_6 = stablehlo.constant dense<2> : tensor<i32>
    %13 = stablehlo.multiply %c_5, %c_6 : tensor<i32>
    %14 = stablehlo.multiply %13, %0 : tensor<i32>
    %c_7 = stablehlo.constant dense<1> : tensor<i32>
    %15 = stablehlo.multiply %14, %c_7 : tensor<i32>
    %c_8 = stablehlo.constant dense<3> : tensor<i32>
    %16 = stablehlo.multiply %15, %c_8 : tensor<i32>
    %c_9 = stablehlo.constant dense<1> : tensor<i32>
    %c_10 = stablehlo.constant dense<3> : tensor<i32>
    %17 = stablehlo.multiply %c_9, %c_10 : tensor<i32>
    %c_11 = stablehlo.constant dense<1> : tensor<i32>
    %18 = stablehlo.maximum %17, %c_11 : tensor<i32>
    %19 = stablehlo.divide %16, %18 : tensor<i32>
    %20 = stablehlo.reshape %19 : (tensor<i32>) -> tensor<1xi32>
    %c_12 = stablehlo.constant dense<3> : tensor<i32>
    %21 = stablehlo.reshape %c_12 : (tensor<i32>) -> tensor<1xi32>
    %22 = stablehlo.concatenate %20, %21, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %23 = stablehlo.dynamic_reshape %12, %22 : (tensor<2x?x1x3xf32>, tensor<2xi32>) -> tensor<?x3xf32>
    return %23 : tensor<?x3xf32>
  }
}
