// This file tests a device before its first plan.
#include "engine/proof.hpp"

#include <cmath>
#include <complex>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <set>
#include <string_view>
#include <utility>

#include "base/errors.hpp"
#include "base/log.hpp"
#include "base/stopwatch.hpp"
#include "engine/engine.hpp"
#include "engine/generator_version.hpp"
#include "problem/reference.hpp"
#include "problem/words.hpp"
#include "runtime/laboratory.hpp"
#include "runtime/memory.hpp"
#include "runtime/queue.hpp"

namespace imago::engine {
namespace {

const std::string kRight = "right";
// Rounding errors are about 1e-7 and 1e-16, with pairs 1e-14; errors of wrong compilers were 0.02
// and more, and of compilers that reassociate sums of pairs 1e-7.
constexpr double kTolerance = 1e-4, kDoubleTolerance = 1e-10;

/// Returns numbers from -1 to 1 without any symmetry.
std::vector<double> signal_of(std::size_t count) {
  std::vector<double> numbers(count);
  std::uint32_t state = 1;
  for (double& number : numbers) {
    state = state * 1664525u + 1013904223u;  // Numerical Recipes, 7.1: ranqd1
    number = static_cast<double>(state >> 8) / (1 << 23) - 1;
  }
  return numbers;
}

std::vector<double> flat(const std::vector<std::complex<double>>& numbers, bool real) {
  std::vector<double> parts;
  for (const auto& number : numbers) {
    parts.push_back(number.real());
    if (!real) parts.push_back(number.imag());
  }
  return parts;
}

/// Returns the spectra of all batch elements; numbers are in the order of memory.
std::vector<double> expected_of(const Transform& transform, const std::vector<double>& signal) {
  const bool reals = transform.kind != Kind::complex;
  const std::size_t numbers = signal.size() / (reals ? 1 : 2), each = numbers / transform.batch;
  std::vector<double> expected;
  for (std::size_t first = 0; first < numbers; first += each) {
    std::vector<std::complex<double>> x(each);
    for (std::size_t i = 0; i < each; ++i)
      x[i] = reals ? std::complex(signal[first + i])
                   : std::complex(signal[2 * (first + i)], signal[2 * (first + i) + 1]);
    const auto spectrum = problem::reference(transform.kind, transform.lengths, std::move(x));
    const auto parts = flat(spectrum, reals && transform.kind != Kind::real);
    expected.insert(expected.end(), parts.begin(), parts.end());
  }
  return expected;
}

template <class Real>
std::vector<std::byte> bytes_of(const std::vector<double>& numbers) {
  std::vector<std::byte> bytes(numbers.size() * sizeof(Real));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    const auto number = static_cast<Real>(numbers[i]);
    std::memcpy(&bytes[i * sizeof number], &number, sizeof number);
  }
  return bytes;
}

template <class Real>
std::vector<double> numbers_of(const std::vector<std::byte>& bytes) {
  std::vector<double> numbers(bytes.size() / sizeof(Real));
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    Real number;
    std::memcpy(&number, &bytes[i * sizeof number], sizeof number);
    numbers[i] = number;
  }
  return numbers;
}

/// Returns what the engine computes in a context.
std::vector<std::byte> run(cl_context context, cl_command_queue queue, const Engine& engine,
                           const std::vector<std::byte>& signal) {
  const auto& problem = engine.blueprint.problem;
  const std::size_t scratch = engine.scratch_bytes();
  const auto in = runtime::allocate_copy(context, signal.size(), signal.data());
  const auto out = runtime::allocate_zeros(context, problem.spectrum.bytes());
  const auto memory = scratch ? runtime::allocate(context, scratch) : runtime::Handle<cl_mem>();
  runtime::Call call;
  call.queue = queue;
  call.input = {in.get(), nullptr, problem.signal.offset};
  call.output = {out.get(), nullptr, problem.spectrum.offset};
  call.scratch = {memory.get(), engine.counters.get()};
  engine.forward->enqueue(call);
  std::vector<std::byte> spectrum(problem.spectrum.bytes());
  runtime::check(clEnqueueReadBuffer(queue, out.get(), CL_TRUE, 0, spectrum.size(), spectrum.data(),
                                     0, nullptr, nullptr),
                 "clEnqueueReadBuffer");
  return spectrum;
}

std::string name_of(const Transform& transform, const Tested& tested) {
  std::string name;
  for (const std::size_t length : transform.lengths)
    name += (name.empty() ? "" : "x") + std::to_string(length);
  name += " of kind " + std::string(base::word_of(problem::kKinds, transform.kind));
  name += ", " + std::string(base::word_of(problem::kPrecisions, transform.precision));
  if (tested.pairs) name += " in pairs of f32";
  return name + ", mapping " + std::string(base::word_of(problem::kMappings, tested.mapping));
}

bool right(cl_context context, cl_command_queue queue, const Engine& engine,
           const Transform& transform) {
  const auto& problem = engine.blueprint.problem;
  const bool wide = transform.precision == Precision::f64;
  const auto signal = signal_of(problem.signal.bytes() / (wide ? sizeof(double) : sizeof(float)));
  const auto found =
      run(context, queue, engine, wide ? bytes_of<double>(signal) : bytes_of<float>(signal));
  return !wrong(wide ? numbers_of<double>(found) : numbers_of<float>(found),
                expected_of(transform, signal), transform.precision, transform.batch);
}

Options test_options(const runtime::DiskCache& disk, bool pairs = false) {
  Options options;
  options.f64 = pairs ? F64::pairs : F64::native;
  options.profiles = false;
  options.trust_device = true;
  options.disk_cache = !disk.directory().empty();
  options.cache_directory = disk.directory();
  return options;
}

std::string carry_out(cl_device_id device, const device::Facts& facts, const Tested& tested,
                      const runtime::DiskCache& disk) {
  // A separate context, so that a broken kernel cannot damage the caller's.
  const runtime::Laboratory laboratory(device);
  const auto target = make_target(laboratory.context.get(), device);
  Options options = test_options(disk, tested.pairs);
  options.parameters.mapping = tested.mapping;
  base::log(LogLevel::info, "first use of " + facts.name + ": self-test of the device");
  const auto transforms = proof_transforms(facts, tested.pairs);
  std::vector<runtime::ProgramPointer> kept;
  try {
    kept = build_ahead(target, facts, transforms, options);
  } catch (const DeviceError& error) {  // the loop below builds and reports the same kernel
    base::log(LogLevel::debug,
              std::string("cannot build the self-test's kernels: ") + error.what());
  }
  for (const auto& transform : transforms) {
    const auto engine = make_engine(target, facts, transform, options);
    if (!right(target.context, laboratory.queue.get(), engine, transform))
      return name_of(transform, tested);
  }
  return {};
}

/// Computes the transforms of the self-test on generic kernels of one precision, with hooks if
/// `hooked`. It uses the caller's context, because the caller waits, and a second context needs a
/// second compilation.
std::string carry_out_generic(const runtime::Target& target, const device::Facts& facts,
                              const kernel::Step& kernel, bool hooked,
                              const runtime::DiskCache& disk) {
  const auto queue = runtime::make_queue(target.context, target.device);
  const Options options = test_options(disk, kernel.pairs);
  base::log(LogLevel::info, "first use of " + facts.name + ": compiling its generic kernels");
  std::vector<Engine> engines;  // the first one's kernels serve all
  for (auto transform : proof_transforms(facts, kernel.pairs)) {
    transform.precision = kernel.precision;
    if (hooked)  // they cancel each other
      transform.on_forward = {{hook::roll(0, 3), hook::scale(-2), hook::roll(0, -3)},
                              {hook::scale(-0.5)}};
    engines.push_back(make_generic_engine(target, facts, transform, options));
    if (!right(target.context, queue.get(), engines.back(), transform))
      return name_of(transform, {Mapping::automatic, kernel.pairs}) + ", generic kernels";
  }
  return {};
}

/// Does the same on a kernel of rows; each transform is a row.
std::string carry_out_rows(const runtime::Target& target, const device::Facts& facts,
                           const kernel::Step& kernel, const runtime::DiskCache& disk) {
  const auto queue = runtime::make_queue(target.context, target.device);
  const Options options = test_options(disk, kernel.pairs);
  std::vector<Engine> engines;
  for (auto transform : proof_transforms(facts, kernel.pairs)) {
    transform.precision = kernel.precision;
    RaggedTransform row{.kind = transform.kind, .precision = transform.precision};
    row.lengths = transform.lengths, row.batch = transform.batch;
    row.directions = transform.directions;
    engines.emplace_back(target, decide(problem::make_rows(row), facts, options), facts.type, disk);
    if (!right(target.context, queue.get(), engines.back(), transform))
      return name_of(transform, {Mapping::automatic, kernel.pairs}) + ", kernels of rows";
  }
  return {};
}

/// Throws DeviceError if a transform was wrong; empty: none.
void refuse(const device::Facts& facts, const std::string& found) {
  if (found.empty()) return;
  base::wrong_device(facts.name + ", driver " + facts.driver, found,
                     "use another driver or device. `imago selftest` prints details; to continue "
                     "anyway, set Options::trust_device or IMAGO_TRUST_DEVICE=1");
}

bool trusted(const Options& options) {
  const char* word = std::getenv("IMAGO_TRUST_DEVICE");
  return options.trust_device || (word && std::string_view(word) == "1");
}

std::set<Tested> tested_by(const Blueprint& blueprint) {
  std::set<Tested> tested;
  for (const auto* direction : {&blueprint.forward, &blueprint.inverse}) {
    if (!*direction) continue;
    for (const auto& step : (*direction)->program.steps)
      tested.insert({step.mapping(), step.pairs});
  }
  return tested;
}

}  // namespace

bool wrong(const std::vector<double>& found, const std::vector<double>& expected,
           Precision precision, std::size_t members) {
  if (found.size() != expected.size()) return true;
  const double tolerance = precision == Precision::f64 ? kDoubleTolerance : kTolerance;
  const std::size_t each = expected.size() / members;
  for (std::size_t first = 0; first < expected.size(); first += each) {
    double error = 0, size = 0;
    for (std::size_t i = first; i < first + each; ++i) {
      error += (found[i] - expected[i]) * (found[i] - expected[i]);
      size += expected[i] * expected[i];
    }
    if (!(std::sqrt(error) <= tolerance * std::sqrt(size))) return true;  // a NaN is wrong
  }
  return false;
}

std::vector<Transform> proof_transforms(const device::Facts& facts, bool pairs) {
  const Transform wide{.precision = Precision::f64, .lengths = {64}, .batch = 2};
  std::vector<Transform> transforms = {
      {.lengths = {120}, .batch = 3},                     // several passes
      {.kind = Kind::real, .lengths = {72}, .batch = 5},  // points made of two real numbers
      {.kind = Kind::dct3, .lengths = {48}, .batch = 3},  // reordered elements
      {.lengths = {37}, .batch = 3},                      // a convolution
  };
  if (pairs) transforms.clear();  // the others are tested without pairs
  if (facts.f64.native || pairs) transforms.push_back(wide);
  for (auto& transform : transforms) transform.directions = Directions::forward;
  return transforms;
}

base::Digest proof_key(cl_device_id device, const Tested& tested) {
  return base::Hasher()
      .field(tested.pairs ? "proof of pairs 1" : "proof 1")
      .field(runtime::identity(device).hex())
      .field(chooser_version())
      .field(base::word_of(problem::kMappings, tested.mapping))
      .digest();
}

std::string proof(cl_device_id device, const device::Facts& facts, const Tested& tested,
                  const runtime::DiskCache& disk) {
  const auto test = [&] {
    const base::Stopwatch watch;
    const std::string wrong = carry_out(device, facts, tested, disk);
    base::log(LogLevel::info, "the self-test took " + base::milliseconds(watch.seconds()));
    return wrong.empty() ? kRight : wrong;
  };
  const auto found = runtime::found_once(proof_key(device, tested), disk,
                                         "cannot run the self-test of " + facts.name, test);
  return !found || *found == kRight ? std::string() : *found;
}

void prove(cl_device_id device, const device::Facts& facts, const Blueprint& blueprint,
           const Options& options) {
  if (trusted(options)) return;
  for (const Tested& tested : tested_by(blueprint))
    refuse(facts, proof(device, facts, tested, disk_cache(options)));
}

void prove_generic(const runtime::Target& target, const device::Facts& facts,
                   const Blueprint& blueprint, const Options& options) {
  if (trusted(options)) return;
  const auto disk = disk_cache(options);
  for (const kernel::Step& step : blueprint.first().program.steps) {
    const bool hooked = step.generic_hooks() != nullptr;
    const bool rows = step.generic() && step.generic()->rows;
    const auto key = base::Hasher()
                         .field(step.pairs ? "generic proof of pairs 1" : "generic proof 1")
                         .field(hooked ? "hooks"
                                : rows ? "rows"
                                       : "lines")
                         .field(target.identity.hex())
                         .field(chooser_version())
                         .field(base::word_of(problem::kPrecisions, step.precision))
                         .digest();
    const auto found =
        runtime::found_once(key, disk, "cannot run the self-test of " + facts.name, [&] {
          const std::string wrong = rows ? carry_out_rows(target, facts, step, disk)
                                         : carry_out_generic(target, facts, step, hooked, disk);
          return wrong.empty() ? kRight : wrong;
        });
    if (found && *found != kRight) refuse(facts, *found);
  }
}

}  // namespace imago::engine
