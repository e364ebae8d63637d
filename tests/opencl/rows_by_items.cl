// SPDX-License-Identifier: BSL-1.0
// What test_group_text.cpp expects.
#pragma OPENCL FP_CONTRACT OFF
static void weft_point(const float x0, float* y0) {
  const float t0 = x0 * x0;
  *y0 = t0;
}
static float weft_combine0(const float a, const float b) {
  const float t0 = a + b;
  return t0;
}
static float weft_rounded0(const float a) {
  return a;
}
typedef int index;

__kernel __attribute__((reqd_work_group_size(4, 1, 1)))
void weft_rows(
    __global const float* g0, const long o0,
    __global float* g1, const long o1,
    const index items0, const index reduced1, const index step2) {
  g0 += o0;
  g1 += o1;
  const index item = (index)get_global_id(0);
  if (item >= items0) return;
  const index first = 0, end = reduced1;
  float w0[64];
  for (int j = 0; j < 64; ++j) w0[j] = (-0x0p+0f);
  for (index e = first; e < end; e += 64) {
    const int count = (int)min(end - e, (index)64);
    for (int j = 0; j < count; ++j) {
      const index r = e + j;
      const float x0 = g0[item * step2 + r];
      float y0;
      weft_point(x0, &y0);
      w0[j] = weft_combine0(w0[j], y0);
    }
  }
  for (int s = 32; s > 0; s /= 2) {
    for (int j = 0; j < s; ++j) {
      w0[j] = weft_combine0(w0[j], w0[j + s]);
    }
  }
  g1[item] = weft_rounded0(w0[0]);
}
