// inputs 9238553f64049a3f3b17233f5eef0e3ff56c71c04371853eb272d0bc199316be8f6d21bf62c6623d0d01d33e3e0f87bed238edbe93689d3fab7c8dbf20dc833f540e353efae64dbf827894beb3846bbf07d12c3f2e20b23e328a0ebf7d158dbf887a9a3e3917753f0823e9bd4d32d63ea186c0beb9618a3d092395beb18c963e3a40c1bface9243f6c736bbe7a9bb73e213daebe6206a43ebd4989bf3636983fc00ddabfc70585bf7252713e6a3ebb3f92668e3eb7db7dbe5b69b6bf08de43be1dd5a2bc8e64d83f99431f3f51b9c3bfc0b60140bc3ecabe462461bffdc6bc3fb2cc4bbd321cbcbe6f09603ea24a583f484b7e3fa206b0bf3eceff3f8565723fa426c2beb19351bf331178bfd6adfc3d65e425bfc8ce43bf5eae4f3f92a8ba3e3e05cabea7f73b3f4306af3f75188cbf56711abfaa4f713f7d0c383fbf23683e
// extents 2 5 8
// outputs 9238553f64049a3f3b17233f5eef0e3ff56c71c04371853eb272d0bc199316be8f6d21bf62c6623d0d01d33e3e0f87bed238edbe93689d3fab7c8dbf20dc833f540e353efae64dbf827894beb3846bbf07d12c3f2e20b23e328a0ebf7d158dbf887a9a3e3917753f0823e9bd4d32d63ea186c0beb9618a3d092395beb18c963e3a40c1bface9243f6c736bbe7a9bb73e213daebe6206a43ebd4989bf3636983fc00ddabfc70585bf7252713e6a3ebb3f92668e3eb7db7dbe5b69b6bf08de43be1dd5a2bc8e64d83f99431f3f51b9c3bfc0b60140bc3ecabe462461bffdc6bc3fb2cc4bbd321cbcbe6f09603ea24a583f484b7e3fa206b0bf3eceff3f8565723fa426c2beb19351bf331178bfd6adfc3d65e425bfc8ce43bf5eae4f3f92a8ba3e3e05cabea7f73b3f4306af3f75188cbf56711abfaa4f713f7d0c383fbf23683e
// tolerance 0
module @weft attributes {mhlo.num_partitions = 1 : i32, mhlo.num_replicas = 1 : i32} {
  func.func public @main(%arg0: tensor<?x?x8xf32> {weft.extents = ["d0", "d1", ""]}) -> tensor<?x8xf32> {
    %0 = stablehlo.get_dimension_size %arg0, dim = 0 : (tensor<?x?x8xf32>) -> tensor<i32>
    %1 = stablehlo.get_dimension_size %arg0, dim = 1 : (tensor<?x?x8xf32>) -> tensor<i32>
    %c = stablehlo.constant dense<1> : tensor<i32>
    %2 = stablehlo.multiply %c, %0 : tensor<i32>
    %3 = stablehlo.multiply %2, %1 : tensor<i32>
    %c_0 = stablehlo.constant dense<8> : tensor<i32>
    %4 = stablehlo.multiply %3, %c_0 : tensor<i32>
    %c_1 = stablehlo.constant dense<1> : tensor<i32>
    %c_2 = stablehlo.constant dense<8> : tensor<i32>
    %5 = stablehlo.multiply %c_1, %c_2 : tensor<i32>
    %c_3 = stablehlo.constant dense<1> : tensor<i32>
    %6 = stablehlo.maximum %5, %c_3 : tensor<i32>
    %7 = stablehlo.divide %4, %6 : tensor<i32>
    %8 = stablehlo.reshape %7 : (tensor<i32>) -> tensor<1xi32>
    %c_4 = stablehlo.constant dense<8> : tensor<i32>
    %9 = stablehlo.reshape %c_4 : (tensor<i32>) -> tensor<1xi32>
    %10 = stablehlo.concatenate %8, %9, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
    %11 = stablehlo.dynamic_reshape %arg0, %10 : (tensor<?x?x8xf32>, tensor<2xi32>) -> tensor<?x8xf32>
    return %11 : tensor<?x8xf32>
  }
}
