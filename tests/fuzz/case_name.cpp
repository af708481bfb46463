// This file fuzzes the names of cases, which users give to `imago selftest` and to the tools. A
// name that is accepted gives a case whose own name gives the same case.
#include <imago/error.hpp>

#include "catalogue/case.hpp"
#include "fuzz.hpp"

using namespace imago;

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  catalogue::Case problem;
  try {
    problem = catalogue::parse(std::string(fuzz::text_of(data, size)));
  } catch (const InvalidArgument&) {
    return 0;
  }
  fuzz::require(catalogue::parse(problem.name()) == problem, "its name is the case's");
  static_cast<void>(problem.transform());
  return 0;
}
