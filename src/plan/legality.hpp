// This file checks which complete parameters are legal; it does not choose among them.
#pragma once

#include <cstdint>
#include <string>

#include <imago/parameters.hpp>

#include "device/facts.hpp"
#include "plan/kernel_context.hpp"

namespace imago::plan {

/// Returns the name of a kernel's field for messages.
std::string field_of(std::size_t kernel, const char* name);

/// Throws InvalidArgument for an enumeration that has none of its values.
void check_words(const Parameters& parameters);

/// Throws InvalidArgument for a wish that no kernel can have, before the defaults complete it.
void check_wish(std::size_t kernel, const KernelParameters& wish);

/// Throws InvalidArgument if a kernel's parameters are not legal in its context, whatever the
/// length of the request and the other kernels are.
void check_kernel(const KernelContext& context, const device::Facts& facts, Mapping mapping,
                  const KernelParameters& kernel);

/// Throws InvalidArgument for parameters that cannot compute the request on the device. The message
/// names the field, its value and the allowed values.
void check(const lines::Request& request, const device::Facts& facts, const Parameters& parameters);

/// Throws Unsupported if a line, or its convolution, has more points than a kernel can count.
void check_counted(std::uint64_t points, std::uint64_t line);

/// Throws Unsupported if a kernel's ints are too small: it counts the columns of a batch element,
/// and for real data and convolutions the points of a line. `length` is the length of all kernels
/// together.
void check_counts(const kernel::Step& step, std::uint64_t length);

}  // namespace imago::plan
