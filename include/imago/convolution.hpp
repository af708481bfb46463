// This file plans convolutions: a forward transform, a product with a spectrum that is computed
// once, and an inverse transform. Kernels do the zero padding and cropping, without extra memory.
#pragma once

#include <chrono>
#include <cstddef>
#include <string>
#include <vector>

#include <CL/opencl.hpp>

#include <imago/convolution_shape.hpp>
#include <imago/export.hpp>
#include <imago/owned.hpp>
#include <imago/plan.hpp>

namespace imago {

/// An immutable, movable plan of a convolution or correlation. Every member may be called from many
/// threads at once.
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
  /// Makes the plan. Throws InvalidArgument for a shape that is not allowed and for
  /// Options::recipe, which belongs to one Plan. Otherwise throws as Plan's constructor.
  Convolution(const cl::Context& context, const cl::Device& device, ConvolutionShape shape,
              const Options& options = {});
  /// Predicts what apply() needs, without building a kernel: `spectrum_bytes` are those of the
  /// results, and the workspace and tables are also those of prepare(). Throws as the constructor.
  static Estimate estimate(const cl::Device& device, const ConvolutionShape& shape,
                           const Options& options = {});
  ~Convolution();
  Convolution(Convolution&&) noexcept;
  Convolution& operator=(Convolution&&) noexcept;

  /// Computes the spectrum of the kernels, for apply(). Enqueues, returns and throws as
  /// Plan::forward().
  void prepare(const cl::CommandQueue& queue, const Array& kernels, const Array& spectrum,
               const Call& call = {}) const;
  /// Convolves the signal with the kernels whose spectrum prepare() computed. The call supplies the
  /// arguments of the shape's hooks. Enqueues, returns and throws as Plan::forward().
  void apply(const cl::CommandQueue& queue, const Array& signal, const cl::Buffer& spectrum,
             const Array& result, const Call& call = {}) const;

  bool ready() const;  ///< true if calls use kernels for this shape (Plan::ready())
  /// Waits for these kernels, as Plan::wait() does.
  bool wait(std::chrono::milliseconds most = std::chrono::hours(24)) const;

  const ConvolutionShape& shape() const;  ///< the shape that the constructor was given
  /// Lengths of one result, slowest axis first.
  const std::vector<std::size_t>& result() const;
  /// Lengths of the padded array, of a block, or of half a line. Indices and buffers of the shape's
  /// hooks have these extents. Exception: if real arrays are convolved along several axes, the
  /// spectrum has n/2+1 entries along the last of them.
  const std::vector<std::size_t>& points() const;
  std::size_t signal_bytes() const;    ///< bytes of the smallest buffer for the batch of signals
  std::size_t kernel_bytes() const;    ///< bytes of the smallest buffer for all kernels
  std::size_t spectrum_bytes() const;  ///< bytes of the smallest buffer for the kernels' spectra
  std::size_t result_bytes() const;    ///< bytes of the smallest buffer for all results
  /// Bytes of the workspace that prepare() and apply() share; 0 if they need none. A convolution of
  /// several channels also owns memory for the channels' spectra, so its calls run one at a time.
  std::size_t workspace_bytes() const;
  std::size_t table_bytes() const;  ///< bytes of constant tables, which plans share
  /// Returns a description of apply(), in the form of Plan::describe().
  std::string describe() const;
  std::vector<KernelSource> sources() const;  ///< kernels of prepare() and apply()
  std::vector<KernelBuild> builds() const;    ///< builds of the kernels, in the order of sources()

 private:
  struct State;
  api::Owned<const State> state_;
};

}  // namespace imago
