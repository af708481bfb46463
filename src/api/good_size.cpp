// This file finds fast lengths.
#include <algorithm>
#include <exception>
#include <limits>
#include <vector>

#include <imago/plan.hpp>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "engine/composition.hpp"
#include "runtime/facts.hpp"

namespace imago {
namespace {

constexpr std::uint64_t kLargestFactor = 7;  // prime factor; so passes are few and radices fast
constexpr std::size_t kPoints = std::size_t{1} << 22;  // enough points to load a device fully

/// Returns the predicted time of one transform of this length.
double seconds_of(const Transform& like, std::size_t length, const device::Facts& facts) {
  Transform transform = like;
  transform.lengths = {length};
  transform.axes.clear();
  transform.signal = transform.spectrum = {};
  transform.directions = Directions::forward;
  transform.batch = std::max(like.batch, kPoints / length + 1);
  Options options;
  options.profiles = false;
  const auto blueprint = engine::decide(transform, facts, options);
  return blueprint.forward->seconds / static_cast<double>(transform.batch);
}

/// Returns the numbers above n, up to 1.25 n, without a prime factor above kLargestFactor,
/// ascending. It multiplies primes instead of testing numbers, because few large numbers qualify.
std::vector<std::size_t> candidates(std::uint64_t n) {
  const std::uint64_t most = n + n / 4;
  std::vector<std::uint64_t> found{1};
  for (std::uint64_t prime = 2; prime <= kLargestFactor; ++prime) {
    if (!base::is_prime(prime)) continue;
    for (std::size_t i = 0; i < found.size(); ++i) {  // grows: powers of the prime follow
      if (found[i] <= most / prime) found.push_back(found[i] * prime);
    }
  }
  std::erase_if(found, [n](std::uint64_t m) { return m <= n; });
  std::sort(found.begin(), found.end());
  return {found.begin(), found.end()};
}

}  // namespace

std::size_t good_size(const cl::Device& device, std::size_t n, const Transform& like) {
  if (!device()) base::invalid("device", "null", "give an OpenCL device");
  if (n == 0 || n > std::numeric_limits<std::uint32_t>::max())
    base::invalid("n", n, "it must be from 1 to 2^32 - 1");
  const auto facts = runtime::facts(device(), runtime::DiskCache::at({}));
  std::size_t best = n;
  double least = std::numeric_limits<double>::infinity();
  std::exception_ptr reason;  // planning n failed
  try {
    least = seconds_of(like, n, facts);
  } catch (const Unsupported&) {
    reason = std::current_exception();
  }
  for (const std::size_t m : candidates(n)) {
    try {
      const double seconds = seconds_of(like, m, facts);
      if (seconds < least) least = seconds, best = m;
    } catch (const Error&) {  // too large for the device: n's exception would name another mistake
    }
  }
  if (reason && best == n) std::rethrow_exception(reason);
  return best;
}

}  // namespace imago
