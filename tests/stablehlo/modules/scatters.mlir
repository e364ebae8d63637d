// inputs 6cbf003e7f4607bebdf2233fdfd5d63da12109bffd22b93e79e9a63fe673723ffe2734bf55f9a1bfea8e1fbf6e45293d4ecd14c0ec0a60be037a9fbfe0753bbf8f540bbf18f2a1be3dc1d23e1471853f979e03be46e8ae3f334a2abf21f9b33efffffffffcfffffffdffffff03000000060000005227bf3e14d8f7bfebf6a33e0dd7a6bb9c20d8bfa1dedcbebd19753f28909ebf6c7fa53fe518f33e91de69be3fbe11be1a76543fee37b7bfd89b0240433c50bf9ae943bf22429c3fdf404a3f6fa6a93fb5e2853ff8b6c03e8e60a3bf1318f2beb0334b3e76c28cbccb6003c013af853f1496dd3f7967bb3f
// outputs bd19753f28909ebf6c7fa53fe518f33e91de69be3fbe11be1a76543fee37b7bfd89b0240433c50bf9ae943bf22429c3f4ecd14c0ec0a60be037a9fbfe0753bbf8f540bbf18f2a1bedf404a3f6fa6a93fb5e2853ff8b6c03e8e60a3bf1318f2becca48a3ff878afbfca78f73f2e67143f459943bfbb87603e43920840ecf7f7beb123ab3fbb0b05c042bcb1bf4d8ca13f4ecd14c0ec0a60be037a9fbfe0753bbf8f540bbf18f2a1be949ac93fbcfddc3e9d6c9e3f2d6fde3f225368c0ca7e0dbf4888f63d5e93273e1dfa533fe7014c3da98dfa3dcecc52bd59868a3fd285adbff6d3b7bfb6c0833feb36f43e13a44e3d4ecd14c0ec0a60be037a9fbfe0753bbf8f540bbf18f2a1bef5a8f83d533a2bc07c5a30bd439f2bbb6b80b7bf5ad7923d6cbf003e28909ebfbdf2233fdfd5d63da12109bf3fbe11be1a76543fee37b7bffe2734bf55f9a1bf9ae943bf6e45293d4ecd14c0ec0a60be037a9fbfe0753bbf8f540bbf18f2a1be5227bf3e14d8f7bf979e03be0dd7a6bb9c20d8bf1318f2bebd19753f7f4607be6c7fa53fe518f33e91de69befd22b93e79e9a63fe673723fd89b0240433c50bfea8e1fbf22429c3f4ecd14c0ec0a60be037a9fbfe0753bbf8f540bbf18f2a1bedf404a3f6fa6a93fb5e2853f46e8ae3f334a2abf21f9b33e6cbf003e7f4607be3d86cc3fdac8dc3fa12109bf28253c3f79e9a63fe673723f27a4f8bfd58aafbfea8e1fbfe98df2bf4ecd14c0ec0a60be20ad403dbaaf16408f540bbfc034813b3dc1d23e1471853f9a49b13ec5ef6d3f334a2abfc55db13ea768003edbe106be03f8183f0f71d63dacaa02bfe520b53e5ef1763f7fcc4f3f62a625bfef2774bf2b6d15bf1939293d4ecd14c0ec0a60be037a9fbfe0753bbf8f540bbf18f2a1be6b6ec73eb89e423ff2e502be217e543fe22914bfbad3ac3e6cbf003e7f4607be3d86cc3fdfd5d63da12109bffd22b93e79e9a63fe673723ffe2734bf20f9debeea8e1fbf6e45293d4ecd14c0ec0a60be037a9fbfe0753bbf8f540bbf18f2a1be3dc1d23e1471853f979e03be5b040a40334a2abf3a90393f6cbf003e7f4607bebdf2233fdfd5d63da12109bffd22b93e0000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000003dc1d23e1471853f979e03be46e8ae3f334a2abf21f9b33e6cbf003e7f4607bebdf2233fdfd5d63da12109bffd22b93e79e9a63fe673723ffe2734bf55f9a1bfea8e1fbf6e45293d9c9aa9bf45fd473f18d07bbe4014893ee256e93ef4062f3f3dc1d23e1471853f979e03be46e8ae3f334a2abf21f9b33e
// tolerance 2e-05
module @jit__lambda {
  func.func public @main(%arg0: tensor<4x6xf32>, %arg1: tensor<5xi32>, %arg2: tensor<5x6xf32>) -> (tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0 = stablehlo.broadcast_in_dim %c, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %1 = stablehlo.compare LT, %arg1, %0, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_0 = stablehlo.constant dense<4> : tensor<i32>
    %2 = stablehlo.broadcast_in_dim %c_0, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %3 = stablehlo.add %arg1, %2 : tensor<5xi32>
    %4 = stablehlo.select %1, %3, %arg1 : tensor<5xi1>, tensor<5xi32>
    %5 = stablehlo.broadcast_in_dim %4, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %6 = "stablehlo.scatter"(%arg0, %5, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %7 = stablehlo.broadcast_in_dim %c_1, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %8 = stablehlo.compare LT, %arg1, %7, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_2 = stablehlo.constant dense<4> : tensor<i32>
    %9 = stablehlo.broadcast_in_dim %c_2, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %10 = stablehlo.add %arg1, %9 : tensor<5xi32>
    %11 = stablehlo.select %8, %10, %arg1 : tensor<5xi1>, tensor<5xi32>
    %12 = stablehlo.broadcast_in_dim %11, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %13 = "stablehlo.scatter"(%arg0, %12, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %74 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %74 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
    %c_3 = stablehlo.constant dense<0> : tensor<i32>
    %14 = stablehlo.broadcast_in_dim %c_3, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %15 = stablehlo.compare LT, %arg1, %14, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_4 = stablehlo.constant dense<4> : tensor<i32>
    %16 = stablehlo.broadcast_in_dim %c_4, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %17 = stablehlo.add %arg1, %16 : tensor<5xi32>
    %18 = stablehlo.select %15, %17, %arg1 : tensor<5xi1>, tensor<5xi32>
    %19 = stablehlo.broadcast_in_dim %18, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %20 = "stablehlo.scatter"(%arg0, %19, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %74 = stablehlo.multiply %arg3, %arg4 : tensor<f32>
      stablehlo.return %74 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
    %c_5 = stablehlo.constant dense<0> : tensor<i32>
    %21 = stablehlo.broadcast_in_dim %c_5, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %22 = stablehlo.compare LT, %arg1, %21, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_6 = stablehlo.constant dense<4> : tensor<i32>
    %23 = stablehlo.broadcast_in_dim %c_6, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %24 = stablehlo.add %arg1, %23 : tensor<5xi32>
    %25 = stablehlo.select %22, %24, %arg1 : tensor<5xi1>, tensor<5xi32>
    %26 = stablehlo.broadcast_in_dim %25, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %27 = "stablehlo.scatter"(%arg0, %26, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %74 = stablehlo.minimum %arg3, %arg4 : tensor<f32>
      stablehlo.return %74 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
    %c_7 = stablehlo.constant dense<0> : tensor<i32>
    %28 = stablehlo.broadcast_in_dim %c_7, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %29 = stablehlo.compare LT, %arg1, %28, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_8 = stablehlo.constant dense<4> : tensor<i32>
    %30 = stablehlo.broadcast_in_dim %c_8, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %31 = stablehlo.add %arg1, %30 : tensor<5xi32>
    %32 = stablehlo.select %29, %31, %arg1 : tensor<5xi1>, tensor<5xi32>
    %33 = stablehlo.broadcast_in_dim %32, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %34 = "stablehlo.scatter"(%arg0, %33, %arg2) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %74 = stablehlo.maximum %arg3, %arg4 : tensor<f32>
      stablehlo.return %74 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
    %35 = stablehlo.transpose %arg2, dims = [1, 0] : (tensor<5x6xf32>) -> tensor<6x5xf32>
    %36 = stablehlo.slice %35 [0:4, 0:5] : (tensor<6x5xf32>) -> tensor<4x5xf32>
    %c_9 = stablehlo.constant dense<0> : tensor<i32>
    %37 = stablehlo.broadcast_in_dim %c_9, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %38 = stablehlo.compare LT, %arg1, %37, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_10 = stablehlo.constant dense<6> : tensor<i32>
    %39 = stablehlo.broadcast_in_dim %c_10, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %40 = stablehlo.add %arg1, %39 : tensor<5xi32>
    %41 = stablehlo.select %38, %40, %arg1 : tensor<5xi1>, tensor<5xi32>
    %42 = stablehlo.broadcast_in_dim %41, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %43 = "stablehlo.scatter"(%arg0, %42, %36) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [1], scatter_dims_to_operand_dims = [1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %74 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %74 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<4x5xf32>) -> tensor<4x6xf32>
    %c_11 = stablehlo.constant dense<0> : tensor<i32>
    %44 = stablehlo.broadcast_in_dim %c_11, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %45 = stablehlo.compare LT, %arg1, %44, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_12 = stablehlo.constant dense<4> : tensor<i32>
    %46 = stablehlo.broadcast_in_dim %c_12, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %47 = stablehlo.add %arg1, %46 : tensor<5xi32>
    %48 = stablehlo.select %45, %47, %arg1 : tensor<5xi1>, tensor<5xi32>
    %49 = stablehlo.broadcast_in_dim %48, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %50 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<5x6xf32>
    %51 = "stablehlo.scatter"(%arg0, %49, %50) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [1], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %74 = stablehlo.sine %arg3 : tensor<f32>
      stablehlo.return %74 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<5x1xi32>, tensor<5x6xf32>) -> tensor<4x6xf32>
    %52 = stablehlo.slice %arg2 [0:5, 0:1] : (tensor<5x6xf32>) -> tensor<5x1xf32>
    %53 = stablehlo.reshape %52 : (tensor<5x1xf32>) -> tensor<5xf32>
    %c_13 = stablehlo.constant dense<0> : tensor<i32>
    %54 = stablehlo.broadcast_in_dim %c_13, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %55 = stablehlo.compare LT, %arg1, %54, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_14 = stablehlo.constant dense<4> : tensor<i32>
    %56 = stablehlo.broadcast_in_dim %c_14, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %57 = stablehlo.add %arg1, %56 : tensor<5xi32>
    %58 = stablehlo.select %55, %57, %arg1 : tensor<5xi1>, tensor<5xi32>
    %c_15 = stablehlo.constant dense<0> : tensor<i32>
    %59 = stablehlo.broadcast_in_dim %c_15, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %60 = stablehlo.compare LT, %arg1, %59, SIGNED : (tensor<5xi32>, tensor<5xi32>) -> tensor<5xi1>
    %c_16 = stablehlo.constant dense<6> : tensor<i32>
    %61 = stablehlo.broadcast_in_dim %c_16, dims = [] : (tensor<i32>) -> tensor<5xi32>
    %62 = stablehlo.add %arg1, %61 : tensor<5xi32>
    %63 = stablehlo.select %60, %62, %arg1 : tensor<5xi1>, tensor<5xi32>
    %64 = stablehlo.broadcast_in_dim %58, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %65 = stablehlo.broadcast_in_dim %63, dims = [0] : (tensor<5xi32>) -> tensor<5x1xi32>
    %66 = stablehlo.concatenate %64, %65, dim = 1 : (tensor<5x1xi32>, tensor<5x1xi32>) -> tensor<5x2xi32>
    %67 = "stablehlo.scatter"(%arg0, %66, %53) <{indices_are_sorted = false, scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0, 1], scatter_dims_to_operand_dims = [0, 1], index_vector_dim = 1>, unique_indices = false}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %74 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %74 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<5x2xi32>, tensor<5xf32>) -> tensor<4x6xf32>
    %c_17 = stablehlo.constant dense<1> : tensor<i32>
    %68 = stablehlo.broadcast_in_dim %c_17, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_18 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %69 = stablehlo.broadcast_in_dim %cst_18, dims = [] : (tensor<f32>) -> tensor<2x6xf32>
    %70 = "stablehlo.scatter"(%arg0, %68, %69) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0, 1], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      stablehlo.return %arg4 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<1xi32>, tensor<2x6xf32>) -> tensor<4x6xf32>
    %c_19 = stablehlo.constant dense<2> : tensor<i32>
    %71 = stablehlo.broadcast_in_dim %c_19, dims = [] : (tensor<i32>) -> tensor<1xi32>
    %cst_20 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %72 = stablehlo.broadcast_in_dim %cst_20, dims = [] : (tensor<f32>) -> tensor<6xf32>
    %73 = "stablehlo.scatter"(%arg0, %71, %72) <{indices_are_sorted = true, scatter_dimension_numbers = #stablehlo.scatter<update_window_dims = [0], inserted_window_dims = [0], scatter_dims_to_operand_dims = [0]>, unique_indices = true}> ({
    ^bb0(%arg3: tensor<f32>, %arg4: tensor<f32>):
      %74 = stablehlo.add %arg3, %arg4 : tensor<f32>
      stablehlo.return %74 : tensor<f32>
    }) : (tensor<4x6xf32>, tensor<1xi32>, tensor<6xf32>) -> tensor<4x6xf32>
    return %6, %13, %20, %27, %34, %43, %51, %67, %70, %73 : tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>, tensor<4x6xf32>
  }
}
