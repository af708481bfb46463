// This file checks which complete parameters are legal.
#include "plan/legality.hpp"

#include <algorithm>
#include <string>

#include "base/errors.hpp"
#include "base/integers.hpp"
#include "kernel/edges/convolved.hpp"
#include "kernel/radices.hpp"
#include "lines/mapping.hpp"
#include "plan/mapping_rules.hpp"
#include "problem/words.hpp"

namespace imago::plan {
namespace {

constexpr std::uint64_t kMostCounted = std::uint64_t{1} << 30;
/// This limit is far beyond the work-groups and work-items of any device.
constexpr std::uint64_t kMostKernelPoints = std::uint64_t{1} << 26;

void check_radices(std::size_t i, const KernelParameters& kernel) {
  std::uint64_t product = 1;
  for (const unsigned radix : kernel.radices) {
    const bool alone = kernel.radices.size() == 1 && kernel::has_butterfly(radix);
    const bool legal = alone || kernel::is_radix(radix) || (radix == 1 && kernel.length == 1);
    if (!legal)
      base::invalid(
          field_of(i, "radices"), radix,
          "it must be from 2 to 21, 23, 24, 25, from 27 to 32, 36, 37, 40, 41, 43, 47, "
          "49, 53, 61, 67, 71, 73, 79, 89 or 97; the only radix may be up to 63, but not 59");
    product *= radix;
  }
  if (product != kernel.length)
    base::invalid(field_of(i, "radices"), product,
                  "the product must be the kernel's length, " + std::to_string(kernel.length));
}

/// Checks that work-items have room for the radices.
void check_room(const KernelContext& context, const device::Facts& facts, Mapping mapping,
                const KernelParameters& kernel) {
  for (const unsigned radix : kernel.radices) {
    const std::uint64_t rest = kernel::without_radices(radix);
    if (rest > 1 && !lines::rules_of(mapping).has_room(rest, context.request->precision, facts))
      base::invalid(field_of(context.index, "radices"), radix,
                    "its prime factors must be at most 31 with this mapping, precision and device");
  }
}

/// Checks that passes go along one axis after the other.
void check_axes(const KernelParameters& kernel, const lines::Request& request) {
  const bool slowest_last = request.axis_order() == kernel::AxisOrder::slowest_last;
  auto radix = kernel.radices.begin();
  for (const kernel::AxisPlace& axis : kernel::in_pass_order(request.axes, request.axis_order())) {
    std::uint64_t product = 1;
    while (radix != kernel.radices.end() && product < axis.length) product *= *radix++;
    if (product != axis.length)
      base::invalid(
          field_of(0, "radices"), product,
          "the product along an axis must be its length, " + std::to_string(axis.length) +
              (slowest_last ? " (give the fastest axis first)"
                            : " (give the slowest axis first, then from the fastest on)"));
  }
}

void check_convolution(const lines::Request& request, const Parameters& parameters,
                       std::uint64_t length) {
  const kernel::Convolved convolved = kernel::convolved_by(parameters.algorithm, request.length);
  if (facts_of(convolved).reorders && parameters.kernels.size() > 1)
    base::invalid("parameters.kernels", parameters.kernels.size(),
                  "give one kernel for " +
                      std::string(base::word_of(problem::kAlgorithms, parameters.algorithm)));
  const kernel::ConvolutionLengths lengths = lengths_of(convolved);
  if (lengths.allow(length)) return;
  std::string allowed = "the product of the kernels' lengths must be ";
  if (lengths.unpadded > 0) allowed += std::to_string(lengths.unpadded) + ", or ";
  allowed += "at least " + std::to_string(lengths.least) + ", and the transform's length " +
             lengths.points;
  base::invalid("parameters.kernels", length, allowed);
}

}  // namespace

std::string field_of(std::size_t kernel, const char* name) {
  return "parameters.kernels[" + std::to_string(kernel) + "]." + name;
}

void check_words(const Parameters& parameters) {
  base::check_word(problem::kMappings, "parameters.mapping", parameters.mapping);
  base::check_word(problem::kAlgorithms, "parameters.algorithm", parameters.algorithm);
  base::check_word(problem::kLaunches, "parameters.launches", parameters.launches);
  for (std::size_t i = 0; i < parameters.kernels.size(); ++i) {
    const KernelParameters& kernel = parameters.kernels[i];
    base::check_word(problem::kLaneAxes, field_of(i, "axis"), kernel.axis);
    base::check_word(problem::kExchanges, field_of(i, "exchange"), kernel.exchange);
    base::check_word(problem::kTwiddles, field_of(i, "twiddles"), kernel.twiddles);
    base::check_word(problem::kTwiddles, field_of(i, "four_step"), kernel.four_step);
  }
}

void check_wish(std::size_t kernel, const KernelParameters& wish) {
  if (wish.length > kMostKernelPoints)
    base::invalid(field_of(kernel, "length"), wish.length, "it must be at most 2^26 in one kernel");
  if (!wish.radices.empty()) check_radices(kernel, wish);
}

void check_kernel(const KernelContext& context, const device::Facts& facts, Mapping mapping,
                  const KernelParameters& kernel) {
  check_radices(context.index, kernel);
  check_room(context, facts, mapping, kernel);
  rules_of(mapping).check(kernel, context, facts);
  if (context.only) check_axes(kernel, *context.request);
}

void check(const lines::Request& request, const device::Facts& facts,
           const Parameters& parameters) {
  if (parameters.kernels.empty())
    base::invalid("parameters.kernels", "empty", "give at least one kernel");
  const std::size_t kernels = parameters.kernels.size();
  const bool convolves = kernel::is_convolution(parameters.algorithm);
  std::uint64_t product = 1;
  for (std::size_t i = 0; i < kernels; ++i) {
    const KernelParameters& kernel = parameters.kernels[i];
    check_kernel(context_of(request, parameters, i), facts, parameters.mapping, kernel);
    product *= kernel.length;
  }
  if (kernels > 1 && request.axes.size() > 1)
    base::invalid("the size of parameters.kernels", kernels,
                  "it must be 1 for several axes at once");
  if (kernels > 1 && !request.can_be_split(parameters.mapping))
    base::invalid("the size of parameters.kernels", kernels,
                  "it must be 1 if a kernel needs elements i and n - i together");
  if (convolves) return check_convolution(request, parameters, product);
  if (product != request.length) {
    base::invalid("parameters.kernels", product,
                  "the product of the kernels' lengths must be " + std::to_string(request.length));
  }
}

void check_counted(std::uint64_t points, std::uint64_t line) {
  if (points > kMostCounted)
    base::unsupported(
        "an axis of " + std::to_string(line) +
            " points is too long for a transform that is not complex or has large prime factors",
        "use at most 2^30 points, or half as many with large prime factors");
}

void check_counts(const kernel::Step& step, std::uint64_t length) {
  const bool numbered = !step.plain() || step.convolution.is_any();
  if (numbered) check_counted(std::max(step.line, length), step.line);
  if (step.column_count() > kMostCounted)
    base::unsupported("a kernel of length " + std::to_string(step.length) + " has " +
                          std::to_string(step.column_count()) + " columns, more than 2^30",
                      "split the array over several calls");
}

}  // namespace imago::plan
