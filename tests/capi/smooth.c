/* This file is the program of docs/c.md: what changes fast is taken out of measured values, in
   place, by a plan that is made once. It fails where another wave than the slow one is left. */

// Shown in docs/c.md:
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <imago/imago.h>

enum { channels = 4, samples = 1000, kept = 20, bins = samples / 2 + 1 };

/* Sets the frequencies of each channel to 0, starting at `kept`. */
static imago_status smooth(const imago_plan* plan, float* values) {
  imago_status status = imago_execute_forward(plan, values, values);
  if (status != IMAGO_SUCCESS) return status;
  for (size_t channel = 0; channel < channels; ++channel)
    for (size_t k = kept; k < bins; ++k)
      for (size_t part = 0; part < 2; ++part) values[(channel * bins + k) * 2 + part] = 0;
  return imago_execute_inverse(plan, values, values);
}
// Until here.

/* A wave that turns `turns` times; each channel has another phase. */
static float wave(size_t channel, size_t j, int turns) {
  return (float)sin(6.283185307179586 * turns * (double)j / samples + (double)channel);
}

static double worst_error(const float* values, size_t distance) {
  double worst = 0;
  for (size_t channel = 0; channel < channels; ++channel)
    for (size_t j = 0; j < samples; ++j)
      worst = fmax(worst, fabs(values[channel * distance + j] - wave(channel, j, 3)));
  return worst;
}

// Shown in docs/c.md:

static int run(const imago_plan* plan) {
  imago_layout rows; /* in place a row of 1000 reals has room for its 501 pairs */
  if (imago_plan_layout(plan, IMAGO_SIGNAL, &rows) != IMAGO_SUCCESS) return 0;
  float* const values = (float*)malloc(imago_spectrum_bytes(plan)); /* the larger side */
  if (values == NULL) return 0;
  imago_status status = IMAGO_SUCCESS;
  double worst = 0;
  for (int call = 0; call < 3 && status == IMAGO_SUCCESS; ++call) {
    for (size_t channel = 0; channel < channels; ++channel)
      for (size_t j = 0; j < samples; ++j)
        values[channel * rows.distance + j] =
            wave(channel, j, 3) + wave(channel, j, kept + 100 * call);
    status = smooth(plan, values);
    worst = fmax(worst, worst_error(values, rows.distance)); /* the slow wave alone is left */
  }
  if (status != IMAGO_SUCCESS) fprintf(stderr, "%s\n", imago_last_error());
  free(values);
  printf("off by %.0e at most\n", worst);
  return status == IMAGO_SUCCESS && worst < 1e-5;
}

int main(void) {
  const size_t lengths[] = {samples};
  imago_transform transform = imago_transform_of(1, lengths);
  transform.kind = IMAGO_REAL;
  transform.batch = channels;
  transform.placement = IMAGO_IN_PLACE;
  imago_plan* plan = NULL;
  if (imago_plan_create(&transform, NULL, &plan) != IMAGO_SUCCESS) {
    fprintf(stderr, "%s\n", imago_last_error());
    return EXIT_FAILURE;
  }
  const int good = run(plan);
  imago_plan_destroy(plan);
  return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
// Until here.
