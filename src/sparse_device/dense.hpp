// This file computes a sparse spectrum by the dense transform, and lists the coefficients that
// stand out.
#pragma once

#include <cstdint>
#include <map>
#include <vector>

#include "runtime/sequence.hpp"
#include "runtime/stage_kernels.hpp"
#include "sparse/selection.hpp"
#include "sparse_device/method.hpp"
#include "sparse_device/parts.hpp"

namespace imago::sparse_device {

/// The stages that select coefficients.
enum class DenseStage { histogram, collect };

std::map<DenseStage, kernel::Handmade> dense_kernels(const sparse::Request& request,
                                                     const device::Facts& facts);

class DenseRunner {
 public:
  explicit DenseRunner(const Setup& setup);

  /// Waits for the result. Fills in all fields but `attempts`; indices are in any order.
  SparseSpectrum compute(runtime::Sequence& sequence, const Signal& signal);

  std::size_t bytes() const { return bytes_; }
  std::string describe() const { return engine_.blueprint.describe(); }
  void list(KernelLists& lists) const {
    lists.add(engine_);
    lists.add(kernels_);
  }

 private:
  /// Returns the histogram of magnitudes times a gain, or of exponents. Waits.
  std::vector<std::uint32_t> histogram(runtime::Sequence& sequence, double gain, bool exponents);
  /// Returns the coefficients above the selection's threshold. Waits.
  sparse::Listed collect(runtime::Sequence& sequence, const sparse::Selection& selection);

  sparse::Request request_;
  engine::Engine engine_;
  runtime::StageKernels<DenseStage> kernels_;
  runtime::Handle<cl_mem> spectrum_, scratch_, bins_, list_;
  double smallest_ = 0;         ///< smallest positive number
  std::size_t groups_ = 1;      ///< work-groups of the selection's kernels
  std::uint64_t capacity_ = 1;  ///< maximum number of listed coefficients
  std::size_t bytes_ = 0;
};

/// Predicts DenseRunner::compute().
Estimate dense_estimate(const Setup& setup);
/// Returns the transform that DenseRunner computes.
Transform dense_transform(const sparse::Request& request);

}  // namespace imago::sparse_device
