// This file computes a sparse spectrum the long way: the dense transform, of which the coefficients
// that stand out are kept.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "runtime/sequence.hpp"
#include "sparse/selection.hpp"
#include "sparse_device/method.hpp"
#include "sparse_device/parts.hpp"

namespace imago::sparse_device {

class DenseRunner {
 public:
  explicit DenseRunner(const Setup& setup);

  /// Waits for the answer. All but `attempts` is filled in; indices in any order.
  SparseSpectrum compute(runtime::Sequence& sequence, const Signal& signal);

  std::size_t bytes() const { return bytes_; }
  std::string describe() const { return engine_.blueprint.describe(); }

 private:
  /// Waits for the counts of magnitudes times a gain, or of exponents.
  std::vector<std::uint32_t> histogram(runtime::Sequence& sequence, double gain, bool exponents);
  /// Waits for what the selection lists.
  sparse::Listed collect(runtime::Sequence& sequence, const sparse::Selection& selection);

  sparse::Request request_;
  engine::Engine engine_;
  std::array<runtime::ProgramPointer, 2> programs_;
  runtime::Handle<cl_kernel> histogram_, collect_;
  runtime::Handle<cl_mem> spectrum_, scratch_, bins_, list_;
  double smallest_ = 0;         ///< number above 0
  std::size_t groups_ = 1;      ///< of the selection's kernels
  std::uint64_t capacity_ = 1;  ///< coefficients that can be listed
  std::size_t bytes_ = 0;
};

/// The transform that DenseRunner computes.
Transform dense_transform(const sparse::Request& request);

}  // namespace imago::sparse_device
