// This file convolves and multiplies integers in host memory, by plans that it keeps.
#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <vector>

#include <imago/exact.hpp>

#include "api/exact.hpp"
#include "base/errors.hpp"
#include "base/integers.hpp"
#include "base/lru_cache.hpp"
#include "host/kept_plans.hpp"
#include "runtime/memory.hpp"
#include "runtime/queue.hpp"

namespace imago::exact {
namespace {

constexpr unsigned kWordBits = 64, kHalfBits = 32;

struct ShapeHash {
  std::size_t operator()(const IntegerConvolutionShape& shape) const {
    return ((shape.first * 31 + shape.second) * 3 + static_cast<std::size_t>(shape.wrap)) * 3 +
           static_cast<std::size_t>(shape.results);
  }
};
using KeptConvolutions = base::LruCache<IntegerConvolutionShape, IntegerConvolution, ShapeHash>;

/// Returns the kept plan of the shape, whose bounds are checked.
KeptConvolutions::Shared kept_plan(IntegerConvolutionShape shape, const Pool& pool) {
  // Never destroyed: drivers may be unloaded before objects with static storage are destroyed.
  static auto* const kept = new KeptConvolutions(
      {.values = 8, .bytes = std::size_t{1} << 32},
      [](const IntegerConvolution& plan) { return plan.memory_bytes() + plan.workspace_bytes(); });
  // Plans with the same rings have the same kernels, and the lower words are those of any proof.
  const bool two_rings = api::takes_two_rings(shape);
  if (shape.results != IntegerResults::int128)
    shape.results = two_rings ? IntegerResults::modulo : IntegerResults::int64;
  shape.largest_first = two_rings ? IntegerConvolution::kLargestResult : 1,
  shape.largest_second = 1;
  return kept->get(shape, [&] {
    return [shape, pool] { return IntegerConvolution(pool.context(), pool.device(), shape); };
  });
}

std::vector<std::int64_t> convolved(const IntegerConvolutionShape& shape,
                                    std::span<const std::int64_t> first,
                                    std::span<const std::int64_t> second) {
  api::check_shape(shape);
  const Pool pool = host::kept_plans(Precision::f32)->pool();
  const auto plan = kept_plan(shape, pool);
  const cl_context context = pool.context()();
  const auto buffer = [&](runtime::Handle<cl_mem> memory) {
    return cl::Buffer(memory.take(), false);
  };
  const cl::CommandQueue queue(runtime::make_queue(context, pool.device()()).take(), false);
  const cl::Buffer a = buffer(runtime::allocate_copy(context, first.size_bytes(), first.data()));
  const bool square = first.data() == second.data() && first.size() == second.size();
  const cl::Buffer b =
      square ? a : buffer(runtime::allocate_copy(context, second.size_bytes(), second.data()));
  std::vector<std::int64_t> result(shape.result() *
                                   (shape.results == IntegerResults::int128 ? 2 : 1));
  const std::size_t bytes = result.size() * sizeof result[0];
  const cl::Buffer c = buffer(runtime::allocate(context, bytes));
  plan->apply(queue, a, b, c);
  runtime::check(
      clEnqueueReadBuffer(queue(), c(), CL_TRUE, 0, bytes, result.data(), 0, nullptr, nullptr),
      "clEnqueueReadBuffer");
  return result;
}

std::uint64_t largest(std::span<const std::int64_t> numbers) {
  std::uint64_t most = 1;
  for (const std::int64_t x : numbers) {
    const auto word = static_cast<std::uint64_t>(x);
    most = std::max(most, x < 0 ? 0 - word : word);
  }
  return most;
}

/// Returns the digits of a number in base 2^bits.
std::vector<std::int64_t> digits_of(std::span<const std::uint64_t> words, unsigned bits) {
  std::vector<std::int64_t> digits(base::ceil_divide(words.size() * kWordBits, bits));
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  for (std::size_t i = 0; i < digits.size(); ++i) {
    const std::size_t bit = i * bits, word = bit / kWordBits, shift = bit % kWordBits;
    std::uint64_t digit = words[word] >> shift;
    if (shift + bits > kWordBits && word + 1 < words.size())
      digit |= words[word + 1] << (kWordBits - shift);
    digits[i] = static_cast<std::int64_t>(digit & mask);
  }
  return digits;
}

/// Returns the number whose digits, which are below 2^60, have these values.
std::vector<std::uint64_t> number_of(std::span<const std::int64_t> digits, unsigned bits,
                                     std::size_t words) {
  std::vector<std::uint64_t> number(words);
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint64_t carry = 0;
  for (std::size_t i = 0; i * bits < words * kWordBits; ++i) {
    if (i < digits.size()) carry += static_cast<std::uint64_t>(digits[i]);
    const std::size_t bit = i * bits, word = bit / kWordBits, shift = bit % kWordBits;
    const std::uint64_t digit = carry & mask;
    number[word] |= digit << shift;
    if (shift + bits > kWordBits && word + 1 < words)
      number[word + 1] |= digit >> (kWordBits - shift);
    carry >>= bits;
  }
  return number;
}

/// Returns the most bits of a digit with which the product of two numbers is exact.
unsigned bits_of_digits(std::size_t first, std::size_t second) {
  const std::uint64_t least = std::min(first, second);
  for (unsigned bits = 30; bits >= 15; --bits) {
    const std::uint64_t digit = (std::uint64_t{1} << bits) - 1,
                        terms = base::ceil_divide(least * kWordBits, bits);
    if (terms <= IntegerConvolution::kLargestInOneRing / (digit * digit)) return bits;
  }
  base::invalid("the words of the shorter number", least, "they must be at most 2^27");
}

}  // namespace

std::vector<std::int64_t> convolve(std::span<const std::int64_t> first,
                                   std::span<const std::int64_t> second, Wrap wrap,
                                   IntegerResults results) {
  const IntegerConvolutionShape shape{first.size(),    second.size(), largest(first),
                                      largest(second), wrap,          results};
  if (results != IntegerResults::modulo || api::is_proved(shape))
    return convolved(shape, first, second);
  // Each integer of the second sequence is its lower half, and 2^32 times its upper one.
  std::vector<std::int64_t> low(second.size()), high(second.size());
  for (std::size_t i = 0; i < second.size(); ++i) {
    low[i] = static_cast<std::int32_t>(second[i]);
    // Modulo 2^64: a lower half below 0 adds 1 to the upper one.
    high[i] = static_cast<std::int32_t>(
        (static_cast<std::uint64_t>(second[i]) - static_cast<std::uint64_t>(low[i])) >> kHalfBits);
  }
  auto half = shape;
  half.largest_second = largest(low);
  auto sums = convolved(half, first, low);
  half.largest_second = largest(high);
  const auto upper = convolved(half, first, high);
  for (std::size_t i = 0; i < sums.size(); ++i)
    sums[i] = static_cast<std::int64_t>(static_cast<std::uint64_t>(sums[i]) +
                                        (static_cast<std::uint64_t>(upper[i]) << kHalfBits));
  return sums;
}

std::vector<std::uint64_t> multiply(std::span<const std::uint64_t> first,
                                    std::span<const std::uint64_t> second) {
  std::vector<std::uint64_t> none(first.size() + second.size());
  if (first.empty() || second.empty()) return none;
  const unsigned bits = bits_of_digits(first.size(), second.size());
  const bool square = first.data() == second.data() && first.size() == second.size();
  const auto a = digits_of(first, bits);
  const auto b = square ? std::vector<std::int64_t>() : digits_of(second, bits);
  const std::span<const std::int64_t> other = square ? a : b;
  const std::uint64_t digit = (std::uint64_t{1} << bits) - 1;
  const auto digits = convolved({a.size(), other.size(), digit, digit}, a, other);
  return number_of(digits, bits, none.size());
}

}  // namespace imago::exact
