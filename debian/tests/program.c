/* A transform of ones: all of it is in element 0. */
#include <math.h>
#include <stdio.h>

#include <imago/imago.h>

enum { kPoints = 1000 };

int main(void) {
  const size_t lengths[] = {kPoints};
  const imago_transform transform = imago_transform_of(1, lengths);
  float signal[2 * kPoints] = {0}, spectrum[2 * kPoints];
  for (int i = 0; i < kPoints; ++i) signal[2 * i] = 1;

  imago_plan* plan = NULL;
  imago_status status = imago_plan_create(&transform, NULL, &plan);
  if (status == IMAGO_SUCCESS) status = imago_execute_forward(plan, signal, spectrum);
  if (status != IMAGO_SUCCESS) fprintf(stderr, "%s\n", imago_last_error());
  imago_plan_destroy(plan);
  return status == IMAGO_SUCCESS && fabsf(spectrum[0] - kPoints) < 0.01f && fabsf(spectrum[2]) < 0.01f ? 0 : 1;
}
