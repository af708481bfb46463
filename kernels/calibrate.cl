/* These kernels measure the rates of a device. VECTOR and VECTOR_F64 are the types
   of its arithmetic.

   A work-item of a GPU moves one float4, so that adjacent work-items make up the segments; a
   work-item of a CPU loops over its own range. Segments are accessed like those of a hierarchical
   kernel of 2^20 points: down the columns of matrices of 1024 rows of 8 KB, 512 float4s. */

__kernel void calibrate_copy(__global const float4* restrict in, __global float4* restrict out,
                             uint each) {
  const uint first = get_global_id(0) * each;
  for (uint i = first; i < first + each; ++i) out[i] = in[i];
}
uint place(uint i, uint shift) {
  const uint row = i & 1023u, columns = 512u >> shift, block = i >> (19u - shift);
  return (block << (19u - shift)) + row * columns + ((i >> 10) & (columns - 1u));
}
__kernel void calibrate_segments(__global const float4* restrict in, __global float4* restrict out,
                                 uint each, uint shift) {
  const uint i = get_global_id(0);
  const uint at = (place(i >> shift, shift) << shift) + (i & ((1u << shift) - 1u));
  out[at] = in[at];
}
__kernel void calibrate_walk(__global const float4* restrict in, __global float4* restrict out,
                             uint each, uint shift) {
  const uint first = get_global_id(0) * (each >> shift), size = 1u << shift;
  for (uint i = first; i < first + (each >> shift); ++i) {
    const uint at = place(i, shift) << shift;
    for (uint j = 0; j < size; ++j) out[at + j] = in[at + j];
  }
}
__kernel void calibrate_local(__global float2* out, uint turns) {
  __local float2 words[1024];
  const uint item = get_local_id(0);
  for (uint i = item; i < 1024u; i += get_local_size(0)) words[i] = (float2)(i, item);
  barrier(CLK_LOCAL_MEM_FENCE);
  float2 a = 0.0f, b = 0.0f, c = 0.0f, d = 0.0f;
  for (uint i = 0; i < turns; ++i) {
    const uint at = item + i * 96u;
    a += words[at & 1023u];
    b += words[(at + 256u) & 1023u];
    c += words[(at + 512u) & 1023u];
    d += words[(at + 768u) & 1023u];
  }
  out[get_global_id(0)] = a + b * 2.0f + c * 3.0f + d * 5.0f;
}
__kernel void calibrate_fma(__global VECTOR* out, uint turns, float x) {
  const VECTOR m = (VECTOR)(x);
  VECTOR a = m, b = m + 1.0f, c = m + 2.0f, d = m + 3.0f;
  VECTOR e = m + 4.0f, f = m + 5.0f, g = m + 6.0f, h = m + 7.0f;
  for (uint i = 0; i < turns; ++i) {
    a = fma(a, m, m); b = fma(b, m, m); c = fma(c, m, m); d = fma(d, m, m);
    e = fma(e, m, m); f = fma(f, m, m); g = fma(g, m, m); h = fma(h, m, m);
  }
  out[get_global_id(0)] = a + b + c + d + e + f + g + h;
}
#ifdef cl_khr_fp64
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
__kernel void calibrate_fma_f64(__global VECTOR_F64* out, uint turns, float x) {
  const VECTOR_F64 m = (VECTOR_F64)(x);
  VECTOR_F64 a = m, b = m + 1.0, c = m + 2.0, d = m + 3.0;
  VECTOR_F64 e = m + 4.0, f = m + 5.0, g = m + 6.0, h = m + 7.0;
  for (uint i = 0; i < turns; ++i) {
    a = fma(a, m, m); b = fma(b, m, m); c = fma(c, m, m); d = fma(d, m, m);
    e = fma(e, m, m); f = fma(f, m, m); g = fma(g, m, m); h = fma(h, m, m);
  }
  out[get_global_id(0)] = a + b + c + d + e + f + g + h;
}
#endif
__kernel void calibrate_launch(__global float* out) { out[get_global_id(0)] = 1.0f; }
