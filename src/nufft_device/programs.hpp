// This file builds the kernels of nonuniform transforms.
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include <imago/plan.hpp>

#include "device/facts.hpp"
#include "nufft/design.hpp"
#include "runtime/opencl.hpp"
#include "runtime/program.hpp"
#include "runtime/target.hpp"

namespace imago::nufft_device {

enum class Stage { keys, count, scan, scatter, place, parts, spread, add_parts, interpolate };

/// The inputs of the programs, borrowed during construction.
struct Setup {
  const runtime::Target& target;
  const device::Facts& facts;
  const NufftTransform& transform;
  const nufft::Design& design;
  const Options& options;
};

/// Returns true if the kernels of coordinates compute with vectors of doubles, and find the places
/// of points twice instead of keeping them.
bool has_lanes(const NufftTransform& transform, const nufft::Design& design,
               const device::Facts& facts);

/// Passes of the sort by bins: their number, and the bits of a bin's number by which each sorts.
struct SortPasses {
  unsigned count = 1, bits = 8;
};
SortPasses passes_of(const nufft::Design& design);

class Programs {
 public:
  explicit Programs(const Setup& setup);

  /// Returns a new kernel object. The transform's types must include the stage.
  runtime::Handle<cl_kernel> kernel(Stage stage) const;
  /// Returns the size of a stage's work-groups.
  std::size_t items(Stage stage) const { return items_.at(stage); }
  /// Returns the number of points of a work-group of the stages keys and place.
  std::size_t points(Stage stage) const { return points_.at(stage); }
  const char* name(Stage stage) const;
  std::size_t complex_bytes() const { return complex_bytes_; }

 private:
  std::size_t complex_bytes_;
  std::map<Stage, std::size_t> items_, points_;
  std::map<Stage, runtime::ProgramPointer> programs_;
};

}  // namespace imago::nufft_device
