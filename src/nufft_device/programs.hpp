// This file builds the kernels of nonuniform transforms.
#pragma once

#include <cstddef>

#include <imago/plan.hpp>

#include "device/facts.hpp"
#include "nufft/design.hpp"
#include "nufft_device/kernels.hpp"
#include "runtime/opencl.hpp"
#include "runtime/stage_kernels.hpp"
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

/// The kernels of a design. If it is generic, they are built once for a device, a precision and a
/// mapping.
class Programs : public runtime::StageKernels<Stage> {
 public:
  explicit Programs(const Setup& setup);
  /// Returns true if the constructor would compile nothing.
  static bool are_built(const Setup& setup);

  /// Returns a new kernel object. Throws InvalidArgument if the transform's types do not include
  /// the stage.
  runtime::Handle<cl_kernel> kernel(Stage stage) const;
  /// Returns the number of points of a work-group of the stages keys and place.
  std::size_t points(Stage stage) const { return code(stage).items * code(stage).block; }
  std::size_t complex_bytes() const { return complex_bytes_; }
  bool is_generic() const { return polynomials_.get() != nullptr; }
  const nufft::NufftConstants& constants() const { return constants_; }
  cl_mem polynomials() const { return polynomials_.get(); }  ///< null: the kernels have them

 private:
  std::size_t complex_bytes_;
  nufft::NufftConstants constants_;  ///< generic kernels read them
  runtime::Handle<cl_mem> polynomials_;
};

}  // namespace imago::nufft_device
