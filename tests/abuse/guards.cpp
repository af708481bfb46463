// This file runs cases whose buffers lie directly before or after a page without access: a kernel
// of a CPU that leaves its buffer ends the program.
#include <sys/mman.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "attacks.hpp"
#include "catalogue/catalogue.hpp"
#include "catalogue/host_memory.hpp"
#include "catalogue/shapes.hpp"

namespace imago::abuse {
namespace {

using catalogue::Case;
using catalogue::Random;

/// A buffer on the host's memory between two pages without access. It touches one of them.
class Guarded {
 public:
  Guarded(const test::Device& device, std::size_t bytes, bool at_end) {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    const std::size_t inner = (bytes + page - 1) / page * page;
    size_ = inner + 2 * page;
    void* const all = mmap(nullptr, size_, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) throw std::runtime_error("mmap failed");
    pages_ = static_cast<char*>(all);
    if (mprotect(pages_ + page, inner, PROT_READ | PROT_WRITE) != 0)
      throw std::runtime_error("mprotect failed");
    cl_int code = CL_SUCCESS;
    buffer = cl::Buffer(device.context, CL_MEM_READ_WRITE | CL_MEM_USE_HOST_PTR, bytes,
                        pages_ + page + (at_end ? inner - bytes : 0), &code);
    test::check_call(code, "clCreateBuffer");
  }
  ~Guarded() {
    buffer = cl::Buffer();
    munmap(pages_, size_);
  }
  Guarded(const Guarded&) = delete;
  Guarded& operator=(const Guarded&) = delete;

  cl::Buffer buffer;

 private:
  char* pages_ = nullptr;
  std::size_t size_ = 0;
};

/// The part of the verifier's buffers that a plan sees, in guarded ones.
class GuardedSide {
 public:
  GuardedSide(const test::Device& device, const std::array<cl::Buffer, 2>& buffers,
              std::size_t first, std::size_t bytes, bool at_end)
      : buffers_(buffers), first_(first), bytes_(bytes) {
    for (std::size_t part = 0; part < (buffers[1]() ? 2 : 1); ++part)
      guarded_.push_back(std::make_unique<Guarded>(device, bytes, at_end));
  }
  void load(const cl::CommandQueue& queue) const { copy(queue, true); }
  void store(const cl::CommandQueue& queue) const { copy(queue, false); }
  Array array() const {
    return guarded_.size() == 1 ? Array(guarded_[0]->buffer)
                                : Array::planar(guarded_[0]->buffer, guarded_[1]->buffer);
  }

 private:
  void copy(const cl::CommandQueue& queue, bool in) const {
    for (std::size_t part = 0; part < guarded_.size(); ++part) {
      const cl::Buffer &own = guarded_[part]->buffer, &other = buffers_[part];
      test::check_call(in ? queue.enqueueCopyBuffer(other, own, first_, 0, bytes_)
                          : queue.enqueueCopyBuffer(own, other, 0, first_, bytes_),
                       "clEnqueueCopyBuffer");
    }
  }

  std::array<cl::Buffer, 2> buffers_;
  std::size_t first_, bytes_;
  std::vector<std::unique_ptr<Guarded>> guarded_;
};

std::size_t word_bytes(Precision precision) {
  return precision == Precision::f16 ? 2 : precision == Precision::f32 ? 4 : 8;
}

/// Returns the place of an array in the verifier's buffer, in bytes.
std::size_t first_byte(const Case& problem, bool source) {
  const auto side = catalogue::repeated_side(problem, source, 1);
  return side.words_per_element() * side.start(0) * word_bytes(problem.precision);
}

void call_guarded(const test::Device& device, const Case& problem, const Plan& plan, bool at_end,
                  const cl::CommandQueue& queue, const catalogue::Arrays& arrays) {
  const bool forward = problem.direction == catalogue::Direction::forward;
  const bool alone = problem.placement == Placement::in_place;
  const GuardedSide from(device, arrays.source, first_byte(problem, true),
                         forward ? plan.signal_bytes() : plan.spectrum_bytes(), at_end);
  from.load(queue);
  if (alone) {
    forward ? plan.forward(queue, from.array()) : plan.inverse(queue, from.array());
    from.store(queue);
    test::check_call(queue.finish(), "clFinish");
    return;
  }
  const GuardedSide to(device, arrays.target, first_byte(problem, false),
                       forward ? plan.spectrum_bytes() : plan.signal_bytes(), at_end);
  to.load(queue);  // with its marks
  forward ? plan.forward(queue, from.array(), to.array())
          : plan.inverse(queue, from.array(), to.array());
  to.store(queue);
  test::check_call(queue.finish(), "clFinish");
}

/// Returns a batch of small pictures, whose launches can be chained.
Case chained_case(Random& random) {
  constexpr std::uint64_t kLengths[] = {8, 12, 16, 20, 27, 30, 32, 48, 60, 64};
  const auto length = [&] { return kLengths[random.below(std::size(kLengths))]; };
  Case problem;
  problem.lengths = {length(), length()};
  problem.batch = 16 + random.below(50);
  problem.precision = static_cast<Precision>(random.below(3));
  problem.direction = static_cast<catalogue::Direction>(random.below(2));
  if (random.below(2) == 0) problem.placement = Placement::in_place;
  constexpr Kind kKinds[] = {Kind::complex, Kind::complex, Kind::real, Kind::dct2, Kind::dst4};
  problem.kind = kKinds[random.below(std::size(kKinds))];
  problem.norm = Norm::ortho;  // f16 has few exponents
  problem.parameters.launches = Launches::chained;
  return problem;
}

/// Returns a case in f16 with any layout.
Case half_case(Random& random) {
  for (;;) {
    auto traits = catalogue::random_traits(random);
    if (traits.precision != Precision::f16 || traits.sizes == catalogue::Sizes::several) continue;
    auto problem = catalogue::make_case(traits, random);
    if (problem.points() * problem.batch > 20000) continue;
    return problem;
  }
}

std::string guarded(const test::Device& device, Random& random, std::uint64_t& chains) {
  Case problem = random.below(2) == 0 ? chained_case(random) : half_case(random);
  const bool at_end = random.below(2) == 0;
  Options options;
  options.parameters = problem.parameters;
  std::unique_ptr<const Plan> plan;
  try {
    plan = std::make_unique<Plan>(device.context, device.device, problem.transform(), options);
  } catch (const Unsupported&) {
    return {};
  }
  if (plan->describe().find("in the same launch") != std::string::npos) ++chains;
  catalogue::Verifier verifier(device.context, device.device, Options(), 1);
  verifier.replace([&](const cl::CommandQueue& queue, const catalogue::Arrays& arrays) {
    call_guarded(device, problem, *plan, at_end, queue, arrays);
  });
  const auto outcome = verifier.verify(problem);
  const bool passed = outcome.verdict == catalogue::Verdict::passed ||
                      outcome.verdict == catalogue::Verdict::skipped;
  return passed ? std::string() : problem.name() + ": " + outcome.detail;
}

}  // namespace

Attack attack_guards(const test::Device& device) {
  // Pages guard only the memory that a device uses itself.
  if (device.device.getInfo<CL_DEVICE_TYPE>() != CL_DEVICE_TYPE_CPU)
    return {"guards", [](Random&) { return std::string(); }};
  return {"guards",
          [&device, strikes = std::uint64_t{0}, chains = std::uint64_t{0}](Random& random) mutable {
            const auto wrong = guarded(device, random, chains);
            if (++strikes == 20 && chains == 0) return std::string("no launches were chained");
            return wrong;
          }};
}

}  // namespace imago::abuse
