// This file says which complete parameters are legal; choosing among them is the defaults'
// business.
#pragma once

#include <cstdint>
#include <string>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "plan/kernel_context.hpp"

namespace imago::plan {

/// Names a field of a kernel in messages.
std::string field_of(std::size_t kernel, const char* name);

/// Throws InvalidArgument for an enumeration whose value is none of its own.
void check_words(const Parameters& parameters);

/// Throws InvalidArgument for what no kernel can be, before the defaults complete it.
void check_wish(std::size_t kernel, const KernelParameters& wish);

/// Throws InvalidArgument for parameters of a kernel that is not legal in its context, whatever the
/// length of the request and the other kernels are.
void check_kernel(const KernelContext& context, const device::Facts& facts, Mapping mapping,
                  const KernelParameters& kernel);

/// Throws InvalidArgument for parameters that cannot compute the request on the device: it names
/// the field, its value and what is allowed.
void check(const lines::Request& request, const device::Facts& facts, const Parameters& parameters);

/// Throws Unsupported where the points of a line, or those of its convolution, are more than a
/// kernel counts.
void check_counted(std::uint64_t points, std::uint64_t line);

/// Throws Unsupported where a kernel's ints would not do: it counts the columns of a batch member
/// and, of real data and in convolutions, the points of a line; `length` is that of the chain.
void check_counts(const kernel::Step& step, std::uint64_t length);

}  // namespace imago::plan
