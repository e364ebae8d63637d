// inputs 6cbf003e7f4607bebdf2233fdfd5d63da12109bffd22b93e79e9a63fe673723ffe2734bf55f9a1bfea8e1fbf6e45293d4ecd14c0ec0a60be037a9fbfe0753bbf8f540bbf18f2a1be3dc1d23e1471853f979e03be46e8ae3f334a2abf21f9b33e00000000030000000900000001000000f9ffffff394982bf0a37df3e8b1808c08452d83fe34df8bf342ed23e69cf943f084aa53fe71cb03eb37bb6bf4135cfbd0a6189be9299bc3eecdc7c3f837b293f91c80740a13a293f1713c7be2ca3d03fd309a1be6a50903ed91d393e4dc412c058bb8d3e7931943eecbc56be88ad10be5567a4bf86e2a83ddd5fc03f
// outputs da491abf50d5c03d694dd0bf1ab1023f462819c0149a114052c63b40fcee213f92ffd7be9ad58abf08a83ac006e4a23e4ecd14c0ec0a60be037a9fbfe0753bbf8f540bbf18f2a1be1ca6f83fc994544051a2603fdafe0340d0b1d7bd007b9cbe394982bf0a37df3e8b1808c08452d83fe34df8bf342ed23e2ca3d03fd309a1be6a50903ed91d393e4dc412c058bb8d3e4ecd14c0ec0a60be037a9fbfe0753bbf8f540bbf18f2a1be69cf943f084aa53fe71cb03eb37bb6bf4135cfbd0a6189be
// tolerance 2e-05
module @jit__lambda {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<5xi32>, %arg2: tensor<5x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<5xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<5xi1>, tensor<5xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %c_1 = stablehlo.constant dense<3> : tensor<1xi32>
    %c_2 = stablehlo.constant dense<2147483647> : tensor<i32>
    %6 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %7 = stablehlo.minimum %c_1, %6 : tensor<1xi32>
    %8 = stablehlo.broadcast_in_dim %7, dims = [1] : (tensor<1xi32>) -> tensor<5x1xi32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<5x1xi32>
    %10 = stablehlo.clamp %9, %5, %8 : tensor<5x1xi32>
    %11 = "stablehlo.scatter"(%arg0, %10, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %19 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %19 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
    %c_4 = stablehlo.constant dense<0> : tensor<i32>
    %12 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %13 = stablehlo.compare LT, %arg1, %12, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_5 = stablehlo.constant dense<4> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %15 = stablehlo.add %arg1, %14 : tensor<5xi32>
    %16 = stablehlo.select %13, %15, %arg1 : tensor<5xi1>, tensor<5xi32>
    %17 = stablehlo.broadcast_in_dim %16, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %18 = "stablehlo.scatter"(%arg0, %17, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
    return %11, %18 : tensor<4x6xf32>, tensor<4x6xf32>
  }
}
