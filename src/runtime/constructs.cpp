// This file runs the kernels of kernels/constructs.cl and compares their results.
#include "runtime/constructs.hpp"

#include <array>
#include <string_view>

#include "kernels/text.hpp"
#include "runtime/arguments.hpp"
#include "runtime/laboratory.hpp"
#include "runtime/memory.hpp"

namespace imago::runtime {
namespace {

constexpr const char* kFile = "constructs.cl";
constexpr std::size_t kItems = 64;
using Numbers = std::array<float, 2 * kItems>;
using Pair = std::array<float, 2>;

struct Construct {
  const char* name;
  Pair (*expected)(const Numbers& in, std::size_t item);  ///< expected result of a work-item
};

Pair reversed(const Numbers& in, std::size_t item) {
  return {in[kItems - 1 - item], in[2 * kItems - 1 - item]};
}

Pair negated(const Numbers& in, std::size_t item) {
  return {-in[item], -in[item] * in[kItems + item]};
}

Pair chosen(const Numbers& in, std::size_t item) {
  const float x = -in[item % 2 == 0 ? item : kItems + item];
  return {x, x * in[kItems + item]};
}

Pair divided(const Numbers& in, std::size_t item) {
  return {in[item], static_cast<float>(item % 7)};
}

constexpr Construct kConstructs[] = {
    {"imago_kept_load", reversed},    {"imago_kept_item", reversed},
    {"imago_kept_negation", negated}, {"imago_moved_negation", negated},
    {"imago_kept_choice", chosen},    {"imago_chosen_difference", chosen},
    {"imago_remainder", divided}};

/// Returns small multiples of one half, whose products are exact.
Numbers input() {
  Numbers in;
  for (std::size_t i = 0; i < in.size(); ++i) in[i] = 0.5f * static_cast<float>(i) + 1;
  return in;
}

Numbers run(cl_device_id device, const Construct& construct, const Numbers& in) {
  const Laboratory laboratory(device);
  const auto source = allocate_copy(laboratory.context.get(), sizeof in, in.data());
  const auto target = allocate_zeros(laboratory.context.get(), sizeof in);
  const auto kernel = laboratory.kernel(construct_kernel(construct.name));
  Arguments(kernel.get()).value(source.get()).value(target.get());
  const std::size_t items = kItems;
  check(clEnqueueNDRangeKernel(laboratory.queue.get(), kernel.get(), 1, nullptr, &items, &items, 0,
                               nullptr, nullptr),
        "clEnqueueNDRangeKernel");
  Numbers out;
  check(clEnqueueReadBuffer(laboratory.queue.get(), target.get(), CL_TRUE, 0, sizeof out,
                            out.data(), 0, nullptr, nullptr),
        "clEnqueueReadBuffer");
  return out;
}

bool is_right(cl_device_id device, const Construct& construct) {
  const Numbers in = input(), out = run(device, construct, in);
  for (std::size_t item = 0; item < kItems; ++item) {
    const Pair expected = construct.expected(in, item);
    // The comparison is false for a NaN.
    if (!(out[2 * item] == expected[0] && out[2 * item + 1] == expected[1])) return false;
  }
  return true;
}

}  // namespace

kernel::Handmade construct_kernel(const std::string& construct) {
  return {construct, "-cl-std=CL1.2", std::string(kernels::text(kFile)), kItems};
}

base::Digest kept_load_key(cl_device_id device) {
  return property_key("kept load 1", kFile, device);
}

const std::vector<std::string>& constructs() {
  static const std::vector<std::string> names = [] {
    std::vector<std::string> all;
    for (const Construct& construct : kConstructs) all.emplace_back(construct.name);
    return all;
  }();
  return names;
}

bool is_right(cl_device_id device, const std::string& construct) {
  for (const Construct& known : kConstructs) {
    if (construct == known.name) return is_right(device, known);
  }
  return false;
}

bool keeps_loads(cl_device_id device, const DiskCache& disk) {
  const Bytes yes = "yes", no = "no";
  const auto found =
      found_once(kept_load_key(device), disk, "cannot detect the device's capabilities",
                 [&] { return is_right(device, kConstructs[0]) ? yes : no; });
  return found != no;
}

}  // namespace imago::runtime
