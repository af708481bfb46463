/* Runs exported programs on OpenCL devices, by its C API alone. */
#ifndef IMAGO_OPENCL_H
#define IMAGO_OPENCL_H

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#include "imago_program.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct imago_opencl imago_opencl;

/* Compiles the kernels, which are files in `folder`, and uploads the tables.
 *Returns NULL and sets error if that fails; prints the compiler's messages to
 *standard error. */
imago_opencl* imago_opencl_create(const imago_program* program, const char* folder,
                                  cl_context context, cl_device_id device, cl_int* error);
/* Enqueues a call in a queue that runs its commands in order. Give NULL for
   arrays that are not planar, and the arrays of factors of hooks and their
   numbers in their order, or NULL. One thread at a time may call it for one object, and calls in
   several queues must not overlap if the program has scratch. */
cl_int imago_opencl_enqueue(imago_opencl* made, cl_command_queue queue, cl_mem in, cl_mem in_im,
                            cl_mem out, cl_mem out_im, const cl_mem* factors,
                            const double* numbers);
void imago_opencl_destroy(imago_opencl* made);

#if defined(__cplusplus)
}
#endif

#endif
