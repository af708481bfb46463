// This file builds the exceptions of imago::mpi, which read as those of imago.
#pragma once

#include <string>

namespace imago::mpi {

/// Throws InvalidArgument: "<field> is <value>: <allowed>".
[[noreturn]] void invalid(const std::string& field, const std::string& value,
                          const std::string& allowed);
/// Throws Unsupported: what cannot be done, and what to do instead.
[[noreturn]] void unsupported(const std::string& what, const std::string& instead);
/// Throws std::logic_error: a bug of imago.
[[noreturn]] void internal_error(const std::string& what);

}  // namespace imago::mpi
