// This file transforms residues in host memory, by plans that it keeps.
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

#include <imago/exact.hpp>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "base/lru_cache.hpp"
#include "host/kept_plans.hpp"
#include "runtime/memory.hpp"
#include "runtime/queue.hpp"

namespace imago::exact {
namespace {

struct ResiduesHash {
  std::size_t operator()(const ModularTransform& t) const {
    std::size_t hash = t.batch * 31 + t.coset;
    for (const std::size_t length : t.lengths) hash = hash * 31 + length;
    return hash * 3 + static_cast<std::size_t>(t.ring);
  }
};
using KeptTransforms = base::LruCache<ModularTransform, ModularPlan, ResiduesHash>;

KeptTransforms::Shared kept_transform(const ModularTransform& transform, const Pool& pool) {
  // Never destroyed: drivers may be unloaded before objects with static storage are destroyed.
  static auto* const kept = new KeptTransforms(
      {.values = 8, .bytes = std::size_t{1} << 32},
      [](const ModularPlan& plan) { return plan.workspace_bytes() + plan.bytes(); });
  return kept->get(transform, [&] {
    return [transform, pool] { return ModularPlan(pool.context(), pool.device(), transform); };
  });
}

template <class Word>
void check_words(std::span<const std::byte> bytes, std::uint64_t modulus) {
  for (std::size_t i = 0; i < bytes.size(); i += sizeof(Word)) {
    Word word;
    std::memcpy(&word, &bytes[i], sizeof word);
    if (word >= modulus)
      base::invalid("a word", word, "it must be below " + std::to_string(modulus));
  }
}

void transform_words(std::span<std::byte> words, ModularTransform transform, bool inverse) {
  const bool wide = transform.ring == Ring::goldilocks;
  const std::size_t word = wide ? sizeof(std::uint64_t) : sizeof(std::uint32_t);
  std::optional<std::uint64_t> count = transform.batch;
  for (const std::size_t length : transform.lengths)
    if (count) count = base::checked_multiply(*count, length);
  if (!count || words.size() % word != 0 || words.size() / word != *count)
    base::invalid("the bytes of the words", words.size(),
                  "they must be those of lengths x batch words");
  wide ? check_words<std::uint64_t>(words, modulus(transform.ring))
       : check_words<std::uint32_t>(words, modulus(transform.ring));
  transform.placement = Placement::in_place;
  transform.directions = inverse ? Directions::inverse : Directions::forward;
  const Pool pool = host::kept_plans(Precision::f32)->pool();
  const auto plan = kept_transform(transform, pool);
  const cl_context context = pool.context()();
  const cl::CommandQueue queue(runtime::make_queue(context, pool.device()()).take(), false);
  const cl::Buffer data(runtime::allocate(context, words.size()).take(), false);
  runtime::check(clEnqueueWriteBuffer(queue(), data(), CL_TRUE, 0, words.size(), words.data(), 0,
                                      nullptr, nullptr),
                 "clEnqueueWriteBuffer");
  inverse ? plan->inverse(queue, data, data) : plan->forward(queue, data, data);
  runtime::check(clEnqueueReadBuffer(queue(), data(), CL_TRUE, 0, words.size(), words.data(), 0,
                                     nullptr, nullptr),
                 "clEnqueueReadBuffer");
}

}  // namespace

void ntt(std::span<std::byte> words, const ModularTransform& transform) {
  transform_words(words, transform, false);
}

void intt(std::span<std::byte> words, const ModularTransform& transform) {
  transform_words(words, transform, true);
}

}  // namespace imago::exact
