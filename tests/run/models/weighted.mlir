// Two products with tables of 48 and 4 elements: the larger one stands beside the graph.
module @weighted {
  func.func public @main(%arg0: tensor<2x6xf32>) -> (tensor<2x8xf32>, tensor<i32>) {
    %0 = stablehlo.constant dense<[[0.5, -1.0, 2.0, 0.25, 1.0, 3.0, -0.5, 0.125], [1.5, 1.0, -2.0, 0.75, 0.0, 1.0, 2.5, 4.0], [0.5, 1.0, 2.0, 0.25, 1.0, 3.0, 0.5, 0.125], [-0.5, -1.0, -2.0, -0.25, -1.0, -3.0, -0.5, -0.125], [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0], [8.0, 7.0, 6.0, 5.0, 4.0, 3.0, 2.0, 1.0]]> : tensor<6x8xf32>
    %1 = stablehlo.constant dense<[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]> : tensor<8xf32>
    %2 = stablehlo.dot_general %arg0, %0, contracting_dims = [1] x [0] : (tensor<2x6xf32>, tensor<6x8xf32>) -> tensor<2x8xf32>
    %3 = stablehlo.broadcast_in_dim %1, dims = [1] : (tensor<8xf32>) -> tensor<2x8xf32>
    %4 = stablehlo.add %2, %3 : tensor<2x8xf32>
    %5 = stablehlo.constant dense<7> : tensor<i32>
    return %4, %5 : tensor<2x8xf32>, tensor<i32>
  }
}
