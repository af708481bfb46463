// This file times zooms by imago for bench/zoom.py, which compares them with CuPy or SciPy in one
// process. It has a C interface, so that any version of Python can load it.
#include <complex>
#include <cstdio>
#include <exception>
#include <stdexcept>
#include <string>

#include <imago/imago.hpp>

#include "bench/host_clock.hpp"

namespace imago::bench {
namespace {

void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS)
    throw std::runtime_error(std::string(call) + " failed with code " + std::to_string(code));
}

/// A zoom with its signals on the device.
class Zoom {
 public:
  Zoom(const ZoomTransform& transform, const void* signals)
      : device_(find_device()),
        context_(device_),
        queue_(context_, device_),
        plan_(context_, device_, transform),
        signals_(context_, CL_MEM_READ_WRITE, plan_.signal_bytes()),
        spectra_(context_, CL_MEM_READ_WRITE, plan_.spectrum_bytes()) {
    check(queue_.enqueueWriteBuffer(signals_, CL_TRUE, 0, plan_.signal_bytes(), signals),
          "clEnqueueWriteBuffer");
  }
  std::string about() const {
    return device_.getInfo<CL_DEVICE_NAME>() + ": kernels " +
           std::to_string(plan_.sources().size()) + ", padded to " + std::to_string(plan_.padded());
  }
  double seconds(std::size_t calls) const {
    return time_train([this] { plan_.forward(queue_, signals_, spectra_); },
                      [this] { check(queue_.finish(), "clFinish"); }, calls);
  }
  void read(void* spectra) const {
    check(queue_.enqueueReadBuffer(spectra_, CL_TRUE, 0, plan_.spectrum_bytes(), spectra),
          "clEnqueueReadBuffer");
  }

 private:
  const cl::Device device_;
  const cl::Context context_;
  const cl::CommandQueue queue_;
  const ZoomPlan plan_;
  const cl::Buffer signals_, spectra_;
};

}  // namespace
}  // namespace imago::bench

extern "C" {

/// The numbers of a zoom, as in the Python program.
struct ZoomNumbers {
  std::size_t length, points, batch;
  double from, to, rate;
  int is_double;
};

/// Returns a zoom, or null if it fails. `text` receives its description, or the reason.
__attribute__((visibility("default"))) void* imago_zoom_make(const ZoomNumbers* numbers,
                                                             const void* signals, char* text,
                                                             std::size_t bytes) {
  using namespace imago;
  try {
    const auto zoom =
        new bench::Zoom({.precision = numbers->is_double != 0 ? Precision::f64 : Precision::f32,
                         .lengths = {numbers->length},
                         .batch = numbers->batch,
                         .points = numbers->points,
                         .from = numbers->from,
                         .to = numbers->to,
                         .rate = numbers->rate,
                         .directions = Directions::forward},
                        signals);
    std::snprintf(text, bytes, "%s", zoom->about().c_str());
    return zoom;
  } catch (const std::exception& error) {
    std::snprintf(text, bytes, "%s", error.what());
    return nullptr;
  }
}
/// Returns the seconds of back-to-back calls; negative if a call fails.
__attribute__((visibility("default"))) double imago_zoom_seconds(const void* zoom,
                                                                 std::size_t calls) {
  try {
    return static_cast<const imago::bench::Zoom*>(zoom)->seconds(calls);
  } catch (const std::exception& error) {
    std::fprintf(stderr, "imago_zoom_seconds: %s\n", error.what());
    return -1;
  }
}
/// Copies all spectra to the host. Returns 0 if it fails.
__attribute__((visibility("default"))) int imago_zoom_read(const void* zoom, void* spectra) {
  try {
    static_cast<const imago::bench::Zoom*>(zoom)->read(spectra);
    return 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "imago_zoom_read: %s\n", error.what());
    return 0;
  }
}
__attribute__((visibility("default"))) void imago_zoom_destroy(void* zoom) {
  delete static_cast<imago::bench::Zoom*>(zoom);
}

}  // extern "C"
