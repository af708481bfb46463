/* The descriptions of the exported transforms, for the program that checks them. */
#ifndef IMAGO_CHECK_H
#define IMAGO_CHECK_H

#include <stddef.h>

enum { IMAGO_AXES = 8, IMAGO_HOOKS = 4 };

/* Kinds of transforms along an axis; docs of imago, Kind. */
enum {
  IMAGO_COMPLEX,
  IMAGO_REAL,
  IMAGO_DCT1,
  IMAGO_DCT2,
  IMAGO_DCT3,
  IMAGO_DCT4,
  IMAGO_DST1,
  IMAGO_DST2,
  IMAGO_DST3,
  IMAGO_DST4,
  IMAGO_IDENTITY
};

/* Numbers in memory. */
enum { IMAGO_F16, IMAGO_F32, IMAGO_F64, IMAGO_I8, IMAGO_U8, IMAGO_I16, IMAGO_U16 };

/* Operations on an element before the transform or after it. */
enum {
  IMAGO_NOTHING,
  IMAGO_WINDOW,    /* times an array of real numbers, which has the length of the last axis */
  IMAGO_MULTIPLY,  /* times an array of the same shape */
  IMAGO_CONJUGATE, /* complex elements */
  IMAGO_SCALE,     /* times a number */
  IMAGO_POWER      /* after the transform: the square of the magnitude */
};

/* Element (i0, i1, ..) of array b is at offset + b * distance + i0 * strides[0] + ...; `end` is one
   past the last one. A complex element is two numbers, or one in each of two arrays (planar). */
typedef struct {
  size_t lengths[IMAGO_AXES], strides[IMAGO_AXES], offset, distance, end;
  int is_real, is_planar, type;
} imago_side;

typedef struct {
  const char* name;
  int axes, kinds[IMAGO_AXES];
  size_t batch;
  int in_place, orthogonal, has_forward, has_inverse;
  int is_filter; /* forward transform, times a response, inverse transform */
  double forward_scale, inverse_scale;
  int type; /* type of arrays of factors */
  imago_side signal, spectrum;
  int load[IMAGO_HOOKS], store[IMAGO_HOOKS]; /* hooks of the forward direction */
  double tolerance;
} imago_transform;

extern const imago_transform imago_transforms[];
extern const int imago_transform_count;

/* Computes a direction of a transform. The second pointers are of planar arrays; in place, in and
   out are the same. Factors are those of the load hooks, then of the store hooks, or a response;
   numbers likewise. Returns 0, or says why not. */
int imago_start(void);
int imago_run(int number, int is_inverse, const void* in, const void* in_im, void* out,
              void* out_im, const void* const* factors, const double* numbers);

#endif
