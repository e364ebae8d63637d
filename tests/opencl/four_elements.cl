// SPDX-License-Identifier: BSL-1.0
// What test_group_text.cpp expects.
#pragma OPENCL FP_CONTRACT OFF
static void weft_point(const float x0, const float x1, float* y0) {
  const float t0 = x1 * x0;
  const float t1 = t0 - x1;
  *y0 = t1;
}
typedef int index;

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void weft_elementwise(
    __global const ushort* g0, const long o0,
    __global const float* g1, const long o1,
    __global float* g2, const long o2,
    const index count0) {
  g0 += o0;
  g1 += o1;
  g2 += o2;
  const index first = (index)get_global_id(0) * 4;
  if (first + 4 <= count0) {
    const float4 v0 = as_float4(convert_uint4(vload4(0, g0 + first)) << 16);
    const float4 v1 = vload4(0, g1 + first);
    float4 u0;
    float y0;
    weft_point(v0.s0, v1.s0, &y0);
    u0.s0 = y0;
    weft_point(v0.s1, v1.s1, &y0);
    u0.s1 = y0;
    weft_point(v0.s2, v1.s2, &y0);
    u0.s2 = y0;
    weft_point(v0.s3, v1.s3, &y0);
    u0.s3 = y0;
    vstore4(u0, 0, g2 + first);
    return;
  }
  for (index i = first; i < count0; ++i) {
    const float x0 = as_float((uint)g0[i] << 16);
    const float x1 = g1[i];
    float y0;
    weft_point(x0, x1, &y0);
    g2[i] = y0;
  }
}
