// This file relates the points and frequencies of a type 3 to a grid, on the device.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "nufft/angles.hpp"
#include "nufft_device/points.hpp"
#include "nufft_device/programs.hpp"
#include "runtime/sequence.hpp"

namespace imago::nufft_device {

/// The range of coordinates along an axis.
struct CoordinateRange {
  double middle = 0, reach = 0;  ///< the range is middle - reach to middle + reach
};

/// The factor of each point: exp(i slope (x - middle)), where the slope is at most
/// nufft::kLargestAngle divided by the reach, divided along each axis by the Fourier
/// transform of a window at (x - middle) / reach of its largest angle, if there is a window.
struct PointFactors {
  std::array<double, 3> slopes = {};
  std::array<CoordinateRange, 3> extents = {};
  const nufft::SpreadingWindow* window = nullptr;
};

class FrequencyPrograms {
 public:
  /// The transform has real coordinates. `together`: all kernels are in one program, which compiles
  /// sooner, also those that it does not need.
  FrequencyPrograms(const runtime::Target& target, const device::Facts& facts,
                    const NufftTransform& transform, const Options& options, bool together);

  /// Returns the extent along each axis. Waits for the device. Throws InvalidArgument for a
  /// coordinate that is not finite; `name` is that of the arrays.
  std::vector<CoordinateRange> extents(runtime::Sequence& sequence, const CoordinateArrays& arrays,
                                       const char* name) const;
  /// Enqueues the angles of an axis, plus a shift in turns, as fractions of a turn.
  runtime::Handle<cl_mem> fractions(runtime::Sequence& sequence, const CoordinateArray& array,
                                    std::size_t count, const nufft::Angle& angle,
                                    double shift) const;
  /// Enqueues the computation of factors.
  runtime::Handle<cl_mem> factors(runtime::Sequence& sequence, const CoordinateArrays& arrays,
                                  const PointFactors& wanted) const;

  /// Numbers that are multiplied by factors, which repeat for each member of a batch.
  struct Product {
    std::size_t points = 0, count = 0;  ///< factors, and numbers
    cl_mem factors = nullptr;
    cl_mem from = nullptr;
    std::uint64_t from_offset = 0;
    cl_mem to = nullptr;
    std::uint64_t to_offset = 0;
    bool real = false;  ///< true: `from` has real numbers, as NufftTransform::real
  };
  runtime::KernelLaunch multiply(const Product& product) const;
  const runtime::StageKernels<FrequencyStage>& kernels() const { return kernels_; }

 private:
  void launch(runtime::Sequence& sequence, FrequencyStage stage, cl_kernel kernel,
              std::size_t points) const;

  cl_context context_;
  Precision precision_;
  bool doubles_;  ///< coordinates are doubles
  runtime::StageKernels<FrequencyStage> kernels_;
};

}  // namespace imago::nufft_device
