// This file tests the functions of limbs of kernels for GPUs with words and limbs at the ends of
// their ranges, which random residues do not reach.
#include <array>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include <imago/exact.hpp>

#include "kernels/text.hpp"
#include "support/catch.hpp"
#include "support/device.hpp"

using namespace imago;
using namespace imago::test;

namespace {

__extension__ using Wide = __int128;
using Limbs = std::array<std::int32_t, 4>;

constexpr std::uint64_t kModulus = 0xffffffff00000001;
constexpr std::int32_t kMost = 63 << 24;

/// Returns the residue of a number.
std::uint64_t residue(Wide x) {
  const auto rest = static_cast<Wide>(x % static_cast<Wide>(kModulus));
  return static_cast<std::uint64_t>(rest < 0 ? rest + static_cast<Wide>(kModulus) : rest);
}
std::uint64_t product(std::uint64_t a, std::uint64_t b) {
  __extension__ using Unsigned = unsigned __int128;
  return static_cast<std::uint64_t>(static_cast<Unsigned>(a) * b % kModulus);
}
std::uint64_t residue(const Limbs& x) {
  std::uint64_t sum = 0;
  for (std::size_t i = 4; i-- > 0;)
    sum = residue(static_cast<Wide>(product(sum, std::uint64_t{1} << 24)) + x[i]);
  return sum;
}

/// Runs a function of a kernel on each element.
template <class Out, class In>
std::vector<Out> mapped(const Device& device, const std::string& type, const std::string& value,
                        const std::string& from, const std::vector<In>& x) {
  std::string text = "#define N\n";
  text.append(kernels::text("goldilocks.cl")).append("#undef N\n");
  text.append(kernels::text("goldilocks_limbs.cl"));
  text += "__kernel void mapped(__global const " + from + "* in, __global " + type +
          "* out) {\n  const size_t i = get_global_id(0);\n  const " + from +
          " x = in[i];\n  out[i] = " + value + ";\n}\n";
  cl::Program program(device.context, text);
  REQUIRE(program.build({device.device}, "-cl-std=CL1.2") == CL_SUCCESS);
  cl::Kernel kernel(program, "mapped");
  const cl::Buffer in = device.upload(x), out = device.allocate(x.size() * sizeof(Out));
  kernel.setArg(0, in), kernel.setArg(1, out);
  device.queue.enqueueNDRangeKernel(kernel, cl::NullRange, cl::NDRange(x.size()));
  return device.download<Out>(out, x.size());
}

/// Returns words around the ends of halves and around the modulus, and random ones.
std::vector<std::uint64_t> words() {
  std::mt19937_64 random(1);
  std::vector<std::uint64_t> all;
  for (const std::uint64_t end : {std::uint64_t{0}, std::uint64_t{1} << 32, std::uint64_t{1} << 33,
                                  std::uint64_t{1} << 63, kModulus, kModulus - 0xffffffff}) {
    for (std::uint64_t i = 0; i < 5; ++i) all.push_back(end - 2 + i);
  }
  for (int i = 0; i < 100; ++i) all.push_back(random());
  return all;
}

std::vector<Limbs> limbs() {
  std::mt19937 random(2);
  const std::int32_t ends[] = {0, 1, -1, kMost, -kMost, 1 << 24, -(1 << 24), 0xffff, -0x10000};
  std::vector<Limbs> all;
  for (int i = 0; i < 20000; ++i) {
    Limbs& x = all.emplace_back();
    for (std::int32_t& limb : x) {
      const unsigned choice = random() % 12;
      limb = choice < 9 ? ends[choice] : static_cast<std::int32_t>(random() % kMost);
    }
  }
  return all;
}

}  // namespace

TEST_CASE("words and limbs at the ends of their ranges") {
  const Device device;
  const auto x = words();
  std::vector<std::array<std::uint64_t, 2>> pairs;
  for (const std::uint64_t a : x) {
    for (const std::uint64_t b : x) pairs.push_back({a, b});
  }
  const auto products =
      mapped<std::uint64_t>(device, "ulong", "residue_raw_mul(x.s0, x.s1)", "ulong2", pairs);
  for (std::size_t i = 0; i < pairs.size(); ++i)
    REQUIRE(products[i] % kModulus == product(pairs[i][0] % kModulus, pairs[i][1] % kModulus));
  const auto least = mapped<std::uint64_t>(device, "ulong", "residue_encode(x)", "ulong", x);
  const auto split = mapped<Limbs>(device, "int4", "residue_split(x)", "ulong", x);
  for (std::size_t i = 0; i < x.size(); ++i) {
    REQUIRE(least[i] == x[i] % kModulus);
    REQUIRE(residue(split[i]) == x[i] % kModulus);
  }
  const auto all = limbs();
  const auto joined = mapped<std::uint64_t>(device, "ulong", "residue_joined(x)", "int4", all);
  const auto shifted = mapped<Limbs>(device, "int4", "limbs_shifted(x, 12)", "int4", all);
  std::array<std::vector<Limbs>, 3> turned;
  for (std::size_t n = 1; n <= 3; ++n)
    turned[n - 1] =
        mapped<Limbs>(device, "int4", "limbs_turned(x, " + std::to_string(n) + ")", "int4", all);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::uint64_t value = residue(all[i]);
    REQUIRE(joined[i] % kModulus == value);
    REQUIRE(residue(shifted[i]) == product(value, 1 << 12));
    for (const auto& each : turned) {
      value = product(value, 1 << 24);
      REQUIRE(residue(each[i]) == value);
    }
  }
}
