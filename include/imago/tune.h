/* This file declares imago_tune() for C, which measures the fastest parameters of a transform on a
   device. It is in a library of its own: link imago::tune (CMake) or -limago_tune in addition to
   imago. In C++, use tune.hpp. */
#pragma once

#include <stddef.h>
#include <string.h>

#include <imago/imago.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Result of imago_tune(). Make it by imago_untuned(). */
typedef struct imago_tuned {
  size_t size;    /**< sizeof(imago_tuned), from which imago knows its version */
  int stored;     /**< 1: the tuning file has the parameters; 0: nothing was stored */
  double seconds; /**< time of one call with them; 0: nothing was stored */
  double gain;    /**< time with imago's own choice divided by `seconds`; 0: unknown */
  size_t tried;   /**< number of candidates */
} imago_tuned;

/** Returns a result in which nothing was stored, for imago_tune(). */
static inline imago_tuned imago_untuned(void) {
  imago_tuned tuned;
  memset(&tuned, 0, sizeof tuned);
  tuned.size = sizeof tuned;
  return tuned;
}

/** Measures candidates for the transform, as FFTW does with FFTW_MEASURE, and stores the fastest in
 * the user's tuning file. The next plan of this transform uses it, in this and every later process.
 * Compiles and runs candidates in this process: if the driver crashes or hangs, so does the
 * process.
 *
 * The transform must be packed and of one kind (real and complex axes together are one). Its batch
 * counts; its norm and directions do not. The tuning file is in $IMAGO_PROFILE_DIR, else in
 * $XDG_CONFIG_HOME/imago, else in ~/.config/imago.
 *
 *     imago_tuned tuned = imago_untuned();
 *     if (imago_tune(&transform, NULL, 5, &tuned) != IMAGO_SUCCESS) puts(imago_tune_error());
 *
 * Succeeds if the time was too short for a result; `stored` is then 0. Returns
 * IMAGO_INVALID_ARGUMENT for a field or time limit that is not allowed, IMAGO_UNSUPPORTED for a
 * limit of imago or of the device, IMAGO_DEVICE_ERROR if there is no device or OpenCL fails, and
 * IMAGO_PROFILE_ERROR if the tuning file cannot be read or written.
 *
 * @param transform description of the transform.
 * @param options planning options, of which only `device` counts; null: the default device, as for
 *     imago_plan_create().
 * @param seconds time limit; a device that was never measured takes a few seconds more.
 * @param tuned receives the result; if the call fails, nothing was stored. Null: no result. */
IMAGO_API imago_status imago_tune(const imago_transform* transform, const imago_options* options,
                                  double seconds, imago_tuned* tuned);

/** Returns the message of the last imago_tune() of this thread that failed; "" if none has failed.
 * It is valid until the next one fails. imago_last_error() does not return it, because each library
 * has messages of its own. */
IMAGO_API const char* imago_tune_error(void);

#ifdef __cplusplus
}
#endif
