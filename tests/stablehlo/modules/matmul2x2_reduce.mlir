// inputs 79d81bbe5ca8bcbf80b1833fc2acf7bff5b175be586e51be717c85bfa3f51c3f3b234dbe35addfbe5914053f2b02f4be19cab13febf1b33ec6dbf2beadddf8bf7564a7bf451d8b3f35464fbdc5f590be1256d23fda2da4bfabed15bf03f7f1be331a163f71dd29bff4081dbf8975cdbf
// outputs 5ab8dcbe357c503e5a12d03fcc6a57bf
// tolerance 2e-05
module @jit__lambda {
  func.func public @main(%arg0: tensor<7xf32>, %arg1: tensor<7xf32>, %arg2: tensor<7xf32>, %arg3: tensor<7xf32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) {
    %cst = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %cst_0 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_1 = stablehlo.constant dense<0.000000e+00> : tensor<f32>
    %cst_2 = stablehlo.constant dense<1.000000e+00> : tensor<f32>
    %0:4 = stablehlo.reduce(%arg0 init: %cst), (%arg1 init: %cst_0), (%arg2 init: %cst_1), (%arg3 init: %cst_2) across dimensions = [0] : (tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<7xf32>, tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>)
     reducer(%arg4: tensor<f32>, %arg8: tensor<f32>) (%arg5: tensor<f32>, %arg9: tensor<f32>) (%arg6: tensor<f32>, %arg10: tensor<f32>) (%arg7: tensor<f32>, %arg11: tensor<f32>)  {
      %1 = stablehlo.multiply %arg4, %arg8 : tensor<f32>
      %2 = stablehlo.multiply %arg5, %arg10 : tensor<f32>
      %3 = stablehlo.add %1, %2 : tensor<f32>
      %4 = stablehlo.multiply %arg4, %arg9 : tensor<f32>
      %5 = stablehlo.multiply %arg5, %arg11 : tensor<f32>
      %6 = stablehlo.add %4, %5 : tensor<f32>
      %7 = stablehlo.multiply %arg6, %arg8 : tensor<f32>
      %8 = stablehlo.multiply %arg7, %arg10 : tensor<f32>
      %9 = stablehlo.add %7, %8 : tensor<f32>
      %10 = stablehlo.multiply %arg6, %arg9 : tensor<f32>
      %11 = stablehlo.multiply %arg7, %arg11 : tensor<f32>
      %12 = stablehlo.add %10, %11 : tensor<f32>
      stablehlo.return %3, %6, %9, %12 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
    }
    return %0#0, %0#1, %0#2, %0#3 : tensor<f32>, tensor<f32>, tensor<f32>, tensor<f32>
  }
}
