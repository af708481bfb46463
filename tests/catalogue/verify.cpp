// This file checks a case on a device. Both buffers are filled with marks (NaNs with a number
// inside) wherever the case has no data, so that a word that is written by mistake, or read and
// used by mistake, shows. Small transforms are repeated until 4096 elements are pooled.
#include <bit>
#include <cmath>
#include <complex>
#include <deque>
#include <exception>
#include <map>
#include <sstream>
#include <stdexcept>
#include <type_traits>

#include "base/integers.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/random.hpp"
#include "catalogue/reference.hpp"

namespace imago::catalogue {
namespace {

constexpr std::uint64_t kGuard = 64;  // marked elements after the end of each buffer
constexpr std::size_t kPlansKept =
    8;  // so that cases with the same kernels do not build them again
constexpr std::size_t kReferencesKept = 4;

void check(cl_int code, const char* call) {
  if (code != CL_SUCCESS)
    throw std::runtime_error(std::string(call) + " failed: " + std::to_string(code));
}

/// Where the members of all repetitions lie in one buffer.
struct Side {
  std::uint64_t length, batch, repeats, offset, distance;
  std::uint64_t stride() const { return offset + batch * distance; }
  std::uint64_t elements() const { return repeats * stride() + kGuard; }
  std::uint64_t members() const { return repeats * batch; }
  std::uint64_t first(std::uint64_t member) const {
    return member / batch * stride() + offset + member % batch * distance;
  }
};

Side side_of(const Case& problem, const Spacing& spacing, std::uint64_t pooled) {
  const std::uint64_t repeats = base::ceil_divide(pooled, problem.length * problem.batch);
  return {problem.length, problem.batch, repeats, spacing.offset, problem.length + spacing.gap};
}

template <class Real>
using Bits = std::conditional_t<sizeof(Real) == 4, std::uint32_t, std::uint64_t>;

/// The mark of word `index`: a quiet NaN that no arithmetic makes.
template <class Real>
Bits<Real> mark(std::uint64_t index) {
  if constexpr (sizeof(Real) == 4)
    return 0x7fd00000u | static_cast<std::uint32_t>(index & 0xfffffu);
  return static_cast<Bits<Real>>(0x7ffd000000000000ull | (index & 0xffffffffffull));
}

/// Host copy of one buffer. Words, not floating-point values, so that NaNs keep their bits.
template <class Real>
struct Words {
  std::vector<Bits<Real>> words;

  explicit Words(const Side& side) : words(2 * side.elements()) {
    for (std::uint64_t i = 0; i < words.size(); ++i) words[i] = mark<Real>(i);
  }
  void set(std::uint64_t element, std::complex<Real> value) {
    words[2 * element] = std::bit_cast<Bits<Real>>(value.real());
    words[2 * element + 1] = std::bit_cast<Bits<Real>>(value.imag());
  }
  std::complex<Real> get(std::uint64_t element) const {
    return {std::bit_cast<Real>(words[2 * element]), std::bit_cast<Real>(words[2 * element + 1])};
  }
  std::size_t bytes() const { return words.size() * sizeof(Bits<Real>); }
  bool marked(std::uint64_t element) const {
    return words[2 * element] == mark<Real>(2 * element) &&
           words[2 * element + 1] == mark<Real>(2 * element + 1);
  }
};

template <class Real>
Words<Real> random_input(const Case& problem, const Side& side) {
  Words<Real> input(side);
  Random random(hash(problem.name()));
  for (std::uint64_t member = 0; member < side.members(); ++member) {
    const std::uint64_t first = side.first(member);
    for (std::uint64_t i = 0; i < side.length; ++i) {
      const auto re = static_cast<Real>(random.uniform()), im = static_cast<Real>(random.uniform());
      input.set(first + i, {re, im});
    }
  }
  return input;
}

/// The first element outside every member that lost its mark, or elements().
template <class Real>
std::uint64_t first_damage(const Words<Real>& words, const Side& side) {
  std::uint64_t at = 0;
  for (std::uint64_t member = 0; member <= side.members(); ++member) {
    const std::uint64_t end = member < side.members() ? side.first(member) : side.elements();
    for (; at < end; ++at) {
      if (!words.marked(at)) return at;
    }
    if (member < side.members()) at += side.length;
  }
  return side.elements();
}

/// Squared errors, pooled and of the worst member.
struct Errors {
  long double error = 0, reference = 0, worst = 0;
  std::uint64_t worst_member = 0;

  void add(std::uint64_t member, long double e, long double r) {
    error += e;
    reference += r;
    // Written so that a NaN is the worst.
    const long double ratio = r == 0 ? e : e / r;
    if (!(ratio <= worst) && !std::isnan(worst)) {
      worst = ratio;
      worst_member = member;
    }
  }
  double pooled() const {
    return static_cast<double>(std::sqrt(reference == 0 ? error : error / reference));
  }
};

template <class Real>
Errors compare(const Case& problem, const Words<Real>& input, const Side& source,
               const Words<Real>& output, const Side& target, Reference<Real>& reference) {
  using Wide = typename Reference<Real>::Wide;
  const auto n = static_cast<Wide>(problem.length);
  const bool ortho = problem.norm == Norm::ortho;
  const Wide scale = ortho ? 1 / std::sqrt(n) : problem.scale() == 1 ? Wide{1} : 1 / n;
  std::vector<std::complex<Real>> member_input(problem.length);
  Errors errors;
  for (std::uint64_t member = 0; member < source.members(); ++member) {
    const std::uint64_t in = source.first(member), out = target.first(member);
    for (std::uint64_t i = 0; i < problem.length; ++i) member_input[i] = input.get(in + i);
    const auto expected = reference.transform(member_input);
    long double e = 0, r = 0;
    for (std::uint64_t i = 0; i < problem.length; ++i) {
      const auto value = output.get(out + i);
      const Wide re = scale * expected[i].real(), im = scale * expected[i].imag();
      const Wide dre = static_cast<Wide>(value.real()) - re,
                 dim = static_cast<Wide>(value.imag()) - im;
      e += dre * dre + dim * dim;
      r += re * re + im * im;
    }
    errors.add(member, e, r);
  }
  return errors;
}

}  // namespace

double error_bound(Precision precision, std::uint64_t length) {
  const double depth = 4 + std::log2(static_cast<double>(length));
  return (precision == Precision::f32 ? 2e-8 : 4e-17) * depth;
}

struct Verifier::State {
  cl::Context context;
  cl::Device device;
  Options options;
  std::uint64_t pooled = kPooled;
  cl::CommandQueue queue;
  Tamper tamper;
  std::deque<Plan> plans;
  template <class Real>
  using References =
      std::deque<std::pair<std::pair<std::uint64_t, Direction>, std::unique_ptr<Reference<Real>>>>;
  References<float> f32;
  References<double> f64;

  template <class Real>
  Reference<Real>& reference(std::uint64_t length, Direction direction);
  double bound(const Case& problem) const {
    const bool published = std::max(pooled, problem.length * problem.batch) >= kPooled;
    return error_bound(problem.precision, problem.length) * (published ? 1 : 2);
  }
  std::string cannot(const Case& problem, std::uint64_t bytes);
  cl::Buffer upload(const void* data, std::size_t bytes);
  void execute(const Case& problem, const Side& source, const Side& target, const cl::Buffer& in,
               const cl::Buffer& out);
  template <class Real>
  Outcome verify(const Case& problem);
};

template <class Real>
Reference<Real>& Verifier::State::reference(std::uint64_t length, Direction direction) {
  References<Real>* kept = nullptr;
  if constexpr (std::is_same_v<Real, float>) {
    kept = &f32;
  } else {
    kept = &f64;
  }
  for (auto& [key, value] : *kept) {
    if (key == std::pair{length, direction}) return *value;
  }
  if (kept->size() == kReferencesKept) kept->pop_front();
  kept->emplace_back(std::pair{length, direction},
                     std::make_unique<Reference<Real>>(length, direction));
  return *kept->back().second;
}

/// Why the device cannot hold the case; empty where it can.
std::string Verifier::State::cannot(const Case& problem, std::uint64_t bytes) {
  if (problem.precision == Precision::f64 && device.getInfo<CL_DEVICE_DOUBLE_FP_CONFIG>() == 0) {
    return "the device has no f64";
  }
  // Source, target and as much scratch again.
  const std::uint64_t all = device.getInfo<CL_DEVICE_GLOBAL_MEM_SIZE>();
  const std::uint64_t one = device.getInfo<CL_DEVICE_MAX_MEM_ALLOC_SIZE>();
  if (bytes > one || 3 * bytes > all) {
    return "needs buffers of " + std::to_string(bytes) + " bytes; the device allows " +
           std::to_string(one) + " each, " + std::to_string(all) + " in all";
  }
  return {};
}

cl::Buffer Verifier::State::upload(const void* data, std::size_t bytes) {
  cl_int code = CL_SUCCESS;
  cl::Buffer buffer(context, CL_MEM_READ_WRITE | CL_MEM_COPY_HOST_PTR, bytes,
                    const_cast<void*>(data), &code);
  check(code, "clCreateBuffer");
  return buffer;
}

void Verifier::State::execute(const Case& problem, const Side& source, const Side& target,
                              const cl::Buffer& in, const cl::Buffer& out) {
  Options with = options;
  with.parameters = problem.parameters;
  if (plans.size() == kPlansKept) plans.pop_front();
  const Plan& plan = plans.emplace_back(context, device, problem.transform(), with);
  const bool forward = problem.direction == Direction::forward;
  for (std::uint64_t repeat = 0; repeat < source.repeats; ++repeat) {
    const Array read(in, repeat * source.stride()), write(out, repeat * target.stride());
    if (problem.placement == Placement::in_place) {
      forward ? plan.forward(queue, read) : plan.inverse(queue, read);
    } else {
      forward ? plan.forward(queue, read, write) : plan.inverse(queue, read, write);
    }
  }
  check(queue.finish(), "clFinish");
  if (tamper) tamper(queue, in, out);
}

template <class Real>
Outcome Verifier::State::verify(const Case& problem) {
  Outcome outcome;
  outcome.bound = bound(problem);
  const bool in_place = problem.placement == Placement::in_place;
  const Side source = side_of(problem, problem.source, pooled);
  const Side target = in_place ? source : side_of(problem, problem.target, pooled);
  outcome.detail =
      cannot(problem, 2 * sizeof(Real) * std::max(source.elements(), target.elements()));
  outcome.skipped = !outcome.detail.empty();
  if (outcome.skipped) return outcome;

  const auto input = random_input<Real>(problem, source);
  Words<Real> output(target);
  const cl::Buffer in = upload(input.words.data(), input.bytes());
  const cl::Buffer out = in_place ? in : upload(output.words.data(), output.bytes());
  execute(problem, source, target, in, out);
  check(queue.enqueueReadBuffer(out, CL_TRUE, 0, output.bytes(), output.words.data()),
        "clEnqueueReadBuffer");

  std::ostringstream detail;
  if (const auto damage = first_damage(output, target); damage != target.elements()) {
    detail << "element " << damage << " is outside the result and was written; ";
  }
  if (!in_place) {
    auto after = input;
    check(queue.enqueueReadBuffer(in, CL_TRUE, 0, after.bytes(), after.words.data()),
          "clEnqueueReadBuffer");
    if (after.words != input.words) detail << "the input was changed; ";
  }
  const auto errors = compare(problem, input, source, output, target,
                              reference<Real>(problem.length, problem.direction));
  outcome.error = errors.pooled();
  const auto worst = static_cast<double>(std::sqrt(errors.worst));
  if (!(outcome.error < outcome.bound)) {
    detail << "error " << outcome.error << " is not below " << outcome.bound << "; ";
  }
  const double single = 2 * error_bound(problem.precision, problem.length);
  if (!(worst < single)) {
    detail << "error " << worst << " of member " << errors.worst_member << " is not below "
           << single << "; ";
  }
  outcome.detail = detail.str();
  outcome.passed = outcome.detail.empty();
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

Outcome Verifier::verify(const Case& problem) {
  try {
    return problem.precision == Precision::f32 ? state_->verify<float>(problem)
                                               : state_->verify<double>(problem);
  } catch (const std::exception& error) {
    Outcome outcome;
    outcome.bound = state_->bound(problem);
    outcome.detail = error.what();
    return outcome;
  }
}

Outcome verify(const cl::Context& context, const cl::Device& device, const Case& problem) {
  return Verifier(context, device).verify(problem);
}

}  // namespace imago::catalogue
