/* A function of Octave and MATLAB: Y = imago_spectrum(X) is fft(X) of the
   columns of a real single matrix, in its n/2+1 coefficients. */
#include "first_device.h"
// Shown in docs/languages.md:
#include <imago/imago_cl.h>
#include <mex.h>

static void done(imago_status status) {
  if (status != IMAGO_SUCCESS)
    mexErrMsgIdAndTxt("imago:failed", "%s", imago_last_error());
}

/* Transforms the columns: single(points, columns) to pairs of single. */
static void spectra(float* to, const float* from, size_t points,
                    size_t columns) {
  imago_transform transform = imago_transform_of(1, &points);
  transform.kind = IMAGO_REAL;
  transform.batch = columns;
  imago_cl_plan* plan = NULL;
  done(imago_cl_plan_create(context, device, &transform, NULL, &plan));
  const size_t bytes[] = {imago_cl_signal_bytes(plan),
                          imago_cl_spectrum_bytes(plan)};
  const cl_mem_flags copy = CL_MEM_COPY_HOST_PTR, write = CL_MEM_READ_WRITE;
  cl_mem in = clCreateBuffer(context, copy, bytes[0], (void*)from, NULL);
  cl_mem out = clCreateBuffer(context, write, bytes[1], NULL, NULL);
  const imago_array signal = imago_array_of(in), spectrum = imago_array_of(out);
  done(imago_cl_forward(plan, queue, signal, spectrum, NULL));
  clEnqueueReadBuffer(queue, out, CL_TRUE, 0, bytes[1], to, 0, NULL, NULL);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  imago_cl_plan_destroy(plan);
}
// Until here.

void mexFunction(int results, mxArray* result[], int arguments,
                 const mxArray* argument[]) {
  (void)results;
  const char* const failed = open_first_device();
  if (failed) mexErrMsgIdAndTxt("imago:device", "%s", failed);
  if (arguments != 1 || !mxIsSingle(argument[0]) || mxIsComplex(argument[0]))
    mexErrMsgIdAndTxt("imago:argument",
                      "give one real matrix of the class single");
  const size_t points = mxGetM(argument[0]), columns = mxGetN(argument[0]),
               bins = points / 2 + 1;
  float* const pairs = (float*)mxMalloc(bins * columns * 2 * sizeof(float));
  spectra(pairs, (const float*)mxGetData(argument[0]), points, columns);
  result[0] = mxCreateNumericMatrix(bins, columns, mxSINGLE_CLASS, mxCOMPLEX);
  float* const re = (float*)mxGetData(result[0]);
  float* const im = (float*)mxGetImagData(result[0]);
  for (size_t i = 0; i < bins * columns; ++i) {
    re[i] = pairs[2 * i];
    im[i] = pairs[2 * i + 1];
  }
  mxFree(pairs);
}
