// This file computes nonuniform transforms of types 1 and 2, between points and modes.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include <imago/nufft.hpp>

#include "api/arguments.hpp"
#include "api/commands.hpp"
#include "api/execution.hpp"
#include "api/nufft_estimate.hpp"
#include "api/nufft_kernels.hpp"
#include "api/parts.hpp"
#include "api/used_memory.hpp"
#include "nufft/design.hpp"
#include "nufft_device/points.hpp"
#include "nufft_device/programs.hpp"
#include "nufft_device/spreading.hpp"
#include "runtime/opencl.hpp"

namespace imago::api {

/// Returns the facts of the device. Throws Unsupported for f64 without doubles.
device::Facts nufft_facts(const cl::Device& device, const NufftTransform& transform,
                          const Options& options);
/// Throws Unsupported for more points than a part can have.
void check_count(std::size_t points);
/// The points of a call, checked, the fastest axis first.
std::vector<nufft_device::CoordinateArray> checked_coordinates(const Home& home,
                                                               const NufftPoints& points,
                                                               const NufftTransform& transform,
                                                               std::size_t axes, const char* name);
/// Waits on the host for the events of a call.
void wait_for(const Home& home, const cl::CommandQueue& queue, const Call& call);

class NufftModes {
 public:
  NufftModes(const cl::Context& context, const cl::Device& device, NufftTransform transform,
             const Options& options, nufft::Modes modes = nufft::Modes::all);

  void set_points(const cl::CommandQueue& queue, std::span<const NufftPoints> parts,
                  const Call& call);
  /// Enqueues type 1, or type 2. `numbers` has the numbers at the points of each part.
  void enqueue(const cl::CommandQueue& queue, bool type1, std::span<const Array> numbers,
               const Array& modes, const Call& call);

  const NufftTransform& transform() const { return transform_; }
  const nufft::Design& design() const { return design_; }
  std::size_t points() const;
  std::size_t complex_bytes() const;
  std::size_t modes() const;  ///< number of modes of a member of the batch
  std::size_t workspace_bytes() const;
  std::size_t table_bytes() const { return parts_.table_bytes(); }
  bool ready() const;
  bool wait(std::chrono::milliseconds most) const;
  std::string describe() const;
  /// Returns the sources, or the builds, of all kernels.
  template <class Element>
  std::vector<Element> list(std::vector<Element> (Parts::*of_grid)() const) const {
    std::vector<Element> elements = (parts_.*of_grid)();
    append(elements, kernels_.current()->programs);
    if (compensated_) append(elements, compensated_->current()->programs);
    return elements;
  }

 private:
  std::size_t grid_bytes() const { return members_ * design_.cells() * complex_bytes(); }
  std::vector<PointsUse> points_use() const;
  /// Returns how many times the members of the batch that are computed at a time follow each other.
  std::size_t rounds() const { return transform_.batch / members_; }
  /// Returns the sets of sorted points of a part: one, or that of each round if members have points
  /// of their own.
  std::size_t sets() const { return transform_.points_per_member ? rounds() : 1; }
  /// Returns the number of points of a part.
  std::size_t count_of(std::size_t part) const;
  Home home() const { return {target_.context, target_.device}; }
  nufft_device::Setup setup() const { return {target_, facts_, transform_, design_, options_}; }
  void check_arrays(bool type1, std::span<const Array> numbers, const Array& modes) const;
  /// The kernels of a call.
  struct Current {
    NufftKernels::Shared plain, compensated;
  };
  Current current() const;
  bool clears_grids(std::size_t first) const;
  std::vector<runtime::KernelLaunch> launches(const Current& kernels, bool type1,
                                              std::span<const Array> numbers,
                                              std::size_t first) const;
  std::vector<Command> commands(const Current& kernels, bool type1, std::span<const Array> numbers,
                                const Array& modes) const;

  NufftTransform transform_;
  Options options_;
  device::Facts facts_;
  nufft::Design design_;
  runtime::Target target_;
  cl::Context context_;
  NufftKernels kernels_;
  std::optional<NufftKernels> compensated_;  ///< empty until points need compensated sums
  std::size_t members_;                      ///< members of the batch that are computed at a time
  UsedMemory memory_;                        ///< grids, then centred modes if the caller's are not
  std::unique_ptr<const Execution> grids_, reordered_;
  Parts parts_;
  std::vector<Argument> factors_;
  std::vector<nufft_device::SortedPoints> points_;  ///< sets() of each part
  bool has_points_ = false;
};

}  // namespace imago::api
