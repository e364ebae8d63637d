// inputs 4f93cb3f9e4d14bf6d56403f54d6c43ec2751740da7ab3bf1fc70bbf62e0e9be8409a93f2fe651bf7a37d43fd08ecc3fca985d3fc1efdf3ed930c7bf66853a3e4020b7bf2baab9bea3f94f3e64249ebeff67733fc04604bef137c6bff5af87bf6e0fa3bf2a03a2bedcb09f3f9378013f
// outputs 4f93cb3f9e4d14bf6d56403f54d6c43e6a3f7d40a9a1fdbf383d523e382894bd16e2a840604a33c0217fee3f4c4cc33f2f95c440684c17c020399d3efa9cda3f1fcd9640ad812ec0f99a023fe113b33f1f3ab54019c636c075ea84bfb08fad3e44768c407e064bc03833563e6b40583f4f93cb3f9e4d14bf6d56403f54d6c43eb89082403c94fbbf88b8c83f2e539dbf4a4c0840c890cfc08493073d9eff4fc0f4ff3e41040580be1ac2a24057d713bf080989c1430d88c05d9becc0ef3fd5bf7e3e1bc18a07d74091688ec009282e4044f3a5418bffce40c106114122343240
// tolerance 0.0001
module @jit__lambda {
  func.func public @main(%arg0: tensor<7x4xf32>) -> (tensor<7x4xf32>, tensor<7x2x2xf32>) {
    %0 = stablehlo.slice %arg0 [0:6:2, 0:4] : (tensor<7x4xf32>) -> tensor<3x4xf32>
    %1 = stablehlo.slice %arg0 [1:7:2, 0:4] : (tensor<7x4xf32>) -> tensor<3x4xf32>
    %2 = stablehlo.add %0, %1 : tensor<3x4xf32>
    %3 = stablehlo.slice %2 [0:2:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %4 = stablehlo.slice %2 [1:3:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %5 = stablehlo.add %3, %4 : tensor<1x4xf32>
    %6 = stablehlo.slice %2 [2:3:2, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %7 = stablehlo.add %5, %6 : tensor<1x4xf32>
    %8 = stablehlo.slice %2 [0:1, 0:4] : (tensor<3x4xf32>) -> tensor<1x4xf32>
    %9 = stablehlo.concatenate %8, %7, dim = 0 : (tensor<1x4xf32>, tensor<1x4xf32>) -> tensor<2x4xf32>
    %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %10 = stablehlo.pad %9, %cst, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<2x4xf32>, tensor<f32>) -> tensor<3x4xf32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %11 = stablehlo.pad %5, %cst_0, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<1x4xf32>, tensor<f32>) -> tensor<3x4xf32>
    %12 = stablehlo.add %10, %11 : tensor<3x4xf32>
    %13 = stablehlo.slice %arg0 [2:7:2, 0:4] : (tensor<7x4xf32>) -> tensor<3x4xf32>
    %14 = stablehlo.add %12, %13 : tensor<3x4xf32>
    %15 = stablehlo.slice %arg0 [0:1, 0:4] : (tensor<7x4xf32>) -> tensor<1x4xf32>
    %16 = stablehlo.concatenate %15, %14, dim = 0 : (tensor<1x4xf32>, tensor<3x4xf32>) -> tensor<4x4xf32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %17 = stablehlo.pad %16, %cst_1, low = [0, 0], high = [0, 0], interior = [1, 0] : (tensor<4x4xf32>, tensor<f32>) -> tensor<7x4xf32>
    %cst_2 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %18 = stablehlo.pad %12, %cst_2, low = [1, 0], high = [1, 0], interior = [1, 0] : (tensor<3x4xf32>, tensor<f32>) -> tensor<7x4xf32>
    %19 = stablehlo.add %17, %18 : tensor<7x4xf32>
    %20 = stablehlo.slice %arg0 [0:7, 0:1] : (tensor<7x4xf32>) -> tensor<7x1xf32>
    %21 = stablehlo.reshape %20 : (tensor<7x1xf32>) -> tensor<7xf32>
    %22 = stablehlo.slice %arg0 [0:7, 1:2] : (tensor<7x4xf32>) -> tensor<7x1xf32>
    %23 = stablehlo.reshape %22 : (tensor<7x1xf32>) -> tensor<7xf32>
    %24 = stablehlo.broadcast_in_dim %21, dims = [0] : (tensor<7xf32>) -> tensor<7x1xf32>
    %25 = stablehlo.broadcast_in_dim %23, dims = [0] : (tensor<7xf32>) -> tensor<7x1xf32>
    %26 = stablehlo.concatenate %24, %25, dim = 1 : (tensor<7x1xf32>, tensor<7x1xf32>) -> tensor<7x2xf32>
    %27 = stablehlo.slice %arg0 [0:7, 2:3] : (tensor<7x4xf32>) -> tensor<7x1xf32>
    %28 = stablehlo.reshape %27 : (tensor<7x1xf32>) -> tensor<7xf32>
    %29 = stablehlo.slice %arg0 [0:7, 3:4] : (tensor<7x4xf32>) -> tensor<7x1xf32>
    %30 = stablehlo.reshape %29 : (tensor<7x1xf32>) -> tensor<7xf32>
    %31 = stablehlo.broadcast_in_dim %28, dims = [0] : (tensor<7xf32>) -> tensor<7x1xf32>
    %32 = stablehlo.broadcast_in_dim %30, dims = [0] : (tensor<7xf32>) -> tensor<7x1xf32>
    %33 = stablehlo.concatenate %31, %32, dim = 1 : (tensor<7x1xf32>, tensor<7x1xf32>) -> tensor<7x2xf32>
    %34 = stablehlo.broadcast_in_dim %26, dims = [0, 2] : (tensor<7x2xf32>) -> tensor<7x1x2xf32>
    %35 = stablehlo.broadcast_in_dim %33, dims = [0, 2] : (tensor<7x2xf32>) -> tensor<7x1x2xf32>
    %36 = stablehlo.concatenate %34, %35, dim = 1 : (tensor<7x1x2xf32>, tensor<7x1x2xf32>) -> tensor<7x2x2xf32>
    %37 = stablehlo.slice %36 [0:6:2, 0:2, 0:2] : (tensor<7x2x2xf32>) -> tensor<3x2x2xf32>
    %38 = stablehlo.slice %36 [1:7:2, 0:2, 0:2] : (tensor<7x2x2xf32>) -> tensor<3x2x2xf32>
    %39 = stablehlo.dot_general %37, %38, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x2x2xf32>, tensor<3x2x2xf32>) -> tensor<3x2x2xf32>
    %40 = stablehlo.slice %39 [0:2:2, 0:2, 0:2] : (tensor<3x2x2xf32>) -> tensor<1x2x2xf32>
    %41 = stablehlo.slice %39 [1:3:2, 0:2, 0:2] : (tensor<3x2x2xf32>) -> tensor<1x2x2xf32>
    %42 = stablehlo.reshape %40 : (tensor<1x2x2xf32>) -> tensor<2x2xf32>
    %43 = stablehlo.reshape %41 : (tensor<1x2x2xf32>) -> tensor<2x2xf32>
    %44 = stablehlo.dot_general %42, %43, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %45 = stablehlo.broadcast_in_dim %44, dims = [1, 2] : (tensor<2x2xf32>) -> tensor<1x2x2xf32>
    %46 = stablehlo.slice %39 [2:3:2, 0:2, 0:2] : (tensor<3x2x2xf32>) -> tensor<1x2x2xf32>
    %47 = stablehlo.reshape %45 : (tensor<1x2x2xf32>) -> tensor<2x2xf32>
    %48 = stablehlo.reshape %46 : (tensor<1x2x2xf32>) -> tensor<2x2xf32>
    %49 = stablehlo.dot_general %47, %48, contracting_dims = [1] x [0], precision = [DEFAULT, DEFAULT] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
    %50 = stablehlo.broadcast_in_dim %49, dims = [1, 2] : (tensor<2x2xf32>) -> tensor<1x2x2xf32>
    %51 = stablehlo.slice %39 [0:1, 0:2, 0:2] : (tensor<3x2x2xf32>) -> tensor<1x2x2xf32>
    %52 = stablehlo.concatenate %51, %50, dim = 0 : (tensor<1x2x2xf32>, tensor<1x2x2xf32>) -> tensor<2x2x2xf32>
    %cst_3 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %53 = stablehlo.pad %52, %cst_3, low = [0, 0, 0], high = [0, 0, 0], interior = [1, 0, 0] : (tensor<2x2x2xf32>, tensor<f32>) -> tensor<3x2x2xf32>
    %cst_4 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %54 = stablehlo.pad %45, %cst_4, low = [1, 0, 0], high = [1, 0, 0], interior = [1, 0, 0] : (tensor<1x2x2xf32>, tensor<f32>) -> tensor<3x2x2xf32>
    %55 = stablehlo.add %53, %54 : tensor<3x2x2xf32>
    %56 = stablehlo.slice %36 [2:7:2, 0:2, 0:2] : (tensor<7x2x2xf32>) -> tensor<3x2x2xf32>
    %57 = stablehlo.dot_general %55, %56, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : (tensor<3x2x2xf32>, tensor<3x2x2xf32>) -> tensor<3x2x2xf32>
    %58 = stablehlo.slice %36 [0:1, 0:2, 0:2] : (tensor<7x2x2xf32>) -> tensor<1x2x2xf32>
    %59 = stablehlo.concatenate %58, %57, dim = 0 : (tensor<1x2x2xf32>, tensor<3x2x2xf32>) -> tensor<4x2x2xf32>
    %cst_5 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %60 = stablehlo.pad %59, %cst_5, low = [0, 0, 0], high = [0, 0, 0], interior = [1, 0, 0] : (tensor<4x2x2xf32>, tensor<f32>) -> tensor<7x2x2xf32>
    %cst_6 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %61 = stablehlo.pad %55, %cst_6, low = [1, 0, 0], high = [1, 0, 0], interior = [1, 0, 0] : (tensor<3x2x2xf32>, tensor<f32>) -> tensor<7x2x2xf32>
    %62 = stablehlo.add %60, %61 : tensor<7x2x2xf32>
    return %19, %62 : tensor<7x4xf32>, tensor<7x2x2xf32>
  }
}
