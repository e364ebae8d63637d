// inputs f99be63f5255a83f91fab63e2faa9a3ffaf3913bbe0e283f07e9a43f704dca3e04000000
// outputs 5af78a41fe856e41a4f22041b1df65415c5c0441aa2c3941765b6c4140012441fc4dab41a92a8c41a4be1d4118558541e823e1405f07444184748a415c932241fc4d3340a92a1440a4bead3f18550d40f491803f5f07d43f847412405c93b23ff99be6bf5255a8bf91fab6be2faa9abffaf391bbbe0e28bf07e9a4bf704dcabe
// tolerance 2e-05
module @jit__lambda {
  func.func public @main(%arg0: tensor<8xf32>, %arg1: tensor<i32>) -> (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) {
    %c = stablehlo.constant dense<0> : tensor<i32>
    %0:3 = stablehlo.while(%iterArg = %c, %iterArg_3 = %arg1, %iterArg_4 = %arg0) : tensor<i32>, tensor<i32>, tensor<8xf32>
    cond {
      %7 = stablehlo.compare LT, %iterArg, %iterArg_3, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %7 : tensor<i1>
    } do {
      %c_5 = stablehlo.constant dense<1> : tensor<i32>
      %7 = stablehlo.add %iterArg, %c_5 : tensor<i32>
      %cst = stablehlo.constant dense<1.500000e+00> : tensor<f32>
      %8 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %9 = stablehlo.multiply %iterArg_4, %8 : tensor<8xf32>
      %10 = stablehlo.convert %iterArg : (tensor<i32>) -> tensor<f32>
      %11 = stablehlo.broadcast_in_dim %10, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %12 = stablehlo.add %9, %11 : tensor<8xf32>
      stablehlo.return %7, %iterArg_3, %12 : tensor<i32>, tensor<i32>, tensor<8xf32>
    }
    %1 = stablehlo.while(%iterArg = %arg0) : tensor<8xf32>
    cond {
      %cst = stablehlo.constant dense<0.000000e+00> : tensor<f32>
      %7 = stablehlo.reduce(%iterArg init: %cst) applies stablehlo.add across dimensions = [0] : (tensor<8xf32>, tensor<f32>) -> tensor<f32>
      %cst_3 = stablehlo.constant dense<1.000000e+02> : tensor<f32>
      %8 = stablehlo.compare LT, %7, %cst_3, FLOAT : (tensor<f32>, tensor<f32>) -> tensor<i1>
      stablehlo.return %8 : tensor<i1>
    } do {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %8 = stablehlo.multiply %iterArg, %7 : tensor<8xf32>
      %cst_3 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %9 = stablehlo.broadcast_in_dim %cst_3, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %10 = stablehlo.add %8, %9 : tensor<8xf32>
      stablehlo.return %10 : tensor<8xf32>
    }
    %c_0 = stablehlo.constant dense<3> : tensor<i32>
    %2 = stablehlo.compare GT, %arg1, %c_0, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
    %3 = stablehlo.convert %2 : (tensor<i1>) -> tensor<i32>
    %4 = "stablehlo.case"(%3) ({
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %8 = stablehlo.multiply %arg0, %7 : tensor<8xf32>
      stablehlo.return %8 : tensor<8xf32>
    }, {
      %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
      %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %8 = stablehlo.add %arg0, %7 : tensor<8xf32>
      stablehlo.return %8 : tensor<8xf32>
    }) : (tensor<i32>) -> tensor<8xf32>
    %c_1 = stablehlo.constant dense<0> : tensor<i32>
    %c_2 = stablehlo.constant dense<2> : tensor<i32>
    %5 = stablehlo.clamp %c_1, %arg1, %c_2 : tensor<i32>
    %6 = "stablehlo.case"(%5) ({
      stablehlo.return %arg0 : tensor<8xf32>
    }, {
      %cst = stablehlo.constant dense<2.000000e+00> : tensor<f32>
      %7 = stablehlo.broadcast_in_dim %cst, dims = [] : (tensor<f32>) -> tensor<8xf32>
      %8 = stablehlo.multiply %arg0, %7 : tensor<8xf32>
      stablehlo.return %8 : tensor<8xf32>
    }, {
      %7 = stablehlo.negate %arg0 : tensor<8xf32>
      stablehlo.return %7 : tensor<8xf32>
    }) : (tensor<i32>) -> tensor<8xf32>
    return %0#2, %1, %4, %6 : tensor<8xf32>, tensor<8xf32>, tensor<8xf32>, tensor<8xf32>
  }
}
