// This file computes a sparse spectrum by the dense transform.
#include "sparse_device/dense.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

#include "runtime/arguments.hpp"
#include "runtime/memory.hpp"
#include "runtime/opencl.hpp"
#include "sparse/ascending.hpp"
#include "sparse/selection.hpp"

namespace imago::sparse_device {
namespace {

constexpr std::size_t kGroup = 256;
constexpr std::size_t kGroupsPerUnit = 8;
constexpr std::uint64_t kLeastCapacity = 16384;

/// Returns the smallest positive number that the device can represent.
double smallest_number(const Setup& setup) {
  if (setup.request.precision == Precision::f64)
    return std::numeric_limits<double>::denorm_min();  // every device has subnormal f64 numbers
  const auto features = runtime::info<cl_device_fp_config>(
      clGetDeviceInfo, "clGetDeviceInfo", setup.target.device, CL_DEVICE_SINGLE_FP_CONFIG);
  using Float = std::numeric_limits<float>;
  return double{features & CL_FP_DENORM ? Float::denorm_min() : Float::min()};
}

/// Sets a kernel argument that is a number of the transform's precision.
void add_real(runtime::Arguments& arguments, double value, Precision precision) {
  if (precision == Precision::f64)
    arguments.value(cl_double{value});
  else
    arguments.value(static_cast<cl_float>(value));
}

std::size_t selection_groups(const sparse::Request& request, const device::Facts& facts) {
  return std::min<std::size_t>(kGroupsPerUnit * std::max(1u, facts.compute_units),
                               (request.listed() + kGroup - 1) / kGroup);
}
std::uint64_t selection_capacity(const sparse::Request& request) {
  return std::min(request.listed(), std::max(kLeastCapacity, 4 * request.tones));
}

/// Returns the bytes of the spectrum, of scratch memory, of the histogram and of the list.
std::array<std::size_t, 4> dense_sizes(const sparse::Request& request, const device::Facts& facts,
                                       std::size_t scratch) {
  const std::size_t words = 1 + selection_groups(request, facts) +
                            selection_capacity(request) * sparse::tone_words(request.precision);
  return {request.listed() * 2 * request.real_bytes(), scratch,
          sparse::kDenseBins * sizeof(std::uint32_t), words * sizeof(std::uint32_t)};
}

}  // namespace

std::map<DenseStage, kernel::Handmade> dense_kernels(const sparse::Request& request,
                                                     const device::Facts& facts) {
  const std::string options = build_options(facts) +
                              defined("IMAGO_DENSE_BINS", sparse::kDenseBins) +
                              defined("IMAGO_DOUBLE", int{request.precision == Precision::f64});
  const auto text = [](const char* file) {
    return join_files({"sparse_common.cl", "dense_common.cl", file});
  };
  return {{DenseStage::histogram, {"dense_histogram", options, text("dense_histogram.cl"), kGroup}},
          {DenseStage::collect, {"dense_collect", options, text("dense_collect.cl"), kGroup}}};
}

Transform dense_transform(const sparse::Request& request) {
  Transform transform;
  transform.kind = request.real ? Kind::real : Kind::complex;
  transform.precision = request.precision;
  transform.lengths = {request.length};
  transform.directions = Directions::forward;
  return transform;
}

DenseRunner::DenseRunner(const Setup& setup)
    : request_(setup.request),
      kernels_(setup.target, dense_kernels(setup.request, setup.facts),
               engine::disk_cache(setup.options)) {
  const auto& target = setup.target;
  const auto& request = setup.request;
  engine_ =
      engine::make_engine(target, setup.facts, dense_transform(request), own_choice(setup.options));
  smallest_ = smallest_number(setup);
  groups_ = selection_groups(request, setup.facts);
  capacity_ = selection_capacity(request);
  runtime::Handle<cl_mem>* const memories[] = {&spectrum_, &scratch_, &bins_, &list_};
  const auto sizes = dense_sizes(request, setup.facts, engine_.scratch_bytes());
  for (std::size_t i = 0; i < sizes.size(); ++i) {
    if (sizes[i] > 0) *memories[i] = runtime::allocate(target.context, sizes[i]);
    bytes_ += sizes[i];
  }
}

Estimate dense_estimate(const Setup& setup) {
  Estimate estimate = estimate_of(setup, dense_transform(setup.request));
  std::size_t bytes = 0;
  for (const std::size_t size : dense_sizes(setup.request, setup.facts, estimate.workspace_bytes))
    bytes += size;
  estimate.workspace_bytes = bytes;
  estimate.kernels += 2;  // the histogram, and the list
  estimate.seconds += sparse::selection_seconds(setup.request, setup.facts);
  return estimate;
}

sparse::Listed DenseRunner::collect(runtime::Sequence& sequence,
                                    const sparse::Selection& selection) {
  static constexpr std::uint32_t kZero = 0;  // static, because the queue reads it when the command
                                             // runs
  sequence.write(list_.get(), 0, sizeof kZero, &kZero);
  const cl_kernel kernel = kernels_.shared(DenseStage::collect);
  runtime::Arguments arguments(kernel);
  arguments.value(spectrum_.get())
      .value(cl_ulong{request_.listed()})
      .value(cl_ulong{request_.length})
      .value(static_cast<cl_float>(selection.threshold))
      .value(static_cast<cl_float>(selection.scale));
  add_real(arguments, selection.gain, request_.precision);
  arguments.value(static_cast<cl_uint>(capacity_)).value(list_.get());
  sequence.launch(kernels_.launch(DenseStage::collect, kernel, groups_));
  const std::size_t words = sparse::tone_words(request_.precision);
  std::vector<std::uint32_t> list(1 + groups_ + selection.above * words);
  sequence.read(list_.get(), 0, list.size() * sizeof list[0], list.data());

  sparse::Listed listed;
  for (std::size_t i = 0; i < groups_; ++i) listed.rest += std::bit_cast<float>(list[1 + i]);
  const std::size_t count = std::min<std::size_t>(list[0], selection.above);
  for (std::size_t i = 0; i < count; ++i)
    listed.coefficients.push_back(
        sparse::get_tone(&list[1 + groups_ + i * words], request_.precision));
  return listed;
}

std::vector<std::uint32_t> DenseRunner::histogram(runtime::Sequence& sequence, double gain,
                                                  bool exponents) {
  const cl_kernel kernel = kernels_.shared(DenseStage::histogram);
  runtime::Arguments arguments(kernel);
  arguments.value(spectrum_.get()).value(cl_ulong{request_.listed()});
  add_real(arguments, gain, request_.precision);
  arguments.value(cl_uint{exponents}).value(bins_.get());
  std::vector<std::uint32_t> bins(sparse::kDenseBins);  // the queue reads them when the commands
                                                        // run, so nothing may throw before that
  sequence.write(bins_.get(), 0, bins.size() * sizeof bins[0], bins.data());
  sequence.launch(kernels_.launch(DenseStage::histogram, kernel, groups_));
  sequence.read(bins_.get(), 0, bins.size() * sizeof bins[0], bins.data());
  return bins;
}

SparseSpectrum DenseRunner::compute(runtime::Sequence& sequence, const Signal& signal) {
  runtime::Call call;
  call.input = {signal.memory, nullptr, signal.offset};
  call.output = {spectrum_.get(), nullptr, 0};
  call.scratch = {scratch_.get(), engine_.counters.get()};
  sequence.run(*engine_.forward, call);
  double gain = 1;
  auto bins = histogram(sequence, gain, false);
  if (!sparse::fits_floats(bins)) {
    gain = sparse::gain_of(histogram(sequence, gain, true), request_.precision);
    if (gain != 1) bins = histogram(sequence, gain, false);
  }
  const auto scaling = sparse::scaling_of(gain, smallest_, request_.length);
  const auto select = [&](sparse::Floor floor) {
    return sparse::select(bins, request_.precision, capacity_, floor, scaling);
  };
  auto selection = select(sparse::Floor::noise);
  auto listed = collect(sequence, selection);
  if (!(sparse::residual(listed, selection, request_) < sparse::kUnexplained) &&
      !sparse::stands_out(listed, selection, request_)) {
    selection = select(sparse::Floor::rounding);
    listed = collect(sequence, selection);
  }
  SparseSpectrum spectrum;
  spectrum.used = SparseMethod::dense;
  spectrum.unseen = 0;
  spectrum.residual = sparse::residual(listed, selection, request_);
  // The floor, as far as it can be determined.
  spectrum.floor = (selection.threshold + selection.rounding) / gain;
  spectrum.verdict = sparse::dense_verdict(selection, spectrum.residual, listed, request_);
  for (const auto i : sparse::ascending(listed.coefficients)) {
    const sparse::Tone& coefficient = listed.coefficients[i];
    spectrum.indices.push_back(coefficient.frequency);
    spectrum.values.push_back(coefficient.amplitude);
  }
  return spectrum;
}

}  // namespace imago::sparse_device
