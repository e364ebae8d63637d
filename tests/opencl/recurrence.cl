// SPDX-License-Identifier: BSL-1.0
// What test_group_text.cpp expects.
#pragma OPENCL FP_CONTRACT OFF
static void weft_point(const float x0, const float x1, float* y0) {
  const float t0 = x0 * x0;
  const float t1 = x1 + t0;
  *y0 = t1;
}
typedef int index;

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void weft_recurrence(
    __global const float* g0, const long o0,
    __global const float* g1, const long o1,
    __global float* g2, const long o2,
    __global float* g3, const long o3,
    const index count0, const index steps1, const index turn2) {
  g0 += o0;
  g1 += o1;
  g2 += o2;
  g3 += o3;
  const index i = (index)get_global_id(0);
  if (i >= count0) return;
  float c0 = g0[i];
  for (index n = 0; n < steps1; ++n) {
    const index t = steps1 - 1 - n;
    const float x0 = g1[t * turn2 + i];
    const float x1 = c0;
    float y0;
    weft_point(x0, x1, &y0);
    const float next0 = y0;
    g3[t * count0 + i] = c0;
    c0 = next0;
  }
  g2[i] = c0;
}
