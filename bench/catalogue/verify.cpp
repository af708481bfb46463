// This file checks a case on a device. Both sides are filled with marks (NaNs that contain a
// number) everywhere outside the data, so that a word that is written, or read and used, by mistake
// shows. Elements that symmetry makes real must be real. Small transforms are repeated until 4096
// elements are pooled. The transforms of a batch differ in size, and in a second call some of them
// hold NaN or infinity.
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
#include "catalogue/errors.hpp"
#include "catalogue/host_memory.hpp"
#include "catalogue/outcome.hpp"
#include "catalogue/random.hpp"
#include "catalogue/reference.hpp"
#include "engine/composition.hpp"
#include "runtime/facts.hpp"
#include "runtime/queue.hpp"

namespace imago::catalogue {
namespace {

constexpr std::size_t kPlansKept = 8;  // cases with the same kernels do not build them again
constexpr std::size_t kReferencesKept = 4;
constexpr std::uint64_t kLargestSmallPrime = 31;  // above it: Rader or Bluestein
constexpr double kHalfRounding = 0x1p-11;         // error of storing a result in f16

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

template <class Wide>
Wide exact_scale(const Case& problem) {
  const auto n = static_cast<Wide>(problem.points());
  if (problem.norm == Norm::ortho) return 1 / std::sqrt(n);
  return problem.scale() == 1 ? Wide{1} : 1 / n;
}

/// A call from the host's view.
template <Precision precision>
struct Seen {
  const Case& problem;
  const Memory<precision>& before;  ///< contents of the source before the call
  const Repeated& source;
  const Memory<precision>& after;
  const Repeated& target;
};

/// Calls visit(transform, expected, found) for every number of the result, member by member.
template <Precision precision, class Visit>
void for_each_result(const Seen<precision>& seen,
                     Reference<typename Stored<precision>::Wide>& reference, Visit visit) {
  const auto scale = exact_scale<typename Stored<precision>::Wide>(seen.problem);
  const Strangers strangers(seen.problem, seen.target);
  for (std::uint64_t member = 0; member < seen.source.members(); ++member) {
    auto input = reference.input().begin();
    seen.source.for_each_word(member, [&](std::size_t part, std::uint64_t word) {
      *input++ = seen.before.get(part, word);
    });
    auto expected = reference.run().begin();
    strangers.for_each_word(seen.target, member,
                            [&](std::uint64_t transform, std::size_t part, std::uint64_t word) {
                              visit(transform, scale * *expected++, seen.after.get(part, word));
                            });
  }
}

/// Sums of squares of each transform.
struct Squares {
  std::vector<long double> errors, references;

  explicit Squares(std::uint64_t count) : errors(count), references(count) {}
  void add(std::uint64_t transform, long double want, long double found) {
    errors[transform] += (found - want) * (found - want);
    references[transform] += want * want;
  }
};

template <Precision precision>
Errors compare(const Seen<precision>& seen,
               Reference<typename Stored<precision>::Wide>& reference) {
  const std::vector<int> sizes = exponents(seen.problem, seen.source);
  Squares squares(sizes.size());
  for_each_result(seen, reference, [&](auto transform, auto want, auto found) {
    squares.add(transform, want, found);
  });
  Errors errors;
  for (std::size_t i = 0; i < sizes.size(); ++i)
    errors.add(squares.errors[i], squares.references[i], std::ldexp(1.0L, sizes[i]));
  return errors;
}

/// Returns a description of the errors of a call in which some transforms hold NaN or infinity;
/// empty if there are none. Every number that depends on such an element must show it, and all
/// other transforms must be right.
template <Precision precision>
std::string compare_poisoned(const Seen<precision>& seen, const Poisoned<precision>& data,
                             double bound, Reference<typename Stored<precision>::Wide>& reference) {
  const std::vector<bool>& poisoned = data.transforms;
  constexpr double kNone = 1e-9;  // a factor below it is 0 up to the reference's rounding
  const double none = kNone * seen.problem.scale();
  Squares squares(poisoned.size());
  std::vector<bool> hidden(poisoned.size());
  for_each_result(seen, reference, [&](auto transform, auto want, auto found) {
    if (!poisoned[transform]) squares.add(transform, want, found);
  });
  const Seen<precision> factors{seen.problem, data.impulses, seen.source, seen.after, seen.target};
  for_each_result(factors, reference, [&](auto transform, auto factor, auto found) {
    if (poisoned[transform] && std::abs(factor) > none && std::isfinite(found))
      hidden[transform] = true;
  });
  for (std::size_t i = 0; i < poisoned.size(); ++i) {
    const std::string name = "transform " + std::to_string(i);
    if (hidden[i]) return name + " holds NaN or infinity, and its result hides it; ";
    Errors own;
    own.add(squares.errors[i], squares.references[i]);
    if (poisoned[i] || own.pooled() < bound) continue;
    std::ostringstream text;
    text << "error " << own.pooled() << " of " << name
         << ", beside others that hold NaN or infinity, is not below " << bound << "; ";
    return text.str();
  }
  return {};
}

/// Returns a description of the elements that symmetry makes real and that are not; empty if there
/// are none.
template <Precision precision>
std::string find_imaginary(const Seen<precision>& seen) {
  const std::uint64_t columns = seen.target.side.extents.back();
  std::size_t wrong = 0;
  double largest = 0;
  for (std::uint64_t member = 0; member < seen.target.members(); ++member) {
    std::uint64_t number = 0;
    seen.target.for_each_word(member, [&](std::size_t part, std::uint64_t word) {
      const bool imaginary = number % 2 == 1;
      if (imaginary && is_real_bin(seen.problem, number / 2 % columns)) {
        const auto found = static_cast<double>(seen.after.get(part, word));
        wrong += found == 0 ? 0 : 1;
        largest = std::max(largest, std::abs(found));
      }
      ++number;
    });
  }
  if (wrong == 0) return {};
  std::ostringstream text;
  text << wrong << " elements that symmetry makes real have imaginary parts up to " << largest
       << "; ";
  return text.str();
}

/// Creates buffers with one side on the device.
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

bool uses_pairs(const cl::Device& device, const Options& options) {
  return engine::facts_for(runtime::reported_facts(device()), options).f64.pairs;
}

double error_bound(Precision precision, std::uint64_t points, bool pairs) {
  const double levels = std::log2(static_cast<double>(points)), depth = 4 + levels;
  // Pairs are also rounded where they are loaded and stored.
  if (precision == Precision::f64) return pairs ? 4e-16 * (8 + levels) : 4e-17 * depth;
  return 2e-8 * depth + (precision == Precision::f16 ? kHalfRounding : 0);
}

double error_bound(const Case& problem, bool pairs) {
  const double bound = error_bound(problem.precision, problem.points(), pairs);
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
  bool pairs = false;
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
    return error_bound(problem, pairs) * (published ? 1 : 2);
  }
  std::string cannot(std::uint64_t largest, std::uint64_t all) const;
  Plan make_plan(const Case& problem) const;
  void execute(const Case& problem, const Repeated& source, const Repeated& target,
               const Arrays& arrays);
  /// Returns the target after the call. Adds to `detail` words that must not have been written.
  template <Precision precision>
  Memory<precision> call(const Case& problem, const Memory<precision>& input, std::string& detail);
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

/// Returns why the device cannot hold the case; empty if it can. The arguments are bytes: the
/// largest buffer, and all buffers.
std::string Verifier::State::cannot(std::uint64_t largest, std::uint64_t all) const {
  const std::uint64_t most = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  const std::uint64_t one = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  if (largest <= one && all <= most) return {};
  return "needs " + std::to_string(all) + " bytes, " + std::to_string(largest) +
         " of them in one buffer; the device allows " + std::to_string(most) + " and " +
         std::to_string(one);
}

Plan Verifier::State::make_plan(const Case& problem) const {
  Options with = options;
  with.parameters = problem.parameters;
  return Plan(context, device, problem.transform(), with);
}

void Verifier::State::execute(const Case& problem, const Repeated& source, const Repeated& target,
                              const Arrays& arrays) {
  const Plan& plan = plans.back();
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
Memory<precision> Verifier::State::call(const Case& problem, const Memory<precision>& input,
                                        std::string& detail) {
  const bool in_place = problem.placement == Placement::in_place;
  const Repeated source = repeated_side(problem, true, pooled),
                 target = repeated_side(problem, false, pooled);
  const Memory<precision> marks(target.parts(), target.words());
  Arrays arrays;
  arrays.source = upload(context, input);
  arrays.target = in_place ? arrays.source : upload(context, marks);
  instead ? instead(queue, arrays) : execute(problem, source, target, arrays);
  if (tamper) tamper(queue, arrays);
  auto output = download(queue, arrays.target, in_place ? input : marks);
  std::ostringstream text;
  if (const auto damage = first_damage(output, target, in_place ? &source : nullptr)) {
    text << "number " << damage->second << (damage->first == 1 ? " of the imaginary parts" : "")
         << " is outside the result and was written; ";
  }
  if (!in_place && !(download(queue, arrays.source, input) == input))
    text << "the input was changed; ";
  detail += text.str();
  return output;
}

template <Precision precision>
Outcome Verifier::State::verify(const Case& problem) {
  Outcome outcome;
  outcome.bound = bound(problem);
  // The worst of thousands of short transforms is further off with pairs, whose low parts cancel.
  outcome.worst_bound = (pairs ? 3 : 2) * error_bound(problem, pairs);
  const bool in_place = problem.placement == Placement::in_place;
  const Repeated source = repeated_side(problem, true, pooled),
                 target = repeated_side(problem, false, pooled);
  const std::uint64_t word = sizeof(typename Stored<precision>::Word);
  const std::uint64_t in_bytes = word * source.words(), out_bytes = word * target.words();
  // Source, target and the same amount of scratch.
  outcome.detail = cannot(std::max(in_bytes, out_bytes),
                          source.parts() * (in_bytes + 2 * std::max(in_bytes, out_bytes)));
  if (!outcome.detail.empty()) {
    outcome.verdict = Verdict::skipped;
    return outcome;
  }
  if (!instead) {
    if (plans.size() == kPlansKept) plans.pop_front();
    plans.push_back(make_plan(problem));
  }
  Memory<precision> input(source.parts(),
                          in_place ? std::max(source.words(), target.words()) : source.words());
  fill(problem, source, input);
  auto& expected = reference<typename Stored<precision>::Wide>(problem);
  const auto output = call(problem, input, outcome.detail);
  const auto errors = compare<precision>({problem, input, source, output, target}, expected);
  const auto worst = errors.worst();
  outcome.error = errors.pooled();
  outcome.worst = worst.error;
  std::ostringstream detail;
  if (!(outcome.error < outcome.bound))
    detail << "error " << outcome.error << " is not below " << outcome.bound << "; ";
  if (!(worst.error < outcome.worst_bound)) {
    detail << "error " << worst.error << " of transform " << worst.transform << " is not below "
           << outcome.worst_bound << "; ";
  }
  outcome.detail += detail.str();
  outcome.detail += find_imaginary<precision>({problem, input, source, output, target});
  if (can_differ(problem, source)) {
    const auto poisoned = poison(problem, source, std::move(input));
    const auto result = call(problem, poisoned.data, outcome.detail);
    outcome.detail += compare_poisoned<precision>({problem, poisoned.data, source, result, target},
                                                  poisoned, outcome.worst_bound, expected);
  }
  outcome.verdict = outcome.detail.empty() ? Verdict::passed : Verdict::failed;
  return outcome;
}

Verifier::Verifier(const cl::Context& context, const cl::Device& device, Options options,
                   std::uint64_t pooled)
    : state_(std::make_unique<State>()) {
  state_->context = context;
  state_->device = device;
  state_->options = std::move(options);
  state_->pooled = pooled;
  state_->pairs = uses_pairs(device, state_->options);
  state_->queue = cl::CommandQueue(runtime::make_queue(context(), device()).take());
}

Verifier::~Verifier() = default;

void Verifier::tamper(Tamper with) { state_->tamper = std::move(with); }

void Verifier::replace(Tamper with) { state_->instead = std::move(with); }

Outcome Verifier::verify(const Case& problem) {
  return outcome_of({.bound = state_->bound(problem)}, [&] {
    return with_precision(problem.precision, [&]<Precision precision>() {
      return state_->verify<precision>(problem);
    });
  });
}

}  // namespace imago::catalogue
