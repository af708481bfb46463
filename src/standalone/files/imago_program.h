/* Programs of kernels as data: what the hosts for OpenCL and Vulkan run. */
#ifndef IMAGO_PROGRAM_H
#define IMAGO_PROGRAM_H

#include <stddef.h>
#include <string.h>

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
  IMAGO_ARGUMENT_DOUBLE,
  IMAGO_ARGUMENT_GIVEN_FLOAT, /* `integer` is the index of the call's number */
  IMAGO_ARGUMENT_GIVEN_DOUBLE,
  IMAGO_ARGUMENT_GIVEN_PAIR /* two floats, for devices without doubles */
};
typedef struct {
  int type;
  long long integer;
  double number;
} imago_argument;

/* Writes the value of an argument that is no buffer. Returns the number of its bytes. */
static inline size_t imago_value(const imago_argument* argument, const double* numbers,
                                 unsigned char* value) {
  const int is_given = argument->type >= IMAGO_ARGUMENT_GIVEN_FLOAT;
  const double number = !is_given ? argument->number : numbers ? numbers[argument->integer] : 0;
  const float f = (float)number, rest = f - f == 0 ? (float)(number - (double)f) : 0;
  const int narrow = (int)argument->integer;
  switch (argument->type) {
    case IMAGO_ARGUMENT_INT:
      memcpy(value, &narrow, 4);
      return 4;
    case IMAGO_ARGUMENT_LONG:
      memcpy(value, &argument->integer, 8);
      return 8;
    case IMAGO_ARGUMENT_DOUBLE:
    case IMAGO_ARGUMENT_GIVEN_DOUBLE:
      memcpy(value, &number, 8);
      return 8;
    case IMAGO_ARGUMENT_GIVEN_PAIR: /* the rest is in the lower bytes */
      memcpy(value, &rest, 4), memcpy(value + 4, &f, 4);
      return 8;
    default:
      memcpy(value, &f, 4);
      return 4;
  }
}

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
  int factor_count; /* arrays of factors */
} imago_program;

#endif
