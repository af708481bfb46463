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
  const std::size_t words =
      plan.shape().result() * (plan.shape().results == IntegerResults::int128 ? 2 : 1);
  const cl::Buffer first = device.upload(a), second = device.upload(b),
                   result = device.allocate(words * sizeof a[0]);
  plan.apply(device.queue, first, second, result);
  return device.download<std::int64_t>(result, words);
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

constexpr std::uint64_t kOneRing = IntegerConvolution::kLargestInOneRing;

__extension__ using Wide = __int128;

/// Returns the two words of each integer.
Integers words_of(const std::vector<Wide>& numbers) {
  Integers words;
  for (const Wide x : numbers)
    words.push_back(static_cast<std::int64_t>(x)),
        words.push_back(static_cast<std::int64_t>(x >> 64));
  return words;
}

/// Returns the words of the convolution by its definition; no sum exceeds 128 bits.
Integers defined_wide(const Integers& a, const Integers& b, Wrap wrap) {
  std::vector<Wide> all(a.size() + b.size() - 1);
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) all[i + j] += Wide{a[i]} * b[j];
  }
  for (std::size_t i = a.size(); wrap != Wrap::linear && i < all.size(); ++i)
    all[i - a.size()] += wrap == Wrap::cyclic ? all[i] : -all[i];
  if (wrap != Wrap::linear) all.resize(a.size());
  return words_of(all);
}

/// Returns the convolution modulo 2^64 by its definition.
Integers defined_modulo(const Integers& a, const Integers& b, Wrap wrap) {
  Integers low(b.size()), high(b.size()), sums;
  for (std::size_t i = 0; i < b.size(); ++i) low[i] = b[i] & 0xffff, high[i] = b[i] >> 16;
  const Integers lower = defined_wide(a, low, wrap), upper = defined_wide(a, high, wrap);
  for (std::size_t i = 0; i < lower.size(); i += 2)
    sums.push_back(static_cast<std::int64_t>(static_cast<std::uint64_t>(lower[i]) +
                                             (static_cast<std::uint64_t>(upper[i]) << 16)));
  return sums;
}

/// Checks a convolution with sums of 128 bits, and their lower words.
void check_wide(std::size_t n, std::size_t m, std::int64_t first, std::int64_t second, Wrap wrap) {
  const Integers b = random_integers(m, second, m);
  for (unsigned form = 0; form < 4; ++form) {
    Integers a(n, form == 0 ? first : 0);
    if (form == 1) a[n / 2] = first;
    if (form >= 2) a = random_integers(n, first == INT64_MIN ? INT64_MAX : first, form);
    const Integers c = form == 3 ? b : Integers(m, second), wide = defined_wide(a, c, wrap);
    CHECK(exact::convolve(a, c, wrap, IntegerResults::int128) == wide);
    Integers lower;
    for (std::size_t i = 0; i < wide.size(); i += 2) lower.push_back(wide[i]);
    CHECK(exact::convolve(a, c, wrap, IntegerResults::modulo) == lower);
  }
}

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
  for (const std::uint64_t most : {kOneRing, kOneRing + 1, IntegerConvolution::kLargestResult}) {
    const auto largest = static_cast<std::int64_t>(most);
    CHECK(exact::convolve(Integers{largest}, Integers{-1}) == Integers{-largest});
    CHECK(exact::convolve(Integers{1, 0, 0}, Integers{0, -largest / 3}) ==
          Integers{0, -largest / 3, 0, 0});
  }
  // Their sums are just below 2^60, and just below 2^63.
  for (const std::int64_t unit : {std::int64_t{1} << 29, std::int64_t{1} << 32}) {
    const Integers half(2, unit), other(2, (1 << 30) - 1);
    for (const auto wrap : {Wrap::linear, Wrap::cyclic, Wrap::negacyclic})
      CHECK(exact::convolve(half, other, wrap) == defined(half, other, wrap));
  }
  const auto refused = [](const Integers& a, const Integers& b) {
    return message_of<InvalidArgument>([&] { exact::convolve(a, b); });
  };
  CHECK(refused({INT64_MIN}, {1}) ==
        "largest_first * largest_second is 9223372036854775808; a sum of 1 product must be at most "
        "2^63 - 1: use smaller integers, or results of 128 bits");
  CHECK_FALSE(refused(Integers(2, std::int64_t{1} << 32), Integers(2, 1 << 30)).empty());
  CHECK_FALSE(refused({INT64_MIN}, {INT64_MIN}).empty());
  CHECK_FALSE(refused({}, {1}).empty());
  CHECK(message_of<InvalidArgument>([] {
          exact::convolve(Integers{1, 2}, Integers{1}, Wrap::cyclic);
        }) == "second is 1; sequences that wrap have the same length, 2");
}

TEST_CASE("integers in two rings have the convolution of the definition") {
  const std::size_t n = GENERATE(1, 3, 64, 128);
  const auto wrap = GENERATE(Wrap::linear, Wrap::cyclic, Wrap::negacyclic);
  CAPTURE(n, static_cast<int>(wrap));
  const std::size_t m = wrap == Wrap::linear ? n / 2 + 1 : n;
  if (n == 128 && wrap != Wrap::negacyclic) return;  // they take more points
  check_wide(n, m, std::int64_t{1} << 62, std::int64_t{1} << 54, wrap);
  check_wide(n, m, INT64_MIN, std::int64_t{1} << 50, wrap);
  // Words modulo 2^64 may be any: the second sequence is convolved by halves.
  const Integers a = random_integers(n, INT64_MAX, n), b = random_integers(m, INT64_MAX, m + 7);
  CHECK(exact::convolve(a, b, wrap, IntegerResults::modulo) == defined_modulo(a, b, wrap));
  const Integers ones(n, -1), least(m, INT64_MIN);
  CHECK(exact::convolve(ones, least, wrap, IntegerResults::modulo) ==
        defined_modulo(ones, least, wrap));
}

TEST_CASE("sums of 128 bits at the largest bound are exact, and larger ones are refused") {
  // (p q - 1) / 2 is 2^63 a + b, with b between 0 and 2^63.
  const Wide most = ((Wide{1} << 61) - 1) * ((Wide{1} << 64) - (Wide{1} << 32) + 1) / 2;
  const std::int64_t unit = INT64_MIN;
  const auto factor = static_cast<std::int64_t>(most >> 63);
  CHECK(exact::convolve(Integers{unit}, Integers{factor}, Wrap::linear, IntegerResults::int128) ==
        words_of({-(Wide{factor} << 63)}));
  CHECK(exact::convolve(Integers{unit}, Integers{-factor}, Wrap::linear, IntegerResults::int128) ==
        words_of({Wide{factor} << 63}));
  const auto results = GENERATE(IntegerResults::int128, IntegerResults::modulo);
  const Device device;
  const auto message = [&](std::uint64_t first, std::uint64_t second, std::size_t terms) {
    return message_of<InvalidArgument>([&] {
      IntegerConvolution(device.context, device.device,
                         {.first = terms,
                          .second = terms,
                          .largest_first = first,
                          .largest_second = second,
                          .results = results});
    });
  };
  const std::uint64_t half = std::uint64_t{1} << 63;
  CHECK(message(half, static_cast<std::uint64_t>(factor) + 1, 1) ==
        "largest_first * largest_second is too large; a sum of 1 product must be at most (p q - 1) "
        "/ 2, about 2^124: use smaller integers");
  CHECK_FALSE(message(half, static_cast<std::uint64_t>(factor) / 3 + 1, 3).empty());
  CHECK(message(half + 1, 1, 1) ==
        "largest_first is 9223372036854775809; it must be at most 2^63, because integers are "
        "signed");
}

TEST_CASE("plans of two rings in a queue without order") {
  const Device device;
  const std::uint64_t most = std::uint64_t{1} << 28;
  const IntegerConvolution plan(device.context, device.device,
                                {.first = 40,
                                 .second = 40,
                                 .largest_first = most,
                                 .largest_second = most,
                                 .wrap = Wrap::negacyclic});
  const cl::CommandQueue queue(device.context, device.device,
                               CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
  const Integers a = random_integers(40, 1 << 28, 1), b = random_integers(40, 1 << 28, 2);
  const cl::Buffer first = device.upload(a), second = device.upload(b),
                   result = device.allocate(40 * sizeof a[0]);
  for (int round = 0; round < 20; ++round) {
    cl::Event done;
    plan.apply(queue, first, second, result, {.event = &done});
    done.wait();
    REQUIRE(device.download<std::int64_t>(result, 40) == defined(a, b, Wrap::negacyclic));
  }
}

TEST_CASE("plans of two rings in vectors and work-groups, of several kernels", "[long]") {
  const Device device;
  Options options;
  options.parameters.mapping = GENERATE(Mapping::vector, Mapping::work_group);
  options.parameters.algorithm = Algorithm::hierarchy;
  options.parameters.kernels = {KernelParameters{.length = 64}, KernelParameters{.length = 64}};
  const IntegerConvolution plan(device.context, device.device,
                                {.first = 3000,
                                 .second = 5001,
                                 .largest_first = std::uint64_t{1} << 57,
                                 .largest_second = std::uint64_t{1} << 54,
                                 .results = IntegerResults::int128},
                                options);
  CHECK(plan.points() == 4096);
  CHECK(plan.memory_bytes() > 12 * 4096 * 8);
  const Integers a = random_integers(3000, std::int64_t{1} << 57, 8),
                 b = random_integers(5001, std::int64_t{1} << 54, 9);
  CHECK(convolved(plan, device, a, b) == defined_wide(a, b, Wrap::linear));
}

TEST_CASE("integers of any length are exact in two rings", "[long]") {
  const Device device;
  const unsigned bits = GENERATE(6u, 8u, 9u, 11u, 13u, 15u, 17u, 19u);
  const std::size_t n = std::size_t{1} << bits, m = n - n / 3;
  CAPTURE(n);
  const auto largest = static_cast<std::int64_t>(
      std::sqrt(static_cast<double>(IntegerConvolution::kLargestResult) / static_cast<double>(m)) *
      0.999);
  const IntegerConvolution plan(device.context, device.device,
                                {.first = n,
                                 .second = m,
                                 .largest_first = static_cast<std::uint64_t>(largest),
                                 .largest_second = static_cast<std::uint64_t>(largest)});
  for (unsigned round = 0; round < (bits < 12 ? 100u : 5u); ++round) {
    const Integers a = random_integers(n, largest, round), b = random_integers(m, largest, ~round);
    check_values(a, b, convolved(plan, device, a, b));
  }
  for (unsigned form = 0; form < 4; ++form) {
    const Integers a = formed(n, largest, form), b = formed(m, -largest, 0);
    check_values(a, b, convolved(plan, device, a, b));
  }
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
      std::sqrt(static_cast<double>(kOneRing) / static_cast<double>(m)) * 0.999);
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
  for (const auto& [n, largest] : {std::pair{50, 1000}, {300, 1000}, {50, 1 << 28}}) {
    const auto bound = static_cast<std::uint64_t>(largest);
    const auto count = static_cast<std::size_t>(n);
    const IntegerConvolution plan(device.context, device.device,
                                  {.first = count,
                                   .second = count,
                                   .largest_first = bound,
                                   .largest_second = bound,
                                   .wrap = Wrap::cyclic},
                                  options);
    const Integers a = random_integers(count, largest, 5), b = random_integers(count, largest, 6);
    CHECK(convolved(plan, device, a, b) == defined(a, b, Wrap::cyclic));
  }
}
