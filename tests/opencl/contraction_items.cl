#pragma OPENCL FP_CONTRACT OFF
typedef int index;
typedef float sum;
static sum load_a(__global const float* from, const index at) {
  return from[at];
}
static sum load_b(__global const float* from, const index at) {
  return from[at];
}
static sum load_start(__global const float* from, const index at) {
  return from[at];
}
static sum load_bias(__global const float* from, const index at) {
  return from[at];
}
static void store(__global float* out, const index at, const sum value,
                  __global const float* bias, const index bias_at) {
  const sum t0 = value + load_bias(bias, bias_at);
  out[at] = t0;
}

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void weft_product(__global const float* restrict a, const long a_first,
                  __global const float* restrict b, const long b_first,
                  __global const float* start, const long start_first,
                  __global const float* bias, const long bias_first,
                  __global float* out, const long out_first,
                  const index m, const index n, const index z_m_n, const index a_z0,
                  const index b_z0, const index start_z0, const index bias_z0, const index out_z0,
                  const index a_m0, const index start_m0, const index k0, const index b_k0,
                  const index bias_m0, const index out_m0) {
  a += a_first;
  b += b_first;
  start += start_first;
  bias += bias_first;
  out += out_first;
  const index all = get_global_id(0);
  if (all >= z_m_n) return;
  const index i = all / n % m, j = all % n;
  const index z = all / n / m;
  a += z * a_z0;
  b += z * b_z0;
  start += z * start_z0;
  bias += z * bias_z0;
  out += z * out_z0;
  a += i * a_m0;
  b += j;
  sum c = load_start(start, i * start_m0 + j);
  #pragma unroll 8
  for (index p0 = 0; p0 < k0; ++p0)
    c = fma(load_a(a, p0), load_b(b, p0 * b_k0), c);
  store(out, i * out_m0 + j, c, bias, i * bias_m0 + j);
}
