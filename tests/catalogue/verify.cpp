// This file checks a case on a device. Both sides are filled with marks (NaNs with a number inside)
// wherever the case has no data, so that a word that is written by mistake, or read and used by
// mistake, shows. Small transforms are repeated until 4096 elements are pooled.
#include <algorithm>
#include <cmath>
#include <deque>
#include <exception>
#include <sstream>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "base/integers.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/host_memory.hpp"
#include "catalogue/random.hpp"
#include "catalogue/reference.hpp"

namespace imago::catalogue {
namespace {

constexpr std::size_t kPlansKept =
    8;  // so that cases with the same kernels do not build them again
constexpr std::size_t kReferencesKept = 4;
constexpr std::uint64_t kLargestSmallPrime = 31;  // above it: Rader or Bluestein
constexpr double kHalfRounding = 0x1p-11;         // of storing a result in f16

void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS)
    throw std::runtime_error(std::string(call) + " failed: " + std::to_string(code));
}

bool needs_any_length(const Case& problem) {
  const auto kinds = problem.kinds();
  for (std::size_t d = 0; d < kinds.size(); ++d) {
    const std::uint64_t length = dft_length(kinds[d], problem.lengths[d]);
    if (base::largest_prime_factor(length) > kLargestSmallPrime) return true;
  }
  return false;
}

/// Squared errors, pooled and of the worst member. A member's is relative to its own sum of
/// squares, or to the members' mean where that is larger: two lines of reals are computed as one of
/// complex numbers, so that a small one has the roundings of the other.
struct Errors {
  long double error = 0, reference = 0;

  void add(long double e, long double r) {
    error += e;
    reference += r;
    members_.emplace_back(e, r);
  }
  double pooled() const {
    return static_cast<double>(std::sqrt(reference == 0 ? error : error / reference));
  }
  struct Worst {
    double error = 0;
    std::uint64_t member = 0;
  };
  Worst worst() const {
    const long double mean = reference / static_cast<long double>(members_.size());
    Worst found;
    for (std::uint64_t i = 0; i < members_.size(); ++i) {
      const auto [e, r] = members_[i];
      const long double whole = std::max(r, mean);
      const auto ratio = static_cast<double>(std::sqrt(whole == 0 ? e : e / whole));
      // Written so that a NaN is the worst.
      if (!(ratio <= found.error) && !std::isnan(found.error)) found = {ratio, i};
    }
    return found;
  }

 private:
  std::vector<std::pair<long double, long double>> members_;
};

template <class Wide>
Wide exact_scale(const Case& problem) {
  const auto n = static_cast<Wide>(problem.points());
  if (problem.norm == Norm::ortho) return 1 / std::sqrt(n);
  return problem.scale() == 1 ? Wide{1} : 1 / n;
}

/// `before`: what the source held before the call.
template <Precision precision>
Errors compare(const Case& problem, const Memory<precision>& before, const Repeated& source,
               const Memory<precision>& after, const Repeated& target,
               Reference<typename Stored<precision>::Wide>& reference) {
  using Wide = typename Stored<precision>::Wide;
  const Wide scale = exact_scale<Wide>(problem);
  Errors errors;
  for (std::uint64_t member = 0; member < source.members(); ++member) {
    auto input = reference.input().begin();
    source.for_each_word(
        member, [&](std::size_t part, std::uint64_t word) { *input++ = before.get(part, word); });
    auto expected = reference.run().begin();
    long double e = 0, r = 0;
    target.for_each_word(member, [&](std::size_t part, std::uint64_t word) {
      const Wide want = scale * *expected++, difference = after.get(part, word) - want;
      e += difference * difference;
      r += want * want;
    });
    errors.add(e, r);
  }
  return errors;
}

/// One side on the device.
template <Precision precision>
std::array<cl::Buffer, 2> upload(const cl::Context& context, const Memory<precision>& memory) {
  std::array<cl::Buffer, 2> buffers;
  for (std::size_t part = 0; part < memory.parts(); ++part) {
    const auto& words = memory.words(part);
    cl_int code = CL_SUCCESS;
    buffers[part] = cl::Buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR,
                               words.size() * sizeof(words[0]),
                               const_cast<typename Stored<precision>::Word*>(words.data()), &code);
    check(code, "clCreateBuffer");
  }
  return buffers;
}

template <Precision precision>
Memory<precision> download(const cl::CommandQueue& queue, const std::array<cl::Buffer, 2>& buffers,
                           Memory<precision> memory) {
  for (std::size_t part = 0; part < memory.parts(); ++part) {
    auto& words = memory.words(part);
    check(queue.enqueueReadBuffer(buffers[part], CL_TRUE, 0, words.size() * sizeof(words[0]),
                                  words.data()),
          "clEnqueueReadBuffer");
  }
  return memory;
}

Array array_of(const std::array<cl::Buffer, 2>& buffers, std::uint64_t offset) {
  return buffers[1]() == nullptr ? Array(buffers[0], offset)
                                 : Array::planar(buffers[0], buffers[1], offset);
}

}  // namespace

double error_bound(Precision precision, std::uint64_t points) {
  const double depth = 4 + std::log2(static_cast<double>(points));
  if (precision == Precision::f64) return 4e-17 * depth;
  return 2e-8 * depth + (precision == Precision::f16 ? kHalfRounding : 0);
}

double error_bound(const Case& problem) {
  const double bound = error_bound(problem.precision, problem.points());
  const Algorithm forced = problem.parameters.algorithm;
  const bool convolved = forced == Algorithm::rader || forced == Algorithm::bluestein;
  if (!convolved && !needs_any_length(problem)) return bound;
  return problem.precision == Precision::f16 ? 3 * (bound - kHalfRounding) + kHalfRounding
                                             : 3 * bound;
}

struct Verifier::State {
  cl::Context context;
  cl::Device device;
  Options options;
  std::uint64_t pooled = kPooled;
  cl::CommandQueue queue;
  Tamper tamper, instead;
  std::deque<Plan> plans;
  template <class Wide>
  using References = std::deque<std::pair<Case, std::unique_ptr<Reference<Wide>>>>;
  std::tuple<References<double>, References<long double>> references;

  template <class Wide>
  Reference<Wide>& reference(const Case& problem);
  double bound(const Case& problem) const {
    const Repeated target = repeated_side(problem, false, pooled);
    const bool published = target.members() * target.side.size() >= kPooled;
    return error_bound(problem) * (published ? 1 : 2);
  }
  std::string cannot(const Case& problem, std::uint64_t largest, std::uint64_t all) const;
  void execute(const Case& problem, const Repeated& source, const Repeated& target,
               const Arrays& arrays);
  template <Precision precision>
  Outcome verify(const Case& problem);
};

template <class Wide>
Reference<Wide>& Verifier::State::reference(const Case& problem) {
  Case key;
  key.lengths = problem.lengths;
  key.kind = problem.kind;
  key.axes = problem.axes;
  key.direction = problem.direction;
  const auto kinds = problem.kinds();
  if (std::any_of(kinds.begin(), kinds.end(), is_trigonometric)) key.norm = problem.norm;
  auto& kept = std::get<References<Wide>>(references);
  for (auto& [known, value] : kept) {
    if (known == key) return *value;
  }
  if (kept.size() == kReferencesKept) kept.pop_front();
  kept.emplace_back(key, std::make_unique<Reference<Wide>>(key));
  return *kept.back().second;
}

/// Why the device cannot hold the case; empty where it can. In bytes: the largest buffer, and all.
std::string Verifier::State::cannot(const Case& problem, std::uint64_t largest,
                                    std::uint64_t all) const {
  if (problem.precision == Precision::f64 && device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() == 0) {
    return "the device has no f64";
  }
  const std::uint64_t most = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  const std::uint64_t one = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  if (largest <= one && all <= most) return {};
  return "needs " + std::to_string(all) + " bytes, " + std::to_string(largest) +
         " of them in one buffer; the device allows " + std::to_string(most) + " and " +
         std::to_string(one);
}

void Verifier::State::execute(const Case& problem, const Repeated& source, const Repeated& target,
                              const Arrays& arrays) {
  Options with = options;
  with.parameters = problem.parameters;
  if (plans.size() == kPlansKept) plans.pop_front();
  const Plan& plan = plans.emplace_back(context, device, problem.transform(), with);
  const bool forward = problem.direction == Direction::forward;
  for (std::uint64_t repeat = 0; repeat < source.repeats; ++repeat) {
    const Array read = array_of(arrays.source, source.start(repeat));
    const Array write = array_of(arrays.target, target.start(repeat));
    if (problem.placement == Placement::in_place) {
      forward ? plan.forward(queue, read) : plan.inverse(queue, read);
    } else {
      forward ? plan.forward(queue, read, write) : plan.inverse(queue, read, write);
    }
  }
  check(queue.finish(), "clFinish");
}

template <Precision precision>
Outcome Verifier::State::verify(const Case& problem) {
  Outcome outcome;
  outcome.bound = bound(problem);
  const bool in_place = problem.placement == Placement::in_place;
  const Repeated source = repeated_side(problem, true, pooled),
                 target = repeated_side(problem, false, pooled);
  const std::uint64_t word = sizeof(typename Stored<precision>::Word);
  const std::uint64_t in_bytes = word * source.words(), out_bytes = word * target.words();
  // Source, target and as much scratch again.
  outcome.detail = cannot(problem, std::max(in_bytes, out_bytes),
                          source.parts() * (in_bytes + 2 * std::max(in_bytes, out_bytes)));
  if (!outcome.detail.empty()) {
    outcome.verdict = Verdict::skipped;
    return outcome;
  }
  Memory<precision> input(source.parts(),
                          in_place ? std::max(source.words(), target.words()) : source.words());
  fill(problem, source, input);
  const Memory<precision> marks(target.parts(), target.words());
  Arrays arrays;
  arrays.source = upload(context, input);
  arrays.target = in_place ? arrays.source : upload(context, marks);
  instead ? instead(queue, arrays) : execute(problem, source, target, arrays);
  if (tamper) tamper(queue, arrays);
  const auto output = download(queue, arrays.target, in_place ? input : marks);

  std::ostringstream detail;
  if (const auto damage = first_damage(output, target, in_place ? &source : nullptr)) {
    detail << "number " << damage->second << (damage->first == 1 ? " of the imaginary parts" : "")
           << " is outside the result and was written; ";
  }
  if (!in_place && !(download(queue, arrays.source, input) == input))
    detail << "the input was changed; ";
  const auto errors = compare(problem, input, source, output, target,
                              reference<typename Stored<precision>::Wide>(problem));
  outcome.error = errors.pooled();
  const auto worst = errors.worst();
  if (!(outcome.error < outcome.bound)) {
    detail << "error " << outcome.error << " is not below " << outcome.bound << "; ";
  }
  const double single = 2 * error_bound(problem);
  if (!(worst.error < single)) {
    detail << "error " << worst.error << " of member " << worst.member << " is not below " << single
           << "; ";
  }
  outcome.detail = detail.str();
  outcome.verdict = outcome.detail.empty() ? Verdict::passed : Verdict::failed;
  return outcome;
}

Verifier::Verifier(const cl::Context& context, const cl::Device& device, Options options,
                   std::uint64_t pooled)
    : state_(std::make_unique<State>()) {
  cl_int code = CL_SUCCESS;
  state_->context = context;
  state_->device = device;
  state_->options = std::move(options);
  state_->pooled = pooled;
  state_->queue = cl::CommandQueue(context, device, 0, &code);
  check(code, "clCreateCommandQueue");
}

Verifier::~Verifier() = default;

void Verifier::tamper(Tamper with) { state_->tamper = std::move(with); }

void Verifier::replace(Tamper with) { state_->instead = std::move(with); }

Outcome Verifier::verify(const Case& problem) {
  Outcome outcome;
  outcome.bound = state_->bound(problem);
  try {
    return with_precision(problem.precision, [&]<Precision precision>() {
      return state_->verify<precision>(problem);
    });
  } catch (const Unsupported& error) {
    outcome.verdict = Verdict::unsupported;
    outcome.detail = error.what();
  } catch (const std::exception& error) {
    outcome.detail = error.what();
  }
  return outcome;
}

}  // namespace imago::catalogue
