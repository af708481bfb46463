// This file audits an answer on a device: one pass over the whole signal measures what the answer
// leaves of it, whatever method gave it.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "sparse/audit.hpp"
#include "sparse_device/method.hpp"
#include "sparse_device/parts.hpp"

namespace imago::sparse_device {

/// One call at a time. Everything is allocated and built with it.
class AuditRunner {
 public:
  explicit AuditRunner(const Setup& setup);

  /// Whether there is room for so many tones.
  bool takes(std::uint64_t tones) const { return tones <= shape_.most_tones; }
  /// What these tones, as audited_tones() has them, leave. Waits for it. secret: nobody could know
  /// it when the signal was made, nor did it choose the tones.
  sparse::Audited audit(runtime::Sequence& sequence, const Signal& signal,
                        const std::vector<sparse::Tone>& tones, std::uint64_t secret);

  double seconds(const device::Facts& facts) const;
  std::size_t bytes() const { return bytes_; }  ///< of device memory
  std::string describe(const device::Facts& facts) const;

 private:
  enum class Stage { weights, fold, tones, columns, energy };
  static constexpr std::size_t kCount = 5;

  void build(const Setup& setup);
  void allocate(const Setup& setup);
  sparse::Audit arguments(const Signal& signal, std::uint64_t tones, double size,
                          std::uint64_t secret) const;
  /// What a tone is to the kernels, until the next read.
  void upload(runtime::Sequence& sequence, const std::vector<sparse::Tone>& tones);
  void launch(runtime::Sequence& sequence, Stage stage, std::size_t items, std::size_t group);
  double sum(runtime::Sequence& sequence);

  sparse::Request request_;
  bool f64_;  ///< arithmetic
  sparse::AuditShape shape_;
  std::array<runtime::ProgramPointer, kCount> programs_;
  std::array<runtime::Handle<cl_kernel>, kCount> kernels_;
  runtime::Handle<cl_mem> weights_, parts_, tones_, amplitudes_, folded_, sums_;
  std::vector<std::uint64_t> phases_;
  std::vector<std::byte> stored_, read_;
  std::size_t bytes_ = 0;
};

}  // namespace imago::sparse_device
