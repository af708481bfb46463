// This file plans convolutions: transform, product with a spectrum that is made once, transform
// back, padded and cropped on the way and never in memory.
#pragma once

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/convolution_shape.hpp>
#include <imago/export.hpp>
#include <imago/plan.hpp>

namespace imago {

/// An immutable, movable plan. Every member may be called from many threads at once.
///
/// @code
/// // A million samples through a kernel of 1000.
/// const imago::Convolution convolution(context, device, {.signal = {1000000}, .kernel = {1000}});
/// cl::Buffer spectrum(context, CL_MEM_READ_WRITE, convolution.spectrum_bytes());
/// convolution.prepare(queue, kernel, spectrum);  // once
/// convolution.apply(queue, signal, spectrum, result);  // 1000999 samples
/// @endcode
class IMAGO_API Convolution {
 public:
  /// Throws as Plan's constructor, and InvalidArgument for a recipe, which is of one plan.
  Convolution(const cl::Context& context, const cl::Device& device, ConvolutionShape shape,
              const Options& options = {});
  ~Convolution();
  Convolution(Convolution&&) noexcept;
  Convolution& operator=(Convolution&&) noexcept;

  /// Transforms the kernels: `spectrum` is for apply(). Enqueues, returns and throws as
  /// Plan::forward().
  void prepare(const cl::CommandQueue& queue, const Array& kernels, const Array& spectrum,
               const Call& call = {}) const;
  /// Convolves. Enqueues, returns and throws as Plan::forward(); the call brings along the
  /// arguments of the shape's hooks.
  void apply(const cl::CommandQueue& queue, const Array& signal, const cl::Buffer& spectrum,
             const Array& result, const Call& call = {}) const;

  const ConvolutionShape& shape() const;  ///< as it was given
  /// Lengths of one result.
  const std::vector<std::size_t>& result() const;
  /// Lengths of the padded array, or of a block: the extents of which hooks of the shape have
  /// indices and buffers (of the spectrum, along the last axis of several that real numbers are
  /// convolved along, n/2+1).
  const std::vector<std::size_t>& points() const;
  /// Bytes of the smallest buffers, with all of the batch and all kernels.
  std::size_t signal_bytes() const;
  std::size_t kernel_bytes() const;    ///< of what prepare() reads
  std::size_t spectrum_bytes() const;  ///< of what prepare() writes and apply() reads
  std::size_t result_bytes() const;    ///< of what apply() writes
  /// Bytes of the scratch that prepare() and apply() share. A convolution of several channels also
  /// owns memory for their spectra, with which its calls take turns.
  std::size_t workspace_bytes() const;
  /// As Plan::describe(), of apply().
  std::string describe() const;

 private:
  struct State;
  std::unique_ptr<const State> state_;
};

}  // namespace imago
