// This file implements errors.
#include "errors.hpp"

#include <sstream>

#include <imago/error.hpp>

namespace imago::mpi {

void invalid(const std::string& field, const std::string& value, const std::string& allowed) {
  std::ostringstream text;
  text << field << " is " << value << "; " << allowed;
  throw InvalidArgument(text.str());
}
void unsupported(const std::string& what, const std::string& instead) {
  throw Unsupported(what + "; " + instead);
}
void internal_error(const std::string& what) {
  throw std::logic_error("imago, internal error: " + what);
}

}  // namespace imago::mpi
