/* The vectors of C that generated kernels use: GCC 12 or clang 16 and later, C99 or later.

   A kernel's text spells each fma. The functions fma_ compute it by one instruction where the
   processor has one, else as a product and a sum. Compilers must fuse nothing else: for clang, a
   pragma says so, for GCC, apart_. So results do not depend on -std or -ffp-contract, except
   clang's -ffp-contract=fast; -ffast-math may change them. */
#ifndef IMAGO_VECTORS_H
#define IMAGO_VECTORS_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#if !defined(__GNUC__)
#error "This code needs the vectors of GCC or clang: compile it with GCC 12, clang 16, or later."
#endif
#if defined(__clang__)
#pragma STDC FP_CONTRACT OFF
#endif
#pragma GCC diagnostic ignored "-Wpsabi"
#pragma GCC diagnostic ignored "-Wunused-parameter"
#pragma GCC diagnostic ignored "-Wunused-but-set-variable"
#if defined(__AVX__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

#define ALIGNED(bytes) __attribute__((aligned(bytes)))
#define INLINED static inline __attribute__((always_inline, unused))

/* Types, also with the alignment of one number (_u), and a number in all lanes. */
#define IMAGO_VECTOR(name, type, lanes)                                 \
  typedef type name __attribute__((vector_size(sizeof(type) * lanes))); \
  typedef type name##_u                                                 \
      __attribute__((vector_size(sizeof(type) * lanes), aligned(sizeof(type)), may_alias));
IMAGO_VECTOR(f32x2, float, 2)
IMAGO_VECTOR(f32x4, float, 4)
IMAGO_VECTOR(f32x8, float, 8)
IMAGO_VECTOR(f32x16, float, 16)
IMAGO_VECTOR(f64x2, double, 2)
IMAGO_VECTOR(f64x4, double, 4)
IMAGO_VECTOR(f64x8, double, 8)
IMAGO_VECTOR(f64x16, double, 16)
IMAGO_VECTOR(i32x2, int32_t, 2)
IMAGO_VECTOR(i32x4, int32_t, 4)
IMAGO_VECTOR(i32x8, int32_t, 8)
IMAGO_VECTOR(i32x16, int32_t, 16)
IMAGO_VECTOR(i64x2, int64_t, 2)
IMAGO_VECTOR(i64x4, int64_t, 4)
IMAGO_VECTOR(i64x8, int64_t, 8)
IMAGO_VECTOR(i64x16, int64_t, 16)
#define IMAGO_ALL2(x) (x), (x)
#define IMAGO_ALL4(x) IMAGO_ALL2(x), IMAGO_ALL2(x)
#define IMAGO_ALL8(x) IMAGO_ALL4(x), IMAGO_ALL4(x)
#define ALL_f32x2(x) ((f32x2){IMAGO_ALL2(x)})
#define ALL_f32x4(x) ((f32x4){IMAGO_ALL4(x)})
#define ALL_f32x8(x) ((f32x8){IMAGO_ALL8(x)})
#define ALL_f32x16(x) ((f32x16){IMAGO_ALL8(x), IMAGO_ALL8(x)})
#define ALL_f64x2(x) ((f64x2){IMAGO_ALL2(x)})
#define ALL_f64x4(x) ((f64x4){IMAGO_ALL4(x)})
#define ALL_f64x8(x) ((f64x8){IMAGO_ALL8(x)})
#define ALL_f64x16(x) ((f64x16){IMAGO_ALL8(x), IMAGO_ALL8(x)})
#define ALL_i32x2(x) ((i32x2){IMAGO_ALL2(x)})
#define ALL_i32x4(x) ((i32x4){IMAGO_ALL4(x)})
#define ALL_i32x8(x) ((i32x8){IMAGO_ALL8(x)})
#define ALL_i32x16(x) ((i32x16){IMAGO_ALL8(x), IMAGO_ALL8(x)})
#define ALL_i64x2(x) ((i64x2){IMAGO_ALL2(x)})
#define ALL_i64x4(x) ((i64x4){IMAGO_ALL4(x)})
#define ALL_i64x8(x) ((i64x8){IMAGO_ALL8(x)})
#define ALL_i64x16(x) ((i64x16){IMAGO_ALL8(x), IMAGO_ALL8(x)})

/* a * b + c, rounded once if the processor can. */
#if defined(__FMA__) || defined(__AVX512F__) || defined(__aarch64__) || \
    defined(__ARM_FEATURE_FMA) || (defined(__FP_FAST_FMAF) && defined(__FP_FAST_FMA))
#define fma_f32(a, b, c) __builtin_fmaf(a, b, c)
#define fma_f64(a, b, c) __builtin_fma(a, b, c)
#define IMAGO_HALVED(whole, half, low, high, both)                                           \
  INLINED whole fma_##whole(whole a, whole b, whole c) {                                     \
    const half first =                                                                       \
        fma_##half(__builtin_shufflevector(a, a, low), __builtin_shufflevector(b, b, low),   \
                   __builtin_shufflevector(c, c, low));                                      \
    const half second =                                                                      \
        fma_##half(__builtin_shufflevector(a, a, high), __builtin_shufflevector(b, b, high), \
                   __builtin_shufflevector(c, c, high));                                     \
    return __builtin_shufflevector(first, second, both);                                     \
  }
#define IMAGO_LANES(type, lanes, one)                                                  \
  INLINED type fma_##type(type a, type b, type c) {                                    \
    for (int lane = 0; lane < lanes; ++lane) c[lane] = one(a[lane], b[lane], c[lane]); \
    return c;                                                                          \
  }
#define IMAGO_LOW2 0, 1
#define IMAGO_HIGH2 2, 3
#define IMAGO_LOW4 0, 1, 2, 3
#define IMAGO_HIGH4 4, 5, 6, 7
#define IMAGO_LOW8 IMAGO_LOW4, IMAGO_HIGH4
#define IMAGO_HIGH8 8, 9, 10, 11, 12, 13, 14, 15
#define IMAGO_ALL_LANES IMAGO_LOW8, IMAGO_HIGH8
#if defined(__FMA__) || defined(__AVX512F__)
#define fma_f32x4(a, b, c) ((f32x4)_mm_fmadd_ps((__m128)(a), (__m128)(b), (__m128)(c)))
#define fma_f32x8(a, b, c) ((f32x8)_mm256_fmadd_ps((__m256)(a), (__m256)(b), (__m256)(c)))
#define fma_f64x2(a, b, c) ((f64x2)_mm_fmadd_pd((__m128d)(a), (__m128d)(b), (__m128d)(c)))
#define fma_f64x4(a, b, c) ((f64x4)_mm256_fmadd_pd((__m256d)(a), (__m256d)(b), (__m256d)(c)))
INLINED f32x2 fma_f32x2(f32x2 a, f32x2 b, f32x2 c) {
  const f32x4 all = fma_f32x4(__builtin_shufflevector(a, a, 0, 1, 0, 1),
                              __builtin_shufflevector(b, b, 0, 1, 0, 1),
                              __builtin_shufflevector(c, c, 0, 1, 0, 1));
  return __builtin_shufflevector(all, all, 0, 1);
}
#elif defined(__aarch64__)
#define fma_f32x2(a, b, c) ((f32x2)vfma_f32((float32x2_t)(c), (float32x2_t)(a), (float32x2_t)(b)))
#define fma_f32x4(a, b, c) ((f32x4)vfmaq_f32((float32x4_t)(c), (float32x4_t)(a), (float32x4_t)(b)))
#define fma_f64x2(a, b, c) ((f64x2)vfmaq_f64((float64x2_t)(c), (float64x2_t)(a), (float64x2_t)(b)))
IMAGO_HALVED(f32x8, f32x4, IMAGO_LOW4, IMAGO_HIGH4, IMAGO_LOW8)
IMAGO_HALVED(f64x4, f64x2, IMAGO_LOW2, IMAGO_HIGH2, IMAGO_LOW4)
#else
IMAGO_LANES(f32x2, 2, fma_f32)
IMAGO_LANES(f32x4, 4, fma_f32)
IMAGO_LANES(f32x8, 8, fma_f32)
IMAGO_LANES(f64x2, 2, fma_f64)
IMAGO_LANES(f64x4, 4, fma_f64)
#endif
#if defined(__AVX512F__)
#define fma_f32x16(a, b, c) ((f32x16)_mm512_fmadd_ps((__m512)(a), (__m512)(b), (__m512)(c)))
#define fma_f64x8(a, b, c) ((f64x8)_mm512_fmadd_pd((__m512d)(a), (__m512d)(b), (__m512d)(c)))
#else
IMAGO_HALVED(f32x16, f32x8, IMAGO_LOW8, IMAGO_HIGH8, IMAGO_ALL_LANES)
IMAGO_HALVED(f64x8, f64x4, IMAGO_LOW4, IMAGO_HIGH4, IMAGO_LOW8)
#endif
IMAGO_LANES(f64x16, 16, fma_f64)

/* A product that GCC does not fuse with a sum. (__builtin_assoc_barrier takes vectors apart.) */
#if defined(__clang__)
#define IMAGO_APART(x) (x)
#else
#if defined(__AVX512F__)
#define IMAGO_REGISTER "+v"
#elif defined(__FMA__)
#define IMAGO_REGISTER "+x"
#elif defined(__aarch64__)
#define IMAGO_REGISTER "+w"
#endif
#define IMAGO_KEPT(type)              \
  INLINED type apart_##type(type x) { \
    __asm__("" : IMAGO_REGISTER(x));  \
    return x;                         \
  }
#define IMAGO_APART_HALVED(whole, half, low, high, both)                   \
  INLINED whole apart_##whole(whole x) {                                   \
    const half first = apart_##half(__builtin_shufflevector(x, x, low));   \
    const half second = apart_##half(__builtin_shufflevector(x, x, high)); \
    return __builtin_shufflevector(first, second, both);                   \
  }
#define IMAGO_APART_LANES(type, lanes)                                       \
  INLINED type apart_##type(type x) {                                        \
    for (int lane = 0; lane < lanes; ++lane) x[lane] = IMAGO_APART(x[lane]); \
    return x;                                                                \
  }
#define IMAGO_APART(x) __builtin_assoc_barrier(x)
#endif
#define apart_f32(x) IMAGO_APART(x)
#define apart_f64(x) IMAGO_APART(x)
#if defined(IMAGO_REGISTER)
IMAGO_APART_LANES(f32x2, 2)
IMAGO_KEPT(f32x4)
IMAGO_KEPT(f64x2)
#if defined(__aarch64__)
IMAGO_APART_HALVED(f32x8, f32x4, IMAGO_LOW4, IMAGO_HIGH4, IMAGO_LOW8)
IMAGO_APART_HALVED(f64x4, f64x2, IMAGO_LOW2, IMAGO_HIGH2, IMAGO_LOW4)
#else
IMAGO_KEPT(f32x8)
IMAGO_KEPT(f64x4)
#endif
#if defined(__AVX512F__)
IMAGO_KEPT(f32x16)
IMAGO_KEPT(f64x8)
#else
IMAGO_APART_HALVED(f32x16, f32x8, IMAGO_LOW8, IMAGO_HIGH8, IMAGO_ALL_LANES)
IMAGO_APART_HALVED(f64x8, f64x4, IMAGO_LOW4, IMAGO_HIGH4, IMAGO_LOW8)
#endif
IMAGO_APART_LANES(f64x16, 16)
#elif defined(__clang__)
#define apart_f32x2(x) (x)
#define apart_f32x4(x) (x)
#define apart_f32x8(x) (x)
#define apart_f32x16(x) (x)
#define apart_f64x2(x) (x)
#define apart_f64x4(x) (x)
#define apart_f64x8(x) (x)
#define apart_f64x16(x) (x)
#else
IMAGO_APART_LANES(f32x2, 2)
IMAGO_APART_LANES(f32x4, 4)
IMAGO_APART_LANES(f32x8, 8)
IMAGO_APART_LANES(f32x16, 16)
IMAGO_APART_LANES(f64x2, 2)
IMAGO_APART_LANES(f64x4, 4)
IMAGO_APART_LANES(f64x8, 8)
IMAGO_APART_LANES(f64x16, 16)
#endif
#else
#define IMAGO_PRODUCT_AND_SUM(a, b, c) ((a) * (b) + (c))
#define fma_f32 IMAGO_PRODUCT_AND_SUM
#define fma_f32x2 IMAGO_PRODUCT_AND_SUM
#define fma_f32x4 IMAGO_PRODUCT_AND_SUM
#define fma_f32x8 IMAGO_PRODUCT_AND_SUM
#define fma_f32x16 IMAGO_PRODUCT_AND_SUM
#define fma_f64 IMAGO_PRODUCT_AND_SUM
#define fma_f64x2 IMAGO_PRODUCT_AND_SUM
#define fma_f64x4 IMAGO_PRODUCT_AND_SUM
#define fma_f64x8 IMAGO_PRODUCT_AND_SUM
#define fma_f64x16 IMAGO_PRODUCT_AND_SUM
#define apart_f32(x) (x)
#define apart_f32x2(x) (x)
#define apart_f32x4(x) (x)
#define apart_f32x8(x) (x)
#define apart_f32x16(x) (x)
#define apart_f64(x) (x)
#define apart_f64x2(x) (x)
#define apart_f64x4(x) (x)
#define apart_f64x8(x) (x)
#define apart_f64x16(x) (x)
#endif

/* Functions of each lane, which only hooks use. */
#define IMAGO_OF_ONE(name, type, lanes, function)                         \
  INLINED type name##_##type(type x) {                                    \
    for (int lane = 0; lane < lanes; ++lane) x[lane] = function(x[lane]); \
    return x;                                                             \
  }
#define IMAGO_OF_TWO(name, type, lanes, function)                                  \
  INLINED type name##_##type(type x, type y) {                                     \
    for (int lane = 0; lane < lanes; ++lane) x[lane] = function(x[lane], y[lane]); \
    return x;                                                                      \
  }
#define IMAGO_OF_LANES(macro, name, base, function)                     \
  macro(name, base##x2, 2, function) macro(name, base##x4, 4, function) \
      macro(name, base##x8, 8, function) macro(name, base##x16, 16, function)
#define rint_f32(x) __builtin_rintf(x)
#define rint_f64(x) __builtin_rint(x)
#define log2_f32(x) __builtin_log2f(x)
#define log2_f64(x) __builtin_log2(x)
#define native_sin_f32(x) __builtin_sinf(x)
#define native_cos_f32(x) __builtin_cosf(x)
#define fmin_f32(x, y) __builtin_fminf(x, y)
#define fmin_f64(x, y) __builtin_fmin(x, y)
#define fmax_f32(x, y) __builtin_fmaxf(x, y)
#define fmax_f64(x, y) __builtin_fmax(x, y)
#define IMAGO_MIN(x, y) ((y) < (x) ? (y) : (x))
#define IMAGO_MAX(x, y) ((x) < (y) ? (y) : (x))
#define min_i32 IMAGO_MIN
#define min_i64 IMAGO_MIN
#define max_i32 IMAGO_MAX
#define max_i64 IMAGO_MAX
IMAGO_OF_LANES(IMAGO_OF_ONE, rint, f32, rint_f32)
IMAGO_OF_LANES(IMAGO_OF_ONE, rint, f64, rint_f64)
IMAGO_OF_LANES(IMAGO_OF_ONE, log2, f32, log2_f32)
IMAGO_OF_LANES(IMAGO_OF_ONE, log2, f64, log2_f64)
IMAGO_OF_LANES(IMAGO_OF_ONE, native_sin, f32, native_sin_f32)
IMAGO_OF_LANES(IMAGO_OF_ONE, native_cos, f32, native_cos_f32)
IMAGO_OF_LANES(IMAGO_OF_TWO, fmin, f32, fmin_f32)
IMAGO_OF_LANES(IMAGO_OF_TWO, fmin, f64, fmin_f64)
IMAGO_OF_LANES(IMAGO_OF_TWO, fmax, f32, fmax_f32)
IMAGO_OF_LANES(IMAGO_OF_TWO, fmax, f64, fmax_f64)
IMAGO_OF_LANES(IMAGO_OF_TWO, min, i32, IMAGO_MIN)
IMAGO_OF_LANES(IMAGO_OF_TWO, min, i64, IMAGO_MIN)
IMAGO_OF_LANES(IMAGO_OF_TWO, max, i32, IMAGO_MAX)
IMAGO_OF_LANES(IMAGO_OF_TWO, max, i64, IMAGO_MAX)

/* Integers of 8 and 16 bits in memory. */
#define IMAGO_SATURATED(x, least, most) ((x) < (least) ? (least) : (x) > (most) ? (most) : (x))
#define saturated_i8(x) ((int8_t)IMAGO_SATURATED(x, -128, 127))
#define saturated_u8(x) ((uint8_t)IMAGO_SATURATED(x, 0, 255))
#define saturated_i16(x) ((int16_t)IMAGO_SATURATED(x, -32768, 32767))
#define saturated_u16(x) ((uint16_t)IMAGO_SATURATED(x, 0, 65535))

/* Half precision in memory. Not all processors of the compilers have it. */
#if defined(IMAGO_HALVES)
__extension__ typedef _Float16 f16;
#define load_halves_f32(p) ((float)*(p))
#define store_halves_f32(p, x) (*(p) = (f16)(x))
#define IMAGO_HALF_VECTOR(lanes)                                       \
  INLINED f32x##lanes load_halves_f32x##lanes(const f16* p) {          \
    f32x##lanes x;                                                     \
    for (int lane = 0; lane < lanes; ++lane) x[lane] = (float)p[lane]; \
    return x;                                                          \
  }                                                                    \
  INLINED void store_halves_f32x##lanes(f16* p, f32x##lanes x) {       \
    for (int lane = 0; lane < lanes; ++lane) p[lane] = (f16)x[lane];   \
  }
IMAGO_HALF_VECTOR(2)
IMAGO_HALF_VECTOR(4)
IMAGO_HALF_VECTOR(8)
IMAGO_HALF_VECTOR(16)
#endif

#endif
