// This file runs the audit (full verification) on a device. One pass over the whole signal measures
// the remainder after subtraction of the result, for any method.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "runtime/stage_kernels.hpp"
#include "sparse/audit.hpp"
#include "sparse_device/method.hpp"
#include "sparse_device/parts.hpp"

namespace imago::sparse_device {

/// The stages of the audit, in the order of their launches.
enum class AuditStage { weights, fold, tones, columns, energy };

std::map<AuditStage, kernel::Handmade> audit_kernels(const sparse::Request& request,
                                                     const device::Facts& facts);

/// Predicts an audit.
Estimate audit_estimate(const Setup& setup);

/// Runs one call at a time. The constructor allocates and builds everything.
class AuditRunner {
 public:
  explicit AuditRunner(const Setup& setup);

  /// True if memory for this many tones is allocated.
  bool takes(std::uint64_t tones) const { return tones <= shape_.most_tones; }
  /// Measures the remainder after subtraction of these tones, in the form of audited_tones(), and
  /// waits. `secret` must be unknown when the signal was made, and must not depend on the tones.
  sparse::Audited audit(runtime::Sequence& sequence, const Signal& signal,
                        const std::vector<sparse::Tone>& tones, std::uint64_t secret);

  double seconds(const device::Facts& facts) const;
  std::size_t bytes() const { return bytes_; }  ///< bytes of device memory
  void list(KernelLists& lists) const { lists.add(kernels_); }
  std::string describe(const device::Facts& facts) const;

 private:
  void allocate(const Setup& setup);
  sparse::Audit arguments(const Signal& signal, std::uint64_t tones, double size,
                          std::uint64_t secret) const;
  /// Writes the phases and amplitudes of tones, which must stay valid until the next read.
  void upload(runtime::Sequence& sequence, const std::vector<sparse::Tone>& tones);
  void launch(runtime::Sequence& sequence, AuditStage stage, std::size_t items);
  double sum(runtime::Sequence& sequence);

  sparse::Request request_;
  bool f64_;  ///< precision of the arithmetic
  sparse::AuditShape shape_;
  runtime::StageKernels<AuditStage> kernels_;
  runtime::Handle<cl_mem> weights_, parts_, tones_, amplitudes_, folded_, sums_;
  std::vector<std::uint64_t> phases_;
  std::vector<std::byte> stored_, read_;
  std::size_t bytes_ = 0;
};

}  // namespace imago::sparse_device
