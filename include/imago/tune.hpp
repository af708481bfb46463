// This file declares tune(), which measures the fastest parameters of a transform on a device. It
// is in a library of its own: link imago::tune (CMake) or -limago_tune in addition to imago.
#pragma once

#include <cstddef>
#include <filesystem>
#include <functional>

#include <CL/opencl.hpp>

#include <imago/export.hpp>
#include <imago/parameters.hpp>
#include <imago/transform.hpp>

namespace imago {

/// Settings of tune().
struct TuneOptions {
  double seconds = 2;  ///< time limit; a device that was never measured takes a few seconds more
  /// Receives the number of compiled candidates of this round, several times a second, or of timed
  /// candidates; then `total` is 0. Called by any thread, one call at a time. Empty: no reports.
  std::function<void(std::size_t done, std::size_t total)> progress = {};
  std::function<bool()> stop = {};  ///< returns true to stop; called like `progress`
  /// Folder of the tuning file. Empty: $IMAGO_PROFILE_DIR, else $XDG_CONFIG_HOME/imago, else
  /// ~/.config/imago, which every program that uses imago reads.
  std::filesystem::path profile_directory = {};
};

/// The result of tune().
struct TunedTransform {
  bool stored = false;            ///< true if the tuning file has the parameters
  double seconds = 0;             ///< time of one call with them; 0: nothing was stored
  double gain = 0;                ///< time with imago's own choice divided by `seconds`; 0: unknown
  std::size_t tried = 0;          ///< number of candidates
  Parameters parameters;          ///< the fastest
  std::filesystem::path profile;  ///< the tuning file
};

/// Measures candidates for the transform, as FFTW does with FFTW_MEASURE, and stores the fastest in
/// the user's tuning file. The next Plan of this transform uses it, in this and every later
/// process. Compiles and runs candidates in this process: a driver that crashes or hangs takes it
/// along, which `imago tune` avoids.
///
/// The transform must be packed and of one kind (real and complex axes together are one). Its batch
/// counts; its norm, directions and hooks do not.
///
/// @code
/// const imago::Transform images{.lengths = {480, 640}, .batch = 16};
/// imago::tune(context, device, images, {.seconds = 5});
/// const imago::Plan plan(context, device, images);
/// @endcode
///
/// Throws InvalidArgument for a transform or time limit that is not allowed, DeviceError if OpenCL
/// fails, and ProfileError if the tuning file cannot be read or written.
IMAGO_API TunedTransform tune(const cl::Context& context, const cl::Device& device,
                              const Transform& transform, const TuneOptions& options = {});

}  // namespace imago
