#pragma OPENCL FP_CONTRACT OFF
typedef int index;

__kernel __attribute__((reqd_work_group_size(256, 1, 1)))
void weft_scatter(
    __global float* g0, const long o0,
    __global const float* g1, const long o1,
    __global const int* g2, const long o2,
    const index n0, const index n1, const index n2, const index n3, const index n4, const index n5, const index n6) {
  g0 += o0;
  g1 += o1;
  g2 += o2;
  index r = (index)get_global_id(0);
  if (r >= n0) return;
  const index i1 = r % n1;
  r /= n1;
  const index i0 = r;
  const index to0 = i1;
  const index from0 = i1;
  const index at0 = 0;
  for (index q = 0; q < n2; ++q) {
    index s = q;
    const index j0 = s;
    const index at = at0 + j0;
    const long p0 = (long)g2[at];
    if ((ulong)p0 >= (ulong)n3) continue;
    if ((((index)p0) & n5) != i0) continue;
    const index to = to0 + (index)p0 * n4;
    const index from = from0 + j0 * n6;
    const float t0 = g0[to];
    const float t1 = g1[from];
    const float t2 = t0 + t1;
    g0[to] = t2;
  }
}
