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
    const index count0, const index length1, const index step2) {
  g0 += o0;
  g1 += o1;
  g2 += o2;
  const index i = (index)get_global_id(0);
  if (i >= count0) return;
  const index i1 = i % length1;
  const index i0 = i / length1;
  const float x0 = as_float((uint)g0[i1] << 16);
  const float x1 = g1[i0 * step2 + i1];
  float y0;
  weft_point(x0, x1, &y0);
  g2[i0 * step2 + i1] = y0;
}
