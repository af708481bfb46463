// This file runs the audit on a device.
#include "sparse_device/audit.hpp"

#include <array>
#include <cstring>
#include <iterator>
#include <utility>

#include "base/integers.hpp"
#include "base/text.hpp"
#include "runtime/arguments.hpp"
#include "runtime/memory.hpp"

namespace imago::sparse_device {
namespace {

constexpr const char* kKernels[] = {"audit_weights", "audit_fold", "audit_tones", "audit_columns",
                                    "audit_energy"};
constexpr std::size_t kGroup = 64;

std::string options_of(const sparse::Request& request, const device::Facts& facts) {
  const sparse::AuditShape shape = sparse::audit_shape(request, facts);
  const bool f64 = facts.f64.native;
  return build_options(facts) + (f64 ? "" : " -cl-single-precision-constant") +
         defined("IMAGO_DOUBLE", int{f64}) +
         defined("IMAGO_STORED_DOUBLE", int{request.precision == Precision::f64}) +
         defined("IMAGO_REAL_SIGNAL", int{request.real}) + defined("IMAGO_VECTOR", shape.vector) +
         defined("IMAGO_COLUMNS", shape.columns_of_item);
}

template <class Real>
std::vector<std::byte> bytes_of(const std::vector<sparse::Tone>& tones) {
  std::vector<Real> numbers;
  for (const auto& tone : tones) {
    numbers.push_back(static_cast<Real>(tone.amplitude.real()));
    numbers.push_back(static_cast<Real>(tone.amplitude.imag()));
  }
  std::vector<std::byte> bytes(numbers.size() * sizeof(Real));
  std::memcpy(bytes.data(), numbers.data(), bytes.size());
  return bytes;
}

template <class Real>
double sum_of(const std::vector<std::byte>& bytes) {
  double sum = 0;
  for (std::size_t at = 0; at < bytes.size(); at += sizeof(Real)) {
    Real one;
    std::memcpy(&one, &bytes[at], sizeof one);
    sum += static_cast<double>(one);
  }
  return sum;
}

/// Returns the bytes of weights, parts, tones, amplitudes, folded and sums.
std::array<std::size_t, 6> audit_sizes(const Setup& setup) {
  const sparse::AuditShape shape = sparse::audit_shape(setup.request, setup.facts);
  const std::size_t real = setup.facts.f64.native ? sizeof(double) : sizeof(float),
                    folded = sparse::IMAGO_PATTERNS * shape.row_reals(setup.request.real);
  return {shape.rows * sparse::IMAGO_PATTERNS * real,
          (shape.row_blocks + shape.most_tone_blocks) * folded * real,
          shape.most_tones * 2 * sizeof(std::uint64_t),
          shape.most_tones * 2 * real,
          shape.most_tones * 2 * sparse::IMAGO_PATTERNS * real,
          folded / sparse::IMAGO_AUDIT_SUMS * real};
}

}  // namespace

Estimate audit_estimate(const Setup& setup) {
  Estimate estimate;
  for (const std::size_t bytes : audit_sizes(setup)) estimate.workspace_bytes += bytes;
  estimate.kernels = std::size(kKernels);
  estimate.bytes_moved = setup.request.signal_bytes();
  estimate.seconds = sparse::audit_seconds(sparse::audit_shape(setup.request, setup.facts),
                                           setup.request, setup.request.tones, setup.facts);
  return estimate;
}

std::map<AuditStage, kernel::Handmade> audit_kernels(const sparse::Request& request,
                                                     const device::Facts& facts) {
  std::map<AuditStage, kernel::Handmade> kernels;
  for (std::size_t i = 0; i < std::size(kKernels); ++i)
    kernels[static_cast<AuditStage>(i)] = {
        kKernels[i], options_of(request, facts) + " -DBUILD_" + kKernels[i],
        join_files({"audit.h", "sparse_common.cl", "audit.cl"}),
        static_cast<AuditStage>(i) == AuditStage::tones    ? std::size_t{sparse::IMAGO_TONE_ITEMS}
        : static_cast<AuditStage>(i) == AuditStage::energy ? std::size_t{sparse::IMAGO_AUDIT_SUMS}
                                                           : kGroup};
  return kernels;
}

AuditRunner::AuditRunner(const Setup& setup)
    : request_(setup.request),
      f64_(setup.facts.f64.native),
      shape_(sparse::audit_shape(setup.request, setup.facts)),
      kernels_(setup.target, audit_kernels(setup.request, setup.facts),
               engine::disk_cache(setup.options)) {
  allocate(setup);
}

void AuditRunner::allocate(const Setup& setup) {
  runtime::Handle<cl_mem>* const memories[] = {&weights_,    &parts_,  &tones_,
                                               &amplitudes_, &folded_, &sums_};
  const auto sizes = audit_sizes(setup);
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    *memories[i] = runtime::allocate(setup.target.context, sizes[i]);
    bytes_ += sizes[i];
  }
  read_.resize(sizes.back());
}

sparse::Audit AuditRunner::arguments(const Signal& signal, std::uint64_t tones, double size,
                                     std::uint64_t secret) const {
  sparse::Audit audit = {};
  audit.length = request_.length;
  audit.signal_offset = signal.offset;
  audit.seed = secret;
  audit.columns = static_cast<std::uint32_t>(shape_.columns);
  audit.rows = static_cast<std::uint32_t>(shape_.rows);
  audit.rows_of_item = static_cast<std::uint32_t>(shape_.rows_of_item);
  audit.row_blocks = static_cast<std::uint32_t>(shape_.row_blocks);
  audit.tones = static_cast<std::uint32_t>(tones);
  audit.tone_blocks = tones == 0 ? 0 : static_cast<std::uint32_t>(shape_.tone_blocks(tones));
  audit.tones_of_item =
      tones == 0 ? 0
                 : static_cast<std::uint32_t>(base::ceil_divide(tones, shape_.tone_blocks(tones)));
  audit.scale = size > 0 ? static_cast<float>(1 / size) : 1.0f;
  return audit;
}

void AuditRunner::upload(runtime::Sequence& sequence, const std::vector<sparse::Tone>& tones) {
  phases_ = sparse::audit_phases(tones, request_.length, shape_.columns);
  stored_ = f64_ ? bytes_of<double>(tones) : bytes_of<float>(tones);
  sequence.write(tones_.get(), 0, phases_.size() * sizeof phases_[0], phases_.data());
  sequence.write(amplitudes_.get(), 0, stored_.size(), stored_.data());
}

void AuditRunner::launch(runtime::Sequence& sequence, AuditStage stage, std::size_t items) {
  sequence.launch(kernels_.launch(stage, kernels_.shared(stage),
                                  base::ceil_divide(items, kernels_.code(stage).items)));
}

double AuditRunner::sum(runtime::Sequence& sequence) {
  sequence.read(sums_.get(), 0, read_.size(), read_.data());
  return f64_ ? sum_of<double>(read_) : sum_of<float>(read_);
}

sparse::Audited AuditRunner::audit(runtime::Sequence& sequence, const Signal& signal,
                                   const std::vector<sparse::Tone>& tones, std::uint64_t secret) {
  const double size = sparse::size_of(tones, request_);
  const auto audit = arguments(signal, tones.size(), size, secret);
  kernels_.each([&](const runtime::BuiltHandmade& built) {
    runtime::Arguments(built.kernel.get())
        .value(signal.memory)
        .value(weights_.get())
        .value(parts_.get())
        .value(tones_.get())
        .value(amplitudes_.get())
        .value(folded_.get())
        .value(sums_.get())
        .value(audit);
  });
  const std::size_t reals = shape_.row_reals(request_.real);
  if (!tones.empty()) upload(sequence, tones);
  launch(sequence, AuditStage::weights, shape_.rows * sparse::IMAGO_PATTERNS / 2);
  launch(sequence, AuditStage::fold, shape_.row_blocks * reals / shape_.vector);
  if (!tones.empty()) {
    launch(sequence, AuditStage::tones, tones.size() * sparse::IMAGO_TONE_ITEMS);
    launch(sequence, AuditStage::columns,
           audit.tone_blocks * shape_.columns / shape_.columns_of_item);
  }
  launch(sequence, AuditStage::energy, sparse::IMAGO_PATTERNS * reals);
  const double scale = static_cast<double>(audit.scale);
  return sparse::audited(sum(sequence) / (scale * scale), size,
                         sparse::audit_rounding(shape_, tones.size(), f64_), request_.length);
}

double AuditRunner::seconds(const device::Facts& facts) const {
  return sparse::audit_seconds(shape_, request_, request_.tones, facts);
}

std::string AuditRunner::describe(const device::Facts& facts) const {
  return "  audit: all " + std::to_string(request_.length) + " samples, " +
         std::to_string(sparse::IMAGO_PATTERNS) + " random weights of " +
         std::to_string(shape_.rows) +
         " rows, 5 launches, predicted: " + base::seconds_text(seconds(facts)) + "\n";
}

}  // namespace imago::sparse_device
