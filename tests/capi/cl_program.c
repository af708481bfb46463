/* This file is a user's program in C with OpenCL; it also compiles as C++. It uses every group of
   functions of hooks.h and imago_cl.h once and checks the results. It prints "all right", or what
   was wrong. */
#include "cl_support.h"

/* Real numbers in the two parts of planar spectra, back with the events of both calls. */
static void check_planar(void) {
  enum { n = 60, bins = n / 2 + 1, batch = 2 };
  float signal[batch * n], back[batch * n], re[batch * bins];
  for (int j = 0; j < batch * n; ++j) signal[j] = (float)(j * 37 % 11);
  const size_t lengths[] = {n};
  imago_transform transform = imago_transform_of(1, lengths);
  transform.kind = IMAGO_REAL;
  transform.batch = batch;
  transform.spectrum_storage = IMAGO_PLANAR;
  imago_cl_plan* plan = NULL;
  check(good(imago_cl_plan_create(context, device, &transform, NULL, &plan)), "a planar plan");
  check(imago_cl_signal_bytes(plan) == sizeof signal, "bytes of the signal");
  check(imago_cl_spectrum_bytes(plan) == sizeof re, "bytes of each part of the spectrum");
  imago_layout layout;
  check(good(imago_cl_plan_layout(plan, IMAGO_SPECTRUM, &layout)), "the layout");
  check(layout.strides[0] == 1 && layout.distance == bins, "a packed spectrum");

  cl_mem in = buffer_of(sizeof signal, signal), out = buffer_of(sizeof back, NULL);
  cl_mem real = buffer_of(sizeof re, NULL), imaginary = buffer_of(sizeof re, NULL);
  const imago_array spectrum = imago_planar_array(real, imaginary);
  cl_event done = NULL;
  imago_cl_call call = imago_default_cl_call();
  call.event = &done;
  check(good(imago_cl_forward(plan, queue, imago_array_of(in), spectrum, &call)), "forward");
  check(done != NULL, "an event");
  cl_event waited = done;
  call.waits = &waited;
  call.waits_count = 1;
  check(good(imago_cl_inverse(plan, queue, spectrum, imago_array_of(out), &call)), "inverse");
  check(clWaitForEvents(1, &done) == CL_SUCCESS, "the second event");
  read_back(out, sizeof back, back);
  for (int j = 0; j < batch * n; ++j) check(fabsf(back[j] - signal[j]) < 1e-4f, "there and back");
  /* The first signal alone, with an event of each kernel, and places for some of them. */
  cl_event kernels[8] = {NULL};
  size_t kernels_count = 0;
  call.event = NULL;
  call.count = 1;
  call.events = kernels;
  call.events_size = 8;
  call.events_count = &kernels_count;
  check(good(imago_cl_forward(plan, queue, imago_array_of(in), spectrum, &call)), "one signal");
  check(kernels_count > 0 && kernels_count <= 8, "the number of kernels");
  for (size_t i = 0; i < kernels_count; ++i) clReleaseEvent(kernels[i]);
  call.count = batch + 1;
  check(
      imago_cl_forward(plan, queue, imago_array_of(in), spectrum, &call) == IMAGO_INVALID_ARGUMENT,
      "more signals than the batch");
  read_back(real, sizeof re, re);
  double sum = 0;
  for (int j = 0; j < n; ++j) sum += signal[j];
  check(fabs(re[0] - sum) < 1e-3, "the sum of the signal");
  clReleaseEvent(waited);
  clReleaseEvent(done);
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  clReleaseMemObject(real);
  clReleaseMemObject(imaginary);
  imago_cl_plan_destroy(plan);
}

/* 16-bit samples times a window, to their spectrum's power, with a function of the user. */
static void check_hooks(void) {
  enum { n = 64 };
  short samples[n];
  float window[n], power[n], addends[n + 1] = {100}, twos[n];
  for (int j = 0; j < n; ++j) {
    samples[j] = (short)(1000 * cos(angle(3, j, n)));
    window[j] = 0.5f;
    addends[j + 1] = 0.5f;
    twos[j] = 2;
  }
  imago_hooks *load = NULL, *store = NULL;
  check(good(imago_hooks_create(&load)) && good(imago_hooks_create(&store)), "lists of hooks");
  imago_code twice = imago_code_of(
      "float2 twice(float2 x, const imago_at* at, float by) { return x * by; }", "twice");
  const imago_parameter by = {IMAGO_REAL_NUMBER, "by"};
  twice.parameters = &by;
  twice.parameters_count = 1;
  check(good(imago_hook_integer(load, IMAGO_I16, 1e-3)), "a hook of integers");
  check(good(imago_hook_real_part(load)), "a hook of real parts");
  const size_t stride = 1;
  imago_addition mean = imago_addition_of("addends");
  mean.strides = &stride;
  mean.strides_count = 1;
  mean.offset = 1;
  mean.real = 1;
  mean.factor = -1;
  mean.times = "twos";
  check(good(imago_hook_add(load, &mean)), "an addition");
  check(imago_hook_add(load, NULL) == IMAGO_INVALID_ARGUMENT, "no addition");
  check(good(imago_hook_window(load, 0, "window")), "a window");
  check(good(imago_hook_code(load, &twice)), "a function");
  check(good(imago_hook_power(store)), "a hook of powers");
  check(imago_hook_integer(load, (imago_integer)9, 1) == IMAGO_INVALID_ARGUMENT, "no such integer");
  check(strstr(imago_last_error(), "type is 9") != NULL, "the message has the number");
  check(imago_hook_power(NULL) == IMAGO_INVALID_ARGUMENT, "no list");

  const size_t lengths[] = {n};
  imago_transform transform = imago_transform_of(1, lengths);
  transform.directions = IMAGO_ONLY_FORWARD;
  transform.forward_load = load;
  transform.forward_store = store;
  imago_cl_plan* plan = NULL;
  check(good(imago_cl_plan_create(context, device, &transform, NULL, &plan)), "a plan with hooks");
  imago_hooks_destroy(load);
  imago_hooks_destroy(store);

  cl_mem in = buffer_of(sizeof samples, samples), out = buffer_of(sizeof power, NULL);
  const imago_argument arguments[] = {{"by", NULL, 0, 2.0},
                                      {"addends", buffer_of(sizeof addends, addends), 0, 0},
                                      {"twos", buffer_of(sizeof twos, twos), 0, 0},
                                      {"window", buffer_of(sizeof window, window), 0, 0}};
  imago_cl_call call = imago_default_cl_call();
  call.arguments = arguments;
  call.arguments_count = 3;
  check(imago_cl_forward(plan, queue, imago_array_of(in), imago_array_of(out), &call) ==
            IMAGO_INVALID_ARGUMENT,
        "the window is missing");
  call.arguments_count = 4;
  check(good(imago_cl_forward(plan, queue, imago_array_of(in), imago_array_of(out), &call)),
        "forward with hooks");
  read_back(out, sizeof power, power);
  check(fabs(power[0] - n * n) < 2, "the power of the mean");
  for (int k = 1; k < n; ++k)
    check(fabs(power[k] - (k == 3 || k == n - 3 ? n * n / 4 : 0)) < 2, "the power of a wave");
  clReleaseMemObject(in);
  clReleaseMemObject(out);
  for (int i = 1; i < 4; ++i) clReleaseMemObject(arguments[i].buffer);
  imago_cl_plan_destroy(plan);
}

/* A workspace of the caller, an estimate, a recipe, generic kernels. */
static void check_options(void) {
  enum { n = 1000003 }; /* a prime that fits the local memory of no device */
  const size_t lengths[] = {n};
  imago_transform transform = imago_transform_of(1, lengths);
  imago_estimate estimate = imago_no_estimate();
  check(good(imago_cl_estimate(device, &transform, NULL, &estimate)), "an estimate");
  check(estimate.signal_bytes == n * 8 && estimate.kernels > 0, "its figures");
  size_t best = 0;
  check(good(imago_cl_good_size(device, n, NULL, &best)), "a good size");
  check(best >= n && best <= n + n / 4, "between n and 1.25 n");

  imago_cl_options options = imago_default_cl_options();
  options.workspace_of_call = 1;
  imago_cl_plan* plan = NULL;
  check(good(imago_cl_plan_create(context, device, &transform, &options, &plan)), "a plan");
  const size_t bytes = imago_cl_workspace_bytes(plan);
  check(bytes == estimate.workspace_bytes && bytes > 0, "the workspace that was estimated");
  const size_t length = imago_cl_plan_recipe(plan, NULL, 0);
  char* const recipe = (char*)malloc(length + 1);
  check(imago_cl_plan_recipe(plan, recipe, length + 1) == length, "the recipe");
  check(strlen(recipe) == length, "all of it");
  char start[8];
  check(imago_cl_plan_describe(plan, start, sizeof start) > sizeof start, "a description");
  check(strlen(start) == sizeof start - 1, "its start");
  CHECK_KERNELS(plan, plan);

  cl_mem data = buffer_of(n * 8, NULL), result = buffer_of(n * 8, NULL);
  imago_cl_call call = imago_default_cl_call();
  check(imago_cl_forward(plan, queue, imago_array_of(data), imago_array_of(result), &call) ==
            IMAGO_INVALID_ARGUMENT,
        "a call without workspace");
  cl_mem memory = buffer_of(bytes, NULL);
  imago_workspace* workspace = NULL;
  check(good(imago_workspace_of(memory, &workspace)), "a workspace");
  call.workspace = workspace;
  check(good(imago_cl_forward(plan, queue, imago_array_of(data), imago_array_of(result), &call)),
        "a call with workspace");
  imago_cl_plan_destroy(plan);

  options = imago_default_cl_options();
  options.recipe = recipe;
  options.workspace = workspace;
  check(good(imago_cl_plan_create(context, device, &transform, &options, &plan)), "by the recipe");
  imago_workspace_destroy(workspace);
  check(good(imago_cl_forward(plan, queue, imago_array_of(data), imago_array_of(result), NULL)),
        "a call with the shared workspace");
  imago_cl_plan_destroy(plan);
  free(recipe);

  const size_t few[] = {10007};
  transform = imago_transform_of(1, few);
  options = imago_default_cl_options();
  options.first_call = IMAGO_GENERIC;
  check(good(imago_cl_plan_create(context, device, &transform, &options, &plan)), "a generic plan");
  int ready = 1;
  check(good(imago_cl_plan_wait(plan, 0, &ready)) && !ready, "generic kernels");
  check(imago_cl_plan_wait(plan, -1, &ready) == IMAGO_INVALID_ARGUMENT, "a negative time");
  imago_cl_plan_destroy(plan);
  clFinish(queue);
  clReleaseMemObject(memory);
  clReleaseMemObject(data);
  clReleaseMemObject(result);
}

/* A filter that keeps the lowest frequencies, in place. */
static void check_filter(void) {
  enum { n = 100 };
  float line[2 * (n / 2 + 1)];
  for (int j = 0; j < n; ++j) line[j] = (float)(cos(angle(2, j, n)) + cos(angle(30, j, n)));
  imago_hooks* band = NULL;
  check(good(imago_hooks_create(&band)) && good(imago_hook_zero_outside(band, 0, 0, 10)), "a band");
  const size_t lengths[] = {n};
  imago_filter_shape shape = imago_filter_of(1, lengths);
  shape.kind = IMAGO_REAL;
  shape.placement = IMAGO_IN_PLACE;
  shape.spectrum = band;
  imago_cl_filter* filter = NULL;
  check(good(imago_cl_filter_create(context, device, &shape, NULL, &filter)), "a filter");
  CHECK_ESTIMATE(filter, filter, &shape);
  imago_hooks_destroy(band);
  check(imago_cl_filter_signal_bytes(filter) <= sizeof line, "bytes of the line");
  check(imago_cl_filter_result_bytes(filter) <= sizeof line, "bytes of the result");
  check(imago_cl_filter_describe(filter, NULL, 0) > 0, "a description");
  CHECK_KERNELS(filter, filter);
  CHECK_READY(filter, filter);
  check(imago_cl_filter_recipe(filter, NULL, 0) > 0, "a recipe");
  cl_mem data = buffer_of(sizeof line, line);
  const imago_array array = imago_array_of(data);
  check(good(imago_cl_filter_apply(filter, queue, array, array, NULL)), "the filter runs");
  read_back(data, sizeof line, line);
  for (int j = 0; j < n; ++j)
    check(fabs(line[j] - cos(angle(2, j, n))) < 1e-5, "the slow wave is left");
  clReleaseMemObject(data);
  imago_cl_filter_destroy(filter);
}

static void check_convolution(void) {
  enum { n = 50, m = 3, both = n + m - 1 };
  float signal[n], kernel[m] = {1, 10, 100}, result[both];
  for (int j = 0; j < n; ++j) signal[j] = (float)(j % 7);
  const size_t signal_lengths[] = {n}, kernel_lengths[] = {m};
  const imago_convolution_shape shape = imago_convolution_of(1, signal_lengths, kernel_lengths);
  imago_cl_convolution* convolution = NULL;
  check(good(imago_cl_convolution_create(context, device, &shape, NULL, &convolution)),
        "a convolution");
  check(imago_cl_convolution_result(convolution)[0] == both, "the length of the result");
  check(imago_cl_convolution_signal_bytes(convolution) == sizeof signal, "bytes of the signal");
  check(imago_cl_convolution_kernel_bytes(convolution) == sizeof kernel, "bytes of the kernel");
  check(imago_cl_convolution_result_bytes(convolution) == sizeof result, "bytes of the result");
  check(imago_cl_convolution_describe(convolution, NULL, 0) > 0, "a description");
  CHECK_KERNELS(convolution, convolution);
  CHECK_READY(convolution, convolution);
  CHECK_ESTIMATE(convolution, convolution, &shape);
  cl_mem x = buffer_of(sizeof signal, signal), h = buffer_of(sizeof kernel, kernel);
  cl_mem y = buffer_of(sizeof result, NULL);
  cl_mem spectrum = buffer_of(imago_cl_convolution_spectrum_bytes(convolution), NULL);
  check(good(imago_cl_convolution_prepare(convolution, queue, imago_array_of(h),
                                          imago_array_of(spectrum), NULL)),
        "the kernel's spectrum");
  check(good(imago_cl_convolution_apply(convolution, queue, imago_array_of(x), spectrum,
                                        imago_array_of(y), NULL)),
        "the convolution runs");
  read_back(y, sizeof result, result);
  for (int t = 0; t < both; ++t) {
    double right = 0;
    for (int j = 0; j < m; ++j)
      if (t - j >= 0 && t - j < n) right += kernel[j] * signal[t - j];
    check(fabs(result[t] - right) < 1e-3, "an element of the convolution");
  }
  clReleaseMemObject(x);
  clReleaseMemObject(h);
  clReleaseMemObject(y);
  clReleaseMemObject(spectrum);
  imago_cl_convolution_destroy(convolution);
}

static void check_sparse(void) {
  enum { n = 65536, tone = 12345 };
  float* const signal = (float*)malloc(n * 2 * sizeof(float));
  for (int j = 0; j < n; ++j) {
    signal[2 * j] = (float)cos(angle(tone, j, n));
    signal[2 * j + 1] = (float)sin(angle(tone, j, n));
  }
  imago_sparse_transform transform = imago_sparse_of(n, 1);
  transform.method = IMAGO_SPARSE_PHASE;
  transform.has_seed = 1;
  transform.seed = 7;
  imago_cl_sparse* sparse = NULL;
  check(good(imago_cl_sparse_create(context, device, &transform, NULL, &sparse)), "a sparse plan");
  check(imago_cl_sparse_signal_bytes(sparse) == n * 2 * sizeof(float), "bytes of the signal");
  check(imago_cl_sparse_workspace_bytes(sparse) > 0, "bytes of memory");
  check(imago_cl_sparse_describe(sparse, NULL, 0) > 0, "a description");
  CHECK_KERNELS(sparse, sparse);
  CHECK_ESTIMATE(sparse, sparse, &transform);
  cl_mem data = buffer_of(n * 2 * sizeof(float), signal);
  const imago_sparse_spectrum* found = NULL;
  check(good(imago_cl_sparse_forward(sparse, queue, imago_array_of(data), NULL, &found)),
        "the sparse transform");
  if (found) {
    check(found->count == 1 && found->indices[0] == tone, "the tone");
    check(fabs(found->values[0] - (double)n) < 1 && fabs(found->values[1]) < 1, "its coefficient");
    check(found->verdict == IMAGO_CONSISTENT, "the verdict");
    check(found->used == IMAGO_SPARSE_PHASE && found->seed == 7, "method and seed");
    check(found->samples < n, "few samples");
  }
  imago_sparse_spectrum_destroy(found);
  imago_cl_call call = imago_default_cl_call();
  const imago_argument none = {"x", NULL, 0, 1};
  call.arguments = &none;
  call.arguments_count = 1;
  check(imago_cl_sparse_forward(sparse, queue, imago_array_of(data), &call, &found) ==
                IMAGO_INVALID_ARGUMENT &&
            found == NULL,
        "arguments of a sparse transform");
  clReleaseMemObject(data);
  imago_cl_sparse_destroy(sparse);
  free(signal);
}

/* Types 1 and 2 on three points, type 3 on the same points and three frequencies. */
static void check_nufft(void) {
  enum { n = 8, count = 3 };
  const float x[count] = {0.5f, -2.0f, 3.0f}, c[count * 2] = {1, 0, 0, 2, -1, 1};
  const float s[count] = {0.0f, 1.0f, -2.5f};
  float modes[n * 2], values[count * 2];
  const size_t lengths[] = {n};
  cl_mem points = buffer_of(sizeof x, x), strengths = buffer_of(sizeof c, c);
  cl_mem spectrum = buffer_of(sizeof modes, NULL), result = buffer_of(sizeof values, NULL);
  cl_mem frequencies = buffer_of(sizeof s, s);
  imago_cl_points at;
  memset(&at, 0, sizeof at);
  at.count = count;
  at.coordinates[0] = imago_array_of(points);

  imago_nufft_transform transform = imago_nufft_of(1, lengths);
  transform.tolerance = 1e-5;
  imago_cl_nufft* nufft = NULL;
  check(good(imago_cl_nufft_create(context, device, &transform, NULL, &nufft)), "types 1 and 2");
  check(imago_cl_nufft_type1(nufft, queue, imago_array_of(strengths), imago_array_of(spectrum),
                             NULL) == IMAGO_INVALID_ARGUMENT,
        "no points yet");
  check(good(imago_cl_nufft_set_points(nufft, queue, &at, NULL, NULL)), "points");
  check(imago_cl_nufft_points_bytes(nufft) == sizeof values, "bytes of strengths");
  check(imago_cl_nufft_modes_bytes(nufft) == sizeof modes, "bytes of modes");
  check(imago_cl_nufft_workspace_bytes(nufft) > 0, "bytes of memory");
  check(imago_cl_nufft_describe(nufft, NULL, 0) > 0, "a description");
  CHECK_KERNELS(nufft, nufft);
  CHECK_READY(nufft, nufft);
  transform.points = at.count;
  imago_nufft_estimate estimate = imago_no_nufft_estimate();
  check(good(imago_cl_nufft_estimate(device, &transform, NULL, &estimate)), "an estimate");
  check(estimate.points_bytes == sizeof values && estimate.modes_bytes == sizeof modes &&
            estimate.workspace_bytes == imago_cl_nufft_workspace_bytes(nufft),
        "the bytes of an estimate");
  check(estimate.width > 1 && estimate.grid[0] >= lengths[0] && estimate.type1.kernels > 0 &&
            estimate.type2.seconds > 0,
        "the choices of an estimate");
  const size_t of_complex = estimate.points_bytes;
  transform.real = 1;
  check(good(imago_cl_nufft_estimate(device, &transform, NULL, &estimate)), "real strengths");
  check(2 * estimate.points_bytes == of_complex, "have half of the bytes");
  estimate.size = 0;
  check(imago_cl_nufft_estimate(device, &transform, NULL, &estimate) == IMAGO_INVALID_ARGUMENT,
        "an estimate without its size");
  check(good(imago_cl_nufft_type1(nufft, queue, imago_array_of(strengths), imago_array_of(spectrum),
                                  NULL)),
        "type 1");
  check(good(imago_cl_nufft_type2(nufft, queue, imago_array_of(spectrum), imago_array_of(result),
                                  NULL)),
        "type 2");
  read_back(spectrum, sizeof modes, modes);
  for (int k = -n / 2; k < n / 2; ++k) {
    double re = 0, im = 0;
    for (int j = 0; j < count; ++j) {
      re += c[2 * j] * cos(k * x[j]) - c[2 * j + 1] * sin(k * x[j]);
      im += c[2 * j] * sin(k * x[j]) + c[2 * j + 1] * cos(k * x[j]);
    }
    check(fabs(modes[2 * (k + n / 2)] - re) < 1e-3 && fabs(modes[2 * (k + n / 2) + 1] - im) < 1e-3,
          "a mode");
  }
  imago_cl_nufft_destroy(nufft);

  /* Each of two members has points of its own. */
  const size_t counts[] = {1, count - 1};
  transform = imago_nufft_of(1, lengths);
  transform.batch = 2;
  transform.points_per_member = 1;
  check(good(imago_cl_nufft_create(context, device, &transform, NULL, &nufft)), "two members");
  check(imago_cl_nufft_set_points(nufft, queue, &at, NULL, NULL) == IMAGO_INVALID_ARGUMENT,
        "no counts");
  at.counts = counts;
  check(good(imago_cl_nufft_set_points(nufft, queue, &at, NULL, NULL)), "points of two members");
  check(imago_cl_nufft_points_bytes(nufft) == sizeof values &&
            imago_cl_nufft_modes_bytes(nufft) == 2 * sizeof modes,
        "the bytes of two members");
  at.counts = NULL;
  imago_cl_nufft_destroy(nufft);

  transform = imago_nufft_of(1, NULL);
  transform.types = IMAGO_TYPE_3;
  transform.tolerance = 1e-4;
  imago_cl_points to = at;
  to.coordinates[0] = imago_array_of(frequencies);
  check(good(imago_cl_nufft_create(context, device, &transform, NULL, &nufft)), "type 3");
  check(imago_cl_nufft_set_points(nufft, queue, &at, NULL, NULL) == IMAGO_INVALID_ARGUMENT,
        "no frequencies");
  check(good(imago_cl_nufft_set_points(nufft, queue, &at, &to, NULL)), "frequencies");
  check(good(imago_cl_nufft_type3(nufft, queue, imago_array_of(strengths), imago_array_of(result),
                                  NULL)),
        "type 3 runs");
  read_back(result, sizeof values, values);
  check(fabs(values[0]) < 1e-2 && fabs(values[1] - 3) < 1e-2, "frequency 0: the sum of strengths");
  imago_cl_nufft_destroy(nufft);
  clReleaseMemObject(points);
  clReleaseMemObject(strengths);
  clReleaseMemObject(spectrum);
  clReleaseMemObject(result);
  clReleaseMemObject(frequencies);
}

/* Null, and structs of other versions. */
static void check_errors(void) {
  imago_cl_plan* plan = NULL;
  const size_t lengths[] = {8};
  imago_transform transform = imago_transform_of(1, lengths);
  check(imago_cl_plan_create(NULL, device, &transform, NULL, &plan) == IMAGO_INVALID_ARGUMENT,
        "no context");
  check(imago_cl_plan_create(context, NULL, &transform, NULL, &plan) == IMAGO_INVALID_ARGUMENT,
        "no device");
  check(imago_cl_plan_create(context, device, NULL, NULL, &plan) == IMAGO_INVALID_ARGUMENT,
        "no transform");
  check(imago_cl_plan_create(context, device, &transform, NULL, NULL) == IMAGO_INVALID_ARGUMENT,
        "no place for the plan");
  imago_cl_options options = imago_default_cl_options();
  options.size -= 1;
  check(
      imago_cl_plan_create(context, device, &transform, &options, &plan) == IMAGO_INVALID_ARGUMENT,
      "options of an unknown version");
  check(strstr(imago_last_error(), "sizeof(imago_cl_options)") != NULL, "the message says so");
  check(imago_cl_forward(NULL, queue, imago_array_of(NULL), imago_array_of(NULL), NULL) ==
            IMAGO_INVALID_ARGUMENT,
        "no plan");
  check(good(imago_cl_plan_create(context, device, &transform, NULL, &plan)), "a plan");
  check(imago_cl_forward(plan, queue, imago_array_of(NULL), imago_array_of(NULL), NULL) ==
            IMAGO_INVALID_ARGUMENT,
        "no buffers");
  check(imago_cl_forward(plan, NULL, imago_array_of(NULL), imago_array_of(NULL), NULL) ==
            IMAGO_INVALID_ARGUMENT,
        "no queue");
  check(imago_cl_plan_describe(NULL, NULL, 0) == 0, "no plan to describe");
  check(imago_cl_signal_bytes(NULL) == 0, "bytes of no plan");
  imago_cl_plan_destroy(plan);
  imago_cl_plan_destroy(NULL);
  imago_cl_filter_destroy(NULL);
  imago_cl_convolution_destroy(NULL);
  imago_cl_sparse_destroy(NULL);
  imago_sparse_spectrum_destroy(NULL);
  imago_cl_nufft_destroy(NULL);
  imago_workspace_destroy(NULL);
  imago_hooks_destroy(NULL);
}

int main(void) {
  open_device();
  check_planar();
  check_hooks();
  check_options();
  check_filter();
  check_convolution();
  check_sparse();
  check_nufft();
  check_errors();
  close_device();
  if (failures == 0) puts("all right");
  return failures == 0 ? 0 : 1;
}
