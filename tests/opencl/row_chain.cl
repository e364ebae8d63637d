// SPDX-License-Identifier: BSL-1.0
// What test_group_text.cpp expects.
#pragma OPENCL FP_CONTRACT OFF
static void weft_point_0(const float x0, float* y0) {
  *y0 = x0;
}
static float weft_combine0_0(const float a, const float b) {
  const uint t0 = as_uint(a);
  const uint t1 = as_uint(b);
  const uint t2 = t0 & t1;
  const float t3 = as_float(t2);
  const float t4 = b < a ? a : b;
  const int t5 = a == b;
  const float t6 = t5 ? t3 : t4;
  const int t7 = a == a;
  const float t8 = t7 ? t6 : a;
  return t8;
}
static float weft_rounded0_0(const float a) {
  return a;
}
static void weft_point_1(const float x0, const float x1, float* y0, float* y1) {
  const float t0 = x0 - x1;
  *y0 = t0;
  *y1 = t0;
}
static float weft_combine1_1(const float a, const float b) {
  const float t0 = a + b;
  return t0;
}
static float weft_rounded1_1(const float a) {
  return a;
}
static void weft_point_2(const float x0, const float x1, float* y0) {
  const float t0 = x0 / x1;
  *y0 = t0;
}
typedef int index;

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void weft_row_chain(
    __global const float* g0, const long o0,
    __global float* g1, const long o1,
    const index reduced0, const index step1, const index step2) {
  g0 += o0;
  g1 += o1;
  __local float s0_0[64];
  __local float s1_1[64];
  __local float row0[512];
  const int j = (int)get_local_id(0);
  const index row = (index)get_group_id(0);
  const index first = 0, end = reduced0;
  float result0_0;
  float result1_1;
  {
    float w0 = as_float(0xff800000u);
    for (index r = first + j; r < end; r += 64) {
      const float x0 = g0[row * step1 + r];
      row0[r] = x0;
      float y0;
      weft_point_0(x0, &y0);
      w0 = weft_combine0_0(w0, y0);
    }
    s0_0[j] = w0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s /= 2) {
      if (j < s) {
        s0_0[j] = weft_combine0_0(s0_0[j], s0_0[j + s]);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    result0_0 = weft_rounded0_0(s0_0[0]);
  }
  {
    float w1 = (-0x0p+0f);
    for (index r = first + j; r < end; r += 64) {
      const float x0 = row0[r];
      const float x1 = result0_0;
      float y0;
      float y1;
      weft_point_1(x0, x1, &y0, &y1);
      row0[r] = y0;
      w1 = weft_combine1_1(w1, y1);
    }
    s1_1[j] = w1;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int s = 32; s > 0; s /= 2) {
      if (j < s) {
        s1_1[j] = weft_combine1_1(s1_1[j], s1_1[j + s]);
      }
      barrier(CLK_LOCAL_MEM_FENCE);
    }
    result1_1 = weft_rounded1_1(s1_1[0]);
  }
  {
    for (index r = first + j; r < end; r += 64) {
      const float x0 = row0[r];
      const float x1 = result1_1;
      float y0;
      weft_point_2(x0, x1, &y0);
      g1[row * step2 + r] = y0;
    }
  }
}
