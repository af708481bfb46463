/* A function for R: .Call("imago_spectrum", x) is fft(x) of a complex vector.
 */
#include "first_device.h"
// Shown in docs/languages.md:
#include <imago/imago_cl.h>

#include <R.h>
#include <Rinternals.h>

static void done(imago_status status) {
  if (status != IMAGO_SUCCESS) Rf_error("%s", imago_last_error());
}

/* Transforms the complex numbers in place. */
static void transform_vector(Rcomplex* data, size_t points) {
  imago_transform transform = imago_transform_of(1, &points);
  transform.precision = IMAGO_F64;
  transform.placement = IMAGO_IN_PLACE;
  imago_cl_plan* plan = NULL;
  done(imago_cl_plan_create(context, device, &transform, NULL, &plan));
  const size_t bytes = imago_cl_signal_bytes(plan);
  const cl_mem_flags copy = CL_MEM_COPY_HOST_PTR;
  cl_mem buffer = clCreateBuffer(context, copy, bytes, data, NULL);
  const imago_array array = imago_array_of(buffer);
  done(imago_cl_forward(plan, queue, array, array, NULL));
  clEnqueueReadBuffer(queue, buffer, CL_TRUE, 0, bytes, data, 0, NULL, NULL);
  clReleaseMemObject(buffer);
  imago_cl_plan_destroy(plan);
}
// Until here.

SEXP imago_spectrum(SEXP x) {
  const char* const failed = open_first_device();
  if (failed) Rf_error("%s", failed);
  if (!isComplex(x)) Rf_error("give a complex vector");
  SEXP result = PROTECT(duplicate(x));
  transform_vector(COMPLEX(result), (size_t)XLENGTH(result));
  UNPROTECT(1);
  return result;
}
