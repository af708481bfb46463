// This file builds the kernels of nonuniform transforms.
#pragma once

#include <cstddef>
#include <map>

#include <imago/plan.hpp>

#include "device/facts.hpp"
#include "nufft/design.hpp"
#include "nufft_device/kernels.hpp"
#include "runtime/opencl.hpp"
#include "runtime/program.hpp"
#include "runtime/target.hpp"

namespace imago::nufft_device {

/// The inputs of the programs, borrowed during construction.
struct Setup {
  const runtime::Target& target;
  const device::Facts& facts;
  const NufftTransform& transform;
  const nufft::Design& design;
  const Options& options;
};

class Programs {
 public:
  explicit Programs(const Setup& setup);

  /// Returns a new kernel object. The transform's types must include the stage.
  runtime::Handle<cl_kernel> kernel(Stage stage) const;
  /// Returns the size of a stage's work-groups.
  std::size_t items(Stage stage) const { return kernels_.at(stage).items; }
  /// Returns the number of points of a work-group of the stages keys and place.
  std::size_t points(Stage stage) const { return items(stage) * kernels_.at(stage).block; }
  const char* name(Stage stage) const { return kernels_.at(stage).name.c_str(); }
  std::size_t complex_bytes() const { return complex_bytes_; }

 private:
  std::size_t complex_bytes_;
  std::map<Stage, kernel::Handmade> kernels_;
  std::map<Stage, runtime::ProgramPointer> programs_;
};

}  // namespace imago::nufft_device
