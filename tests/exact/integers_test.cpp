// This file compares exact convolutions and products of integers with their definition.
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include <imago/exact.hpp>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/message.hpp"

using namespace imago;
using namespace imago::test;

namespace {

using Integers = std::vector<std::int64_t>;

/// Returns the convolution by its definition; no sum exceeds 64 bits.
Integers defined(const Integers& a, const Integers& b, Wrap wrap) {
  Integers all(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) all[i + j] += a[i] * b[j];
  }
  if (wrap == Wrap::linear) return all;
  Integers wrapped(a.size());
  for (std::size_t i = 0; i < all.size(); ++i)
    wrapped[i % a.size()] += i < a.size() || wrap == Wrap::cyclic ? all[i] : -all[i];
  return wrapped;
}

Integers random_integers(std::size_t count, std::int64_t largest, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  Integers numbers(count);
  for (std::int64_t& x : numbers)
    x = static_cast<std::int64_t>(random() % (2 * static_cast<std::uint64_t>(largest) + 1)) -
        largest;
  return numbers;
}

/// Returns the value modulo a prime below 2^32 of the polynomial with these coefficients.
std::uint64_t value_of(const Integers& coefficients, std::uint64_t place, std::uint64_t prime) {
  std::uint64_t value = 0;
  for (std::size_t i = coefficients.size(); i-- > 0;) {
    const auto rest = coefficients[i] % static_cast<std::int64_t>(prime);
    value = (value * place + static_cast<std::uint64_t>(rest + static_cast<std::int64_t>(prime))) %
            prime;
  }
  return value;
}

/// Checks a linear convolution by the values of the polynomials at random places.
void check_values(const Integers& a, const Integers& b, const Integers& result) {
  std::mt19937_64 random(a.size());
  for (const std::uint64_t prime : {4294967291u, 4294967279u, 2147483647u}) {
    const std::uint64_t place = random() % prime;
    REQUIRE(value_of(result, place, prime) ==
            value_of(a, place, prime) * value_of(b, place, prime) % prime);
  }
}

Integers convolved(const IntegerConvolution& plan, const Device& device, const Integers& a,
                   const Integers& b) {
  const cl::Buffer first = device.upload(a), second = device.upload(b),
                   result = device.allocate(plan.shape().result() * sizeof a[0]);
  plan.apply(device.queue, first, second, result);
  return device.download<std::int64_t>(result, plan.shape().result());
}

/// Returns a sequence of a form that goes wrong easily: all the largest, one element, signs in
/// turns, zeros.
Integers formed(std::size_t count, std::int64_t largest, unsigned form) {
  Integers numbers(count);
  for (std::size_t i = 0; i < count; ++i)
    numbers[i] = form == 0   ? largest
                 : form == 1 ? (i == count / 2 ? -largest : 0)
                 : form == 2 ? (i % 2 == 0 ? largest : -largest)
                             : 0;
  return numbers;
}

constexpr std::uint64_t kMost = IntegerConvolution::kLargestResult;

}  // namespace

TEST_CASE("integers of few elements have the convolution of the definition") {
  const std::size_t n = GENERATE(1, 2, 3, 33, 64, 128);
  const auto wrap = GENERATE(Wrap::linear, Wrap::cyclic, Wrap::negacyclic);
  CAPTURE(n, static_cast<int>(wrap));
  const std::size_t m = wrap == Wrap::linear ? n / 2 + 1 : n;
  if (n == 128 && wrap != Wrap::negacyclic) return;  // they take more points
  const Integers a = random_integers(n, 20000000, n), b = random_integers(m, 30000000, m + 1);
  CHECK(exact::convolve(a, b, wrap) == defined(a, b, wrap));
  for (unsigned form = 0; form < 4; ++form) {
    const Integers c = formed(n, 90000000, form);
    CHECK(exact::convolve(c, formed(m, 90000000, 0), wrap) ==
          defined(c, formed(m, 90000000, 0), wrap));
    CHECK(exact::convolve(c, b, wrap) == defined(c, b, wrap));
  }
}

TEST_CASE("integers of the largest allowed values are exact, and larger ones are refused") {
  const auto largest = static_cast<std::int64_t>(kMost);
  CHECK(exact::convolve(Integers{largest}, Integers{-1}) == Integers{-largest});
  CHECK(exact::convolve(Integers{1, 0, 0}, Integers{0, -largest / 3}) ==
        Integers{0, -largest / 3, 0, 0});
  const Integers half(2, 1 << 29), other(2, (1 << 30) - 1);
  CHECK(exact::convolve(half, other) == defined(half, other, Wrap::linear));
  const auto refused = [](const Integers& a, const Integers& b) {
    return message_of<InvalidArgument>([&] { exact::convolve(a, b); });
  };
  CHECK(refused({largest + 1}, {1}) ==
        "largest_first * largest_second is 1152921504606846976; a sum of 1 product must be at most "
        "2^60 - 1: use smaller integers");
  CHECK_FALSE(refused(half, Integers(2, 1 << 30)).empty());
  CHECK_FALSE(refused({INT64_MIN}, {INT64_MIN}).empty());
  CHECK_FALSE(refused({}, {1}).empty());
  CHECK(message_of<InvalidArgument>([] {
          exact::convolve(Integers{1, 2}, Integers{1}, Wrap::cyclic);
        }) == "second is 1; sequences that wrap have the same length, 2");
}

TEST_CASE("plans of integers convolve in buffers, with events, and may be moved") {
  const Device device;
  IntegerConvolution made(
      device.context, device.device,
      {.first = 50, .second = 20, .largest_first = 1u << 20, .largest_second = 1u << 20});
  const IntegerConvolution plan = std::move(made);
  CHECK(plan.points() == 64);
  const Integers a = random_integers(50, 1 << 20, 1), b = random_integers(20, 1 << 20, 2);
  CHECK(convolved(plan, device, a, b) == defined(a, b, Wrap::linear));
  CHECK(convolved(plan, device, formed(50, 1 << 20, 2), b) ==
        defined(formed(50, 1 << 20, 2), b, Wrap::linear));
  const cl::Buffer one = device.upload(a), result = device.allocate(plan.shape().result() * 8);
  CHECK(message_of<InvalidArgument>([&] {
          plan.apply(device.queue, one, result, result);
        }).find("it must not overlap") != std::string::npos);
  const cl::Buffer small = device.allocate(8);
  CHECK(message_of<InvalidArgument>([&] {
          plan.apply(device.queue, small, small, small);
        }).find("first") == 0);
}

TEST_CASE("plans of integers read and write the caller's halves, of any length") {
  const Device device;
  // 64 points: sequences with and without a second half, results that fill the first half or not.
  for (const auto& [n, m] : {std::pair{64, 65},
                             {63, 66},
                             {65, 64},
                             {100, 29},
                             {13, 100},
                             {40, 25},
                             {32, 33},
                             {33, 31},
                             {64, 1},
                             {8, 8}}) {
    CAPTURE(n, m);
    const IntegerConvolution plan(device.context, device.device,
                                  {.first = static_cast<std::size_t>(n),
                                   .second = static_cast<std::size_t>(m),
                                   .largest_first = 1u << 25,
                                   .largest_second = 1u << 25});
    CHECK(plan.points() == 64);
    const Integers a = random_integers(plan.shape().first, 1 << 25, 11),
                   b = random_integers(plan.shape().second, 1 << 25, 12);
    CHECK(convolved(plan, device, a, b) == defined(a, b, Wrap::linear));
  }
}

TEST_CASE("products of natural numbers") {
  using Words = std::vector<std::uint64_t>;
  CHECK(exact::multiply(Words{~0ull}, Words{~0ull}) == Words{1, ~0ull - 1});
  CHECK(exact::multiply(Words{}, Words{5}) == Words{0});
  CHECK(exact::multiply(Words{0, 0, 7}, Words{0, 3}) == Words{0, 0, 0, 21, 0});
  // (2^64n - 1)^2 = 2^128n - 2^(64n + 1) + 1
  const std::size_t n = 20;
  Words square(2 * n, ~0ull);
  std::fill(square.begin(), square.begin() + n, 0);
  square[0] = 1, square[n] = ~0ull - 1;
  const Words ones(n, ~0ull);
  CHECK(exact::multiply(ones, ones) == square);
}

TEST_CASE("integers in work-groups have the convolution of the definition") {
  const Device device;
  Options options;
  options.parameters.mapping = Mapping::work_group;
  const std::size_t n = 50;
  const IntegerConvolution plan(device.context, device.device,
                                {.first = n,
                                 .second = n,
                                 .largest_first = 1u << 20,
                                 .largest_second = 1u << 20,
                                 .wrap = Wrap::cyclic},
                                options);
  const Integers a = random_integers(n, 1 << 20, 3), b = random_integers(n, 1 << 20, 4);
  CHECK(convolved(plan, device, a, b) == defined(a, b, Wrap::cyclic));
}

TEST_CASE("integers in two and three kernels have the convolution of the definition", "[long]") {
  const Device device;
  Options options;
  options.parameters.algorithm = Algorithm::hierarchy;
  options.parameters.mapping = GENERATE(Mapping::work_group, Mapping::vector);
  const std::size_t kernels = GENERATE(2, 3), part = kernels == 2 ? 64 : 16;
  for (std::size_t i = 0; i < kernels; ++i) {
    KernelParameters kernel;
    kernel.length = part;
    options.parameters.kernels.push_back(kernel);
  }
  const IntegerConvolution plan(
      device.context, device.device,
      {.first = 3000, .second = 5001, .largest_first = 1 << 20, .largest_second = 1 << 20},
      options);
  CHECK(plan.points() == 4096);
  const Integers a = random_integers(3000, 1 << 20, 8), b = random_integers(5001, 1 << 20, 9);
  CHECK(convolved(plan, device, a, b) == defined(a, b, Wrap::linear));
}

TEST_CASE("integers of any length are exact", "[long]") {
  const Device device;
  const unsigned bits = GENERATE(6u, 8u, 9u, 11u, 13u, 15u, 17u, 19u);
  const std::size_t n = std::size_t{1} << bits, m = n - n / 3;
  CAPTURE(n);
  const auto largest = static_cast<std::int64_t>(
      std::sqrt(static_cast<double>(kMost) / static_cast<double>(m)) * 0.999);
  const IntegerConvolution plan(device.context, device.device,
                                {.first = n,
                                 .second = m,
                                 .largest_first = static_cast<std::uint64_t>(largest),
                                 .largest_second = static_cast<std::uint64_t>(largest)});
  const unsigned rounds = bits < 12 ? 100 : 5;
  for (unsigned round = 0; round < rounds; ++round) {
    const Integers a = random_integers(n, largest, round), b = random_integers(m, largest, ~round);
    check_values(a, b, convolved(plan, device, a, b));
  }
  for (unsigned form = 0; form < 4; ++form) {
    const Integers a = formed(n, largest, form), b = formed(m, largest, 0);
    check_values(a, b, convolved(plan, device, a, b));
    check_values(a, formed(m, -largest, form),
                 convolved(plan, device, a, formed(m, -largest, form)));
  }
}

// Only in work-groups: clang makes one shift of two words of (a << 3) + (b >> 61) in vectors, which
// oclgrind 21.10 does not know.
TEST_CASE("integers under oclgrind", "[.][oclgrind]") {
  // Never released: oclgrind's library may end before static objects.
  static const Device& device = *new Device;
  Options options;
  options.parameters.mapping = Mapping::work_group;
  for (const std::size_t n : {50, 300}) {
    const IntegerConvolution plan(device.context, device.device,
                                  {.first = n,
                                   .second = n,
                                   .largest_first = 1000,
                                   .largest_second = 1000,
                                   .wrap = Wrap::cyclic},
                                  options);
    const Integers a = random_integers(n, 1000, 5), b = random_integers(n, 1000, 6);
    CHECK(convolved(plan, device, a, b) == defined(a, b, Wrap::cyclic));
  }
}
