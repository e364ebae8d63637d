#pragma OPENCL FP_CONTRACT OFF
typedef int index;
typedef float sum;
enum { rows = 4, items_each = 16, lanes_each = 64 / items_each };
static sum load_a(__global const ushort* from, const index at) {
  return as_float((uint)from[at] << 16);
}
static sum load_b(__global const ushort* from, const index at) {
  return as_float((uint)from[at] << 16);
}
static sum load_bias(__global const ushort* from, const index at) {
  return as_float((uint)from[at] << 16);
}
static void store(__global ushort* out, const index at, const sum value,
                  __global const ushort* bias, const index bias_at) {
  const sum t0 = value + load_bias(bias, bias_at);
  const uint t1 = as_uint(t0);
  const uint t2 = t1 >> 16;
  const uint t3 = t2 & 1u;
  const uint t4 = t1 + 32767u;
  const uint t5 = t4 + t3;
  const uint t6 = t5 >> 16;
  const uint t7 = t2 | 64u;
  const int t8 = t0 == t0;
  const uint t9 = t8 ? t6 : t7;
  const uint t10 = t9 << 16;
  const float t11 = as_float(t10);
  out[at] = (ushort)(as_uint(t11) >> 16 | (t11 == t11 ? 0 : 0x40u));
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void weft_product(__global const ushort* restrict a, const long a_first,
                  __global const ushort* restrict b, const long b_first,
                  __global const ushort* bias, const long bias_first,
                  __global ushort* out, const long out_first,
                  const index m, const index k, const index z_m, const index a_z0,
                  const index b_z0, const index bias_z0, const index out_z0, const index a_m0) {
  a += a_first;
  b += b_first;
  bias += bias_first;
  out += out_first;
  __local sum lanes[rows][64 + 1];
  const int item = get_local_id(0);
  const int r = item / items_each, first = item % items_each;
  const index all = (index)get_group_id(0) * rows + r, clamped = min(all, z_m - 1);
  const index i = clamped % m;
  const index z = clamped / m;
  a += z * a_z0;
  b += z * b_z0;
  bias += z * bias_z0;
  out += z * out_z0;
  a += i * a_m0;

  sum c[lanes_each];
  #pragma unroll
  for (int e = 0; e < lanes_each; ++e) c[e] = 0;
  index p0 = 0;
  #pragma unroll 4
  for (; p0 + 64 <= k; p0 += 64)
    #pragma unroll
    for (int e = 0; e < lanes_each; ++e) {
      const index p = p0 + first + e * items_each;
      c[e] = fma(load_a(a, p), load_b(b, p), c[e]);
    }
  #pragma unroll
  for (int e = 0; e < lanes_each; ++e) {
    const index p = p0 + first + e * items_each;
    if (p < k) c[e] = fma(load_a(a, p), load_b(b, p), c[e]);
    lanes[r][first + e * items_each] = c[e];
  }
  for (int apart = 32; apart > 0; apart /= 2) {
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int lane = first; lane < apart; lane += items_each)
      lanes[r][lane] = lanes[r][lane] + lanes[r][lane + apart];
  }
  if (first == 0 && all < z_m) store(out, i, lanes[r][0], bias, i);
}
