// This file builds the exceptions of imago::mpi. Their texts have the form of imago's.
#pragma once

#include <string>

namespace imago::mpi {

/// Throws InvalidArgument: "<field> is <value>: <allowed>".
[[noreturn]] void invalid(const std::string& field, const std::string& value,
                          const std::string& allowed);
/// Throws Unsupported: "<what>; <instead>".
[[noreturn]] void unsupported(const std::string& what, const std::string& instead);
/// Throws std::logic_error, for a bug of imago.
[[noreturn]] void internal_error(const std::string& what);

}  // namespace imago::mpi
