// This file computes nonuniform transforms of type 3, from points to frequencies.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include <imago/nufft.hpp>

#include "api/nufft_modes.hpp"
#include "nufft_device/frequencies.hpp"
#include "nufft_device/spreading.hpp"

namespace imago::api {

/// The points are spread over a grid that depends on the extents of points and frequencies. A type
/// 2 with the grid's cells as modes then computes the values (Lee and Greengard 2005).
class NufftFrequencies {
 public:
  NufftFrequencies(const cl::Context& context, const cl::Device& device, NufftTransform transform,
                   const Options& options);

  void set_points(const cl::CommandQueue& queue, const NufftPoints& points,
                  const NufftPoints& frequencies, const Call& call);
  void enqueue(const cl::CommandQueue& queue, const Array& strengths, const Array& values,
               const Call& call);

  const NufftTransform& transform() const { return transform_; }
  std::size_t points() const { return set_ ? set_->points.count : 0; }
  std::size_t frequencies() const { return set_ ? set_->frequencies : 0; }
  std::size_t complex_bytes() const;
  std::size_t workspace_bytes() const;
  std::string describe() const;
  /// Returns the type 2 between the grid and the frequencies; null before set_points().
  const NufftModes* modes() const { return set_ ? set_->modes.get() : nullptr; }
  bool ready() const { return !set_ || (set_->modes->ready() && set_->kernels.ready()); }
  bool wait(std::chrono::milliseconds most) const;
  /// Returns the sources, or the builds, of all kernels.
  template <class Element>
  std::vector<Element> list(std::vector<Element> (Parts::*of_grid)() const) const {
    std::vector<Element> elements;
    if (set_) elements = set_->modes->list(of_grid);
    append(elements, programs_.kernels());
    if (set_) append(elements, set_->kernels.current()->programs);
    return elements;
  }
  std::size_t width() const { return window_.width(); }
  /// Returns a bound of the error, as a promise measures it.
  double predicted_error(NufftPromise promise) const;

 private:
  /// Points and frequencies relative to the grid, and the factors at both.
  struct Scaled {
    NufftTransform spreading;  ///< the points to the grid, whose cells are its modes
    std::vector<runtime::Handle<cl_mem>> places, angles;  ///< for each axis, the fastest first
    runtime::Handle<cl_mem> before, after;                ///< factors of strengths, and of values
  };
  /// The state after set_points().
  struct Set {
    Scaled scaled;
    NufftKernels kernels;
    nufft_device::SortedPoints points;
    std::size_t frequencies;
    std::unique_ptr<NufftModes> modes;
    std::unique_ptr<UsedMemory> memory;  ///< strengths after the factors, then the grid
  };
  Scaled scaled(runtime::Sequence& sequence, const nufft_device::CoordinateArrays& points,
                const nufft_device::CoordinateArrays& targets);
  std::unique_ptr<NufftModes> inner(const cl::CommandQueue& queue, const Scaled& scaled,
                                    std::size_t frequencies, const cl::Event& done) const;
  Home home() const { return {target_.context, target_.device}; }
  std::size_t strength_bytes() const {
    return transform_.batch * set_->points.count * complex_bytes();
  }
  void check_arrays(const Array& strengths, const Array& values) const;

  NufftTransform transform_;
  Options options_;
  device::Facts facts_;
  runtime::Target target_;
  cl::Context context_;
  cl::Device device_;
  const nufft::SpreadingWindow& window_;
  nufft_device::FrequencyPrograms programs_;
  std::optional<Set> set_;
};

}  // namespace imago::api
