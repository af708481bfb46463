/* Programs of kernels as data: what the hosts for OpenCL and Vulkan run. */
#ifndef IMAGO_PROGRAM_H
#define IMAGO_PROGRAM_H

#include <stddef.h>

/* Arguments of kernels. */
enum {
  IMAGO_ARGUMENT_IN,
  IMAGO_ARGUMENT_IN_IM, /* imaginary parts of a planar array */
  IMAGO_ARGUMENT_OUT,
  IMAGO_ARGUMENT_OUT_IM,
  IMAGO_ARGUMENT_SCRATCH,
  IMAGO_ARGUMENT_TABLE,   /* `integer` is its index */
  IMAGO_ARGUMENT_FACTORS, /* `integer` is the index of the call's buffer */
  IMAGO_ARGUMENT_INT,
  IMAGO_ARGUMENT_LONG, /* 64 bits */
  IMAGO_ARGUMENT_FLOAT,
  IMAGO_ARGUMENT_DOUBLE
};
typedef struct {
  int type;
  long long integer;
  double number;
} imago_argument;

typedef struct {
  const char *name, *file, *options;
  size_t group_size, local_bytes;
} imago_kernel;

/* `count` arguments, from the one at `first`. */
typedef struct {
  int kernel;
  size_t groups;
  int first, count;
} imago_launch;

typedef struct {
  const void* values;
  size_t bytes;
} imago_table;

/* A direction of a transform: launches that run one after the other. */
typedef struct {
  const char* name;
  const imago_kernel* kernels;
  int kernel_count;
  const imago_table* tables;
  int table_count;
  const imago_argument* arguments;
  const imago_launch* launches;
  int launch_count;
  size_t scratch_bytes;
  size_t in_bytes, out_bytes; /* each array; in place the same */
  int is_planar_in, is_planar_out, is_in_place;
  const size_t* factor_bytes;
  int factor_count;
} imago_program;

#endif
