/* A client in C that calls every function of clFFT.h once, as in clFFT's manual: 64 numbers go there and
   back. It says the first line that failed. */
#define CL_TARGET_OPENCL_VERSION 120
#include <clFFT.h>
#include <math.h>
#include <stdio.h>

#define MUST(call)                                          \
  do {                                                      \
    const int status = (int)(call);                         \
    if (status != 0) {                                      \
      printf("line %d: %s: %d\n", __LINE__, #call, status); \
      return 1;                                             \
    }                                                       \
  } while (0)

static const char* kBefore =
    "float2 before(__global void* in, uint offset, __global void* userdata) {\n"
    "  return ((__global float2*)in)[offset] * ((__global float*)userdata)[0];\n}\n";

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int code = 0;
  MUST(clGetPlatformIDs(1, &platform, NULL));
  MUST(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL));
  cl_context context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  MUST(code);
  cl_command_queue queue = clCreateCommandQueue(context, device, 0, &code);
  MUST(code);
  float x[128], three = 3;
  for (int i = 0; i < 128; ++i) x[i] = (float)(i * 37 % 11);
  cl_mem data = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof x, x, &code);
  MUST(code);
  cl_mem factor = clCreateBuffer(context, CL_MEM_COPY_HOST_PTR, sizeof three, &three, &code);
  MUST(code);

  clfftSetupData setup;
  cl_uint major, minor, patch, count;
  MUST(clfftInitSetupData(&setup));
  MUST(clfftSetup(&setup));
  MUST(clfftGetVersion(&major, &minor, &patch));
  clfftPlanHandle made, plan;
  size_t lengths[1] = {64}, strides[1] = {1}, in, out, batch, bytes;
  MUST(clfftCreateDefaultPlan(&made, context, CLFFT_1D, lengths));
  MUST(clfftCopyPlan(&plan, context, made));
  MUST(clfftDestroyPlan(&made));

  cl_context of;
  clfftDim dim;
  clfftPrecision precision;
  clfftLayout from, to;
  clfftResultLocation location;
  clfftResultTransposed transposed;
  cl_float scale;
  MUST(clfftGetPlanContext(plan, &of));
  MUST(clfftGetPlanDim(plan, &dim, &count));
  MUST(clfftSetPlanDim(plan, dim));
  MUST(clfftGetPlanLength(plan, dim, lengths));
  MUST(clfftSetPlanLength(plan, dim, lengths));
  MUST(clfftGetPlanInStride(plan, dim, strides));
  MUST(clfftSetPlanInStride(plan, dim, strides));
  MUST(clfftGetPlanOutStride(plan, dim, strides));
  MUST(clfftSetPlanOutStride(plan, dim, strides));
  MUST(clfftGetPlanDistance(plan, &in, &out));
  MUST(clfftSetPlanDistance(plan, in, out));
  MUST(clfftGetPlanBatchSize(plan, &batch));
  MUST(clfftSetPlanBatchSize(plan, batch));
  MUST(clfftGetPlanPrecision(plan, &precision));
  MUST(clfftSetPlanPrecision(plan, precision));
  MUST(clfftGetLayout(plan, &from, &to));
  MUST(clfftSetLayout(plan, from, to));
  MUST(clfftGetResultLocation(plan, &location));
  MUST(clfftSetResultLocation(plan, location));
  MUST(clfftGetPlanTransposeResult(plan, &transposed));
  MUST(clfftSetPlanTransposeResult(plan, transposed));
  MUST(clfftGetPlanScale(plan, CLFFT_BACKWARD, &scale));
  MUST(clfftSetPlanScale(plan, CLFFT_BACKWARD, scale / 9));
  MUST(clfftSetPlanCallback(plan, "before", kBefore, 0, PRECALLBACK, &factor, 1));
  MUST(clfftBakePlan(plan, 1, &queue, NULL, NULL));
  MUST(clfftGetTmpBufSize(plan, &bytes));

  cl_event there, back;
  MUST(clfftEnqueueTransform(plan, CLFFT_FORWARD, 1, &queue, 0, NULL, &there, &data, NULL, NULL));
  MUST(clfftEnqueueTransform(plan, CLFFT_BACKWARD, 1, &queue, 1, &there, &back, &data, NULL, NULL));
  float y[128];
  MUST(clEnqueueReadBuffer(queue, data, CL_TRUE, 0, sizeof y, y, 1, &back, NULL));
  for (int i = 0; i < 128; ++i) {
    if (!(fabsf(y[i] - x[i]) < 1e-4f)) {
      printf("x[%d] came back as %g, not %g\n", i, y[i], x[i]);
      return 1;
    }
  }
  clReleaseEvent(there);
  clReleaseEvent(back);
  MUST(clfftDestroyPlan(&plan));
  MUST(clfftTeardown());
  printf("clFFT %u.%u.%u: every function, there and back\n", major, minor, patch);
  return 0;
}
