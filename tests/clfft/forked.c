/* This program forks after it has used clFFT's replacement. In the child, every call must return at
   once: a driver's threads and locks do not survive fork(). Prints the calls that do not. */
#define CL_TARGET_OPENCL_VERSION 120
#include <clFFT.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { LENGTH = 64, SECONDS = 5 };

static cl_context context;
static cl_command_queue queue;
static cl_mem data;
static clfftPlanHandle plan;

static void check(int good, const char* what) {
  if (good) return;
  fprintf(stderr, "FAILED: %s\n", what);
  exit(1);
}

static clfftPlanHandle made(void) {
  const size_t length = LENGTH;
  clfftPlanHandle handle = 0;
  check(clfftCreateDefaultPlan(&handle, context, CLFFT_1D, &length) == CLFFT_SUCCESS,
        "clfftCreateDefaultPlan");
  check(
      clfftSetLayout(handle, CLFFT_COMPLEX_INTERLEAVED, CLFFT_COMPLEX_INTERLEAVED) == CLFFT_SUCCESS,
      "clfftSetLayout");
  return handle;
}

static int bakes(void) { return clfftBakePlan(plan, 1, &queue, NULL, NULL) == CLFFT_SUCCESS; }
static int transforms(void) {
  return clfftEnqueueTransform(plan, CLFFT_FORWARD, 1, &queue, 0, NULL, NULL, &data, NULL, NULL) ==
         CLFFT_SUCCESS;
}
static int bakes_another(void) {
  const size_t length = 3 * LENGTH;
  clfftPlanHandle handle = 0;
  return clfftCreateDefaultPlan(&handle, context, CLFFT_1D, &length) == CLFFT_SUCCESS &&
         clfftBakePlan(handle, 1, &queue, NULL, NULL) == CLFFT_SUCCESS;
}
static int tears_down(void) { return clfftTeardown() == CLFFT_SUCCESS; }

/* Returns 1 if the call ends in a child within the time. A call that computes must fail. */
static int ends(const char* name, int (*call)(void), int may_succeed) {
  fflush(NULL);
  const pid_t child = fork();
  if (child == 0) {
    alarm(SECONDS);
    _exit(call() && !may_succeed ? 1 : 0);
  }
  int status = 0;
  waitpid(child, &status, 0);
  if (status == 0) return 1;
  printf("FAILED: %s in a forked child: %s\n", name,
         WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : "it computed");
  return 0;
}

int main(void) {
  cl_platform_id platform;
  cl_device_id device;
  cl_int code = CL_SUCCESS;
  check(clGetPlatformIDs(1, &platform, NULL) == CL_SUCCESS, "clGetPlatformIDs");
  check(clGetDeviceIDs(platform, CL_DEVICE_TYPE_ALL, 1, &device, NULL) == CL_SUCCESS,
        "clGetDeviceIDs");
  context = clCreateContext(NULL, 1, &device, NULL, NULL, &code);
  check(code == CL_SUCCESS, "clCreateContext");
  queue = clCreateCommandQueue(context, device, 0, &code);
  check(code == CL_SUCCESS, "clCreateCommandQueue");
  data = clCreateBuffer(context, CL_MEM_READ_WRITE, 4 * LENGTH * 2 * sizeof(float), NULL, &code);
  check(code == CL_SUCCESS, "clCreateBuffer");
  check(clfftSetup(NULL) == CLFFT_SUCCESS, "clfftSetup");
  plan = made();
  check(bakes() && transforms() && clFinish(queue) == CL_SUCCESS, "the parent");

  int good = 1;
  good &= ends("clfftEnqueueTransform", transforms, 0);
  good &= ends("clfftBakePlan of a new plan", bakes_another, 0);
  good &= ends("clfftTeardown", tears_down, 1);
  return good ? 0 : 1;
}
