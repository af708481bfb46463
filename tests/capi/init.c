/* The functions of init.h fill in structs as the inline functions do, also those of other versions.
   Prints "all right", or what was wrong. */
#include <stdio.h>
#include <string.h>

#include <imago/init.h>

static int failures = 0;

static void check(int right, const char* what) {
  if (right) return;
  printf("FAILED: %s\n", what);
  ++failures;
}

/* Compares a struct that NAME_init() fills in with the result of the inline function. */
#define SAME(name, made, ...)                                \
  do {                                                       \
    name exact = made, found;                                \
    memset(&found, 0xee, sizeof found);                      \
    name##_init(&found, sizeof found, __VA_ARGS__);          \
    check(memcmp(&exact, &found, sizeof exact) == 0, #name); \
  } while (0)

int main(void) {
  const size_t n[] = {48, 64};
  const double window[] = {1, 2, 3, 4};
  imago_options options, default_options = imago_default_options();
  memset(&options, 0xee, sizeof options);
  imago_options_init(&options, sizeof options);
  check(memcmp(&options, &default_options, sizeof options) == 0, "imago_options");
  SAME(imago_transform, imago_transform_of(2, n), 2, n);
  SAME(imago_nufft_transform, imago_nufft_of(2, n), 2, n);
  SAME(imago_factors, imago_factors_of("w"), "w");
  SAME(imago_addition, imago_addition_of("w"), "w");
  SAME(imago_frames, imago_frames_of(1000, 8), 1000, 8);
  SAME(imago_code, imago_code_of("text", "f"), "text", "f");
  SAME(imago_filter_shape, imago_filter_of(2, n), 2, n);
  SAME(imago_convolution_shape, imago_convolution_of(1, n, n + 1), 1, n, n + 1);
  SAME(imago_modular_transform, imago_modular_transform_of(IMAGO_KOALA_BEAR, 2, n),
       IMAGO_KOALA_BEAR, 2, n);
  SAME(imago_integer_convolution_shape, imago_integer_convolution_of(8, 9, 10, 11), 8, 9, 10, 11);
  SAME(imago_sparse_transform, imago_sparse_of(1000, 5), 1000, 5);
  SAME(imago_zoom_transform, imago_zoom_of(2, n, 9), 2, n, 9);
  SAME(imago_short_time_transform, imago_short_time_of(1, n, 4, window, 2), 1, n, 4, window, 2);
  SAME(imago_welch_transform, imago_welch_of(1, n, 4, window, 2), 1, n, 4, window, 2);
  SAME(imago_fir_filter, imago_fir_filter_of(1, n, 4, window), 1, n, 4, window);

  imago_cl_options cl_options, default_cl_options = imago_default_cl_options();
  imago_cl_options_init(&cl_options, sizeof cl_options);
  check(memcmp(&cl_options, &default_cl_options, sizeof cl_options) == 0, "imago_cl_options");
  imago_cl_call call, default_call = imago_default_cl_call();
  imago_cl_call_init(&call, sizeof call);
  check(memcmp(&call, &default_call, sizeof call) == 0, "imago_cl_call");
  imago_estimate estimate, no_estimate = imago_no_estimate();
  imago_estimate_init(&estimate, sizeof estimate);
  check(memcmp(&estimate, &no_estimate, sizeof estimate) == 0, "imago_estimate");
  imago_nufft_estimate nufft, no_nufft = imago_no_nufft_estimate();
  imago_nufft_estimate_init(&nufft, sizeof nufft);
  check(memcmp(&nufft, &no_nufft, sizeof nufft) == 0, "imago_nufft_estimate");

  /* A struct of an older version is shorter, and what follows it stays. One of a later version is
     longer, and its other fields become 0. */
  unsigned char bytes[sizeof(imago_transform) + 64];
  size_t older = sizeof(imago_transform) - sizeof(void*), later = sizeof(imago_transform) + 32;
  size_t size = 0;
  memset(bytes, 0xee, sizeof bytes);
  imago_transform_init((imago_transform*)(void*)bytes, older, 2, n);
  memcpy(&size, bytes, sizeof size);
  check(size == older && bytes[older - 1] == 0 && bytes[older] == 0xee, "an older version");
  imago_transform_init((imago_transform*)(void*)bytes, later, 2, n);
  memcpy(&size, bytes, sizeof size);
  check(size == later && bytes[later - 1] == 0 && bytes[later] == 0xee, "a later version");
  imago_transform_init(NULL, sizeof(imago_transform), 2, n);
  if (failures == 0) printf("all right\n");
  return failures != 0;
}
