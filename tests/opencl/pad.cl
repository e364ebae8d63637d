#pragma OPENCL FP_CONTRACT OFF
typedef int index;

__kernel __attribute__((reqd_work_group_size(64, 1, 1)))
void weft_copy(
    __global uint* g0, const long o0,
    __global const uint* g1, const long o1,
    const index n0, const index n1, const index n2, const index n3, const index n4) {
  g0 += o0;
  g1 += o1;
  index r = (index)get_global_id(0);
  if (r >= n0) return;
  const index i1 = r % n1;
  r /= n1;
  const index i0 = r;
  const index c = i1 * 16;
  const index m = min((index)16, n2 - c);
  const index to = i0 * n3 + c;
  const index from = i0 * n4 + c;
  if (m == 16) vstore16(vload16(0, g1 + from), 0, g0 + to);
  else for (index k = 0; k < m; ++k) g0[to + k] = g1[from + k];
}
