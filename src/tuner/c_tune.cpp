// This file implements tune.h: tune() for C. No exception leaves it.
#include <imago/tune.h>

#include <imago/devices.hpp>
#include <imago/pool.hpp>
#include <imago/tune.hpp>

#include "base/thread_text.hpp"
#include "capi/structs.hpp"

namespace imago {
namespace {

thread_local base::ThreadText last_tune_error;

TunedTransform tuned_transform(const imago_transform& transform, const imago_options& options,
                               double seconds) {
  const Transform what = capi::transform_of(transform);
  const Pool pool({find_device(options.device ? options.device : "", what.precision)});
  return tune(pool.context(), pool.device(), what, {.seconds = seconds});
}

/// Stores the fields that this version knows; those of later versions stay 0.
void store(const TunedTransform& made, imago_tuned& tuned) {
  tuned.stored = made.stored;
  tuned.seconds = made.seconds;
  tuned.gain = made.gain;
  tuned.tried = made.tried;
}

}  // namespace
}  // namespace imago

imago_status imago_tune(const imago_transform* transform, const imago_options* options,
                        double seconds, imago_tuned* tuned) {
  return imago::capi::guarded(imago::last_tune_error, [&] {
    if (tuned) {
      imago::capi::known(tuned, "tuned");
      imago::store({}, *tuned);
    }
    const auto what = imago::capi::known(transform, "transform");
    const auto made = imago::tuned_transform(
        what, options ? imago::capi::known(options, "options") : imago_options{}, seconds);
    if (tuned) imago::store(made, *tuned);
  });
}

const char* imago_tune_error(void) { return imago::last_tune_error.c_str(); }
