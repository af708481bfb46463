/* This file is a user's program in C; it also compiles as C++. It includes only
   imago.h and hooks.h, and checks its results. It prints "all right", or what was wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <imago/hooks.h>

// Shown in docs/c.md:
#include <imago/imago.h>

/* Computes the spectra of three images of 48 rows of 64 real numbers each:
   48 rows of 33 complex numbers each. */
static int spectra_of_images(const float* images, float* spectra) {
  const size_t lengths[] = {48, 64};
  imago_transform transform = imago_transform_of(2, lengths);
  transform.kind = IMAGO_REAL;
  transform.batch = 3;

  imago_plan* plan = NULL;
  imago_status status = imago_plan_create(&transform, NULL, &plan);
  if (status == IMAGO_SUCCESS) {
    status = imago_execute_forward(plan, images, spectra);
  }
  if (status != IMAGO_SUCCESS) fprintf(stderr, "%s\n", imago_last_error());
  imago_plan_destroy(plan);
  return status == IMAGO_SUCCESS;
}
// Until here.

// Shown in docs/from-fftw.md:
/* Computes the spectra of 48 columns of 64 complex numbers; each spectrum is
   contiguous. In FFTW:
   const int n = 64;
   fftwf_plan_many_dft(1, &n, 48, in, NULL, 48, 1, out, NULL, 1, 64,
                       FFTW_FORWARD, FFTW_ESTIMATE); */
static int spectra_of_columns(const float* in, float* out) {
  const size_t n[] = {64}, istride[] = {48}, ostride[] = {1};
  imago_transform many = imago_transform_of(1, n);
  many.batch = 48;                  // howmany
  many.norm = IMAGO_NONE;           // as FFTW
  many.signal.strides = istride;    // istride
  many.signal.distance = 1;         // idist
  many.spectrum.strides = ostride;  // ostride
  many.spectrum.distance = 64;      // odist

  imago_plan* plan = NULL;
  imago_status status = imago_plan_create(&many, NULL, &plan);
  if (status == IMAGO_SUCCESS) status = imago_execute_forward(plan, in, out);
  imago_plan_destroy(plan);
  return status == IMAGO_SUCCESS;
}
// Until here.

enum { rows = 48, columns = 64, half = columns / 2 + 1, images_count = 3 };

static int failures = 0;

static void check(int right, const char* what) {
  if (right) return;
  printf("FAILED: %s: %s\n", what, imago_last_error());
  ++failures;
}

static void check_example(void) {
  static float images[images_count * rows * columns], spectra[images_count * rows * half * 2];
  for (int i = 0; i < images_count * rows * columns; ++i) images[i] = 1;
  check(spectra_of_images(images, spectra), "the example runs");
  for (int image = 0; image < images_count; ++image) {
    const float* first = spectra + image * rows * half * 2;
    check(fabsf(first[0] - rows * columns) < 1e-2f, "the mean of an image");
    check(fabsf(first[2]) < 1e-2f && fabsf(first[half * 2]) < 1e-2f, "nothing beside it");
  }
}

/* Column c is the sinusoid of frequency c. */
static void check_columns(void) {
  static float in[64 * 48 * 2], out[48 * 64 * 2];
  for (int row = 0; row < 64; ++row)
    for (int column = 0; column < 48; ++column) {
      const double angle = 2 * 3.14159265358979323846 * row * column / 64;
      in[2 * (row * 48 + column)] = (float)cos(angle);
      in[2 * (row * 48 + column) + 1] = (float)sin(angle);
    }
  check(spectra_of_columns(in, out), "the spectra of columns");
  for (int column = 0; column < 48; ++column)
    for (int k = 0; k < 64; ++k)
      check(fabsf(out[2 * (column * 64 + k)] - (k == column ? 64.0f : 0.0f)) < 1e-3f,
            "the spectrum of a column");
}

/* In place: rows are padded, as the layout says. */
static void check_in_place(void) {
  const size_t lengths[] = {rows, columns};
  imago_transform transform = imago_transform_of(2, lengths);
  transform.kind = IMAGO_REAL;
  transform.precision = IMAGO_F64;
  transform.placement = IMAGO_IN_PLACE;
  imago_plan* plan = NULL;
  check(imago_plan_create(&transform, NULL, &plan) == IMAGO_SUCCESS, "a plan in place");
  imago_layout signal, spectrum;
  check(imago_plan_layout(plan, IMAGO_SIGNAL, &signal) == IMAGO_SUCCESS, "the signal's layout");
  check(imago_plan_layout(plan, IMAGO_SPECTRUM, &spectrum) == IMAGO_SUCCESS, "the spectrum's");
  check(signal.strides[0] == 2 * half && signal.strides[1] == 1, "padded rows");
  check(spectrum.strides[0] == half && spectrum.strides[1] == 1, "half as many pairs");
  check(imago_signal_bytes(plan) <= imago_spectrum_bytes(plan), "the spectrum is larger");
  const imago_kernels* kernels = NULL;
  check(imago_plan_kernels(plan, &kernels) == IMAGO_SUCCESS && kernels->count > 0, "kernels");
  check(strstr(kernels->sources[0], kernels->names[0]) != NULL, "a source with its name");
  imago_kernels_destroy(kernels);
  imago_kernels_destroy(NULL);
  check(imago_plan_kernels(plan, NULL) == IMAGO_INVALID_ARGUMENT, "no place for kernels");
  char text[4];
  check(imago_plan_describe(plan, text, sizeof text) > sizeof text && strlen(text) == 3,
        "the start of a description");

  double* const data = (double*)calloc(imago_spectrum_bytes(plan), 1);
  for (size_t i = 0; i < rows; ++i)
    for (size_t j = 0; j < columns; ++j) data[i * signal.strides[0] + j] = (double)(i + j) - 40;
  check(imago_execute_forward(plan, data, data) == IMAGO_SUCCESS, "forward in place");
  check(fabs(data[0] - rows * columns * 15.0) < 1e-8, "the sum over the image");
  check(imago_execute_inverse(plan, data, data) == IMAGO_SUCCESS, "inverse in place");
  for (size_t i = 0; i < rows; ++i)
    for (size_t j = 0; j < columns; ++j)
      check(fabs(data[i * signal.strides[0] + j] - ((double)(i + j) - 40)) < 1e-11, "as it was");
  free(data);
  imago_plan_destroy(plan);
}

/* Hooks without arguments work on host arrays; those with buffers are refused. */
static void check_hooks(void) {
  const size_t lengths[] = {columns};
  imago_transform transform = imago_transform_of(1, lengths);
  imago_hooks* load = NULL;
  check(imago_hooks_create(&load) == IMAGO_SUCCESS, "a list of hooks");
  check(imago_hook_scale(load, 3) == IMAGO_SUCCESS, "a hook");
  transform.forward_load = load;
  imago_plan* plan = NULL;
  check(imago_plan_create(&transform, NULL, &plan) == IMAGO_SUCCESS, "a plan with a hook");
  static float signal[columns * 2], spectrum[columns * 2];
  for (int j = 0; j < columns * 2; ++j) signal[j] = 1;
  check(imago_execute_forward(plan, signal, spectrum) == IMAGO_SUCCESS, "forward with a hook");
  check(fabsf(spectrum[0] - 3 * columns) < 1e-3f, "three times the sum");
  imago_plan_destroy(plan);

  check(imago_hook_window(load, 0, "hann") == IMAGO_SUCCESS, "a hook with a buffer");
  check(imago_plan_create(&transform, NULL, &plan) == IMAGO_UNSUPPORTED, "no buffers of hooks");
  check(plan == NULL, "no plan");
  imago_hooks_destroy(load);
}

static void check_integers(void) {
  const int64_t first[] = {1, 2, -3}, second[] = {10, 0, -1};
  int64_t linear[5], cyclic[3], negacyclic[3] = {1, 2, -3};
  check(
      imago_exact_convolve(first, 3, second, 3, IMAGO_LINEAR, IMAGO_INT64, linear) == IMAGO_SUCCESS,
      "a convolution of integers");
  const int64_t right[] = {10, 20, -31, -2, 3};
  check(memcmp(linear, right, sizeof right) == 0, "its integers");
  check(imago_exact_convolve(first, 3, second, 3, IMAGO_CYCLIC, IMAGO_INT64, cyclic) ==
                IMAGO_SUCCESS &&
            cyclic[0] == 8 && cyclic[1] == 23 && cyclic[2] == -31,
        "a cyclic convolution");
  check(imago_exact_convolve(negacyclic, 3, second, 3, IMAGO_NEGACYCLIC, IMAGO_INT64, negacyclic) ==
                IMAGO_SUCCESS &&
            negacyclic[0] == 12 && negacyclic[1] == 17 && negacyclic[2] == -31,
        "a negacyclic convolution into one of its sequences");

  const uint64_t number[] = {UINT64_MAX, UINT64_MAX};
  uint64_t square[4];
  check(imago_exact_multiply(number, 2, number, 2, square) == IMAGO_SUCCESS, "a product");
  check(square[0] == 1 && square[1] == 0 && square[2] == UINT64_MAX - 1 && square[3] == UINT64_MAX,
        "(2^128 - 1)^2");
  check(imago_exact_multiply(number, 2, NULL, 0, square) == IMAGO_SUCCESS && square[0] == 0,
        "no words are 0");

  const int64_t huge[] = {INT64_MAX};
  check(imago_exact_convolve(huge, 1, first, 3, IMAGO_LINEAR, IMAGO_INT64, linear) ==
                IMAGO_INVALID_ARGUMENT &&
            strstr(imago_last_error(), "2^63 - 1") != NULL,
        "integers that are too large");
  int64_t wide[6];
  check(
      imago_exact_convolve(huge, 1, first, 3, IMAGO_LINEAR, IMAGO_INT128, wide) == IMAGO_SUCCESS &&
          wide[2] == -2 && wide[3] == 0 && wide[4] == INT64_MIN + 3 && wide[5] == -2,
      "integers of 128 bits");
  check(imago_exact_convolve(huge, 1, first, 3, IMAGO_LINEAR, IMAGO_MODULO, linear) ==
                IMAGO_SUCCESS &&
            linear[0] == INT64_MAX && linear[1] == -2 && linear[2] == INT64_MIN + 3,
        "integers modulo 2^64");
  check(imago_exact_convolve(first, 3, second, 3, IMAGO_LINEAR, (imago_integer_results)3, linear) ==
                IMAGO_INVALID_ARGUMENT &&
            strstr(imago_last_error(), "results is 3") != NULL,
        "no such results");
  check(imago_exact_convolve(first, 3, second, 2, IMAGO_CYCLIC, IMAGO_INT64, cyclic) ==
            IMAGO_INVALID_ARGUMENT,
        "different lengths that wrap");
  check(imago_exact_convolve(NULL, 3, second, 3, IMAGO_LINEAR, IMAGO_INT64, linear) ==
                IMAGO_INVALID_ARGUMENT &&
            strstr(imago_last_error(), "first is null") != NULL,
        "no sequence");
  check(imago_exact_multiply(number, 2, number, 2, NULL) == IMAGO_INVALID_ARGUMENT, "no product");
}

static void check_errors(void) {
  imago_plan* plan = NULL;
  imago_transform transform = imago_transform_of(0, NULL);
  check(imago_plan_create(&transform, NULL, &plan) == IMAGO_INVALID_ARGUMENT, "no lengths");
  check(strstr(imago_last_error(), "the size of lengths is 0") != NULL, "the text says so");
  check(plan == NULL, "no plan");
  check(imago_execute_forward(NULL, NULL, NULL) == IMAGO_INVALID_ARGUMENT, "no plan to execute");
  imago_plan_destroy(NULL);
}

int main(void) {
  check(strlen(imago_version()) > 0, "a version");
  check_example();
  check_columns();
  check_in_place();
  check_hooks();
  check_integers();
  check_errors();
  if (failures == 0) puts("all right");
  return failures == 0 ? 0 : 1;
}
