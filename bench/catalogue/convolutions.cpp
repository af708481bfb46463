// This file checks convolutions on a device.
#include "catalogue/convolutions.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <limits>
#include <numeric>
#include <optional>
#include <sstream>
#include <stdexcept>

#include "catalogue/errors.hpp"
#include "catalogue/host_memory.hpp"
#include "catalogue/outcome.hpp"
#include "problem/words.hpp"
#include "runtime/queue.hpp"
#include "signal/convolution.hpp"

namespace imago::catalogue {
namespace {

using Lengths = std::vector<std::size_t>;

constexpr double kSteps = 3;  // forward, product, inverse
constexpr std::array kExtentWords{"full", "same", "valid", "circular"};

std::size_t product_of(const Lengths& lengths) {
  return std::accumulate(lengths.begin(), lengths.end(), std::size_t{1}, std::multiplies<>());
}

std::string joined(const Lengths& lengths) {
  std::string text;
  for (const std::size_t n : lengths) text += (text.empty() ? "" : "x") + std::to_string(n);
  return text;
}

/// Returns the indices of an element of a row-major array.
Lengths indices_of(std::size_t element, const Lengths& lengths) {
  Lengths at(lengths.size());
  for (std::size_t d = lengths.size(); d-- > 0; element /= lengths[d]) at[d] = element % lengths[d];
  return at;
}

/// Returns the signal's index for a position of the result and a tap of the kernel; outside of 0 to
/// n - 1 there is no element.
std::int64_t met(const ConvolutionShape& s, std::size_t axis, std::size_t at, std::size_t tap) {
  const auto n = static_cast<std::int64_t>(s.signal[axis]);
  const auto reach = static_cast<std::int64_t>(s.kernel[axis]) - 1;
  const auto t = static_cast<std::int64_t>(at), j = static_cast<std::int64_t>(tap);
  if (s.extent == Extent::circular) return ((s.correlate ? t + j : t - j) % n + n) % n;
  const std::int64_t first = s.extent == Extent::same    ? reach / 2
                             : s.extent == Extent::valid ? reach
                                                         : 0;
  return s.correlate ? t + first - reach + j : t + first - j;
}

/// The signals of a case, its kernels and its results.
class SignalBatch {
 public:
  explicit SignalBatch(const ConvolutionShape& shape) : s_(shape) {
    Random random(hash(ConvolutionCase{shape}.name()));
    for (std::size_t b = 0; b < s_.batch; ++b) {
      sizes_.push_back(s_.batch == 1 ? 0 : exponent_of(b, s_.precision));
      signals_.push_back(numbers(product_of(s_.signal) * s_.channels, sizes_.back(), random));
    }
    const std::size_t kernels = s_.of == Kernels::all    ? s_.kernels
                                : s_.of == Kernels::each ? s_.batch
                                                         : 1;
    for (std::size_t k = 0; k < kernels; ++k)
      kernels_.push_back(numbers(product_of(s_.kernel) * s_.channels, 0, random));
  }

  const ConvolutionShape& shape() const { return s_; }
  const std::vector<Numbers>& signals() const { return signals_; }
  const std::vector<Numbers>& kernels() const { return kernels_; }
  /// Exponents of the signals' factors.
  const std::vector<int>& sizes() const { return sizes_; }
  /// Returns the number of results of one signal: several with Kernels::all.
  std::size_t results() const { return s_.of == Kernels::all ? s_.kernels : 1; }
  Numbers result(std::size_t signal, std::size_t number) const {
    const Numbers& x = signals_[signal];
    const Numbers& h = kernels_[s_.of == Kernels::each ? signal : number];
    Numbers sum(product_of(signal::result_lengths(s_)));
    for (std::size_t c = 0; c < s_.channels; ++c) {
      const Numbers one = convolved(s_, channel(x, c), channel(h, c));
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += one[i];
    }
    return sum;
  }
  /// Sets NaN or infinity in every second signal, starting with one of the first two. Returns which
  /// ones.
  std::vector<bool> poison() {
    Random random(hash(ConvolutionCase{s_}.name()) + 1);
    std::vector<bool> which(s_.batch);
    for (std::size_t b = random.below(2); b < s_.batch; b += 2) {
      which[b] = true;
      auto& value = signals_[b][random.below(signals_[b].size())];
      value = random.below(2) == 0 ? std::numeric_limits<long double>::quiet_NaN()
                                   : std::numeric_limits<long double>::infinity();
    }
    return which;
  }

 private:
  /// Returns numbers uniform in [-1, 1), times a power of two, exact in f16.
  Numbers numbers(std::size_t count, int size, Random& random) const {
    Numbers all(count);
    const auto part = [&] {
      return std::ldexp(static_cast<long double>(random.below(2048)) / 1024 - 1, size);
    };
    for (auto& value : all) {
      value = part();
      if (s_.complex) value.imag(part());
    }
    return all;
  }
  Numbers channel(const Numbers& all, std::size_t number) const {
    const auto each = static_cast<std::ptrdiff_t>(all.size() / s_.channels);
    const auto first = all.begin() + each * static_cast<std::ptrdiff_t>(number);
    return {first, first + each};
  }

  const ConvolutionShape& s_;
  std::vector<Numbers> signals_, kernels_;
  std::vector<int> sizes_;
};

template <Precision precision>
std::vector<typename Stored<precision>::Word> words_of(const std::vector<Numbers>& arrays,
                                                       bool complex) {
  using Wide = typename Stored<precision>::Wide;
  std::vector<typename Stored<precision>::Word> words;
  for (const Numbers& array : arrays) {
    for (const auto& value : array) {
      words.push_back(Stored<precision>::pack(static_cast<Wide>(value.real())));
      if (complex) words.push_back(Stored<precision>::pack(static_cast<Wide>(value.imag())));
    }
  }
  return words;
}

void check_code(cl_int code, const char* call) {
  if (code != CL_SUCCESS)
    throw std::runtime_error(std::string(call) + " failed: " + std::to_string(code));
}

template <class Word>
cl::Buffer buffer_of(const cl::Context& context, const std::vector<Word>& words) {
  cl_int code = CL_SUCCESS;
  cl::Buffer buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, words.size() * sizeof(Word),
                    const_cast<Word*>(words.data()), &code);
  check_code(code, "clCreateBuffer");
  return buffer;
}

/// A convolution on a device, with the spectrum of its kernels.
template <Precision precision>
class Prepared {
 public:
  using Word = typename Stored<precision>::Word;

  Prepared(const ConvolutionCase& problem, const SignalBatch& batch, const cl::Context& context,
           const cl::Device& device, Options options)
      : shape_(problem.shape),
        context_(context),
        queue_(runtime::make_queue(context(), device()).take()) {
    options.parameters.mapping = problem.mapping;
    convolution_.emplace(context, device, shape_, options);
    constexpr Precision kKernel = precision == Precision::f16 ? Precision::f32 : precision;
    const auto kernels = buffer_of(context, words_of<kKernel>(batch.kernels(), shape_.complex));
    spectrum_ = cl::Buffer(context, CL_MEM_READ_WRITE, convolution_->spectrum_bytes());
    convolution_->prepare(queue_, kernels, spectrum_);
    check_code(queue_.finish(), "clFinish");
  }

  const Lengths& points() const { return convolution_->points(); }
  /// Returns all results, as numbers.
  std::vector<long double> run(const SignalBatch& batch) {
    const auto signals = buffer_of(context_, words_of<precision>(batch.signals(), shape_.complex));
    std::vector<Word> words(convolution_->result_bytes() / sizeof(Word),
                            Stored<precision>::mark(0));
    const auto results = buffer_of(context_, words);
    convolution_->apply(queue_, signals, spectrum_, results);
    check_code(
        queue_.enqueueReadBuffer(results, CL_TRUE, 0, words.size() * sizeof(Word), words.data()),
        "clEnqueueReadBuffer");
    std::vector<long double> numbers;
    for (const Word word : words) numbers.push_back(Stored<precision>::unpack(word));
    return numbers;
  }

 private:
  const ConvolutionShape& shape_;
  cl::Context context_;
  cl::CommandQueue queue_;
  std::optional<Convolution> convolution_;
  cl::Buffer spectrum_;
};

double bound_of(const ConvolutionShape& shape, const Lengths& points, bool pairs) {
  Case along;  // the axes that are convolved
  along.precision = shape.precision == Precision::f16 ? Precision::f32 : shape.precision;
  along.lengths.assign(points.begin(), points.end());
  for (std::size_t d = 0; d < points.size(); ++d)
    along.axes.push_back(shape.kernel[d] > 1 ? Kind::complex : Kind::identity);
  const double stored = shape.precision == Precision::f16
                            ? error_bound(Precision::f16, 1) - error_bound(Precision::f32, 1)
                            : 0;
  return kSteps * error_bound(along, pairs) + stored;
}

/// Calls visit(signal, error, reference, finite) for each result with the sums of squares, and true
/// if the result is finite. `found` holds all results.
template <class Visit>
void for_each_square(const SignalBatch& batch, const std::vector<long double>& found, Visit visit) {
  const ConvolutionShape& shape = batch.shape();
  auto at = found.begin();
  for (std::size_t b = 0; b < shape.batch; ++b) {
    for (std::size_t k = 0; k < batch.results(); ++k) {
      long double error = 0, reference = 0;
      bool finite = true;
      for (const auto& want : batch.result(b, k)) {
        std::complex<long double> value = *at++;
        if (shape.complex) value.imag(*at++);
        finite = finite && std::isfinite(value.real()) && std::isfinite(value.imag());
        error += std::norm(value - want);
        reference += std::norm(want);
      }
      visit(b, error, reference, finite);
    }
  }
}

/// Returns a description of the errors of the first call, whose signals differ in size.
template <Precision precision>
std::string check_sizes(const SignalBatch& batch, Prepared<precision>& prepared, Outcome& outcome) {
  const auto found = prepared.run(batch);
  if (found.size() < kPooled) outcome.bound *= 2;
  Errors errors;
  for_each_square(batch, found, [&](std::size_t b, auto error, auto reference, bool) {
    errors.add(error, reference, std::ldexp(1.0L, batch.sizes()[b]));
  });
  outcome.error = errors.pooled();
  outcome.worst = errors.worst().error;
  std::ostringstream detail;
  if (!(outcome.error < outcome.bound))
    detail << "error " << outcome.error << " is not below " << outcome.bound << "; ";
  if (!(outcome.worst < outcome.worst_bound)) {
    detail << "error " << outcome.worst << " of result " << errors.worst().transform
           << " is not below " << outcome.worst_bound << "; ";
  }
  return detail.str();
}

/// Returns a description of the errors of the second call, in which some signals hold NaN or
/// infinity.
template <Precision precision>
std::string check_poisoned(SignalBatch batch, Prepared<precision>& prepared, double bound) {
  const std::vector<bool> poisoned = batch.poison();
  Errors others;
  std::ostringstream detail;
  for_each_square(batch, prepared.run(batch),
                  [&](std::size_t b, auto error, auto reference, bool finite) {
                    if (!poisoned[b]) return others.add(error, reference);
                    if (!finite) return;
                    detail << "signal " << b << " holds NaN or infinity, and its result hides it; ";
                  });
  const double worst = others.worst().error;
  if (!(worst < bound)) {
    detail << "error " << worst << " beside signals that hold NaN or infinity is not below "
           << bound << "; ";
  }
  return detail.str();
}

template <Precision precision>
Outcome verify_in(const ConvolutionCase& problem, const cl::Context& context,
                  const cl::Device& device, const Options& options) {
  const SignalBatch batch(problem.shape);
  Prepared<precision> prepared(problem, batch, context, device, options);
  Outcome outcome;
  outcome.bound = bound_of(problem.shape, prepared.points(), uses_pairs(device, options));
  outcome.worst_bound = 2 * outcome.bound;
  outcome.detail = check_sizes(batch, prepared, outcome);
  if (problem.shape.batch > 1)
    outcome.detail += check_poisoned(batch, prepared, outcome.worst_bound);
  outcome.verdict = outcome.detail.empty() ? Verdict::passed : Verdict::failed;
  return outcome;
}

/// Returns batches of two, of odd counts and of many; lengths of one kernel, of several and of
/// blocks; each extent, kernels and channels.
std::vector<ConvolutionShape> shapes_of(Tier tier) {
  std::vector<ConvolutionShape> shapes;
  const auto add = [&](Lengths signal, Lengths kernel, std::size_t batch, Extent extent,
                       bool correlate = false) -> ConvolutionShape& {
    ConvolutionShape shape{.signal = std::move(signal), .kernel = std::move(kernel)};
    shape.batch = batch, shape.extent = extent, shape.correlate = correlate;
    return shapes.emplace_back(std::move(shape));
  };
  add({10}, {3}, 2, Extent::full);
  add({40}, {9}, 3, Extent::same);
  add({40}, {9}, 1000, Extent::valid, true);
  add({64}, {5}, 17, Extent::circular);
  add({37}, {5}, 5, Extent::circular, true);
  add({2000}, {100}, 3, Extent::full);
  add({1000}, {100}, 8, Extent::same, true);
  add({16384}, {40}, 2, Extent::circular);
  add({9, 14}, {4, 3}, 3, Extent::full);
  add({12, 20}, {3, 1}, 3, Extent::same);
  add({12, 20}, {1, 5}, 3, Extent::full);
  add({100}, {8}, 3, Extent::full).of = Kernels::each;
  auto& all = add({60}, {8}, 5, Extent::full);
  all.of = Kernels::all, all.kernels = 3;
  add({60}, {8}, 3, Extent::full).channels = 2;
  add({40}, {9}, 3, Extent::full).complex = true;
  if (tier == Tier::ci) return shapes;
  constexpr std::array kAll{Extent::full, Extent::same, Extent::valid, Extent::circular};
  for (const std::size_t n : {8, 15, 16, 31, 33, 100, 256, 1000, 1009, 4096, 8191})
    for (const std::size_t batch : {2, 3, 17})
      for (const Extent extent : kAll)
        add({n}, {std::min<std::size_t>(n, 7)}, batch, extent, batch == 3);
  return shapes;
}

}  // namespace

std::string ConvolutionCase::name() const {
  std::string text = "convolution-" + joined(shape.signal) + "~" + joined(shape.kernel) + "*" +
                     std::to_string(shape.batch) + "-" +
                     std::string(base::word_of(problem::kPrecisions, shape.precision)) + "-" +
                     kExtentWords.at(static_cast<std::size_t>(shape.extent));
  if (shape.correlate) text += "-correlate";
  if (shape.complex) text += "-complex";
  if (shape.of == Kernels::each) text += "-each";
  if (shape.of == Kernels::all) text += "-all" + std::to_string(shape.kernels);
  if (shape.channels > 1) text += "-channels" + std::to_string(shape.channels);
  if (mapping != Mapping::automatic)
    text += "-" + std::string(base::word_of(problem::kMappings, mapping));
  return text;
}

std::vector<ConvolutionCase> convolutions(Tier tier) {
  std::vector<ConvolutionCase> all;
  const auto shapes = shapes_of(tier);
  const auto add = [&](std::size_t shape, Mapping mapping, Precision precision) {
    all.push_back({shapes[shape], mapping});
    all.back().shape.precision = precision;
  };
  for (std::size_t i = 0; i < shapes.size(); ++i) {
    // ci: f32 in one mapping and f64 in the other, alternating, and sometimes f16. full: all of
    // them.
    const bool ci = tier == Tier::ci, even = i % 2 == 0;
    for (const Mapping mapping : {Mapping::vector, Mapping::work_group}) {
      const bool single = even == (mapping == Mapping::vector);
      if (!ci || single) add(i, mapping, Precision::f32);
      if (!ci || !single) add(i, mapping, Precision::f64);
      if (!ci || (single && i % 4 == 0)) add(i, mapping, Precision::f16);
    }
  }
  return all;
}

Numbers convolved(const ConvolutionShape& shape, const Numbers& signal, const Numbers& kernel) {
  const Lengths lengths = signal::result_lengths(shape);
  Numbers result(product_of(lengths));
  std::vector<Lengths> taps;
  for (std::size_t j = 0; j < kernel.size(); ++j) taps.push_back(indices_of(j, shape.kernel));
  for (std::size_t i = 0; i < result.size(); ++i) {
    const Lengths at = indices_of(i, lengths);
    for (std::size_t j = 0; j < kernel.size(); ++j) {
      std::int64_t from = 0;
      for (std::size_t d = 0; d < at.size() && from >= 0; ++d) {
        const std::int64_t index = met(shape, d, at[d], taps[j][d]);
        const auto n = static_cast<std::int64_t>(shape.signal[d]);
        from = index < 0 || index >= n ? -1 : from * n + index;
      }
      if (from < 0) continue;
      const auto& h = kernel[j];
      const auto& x = signal[static_cast<std::size_t>(from)];
      result[i] += (shape.correlate ? std::conj(h) : h) * x;
    }
  }
  return result;
}

Outcome verify(const ConvolutionCase& problem, const cl::Context& context, const cl::Device& device,
               const Options& options) {
  return outcome_of({}, [&] {
    return with_precision(problem.shape.precision, [&]<Precision precision>() {
      return verify_in<precision>(problem, context, device, options);
    });
  });
}

}  // namespace imago::catalogue
