// This file implements SecondRing.
#include "api/second_ring.hpp"

#include <map>
#include <utility>

#include "api/modular.hpp"
#include "base/integers.hpp"
#include "engine/composition.hpp"
#include "engine/engine.hpp"
#include "kernels/text.hpp"
#include "runtime/arguments.hpp"
#include "runtime/facts.hpp"
#include "runtime/memory.hpp"

namespace imago::api {
namespace {

constexpr std::size_t kWord = sizeof(std::uint64_t);
constexpr const char *kResidues = "exact_residues", *kProduct = "exact_product",
                     *kJoined = "exact_joined";

std::map<std::string, kernel::Handmade> ring_kernels(const device::Facts& facts) {
  const bool cpu = facts.type == device::Type::cpu;
  const std::size_t items = cpu ? 1 : 64, block = cpu ? 4096 : 4;
  std::map<std::string, kernel::Handmade> kernels;
  for (const char* entry : {kResidues, kProduct, kJoined})
    kernels[entry] = {.name = "exact_rings",
                      .options = engine::kBuildOptions + kernel::defined("BLOCK", block) +
                                 kernel::defined("ITEMS", items),
                      .text = "#define N\n" + std::string(kernels::text("goldilocks.cl")) +
                              "#undef N\n" + std::string(kernels::text("exact_rings.cl")),
                      .items = items,
                      .block = block,
                      .entry = entry};
  return kernels;
}

}  // namespace

SecondRing::SecondRing(const cl::Context& context, const cl::Device& device,
                       const runtime::Target& target, std::size_t points, bool negacyclic,
                       const Options& options)
    : points_(points),
      kernels_(target, ring_kernels(runtime::reported_facts(device())),
               engine::disk_cache(options)) {
  ModularTransform transform{.lengths = {2 * points}, .placement = Placement::in_place};
  modular::check_transform(transform);
  // The coset of a root of x^2n + 1, where n is the number of points.
  if (negacyclic) transform.coset = exact::root_of_unity(transform.ring, 4 * points);
  for (const bool inverse : {false, true}) {
    runs_[inverse] =
        make_execution(context, device, modular::computation(transform, inverse), options);
    cosets_[inverse] = modular::coset_factors(context(), transform, inverse);
  }
  for (cl::Buffer& words : words_)
    words = cl::Buffer(runtime::allocate(context(), 2 * points * kWord).take(), false);
}

std::size_t SecondRing::memory_bytes() const {
  return (cosets_[0].empty() ? 4 : 8) * points_ * kWord;
}

template <class... Values>
runtime::KernelLaunch SecondRing::launch(const std::string& name, std::size_t count,
                                         const Values&... values) const {
  const kernel::Handmade& code = kernels_.code(name);
  auto kernel = kernels_.own(name);
  runtime::Arguments arguments(kernel.get());
  (arguments.value(values), ...);
  return kernels_.launch(name, std::move(kernel),
                         base::ceil_divide(count, code.items * code.block));
}

Command SecondRing::transformed(bool inverse, const cl::CommandQueue& queue,
                                std::size_t sequence) const {
  return Calls{[this, &queue, inverse, sequence](const Call& call) {
    const Array words(words_[sequence]);
    runs_[inverse]->enqueue(
        inverse, {queue(), words, words, Placement::in_place, call, cosets_[inverse], 0});
  }};
}

void SecondRing::reduce(std::vector<Command>& commands, const cl::CommandQueue& queue,
                        std::size_t sequence, cl_mem integers, std::size_t count,
                        const Planes& planes) const {
  commands.emplace_back(launch(kResidues, 2 * points_, integers, planes[0], planes[1],
                               words_[sequence](), cl_ulong{points_}, cl_ulong{count}));
  commands.push_back(transformed(false, queue, sequence));
}

void SecondRing::convolve(std::vector<Command>& commands, const cl::CommandQueue& queue) const {
  const cl_ulong count = 2 * points_;
  commands.emplace_back(launch(kProduct, count, words_[0](), words_[1](), count));
  commands.push_back(transformed(true, queue, 0));
}

void SecondRing::join(std::vector<Command>& commands, const Planes& planes, cl_mem results,
                      const IntegerConvolutionShape& shape, std::size_t all) const {
  const cl_ulong count = shape.result(), width = shape.results == IntegerResults::int128 ? 2 : 1;
  const cl_long sign = shape.wrap == Wrap::cyclic ? 1 : -1;
  commands.emplace_back(launch(kJoined, count, planes[0], planes[1], words_[0](), results,
                               cl_ulong{points_}, cl_ulong{all}, count, sign, width));
}

}  // namespace imago::api
