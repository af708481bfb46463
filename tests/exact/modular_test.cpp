// This file compares transforms of residues with their definition.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <utility>
#include <vector>

#include <imago/exact.hpp>

#include "support/catch.hpp"
#include "support/device.hpp"
#include "support/message.hpp"

using namespace imago;
using namespace imago::test;

namespace {

using Residues = std::vector<std::uint64_t>;

/// A prime field, with its own arithmetic.
struct TestField {
  Ring ring;
  std::uint64_t p = exact::modulus(ring);

  std::uint64_t product(std::uint64_t a, std::uint64_t b) const {
    __extension__ using Wide = unsigned __int128;
    return static_cast<std::uint64_t>(static_cast<Wide>(a) * b % p);
  }
  std::uint64_t sum(std::uint64_t a, std::uint64_t b) const {
    return a >= p - b ? a - (p - b) : a + b;
  }
  std::uint64_t power(std::uint64_t a, std::uint64_t exponent) const {
    std::uint64_t result = 1;
    for (; exponent > 0; exponent /= 2, a = product(a, a)) {
      if (exponent % 2 == 1) result = product(result, a);
    }
    return result;
  }
  std::uint64_t root(std::uint64_t order) const {
    const std::uint64_t generator = ring == Ring::goldilocks ? 7 : ring == Ring::baby_bear ? 31 : 3;
    return power(generator, (p - 1) / order);
  }

  Residues random(std::size_t count, std::uint64_t seed) const {
    std::mt19937_64 bits(seed);
    Residues x(count);
    for (std::uint64_t& number : x) number = bits() % p;
    return x;
  }
  /// Returns numbers of a form that goes wrong easily: all p - 1, one element, p - 1 and 1 in
  /// turns, zeros, and numbers around 2^32 and 2^31.
  Residues formed(std::size_t count, unsigned form) const {
    Residues x(count);
    for (std::size_t i = 0; i < count; ++i)
      x[i] = form == 0   ? p - 1
             : form == 1 ? (i == count / 2 ? p - 1 : 0)
             : form == 2 ? (i % 2 == 0 ? p - 1 : 1)
             : form == 3 ? 0
                         : ((std::uint64_t{1} << 32) - 2 + i % 4) % p;
    return x;
  }
};
constexpr unsigned kForms = 5;

/// Returns X[k] = sum_j x[j] w^(j k) by halves: the even elements, and the odd ones.
Residues spectrum_of(const TestField& field, const Residues& x) {
  const std::size_t n = x.size();
  if (n == 1) return x;
  Residues even(n / 2), odd(n / 2), all(n);
  for (std::size_t j = 0; j < n / 2; ++j) even[j] = x[2 * j], odd[j] = x[2 * j + 1];
  even = spectrum_of(field, even), odd = spectrum_of(field, odd);
  const std::uint64_t root = field.root(n);
  std::uint64_t power = 1;
  for (std::size_t k = 0; k < n / 2; ++k, power = field.product(power, root)) {
    const std::uint64_t turned = field.product(odd[k], power);
    all[k] = field.sum(even[k], turned), all[k + n / 2] = field.sum(even[k], field.p - turned);
  }
  return all;
}

std::size_t reversed(std::size_t k, std::size_t n) {
  std::size_t reverse = 0;
  for (; n > 1; n /= 2, k /= 2) reverse = 2 * reverse + k % 2;
  return reverse;
}

/// Returns the elements of a transform.
std::size_t elements_of(const ModularTransform& t) {
  std::size_t all = 1;
  for (const std::size_t length : t.lengths) all *= length;
  return all;
}

/// Returns the spectra of the rows along one axis, whose elements are so far apart.
Residues spectra_along(const ModularTransform& t, const Residues& x, std::size_t n,
                       std::size_t stride) {
  const TestField field{t.ring};
  Residues all(x.size());
  for (std::size_t first = 0; first < x.size(); ++first) {
    if (first / stride % n != 0) continue;
    Residues row(n);
    std::uint64_t factor = 1;
    for (std::size_t j = 0; j < n; ++j, factor = field.product(factor, t.coset))
      row[j] = field.product(x[first + j * stride], factor);
    row = spectrum_of(field, row);
    for (std::size_t k = 0; k < n; ++k)
      all[first + k * stride] = row[t.order == Order::natural ? k : reversed(k, n)];
  }
  return all;
}

/// Returns the spectra of the arrays.
Residues spectra_of(const ModularTransform& t, Residues x) {
  std::size_t stride = 1;
  for (std::size_t axis = t.lengths.size(); axis-- > 0; stride *= t.lengths[axis])
    x = spectra_along(t, x, t.lengths[axis], stride);
  return x;
}

cl::Buffer uploaded(const Device& device, Ring ring, const Residues& x) {
  if (ring == Ring::goldilocks) return device.upload(x);
  return device.upload(std::vector<std::uint32_t>(x.begin(), x.end()));
}

Residues downloaded(const Device& device, Ring ring, const cl::Buffer& buffer, std::size_t count) {
  if (ring == Ring::goldilocks) return device.download<std::uint64_t>(buffer, count);
  const auto words = device.download<std::uint32_t>(buffer, count);
  return {words.begin(), words.end()};
}

/// Transforms forward and back, and compares both with the definition.
void check(const ModularPlan& plan, const Device& device, const Residues& x) {
  const ModularTransform& t = plan.transform();
  const bool in_place = t.placement == Placement::in_place;
  const cl::Buffer signal = uploaded(device, t.ring, x),
                   spectrum = in_place ? signal : device.allocate(plan.bytes());
  plan.forward(device.queue, signal, spectrum);
  REQUIRE(downloaded(device, t.ring, spectrum, x.size()) == spectra_of(t, x));
  const cl::Buffer back = in_place ? spectrum : device.allocate(plan.bytes());
  plan.inverse(device.queue, spectrum, back);
  REQUIRE(downloaded(device, t.ring, back, x.size()) == x);
}

void check_all(const Device& device, const ModularTransform& t, const Options& options,
               unsigned rounds) {
  const TestField field{t.ring};
  const ModularPlan plan(device.context, device.device, t, options);
  for (unsigned round = 0; round < rounds; ++round)
    check(plan, device, field.random(elements_of(t) * t.batch, elements_of(t) + round));
  for (unsigned form = 0; form < kForms; ++form)
    check(plan, device, field.formed(elements_of(t) * t.batch, form));
}

Ring any_ring() { return GENERATE(Ring::goldilocks, Ring::baby_bear, Ring::koala_bear); }

}  // namespace

TEST_CASE("the spectra of the tests are those of the definition") {
  const TestField field{any_ring()};
  for (const std::size_t n : {2, 4, 32}) {
    const Residues x = field.random(n, n), spectrum = spectrum_of(field, x);
    for (std::size_t k = 0; k < n; ++k) {
      std::uint64_t sum = 0;
      for (std::size_t j = 0; j < n; ++j)
        sum = field.sum(sum, field.product(x[j], field.power(field.root(n), j * k)));
      REQUIRE(spectrum[k] == sum);
    }
    CHECK(exact::root_of_unity(field.ring, n) == field.root(n));
  }
}

TEST_CASE("a few transforms of residues") {
  const Device device;
  check_all(device, {.lengths = {2}, .batch = 5}, {}, 2);
  check_all(device, {.lengths = {256}}, {}, 2);
  check_all(device, {.lengths = {64}, .batch = 9, .ring = Ring::baby_bear}, {}, 2);
  Options options;
  options.parameters.mapping = Mapping::work_group;
  check_all(device, {.lengths = {64}, .batch = 3}, options, 2);
  check_all(device, {.lengths = {16}, .batch = 3, .ring = Ring::koala_bear}, options, 2);
}

TEST_CASE("short transforms of residues", "[long]") {
  const Device device;
  const Ring ring = any_ring();
  for (const std::size_t length : {2, 4, 8, 16, 32, 64, 256, 1024}) {
    CAPTURE(length);
    check_all(device, {.lengths = {length}, .batch = length < 64 ? 5u : 2u, .ring = ring}, {}, 200);
  }
}

TEST_CASE("transforms of residues in work-groups", "[long]") {
  const Device device;
  const Ring ring = any_ring();
  Options options;
  options.parameters.mapping = Mapping::work_group;
  for (const std::size_t length : {2, 8, 64, 512}) {
    CAPTURE(length);
    check_all(device, {.lengths = {length}, .batch = 3, .ring = ring}, options, 1);
  }
}

TEST_CASE("transforms of residues in two and three kernels", "[long]") {
  const Device device;
  const Ring ring = any_ring();
  Options options;
  options.parameters.algorithm = Algorithm::hierarchy;
  options.parameters.mapping = GENERATE(Mapping::work_group, Mapping::vector);
  const std::size_t kernels = GENERATE(2, 3), part = kernels == 2 ? 64 : 16;
  for (std::size_t i = 0; i < kernels; ++i) {
    KernelParameters kernel;
    kernel.length = part;
    options.parameters.kernels.push_back(kernel);
  }
  check_all(device, {.lengths = {8192}, .batch = 2, .ring = ring}, options, 2);
}

TEST_CASE("a coset in the order of bits in reverse, in place") {
  const Device device;
  check_all(device,
            {.lengths = {32},
             .batch = 3,
             .order = Order::bit_reversed,
             .coset = 7,
             .placement = Placement::in_place},
            {}, 1);
}

TEST_CASE("cosets, orders and places of residues", "[long]") {
  const Device device;
  const Ring ring = any_ring();
  const auto placement = GENERATE(Placement::out_of_place, Placement::in_place);
  const auto order = GENERATE(Order::natural, Order::bit_reversed);
  CAPTURE(static_cast<int>(ring), static_cast<int>(placement), static_cast<int>(order));
  check_all(device,
            {.lengths = {128},
             .batch = 3,
             .ring = ring,
             .order = order,
             .coset = order == Order::natural ? 7u : 1234567u,
             .placement = placement},
            {}, 1);
}

TEST_CASE("transforms of residues along several axes") {
  const Device device;
  check_all(device, {.lengths = {8, 16}, .batch = 3}, {}, 1);
  check_all(device,
            {.lengths = {4, 2, 8},
             .batch = 2,
             .ring = Ring::baby_bear,
             .order = Order::bit_reversed,
             .coset = 5,
             .placement = Placement::in_place},
            {}, 1);
}

TEST_CASE("residues along axes of many lengths", "[long]") {
  const Device device;
  const Ring ring = any_ring();
  const auto placement = GENERATE(Placement::out_of_place, Placement::in_place);
  Options options;
  options.parameters.mapping = GENERATE(Mapping::automatic, Mapping::work_group);
  const std::vector<std::vector<std::size_t>> shapes = {
      {2, 2}, {2, 64}, {64, 2}, {32, 32}, {256, 8}, {8, 256}, {4, 2, 16}, {16, 1024}, {2, 2, 2, 2}};
  for (const auto& lengths : shapes) {
    CAPTURE(lengths, static_cast<int>(ring), static_cast<int>(placement));
    check_all(device, {.lengths = lengths, .batch = 3, .ring = ring, .placement = placement},
              options, 1);
  }
  check_all(device,
            {.lengths = {16, 8},
             .batch = 2,
             .ring = ring,
             .order = Order::bit_reversed,
             .coset = 123456,
             .placement = placement},
            options, 1);
}

TEST_CASE("large planes of residues", "[long]") {
  const Device device;
  const Ring ring = any_ring();
  check_all(device, {.lengths = {512, 2048}, .ring = ring}, {}, 1);
  check_all(device, {.lengths = {16384, 4}, .ring = ring}, {}, 1);
}

TEST_CASE("residues in host memory") {
  const ModularTransform t{.lengths = {2}, .batch = 5};
  const TestField field{t.ring};
  const Residues x = field.random(10, 1);
  Residues words = x;
  const auto bytes = std::as_writable_bytes(std::span(words));
  exact::ntt(bytes, t);
  CHECK(words == spectra_of(t, x));
  exact::intt(bytes, t);
  CHECK(words == x);
  words[9] = field.p;
  CHECK(message_of<InvalidArgument>([&] { exact::ntt(bytes, t); }) ==
        "a word is 18446744069414584321; it must be below 18446744069414584321");
  CHECK_FALSE(message_of<InvalidArgument>([&] { exact::ntt(bytes.first(8), t); }).empty());
}

TEST_CASE("modular transforms that a ring does not have are refused") {
  const Device device;
  const auto message = [&](const ModularTransform& t) {
    return message_of<InvalidArgument>([&] { ModularPlan(device.context, device.device, t); });
  };
  CHECK(message({.lengths = {12}}) ==
        "length is 12; it must be a power of two from 2 to 2^32, which is the largest order of a "
        "root in the ring");
  CHECK_FALSE(message({.lengths = {1}}).empty());
  CHECK_FALSE(message({.lengths = {std::size_t{1} << 25}, .ring = Ring::koala_bear}).empty());
  CHECK(message({.ring = Ring::koala_bear, .coset = 2130706433}) ==
        "coset is 2130706433; it must be from 1 to 2130706432");
  CHECK_FALSE(message({.coset = 0}).empty());
  CHECK_FALSE(message({.lengths = {8, 6}}).empty());
  CHECK(message({.lengths = {}}) == "lengths is empty; there must be at least one");
  const ModularPlan plan(device.context, device.device,
                         {.lengths = {4}, .directions = Directions::forward});
  const cl::Buffer x = device.allocate(32), y = device.allocate(32), small = device.allocate(24);
  const auto refused = [&](const auto& call) { return message_of<InvalidArgument>(call); };
  CHECK(refused([&] { plan.inverse(device.queue, x, y); }).find("directions") == 0);
  CHECK(refused([&] { plan.forward(device.queue, x, x); }).find("placement") == 0);
  CHECK(refused([&] { plan.forward(device.queue, x, small); }).find("spectrum") == 0);
  CHECK(refused([&] { exact::root_of_unity(Ring::baby_bear, 24); }).find("order") == 0);
}

TEST_CASE("transforms of residues of any length", "[long]") {
  const Device device;
  const Ring ring = any_ring();
  const unsigned bits = GENERATE(9u, 11u, 12u, 13u, 14u, 15u, 16u, 17u, 18u, 19u, 20u);
  CAPTURE(bits, static_cast<int>(ring));
  check_all(device, {.lengths = {std::size_t{1} << bits}, .ring = ring}, {}, bits < 15 ? 20 : 3);
}

TEST_CASE("a million random vectors of residues", "[long]") {
  const Device device;
  const TestField field{any_ring()};
  std::mt19937_64 random(2026);
  for (unsigned bits = 1; bits <= 20; ++bits) {
    const std::size_t n = std::size_t{1} << bits;
    const std::size_t wanted = bits <= 9 ? 36000 : bits <= 13 ? 2200 : bits <= 16 ? 120 : 85;
    const std::size_t batch = std::min(wanted, (std::size_t{1} << 20) / n);
    const ModularPlan plan(device.context, device.device,
                           {.lengths = {n}, .batch = batch, .ring = field.ring});
    const cl::Buffer spectrum = device.allocate(plan.bytes()), back = device.allocate(plan.bytes());
    for (std::size_t done = 0; done < wanted; done += batch) {
      const Residues x = field.random(n * batch, random());
      plan.forward(device.queue, uploaded(device, field.ring, x), spectrum);
      plan.inverse(device.queue, spectrum, back);
      REQUIRE(downloaded(device, field.ring, back, x.size()) == x);
      const Residues found = downloaded(device, field.ring, spectrum, x.size());
      for (std::size_t row = 0; row < batch; ++row) {
        for (int i = 0; i < 2; ++i) {
          const std::size_t k = random() % n;
          const std::uint64_t at = field.power(field.root(n), k);
          std::uint64_t sum = 0;  // Horner's scheme
          for (std::size_t j = n; j-- > 0;) sum = field.sum(field.product(sum, at), x[row * n + j]);
          REQUIRE(found[row * n + k] == sum);
        }
      }
    }
  }
}

TEST_CASE("residues under oclgrind", "[.][oclgrind]") {
  // Never released: oclgrind's library may end before static objects.
  static const Device& device = *new Device;
  Options options;
  options.parameters.mapping = GENERATE(Mapping::work_group, Mapping::vector);
  check_all(device, {.lengths = {64}, .ring = any_ring()}, options, 1);
}
